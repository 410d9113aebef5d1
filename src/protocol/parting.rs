//! Words of parting behind a move of UCCI: draws and resignations.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use crate::types::{MATE, Score, Value};

/// A draw is accepted by a side that is worse than a draw by so many centipawns,
const WORSE: Value = 30;
/// or no better by more than so many
const LEVEL: Value = 10;
/// after so many plies without a capture.
const QUIET_PLIES: u32 = 20;
/// A draw is offered after so many.
const OFFER_PLIES: u32 = 40;

/// What is said with a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parting {
    /// An offer of a draw is accepted, or made.
    Draw,
    /// The game is given up.
    Resign,
}

/// When to part.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Terms {
    /// By how many centipawns the side must be behind to resign; `None` for never.
    pub resign: Option<Value>,
    /// Whether draws are offered unasked.
    pub offers: bool,
    /// What a draw is worth, in centipawns.
    pub draw_value: Value,
    /// How many plies ago something was captured.
    pub quiet_plies: u32,
}

impl Terms {
    /// What to say with a move of this value for its side, in centipawns.
    pub fn parting(&self, value: Value, offered: bool) -> Option<Parting> {
        let above = value - self.draw_value;
        let level = above.abs() <= LEVEL;
        let accepts = above <= -WORSE || above <= LEVEL && self.quiet_plies >= QUIET_PLIES;
        if offered && accepts || self.offers && level && self.quiet_plies >= OFFER_PLIES {
            return Some(Parting::Draw);
        }
        let hopeless = self.resign.is_some_and(|resign| value <= -resign);
        hopeless.then_some(Parting::Resign)
    }
}

/// Follows a search to know what to say at its end.
#[derive(Debug)]
pub struct Farewell {
    terms: Terms,
    /// The opponent has offered a draw.
    offered: AtomicBool,
    /// The last value told; out of range before the first.
    value: AtomicI32,
}

impl Farewell {
    /// For a search under these terms.
    pub fn new(terms: Terms, offered: bool) -> Self {
        Self {
            terms,
            offered: AtomicBool::new(offered),
            value: AtomicI32::new(i32::MAX),
        }
    }

    /// The opponent offers a draw.
    pub fn offer(&self) {
        self.offered.store(true, Ordering::Relaxed);
    }

    /// The search tells this of its best line.
    pub fn hear(&self, score: Score) {
        let value = match score {
            Score::Cp(value) => value,
            Score::Mate(moves) if moves > 0 => MATE,
            Score::Mate(_) => -MATE,
        };
        self.value.store(value, Ordering::Relaxed);
    }

    /// What to say; nothing without a score.
    pub fn parting(&self) -> Option<Parting> {
        let value = self.value.load(Ordering::Relaxed);
        let offered = self.offered.load(Ordering::Relaxed);
        (value != i32::MAX).then(|| self.terms.parting(value, offered))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_accepted_by_the_worse_side_and_in_a_level_quiet_game() {
        let quiet = Terms {
            quiet_plies: QUIET_PLIES,
            ..Terms::default()
        };
        for (value, lively, calm) in [
            (-300, true, true),
            (-20, false, true),
            (0, false, true),
            (40, false, false),
        ] {
            assert_eq!(
                Terms::default().parting(value, true).is_some(),
                lively,
                "{value}"
            );
            assert_eq!(quiet.parting(value, true).is_some(), calm, "{value}");
            assert_eq!(quiet.parting(value, false), None);
        }
        let risky = Terms {
            draw_value: -30,
            ..quiet
        };
        assert_eq!(risky.parting(0, true), None);
        assert_eq!(risky.parting(-25, true), Some(Parting::Draw));
    }

    #[test]
    fn a_draw_is_offered_and_a_game_given_up_only_on_demand() {
        let long = Terms {
            quiet_plies: OFFER_PLIES,
            offers: true,
            resign: Some(800),
            ..Terms::default()
        };
        assert_eq!(long.parting(5, false), Some(Parting::Draw));
        assert_eq!(long.parting(-200, false), None, "nobody would accept");
        assert_eq!(long.parting(-800, false), Some(Parting::Resign));
        assert_eq!(long.parting(-800, true), Some(Parting::Draw));
        assert_eq!(
            Terms {
                resign: None,
                ..long
            }
            .parting(-9000, false),
            None
        );
        let farewell = Farewell::new(long, false);
        assert_eq!(farewell.parting(), None);
        farewell.hear(Score::Mate(-2));
        assert_eq!(farewell.parting(), Some(Parting::Resign));
        farewell.offer();
        assert_eq!(farewell.parting(), Some(Parting::Draw));
        farewell.hear(Score::Mate(2));
        assert_eq!(farewell.parting(), None);
    }
}
