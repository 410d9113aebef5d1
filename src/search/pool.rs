//! The threads that search for an engine.

use std::fmt;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use super::iterate::Client;
use super::searcher::Nowhere;
use super::signals::Signals;
use super::table::{HashError, Table};
use super::team::Team;
use super::worker::{Memory, Post, Worker};
use super::{Bound, Event, EventSink, Known, Limits, SearchInfo, SearchOptions, SearchResult};
use crate::position::Position;
use crate::types::Score;

/// The size of the table of a new pool, in MiB.
const DEFAULT_MEGABYTES: usize = 16;
/// The deepest line of the search needs a few hundred bytes to some kilobytes a ply.
const STACK_BYTES: usize = 8 << 20;

/// A table of so many MiB is wiped or touched in less time than anybody notices.
const SMALL_TABLE: usize = 256;

/// So many search threads could not be had.
#[derive(Debug)]
pub struct ThreadsError {
    /// How many were asked for.
    pub threads: usize,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    Memory,
    Thread(io::Error),
}

impl fmt::Display for ThreadsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = self.threads;
        match &self.reason {
            Reason::Memory => write!(f, "no memory for {threads} search threads"),
            Reason::Thread(error) => write!(f, "{threads} search threads cannot be had: {error}"),
        }
    }
}

impl std::error::Error for ThreadsError {}

/// A search to be done.
pub struct Job {
    /// The position with the game that led to it.
    pub position: Position,
    /// What ends the search.
    pub limits: Limits,
    /// Settings.
    pub options: SearchOptions,
    /// Where the events go.
    pub sink: Arc<dyn EventSink>,
}

/// A job with what its threads share.
struct Task {
    job: Job,
    table: Arc<Table>,
    team: Arc<Team>,
    /// How often the pool has been cleared.
    cleared: u64,
}

/// What the pool and its threads share.
struct Shared {
    signals: Arc<Signals>,
    agenda: Mutex<Agenda>,
    changed: Condvar,
}

struct Agenda {
    /// Threads whose index is not below this end.
    threads: usize,
    /// How many searches were begun.
    number: u64,
    /// The search that runs.
    task: Option<Arc<Task>>,
    /// How many threads work on it.
    busy: usize,
}

impl Shared {
    fn agenda(&self) -> MutexGuard<'_, Agenda> {
        self.agenda.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Agenda)) {
        change(&mut self.agenda());
        self.changed.notify_all();
    }

    /// Blocks until the agenda fits.
    fn wait_until(&self, fits: impl Fn(&Agenda) -> bool) -> MutexGuard<'_, Agenda> {
        let mut agenda = self.agenda();
        while !fits(&agenda) {
            agenda = self
                .changed
                .wait(agenda)
                .unwrap_or_else(PoisonError::into_inner);
        }
        agenda
    }
}

/// Search threads, parked between searches, with their transposition table.
///
/// One search runs at a time; every search that is started ends with exactly one
/// [`Event::BestMove`]. With several threads all search the same position and learn from
/// each other through the table (Lazy SMP); at the end they vote.
pub struct Pool {
    shared: Arc<Shared>,
    table: Arc<Table>,
    threads: Vec<JoinHandle<()>>,
    cleared: u64,
}

impl Default for Pool {
    fn default() -> Self {
        Self::new()
    }
}

impl Pool {
    /// One thread and a table of 16 MB.
    ///
    /// # Panics
    /// If the system has no memory or no thread for it.
    pub fn new() -> Self {
        let table = Table::new(DEFAULT_MEGABYTES).expect("memory for the smallest table");
        let shared = Shared {
            signals: Arc::new(Signals::new()),
            agenda: Mutex::new(Agenda {
                threads: 0,
                number: 0,
                task: None,
                busy: 0,
            }),
            changed: Condvar::new(),
        };
        let mut pool = Self {
            shared: Arc::new(shared),
            table: Arc::new(table),
            threads: Vec::new(),
            cleared: 0,
        };
        pool.set_threads(1).expect("a search thread");
        pool
    }

    /// Changes the number of threads, at least one. Ends a running search.
    ///
    /// # Errors
    /// If the system has no memory or no threads for so many; the former number stays.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadsError> {
        self.halt();
        let threads = threads.max(1);
        let former = self.threads.len();
        let failed = |reason| ThreadsError { threads, reason };
        self.shared.change(|agenda| agenda.threads = threads);
        for index in former..threads {
            let hired = Memory::new()
                .ok_or_else(|| failed(Reason::Memory))
                .and_then(|memory| {
                    self.hire(index, memory)
                        .map_err(|error| failed(Reason::Thread(error)))
                });
            if let Err(error) = hired {
                self.dismiss(former);
                return Err(error);
            }
        }
        self.dismiss(threads);
        Ok(())
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    fn hire(&mut self, index: usize, memory: Memory) -> io::Result<()> {
        let shared = Arc::clone(&self.shared);
        let (number, cleared) = (self.shared.agenda().number, self.cleared);
        let thread = std::thread::Builder::new()
            .name(format!("search {index}"))
            .stack_size(STACK_BYTES)
            .spawn(move || {
                SearchThread {
                    index,
                    number,
                    cleared,
                    memory,
                }
                .run(&shared);
            })?;
        self.threads.push(thread);
        Ok(())
    }

    /// Ends the idle threads from this index on.
    fn dismiss(&mut self, from: usize) {
        self.shared.change(|agenda| agenda.threads = from);
        for thread in self.threads.drain(from.min(self.threads.len())..) {
            // A search that panicked has said so already.
            let _ = thread.join();
        }
    }

    /// Replaces the table by an empty one of this many MiB. Ends a running search.
    ///
    /// # Errors
    /// If the memory cannot be had; the former table stays.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), HashError> {
        self.halt();
        let table = Table::new(megabytes)?;
        self.replace_table(table);
        self.touch_table();
        Ok(())
    }

    /// What the table knows of a position; also while a search runs.
    pub fn probe(&self, position: &Position) -> Option<Known> {
        let hit = self.table.probe(position.key(), 0)?;
        Some(Known {
            best: hit.mv.filter(|&mv| position.is_legal(mv)),
            value: hit.value,
            bound: hit.bound,
            depth: hit.depth.unsigned_abs(),
        })
    }

    /// The size of the table in MiB.
    pub fn hash_megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// Forgets all that was learnt, for a new game. Ends a running search.
    pub fn clear(&mut self) {
        self.halt();
        self.cleared += 1;
        if self.table.megabytes() <= SMALL_TABLE {
            self.table.clear();
            return;
        }
        // Zeroed memory from the system is there sooner than a large table is wiped.
        match Table::new(self.table.megabytes()) {
            Ok(table) => {
                self.replace_table(table);
                self.touch_table();
            }
            Err(_) => self.table.clear(),
        }
    }

    /// Gets the memory of a new table from the system, so that no search has to wait for
    /// it: at once if it is small, else beside other things.
    fn touch_table(&self) {
        if self.table.megabytes() <= SMALL_TABLE {
            self.table.touch();
            return;
        }
        let table = Arc::clone(&self.table);
        let touch = std::thread::Builder::new().spawn(move || table.touch());
        // Without a thread the pages come when they are needed.
        drop(touch);
    }

    /// Puts a new table in place; giving back a large one takes time and is left to a
    /// thread of its own.
    fn replace_table(&mut self, table: Table) {
        let old = std::mem::replace(&mut self.table, Arc::new(table));
        let give_back = std::thread::Builder::new().spawn(move || drop(old));
        // Without a thread it was given back here and now.
        drop(give_back);
    }

    /// Starts a search and returns at once. Ends a running search first.
    pub fn start(&mut self, mut job: Job) {
        self.halt();
        job.options = job.options.heeded(&job.limits);
        self.shared.signals.begin(job.limits.ponder, Instant::now());
        self.table.grow_older();
        let threads = self.threads.len();
        let task = Task {
            job,
            table: Arc::clone(&self.table),
            team: Arc::new(Team::new(threads)),
            cleared: self.cleared,
        };
        self.shared.change(|agenda| {
            agenda.number += 1;
            agenda.task = Some(Arc::new(task));
            agenda.busy = threads;
        });
    }

    /// Asks the search to answer now. Does nothing where none runs.
    pub fn stop(&self) {
        self.shared.signals.stop();
    }

    /// The pondered move was played: from now on the search is an ordinary one.
    pub fn ponder_hit(&self) {
        self.shared.signals.ponder_hit();
    }

    /// Blocks until the search, if one runs, has answered and its threads are parked.
    pub fn wait(&self) {
        drop(self.shared.wait_until(|agenda| agenda.busy == 0));
    }

    /// Whether a search has been started and is not over yet.
    pub fn is_searching(&self) -> bool {
        self.shared.agenda().busy > 0
    }

    fn halt(&self) {
        if self.is_searching() {
            self.stop();
            self.wait();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.halt();
        self.dismiss(0);
    }
}

/// What one thread of the pool keeps from search to search.
struct SearchThread {
    /// The thread with index 0 answers.
    index: usize,
    /// The last search that it saw.
    number: u64,
    /// How often it has forgotten everything, or was told that others have.
    cleared: u64,
    memory: Memory,
}

impl SearchThread {
    fn run(mut self, shared: &Shared) {
        loop {
            let agenda = shared.wait_until(|agenda| {
                agenda.threads <= self.index || agenda.busy > 0 && agenda.number > self.number
            });
            let number = agenda.number;
            let task = agenda.task.clone();
            let dismissed = agenda.threads <= self.index;
            drop(agenda);
            let Some(task) = task.filter(|_| !dismissed) else {
                return;
            };
            self.number = number;
            self.take_part(&task, &shared.signals);
            // The sink is let go before anybody is told that the search is over.
            drop(task);
            shared.change(|agenda| {
                agenda.busy -= 1;
                if agenda.busy == 0 {
                    agenda.task = None;
                }
            });
        }
    }

    fn take_part(&mut self, task: &Task, signals: &Arc<Signals>) {
        if self.cleared != task.cleared {
            self.cleared = task.cleared;
            self.memory.clear();
        }
        let job = &task.job;
        let answers = self.index == 0;
        if !answers && job.options.strength.is_some() {
            // A level is as strong as its nodes, and one thread searches so few of them.
            return;
        }
        let limits = if answers {
            job.limits.clone()
        } else {
            // The others go on until the one that answers has finished, or they themselves
            // have done the last iteration that is wanted.
            Limits {
                nodes: job.limits.nodes,
                depth: job.limits.depth.filter(|_| job.options.multipv == 1),
                search_moves: job.limits.search_moves.clone(),
                ban_moves: job.limits.ban_moves.clone(),
                ..Limits::default()
            }
        };
        let post = Post {
            table: Arc::clone(&task.table),
            signals: Arc::clone(signals),
            team: Arc::clone(&task.team),
            index: self.index,
        };
        let memory = std::mem::take(&mut self.memory);
        let mut worker = Worker::new(post, memory, &job.position, &limits, &job.options);
        let result = worker.iterate(Client {
            limits: &limits,
            options: &job.options,
            sink: if answers { &*job.sink } else { &Nowhere },
        });
        if answers {
            signals.halt_helpers();
            answer(task, signals, result, &worker);
        }
        self.memory = worker.into_memory();
    }
}

/// Lets the threads vote, tells of another line than the last one told if they choose
/// it, and answers.
fn answer(task: &Task, signals: &Signals, own: SearchResult, worker: &Worker) {
    let job = &task.job;
    let line = own.pv.clone();
    let result = match job.options.multipv {
        1 => task.team.elect(own, job.limits.depth),
        _ => own,
    };
    if result.pv != line {
        job.sink.emit(&Event::Info(SearchInfo {
            depth: result.depth,
            seldepth: result.depth,
            multipv: 1,
            score: Score::from_value(result.value),
            bound: Bound::Exact,
            nodes: worker.total_nodes(),
            time: worker.started.elapsed(),
            hashfull: task.table.hashfull(),
            pv: result.pv.iter().copied().collect(),
        }));
    }
    signals.wait_to_answer(job.limits.infinite);
    job.sink.emit(&Event::BestMove {
        best: result.best,
        ponder: result.ponder,
    });
}
