//! Games as files keep them: tags, moves with comments and variations, a result.

use std::fmt;
use std::str::FromStr;

use crate::position::Position;
use crate::types::{Color, Move};

/// A game of a file.
#[derive(Clone, Debug)]
pub struct Game {
    /// Names and values in the order of the file. The start position and the result have
    /// their own fields; `FEN`, `SetUp`, `Format` and `Result` are written from those.
    pub tags: Vec<(String, String)>,
    /// Where the moves begin.
    pub start: Position,
    /// The moves played.
    pub line: Line,
    /// Who won.
    pub outcome: Outcome,
    /// Why the moves end before the file's do.
    pub fault: Option<Fault>,
}

/// Moves with what is said about them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// What is said before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<LineMove>,
}

/// A move of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineMove {
    /// The move, legal where it stands.
    pub mv: Move,
    /// What is said about it.
    pub comments: Vec<String>,
    /// The numeric annotation glyphs of the PGN standard: 1 `!`, 2 `?`, 3 `!!`, 4 `??`,
    /// 5 `!?`, 6 `?!`, others `$7` and so on.
    pub glyphs: Vec<u8>,
    /// What might have been played instead.
    pub variations: Vec<Line>,
}

impl LineMove {
    /// A move about which nothing is said.
    pub const fn new(mv: Move) -> Self {
        Self {
            mv,
            comments: Vec::new(),
            glyphs: Vec::new(),
            variations: Vec::new(),
        }
    }
}

/// The result of a game as files write it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Outcome {
    /// This side has won.
    Won(Color),
    /// Nobody has.
    Draw,
    /// The game is not over, or nobody knows.
    #[default]
    Unknown,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Won(Color::Red) => "1-0",
            Self::Won(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}

/// A text that is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoOutcome;

impl fmt::Display for NoOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not 1-0, 0-1, 1/2-1/2 or *")
    }
}

impl std::error::Error for NoOutcome {}

impl FromStr for Outcome {
    type Err = NoOutcome;

    /// Reads `1-0`, `0-1`, `1/2-1/2` and `*`, also with other dashes, shorter draws, and in
    /// Chinese.
    fn from_str(text: &str) -> Result<Self, NoOutcome> {
        let text: String = text.chars().map(super::relative::narrow).collect();
        match text.as_str() {
            "1-0" | "红胜" | "紅勝" => Ok(Self::Won(Color::Red)),
            "0-1" | "黑胜" | "黑勝" => Ok(Self::Won(Color::Black)),
            "1/2-1/2" | "1/2" | "½-½" | "0.5-0.5" | "和棋" => Ok(Self::Draw),
            "*" => Ok(Self::Unknown),
            _ => Err(NoOutcome),
        }
    }
}

/// What could not be understood in a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The line of the file, from 1; 0 where the file has no lines.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        f.write_str(&self.what)
    }
}

impl Game {
    /// A game without moves.
    pub fn new(start: Position) -> Self {
        Self {
            tags: Vec::new(),
            start,
            line: Line::default(),
            outcome: Outcome::Unknown,
            fault: None,
        }
    }

    /// The value of a tag, whatever the case of its name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let is_it = |(own, _): &&(String, String)| own.eq_ignore_ascii_case(name);
        self.tags
            .iter()
            .find(is_it)
            .map(|(_, value)| value.as_str())
    }

    /// The moves played, without what is said about them.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.line.moves.iter().map(|played| played.mv)
    }
}

/// How deep variations may lie within each other; deeper ones are left out.
pub(super) const MAX_DEPTH: usize = 32;

/// Adds a comment with its blanks squeezed and without what could not be written again; an
/// empty one is none.
pub(super) fn add_comment(comments: &mut Vec<String>, text: &str) {
    let ends = |ch: char| ch.is_whitespace() || ch.is_control() || matches!(ch, '{' | '}');
    let words: Vec<&str> = text.split(ends).filter(|word| !word.is_empty()).collect();
    if !words.is_empty() {
        comments.push(words.join(" "));
    }
}
