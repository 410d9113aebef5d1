//! Work on several threads whose results are taken in the order of their numbers, so that
//! the outcome does not depend on the threads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

/// Enough for a search of the greatest depth.
const STACK_BYTES: usize = 8 << 20;

/// Does the work of the numbers from `numbers.start` on, on one thread for each of
/// `workers`, and hands the results to `take` one after the other.
///
/// Once `stop` is set no work is begun; what has begun is finished and taken. If `take`
/// breaks off, what else has begun is lost and the value is returned.
pub fn in_order<W: Send, T: Send, B>(
    workers: &mut [W],
    numbers: std::ops::Range<u64>,
    stop: &AtomicBool,
    work: impl Fn(&mut W, u64) -> T + Sync,
    mut take: impl FnMut(u64, T) -> ControlFlow<B>,
) -> Option<B> {
    let next = AtomicU64::new(numbers.start);
    let done = AtomicBool::new(false);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for worker in workers {
            let (next, done, work, sender) = (&next, &done, &work, sender.clone());
            let run = move || {
                while !stop.load(Ordering::Relaxed) && !done.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end || sender.send((number, work(worker, number))).is_err()
                    {
                        return;
                    }
                }
            };
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, run)
                .expect("a thread");
        }
        drop(sender);
        let mut expected = numbers.start;
        let mut waiting = BTreeMap::new();
        for (number, result) in results {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&expected) {
                if let ControlFlow::Break(value) = take(expected, result) {
                    done.store(true, Ordering::Relaxed);
                    return Some(value);
                }
                expected += 1;
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(threads: usize, last: u64) -> Vec<u64> {
        let mut taken = Vec::new();
        let stop = AtomicBool::new(false);
        in_order(
            &mut vec![(); threads],
            3..500,
            &stop,
            |(), number| {
                // Some take longer than others.
                (0..number % 7 * 1_000).fold(number, |sum, x| std::hint::black_box(sum ^ x ^ x))
            },
            |number, result| {
                assert_eq!(number, result);
                taken.push(result);
                match result == last {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        );
        taken
    }

    #[test]
    fn results_come_in_order_whatever_the_threads() {
        for threads in [1, 2, 5] {
            assert_eq!(taken(threads, 1_000), (3..500).collect::<Vec<_>>());
            assert_eq!(taken(threads, 40), (3..=40).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_has_begun_before_a_stop_is_taken() {
        let stop = AtomicBool::new(false);
        let mut taken = Vec::new();
        let begun = AtomicU64::new(0);
        in_order(
            &mut [(); 3],
            0..1_000_000,
            &stop,
            |(), number| {
                begun.fetch_add(1, Ordering::Relaxed);
                if number > 20 {
                    stop.store(true, Ordering::Relaxed);
                }
                number
            },
            |_, number| {
                taken.push(number);
                ControlFlow::<()>::Continue(())
            },
        );
        assert_eq!(taken, (0..begun.into_inner()).collect::<Vec<_>>());
        assert!(taken.len() > 20);
    }
}
