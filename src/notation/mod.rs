//! Moves as people write them: ICCS, WXF, Chinese and numeric notation, and files of games.
//!
//! [`Notation::write`] and [`Notation::read`] turn moves into text and back; [`read`] reads
//! a move in any of the notations. A text that names no legal move is refused with the
//! reason. `docs/notation.md` describes the notations for users.

mod chinese;
pub mod encoding;
mod error;
mod game;
mod numeric;
pub mod pgn;
mod relative;
mod wxf;
pub mod xqf;

use std::fmt;
use std::str::FromStr;

pub use error::NotationError;
pub use game::{Fault, Game, Line, LineMove, NoOutcome, Outcome};
pub use relative::{Place, Who};

use serde::Deserialize;

use crate::position::Position;
use crate::types::Move;

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub enum Notation {
    /// Coordinates with a dash, `H2-E2`: files A to I, ranks 0 to 9 from Red's side.
    #[default]
    Iccs,
    /// `C2=5` as the World Xiangqi Federation has it since 2018: of two men on a file `C+=5`
    /// is the front one, and of many pawns `15=6` is the first on file 5.
    Wxf,
    /// `C2.5` as older programs have it: of many pawns `Pa.6` is the first of all those
    /// that stand on a file with another, and `P..6` the middle one of three.
    WxfLetters,
    /// Simplified characters, `炮二平五`.
    Chinese,
    /// Traditional characters, `炮二平五`, `傌八進七`.
    ChineseTraditional,
    /// `C32-35`: the piece, then rank and file where from and where to, as the mover sees
    /// the board: files 1 to 9 from right to left, ranks 1 to 10 from the own side.
    Numeric,
    /// The same with ranks counted from the opponent's side, `C82-85`.
    NumericFar,
}

impl Notation {
    /// Every notation.
    pub const ALL: [Self; 7] = [
        Self::Iccs,
        Self::Wxf,
        Self::WxfLetters,
        Self::Chinese,
        Self::ChineseTraditional,
        Self::Numeric,
        Self::NumericFar,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Iccs => "iccs",
            Self::Wxf => "wxf",
            Self::WxfLetters => "wxf-letters",
            Self::Chinese => "chinese",
            Self::ChineseTraditional => "chinese-traditional",
            Self::Numeric => "numeric",
            Self::NumericFar => "numeric-far",
        }
    }

    /// The value of the tag `Format` of a PGN.
    pub const fn format_tag(self) -> &'static str {
        match self {
            Self::Iccs => "ICCS",
            Self::Wxf | Self::WxfLetters => "WXF",
            Self::Chinese | Self::ChineseTraditional => "Chinese",
            Self::Numeric => "Numeric",
            Self::NumericFar => "NumericFar",
        }
    }

    /// The notation that a tag `Format` names.
    pub fn of_format_tag(tag: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|notation| tag.trim().eq_ignore_ascii_case(notation.format_tag()))
    }

    /// The move in this notation; it must be a move of a man of the side to move.
    pub fn write(self, position: &Position, mv: Move) -> String {
        let Some(piece) = position.piece_on(mv.from()) else {
            // Only the coordinates are known of a move that no man makes.
            return iccs(mv);
        };
        match self {
            Self::Iccs => iccs(mv),
            Self::Wxf => wxf::write(position, piece, mv),
            Self::WxfLetters => wxf::write_letters(position, piece, mv),
            Self::Chinese => chinese::write(position, piece, mv, chinese::SIMPLIFIED),
            Self::ChineseTraditional => chinese::write(position, piece, mv, chinese::TRADITIONAL),
            Self::Numeric => numeric::write(piece, mv, piece.color()),
            Self::NumericFar => numeric::write(piece, mv, !piece.color()),
        }
    }

    /// The moves of a line, each in this notation, as far as they are legal.
    pub fn write_line(self, position: &Position, moves: &[Move]) -> Vec<String> {
        if self == Self::Iccs {
            return moves.iter().map(|&mv| iccs(mv)).collect();
        }
        let mut position = position.clone();
        let mut line = Vec::with_capacity(moves.len());
        for &mv in moves {
            if !position.is_legal(mv) {
                break;
            }
            line.push(self.write(&position, mv));
            position.make(mv);
        }
        line
    }

    /// Reads a legal move. Both conventions of [`Self::Wxf`] and [`Self::WxfLetters`] are
    /// read under either name, and so are Chinese characters of both scripts with the
    /// conventions of today (pawns of all files counted together) and of older programs
    /// (`前七进一`, the front pawn of file 7).
    ///
    /// # Errors
    /// If the text is no move in this notation, fits more than one legal move, or is illegal.
    pub fn read(self, position: &Position, text: &str) -> Result<Move, NotationError> {
        let text = text.trim();
        let us = position.side();
        match self {
            Self::Iccs => read_iccs(position, text),
            Self::Numeric => numeric::read(position, text, us),
            Self::NumericFar => numeric::read(position, text, !us),
            Self::Wxf | Self::WxfLetters | Self::Chinese | Self::ChineseTraditional => {
                relative::read(position, text)
            }
        }
    }
}

/// Reads a legal move in any notation; the ranks of the numeric one count from the mover.
///
/// # Errors
/// If the text is no move, fits more than one legal move, or is illegal.
pub fn read(position: &Position, text: &str) -> Result<Move, NotationError> {
    let text = text.trim();
    if Move::parse(text).is_ok() {
        read_iccs(position, text)
    } else if numeric::looks_numeric(text) {
        numeric::read(position, text, position.side())
    } else {
        relative::read(position, text)
    }
}

fn read_iccs(position: &Position, text: &str) -> Result<Move, NotationError> {
    let mv = Move::parse(text).map_err(NotationError::Coordinates)?;
    legal(position, mv)
}

/// The move, if it is legal.
fn legal(position: &Position, mv: Move) -> Result<Move, NotationError> {
    if position.is_legal(mv) {
        return Ok(mv);
    }
    match position.explain_illegal(mv) {
        Some(reason) => Err(NotationError::Illegal(mv, reason)),
        None => Ok(mv),
    }
}

/// `H2-E2`.
fn iccs(mv: Move) -> String {
    let mut text = format!("{}-{}", mv.from(), mv.to());
    text.make_ascii_uppercase();
    text
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownNotation(pub String);

impl fmt::Display for UnknownNotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Notation::ALL.map(Notation::name).join(", ");
        write!(f, "{:?} is no notation; there are {names}", self.0)
    }
}

impl std::error::Error for UnknownNotation {}

impl FromStr for Notation {
    type Err = UnknownNotation;

    /// Reads a name in any case.
    fn from_str(text: &str) -> Result<Self, UnknownNotation> {
        Self::ALL
            .into_iter()
            .find(|notation| text.eq_ignore_ascii_case(notation.name()))
            .ok_or_else(|| UnknownNotation(text.to_owned()))
    }
}

impl TryFrom<String> for Notation {
    type Error = UnknownNotation;

    fn try_from(text: String) -> Result<Self, UnknownNotation> {
        text.parse()
    }
}
