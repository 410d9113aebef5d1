//! The vocabulary of the whole crate: squares, bitboards, pieces, moves and scores.
//!
//! Nothing here knows the rules of movement; see [`crate::attacks`] and [`crate::position`].

mod bitboard;
mod moves;
mod piece;
mod score;
mod square;

pub use bitboard::Bitboard;
pub use moves::{Move, MoveList, ParseMoveError};
pub use piece::{Color, Piece, PieceKind};
pub use score::{
    DRAW, INFINITE, MATE, MATE_IN_MAX_PLY, MAX_EVAL, MAX_PLY, RULE_WIN, RULE_WIN_IN_MAX_PLY, Score,
    Value, mated_in, mates_in,
};
pub use square::{File, Rank, Square};
