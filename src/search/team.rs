//! What the threads of one search tell each other besides the transposition table.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::SearchResult;
use crate::types::{MAX_EVAL, Move, Value};

/// How much the vote of a thread counts that is no better than the worst, for each ply.
const VOTE_BASE: i64 = 12;

/// A counter on a cache line of its own, so that counting does not slow the others.
#[derive(Default)]
#[repr(align(64))]
struct Counter(AtomicU64);

/// The threads of one search (Lazy SMP): each counts its nodes here and leaves the result
/// of its last complete iteration. Index 0 is the thread that answers.
pub(super) struct Team {
    counters: Box<[Counter]>,
    results: Box<[Mutex<Option<SearchResult>>]>,
}

impl Team {
    /// A team of so many threads, at least one.
    pub(super) fn new(threads: usize) -> Self {
        let threads = threads.max(1);
        Self {
            counters: (0..threads).map(|_| Counter::default()).collect(),
            results: (0..threads).map(|_| Mutex::new(None)).collect(),
        }
    }

    /// How many threads search.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.counters.len()
    }

    /// Tells the others how many nodes this thread has searched.
    #[inline]
    pub(super) fn count(&self, index: usize, nodes: u64) {
        self.counters[index].0.store(nodes, Relaxed);
    }

    /// The nodes that the other threads have told of.
    #[inline]
    pub(super) fn nodes_of_others(&self, index: usize) -> u64 {
        let others = self.counters.iter().enumerate();
        let others = others.filter(|&(other, _)| other != index);
        others.map(|(_, counter)| counter.0.load(Relaxed)).sum()
    }

    /// Leaves the result of a complete iteration.
    pub(super) fn report(&self, index: usize, result: SearchResult) {
        *self.result(index) = Some(result);
    }

    fn result(&self, index: usize) -> MutexGuard<'_, Option<SearchResult>> {
        self.results[index]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The result to answer with: of the thread that answers, or of another one if more
    /// threads, deeper or more hopeful ones, chose its move.
    /// Where a depth was asked for, only a result as deep counts if there is one.
    pub(super) fn elect(&self, own: SearchResult, asked: Option<u32>) -> SearchResult {
        let others = (1..self.size()).filter_map(|index| self.result(index).clone());
        elect(own, others, asked)
    }
}

fn elect(
    own: SearchResult,
    others: impl Iterator<Item = SearchResult>,
    asked: Option<u32>,
) -> SearchResult {
    let mut results = vec![own];
    results.extend(others.filter(|result| result.depth > 0 && result.best.is_some()));
    let worst = results.iter().map(|result| result.value).min();
    let weight = |result: &SearchResult| {
        let above = i64::from(result.value - worst.unwrap_or(result.value));
        (above + VOTE_BASE) * i64::from(result.depth)
    };
    let votes = |mv: Option<Move>| -> i64 {
        let same = results.iter().filter(|result| result.best == mv);
        same.map(weight).sum()
    };
    // A proven win is worth more than any vote, the shortest one most; of equals the first.
    let rank = |result: &SearchResult| -> (bool, Value, i64, i64) {
        let won = if result.value > MAX_EVAL {
            result.value
        } else {
            0
        };
        let reached = asked.is_some_and(|depth| result.depth >= depth);
        (reached, won, votes(result.best), weight(result))
    };
    let mut best = 0;
    for index in 1..results.len() {
        if rank(&results[index]) > rank(&results[best]) {
            best = index;
        }
    }
    results.swap_remove(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(mv: &str, value: Value, depth: u32) -> SearchResult {
        let mv = Move::parse(mv).expect("a move");
        SearchResult {
            best: Some(mv),
            ponder: None,
            value,
            depth,
            nodes: 0,
            pv: vec![mv],
        }
    }

    fn elected(own: SearchResult, others: &[SearchResult]) -> Option<String> {
        let best = elect(own, others.iter().cloned(), None).best;
        best.map(|mv| mv.to_string())
    }

    #[test]
    fn most_votes_win_and_a_tie_is_the_answerers() {
        let own = result("h2e2", 20, 10);
        assert_eq!(elected(own.clone(), &[]).as_deref(), Some("h2e2"));
        let one = result("b0c2", 20, 10);
        assert_eq!(
            elected(own.clone(), std::slice::from_ref(&one)).as_deref(),
            Some("h2e2")
        );
        let two = [one.clone(), one];
        assert_eq!(elected(own.clone(), &two).as_deref(), Some("b0c2"));
        let deeper = [result("b0c2", 20, 13)];
        assert_eq!(elected(own, &deeper).as_deref(), Some("b0c2"));
    }

    #[test]
    fn the_shortest_proven_win_is_played_whatever_the_votes() {
        let own = result("h2e2", 400, 20);
        let others = [
            result("h2e2", 400, 20),
            result("b0c2", 31_980, 9),
            result("h0g2", 31_990, 8),
        ];
        assert_eq!(elected(own, &others).as_deref(), Some("h0g2"));
    }

    #[test]
    fn a_thread_without_a_complete_iteration_has_no_vote() {
        let own = result("h2e2", 0, 3);
        assert_eq!(
            elected(own, &[result("b0c2", 31_000, 0)]).as_deref(),
            Some("h2e2")
        );
    }

    #[test]
    fn where_a_depth_was_asked_for_a_result_as_deep_counts() {
        let own = result("h2e2", 400, 11);
        let other = result("b0c2", 20, 12);
        let best = |asked| elect(own.clone(), [other.clone()].into_iter(), asked).best;
        assert_eq!(best(Some(12)), other.best);
        assert_eq!(best(None), own.best);
    }

    #[test]
    fn nodes_are_those_of_the_others() {
        let team = Team::new(3);
        team.count(0, 5);
        team.count(1, 70);
        team.count(2, 900);
        assert_eq!(team.nodes_of_others(0), 970);
        assert_eq!(team.nodes_of_others(2), 75);
        assert_eq!(Team::new(1).nodes_of_others(0), 0);
    }
}
