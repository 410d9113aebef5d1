//! Judging games and suites of games by the rules.

use std::fmt;
use std::io::{self, BufRead, Write};

use serde::Deserialize;

use crate::position::{FenError, IllegalMove, Position, START_FEN};
use crate::rules::explain::{self, MoveReport};
use crate::rules::{RuleSet, Rules, UnknownRuleSet, Verdict};
use crate::types::{Color, Move, ParseMoveError};

/// Why a game cannot be judged.
#[derive(Debug)]
pub enum JudgeError {
    /// The FEN is refused.
    Fen(FenError),
    /// A text is no move; its number in the list, from 1.
    NoMove(usize, String, ParseMoveError),
    /// A move is illegal; its number in the list, from 1.
    Illegal(usize, Move, IllegalMove),
    /// A suite names an unknown rule set.
    Rules(UnknownRuleSet),
    /// A suite expects something that is no verdict.
    Expectation(String),
    /// A line of a suite is not the JSON object that it should be.
    Json(serde_json::Error),
    /// Reading or writing failed.
    Io(io::Error),
    /// The error of a line of a suite, from 1.
    InLine(usize, Box<JudgeError>),
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(error) => write!(f, "{error}"),
            Self::NoMove(number, text, error) => write!(f, "move {number}, {text:?}: {error}"),
            Self::Illegal(number, mv, error) => {
                write!(f, "move {number}, {mv}, is illegal: {error}")
            }
            Self::Rules(error) => write!(f, "{error}"),
            Self::Expectation(text) => write!(
                f,
                "{text:?} is no verdict; there are red_wins, black_wins, draw, none and ?"
            ),
            Self::Json(error) => write!(f, "{error}"),
            Self::Io(error) => write!(f, "{error}"),
            Self::InLine(line, error) => write!(f, "line {line}: {error}"),
        }
    }
}

impl std::error::Error for JudgeError {}

impl From<FenError> for JudgeError {
    fn from(error: FenError) -> Self {
        Self::Fen(error)
    }
}

impl From<io::Error> for JudgeError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// How a game has ended, in the words of the suites: `red_wins`, `black_wins`, `draw`,
/// or `none` if it goes on.
pub const fn outcome(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Loss(Color::Black, _) => "red_wins",
        Verdict::Loss(Color::Red, _) => "black_wins",
        Verdict::Draw(_) => "draw",
        Verdict::Ongoing | Verdict::Provisional(..) => "none",
    }
}

/// A judged game. `Display` gives the outcome on the first line, then the reasons.
#[derive(Debug)]
pub struct Judgement {
    /// What holds for the last position.
    pub verdict: Verdict,
    /// After which move (from 1) the game had ended before its last one, and how; 0 if it
    /// was over before it began.
    pub earlier_end: Option<(usize, Verdict)>,
    /// What each move of the repetition did, if asked for.
    pub moves: Vec<MoveReport>,
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", outcome(self.verdict))?;
        writeln!(f, "{}", self.verdict)?;
        if let Some((after, verdict)) = self.earlier_end {
            writeln!(
                f,
                "the game had ended after move {after} already: {verdict}"
            )?;
        }
        self.moves
            .iter()
            .try_for_each(|report| writeln!(f, "{report}"))
    }
}

/// Judges the game that `moves` make from a FEN (or `startpos`).
///
/// With `explain`, every move since the first of the occurrences that count is reported;
/// where the position has not occurred often enough, since its second to last occurrence.
///
/// # Errors
/// If the FEN is refused or a move is none or illegal.
pub fn judge<'a>(
    fen: &str,
    moves: impl IntoIterator<Item = &'a str>,
    rules: &Rules,
    explain: bool,
) -> Result<Judgement, JudgeError> {
    let fen = if fen.trim() == "startpos" {
        START_FEN
    } else {
        fen
    };
    let mut position: Position = fen.parse()?;
    let mut earlier_end = None;
    for (index, text) in moves.into_iter().enumerate() {
        let number = index + 1;
        if earlier_end.is_none() {
            earlier_end = Some(rules.judge(&position))
                .filter(|&verdict| verdict != Verdict::Ongoing)
                .map(|verdict| (index, verdict));
        }
        let mv = Move::parse(text)
            .map_err(|error| JudgeError::NoMove(number, text.to_owned(), error))?;
        if let Some(error) = position.explain_illegal(mv) {
            return Err(JudgeError::Illegal(number, mv, error));
        }
        position.make(mv);
    }
    let mut reports = Vec::new();
    if explain {
        let any = Rules {
            occurrences: 2,
            ..*rules
        };
        let cycle = rules.cycle(&position).or_else(|| any.cycle(&position));
        reports = explain::explain(&position, cycle.unwrap_or(0), rules.set);
    }
    Ok(Judgement {
        verdict: rules.judge(&position),
        earlier_end,
        moves: reports,
    })
}

/// One line of a suite.
#[derive(Deserialize)]
struct Case {
    id: String,
    fen: String,
    moves: Vec<String>,
    rule: String,
    #[serde(default = "third")]
    occurrences: u32,
    expect: String,
}

const fn third() -> u32 {
    3
}

/// How many cases of a suite went how.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Judged as expected.
    pub passed: u32,
    /// Judged otherwise.
    pub failed: u32,
    /// The suite expects `?`.
    pub undecided: u32,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.undecided += other.undecided;
    }
}

/// Judges every line of a suite and writes a line to `out` for each that fails or is
/// undecided. Blank lines are skipped.
///
/// # Errors
/// If a line cannot be read or judged, or `out` fails.
pub fn run_suite(suite: impl BufRead, out: &mut impl Write) -> Result<Tally, JudgeError> {
    let mut tally = Tally::default();
    for (index, line) in suite.lines().enumerate() {
        let line = line?;
        if !line.trim().is_empty() {
            tally += run_case(&line, out)
                .map_err(|error| JudgeError::InLine(index + 1, Box::new(error)))?;
        }
    }
    Ok(tally)
}

fn run_case(line: &str, out: &mut impl Write) -> Result<Tally, JudgeError> {
    let case: Case = serde_json::from_str(line).map_err(JudgeError::Json)?;
    let set: RuleSet = case.rule.parse().map_err(JudgeError::Rules)?;
    let rules = Rules {
        occurrences: case.occurrences,
        ..Rules::new(set)
    };
    let moves = case.moves.iter().map(String::as_str);
    let verdict = judge(&case.fen, moves, &rules, false)?.verdict;
    let (id, expect, got) = (&case.id, case.expect.as_str(), outcome(verdict));
    let mut tally = Tally::default();
    match expect {
        "?" => {
            tally.undecided = 1;
            writeln!(out, "{id}: undecided, judged {got} ({verdict})")?;
        }
        "red_wins" | "black_wins" | "draw" | "none" if expect == got => tally.passed = 1,
        "red_wins" | "black_wins" | "draw" | "none" => {
            tally.failed = 1;
            writeln!(out, "{id}: expected {expect}, judged {got} ({verdict})")?;
        }
        _ => return Err(JudgeError::Expectation(case.expect)),
    }
    Ok(tally)
}
