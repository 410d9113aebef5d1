//! Draws that no repetition is needed for: the move limit and bare material.

use super::RuleSet;
use crate::position::Position;
use crate::types::PieceKind;

/// How many of the plies since the last capture count towards the move limit: under the
/// Asian and the Chinese rules not a side's checks beyond its tenth nor the answers to
/// them, else all.
pub fn counted_plies(position: &Position, rules: RuleSet) -> u32 {
    let state = position.state();
    let uncounted = match rules {
        RuleSet::AsianRule | RuleSet::ChineseRule => state.beyond_ten,
        RuleSet::SimpleAsian | RuleSet::CheckBan | RuleSet::AlwaysDraw => 0,
    };
    u32::from(state.halfmoves).saturating_sub(uncounted.into())
}

/// Whether neither side has a rook, horse, cannon or pawn left.
pub fn is_bare(position: &Position) -> bool {
    use PieceKind::{Cannon, Knight, Pawn, Rook};
    [Rook, Knight, Cannon, Pawn]
        .into_iter()
        .all(|kind| position.kind(kind).is_empty())
}
