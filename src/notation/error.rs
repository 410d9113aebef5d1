//! Why a text is no move.

use std::fmt;

use super::relative::Who;
use crate::position::IllegalMove;
use crate::types::{Move, ParseMoveError, Piece, PieceKind, Square};

/// Why a text is no legal move. `Display` says it as a part of a sentence, without the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotationError {
    /// There is no text.
    Empty,
    /// It is not a pair of squares.
    Coordinates(ParseMoveError),
    /// A character that means nothing, and its place in the text, from 1.
    Character(char, usize),
    /// The characters mean something, but not in this order.
    Order,
    /// It is not a piece and two points of the board, each a rank and a file.
    NotNumeric,
    /// No man of the side to move is the one that is named.
    NoMan(PieceKind, Who),
    /// A man of the kind never moves so, or it would leave the board.
    NotItsMove(PieceKind),
    /// Something else stands on the square than the text says.
    OtherPiece(Square, PieceKind, Option<Piece>),
    /// It fits two legal moves or more; two of them.
    Ambiguous(Move, Move),
    /// The rules forbid the move.
    Illegal(Move, IllegalMove),
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there is no move"),
            Self::Coordinates(error) => fmt::Display::fmt(error, f),
            Self::Character(character, place) => {
                write!(f, "character {place}, {character:?}, is not understood")
            }
            Self::Order => f.write_str("not a piece, its file, a direction and a number"),
            Self::NotNumeric => {
                f.write_str("not a piece and two points, each a rank (1 to 10) and a file (1 to 9)")
            }
            Self::NoMan(kind, who) => write!(f, "the side to move has no {kind} {who}"),
            Self::NotItsMove(kind) => write!(f, "the {kind} cannot move like that"),
            Self::OtherPiece(square, kind, Some(found)) => {
                write!(f, "a {found} and no {kind} of the mover stands on {square}")
            }
            Self::OtherPiece(square, kind, None) => {
                write!(f, "nothing stands on {square}, no {kind}")
            }
            Self::Ambiguous(first, second) => write!(f, "it may be {first} or {second}"),
            Self::Illegal(mv, reason) => write!(f, "{mv} is illegal: {reason}"),
        }
    }
}

impl std::error::Error for NotationError {}
