//! Games that are over by a rule, as the search sees them.

use crate::position::Position;
use crate::types::{DRAW, RULE_WIN, Value, mated_in};

/// Plies without a capture after which the game is drawn.
const MOVE_LIMIT: u16 = 120;

/// The value of the position from the view of the side to move if a rule ends the game
/// here, `ply` plies from the root.
///
/// A position that has occurred before, in the tree or in the game, is judged at once.
#[inline]
pub(super) fn verdict(position: &Position, ply: usize) -> Option<Value> {
    let state = position.state();
    if state.reversible >= 4
        && let Some(value) = repetition(position, ply)
    {
        return Some(value);
    }
    let counted = state.halfmoves.saturating_sub(state.beyond_ten);
    let drawn = counted >= MOVE_LIMIT || state.captured.is_some() && nobody_attacks(position);
    if drawn {
        // No legal move loses, whatever the counters say.
        let lost = position.has_no_moves();
        return Some(if lost { mated_in(ply) } else { DRAW });
    }
    None
}

fn nobody_attacks(position: &Position) -> bool {
    let side = position.side();
    !position.has_attackers(side) && !position.has_attackers(!side)
}

/// How a cycle back to this position is judged: perpetual check by one side loses, any
/// other repetition draws.
#[inline]
fn repetition(position: &Position, ply: usize) -> Option<Value> {
    let state = position.state();
    let key = state.keys.full;
    let length = (4..=usize::from(state.reversible))
        .step_by(2)
        .find(|&plies| {
            position
                .past_state(plies)
                .is_some_and(|past| past.keys.full == key)
        })?;
    // States with our checkers were reached by the opponent's moves, and the other way round.
    let always_checked = |first| {
        (first..length).step_by(2).all(|plies| {
            position
                .past_state(plies)
                .is_some_and(|past| !past.checkers.is_empty())
        })
    };
    let win = RULE_WIN - ply as Value;
    Some(match (always_checked(0), always_checked(1)) {
        (true, false) => win,
        (false, true) => -win,
        _ => DRAW,
    })
}
