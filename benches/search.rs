//! The speed of the evaluation and of a short search.

#![allow(
    missing_docs,
    reason = "the macros of criterion make functions without documentation"
)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

use vermilion::eval::{Evaluation, evaluate};
use vermilion::position::Position;
use vermilion::search::{Limits, Searcher};
use vermilion::tools::bench::positions;

fn evaluation(criterion: &mut Criterion) {
    let positions: Vec<Position> = positions().collect();
    let mut group = criterion.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("bench positions", |bencher| {
        bencher.iter(|| {
            positions
                .iter()
                .map(|position| evaluate(black_box(position), &Evaluation::Classical))
                .sum::<i32>()
        });
    });
    group.finish();
}

fn search(criterion: &mut Criterion) {
    const NODES: u64 = 100_000;
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    let mut searcher = Searcher::new(16).expect("memory for a small table");
    let mut group = criterion.benchmark_group("search");
    group
        .throughput(Throughput::Elements(NODES))
        .sample_size(20);
    group.bench_function("start position", |bencher| {
        bencher.iter(|| {
            searcher.clear();
            searcher.search(&Position::startpos(), &limits)
        });
    });
    group.finish();
}

criterion_group!(benches, evaluation, search);
criterion_main!(benches);
