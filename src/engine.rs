//! The engine without a protocol: a position, options, and one search at a time.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use smallvec::SmallVec;

use crate::eval::{Evaluation, evaluate};
use crate::position::Position;
use crate::rules::Rules;
use crate::search::{
    Event, EventSink, HashError, Job, Known, Limits, Pool, SearchInfo, SearchOptions, Strength,
    ThreadsError,
};
use crate::types::{Move, Value};

/// The hash table of a new engine, and of one told to choose for itself, in MiB.
pub const DEFAULT_HASH_MB: usize = 64;
/// The largest hash table that can be asked for, in MiB.
pub const MAX_HASH_MB: usize = 1 << 20;
/// The most threads that can be asked for.
pub const MAX_THREADS: usize = 1024;
/// The most lines that a search can be asked to report.
pub const MAX_MULTIPV: usize = 128;
/// The most that can be kept back of every clock.
pub const MAX_MOVE_OVERHEAD: Duration = Duration::from_secs(5);

/// An engine: it owns the position, the options and the search.
///
/// It prints nothing and takes no text; whatever happens goes to the [`EventSink`]
/// given to [`Engine::go`]. At most one search runs: what would disturb it, stops it
/// first, so that its answer is out before the change takes place.
pub struct Engine {
    pool: Pool,
    position: Position,
    banned: SmallVec<[Move; 8]>,
    options: SearchOptions,
}

/// What [`Engine::search`] found.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The move to play; `None` where there is no legal one.
    pub best: Option<Move>,
    /// The reply it expects.
    pub ponder: Option<Move>,
    /// The last report on each line, the best line first; one line unless
    /// [`Engine::set_multipv`] asked for more.
    pub lines: Vec<SearchInfo>,
}

impl Engine {
    /// An engine with the start position and default options.
    pub fn new() -> Self {
        let mut engine = Self {
            pool: Pool::new(),
            position: Position::startpos(),
            banned: SmallVec::new(),
            options: SearchOptions::default(),
        };
        if let Err(error) = engine.set_hash(DEFAULT_HASH_MB) {
            log::warn!("{error}");
        }
        engine
    }

    /// The position that the next search starts from.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Takes a position with its history; repetitions in the game count. Moves banned
    /// in the former position are allowed again.
    pub fn set_position(&mut self, position: Position) {
        self.finish();
        self.position = position;
        self.banned.clear();
    }

    /// Root moves that the following searches may not choose, until the next
    /// [`Engine::set_position`]; they replace the ones banned before.
    pub fn ban_moves(&mut self, moves: impl IntoIterator<Item = Move>) {
        self.banned = moves.into_iter().collect();
    }

    /// The root moves banned by [`Self::ban_moves`].
    pub fn banned_moves(&self) -> &[Move] {
        &self.banned
    }

    /// Gives the hash table a new size in MiB, at most [`MAX_HASH_MB`]; 0 lets the
    /// engine choose. What the table knew is lost.
    ///
    /// # Errors
    /// If there is not so much memory; the table keeps its former size.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), HashError> {
        self.finish();
        self.pool.set_hash(match megabytes {
            0 => DEFAULT_HASH_MB,
            _ => megabytes.min(MAX_HASH_MB),
        })
    }

    /// Sets how many threads search, at most [`MAX_THREADS`]; 0 takes one for each core
    /// that the system lets the engine use.
    ///
    /// # Errors
    /// If the system has no memory or no threads for so many; the former number stays.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadsError> {
        self.finish();
        self.pool.set_threads(match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            _ => threads.min(MAX_THREADS),
        })
    }

    /// Forgets what earlier searches learnt.
    pub fn clear_hash(&mut self) {
        self.finish();
        self.pool.clear();
    }

    /// Gets ready for a new game: forgets what belonged to the last one. The position stays.
    pub fn new_game(&mut self) {
        self.clear_hash();
    }

    /// How many lines are searched and reported, 1 to [`MAX_MULTIPV`].
    pub fn multipv(&self) -> usize {
        self.options.multipv
    }

    /// Sets how many lines are searched and reported, from 1 to [`MAX_MULTIPV`].
    pub fn set_multipv(&mut self, lines: usize) {
        self.options.multipv = lines.clamp(1, MAX_MULTIPV);
    }

    /// Whether a search under a clock or for a time ends when it has proven a near mate.
    pub fn set_stop_at_mate(&mut self, on: bool) {
        self.options.stop_at_mate = on;
    }

    /// Whether a winner prefers moves to positions that the game has not had yet; the scores
    /// of others are too low then.
    pub fn set_avoid_circles(&mut self, on: bool) {
        self.options.avoid_circles = on;
    }

    /// Sets how well the engine plays; `None` holds nothing back. Analysis never does.
    pub fn set_strength(&mut self, strength: Option<Strength>) {
        self.options.strength = strength;
    }

    /// Sets by how many centipawns at most a move may look better than it is, at random, so that
    /// games differ; 0 leaves nothing to chance. Analysis never does.
    pub fn set_randomness(&mut self, centipawns: Value) {
        self.options.randomness = centipawns;
    }

    /// What a drawn game is worth to the engine, in centipawns.
    pub fn draw_value(&self) -> Value {
        self.options.draw_value
    }

    /// Sets what a drawn game is worth to the engine, in centipawns; in analysis it is 0. A
    /// change makes the engine forget what it learnt with the former value.
    pub fn set_draw_value(&mut self, centipawns: Value) {
        if centipawns != self.options.draw_value {
            self.clear_hash();
            self.options.draw_value = centipawns;
        }
    }

    /// Sets the share of the time that searches leave to other programs, 0 to 0.95.
    pub fn set_idle(&mut self, share: f64) {
        self.options.idle = share;
    }

    /// Whether the engine may be asked to think in the opponent's time: it then takes more of its own.
    pub fn set_ponder(&mut self, on: bool) {
        self.options.ponder = on;
    }

    /// Whether every search is an analysis: with true scores and the best move, whatever
    /// strength and manner of play are set.
    pub fn set_analyses(&mut self, on: bool) {
        self.options.analyses = on;
    }

    /// Whether every search is an analysis.
    pub fn analyses(&self) -> bool {
        self.options.analyses
    }

    /// What the hash table knows of a position; a search that runs goes on.
    pub fn probe(&self, position: &Position) -> Option<Known> {
        self.pool.probe(position)
    }

    /// Sets how much of every clock is kept back, at most [`MAX_MOVE_OVERHEAD`].
    pub fn set_move_overhead(&mut self, overhead: Duration) {
        self.options.move_overhead = overhead.min(MAX_MOVE_OVERHEAD);
    }

    /// What repetitions mean, and the move limit.
    pub fn rules(&self) -> Rules {
        self.options.rules
    }

    /// Sets what repetitions mean, and the move limit. A change makes the engine forget
    /// what it learnt under the former rules.
    pub fn set_rules(&mut self, rules: Rules) {
        if rules != self.options.rules {
            self.clear_hash();
            self.options.rules = rules;
        }
    }

    /// What positions are worth.
    pub fn evaluation(&self) -> &Evaluation {
        &self.options.evaluation
    }

    /// Sets what positions are worth. A change makes the engine forget what it learnt with
    /// the former evaluation.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        if evaluation != self.options.evaluation {
            self.clear_hash();
        }
        self.finish();
        self.options.evaluation = evaluation;
    }

    /// The static evaluation of the position for the side to move, in centipawns.
    pub fn evaluate(&self) -> Value {
        evaluate(&self.position, &self.options.evaluation)
    }

    /// Starts a search and returns; events go to `sink`, the last one is
    /// [`Event::BestMove`]. A search that is still running is stopped first.
    pub fn go(&mut self, mut limits: Limits, sink: Arc<dyn EventSink>) {
        self.finish();
        limits.ban_moves.extend(self.banned.iter().copied());
        let mut options = self.options.clone();
        // A new hasher has random keys: what is left to chance differs from search to search.
        options.luck = RandomState::new().build_hasher().finish();
        self.pool.start(Job {
            position: self.position.clone(),
            limits,
            options,
            sink,
        });
    }

    /// Ends the search soon; harmless when none runs.
    pub fn stop(&self) {
        self.pool.stop();
    }

    /// Tells a search begun with [`Limits::ponder`] that the expected move was played.
    pub fn ponder_hit(&self) {
        self.pool.ponder_hit();
    }

    /// Waits until no search runs. A search without an end of its own needs [`Engine::stop`].
    pub fn wait(&self) {
        self.pool.wait();
    }

    /// Ends the search and waits until its answer is out.
    pub fn finish(&self) {
        self.stop();
        self.wait();
    }

    /// Searches and returns the answer.
    ///
    /// [`Limits::infinite`] and [`Limits::ponder`] are taken as not set, since nobody
    /// could end such a search; without any other limit this takes practically for ever.
    pub fn search(&mut self, limits: Limits) -> Answer {
        let collector = Arc::new(Collector::default());
        let limits = Limits {
            infinite: false,
            ponder: false,
            ..limits
        };
        self.go(limits, collector.clone());
        self.wait();
        let mut answer = collector.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut answer)
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("position", &self.position)
            .field("banned", &self.banned)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// Keeps what a search tells.
#[derive(Default)]
struct Collector(Mutex<Answer>);

impl EventSink for Collector {
    fn emit(&self, event: &Event) {
        let mut answer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Info(info) => {
                answer.lines.retain(|line| line.multipv != info.multipv);
                answer.lines.push(info.clone());
                answer.lines.sort_by_key(|line| line.multipv);
            }
            Event::BestMove { best, ponder } => {
                answer.best = *best;
                answer.ponder = *ponder;
            }
            Event::CurrentMove { .. } | Event::Notice(_) => {}
        }
    }
}
