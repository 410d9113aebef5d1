//! Searching with a net.

mod common;

use std::sync::Arc;

use common::net::material_network;
use vermilion::engine::Engine;
use vermilion::eval::{Evaluation, evaluate};
use vermilion::nnue::{Kernels, board_value};
use vermilion::position::Position;
use vermilion::search::{Limits, Searcher};
use vermilion::tools::bench::{bench, positions};

fn net(seed: u64) -> Evaluation {
    Evaluation::net(Arc::new(material_network(seed)))
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

#[test]
fn bench_gives_the_same_number_with_all_kernels() {
    let network = Arc::new(material_network(1));
    let nodes = |evaluation: &Evaluation| {
        let result = bench(7, 4, evaluation, &mut || true).expect("4 MiB");
        result.expect("nobody stops it").nodes
    };
    let numbers: Vec<u64> = Kernels::available()
        .map(|kernels| {
            let network = Arc::clone(&network);
            nodes(&Evaluation::Net { network, kernels })
        })
        .collect();
    assert!(
        numbers.iter().all(|&number| number == numbers[0]),
        "{numbers:?}"
    );
    assert_ne!(numbers[0], nodes(&Evaluation::Classical));
    assert_ne!(numbers[0], nodes(&net(2)));
}

/// A debug build compares every accumulator that the search asks for with a fresh one.
#[test]
fn accumulators_stay_right_in_long_and_sharp_searches() {
    if !cfg!(debug_assertions) {
        return;
    }
    let mut searcher = Searcher::new(4).expect("4 MiB");
    searcher.set_evaluation(net(3));
    let mut nodes = 0;
    for position in positions() {
        let limits = Limits {
            nodes: Some(20_000),
            ..Limits::default()
        };
        nodes += searcher.search(&position, &limits).nodes;
    }
    assert!(nodes > 300_000, "{nodes}");
}

#[test]
fn the_net_is_what_the_search_believes() {
    let mut searcher = Searcher::new(4).expect("4 MiB");
    searcher.set_evaluation(net(4));
    // The horse on c7 has no guard; a rook takes it.
    let position: Position = "3ak4/4a4/2n6/9/9/9/9/9/2R6/3K5 w - - 0 1"
        .parse()
        .expect("a position");
    let result = searcher.search(&position, &depth(4));
    assert_eq!(
        result.best.map(|mv| mv.to_string()),
        Some("c1c7".to_owned())
    );
    assert!(result.value > evaluate(&position, &net(4)));
}

#[test]
fn a_new_evaluation_begins_with_a_clean_slate() {
    let start = Position::startpos();
    let search = |searcher: &mut Searcher| searcher.search(&start, &depth(8));
    let mut fresh = Searcher::new(4).expect("4 MiB");
    fresh.set_evaluation(Evaluation::Classical);
    let classical = search(&mut fresh);
    let mut changed = Searcher::new(4).expect("4 MiB");
    changed.set_evaluation(net(5));
    assert_ne!(search(&mut changed), classical);
    changed.set_evaluation(Evaluation::Classical);
    assert_eq!(search(&mut changed), classical);
    // The same evaluation again changes nothing: the table helps.
    changed.set_evaluation(Evaluation::Classical);
    assert!(search(&mut changed).nodes < classical.nodes);
}

#[test]
fn the_engine_forgets_when_its_evaluation_changes() {
    let mut engine = Engine::new();
    let nodes = |engine: &mut Engine| engine.search(depth(8)).lines[0].nodes;
    engine.set_evaluation(Evaluation::Classical);
    let classical = nodes(&mut engine);
    let evaluation = net(6);
    engine.set_evaluation(evaluation.clone());
    let with_net = nodes(&mut engine);
    assert_ne!(with_net, classical);
    engine.set_evaluation(Evaluation::Classical);
    assert_eq!(nodes(&mut engine), classical);
    engine.set_evaluation(evaluation.clone());
    assert_eq!(nodes(&mut engine), with_net);
    assert_eq!(engine.evaluate(), evaluate(engine.position(), &evaluation));
}

#[test]
fn a_board_need_not_be_a_position_to_have_a_value() {
    let network = material_network(7);
    let position = Position::startpos();
    let men = |position: &Position, without: usize| {
        let men = position.occupied().into_iter().skip(without);
        let men = men.filter_map(|square| Some((position.piece_on(square)?, square)));
        board_value(&network, men, position.side())
    };
    let whole = evaluate(&position, &Evaluation::net(Arc::new(material_network(7))));
    assert_eq!(men(&position, 0), whole);
    // Red's rook on a0 is the first man.
    assert!(men(&position, 1) < whole - 400);
}
