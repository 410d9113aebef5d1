//! What the outside tells a running search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Stop and ponder-hit, seen by the search threads without a lock while they search.
pub(super) struct Signals {
    stop: AtomicBool,
    /// The thread that answers has finished.
    finished: AtomicBool,
    /// A thread that does not answer has completed the last iteration that is wanted.
    depth_reached: AtomicBool,
    pondering: AtomicBool,
    /// Since when the clock runs.
    clock_start: Mutex<Instant>,
    changed: Condvar,
}

impl Signals {
    pub(super) fn new() -> Self {
        Self {
            stop: AtomicBool::new(false),
            finished: AtomicBool::new(false),
            depth_reached: AtomicBool::new(false),
            pondering: AtomicBool::new(false),
            clock_start: Mutex::new(Instant::now()),
            changed: Condvar::new(),
        }
    }

    fn clock(&self) -> MutexGuard<'_, Instant> {
        self.clock_start
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a search; the clock runs from now unless it ponders.
    pub(super) fn begin(&self, ponder: bool, now: Instant) {
        let mut clock = self.clock();
        *clock = now;
        self.stop.store(false, Relaxed);
        self.finished.store(false, Relaxed);
        self.depth_reached.store(false, Relaxed);
        self.pondering.store(ponder, Relaxed);
    }

    pub(super) fn stop(&self) {
        let _clock = self.clock();
        self.stop.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// The pondered move was played: the clock runs from now.
    pub(super) fn ponder_hit(&self) {
        let mut clock = self.clock();
        if self.pondering.load(Relaxed) {
            *clock = Instant::now();
            self.pondering.store(false, Relaxed);
            self.changed.notify_all();
        }
    }

    /// Lets the threads that do not answer end their search.
    pub(super) fn halt_helpers(&self) {
        self.finished.store(true, Relaxed);
    }

    /// Whether the thread that answers has finished.
    #[inline]
    pub(super) fn helpers_halted(&self) -> bool {
        self.finished.load(Relaxed)
    }

    /// Tells the thread that answers that the last iteration wanted is done.
    pub(super) fn reach_depth(&self) {
        self.depth_reached.store(true, Relaxed);
    }

    /// Whether a thread that does not answer has done the last iteration that is wanted.
    #[inline]
    pub(super) fn depth_reached(&self) -> bool {
        self.depth_reached.load(Relaxed)
    }

    #[inline]
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// How long the clock has run; `None` while pondering.
    pub(super) fn time_on_clock(&self) -> Option<Duration> {
        if self.pondering.load(Relaxed) {
            return None;
        }
        Some(self.clock().elapsed())
    }

    /// Blocks until the answer may be given: after `stop` or, unless the search is
    /// infinite, when it does not ponder.
    pub(super) fn wait_to_answer(&self, infinite: bool) {
        let mut clock = self.clock();
        while !self.stopped() && (infinite || self.pondering.load(Relaxed)) {
            clock = self
                .changed
                .wait(clock)
                .unwrap_or_else(PoisonError::into_inner);
        }
        drop(clock);
    }
}
