//! How long to think.

use std::time::Duration;

use super::{Clock, Limits};

/// For how many moves the time left is shared out if no time control is in sight.
const MOVES_AHEAD: u32 = 32;
/// No more moves than this are provided for before the next time control.
const MOST_MOVES: u32 = 45;
/// How much longer a move takes if the engine also thinks in the opponent's time.
const PONDER_FACTOR: f64 = 1.25;

/// The time for one move. Without limits of time both are `None`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Budget {
    /// No new iteration begins after this, stretched or shortened by how settled the search is.
    pub(super) soft: Option<Duration>,
    /// The search is cut off after this.
    pub(super) hard: Option<Duration>,
}

impl Budget {
    /// Shares out the time that the limits allow; `overhead` is kept back from clocks only.
    /// Whoever ponders finds some of its moves already thought out, and can take longer.
    pub(super) fn new(limits: &Limits, overhead: Duration, ponder: bool) -> Self {
        let mut budget = limits
            .clock
            .map_or_else(Self::default, |clock| Self::of_clock(&clock, overhead));
        if ponder && let (Some(soft), Some(hard)) = (budget.soft, budget.hard) {
            budget.soft = Some(soft.mul_f64(PONDER_FACTOR).min(hard));
        }
        if let Some(movetime) = limits.movetime {
            budget.hard = Some(budget.hard.map_or(movetime, |hard| hard.min(movetime)));
        }
        budget
    }

    fn of_clock(clock: &Clock, overhead: Duration) -> Self {
        if clock.moves_to_go == Some(1) {
            return Self::of_one_move(clock.remaining, overhead);
        }
        let left = clock.remaining.saturating_sub(overhead);
        let (soft, hard) = match clock.moves_to_go {
            Some(moves) => {
                let moves = moves.clamp(1, MOST_MOVES);
                let share = left / moves + clock.increment.mul_f64(0.7);
                (
                    share.mul_f64(0.8),
                    share.mul_f64(4.0).min(left.mul_f64(0.6)),
                )
            }
            None => {
                let share = left / MOVES_AHEAD + clock.increment.mul_f64(0.7);
                (share, share.mul_f64(4.0).min(left.mul_f64(0.5)))
            }
        };
        Self {
            soft: Some(soft.min(hard)),
            hard: Some(hard),
        }
    }

    /// UCCI has no word for a fixed time; its clients say that one move is to go. So all of
    /// the time is used, and of a short one less is kept back.
    fn of_one_move(remaining: Duration, overhead: Duration) -> Self {
        Self {
            soft: None,
            hard: Some(remaining - overhead.min(remaining / 10)),
        }
    }

    /// The soft limit for a search that is settled or not: for how many iterations the
    /// best move has stood, which share of the nodes it took, and by how many centipawns
    /// the score has fallen since the last iteration.
    pub(super) fn soft_for(&self, stable: u32, share: f64, fall: i32) -> Option<Duration> {
        let stability = 1.3 - 0.08 * f64::from(stable.min(8));
        let effort = (1.7 - share).clamp(0.6, 1.4);
        let trouble = (1.0 + f64::from(fall) / 100.0).clamp(0.85, 1.6);
        let soft = self.soft?.mul_f64(stability * effort * trouble);
        Some(self.hard.map_or(soft, |hard| soft.min(hard)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        Limits {
            clock: Some(Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go,
                opponent_remaining: None,
            }),
            ..Limits::default()
        }
    }

    const OVERHEAD: Duration = Duration::from_millis(30);

    #[test]
    fn no_clock_is_ever_overdrawn() {
        for remaining in [0, 1, 29, 30, 31, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(1000)] {
                    let budget = Budget::new(&clock(remaining, increment, moves), OVERHEAD, false);
                    let hard = budget.hard.expect("a clock sets a limit");
                    let remaining = Duration::from_millis(remaining);
                    let kept = match moves {
                        Some(1) => OVERHEAD.min(remaining / 10),
                        _ => OVERHEAD,
                    };
                    assert!(hard <= remaining.saturating_sub(kept));
                    for (stable, share, fall) in [(0, 0.0, 500), (20, 1.0, -500)] {
                        let soft = budget.soft_for(stable, share, fall);
                        assert!(soft.is_none_or(|soft| soft <= hard));
                    }
                }
            }
        }
    }

    #[test]
    fn a_settled_search_stops_sooner() {
        let budget = Budget::new(&clock(60_000, 0, None), OVERHEAD, false);
        let settled = budget.soft_for(8, 0.9, 0);
        assert!(settled < budget.soft_for(0, 0.9, 0));
        assert!(settled < budget.soft_for(8, 0.2, 0));
        assert!(settled < budget.soft_for(8, 0.9, 60));
    }

    #[test]
    fn movetime_is_used_whole_and_caps_a_clock() {
        let movetime = Duration::from_millis(500);
        let mut limits = Limits {
            movetime: Some(movetime),
            ..Limits::default()
        };
        assert_eq!(Budget::new(&limits, OVERHEAD, false).hard, Some(movetime));
        assert_eq!(
            Budget::new(&limits, OVERHEAD, false).soft_for(9, 1.0, 0),
            None
        );
        limits.clock = clock(3_600_000, 0, None).clock;
        assert_eq!(Budget::new(&limits, OVERHEAD, false).hard, Some(movetime));
    }

    #[test]
    fn who_ponders_takes_more_time() {
        let limits = clock(60_000, 0, None);
        let of = |ponder| Budget::new(&limits, OVERHEAD, ponder);
        assert!(of(true).soft > of(false).soft);
        assert_eq!(of(true).hard, of(false).hard);
    }

    #[test]
    fn an_increment_and_a_near_control_give_more_time() {
        let of = |limits| Budget::new(&limits, OVERHEAD, false).soft;
        assert!(of(clock(60_000, 1000, None)) > of(clock(60_000, 0, None)));
        assert!(of(clock(60_000, 0, Some(5))) > of(clock(60_000, 0, Some(20))));
    }
}
