//! What is not searched: nodes far outside the window, and moves that will not matter.

use super::Bound;
use super::movepick::Picker;
use super::negamax::{Node, Outlook, is_ordinary};
use super::params::*;
use super::reduce::Step;
use super::table::Hit;
use super::worker::Worker;
use crate::types::{Move, PieceKind, Value};

impl Worker {
    /// Prunes a node that is far outside the window, if its value shows that without
    /// trying its moves one by one.
    pub(super) fn prune_node(&mut self, node: &Node, outlook: &Outlook) -> Option<Value> {
        let Node {
            alpha, beta, depth, ..
        } = *node;
        let value = outlook.value;
        if !is_ordinary(alpha) || !is_ordinary(beta) {
            return None;
        }
        // Razoring: hopeless unless a capture helps.
        if depth <= razor_depth() && value + razor_base() + razor_margin() * depth * depth <= alpha
        {
            let value = self.quiesce::<false>(node.ply, alpha, beta, qs_checks());
            if value <= alpha {
                return Some(value);
            }
        }
        // Reverse futility: so far above beta that no quiet reply will bring it back.
        let margin = rfp_margin() * (depth - i32::from(outlook.improving));
        if depth <= rfp_depth() && value - margin >= beta {
            return Some((value + beta) / 2);
        }
        self.try_null_move(node, value)
    }

    /// Null move: if even a pass fails high, a move will.
    fn try_null_move(&mut self, node: &Node, value: Value) -> Option<Value> {
        let Node {
            ply, beta, depth, ..
        } = *node;
        let static_value = self.frames[ply].static_value?;
        let allowed = depth >= NULL_DEPTH
            && value >= beta
            && static_value >= beta - 20 * depth + null_margin()
            && ply >= self.no_null_before
            && self.position.state().last_move.is_some()
            && self.has_free_movers();
        if !allowed {
            return None;
        }
        let reduction =
            null_base() + depth / null_depth_step() + ((value - beta) / null_value_step()).min(3);
        self.make_null(ply);
        let child = Node {
            ply: ply + 1,
            alpha: -beta,
            beta: 1 - beta,
            depth: depth - reduction,
            cut: !node.cut,
        };
        let value = -self.negamax::<false>(child);
        self.position.undo();
        if self.stopped || value < beta {
            return None;
        }
        // A pass proves no mate.
        let value = if is_ordinary(value) { value } else { beta };
        if depth < null_verified_depth() || self.no_null_before > 0 {
            return Some(value);
        }
        // Deep in the tree zugzwang costs more than a second look without null moves.
        self.no_null_before = ply + (3 * (depth - reduction) / 4).max(1) as usize;
        let verified = self.negamax::<false>(Node {
            alpha: beta - 1,
            depth: depth - reduction,
            cut: false,
            ..*node
        });
        self.no_null_before = 0;
        (verified >= beta).then_some(value)
    }

    /// Whether the side to move has a man whose every move is not a concession; with guards
    /// and pawns alone zugzwang is common.
    fn has_free_movers(&self) -> bool {
        let movers = self.position.kind(PieceKind::Rook)
            | self.position.kind(PieceKind::Knight)
            | self.position.kind(PieceKind::Cannon);
        !(movers & self.position.men(self.position.side())).is_empty()
    }

    /// ProbCut (Buro 1995): a capture that stays well above beta in a shallow search will
    /// most likely do so in a deep one.
    pub(super) fn try_probcut(
        &mut self,
        node: &Node,
        outlook: &Outlook,
        hit: Option<&Hit>,
    ) -> Option<Value> {
        let Node {
            ply, beta, depth, ..
        } = *node;
        let raised = beta + probcut_margin() - probcut_improving() * i32::from(outlook.improving);
        if depth < probcut_depth() || !is_ordinary(beta) || !is_ordinary(raised) {
            return None;
        }
        let shallow = depth - probcut_reduction();
        if hit.is_some_and(|hit| hit.depth >= shallow && hit.value < raised) {
            return None;
        }
        let static_value = self.frames[ply].static_value?;
        let context = self.context(ply);
        self.frames[ply + 1].killers = [None; 2];
        let table_move = hit.and_then(|hit| hit.mv);
        let mut picker = Picker::quiescence(&self.position, table_move, context, false);
        while let Some(mv) = picker.next(&self.position, &self.histories) {
            if !self.position.see_ge(mv, raised - static_value) {
                continue;
            }
            self.make(ply, mv);
            let mut value = -self.quiesce::<false>(ply + 1, -raised, 1 - raised, 0);
            if value >= raised && shallow > 1 {
                value = -self.negamax::<false>(Node {
                    ply: ply + 1,
                    alpha: -raised,
                    beta: 1 - raised,
                    depth: shallow - 1,
                    cut: !node.cut,
                });
            }
            self.undo();
            if self.stopped {
                return Some(0);
            }
            if value >= raised {
                let entry = Hit {
                    mv: Some(mv),
                    value,
                    depth: shallow,
                    bound: Bound::Lower,
                    pv: outlook.pv,
                };
                self.table.store(self.position.key(), ply, entry);
                return is_ordinary(value).then_some(value - (raised - beta));
            }
        }
        None
    }

    /// How many moves of a node are tried before its other quiet moves are skipped.
    pub(super) fn late(&self, node: &Node, outlook: &Outlook) -> usize {
        let moves = lmp_base() + node.depth * node.depth;
        (if outlook.improving { moves } else { moves / 2 }) as usize
    }

    /// Whether a move is so unlikely to matter that it is not searched; asked only when
    /// another move has already avoided mate.
    pub(super) fn is_prunable(
        &self,
        node: &Node,
        outlook: &Outlook,
        mv: Move,
        step: &Step,
    ) -> bool {
        let Node { alpha, depth, .. } = *node;
        if node.ply == 0 || !is_ordinary(alpha) {
            return false;
        }
        if !step.quiet {
            return !self.position.see_ge(mv, -see_capture() * depth);
        }
        if step.check {
            return !self.position.see_ge(mv, -see_check() * depth);
        }
        let left = (depth - step.reduction).max(1);
        if step.number > self.late(node, outlook) {
            return true;
        }
        if left < history_pruning_depth() && step.history < -history_pruning() * depth {
            return true;
        }
        let futile = !outlook.in_check
            && !step.check
            && left < futility_depth()
            && outlook.value + futility_base() + futility_margin() * left <= alpha;
        futile || !self.position.see_ge(mv, -see_quiet() * left * left)
    }
}
