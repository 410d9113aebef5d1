//! How deep a move is searched: late move reduction, and extension of the only good move.

use super::Bound;
use super::history::{Context, bonus};
use super::negamax::{Node, Outlook, is_ordinary};
use super::params::*;
use super::table::Hit;
use super::worker::Worker;
use crate::types::{Move, Value};

/// What is known of a move before it is made.
pub(super) struct Step {
    pub(super) quiet: bool,
    pub(super) check: bool,
    /// Its number among the moves of the node, from 1.
    pub(super) number: usize,
    pub(super) history: i32,
    /// By how many plies it is searched shallower at first; negative for good prospects.
    pub(super) reduction: i32,
    /// By how many plies it is searched deeper.
    pub(super) extension: i32,
}

impl Worker {
    /// Looks at a move before it is made.
    pub(super) fn step<const PV: bool>(
        &self,
        node: &Node,
        outlook: &Outlook,
        context: &Context,
        mv: Move,
        number: usize,
    ) -> Step {
        let position = &self.position;
        let quiet = position.piece_on(mv.to()).is_none();
        let check = position.gives_check(mv);
        let history = match (position.piece_on(mv.from()), position.piece_on(mv.to())) {
            (Some(piece), None) => self.histories.quiet(position.side(), piece, mv, context),
            (Some(piece), Some(victim)) => self.histories.capture(piece, mv, victim.kind()),
            (None, _) => 0,
        };
        let mut reduced = reduction(node.depth, number);
        if PV {
            reduced -= lmr_pv();
        }
        if outlook.pv {
            reduced -= lmr_ttpv();
        }
        if node.cut {
            reduced += lmr_cut();
        }
        if !outlook.improving {
            reduced += lmr_not_improving();
        }
        if check {
            reduced -= lmr_check();
        }
        if self.frames[node.ply].killers.contains(&Some(mv)) {
            reduced -= lmr_killer();
        }
        if self.frames[node.ply + 1].cutoffs > 3 {
            reduced += lmr_cutoffs();
        }
        reduced -= outlook.correction.abs() * lmr_correction();
        reduced -= history * 1024 / lmr_history();
        Step {
            quiet,
            check,
            number,
            history,
            reduction: reduced / 1024,
            extension: 0,
        }
    }

    /// By how many plies the table move is searched deeper, or the value of the node if the
    /// search without that move shows that several moves refute it (multi-cut).
    ///
    /// A move is singular if no other comes near its value in a shallower search
    /// (Anantharaman, Campbell, Hsu 1988); the shallow search of the node itself without the
    /// move is the way of Stockfish.
    pub(super) fn extension<const PV: bool>(
        &mut self,
        node: &Node,
        outlook: &Outlook,
        hit: &Hit,
        mv: Move,
    ) -> Result<i32, Value> {
        let Node {
            ply, beta, depth, ..
        } = *node;
        let asked = ply > 0
            && depth >= singular_depth() + i32::from(outlook.pv)
            && hit.depth >= depth - 3
            && hit.bound != Bound::Upper
            && is_ordinary(hit.value)
            && ply < 2 * self.root_depth as usize
            && !self.is_shuffling(mv);
        if !asked {
            return Ok(0);
        }
        let threshold = hit.value - depth * singular_margin() / 16;
        if !is_ordinary(threshold) {
            return Ok(0);
        }
        self.frames[ply].excluded = Some(mv);
        let value = self.negamax::<false>(Node {
            ply,
            alpha: threshold - 1,
            beta: threshold,
            depth: (depth - 1) / 2,
            cut: node.cut,
        });
        self.frames[ply].excluded = None;
        if self.stopped {
            return Ok(0);
        }
        if value < threshold {
            let far = if PV {
                singular_double_pv()
            } else {
                singular_double()
            };
            let twice = value < threshold - far;
            let thrice = value < threshold - far - singular_triple();
            return Ok(1 + i32::from(twice) + i32::from(thrice));
        }
        if !PV && value >= beta && is_ordinary(value) {
            return Err(value);
        }
        if hit.value >= beta {
            Ok(-singular_negative())
        } else if node.cut {
            Ok(-singular_negative_cut())
        } else {
            Ok(0)
        }
    }

    /// Whether a check is worth a ply more: it loses nothing by exchange, and the line has not
    /// been extended to twice its length.
    pub(super) fn extends_check(&self, node: &Node, mv: Move) -> bool {
        node.depth >= check_extension()
            && node.ply < 2 * self.root_depth as usize
            && self.position.see_ge(mv, 0)
    }

    /// Whether a man goes to and fro while nothing is captured: such lines are not worth
    /// extending.
    fn is_shuffling(&self, mv: Move) -> bool {
        let state = self.position.state();
        state.reversible >= 12
            && self.position.piece_on(mv.to()).is_none()
            && self
                .position
                .past_state(1)
                .and_then(|past| past.last_move)
                .is_some_and(|past| past.from() == mv.to() && past.to() == mv.from())
    }

    /// What is known when the last move was reduced, and the static values of both sides
    /// tell whether rightly: the plies to add.
    pub(super) fn hindsight(&self, node: &Node, outlook: &Outlook) -> i32 {
        let Some(prior) = node.ply.checked_sub(1) else {
            return 0;
        };
        let frame = &self.frames[prior];
        let (Some(before), Some(now)) = (frame.static_value, self.frames[node.ply].static_value)
        else {
            return 0;
        };
        let gain = before + now;
        if frame.reduction >= hindsight_deeper() && gain < 0 {
            1
        } else if frame.reduction >= hindsight_shallower()
            && !outlook.pv
            && node.depth >= 2
            && gain > hindsight_margin()
        {
            -1
        } else {
            0
        }
    }

    /// Searches the position after a move: later moves reduced and with a null window
    /// first, then again as far as they turn out better than expected.
    pub(super) fn search_child<const PV: bool>(
        &mut self,
        node: &Node,
        step: &Step,
        best: Value,
        context: &Context,
    ) -> Value {
        let Node {
            ply,
            alpha,
            beta,
            depth,
            cut,
        } = *node;
        let full = depth - 1 + step.extension;
        let null_window = |depth, cut| Node {
            ply: ply + 1,
            alpha: -alpha - 1,
            beta: -alpha,
            depth,
            cut,
        };
        let mut value = alpha + 1;
        if depth >= 2 && step.number > 1 + usize::from(PV) {
            let reduced = (full - step.reduction).clamp(1, full.max(1));
            self.frames[ply].reduction = full - reduced;
            value = -self.negamax::<false>(null_window(reduced, true));
            self.frames[ply].reduction = 0;
            if value > alpha && reduced < full && !self.stopped {
                let deeper = value > best + lmr_deeper() && best > alpha - 2000;
                let shallower = value < best + lmr_shallower();
                let again = full + i32::from(deeper) - i32::from(shallower);
                if again > reduced {
                    value = -self.negamax::<false>(null_window(again, !cut));
                }
                if step.quiet
                    && lmr_bonus() > 0
                    && let Some(now) = self.frames[ply].moved
                {
                    let sign = if value > alpha { 1 } else { -1 };
                    let bonus = sign * bonus(depth) * lmr_bonus() / 100;
                    self.histories.reward_continuation(now, context, bonus);
                }
            }
        } else if !PV || step.number > 1 {
            value = -self.negamax::<false>(null_window(full, !cut));
        }
        if PV && (step.number == 1 || value > alpha) {
            value = -self.negamax::<true>(Node {
                ply: ply + 1,
                alpha: -beta,
                beta: -alpha,
                depth: full,
                cut: false,
            });
        }
        value
    }
}
