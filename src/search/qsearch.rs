//! Quiescence: captures until the position is quiet enough to be evaluated.

use super::Bound;
use super::movepick::Picker;
use super::negamax::{cuts, is_ordinary};
use super::params::qs_delta;
use super::table::Hit;
use super::worker::Worker;
use crate::position::exchange_value;
use crate::types::{INFINITE, MAX_EVAL, MAX_PLY, Value, mated_in};

impl Worker {
    /// The value when only captures, and in check all evasions, are tried.
    pub(super) fn quiesce<const PV: bool>(
        &mut self,
        ply: usize,
        mut alpha: Value,
        beta: Value,
        checks: i32,
    ) -> Value {
        self.frames[ply].pv.clear();
        if self.interrupted() {
            return 0;
        }
        self.seldepth = self.seldepth.max(ply as u32);
        if ply >= MAX_PLY - 1 {
            return self.evaluate();
        }
        let key = self.position.key();
        let hit = self.table.probe(key, ply);
        if let Some(hit) = &hit
            && !PV
            && cuts(hit, alpha, beta)
        {
            return hit.value;
        }
        let in_check = self.position.in_check();
        let mut best = -INFINITE;
        let mut reach = INFINITE;
        if !in_check {
            best = self.stand_pat(ply, hit.as_ref());
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
            reach = best + qs_delta();
        }

        let context = self.context(ply);
        let table_move = hit.and_then(|hit| hit.mv);
        let mut picker = Picker::quiescence(&self.position, table_move, context, checks > 0);
        let mut best_move = None;
        let mut moves = 0;
        while let Some(mv) = picker.next(&self.position, &self.histories) {
            moves += 1;
            let victim = self.position.piece_on(mv.to());
            if let Some(victim) = victim
                && !in_check
                && reach + exchange_value(victim, mv.to()) <= alpha
                && !self.position.gives_check(mv)
            {
                best = best.max(reach + exchange_value(victim, mv.to()));
                continue;
            }
            // One way out of check is enough to see that it is no mate.
            if in_check && victim.is_none() && moves > 2 && best >= -MAX_EVAL {
                continue;
            }
            self.make(ply, mv);
            let value = -self.quiesce::<PV>(ply + 1, -beta, -alpha, checks - 1);
            self.undo();
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.extend_pv(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        if in_check && moves == 0 {
            return mated_in(ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let entry = Hit {
            mv: best_move,
            value: best,
            depth: 0,
            bound,
            pv: hit.is_some_and(|hit| hit.pv),
        };
        self.table.store(key, ply, entry);
        best
    }

    /// The value of not capturing at all: the evaluation, or better what the table knows.
    fn stand_pat(&mut self, ply: usize, hit: Option<&Hit>) -> Value {
        let (fixed, _) = self.corrected_value(ply);
        match hit {
            Some(hit) if is_ordinary(hit.value) && cuts(hit, fixed, fixed) => hit.value,
            _ => fixed,
        }
    }
}
