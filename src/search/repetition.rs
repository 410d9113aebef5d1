//! Games that are over by a rule, as the search sees them.

use crate::position::Position;
use crate::rules::{LossReason, Rules, Verdict};
use crate::types::{DRAW, INFINITE, RULE_WIN, Value, mated_in};

/// What the rules say about a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ruling {
    /// The game is over, with this value for the side to move.
    Over(Value),
    /// The value for the side to move lies between these.
    Within(Value, Value),
}

/// Judges a node `ply` plies from the root.
///
/// A cycle that is forbidden to one side but may still be left only bounds the value:
/// that side can do no better than a draw by going on with it.
#[inline]
pub(super) fn ruling(rules: &Rules, position: &Position, ply: usize) -> Ruling {
    match rules.judge_in_tree(position, ply) {
        Verdict::Ongoing => Ruling::Within(-INFINITE, INFINITE),
        Verdict::Draw(_) => Ruling::Over(DRAW),
        Verdict::Loss(side, reason) => {
            let loss = match reason {
                LossReason::Checkmate | LossReason::Stalemate => mated_in(ply),
                _ => ply as Value - RULE_WIN,
            };
            Ruling::Over(if side == position.side() { loss } else { -loss })
        }
        Verdict::Provisional(side, _) if side == position.side() => Ruling::Within(-INFINITE, DRAW),
        Verdict::Provisional(..) => Ruling::Within(DRAW, INFINITE),
    }
}
