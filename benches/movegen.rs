//! Speed of move generation: perft in both ways of counting, lists, make and undo.
//!
//! Every perft asserts its count, so that it cannot get fast by getting wrong.

#![allow(
    missing_docs,
    reason = "criterion_group! makes an undocumented public function"
)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use vermilion::position::{GenKinds, Position};
use vermilion::tools::perft::{Leaves, perft};
use vermilion::types::MoveList;

/// Name, FEN, depth, and the perft count at that depth.
const PERFTS: [(&str, &str, u32, u64); 3] = [
    (
        "start",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        4,
        3_290_240,
    ),
    (
        "middlegame",
        "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
        4,
        1_339_047,
    ),
    (
        "ending",
        "3ak4/9/4b4/9/2R6/6N2/9/4B3r/4A4/4KC3 w - - 0 1",
        5,
        24_299_775,
    ),
];

fn position(fen: &str) -> Position {
    fen.parse().expect("the benches use playable positions")
}

fn perfts(c: &mut Criterion) {
    for leaves in [Leaves::Count, Leaves::List] {
        let mut group = c.benchmark_group(format!("perft/{leaves:?}").to_lowercase());
        for (name, fen, depth, nodes) in PERFTS {
            let mut position = position(fen);
            group.throughput(Throughput::Elements(nodes));
            group.bench_function(name, |b| {
                b.iter(|| assert_eq!(perft(&mut position, depth, leaves), nodes));
            });
        }
        group.finish();
    }
}

fn lists(c: &mut Criterion) {
    let mut group = c.benchmark_group("moves");
    for (name, fen, ..) in PERFTS {
        let position = position(fen);
        let mut list = MoveList::new();
        group.throughput(Throughput::Elements(u64::from(position.count_legal())));
        group.bench_function(format!("legal/{name}"), |b| {
            b.iter(|| {
                list.clear();
                position.legal_moves(black_box(&mut list));
            });
        });
        group.bench_function(format!("captures/{name}"), |b| {
            b.iter(|| {
                list.clear();
                let legality = position.legality();
                position.generate(GenKinds::CAPTURES, &legality, black_box(&mut list));
            });
        });
    }
    group.finish();
}

fn make_and_undo(c: &mut Criterion) {
    let mut group = c.benchmark_group("make and undo");
    for (name, fen, ..) in PERFTS {
        let mut position = position(fen);
        let mut list = MoveList::new();
        position.legal_moves(&mut list);
        group.throughput(Throughput::Elements(list.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                for mv in list.iter() {
                    position.make(mv);
                    black_box(position.key());
                    position.undo();
                }
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(3))
        .sample_size(20);
    targets = perfts, lists, make_and_undo
}
criterion_main!(benches);
