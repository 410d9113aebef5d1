//! Correction histories: how far the search has differed from the static value where the
//! pawns, the guards, the attackers or the last moves were the same.
//!
//! The idea is that of Caissa and Stockfish (2024); the keys are those that make sense in
//! xiangqi, where pawns alone say little.

use super::history::{CONTINUATIONS, Context, LIMIT, Weights};
use super::params::*;
use crate::position::{Position, man_key};
use crate::types::{Color, Piece, PieceKind, Square, Value};

/// Entries of a table for each side to move.
const SIZE: usize = 1 << 14;

/// Keys of parts of a position: pawns, guards (generals, advisors, elephants) and each
/// side's attackers (rooks, horses, cannons).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct PartKeys([u64; 4]);

impl PartKeys {
    pub(super) fn of(position: &Position) -> Self {
        let mut keys = Self::default();
        for square in Square::ALL {
            if let Some(piece) = position.piece_on(square) {
                keys.toggle(piece, square);
            }
        }
        keys
    }

    /// Puts a man on a point or takes it off.
    #[inline]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        let part = match piece.kind() {
            PieceKind::Pawn => 0,
            PieceKind::King | PieceKind::Advisor | PieceKind::Bishop => 1,
            PieceKind::Rook | PieceKind::Knight | PieceKind::Cannon => 2 + piece.color() as usize,
        };
        self.0[part] ^= man_key(piece, square);
    }
}

/// The correction tables of one worker. The default has no tables and takes no memory.
#[derive(Default)]
pub(super) struct Corrections {
    /// By part, side to move and key of the part.
    parts: Weights,
    /// By an earlier man and square, then the last man and square.
    moves: Weights,
}

impl Corrections {
    /// Empty tables; `None` if there is no memory for them.
    pub(super) fn new() -> Option<Self> {
        Some(Self {
            parts: Weights::new(4 * 2 * SIZE)?,
            moves: Weights::new(CONTINUATIONS)?,
        })
    }

    pub(super) fn clear(&mut self) {
        self.parts.clear();
        self.moves.clear();
    }

    /// The places of the parts in their table.
    #[inline]
    fn places(side: Color, keys: &PartKeys) -> [usize; 4] {
        std::array::from_fn(|part| {
            (part * 2 + side as usize) * SIZE + (keys.0[part] as usize & (SIZE - 1))
        })
    }

    /// The places of the last move after the moves two and four plies ago.
    #[inline]
    fn moves_before(context: &Context) -> impl Iterator<Item = usize> {
        let last = context.moves[0];
        [context.moves[1], context.moves[2]]
            .into_iter()
            .filter_map(move |earlier| Some(last?.index_after(earlier?)))
    }

    /// What has to be added to the static value, in centipawns.
    #[inline]
    pub(super) fn get(&self, side: Color, keys: &PartKeys, context: &Context) -> Value {
        let [pawns, guards, red, black] = Self::places(side, keys).map(|at| self.parts.get(at));
        let moves: i32 = Self::moves_before(context)
            .map(|at| self.moves.get(at))
            .sum();
        (correction_pawns() * pawns
            + correction_guards() * guards
            + correction_attackers() * (red + black)
            + correction_moves() * moves)
            / LIMIT
    }

    /// Learns that a search of this depth has found the static value wrong by so much.
    pub(super) fn learn(
        &mut self,
        side: Color,
        keys: &PartKeys,
        context: &Context,
        depth: i32,
        error: Value,
    ) {
        let bonus = (error * depth * correction_rate()).clamp(-LIMIT / 4, LIMIT / 4);
        for at in Self::places(side, keys) {
            self.parts.add(at, bonus);
        }
        for at in Self::moves_before(context) {
            self.moves.add(at, bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_grows_towards_the_error_and_is_asked_by_side() {
        let mut corrections = Corrections::new().expect("a few megabytes");
        let keys = PartKeys::of(&Position::startpos());
        let context = Context::default();
        assert_eq!(corrections.get(Color::Red, &keys, &context), 0);
        for _ in 0..200 {
            corrections.learn(Color::Red, &keys, &context, 8, 40);
        }
        assert!(corrections.get(Color::Red, &keys, &context) > 20);
        assert_eq!(corrections.get(Color::Black, &keys, &context), 0);
        for _ in 0..400 {
            corrections.learn(Color::Red, &keys, &context, 8, -40);
        }
        assert!(corrections.get(Color::Red, &keys, &context) < -20);
    }
}
