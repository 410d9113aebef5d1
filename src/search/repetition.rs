//! Games that are over by a rule, as the search sees them.

use crate::position::Position;
use crate::rules::{LossReason, Rules, Verdict};
use crate::types::{DRAW, RULE_WIN, Value, mated_in};

/// The value for the side to move of a node `ply` plies from the root where the game is
/// over by a rule.
///
/// A cycle inside the tree that is forbidden to one side counts as lost by it at once,
/// although the side could still leave it. That is exact: whatever it could play instead
/// at the second occurrence, it could play at the first, where those moves are searched
/// too, and deeper.
#[inline]
pub(super) fn ruling(rules: &Rules, position: &Position, ply: usize) -> Option<Value> {
    let (loser, loss) = match rules.judge_in_tree(position, ply) {
        Verdict::Ongoing => return None,
        Verdict::Draw(_) => return Some(DRAW),
        Verdict::Loss(side, LossReason::Checkmate | LossReason::Stalemate) => (side, mated_in(ply)),
        Verdict::Loss(side, _) | Verdict::Provisional(side, _) => (side, ply as Value - RULE_WIN),
    };
    Some(if loser == position.side() {
        loss
    } else {
        -loss
    })
}
