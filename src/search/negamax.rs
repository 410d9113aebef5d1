//! The main search: principal variation search. What prunes, reduces and extends is in
//! `prune` and `reduce`.

use smallvec::SmallVec;

use super::Bound;
use super::history::{Context, bonus};
use super::movepick::Picker;
use super::params::*;
use super::repetition::ruling;
use super::table::Hit;
use super::worker::Worker;
use crate::types::{INFINITE, MAX_EVAL, MAX_PLY, Move, Value, mated_in, mates_in};

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
    pub(super) value: Value,
    /// Whether the static value has risen since the side's last turn.
    pub(super) improving: bool,
    pub(super) in_check: bool,
    /// Whether the node is or was part of a principal variation.
    pub(super) pv: bool,
    /// How far the correction histories have moved the static value.
    pub(super) correction: Value,
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
            return self.quiesce::<PV>(ply, node.alpha, node.beta, qs_checks());
        }
        self.frames[ply].pv.clear();
        if self.interrupted() {
            return 0;
        }
        self.seldepth = self.seldepth.max(ply as u32);
        if let Some(value) = ruling(&self.rules, &self.position, ply, self.draw_value(ply)) {
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
        let excluded = self.frames[ply].excluded;
        let hit = self.table.probe(self.position.key(), ply);
        if let Some(hit) = &hit
            && !PV
            && excluded.is_none()
            && hit.depth >= node.depth
            && cuts(hit, alpha, beta)
            && !self.limit_is_near()
        {
            self.learn_from_table(&node, hit);
            return hit.value;
        }
        let pv = PV || hit.is_some_and(|hit| hit.pv);
        let outlook = self.outlook(ply, hit.as_ref(), pv);
        if !outlook.in_check && excluded.is_none() {
            self.learn_from_value(ply);
            node.depth += self.hindsight(&node, &outlook);
            if node.depth <= 0 {
                return self.quiesce::<PV>(ply, alpha, beta, qs_checks());
            }
            if !PV && let Some(value) = self.prune_node(&node, &outlook) {
                return value;
            }
            if self.stopped {
                return 0;
            }
        }
        // Without a table move the order is poor: let a shallower search find one.
        let no_move = hit.is_none_or(|hit| hit.mv.is_none());
        if (PV || node.cut) && node.depth >= iir_depth() && no_move {
            node.depth -= 1;
        }
        if !PV
            && !outlook.in_check
            && excluded.is_none()
            && let Some(value) = self.try_probcut(&node, &outlook, hit.as_ref())
        {
            return value;
        }
        self.search_moves::<PV>(node, &outlook, hit)
    }

    fn limit_is_near(&self) -> bool {
        let limit = self.rules.move_limit;
        limit != 0 && u32::from(self.position.state().halfmoves) + LIMIT_IS_NEAR >= limit
    }

    /// A quiet move that the table knows to refute the node is worth remembering.
    fn learn_from_table(&mut self, node: &Node, hit: &Hit) {
        if let Some(mv) = hit.mv
            && hit.value >= node.beta
            && self.position.is_legal(mv)
            && self.position.piece_on(mv.to()).is_none()
        {
            let bonus = bonus(node.depth) * table_cut_bonus() / 100;
            let context = self.context(node.ply);
            self.histories
                .reward_quiet(&self.position, mv, &context, bonus);
        }
    }

    /// Evaluates the node and compares it with two plies ago.
    pub(super) fn outlook(&mut self, ply: usize, hit: Option<&Hit>, pv: bool) -> Outlook {
        if self.position.in_check() {
            self.frames[ply].static_value = None;
            return Outlook {
                value: -INFINITE,
                improving: false,
                in_check: true,
                pv,
                correction: 0,
            };
        }
        let (fixed, correction) = self.corrected_value(ply);
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
            pv,
            correction,
        }
    }

    /// The static value with what the correction histories add to it, and that part alone.
    #[inline]
    pub(super) fn corrected_value(&mut self, ply: usize) -> (Value, Value) {
        let raw = self.evaluate();
        let context = self.context(ply);
        let keys = &self.frames[ply].keys;
        let correction = self.corrections.get(self.position.side(), keys, &context);
        let raw = self.damped(raw);
        let value = (raw + correction).clamp(-MAX_EVAL, MAX_EVAL);
        (value, correction)
    }

    /// The nearer the move limit, the nearer every value is to a draw.
    fn damped(&self, value: Value) -> Value {
        let limit = self.rules.move_limit as i32;
        if limit == 0 {
            return value;
        }
        let passed = i32::from(self.position.state().halfmoves).min(limit);
        value - value * passed / limit * damping() / 100
    }

    /// Lets quiet history learn from how the last move changed the static value.
    fn learn_from_value(&mut self, ply: usize) {
        let state = self.position.state();
        if let (Some(mv), None) = (state.last_move, state.captured)
            && let Some(prior) = ply.checked_sub(1)
            && let Some(before) = self.frames[prior].static_value
            && let Some(now) = self.frames[ply].static_value
        {
            let most = eval_history_max();
            let bonus = (-(before + now) * eval_history()).clamp(-most, most);
            self.histories
                .reward_from_to(!self.position.side(), mv, bonus);
        }
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
        let excluded = self.frames[ply].excluded;
        self.frames[ply + 1].killers = [None; 2];
        self.frames[ply + 2].cutoffs = 0;
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
            if excluded == Some(mv) {
                continue;
            }
            number += 1;
            let mut step = self.step::<PV>(&node, outlook, &context, mv, number);
            if best >= -MAX_EVAL && self.is_prunable(&node, outlook, mv, &step) {
                // Moves that check come early, but some only a little later than others.
                if step.quiet && step.number > 2 * self.late(&node, outlook) {
                    picker.skip_quiets();
                }
                continue;
            }
            if step.check && self.extends_check(&node, mv) {
                step.extension = 1;
            } else if let Some(hit) = &hit
                && excluded.is_none()
                && hit.mv == Some(mv)
            {
                match self.extension::<PV>(&node, outlook, hit, mv) {
                    Ok(plies) => step.extension = plies,
                    Err(value) => return value,
                }
                if self.stopped {
                    return 0;
                }
            }
            self.make(ply, mv);
            let value = self.search_child::<PV>(&node, &step, best, &context);
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
                        self.frames[ply].cutoffs += 1;
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
            // Mate and stalemate are the same loss; an excluded move is a way out.
            return if excluded.is_some() {
                node.alpha
            } else {
                mated_in(ply)
            };
        }
        if best_move.is_none() {
            self.reward_prior(&node);
        }
        if excluded.is_none() {
            let entry = Hit {
                mv: best_move,
                value: best,
                depth: node.depth,
                bound: if best >= beta {
                    Bound::Lower
                } else if PV && best_move.is_some() {
                    Bound::Exact
                } else {
                    Bound::Upper
                },
                pv: outlook.pv,
            };
            self.table.store(self.position.key(), ply, entry);
            self.correct(&node, &entry, &context);
        }
        best
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

    /// Remembers that the quiet move which led here leaves no good reply.
    fn reward_prior(&mut self, node: &Node) {
        let state = self.position.state();
        let (Some(mv), None) = (state.last_move, state.captured) else {
            return;
        };
        let Some(prior) = node.ply.checked_sub(1) else {
            return;
        };
        let bonus = bonus(node.depth) * prior_bonus() / 100;
        let context = self.context(prior);
        self.histories
            .reward_from_to(!self.position.side(), mv, bonus);
        if let Some(now) = self.frames[prior].moved {
            self.histories.reward_continuation(now, &context, bonus);
        }
    }

    /// Lets the correction histories learn from a finished node whose value says on which
    /// side of the static value the truth is, and is not owed to a capture.
    fn correct(&mut self, node: &Node, entry: &Hit, context: &Context) {
        let Some(fixed) = self.frames[node.ply].static_value else {
            return;
        };
        let quiet = entry
            .mv
            .is_none_or(|mv| self.position.piece_on(mv.to()).is_none());
        let tells = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.value > fixed,
            Bound::Upper => entry.value < fixed,
        };
        if quiet && tells && is_ordinary(entry.value) {
            let side = self.position.side();
            let keys = self.frames[node.ply].keys;
            let error = entry.value - fixed;
            self.corrections
                .learn(side, &keys, context, node.depth, error);
        }
    }
}
