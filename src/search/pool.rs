//! The thread that searches for an engine.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use super::iterate::Client;
use super::signals::Signals;
use super::table::{HashError, Table};
use super::worker::{Memory, Worker};
use super::{Event, EventSink, Limits, SearchOptions};
use crate::position::Position;

/// The size of the table of a new pool, in MiB.
const DEFAULT_MEGABYTES: usize = 16;

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

/// What the pool and its thread share.
struct Shared {
    signals: Arc<Signals>,
    state: Mutex<State>,
    changed: Condvar,
    /// Whether the thread has to forget what it learnt before its next search.
    forget: AtomicBool,
}

enum State {
    Idle,
    Waiting(Box<Job>, Arc<Table>),
    Searching,
    Quitting,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, state: State) {
        *self.state() = state;
        self.changed.notify_all();
    }

    /// Blocks until the state fits.
    fn wait_until(&self, fits: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let mut state = self.state();
        while !fits(&state) {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state
    }
}

/// A search thread, parked between searches, with its transposition table.
///
/// One search runs at a time; every search that is started ends with exactly one
/// [`Event::BestMove`].
pub struct Pool {
    shared: Arc<Shared>,
    table: Arc<Table>,
    thread: Option<JoinHandle<()>>,
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
        let table = Arc::new(table);
        let shared = Arc::new(Shared {
            signals: Arc::new(Signals::new()),
            state: Mutex::new(State::Idle),
            changed: Condvar::new(),
            forget: AtomicBool::new(false),
        });
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || run(&for_thread))
            .expect("a search thread");
        Self {
            shared,
            table,
            thread: Some(thread),
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
        Ok(())
    }

    /// The size of the table in MiB.
    pub fn hash_megabytes(&self) -> usize {
        self.table.megabytes()
    }

    /// Forgets all that was learnt, for a new game. Ends a running search.
    pub fn clear(&mut self) {
        self.halt();
        self.shared.forget.store(true, Relaxed);
        // Zeroed memory from the system is there sooner than a large table is wiped.
        match Table::new(self.table.megabytes()) {
            Ok(table) => self.replace_table(table),
            Err(_) => self.table.clear(),
        }
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
    pub fn start(&mut self, job: Job) {
        self.halt();
        self.shared.signals.begin(job.limits.ponder, Instant::now());
        self.shared
            .set(State::Waiting(Box::new(job), Arc::clone(&self.table)));
    }

    /// Asks the search to answer now. Does nothing where none runs.
    pub fn stop(&self) {
        self.shared.signals.stop();
    }

    /// The pondered move was played: from now on the search is an ordinary one.
    pub fn ponder_hit(&self) {
        self.shared.signals.ponder_hit();
    }

    /// Blocks until the search, if one runs, has answered.
    pub fn wait(&self) {
        drop(self.shared.wait_until(|state| matches!(state, State::Idle)));
    }

    /// Whether a search has been started and has not answered yet.
    pub fn is_searching(&self) -> bool {
        !matches!(*self.shared.state(), State::Idle)
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
        self.shared.set(State::Quitting);
        if let Some(thread) = self.thread.take() {
            // A search that panicked has said so already.
            let _ = thread.join();
        }
    }
}

/// The deepest line of the search needs a few hundred bytes to some kilobytes a ply.
const STACK_BYTES: usize = 8 << 20;

/// The life of the thread.
fn run(shared: &Shared) {
    let mut memory = Memory::new();
    loop {
        let mut state =
            shared.wait_until(|state| matches!(state, State::Waiting(..) | State::Quitting));
        let State::Waiting(job, table) = std::mem::replace(&mut *state, State::Searching) else {
            return;
        };
        drop(state);
        if shared.forget.swap(false, Relaxed) {
            memory.clear();
        }
        memory = search(memory, &job, table, &shared.signals);
        drop(job);
        shared.set(State::Idle);
    }
}

fn search(memory: Memory, job: &Job, table: Arc<Table>, signals: &Arc<Signals>) -> Memory {
    let mut worker = Worker::new(
        table,
        Arc::clone(signals),
        memory,
        &job.position,
        &job.limits,
        &job.options,
    );
    let result = worker.iterate(Client {
        limits: &job.limits,
        options: &job.options,
        sink: &*job.sink,
    });
    signals.wait_to_answer(job.limits.infinite);
    job.sink.emit(&Event::BestMove {
        best: result.best,
        ponder: result.ponder,
    });
    worker.into_memory()
}
