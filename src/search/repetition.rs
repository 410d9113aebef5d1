//! Games that are over by a rule, as the search sees them.

use crate::position::Position;
use crate::rules::{LossReason, Rules, Verdict};
use crate::types::{MAX_EVAL, Move, MoveList, RULE_WIN, Value, mated_in};

/// The value for the side to move of a node `ply` plies from the root where the game is
/// over by a rule; `draw` is what a draw is worth to it.
///
/// A cycle inside the tree that is forbidden to one side counts as lost by it at once,
/// although the side could still leave it. That is exact: whatever it could play instead
/// at the second occurrence, it could play at the first, where those moves are searched
/// too, and deeper.
#[inline]
pub(super) fn ruling(rules: &Rules, position: &Position, ply: usize, draw: Value) -> Option<Value> {
    let (loser, loss) = match rules.judge_in_tree(position, ply) {
        Verdict::Ongoing => return None,
        Verdict::Draw(_) => return Some(draw),
        Verdict::Loss(side, LossReason::Checkmate | LossReason::Stalemate) => (side, mated_in(ply)),
        Verdict::Loss(side, _) | Verdict::Provisional(side, _) => (side, ply as Value - RULE_WIN),
    };
    Some(if loser == position.side() {
        loss
    } else {
        -loss
    })
}

/// What a value above 0 is worth if it needs a position that the game has had already.
///
/// A win that goes round in circles may be none: whoever judges the game may see a draw
/// where our rules see the opponent forbidden to go on. So such a move is played only if it is
/// better by far.
pub(super) fn discounted(value: Value) -> Value {
    if (1..=MAX_EVAL).contains(&value) {
        value / 2
    } else {
        value
    }
}

/// The bound that becomes this one when it is discounted.
pub(super) fn undiscounted(bound: Value) -> Value {
    if (1..=MAX_EVAL).contains(&bound) {
        (2 * bound).min(MAX_EVAL)
    } else {
        bound
    }
}

/// Whether a legal move of the root loses the game by a rule at once, or lets the opponent
/// end it so with the next move.
///
/// To the search such a loss is better than being mated, which comes later; to a player it
/// is not, since the opponent may still go wrong.
pub(super) fn forfeits(rules: &Rules, position: &Position, mv: Move) -> bool {
    let us = position.side();
    // At the root only what is final counts.
    let is_lost = |position: &Position| match rules.judge_in_tree(position, 0) {
        Verdict::Loss(_, LossReason::Checkmate | LossReason::Stalemate) => false,
        Verdict::Loss(side, _) => side == us,
        _ => false,
    };
    let mut position = position.clone();
    position.make(mv);
    if is_lost(&position) {
        return true;
    }
    let mut replies = MoveList::new();
    position.legal_moves(&mut replies);
    replies.iter().any(|reply| {
        position.make(reply);
        let lost = is_lost(&position);
        position.undo();
        lost
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{DRAW, MATE, mates_in};

    #[test]
    fn only_ordinary_wins_are_discounted_and_bounds_come_back() {
        for value in [-MATE, -MAX_EVAL, -7, DRAW, RULE_WIN - 5, mates_in(9)] {
            assert_eq!(discounted(value), value);
            assert_eq!(undiscounted(value), value);
        }
        for bound in 1..=MAX_EVAL / 2 {
            assert_eq!(discounted(undiscounted(bound)), bound);
            assert!(discounted(undiscounted(bound) - 1) < bound);
        }
        assert_eq!(undiscounted(MAX_EVAL), MAX_EVAL);
    }
}
