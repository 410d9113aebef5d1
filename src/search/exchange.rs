//! A first estimate of exchanges.

use super::params::PIECE_VALUES;
use crate::position::Position;
use crate::types::{Move, Value};

/// Whether a move wins at least `threshold` if the first recapture is counted.
pub(super) fn see_ge(position: &Position, mv: Move, threshold: Value) -> bool {
    let worth = |square| {
        position
            .piece_on(square)
            .map_or(0, |piece| PIECE_VALUES[piece.kind() as usize])
    };
    let gain = worth(mv.to());
    if gain < threshold {
        return false;
    }
    if gain - worth(mv.from()) >= threshold {
        return true;
    }
    let defenders = position.attackers_to(mv.to(), !position.side());
    defenders.without(mv.to()).is_empty()
}
