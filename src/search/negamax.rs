//! The main search: principal variation search with pruning, extension and reduction.

use smallvec::SmallVec;

use super::Bound;
use super::history::Context;
use super::movepick::Picker;
use super::params::*;
use super::repetition::ruling;
use super::table::Hit;
use super::worker::Worker;
use crate::types::{INFINITE, MAX_EVAL, MAX_PLY, Move, PieceKind, Value, mated_in, mates_in};

/// What a node is searched for.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// Plies from the root.
    pub(super) ply: usize,
    pub(super) alpha: Value,
    pub(super) beta: Value,
    /// Plies left; quiescence takes over at 0.
    pub(super) depth: i32,
    /// Whether a refutation is expected.
    pub(super) cut: bool,
}

/// What is known of a node before its moves are tried.
pub(super) struct Outlook {
    /// The static value corrected by the table; meaningless in check.
    value: Value,
    improving: bool,
    in_check: bool,
}

/// What is known of a move before it is made.
pub(super) struct Step {
    quiet: bool,
    check: bool,
    /// Its number among the moves of the node, from 1.
    number: usize,
    history: i32,
    /// By how many plies it is searched shallower at first; negative for good prospects.
    reduction: i32,
}

/// Moves that were searched and did not refute.
#[derive(Default)]
struct Tried {
    quiets: SmallVec<[Move; 64]>,
    captures: SmallVec<[Move; 32]>,
}

/// Whether a value is a bound on evaluations, not a mate or a win by rule.
pub(super) fn is_ordinary(value: Value) -> bool {
    value.abs() <= MAX_EVAL
}

/// Whether a value from the table decides a window.
pub(super) fn cuts(hit: &Hit, alpha: Value, beta: Value) -> bool {
    match hit.bound {
        Bound::Exact => true,
        Bound::Lower => hit.value >= beta,
        Bound::Upper => hit.value <= alpha,
    }
}

/// So many plies before the move limit the table is not believed: the draw is too near.
const LIMIT_IS_NEAR: u32 = 20;

impl Worker {
    /// The value of a node, fail-soft, from the view of the side to move; meaningless if
    /// the search was interrupted.
    pub(super) fn negamax<const PV: bool>(&mut self, node: Node) -> Value {
        let ply = node.ply;
        if node.depth <= 0 {
            return self.quiesce::<PV>(ply, node.alpha, node.beta);
        }
        self.frames[ply].pv.clear();
        if self.interrupted() {
            return 0;
        }
        self.seldepth = self.seldepth.max(ply as u32);
        if let Some(value) = ruling(&self.rules, &self.position, ply) {
            return value;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate();
        }
        // Mate distance: nothing here is better than mating next, or worse than being mated now.
        let alpha = node.alpha.max(mated_in(ply));
        let beta = node.beta.min(mates_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        self.search_node::<PV>(Node {
            alpha,
            beta,
            ..node
        })
    }

    fn search_node<const PV: bool>(&mut self, mut node: Node) -> Value {
        let Node {
            ply, alpha, beta, ..
        } = node;
        let hit = self.table.probe(self.position.key(), ply);
        if let Some(hit) = &hit
            && !PV
            && hit.depth >= node.depth
            && cuts(hit, alpha, beta)
            && !self.limit_is_near()
        {
            return hit.value;
        }
        let outlook = self.outlook(ply, hit.as_ref());
        if !PV
            && !outlook.in_check
            && let Some(value) = self.prune_node(&node, &outlook)
        {
            return value;
        }
        // Without a table move the order is poor: let a shallower search find one.
        let no_move = hit.is_none_or(|hit| hit.mv.is_none());
        if (PV || node.cut) && node.depth >= IIR_DEPTH && no_move {
            node.depth -= 1;
        }
        self.search_moves::<PV>(node, &outlook, hit)
    }

    fn limit_is_near(&self) -> bool {
        let limit = self.rules.move_limit;
        limit != 0 && u32::from(self.position.state().halfmoves) + LIMIT_IS_NEAR >= limit
    }

    /// Evaluates the node and compares it with two plies ago.
    pub(super) fn outlook(&mut self, ply: usize, hit: Option<&Hit>) -> Outlook {
        if self.position.in_check() {
            self.frames[ply].static_value = None;
            return Outlook {
                value: -INFINITE,
                improving: false,
                in_check: true,
            };
        }
        let fixed = self.evaluate();
        self.frames[ply].static_value = Some(fixed);
        let before = [2, 4]
            .into_iter()
            .filter_map(|back| self.frames[ply.checked_sub(back)?].static_value)
            .next();
        let value = match hit {
            Some(hit) if is_ordinary(hit.value) && cuts(hit, fixed, fixed) => hit.value,
            _ => fixed,
        };
        Outlook {
            value,
            improving: before.is_none_or(|before| fixed > before),
            in_check: false,
        }
    }

    /// Prunes a node that is far outside the window, if its value shows that without
    /// trying its moves one by one.
    fn prune_node(&mut self, node: &Node, outlook: &Outlook) -> Option<Value> {
        let Node {
            alpha, beta, depth, ..
        } = *node;
        let value = outlook.value;
        if !is_ordinary(alpha) || !is_ordinary(beta) {
            return None;
        }
        // Razoring: hopeless unless a capture helps.
        if depth <= RAZOR_DEPTH && value + RAZOR_BASE + RAZOR_MARGIN * depth * depth <= alpha {
            let value = self.quiesce::<false>(node.ply, alpha, beta);
            if value <= alpha {
                return Some(value);
            }
        }
        // Reverse futility: so far above beta that no quiet reply will bring it back.
        let margin = REVERSE_FUTILITY_MARGIN * (depth - i32::from(outlook.improving));
        if depth <= REVERSE_FUTILITY_DEPTH && value - margin >= beta {
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
            && static_value >= beta - 20 * depth + 120
            && ply >= self.no_null_before
            && self.position.state().last_move.is_some()
            && self.has_free_movers();
        if !allowed {
            return None;
        }
        let reduction =
            NULL_REDUCTION + depth / NULL_DEPTH_STEP + ((value - beta) / NULL_VALUE_STEP).min(3);
        self.frames[ply].moved = None;
        self.position.make_null();
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
        if depth < NULL_VERIFIED_DEPTH || self.no_null_before > 0 {
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

    /// Tries the moves of a node one by one.
    fn search_moves<const PV: bool>(
        &mut self,
        node: Node,
        outlook: &Outlook,
        hit: Option<Hit>,
    ) -> Value {
        let Node { ply, beta, .. } = node;
        let mut node = node;
        let context = self.context(ply);
        self.frames[ply + 1].killers = [None; 2];
        let mut picker = Picker::new(
            &self.position,
            hit.and_then(|hit| hit.mv),
            self.frames[ply].killers,
            context,
        );
        let mut tried = Tried::default();
        let (mut best, mut best_move) = (-INFINITE, None);
        let mut number = 0;

        while let Some(mv) = picker.next(&self.position, &self.histories) {
            number += 1;
            let step = self.step::<PV>(&node, outlook, &context, mv, number);
            if best >= -MAX_EVAL && self.is_prunable(&node, outlook, mv, &step) {
                if step.quiet && step.number > self.late(&node, outlook) {
                    picker.skip_quiets();
                }
                continue;
            }
            self.make(ply, mv);
            let value = self.search_child::<PV>(&node, &step);
            self.undo();
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                if value > node.alpha {
                    best_move = Some(mv);
                    if PV {
                        self.extend_pv(ply, mv);
                    }
                    if value >= beta {
                        self.learn(ply, mv, &context, node.depth, &tried);
                        break;
                    }
                    node.alpha = value;
                }
            }
            if step.quiet {
                tried.quiets.push(mv);
            } else {
                tried.captures.push(mv);
            }
        }
        if number == 0 {
            // Mate and stalemate are the same loss.
            return mated_in(ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if PV && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Hit {
            mv: best_move,
            value: best,
            depth: node.depth,
            bound,
            pv: PV || hit.is_some_and(|hit| hit.pv),
        };
        self.table.store(self.position.key(), ply, entry);
        best
    }

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
            reduced -= LMR_PV;
        }
        if node.cut {
            reduced += LMR_CUT;
        }
        if !outlook.improving {
            reduced += LMR_NOT_IMPROVING;
        }
        if check {
            reduced -= LMR_CHECK;
        }
        if self.frames[node.ply].killers.contains(&Some(mv)) {
            reduced -= LMR_KILLER;
        }
        reduced -= history * 1024 / LMR_HISTORY;
        Step {
            quiet,
            check,
            number,
            history,
            reduction: reduced / 1024,
        }
    }

    /// How many moves of a node are tried before its other quiet moves are skipped.
    fn late(&self, node: &Node, outlook: &Outlook) -> usize {
        let moves = LATE_MOVES + node.depth * node.depth;
        (if outlook.improving { moves } else { moves / 2 }) as usize
    }

    /// Whether a move is so unlikely to matter that it is not searched; asked only when
    /// another move has already avoided mate.
    fn is_prunable(&self, node: &Node, outlook: &Outlook, mv: Move, step: &Step) -> bool {
        let Node { alpha, depth, .. } = *node;
        if node.ply == 0 || !is_ordinary(alpha) {
            return false;
        }
        if !step.quiet {
            return !self.position.see_ge(mv, -SEE_CAPTURE * depth);
        }
        let left = (depth - step.reduction).max(1);
        if step.number > self.late(node, outlook) {
            return true;
        }
        if left < HISTORY_PRUNING_DEPTH && step.history < -HISTORY_PRUNING * depth {
            return true;
        }
        let futile = !outlook.in_check
            && !step.check
            && left < FUTILITY_DEPTH
            && outlook.value + FUTILITY_BASE + FUTILITY_MARGIN * left <= alpha;
        futile || !self.position.see_ge(mv, -SEE_QUIET * left * left)
    }

    /// Searches the position after a move: later moves reduced and with a null window
    /// first, then again as far as they turn out better than expected.
    pub(super) fn search_child<const PV: bool>(&mut self, node: &Node, step: &Step) -> Value {
        let Node {
            ply,
            alpha,
            beta,
            depth,
            cut,
        } = *node;
        let full = depth - 1;
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
            value = -self.negamax::<false>(null_window(reduced, true));
            if value > alpha && reduced < full {
                value = -self.negamax::<false>(null_window(full, !cut));
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

    /// Remembers which move refuted the position.
    fn learn(&mut self, ply: usize, mv: Move, context: &Context, depth: i32, tried: &Tried) {
        self.histories.learn(
            &self.position,
            mv,
            context,
            depth,
            &tried.quiets,
            &tried.captures,
        );
        let killers = &mut self.frames[ply].killers;
        if self.position.piece_on(mv.to()).is_none() && killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}
