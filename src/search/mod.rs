//! Iterative deepening PVS over a transposition table.
//!
//! The search emits [`Event`]s and prints nothing; it knows positions, rules and the
//! evaluation, but neither the engine nor a protocol.

mod correction;
mod history;
mod iterate;
mod manner;
mod memory;
mod movepick;
mod negamax;
mod params;
mod pool;
mod prune;
mod qsearch;
mod reduce;
mod repetition;
mod searcher;
mod signals;
mod strength;
mod table;
mod team;
mod time;
mod worker;

use std::time::Duration;

use smallvec::SmallVec;

#[cfg(feature = "tune")]
pub use params::set_param;
pub use params::{PARAMS, Param};
pub use pool::{Job, Pool, ThreadsError};
pub use searcher::{SearchResult, Searcher};
pub use strength::{MAX_LEVEL, Strength};
pub use table::HashError;

use crate::eval::Evaluation;
use crate::rules::Rules;
use crate::types::{DRAW, Move, Score, Value};

/// What ends a search. All that are given apply together.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Complete iterations up to this depth, in plies.
    pub depth: Option<u32>,
    /// Exactly this many nodes with one thread.
    pub nodes: Option<u64>,
    /// No new iteration once so many nodes are searched.
    pub soft_nodes: Option<u64>,
    /// This much time, all of it.
    pub movetime: Option<Duration>,
    /// The clock of a game.
    pub clock: Option<Clock>,
    /// Stop when a mate in this many moves is proven.
    pub mate: Option<u32>,
    /// Answer only after `stop`, whatever is found before.
    pub infinite: bool,
    /// Answer only after `ponderhit` or `stop`; the clock runs from `ponderhit`.
    pub ponder: bool,
    /// The only root moves to search; empty for all.
    pub search_moves: SmallVec<[Move; 8]>,
    /// Root moves not to search.
    pub ban_moves: SmallVec<[Move; 8]>,
}

/// The clock of the side to move, with what is known of the opponent's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// Time left; zero if the flag is about to fall or has fallen.
    pub remaining: Duration,
    /// Added after every move.
    pub increment: Duration,
    /// Moves until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
    /// The opponent's time left, if known.
    pub opponent_remaining: Option<Duration>,
}

/// Settings that hold from search to search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// How many lines to report, from 1.
    pub multipv: usize,
    /// Kept back from every clock for the way to the GUI; not from `movetime`.
    pub move_overhead: Duration,
    /// Whether a search under a clock or for a time ends when it has proven a mate that no
    /// deeper search can shorten by much.
    pub stop_at_mate: bool,
    /// Whether a winner prefers moves to positions that the game has not had yet. Such
    /// scores are for play, not for analysis.
    pub avoid_circles: bool,
    /// How well to play; `None` holds nothing back.
    pub strength: Option<Strength>,
    /// By how many centipawns at most a move may look better than it is, at random, so that
    /// games differ.
    pub randomness: Value,
    /// Any number; what is left to chance depends on it.
    pub luck: u64,
    /// What a drawn game is worth to the side that searches, in centipawns.
    pub draw_value: Value,
    /// The share of the time that is left to other programs, from 0 to less than 1.
    pub idle: f64,
    /// Whether the engine may think while the opponent does: it then takes more of its own time.
    pub ponder: bool,
    /// Whether every search is an analysis, which heeds none of what is for play: strength,
    /// randomness, the value of a draw, circles.
    pub analyses: bool,
    /// What repetitions mean, and the move limit.
    pub rules: Rules,
    /// What a position is worth. After a change the table and the histories of earlier
    /// searches mislead.
    pub evaluation: Evaluation,
}

/// How much of every clock is kept back unless something else is said.
pub const DEFAULT_MOVE_OVERHEAD: Duration = Duration::from_millis(30);

/// One line, [`DEFAULT_MOVE_OVERHEAD`] kept back, no stop at a mate, true scores, full strength,
/// nothing left to chance, the Asian rules, the default evaluation.
impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            multipv: 1,
            move_overhead: DEFAULT_MOVE_OVERHEAD,
            stop_at_mate: false,
            avoid_circles: false,
            strength: None,
            randomness: 0,
            luck: 0,
            draw_value: DRAW,
            idle: 0.0,
            ponder: false,
            analyses: false,
            rules: Rules::default(),
            evaluation: Evaluation::default(),
        }
    }
}

/// What the transposition table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// The best move.
    pub best: Option<Move>,
    /// The value from the view of the side to move.
    pub value: Value,
    /// Whether the value is exact.
    pub bound: Bound,
    /// How deep it was searched, in plies.
    pub depth: u32,
}

/// Whether a score is exact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// What the search tells while it runs.
#[derive(Clone, Debug)]
pub enum Event {
    /// A line of the principal variation.
    Info(SearchInfo),
    /// The root move being searched; sent only once a search has run 3 s.
    CurrentMove {
        /// The move.
        mv: Move,
        /// Its number, from 1.
        number: usize,
    },
    /// Something a person may want to know, for an `info string` or `info message`.
    Notice(String),
    /// The answer; exactly one ends every search.
    BestMove {
        /// The move; `None` only where there is no legal move.
        best: Option<Move>,
        /// The expected reply.
        ponder: Option<Move>,
    },
}

/// One line of the search.
#[derive(Clone, Debug)]
pub struct SearchInfo {
    /// The completed depth in plies.
    pub depth: u32,
    /// The deepest ply reached, quiescence included.
    pub seldepth: u32,
    /// Which of the best lines this is, from 1.
    pub multipv: usize,
    /// The score from the view of the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes searched so far by all threads.
    pub nodes: u64,
    /// Time since `go`.
    pub time: Duration,
    /// How full the table is, in per mille.
    pub hashfull: u32,
    /// The line; never empty where there is a legal move.
    pub pv: SmallVec<[Move; 32]>,
}

impl SearchInfo {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1) as u64;
        (self.nodes as u128 * 1_000_000 / micros as u128) as u64
    }
}

/// Where events go.
pub trait EventSink: Send + Sync {
    /// Takes an event; called from the search's threads.
    fn emit(&self, event: &Event);
}
