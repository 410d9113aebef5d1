//! Judging games and suites of games by the rules.

use std::fmt;
use std::io::{self, BufRead, Write};

use serde::Deserialize;

use crate::position::Position;
use crate::protocol::{GameError, Ranks, RefusedMove, read_game};
use crate::rules::explain::{self, MoveReport};
use crate::rules::{RuleSet, Rules, UnknownRuleSet, Verdict};
use crate::types::Color;

/// Why a suite cannot be judged.
#[derive(Debug)]
pub enum SuiteError {
    /// A line is not the JSON object that it should be.
    Json(serde_json::Error),
    /// The position of a game is refused.
    Position(GameError),
    /// A move of a game is refused.
    Move(RefusedMove),
    /// A rule set is unknown.
    Rules(UnknownRuleSet),
    /// What is expected is no verdict.
    Expectation(String),
    /// Reading or writing failed.
    Io(io::Error),
    /// The error of a line, from 1.
    InLine(usize, Box<SuiteError>),
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "{error}"),
            Self::Position(error) => write!(f, "{error}"),
            Self::Move(error) => write!(f, "{error}"),
            Self::Rules(error) => write!(f, "{error}"),
            Self::Expectation(text) => write!(
                f,
                "{text:?} is no verdict; there are red_wins, black_wins, draw, none and ?"
            ),
            Self::Io(error) => write!(f, "{error}"),
            Self::InLine(line, error) => write!(f, "line {line}: {error}"),
        }
    }
}

impl std::error::Error for SuiteError {}

impl From<io::Error> for SuiteError {
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

/// Judges the game that led to this position.
///
/// With `explain`, every move since the first of the occurrences that count is reported;
/// where the position has not occurred often enough, since its last occurrence.
pub fn judge(position: &Position, rules: &Rules, explain: bool) -> Judgement {
    let any = Rules {
        occurrences: 2,
        ..*rules
    };
    let cycle = rules.cycle(position).or_else(|| any.cycle(position));
    Judgement {
        verdict: rules.judge(position),
        earlier_end: earlier_end(position, rules),
        moves: match cycle {
            Some(plies) if explain => explain::explain(position, plies, rules.set),
            _ => Vec::new(),
        },
    }
}

/// After which move before the last the game had ended first, and how.
fn earlier_end(position: &Position, rules: &Rules) -> Option<(usize, Verdict)> {
    let mut walk = position.clone();
    let mut end = None;
    for made in (0..position.history_len()).rev() {
        walk.undo();
        match rules.judge(&walk) {
            Verdict::Ongoing => {}
            verdict => end = Some((made, verdict)),
        }
    }
    end
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
pub fn run_suite(suite: impl BufRead, out: &mut impl Write) -> Result<Tally, SuiteError> {
    let mut tally = Tally::default();
    for (index, line) in suite.lines().enumerate() {
        let line = line?;
        if !line.trim().is_empty() {
            tally += run_case(&line, out)
                .map_err(|error| SuiteError::InLine(index + 1, Box::new(error)))?;
        }
    }
    Ok(tally)
}

fn run_case(line: &str, out: &mut impl Write) -> Result<Tally, SuiteError> {
    let case: Case = serde_json::from_str(line).map_err(SuiteError::Json)?;
    let set: RuleSet = case.rule.parse().map_err(SuiteError::Rules)?;
    let rules = Rules {
        occurrences: case.occurrences,
        ..Rules::new(set)
    };
    let moves = case.moves.join(" ");
    let game = read_game(&format!("{} moves {moves}", case.fen), Ranks::FromZero)
        .map_err(SuiteError::Position)?;
    if let Some(refused) = game.refused {
        return Err(SuiteError::Move(refused));
    }
    let verdict = rules.judge(&game.position);
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
        _ => return Err(SuiteError::Expectation(case.expect)),
    }
    Ok(tally)
}
