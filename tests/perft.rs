//! The perft suites, counted both ways.

mod common;

use common::{PerftLine, perft_lines};
use vermilion::position::Position;
use vermilion::tools::perft::{Leaves, perft};

/// Counts a line to every depth with no more than `budget` nodes; the depths counted.
fn run(line: &PerftLine, budget: u64) -> usize {
    let fen = &line.fen;
    let mut position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let within = line.counts.iter().filter(|(_, nodes)| *nodes <= budget);
    for &(depth, nodes) in within.clone() {
        for leaves in [Leaves::Count, Leaves::List] {
            let counted = perft(&mut position, depth, leaves);
            assert_eq!(
                counted, nodes,
                "{}: {fen} depth {depth} {leaves:?}",
                line.suite
            );
        }
    }
    within.count()
}

#[test]
fn every_suite_line_counts_right_within_a_budget() {
    let lines = perft_lines();
    let counted: usize = lines.iter().map(|line| run(line, 6_000_000)).sum();
    let all: usize = lines.iter().map(|line| line.counts.len()).sum();
    assert!(
        counted + 5 > all,
        "the budget leaves out too much: {counted} of {all}"
    );
}

#[test]
#[ignore = "133 million nodes more; `perft --suite` counts them too"]
fn every_suite_line_counts_right_to_the_end() {
    for line in perft_lines() {
        assert_eq!(run(&line, u64::MAX), line.counts.len());
    }
}

#[test]
fn the_suites_hold_every_line_once() {
    let lines = perft_lines();
    let mut fens: Vec<&str> = lines.iter().map(|line| line.fen.as_str()).collect();
    fens.sort_unstable();
    fens.dedup();
    assert_eq!(fens.len(), lines.len());
    assert!(lines.iter().all(|line| !line.counts.is_empty()));
}

#[test]
fn twins_have_equal_counts() {
    let twins: Vec<PerftLine> = perft_lines()
        .into_iter()
        .filter(|line| line.suite == "twins")
        .collect();
    assert!(!twins.is_empty());
    for group in twins.chunks(4) {
        let base: Position = group[0]
            .fen
            .parse()
            .unwrap_or_else(|error| panic!("{error}"));
        let images = [
            base.fen(),
            base.flipped().fen(),
            base.mirrored().fen(),
            base.mirrored().flipped().fen(),
        ];
        for (line, image) in group.iter().zip(images) {
            assert_eq!(line.fen, image);
            assert_eq!(line.counts, group[0].counts, "{}", line.fen);
        }
    }
}
