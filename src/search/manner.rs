//! How the engine plays besides how well: with or without chance, for or against draws, and
//! how much of the processor it takes.

use std::time::{Duration, Instant};

use super::strength::unit;
use super::worker::Worker;
use super::{Limits, SearchOptions};
use crate::types::{DRAW, MAX_EVAL, Move, Value};

/// How long a thread works between two rests.
const STINT: Duration = Duration::from_millis(4);

impl SearchOptions {
    /// What of the settings a search within these limits heeds: an analysis wants true
    /// scores and the best move. One that is infinite, for a mate or for several lines is one.
    pub(super) fn heeded(mut self, limits: &Limits) -> Self {
        if self.analyses || limits.infinite || limits.mate.is_some() || self.multipv > 1 {
            self.strength = None;
            self.randomness = 0;
            self.draw_value = DRAW;
            self.avoid_circles = false;
        }
        self
    }

    /// By how much a move of the root looks better than it is.
    pub(super) fn favour(&self, mv: Move) -> Value {
        if self.randomness <= 0 {
            return 0;
        }
        let share = unit(self.luck ^ u64::from(mv.bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        (share * f64::from(self.randomness + 1)) as Value
    }
}

/// The value of a move that is favoured; mates and wins by rule are what they are.
pub(super) fn favoured(value: Value, favour: Value) -> Value {
    if value.abs() <= MAX_EVAL {
        (value + favour).min(MAX_EVAL)
    } else {
        value
    }
}

/// The bound, or value, that becomes this one when it is favoured.
pub(super) fn unfavoured(bound: Value, favour: Value) -> Value {
    if bound.abs() <= MAX_EVAL {
        (bound - favour).max(-MAX_EVAL)
    } else {
        bound
    }
}

/// The rests of a thread that leaves a share of the time to others.
pub(super) struct Rests {
    share: f64,
    since: Instant,
}

impl Rests {
    pub(super) fn new(share: f64) -> Self {
        Self {
            share: share.clamp(0.0, 0.95),
            since: Instant::now(),
        }
    }

    /// How long to rest now.
    fn due(&self) -> Option<Duration> {
        if self.share <= 0.0 {
            return None;
        }
        let worked = self.since.elapsed();
        (worked >= STINT).then(|| worked.mul_f64(self.share / (1.0 - self.share)))
    }
}

impl Worker {
    /// What a draw is worth to the side to move `ply` plies from the root.
    #[inline]
    pub(super) fn draw_value(&self, ply: usize) -> Value {
        if ply.is_multiple_of(2) {
            self.draw_value
        } else {
            -self.draw_value
        }
    }

    /// Rests if it is time to, but not beyond the end of the search.
    pub(super) fn rest(&mut self) {
        let Some(due) = self.rests.due() else {
            return;
        };
        let used = self.signals.time_on_clock();
        let left = match (self.budget.hard, used) {
            (Some(hard), Some(used)) => hard.saturating_sub(used),
            _ => due,
        };
        std::thread::sleep(due.min(left));
        self.rests.since = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{MATE, RULE_WIN};

    #[test]
    fn only_ordinary_values_are_favoured_and_bounds_come_back() {
        for value in [-MATE, -RULE_WIN, RULE_WIN, MATE - 3] {
            assert_eq!(favoured(value, 30), value);
            assert_eq!(unfavoured(value, 30), value);
        }
        for value in [-MAX_EVAL + 30, -30, 0, 7, MAX_EVAL - 30] {
            assert_eq!(unfavoured(favoured(value, 30), 30), value);
            assert!(favoured(unfavoured(value, 30) - 1, 30) < value);
        }
    }

    #[test]
    fn chance_favours_moves_evenly_and_differently_each_time() {
        let options = SearchOptions {
            randomness: 20,
            ..SearchOptions::default()
        };
        let mv = Move::parse("h2e2").expect("a move");
        assert_eq!(SearchOptions::default().favour(mv), 0);
        let mut counts = [0; 21];
        for luck in 0..21_000 {
            let options = SearchOptions {
                luck,
                ..options.clone()
            };
            counts[options.favour(mv) as usize] += 1;
        }
        assert!(
            counts.iter().all(|count| (850..1150).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn an_analysis_heeds_nothing_that_is_for_play() {
        let options = SearchOptions {
            randomness: 20,
            draw_value: -30,
            avoid_circles: true,
            ..SearchOptions::default()
        };
        let play = options.clone().heeded(&Limits::default());
        assert_eq!(
            (play.randomness, play.draw_value, play.avoid_circles),
            (20, -30, true)
        );
        let infinite = Limits {
            infinite: true,
            ..Limits::default()
        };
        let mate = Limits {
            mate: Some(3),
            ..Limits::default()
        };
        let lines = SearchOptions {
            multipv: 2,
            ..options.clone()
        };
        let told = SearchOptions {
            analyses: true,
            ..options.clone()
        };
        for heeded in [
            options.clone().heeded(&infinite),
            options.heeded(&mate),
            lines.heeded(&Limits::default()),
            told.heeded(&Limits::default()),
        ] {
            assert_eq!((heeded.randomness, heeded.draw_value), (0, DRAW));
            assert!(!heeded.avoid_circles && heeded.strength.is_none());
        }
    }

    #[test]
    fn a_rest_is_as_long_as_the_share_says() {
        assert_eq!(Rests::new(0.0).due(), None);
        let Some(ago) = Instant::now().checked_sub(Duration::from_millis(40)) else {
            return;
        };
        let due = Rests {
            share: 0.75,
            since: ago,
        }
        .due()
        .expect("a rest");
        assert!(due >= Duration::from_millis(120), "{due:?}");
        assert_eq!(Rests::new(0.5).due(), None, "not yet");
    }
}
