//! Searching in the calling thread, without threads and events: for tools.

use std::sync::Arc;

use super::iterate::Client;
use super::signals::Signals;
use super::table::{HashError, Table};
use super::team::Team;
use super::worker::{Memory, Post, Worker};
use super::{Event, EventSink, Limits, SearchOptions};
use crate::eval::Evaluation;
use crate::position::Position;
use crate::rules::Rules;
use crate::types::{Move, Value};

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The best move; `None` only where there is no legal move.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// The value from the view of the side to move.
    pub value: Value,
    /// The completed depth in plies; the one that was cut short if it changed the result.
    pub depth: u32,
    /// The moves made in the main search and in quiescence.
    pub nodes: u64,
    /// The principal variation, beginning with `best`.
    pub pv: Vec<Move>,
}

/// A search with a transposition table and histories of its own, in the calling thread.
///
/// ```
/// use vermilion::position::Position;
/// use vermilion::search::{Limits, Searcher};
///
/// let mut searcher = Searcher::new(16)?;
/// let limits = Limits { depth: Some(6), ..Limits::default() };
/// let result = searcher.search(&Position::startpos(), &limits);
/// assert_eq!(result.best, result.pv.first().copied());
/// # Ok::<(), vermilion::search::HashError>(())
/// ```
pub struct Searcher {
    table: Arc<Table>,
    memory: Memory,
    options: SearchOptions,
}

/// Where the events of a search go that nobody listens to.
pub(super) struct Nowhere;

impl EventSink for Nowhere {
    fn emit(&self, _event: &Event) {}
}

impl Searcher {
    /// A searcher with a table of this many MiB, at least one.
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub fn new(megabytes: usize) -> Result<Self, HashError> {
        let failed = HashError { megabytes };
        Ok(Self {
            table: Arc::new(Table::new(megabytes)?),
            memory: Memory::new().ok_or(failed)?,
            options: SearchOptions::default(),
        })
    }

    /// Forgets everything: the next search is that of a new searcher.
    pub fn clear(&mut self) {
        self.table.clear();
        self.memory.clear();
    }

    /// Sets what repetitions mean, and the move limit. A change makes the searcher forget
    /// what it learnt under the former rules.
    pub fn set_rules(&mut self, rules: Rules) {
        if rules != self.options.rules {
            self.clear();
            self.options.rules = rules;
        }
    }

    /// Sets what positions are worth. A change makes the searcher forget what it learnt
    /// with the former evaluation.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        if evaluation != self.options.evaluation {
            self.clear();
        }
        self.options.evaluation = evaluation;
    }

    /// Searches a position within the limits. What earlier searches learnt is used.
    ///
    /// `infinite` and `ponder` mean nothing here; without any limit the search runs to
    /// the greatest depth, which few positions let it reach.
    pub fn search(&mut self, position: &Position, limits: &Limits) -> SearchResult {
        let options = self.options.clone();
        self.table.grow_older();
        let post = Post {
            table: Arc::clone(&self.table),
            signals: Arc::new(Signals::new()),
            team: Arc::new(Team::new(1)),
            index: 0,
        };
        let memory = std::mem::take(&mut self.memory);
        let mut worker = Worker::new(post, memory, position, limits, &options);
        let result = worker.iterate(Client {
            limits,
            options: &options,
            sink: &Nowhere,
        });
        self.memory = worker.into_memory();
        result
    }
}
