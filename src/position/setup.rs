//! What a FEN can say, and whether it is a playable position.

use super::Position;
use crate::types::{Color, Piece, Square};

/// A board, a side to move and counters: whatever a FEN can say, playable or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The man on each square.
    pub board: [Option<Piece>; 90],
    /// The side to move.
    pub side: Color,
    /// Plies since the last capture.
    pub halfmoves: u16,
    /// The number of the full move, from 1.
    pub fullmoves: u16,
}

/// One reason why a setup is not playable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupFault {
    /// placeholder
    NoKing(Color),
}

/// All reasons.
pub type SetupFaults = Vec<SetupFault>;

/// placeholder
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupWarning {
    /// placeholder
    Pawn(Square),
}

impl TryFrom<&Setup> for Position {
    type Error = SetupFaults;

    fn try_from(setup: &Setup) -> Result<Self, SetupFaults> {
        let mut position = Position::empty(setup.side);
        for square in Square::ALL {
            if let Some(piece) = setup.board[square.index()] {
                position.put(piece, square);
            }
        }
        position.state.halfmoves = setup.halfmoves;
        position.ply = 2 * (u32::from(setup.fullmoves.max(1)) - 1) + setup.side as u32;
        position.state.checkers = position.checkers_of(setup.side);
        Ok(position)
    }
}
