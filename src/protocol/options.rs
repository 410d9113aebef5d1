//! The options, their names in both dialects, and reading `setoption`.

use crate::engine::{DEFAULT_HASH_MB, MAX_HASH_MB, MAX_MOVE_OVERHEAD, MAX_MULTIPV, MAX_THREADS};
use crate::rules::{DEFAULT_MOVE_LIMIT, RuleSet};
use crate::search::{DEFAULT_MOVE_OVERHEAD, MAX_LEVEL};

/// The most rounds without a capture that can be allowed.
const MAX_DRAW_MOVES: i64 = 500;

/// The least value of `UCI_Elo`.
const MIN_RATING: i64 = 800;
/// The greatest value of `UCI_Elo`, and the default.
pub const MAX_RATING: i64 = 2850;

/// The value of `EvalFile` that means the embedded net.
pub const DEFAULT_FILE: &str = "<default>";
/// The value of `Evaluation` that means the net, where there is one.
pub const NET: &str = "net";
/// The value of `Evaluation` that means the hand-written evaluation.
pub const CLASSICAL: &str = "classical";

/// The value of `UCI_Variant`.
pub const XIANGQI: &str = "xiangqi";

/// The value of `Book Choice` that means a move drawn by weight.
pub const WEIGHTED: &str = "weighted";
/// The value of `Book Choice` that means the move of the greatest weight.
pub const BEST: &str = "best";

/// The names of the rule sets.
const RULE_SETS: [&str; RuleSet::ALL.len()] = {
    let mut names = [""; RuleSet::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = RuleSet::ALL[index].name();
        index += 1;
    }
    names
};

/// What an option does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionId {
    /// UCCI: clocks are in milliseconds, not seconds.
    UseMilliseconds,
    /// Size of the hash table in MiB; 0 leaves it to the engine.
    Hash,
    /// How many threads search; 0 leaves it to the engine.
    Threads,
    /// Empty the hash table.
    ClearHash,
    /// How many lines to report.
    MultiPv,
    /// The GUI may ponder, so that a move may take longer.
    Ponder,
    /// Time kept back from clocks, in milliseconds.
    MoveOverhead,
    /// Whether a timed search ends at a proven near mate.
    StopAtMate,
    /// UCCI: commands wait for the end of a search.
    Batch,
    /// UCCI: a new game begins.
    NewGame,
    /// UCCI: tell what is ignored and how `go` was understood.
    Debug,
    /// UCCI: how much time is left to other programs.
    Idle,
    /// UCCI: how much is left to chance.
    Randomness,
    /// UCCI: for or against draws.
    Style,
    /// UCCI: advisors and elephants promote, which they do not here.
    Promotion,
    /// UCCI: how many centipawns behind the engine resigns; 0 for never.
    Resign,
    /// UCCI: whether draws are offered.
    DrawOffers,
    /// UCI: every search is an analysis.
    AnalyseMode,
    /// UCI: the game that is played.
    Variant,
    /// UCI: from which number moves count the ranks.
    RankBase,
    /// Record all traffic in this file.
    LogFile,
    /// What a repeated position means.
    RepetitionRule,
    /// UCI: whether a game without captures is drawn at all.
    SixtyMoveRule,
    /// UCI: after how many plies without a capture a game is drawn; 0 for never.
    Rule60MaxPly,
    /// UCCI: after how many rounds without a capture a game is drawn; 0 for never.
    DrawMoves,
    /// The file of the net.
    EvalFile,
    /// What positions are worth: the net or the hand-written evaluation.
    Evaluation,
    /// UCI: tell the chances with every score.
    ShowWdl,
    /// How well to play, by level.
    SkillLevel,
    /// Whether to play as well as the rating says.
    LimitStrength,
    /// The rating to play at.
    Elo,
    /// Whether the opening books are asked.
    UseBook,
    /// The files of the opening books.
    BookFiles,
    /// How a move of a book is chosen.
    BookChoice,
}

/// The values that an option takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// True or false.
    Check {
        /// At the start.
        default: bool,
    },
    /// A number; one outside the range is moved into it.
    Spin {
        /// At the start.
        default: i64,
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// One of these words.
    Combo {
        /// At the start.
        default: &'static str,
        /// All of them.
        values: &'static [&'static str],
    },
    /// No value.
    Button,
    /// Text.
    Text {
        /// What stands for the text at the start.
        default: &'static str,
    },
}

/// An option as announced.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// What it does.
    pub id: OptionId,
    /// Its name in UCI, if it is announced there.
    pub uci: Option<&'static str>,
    /// Its name in UCCI, if it is announced there.
    pub ucci: Option<&'static str>,
    /// Its values.
    pub kind: Kind,
}

impl OptionSpec {
    /// Every option that works, in the order of announcement.
    pub const ALL: &[Self] = &[
        Self {
            id: OptionId::UseMilliseconds,
            uci: None,
            ucci: Some("usemillisec"),
            kind: Kind::Check { default: true },
        },
        Self {
            id: OptionId::Hash,
            uci: Some("Hash"),
            ucci: Some("hashsize"),
            kind: Kind::Spin {
                default: DEFAULT_HASH_MB as i64,
                min: 0,
                max: MAX_HASH_MB as i64,
            },
        },
        Self {
            id: OptionId::Threads,
            uci: Some("Threads"),
            ucci: Some("threads"),
            kind: Kind::Spin {
                default: 1,
                min: 0,
                max: MAX_THREADS as i64,
            },
        },
        Self {
            id: OptionId::ClearHash,
            uci: Some("Clear Hash"),
            ucci: Some("clearhash"),
            kind: Kind::Button,
        },
        Self {
            id: OptionId::MultiPv,
            uci: Some("MultiPV"),
            ucci: Some("multipv"),
            kind: Kind::Spin {
                default: 1,
                min: 1,
                max: MAX_MULTIPV as i64,
            },
        },
        Self {
            id: OptionId::Ponder,
            uci: Some("Ponder"),
            ucci: Some("ponder"),
            kind: Kind::Check { default: false },
        },
        Self {
            id: OptionId::MoveOverhead,
            uci: Some("Move Overhead"),
            ucci: Some("moveoverhead"),
            kind: Kind::Spin {
                default: DEFAULT_MOVE_OVERHEAD.as_millis() as i64,
                min: 0,
                max: MAX_MOVE_OVERHEAD.as_millis() as i64,
            },
        },
        Self {
            id: OptionId::StopAtMate,
            uci: Some("Stop At Mate"),
            ucci: Some("stopatmate"),
            kind: Kind::Check { default: true },
        },
        Self {
            id: OptionId::Batch,
            uci: None,
            ucci: Some("batch"),
            kind: Kind::Check { default: false },
        },
        Self {
            id: OptionId::RepetitionRule,
            uci: Some("Repetition Rule"),
            ucci: Some("repetition"),
            kind: Kind::Combo {
                default: RuleSet::AsianRule.name(),
                values: &RULE_SETS,
            },
        },
        Self {
            id: OptionId::SixtyMoveRule,
            uci: Some("Sixty Move Rule"),
            ucci: None,
            kind: Kind::Check { default: true },
        },
        Self {
            id: OptionId::Rule60MaxPly,
            uci: Some("Rule60MaxPly"),
            ucci: None,
            kind: Kind::Spin {
                default: DEFAULT_MOVE_LIMIT as i64,
                min: 0,
                max: 2 * MAX_DRAW_MOVES,
            },
        },
        Self {
            id: OptionId::DrawMoves,
            uci: None,
            ucci: Some("drawmoves"),
            kind: Kind::Spin {
                default: DEFAULT_MOVE_LIMIT as i64 / 2,
                min: 0,
                max: MAX_DRAW_MOVES,
            },
        },
        Self {
            id: OptionId::EvalFile,
            uci: Some("EvalFile"),
            ucci: Some("evalfile"),
            kind: Kind::Text {
                default: DEFAULT_FILE,
            },
        },
        Self {
            id: OptionId::Evaluation,
            uci: Some("Evaluation"),
            ucci: Some("evaluation"),
            kind: Kind::Combo {
                default: NET,
                values: &[NET, CLASSICAL],
            },
        },
        Self {
            id: OptionId::SkillLevel,
            uci: Some("Skill Level"),
            ucci: Some("skilllevel"),
            kind: Kind::Spin {
                default: MAX_LEVEL as i64,
                min: 0,
                max: MAX_LEVEL as i64,
            },
        },
        Self {
            id: OptionId::LimitStrength,
            uci: Some("UCI_LimitStrength"),
            ucci: Some("limitstrength"),
            kind: Kind::Check { default: false },
        },
        Self {
            id: OptionId::Elo,
            uci: Some("UCI_Elo"),
            ucci: Some("elo"),
            kind: Kind::Spin {
                default: MAX_RATING,
                min: MIN_RATING,
                max: MAX_RATING,
            },
        },
        Self {
            id: OptionId::UseBook,
            uci: Some("OwnBook"),
            ucci: Some("usebook"),
            kind: Kind::Check { default: true },
        },
        Self {
            id: OptionId::BookFiles,
            uci: Some("BookFile"),
            ucci: Some("bookfiles"),
            kind: Kind::Text { default: "<empty>" },
        },
        Self {
            id: OptionId::BookChoice,
            uci: Some("Book Choice"),
            ucci: Some("bookchoice"),
            kind: Kind::Combo {
                default: WEIGHTED,
                values: &[WEIGHTED, BEST],
            },
        },
        Self {
            id: OptionId::Style,
            uci: None,
            ucci: Some("style"),
            kind: Kind::Combo {
                default: "normal",
                values: &["solid", "normal", "risky"],
            },
        },
        Self {
            id: OptionId::Randomness,
            uci: None,
            ucci: Some("randomness"),
            kind: Kind::Combo {
                default: "none",
                values: &["none", "tiny", "small", "medium", "large", "huge"],
            },
        },
        Self {
            id: OptionId::Idle,
            uci: None,
            ucci: Some("idle"),
            kind: Kind::Combo {
                default: "none",
                values: &["none", "small", "medium", "large"],
            },
        },
        Self {
            id: OptionId::Resign,
            uci: None,
            ucci: Some("resign"),
            kind: Kind::Spin {
                default: 0,
                min: 0,
                max: 10_000,
            },
        },
        Self {
            id: OptionId::DrawOffers,
            uci: None,
            ucci: Some("drawoffers"),
            kind: Kind::Check { default: false },
        },
        Self {
            id: OptionId::Promotion,
            uci: None,
            ucci: Some("promotion"),
            kind: Kind::Check { default: false },
        },
        Self {
            id: OptionId::Debug,
            uci: None,
            ucci: Some("debug"),
            kind: Kind::Check { default: false },
        },
        Self {
            id: OptionId::AnalyseMode,
            uci: Some("UCI_AnalyseMode"),
            ucci: None,
            kind: Kind::Check { default: false },
        },
        Self {
            id: OptionId::Variant,
            uci: Some("UCI_Variant"),
            ucci: None,
            kind: Kind::Combo {
                default: XIANGQI,
                values: &[XIANGQI],
            },
        },
        Self {
            id: OptionId::RankBase,
            uci: Some("UCI_RankBase"),
            ucci: None,
            kind: Kind::Spin {
                default: 0,
                min: 0,
                max: 1,
            },
        },
        Self {
            id: OptionId::ShowWdl,
            uci: Some("UCI_ShowWDL"),
            ucci: None,
            kind: Kind::Check { default: false },
        },
        Self {
            id: OptionId::LogFile,
            uci: Some("Log File"),
            ucci: Some("logfile"),
            kind: Kind::Text { default: "<empty>" },
        },
        Self {
            id: OptionId::NewGame,
            uci: None,
            ucci: Some("newgame"),
            kind: Kind::Button,
        },
    ];

    /// The option of this name in either dialect. Case, blanks and underscores do not count.
    fn named(name: &str) -> Option<&'static Self> {
        let is_it = |own: Option<&str>| own.is_some_and(|own| squeezed(own) == name);
        Self::ALL
            .iter()
            .find(|spec| is_it(spec.uci) || is_it(spec.ucci))
    }
}

fn squeezed(name: &str) -> String {
    name.chars()
        .filter(|letter| !matches!(letter, ' ' | '_'))
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}

/// Splits the first word off; both parts are empty when there is none.
pub fn split_word(line: &[u8]) -> (&[u8], &[u8]) {
    let line = line.trim_ascii_start();
    let end = line.iter().position(u8::is_ascii_whitespace);
    line.split_at(end.unwrap_or(line.len()))
}

/// Reads what follows `setoption`, in either spelling or a mixture: `name Hash value 64` or
/// `hashsize 64`. The value keeps its bytes, whatever they are. `None` if there is no such
/// option.
pub fn read_setoption(arguments: &[u8]) -> Option<(&'static OptionSpec, &[u8])> {
    let (first, after_first) = split_word(arguments);
    let verbose = first.eq_ignore_ascii_case(b"name");
    let mut rest = if verbose { after_first } else { arguments };
    let mut name = String::new();
    let mut longest = None;
    loop {
        let (word, after) = split_word(rest);
        if verbose && is_value(word) {
            return Some((OptionSpec::named(&name)?, after.trim_ascii()));
        }
        if word.is_empty() {
            break;
        }
        name.push_str(&squeezed(&String::from_utf8_lossy(word)));
        rest = after;
        // Without the word `value`, the name is as long as it can be.
        if let Some(spec) = OptionSpec::named(&name) {
            longest = Some((spec, rest));
        }
    }
    let (spec, rest) = longest?;
    let (word, after) = split_word(rest);
    let value = if is_value(word) { after } else { rest };
    Some((spec, value.trim_ascii()))
}

fn is_value(word: &[u8]) -> bool {
    word.eq_ignore_ascii_case(b"value")
}

/// Reads `true`, `false`, `on` or `off`.
pub fn read_check(value: &[u8]) -> Option<bool> {
    let is = |word: &str| value.eq_ignore_ascii_case(word.as_bytes());
    match () {
        () if is("true") || is("on") => Some(true),
        () if is("false") || is("off") => Some(false),
        () => None,
    }
}

/// Reads a number of any length; one that is too large becomes the largest.
pub fn read_number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = digits.parse().unwrap_or(i64::MAX);
    Some(if negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &str) -> Option<(OptionId, &str)> {
        let (spec, value) = read_setoption(arguments.as_bytes())?;
        Some((spec.id, std::str::from_utf8(value).ok()?))
    }

    #[test]
    fn both_spellings_and_all_aliases_are_read() {
        for text in [
            "name Hash value 64",
            "hashsize 64",
            "Hash 64",
            "name hashsize value 64",
            " NAME  HASH  VALUE  64 ",
            "Hash value 64",
            "name Hash 64",
        ] {
            assert_eq!(read(text), Some((OptionId::Hash, "64")), "{text}");
        }
        for text in ["name Clear Hash", "Clear Hash", "clearhash", "Clear_Hash "] {
            assert_eq!(read(text), Some((OptionId::ClearHash, "")), "{text}");
        }
        for text in [
            "repetition AlwaysDraw",
            "Repetition Rule AlwaysDraw",
            "name repetition rule AlwaysDraw",
        ] {
            let expected = Some((OptionId::RepetitionRule, "AlwaysDraw"));
            assert_eq!(read(text), expected, "{text}");
        }
        assert_eq!(read("newgame"), Some((OptionId::NewGame, "")));
        assert_eq!(
            read("name Log File value /tmp/a  b/象棋 log"),
            Some((OptionId::LogFile, "/tmp/a  b/象棋 log"))
        );
        for unknown in [
            "",
            "name",
            "name value 3",
            "guiname XQWizard",
            "Hashish 3",
            "name Hash Path value x",
        ] {
            assert_eq!(read(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn numbers_saturate_and_words_are_no_numbers() {
        assert_eq!(read_number("-12"), Some(-12));
        assert_eq!(read_number("+7"), Some(7));
        assert_eq!(read_number("99999999999999999999"), Some(i64::MAX));
        assert_eq!(read_number("-99999999999999999999"), Some(-i64::MAX));
        for bad in ["", "-", "1x", "nodes", "1.5"] {
            assert_eq!(read_number(bad), None);
        }
    }

    #[test]
    fn names_are_words_that_clients_can_split_at() {
        for spec in OptionSpec::ALL {
            for name in [spec.uci, spec.ucci].into_iter().flatten() {
                for word in name.split(' ') {
                    assert!(!["name", "type", "default", "value"].contains(&word));
                }
            }
            let one_word = |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase());
            assert!(spec.ucci.is_none_or(one_word));
        }
    }
}
