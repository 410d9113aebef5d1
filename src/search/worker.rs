//! What one search thread owns, and how it makes moves, counts nodes and notices the end.

use std::sync::Arc;
use std::time::Instant;

use super::correction::{Corrections, PartKeys};
use super::history::{Context, Histories, PieceTo};
use super::manner::Rests;
use super::signals::Signals;
use super::table::Table;
use super::team::Team;
use super::time::Budget;
use super::{Bound, Limits, SearchOptions};
use crate::eval::Evaluator;
use crate::position::Position;
use crate::rules::Rules;
use crate::types::{INFINITE, MAX_PLY, Move, Value};

/// How many nodes are entered between two looks at the clock and at `stop`.
const POLL_INTERVAL: u32 = 512;

/// What is remembered of each ply of the current line.
#[derive(Clone, Default)]
pub(super) struct Frame {
    /// The static value, if the side to move was not in check.
    pub(super) static_value: Option<Value>,
    /// The man moved from here and its target; `None` for a null move.
    pub(super) moved: Option<PieceTo>,
    /// The keys of the parts of the position.
    pub(super) keys: PartKeys,
    /// The move that is left out while another search asks whether it is singular.
    pub(super) excluded: Option<Move>,
    /// By how many plies the move being searched is reduced.
    pub(super) reduction: i32,
    /// How often nodes here were refuted since their grandparent began.
    pub(super) cutoffs: u32,
    /// Quiet moves that refuted a sibling.
    pub(super) killers: [Option<Move>; 2],
    /// The principal variation from here.
    pub(super) pv: Vec<Move>,
}

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// The value in the current iteration, `-INFINITE` if it is no better than another's.
    pub(super) value: Value,
    /// Whether it leads to a position that the game has had, and that counts.
    pub(super) repeats: bool,
    /// By how much chance makes it look better than it is; its values contain that.
    pub(super) favour: Value,
    /// The last value before the current iteration.
    pub(super) previous: Value,
    pub(super) bound: Bound,
    pub(super) pv: Vec<Move>,
    pub(super) seldepth: u32,
    /// Nodes spent on it in this search.
    pub(super) nodes: u64,
}

impl RootMove {
    pub(super) fn new(mv: Move, favour: Value) -> Self {
        Self {
            mv,
            value: -INFINITE,
            repeats: false,
            favour,
            previous: -INFINITE,
            bound: Bound::Exact,
            pv: vec![mv],
            seldepth: 0,
            nodes: 0,
        }
    }

    /// Whether any iteration has found a value for it.
    pub(super) fn is_known(&self) -> bool {
        self.value.max(self.previous) > -INFINITE
    }
}

/// What a search thread shares with others, and which of them it is.
pub(super) struct Post {
    pub(super) table: Arc<Table>,
    pub(super) signals: Arc<Signals>,
    pub(super) team: Arc<Team>,
    /// The thread with index 0 answers.
    pub(super) index: usize,
}

/// One search thread.
pub(super) struct Worker {
    pub(super) table: Arc<Table>,
    pub(super) signals: Arc<Signals>,
    pub(super) team: Arc<Team>,
    pub(super) index: usize,
    pub(super) position: Position,
    pub(super) rules: Rules,
    /// What a draw is worth to the side to move at the root.
    pub(super) draw_value: Value,
    /// Follows `position`.
    pub(super) evaluator: Evaluator,
    /// The static value of the position to be searched.
    pub(super) root_value: Value,
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    pub(super) frames: Vec<Frame>,
    pub(super) root_moves: Vec<RootMove>,
    /// The root moves before this one belong to better lines that are already done.
    pub(super) first_root_move: usize,
    pub(super) nodes: u64,
    pub(super) seldepth: u32,
    /// The depth of the iteration.
    pub(super) root_depth: u32,
    /// Below this ply no null move is tried while one is being verified.
    pub(super) no_null_before: usize,
    pub(super) node_limit: u64,
    pub(super) budget: Budget,
    pub(super) rests: Rests,
    pub(super) stopped: bool,
    /// Whether pondering has taken long enough to answer at once when its move is played.
    pub(super) stop_on_ponder_hit: bool,
    pub(super) started: Instant,
    until_poll: u32,
}

/// What a thread keeps from search to search.
#[derive(Default)]
pub(super) struct Memory {
    histories: Histories,
    corrections: Corrections,
    frames: Vec<Frame>,
    evaluator: Evaluator,
}

impl Memory {
    /// Empty tables; `None` if there is no memory for them.
    pub(super) fn new() -> Option<Self> {
        Some(Self {
            histories: Histories::new()?,
            corrections: Corrections::new()?,
            frames: vec![Frame::default(); MAX_PLY + 4],
            evaluator: Evaluator::default(),
        })
    }

    /// Forgets what earlier searches have learnt.
    pub(super) fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }
}

impl Worker {
    /// Gets ready for a search of `position`.
    pub(super) fn new(
        post: Post,
        memory: Memory,
        position: &Position,
        limits: &Limits,
        options: &SearchOptions,
    ) -> Self {
        let mut frames = memory.frames;
        for frame in &mut frames {
            frame.static_value = None;
            frame.moved = None;
            frame.killers = [None; 2];
            frame.excluded = None;
            frame.reduction = 0;
            frame.cutoffs = 0;
        }
        let mut histories = memory.histories;
        histories.begin();
        frames[0].keys = PartKeys::of(position);
        let mut evaluator = memory.evaluator;
        evaluator.begin(&options.evaluation, position);
        Self {
            table: post.table,
            signals: post.signals,
            team: post.team,
            index: post.index,
            position: position.clone(),
            rules: options.rules,
            draw_value: options.draw_value,
            root_value: evaluator.evaluate(position),
            evaluator,
            histories,
            corrections: memory.corrections,
            frames,
            root_moves: Vec::new(),
            first_root_move: 0,
            nodes: 0,
            seldepth: 0,
            root_depth: 0,
            no_null_before: 0,
            node_limit: limits.nodes.map_or(u64::MAX, |nodes| nodes.max(1)),
            budget: Budget::new(limits, options.move_overhead, options.ponder),
            rests: Rests::new(options.idle),
            stopped: false,
            stop_on_ponder_hit: false,
            started: Instant::now(),
            until_poll: POLL_INTERVAL,
        }
    }

    /// What is kept for the next search.
    pub(super) fn into_memory(self) -> Memory {
        Memory {
            histories: self.histories,
            corrections: self.corrections,
            frames: self.frames,
            evaluator: self.evaluator,
        }
    }

    /// Whether the search has to be left at once.
    #[inline]
    pub(super) fn interrupted(&mut self) -> bool {
        if self.nodes >= self.node_limit {
            self.stopped = true;
        }
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.until_poll = POLL_INTERVAL;
            self.poll();
        }
        self.stopped
    }

    #[cold]
    fn poll(&mut self) {
        self.team.count(self.index, self.nodes);
        self.rest();
        let halted = match self.index {
            0 => self.signals.depth_reached(),
            _ => self.signals.helpers_halted(),
        };
        if self.signals.stopped() || halted || self.out_of_time() || self.out_of_nodes() {
            self.stopped = true;
        }
    }

    /// Whether all threads together have searched as much as they may; a single one
    /// looks after each node.
    fn out_of_nodes(&self) -> bool {
        self.node_limit < u64::MAX && self.total_nodes() >= self.node_limit
    }

    /// The nodes of all threads, as far as they have told.
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes + self.team.nodes_of_others(self.index)
    }

    fn out_of_time(&self) -> bool {
        let Some(used) = self.signals.time_on_clock() else {
            return false;
        };
        self.stop_on_ponder_hit || self.budget.hard.is_some_and(|hard| used >= hard)
    }

    /// Makes a legal move, `ply` plies from the root.
    #[inline]
    pub(super) fn make(&mut self, ply: usize, mv: Move) {
        let mut keys = self.frames[ply].keys;
        self.frames[ply].moved = self.position.piece_on(mv.from()).map(|piece| {
            keys.toggle(piece, mv.from());
            keys.toggle(piece, mv.to());
            PieceTo::new(piece, mv)
        });
        if let Some(victim) = self.position.piece_on(mv.to()) {
            keys.toggle(victim, mv.to());
        }
        self.table.prefetch(self.position.key_after(mv));
        self.frames[ply + 1].keys = keys;
        self.nodes += 1;
        self.position.make(mv);
        self.evaluator.push(self.position.state());
    }

    /// Passes; `position.undo()` takes it back.
    pub(super) fn make_null(&mut self, ply: usize) {
        self.frames[ply].moved = None;
        self.frames[ply + 1].keys = self.frames[ply].keys;
        self.position.make_null();
    }

    /// Takes the last move back; not for null moves.
    #[inline]
    pub(super) fn undo(&mut self) {
        self.position.undo();
        self.evaluator.pop();
    }

    /// The static value of the present position.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Value {
        self.evaluator.evaluate(&self.position)
    }

    /// The moves before this ply that give the histories their context.
    #[inline]
    pub(super) fn context(&self, ply: usize) -> Context {
        let moved = |back| {
            ply.checked_sub(back)
                .and_then(|ply: usize| self.frames[ply].moved)
        };
        Context {
            moves: [moved(1), moved(2), moved(4), moved(6)],
            ply,
        }
    }

    /// Makes `mv` and what follows it the principal variation from `ply`.
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (head, tail) = self.frames.split_at_mut(ply + 1);
        if let (Some(frame), Some(next)) = (head.last_mut(), tail.first()) {
            frame.pv.clear();
            frame.pv.push(mv);
            frame.pv.extend_from_slice(&next.pv);
        }
    }
}
