//! What the Asian rules cost the search, against a rule set that asks nothing.
//!
//! The positions of `vermilion bench` are searched in turn under both rule sets, eleven
//! times over. Only those count whose trees are the same under both, so that the time
//! differs by the judging alone. A plain program: the figure wanted is one ratio.

use std::time::{Duration, Instant};

use vermilion::position::Position;
use vermilion::rules::{RuleSet, Rules};
use vermilion::search::{HashError, Limits, Searcher};
use vermilion::tools::bench::positions;

const PAIRS: usize = 11;
const DEPTH: u32 = 12;

/// Nodes and time of one search with an empty table.
fn search(searcher: &mut Searcher, position: &Position) -> (u64, Duration) {
    searcher.clear();
    let limits = Limits {
        depth: Some(DEPTH),
        ..Limits::default()
    };
    let start = Instant::now();
    let nodes = searcher.search(position, &limits).nodes;
    (nodes, start.elapsed())
}

fn main() -> Result<(), HashError> {
    let mut searchers = [Searcher::new(16)?, Searcher::new(16)?];
    for (searcher, set) in searchers
        .iter_mut()
        .zip([RuleSet::AsianRule, RuleSet::AlwaysDraw])
    {
        searcher.set_rules(Rules::new(set));
    }
    let [asian, draw] = &mut searchers;
    let same: Vec<Position> = positions()
        .filter(|position| search(asian, position).0 == search(draw, position).0)
        .collect();
    let mut ratios: Vec<f64> = (0..PAIRS)
        .map(|pair| {
            let (mut with, mut without) = (Duration::ZERO, Duration::ZERO);
            for (index, position) in same.iter().enumerate() {
                // Whoever goes first finds colder caches.
                if (pair + index) % 2 == 0 {
                    with += search(asian, position).1;
                    without += search(draw, position).1;
                } else {
                    without += search(draw, position).1;
                    with += search(asian, position).1;
                }
            }
            without.as_secs_f64() / with.as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!(
        "nodes a second under AsianRule, as a share of those under AlwaysDraw: median {:.3}, \
         least {:.3}, most {:.3}, over {} of {} positions at depth {DEPTH}",
        ratios[PAIRS / 2],
        ratios[0],
        ratios[PAIRS - 1],
        same.len(),
        positions().count(),
    );
    Ok(())
}
