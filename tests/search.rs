//! The search as its users see it: values, limits, lines, and the pool of threads.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use vermilion::position::Position;
use vermilion::rules::Rules;
use vermilion::search::{
    Bound, Clock, Event, EventSink, Job, Limits, Pool, SearchInfo, SearchOptions, SearchResult,
    Searcher,
};
use vermilion::types::{Move, MoveList, RULE_WIN_IN_MAX_PLY, Score, mates_in};

/// A hang, not a slow machine.
const HANG: Duration = Duration::from_secs(10);

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn moves(position: &mut Position, text: &str) {
    for word in text.split_whitespace() {
        let mv = Move::parse(word).expect("coordinates");
        assert!(position.is_legal(mv), "{word}");
        position.make(mv);
    }
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn search(position: &Position, limits: &Limits) -> SearchResult {
    Searcher::new(16).expect("memory").search(position, limits)
}

/// Sends the events on to the test.
struct Channel(Mutex<Sender<Event>>);

impl EventSink for Channel {
    fn emit(&self, event: &Event) {
        // A test that has seen enough drops its end.
        let _ = self
            .0
            .lock()
            .expect("no test panics here")
            .send(event.clone());
    }
}

fn start(pool: &mut Pool, position: &Position, limits: Limits, multipv: usize) -> Receiver<Event> {
    let options = SearchOptions {
        multipv,
        ..SearchOptions::default()
    };
    start_with(pool, position, limits, options)
}

fn start_with(
    pool: &mut Pool,
    position: &Position,
    limits: Limits,
    options: SearchOptions,
) -> Receiver<Event> {
    let (sender, receiver) = channel();
    pool.start(Job {
        position: position.clone(),
        limits,
        options,
        sink: Arc::new(Channel(Mutex::new(sender))),
    });
    receiver
}

/// Everything that a search said.
struct Report {
    infos: Vec<SearchInfo>,
    notices: Vec<String>,
    best: Option<Move>,
    ponder: Option<Move>,
}

/// Listens until the search is over, and checks what holds of every search.
fn listen(receiver: &Receiver<Event>, root: &Position) -> Report {
    let mut report = Report {
        infos: Vec::new(),
        notices: Vec::new(),
        best: None,
        ponder: None,
    };
    loop {
        match receiver.recv_timeout(HANG).expect("an answer") {
            Event::Info(info) => report.infos.push(info),
            Event::Notice(text) => report.notices.push(text),
            Event::CurrentMove { mv, .. } => assert!(root.is_legal(mv)),
            Event::BestMove { best, ponder } => {
                report.best = best;
                report.ponder = ponder;
                break;
            }
        }
    }
    for info in &report.infos {
        let mut line = root.clone();
        for &mv in &info.pv {
            assert!(line.is_legal(mv), "{:?}", info.pv);
            line.make(mv);
        }
        assert_eq!(info.pv.is_empty(), root.has_no_moves());
    }
    let last = report.infos.iter().rfind(|info| info.multipv == 1);
    let last = last.expect("at least one line");
    assert_eq!(report.best, last.pv.first().copied());
    report
}

fn run(root: &Position, limits: Limits, multipv: usize) -> Report {
    let mut pool = Pool::new();
    let receiver = start(&mut pool, root, limits, multipv);
    let report = listen(&receiver, root);
    pool.wait();
    assert!(receiver.try_recv().is_err(), "a word after the answer");
    report
}

/// Positions with the length of the shortest mate, in moves; fairy-stockfish agrees.
const MATES: [(&str, i32); 14] = [
    (
        "4kab2/3P5/3Nb4/3N5/6pn1/9/2P6/2n6/2p2p3/3AKA1p1 w - - 0 1",
        1,
    ),
    ("3aka2c/9/8b/9/9/9/N3r4/9/9/3KC4 b - - 0 1", 1),
    (
        "9/4P4/2NakaR2/3P1P3/2pP1cb2/3r1c3/1rPNCp1n1/3K1A3/2p3n2/9 b - - 0 1",
        1,
    ),
    ("9/3k5/9/3c5/9/9/1r7/9/3K5/4pnr2 b - - 0 1", 2),
    (
        "1P1a1kb2/4a4/1C2b4/6p2/7N1/4C4/3N2P2/r2ppp3/9/5K1c1 b - - 0 1",
        2,
    ),
    ("2bk5/r3aR3/n1r1b4/9/9/6R2/9/3n5/4p4/1C3K3 w - - 0 1", 3),
    (
        "3a5/2NPak3/6P2/6r2/6r2/4C4/5n3/2np5/1c4p2/2p2K3 b - - 0 1",
        3,
    ),
    ("5k3/4R4/b8/8C/9/1p2C2N1/2r6/3K5/3n5/9 b - - 0 1", 3),
    ("1n1k1a3/R8/b2ab4/2R6/9/6C2/9/4C4/3pArn1c/4K4 w - - 0 1", 4),
    ("2bak1C2/3caP3/4b4/3N1Cn2/9/9/8n/9/4p4/5K3 w - - 0 1", 4),
    ("5k3/3Cc1P1r/2c2N3/9/9/9/9/9/3p2r2/3CKR3 w - - 0 1", 5),
    ("2bak1b2/4aR3/9/3NR4/9/9/9/6n2/r2r1p3/4K4 w - - 0 1", 5),
    (
        "4k1b1C/1rP1a4/6N1b/7R1/9/6B2/9/2n6/3c1p3/4K1B1r b - - 0 1",
        -3,
    ),
    (
        "1PP1kab2/1R2a4/3R5/4C4/1C7/1r7/9/2n6/3p1r3/4K4 b - - 0 1",
        -1,
    ),
];

#[test]
fn mates_are_found_at_their_distance_and_played_out() {
    for (fen, mate) in MATES {
        let root = position(fen);
        let result = search(&root, &nodes(300_000));
        assert_eq!(Score::from_value(result.value), Score::Mate(mate), "{fen}");
        let plies = if mate > 0 { 2 * mate - 1 } else { -2 * mate };
        assert_eq!(result.pv.len(), plies as usize, "{fen}");
        let mut end = root.clone();
        for &mv in &result.pv {
            assert!(end.is_legal(mv));
            end.make(mv);
        }
        assert!(end.has_no_moves(), "{fen}");
    }
}

#[test]
fn stalemating_wins_like_mating() {
    // After c7d7 the general on d9 is not attacked, but has nowhere to go.
    let root = position("3k5/9/2P6/9/9/9/9/9/9/4K4 w - - 0 1");
    let result = search(&root, &depth(6));
    assert_eq!(result.value, mates_in(1));
    let mut end = root.clone();
    for &mv in &result.pv {
        end.make(mv);
    }
    assert!(end.has_no_moves() && !end.in_check());
}

#[test]
fn a_lost_root_has_no_best_move() {
    for fen in [
        "5k3/1PP6/2P2P3/4R4/9/9/9/9/9/5K3 b - - 0 1",
        "1P1aka1P1/7PC/n3b4/9/6b2/8r/9/3r5/1c1N5/c1BK3R1 w - - 0 1",
    ] {
        let report = run(&position(fen), depth(5), 1);
        assert_eq!((report.best, report.ponder), (None, None));
        assert_eq!(report.infos.len(), 1);
        assert_eq!(report.infos[0].depth, 0);
        assert_eq!(report.infos[0].score, Score::Mate(0));
    }
}

#[test]
fn a_drawn_fortress_shows_no_mate() {
    let root = position("3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w - - 0 1");
    for info in run(&root, depth(20), 1).infos {
        assert!(matches!(info.score, Score::Cp(_)), "{info:?}");
    }
}

/// Red can check for ever with the rook, but may not; without checks Black mates.
const PERPETUAL: &str = "4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w - - 0 1";

#[test]
fn perpetual_check_saves_nobody() {
    let report = run(&position(PERPETUAL), depth(14), 1);
    for info in report.infos.iter().filter(|info| info.depth >= 5) {
        match info.score {
            Score::Cp(cp) => assert!(cp < -500, "{info:?}"),
            Score::Mate(moves) => assert!(moves < 0, "{info:?}"),
        }
    }
}

#[test]
fn whoever_has_checked_round_the_cycle_twice_loses_by_rule_if_he_goes_on() {
    let mut root = position(PERPETUAL);
    moves(&mut root, "i8i9 e9e8 i9i8 e8e9 i8i9 e9e8");
    let back = Move::parse("i9i8").expect("coordinates");
    let limits = Limits {
        search_moves: [back].into_iter().collect(),
        ..depth(3)
    };
    let report = run(&root, limits, 1);
    let last = report.infos.last().expect("a line");
    // Black steps back to e9 and the position stands for the third time.
    assert!(
        matches!(last.score, Score::Cp(cp) if cp <= -RULE_WIN_IN_MAX_PLY),
        "{last:?}"
    );
}

#[test]
fn repetitions_before_the_root_count() {
    // Black is a rook down; going back is the third occurrence and a draw.
    let mut root = position("3k5/9/7r1/9/9/R8/9/9/R8/4K4 b - - 0 1");
    moves(&mut root, "h7g7 a1b1 g7h7 b1a1 h7g7 a1b1 g7h7");
    let draw = Move::parse("b1a1").expect("coordinates");
    let limits = Limits {
        search_moves: [draw].into_iter().collect(),
        ..depth(4)
    };
    assert_eq!(search(&root, &limits).value, 0);
    assert!(search(&root, &depth(8)).value > 300);
}

#[test]
fn sixty_rounds_without_a_capture_are_a_draw_unless_mated() {
    let quiet = search(
        &position("3k5/9/9/9/9/9/9/9/R8/5K3 w - - 119 60"),
        &depth(6),
    );
    assert_eq!(quiet.value, 0);
    let mate = search(
        &position("3k5/R8/9/9/9/9/9/9/1R7/4K4 w - - 119 60"),
        &depth(6),
    );
    assert_eq!(mate.value, mates_in(1));
}

#[test]
fn a_soft_node_limit_ends_the_search_after_the_iteration_that_reaches_it() {
    let root = Position::startpos();
    let soft = Limits {
        soft_nodes: Some(1_500),
        ..Limits::default()
    };
    let result = search(&root, &soft);
    assert_eq!(result, search(&root, &depth(result.depth)));
    assert!(result.nodes >= 1_500);
    assert!(search(&root, &depth(result.depth - 1)).nodes < 1_500);
}

#[test]
fn a_node_limit_is_exact_and_the_search_repeats_itself() {
    let root = Position::startpos();
    let mut searcher = Searcher::new(2).expect("memory");
    for limit in [1, 2, 10, 1_000, 20_001, 50_000] {
        searcher.clear();
        let first = searcher.search(&root, &nodes(limit));
        assert_eq!(first.nodes, limit);
        searcher.clear();
        assert_eq!(searcher.search(&root, &nodes(limit)), first);
    }
    let report = run(&root, nodes(12_345), 1);
    assert_eq!(report.infos.last().map(|info| info.nodes), Some(12_345));
}

#[test]
fn a_new_game_leaves_nothing_behind() {
    let root =
        position("r1bakab1r/9/1cn3nc1/p3p1p1p/2p6/9/P1P1P1P1P/1C2B2CN/8R/RN1AKAB2 w - - 0 1");
    let mut pool = Pool::new();
    let total = |pool: &mut Pool| {
        let receiver = start(pool, &root, depth(8), 1);
        let report = listen(&receiver, &root);
        pool.clear();
        report.infos.last().map(|info| info.nodes)
    };
    let first = total(&mut pool);
    assert_eq!(total(&mut pool), first);
    assert_eq!(Some(search(&root, &depth(8)).nodes), first);
}

#[test]
fn threads_search_together_and_answer_once() {
    let root =
        position("r1bakab1r/9/1cn3nc1/p3p1p1p/2p6/9/P1P1P1P1P/1C2B2CN/8R/RN1AKAB2 w - - 0 1");
    let mut pool = Pool::new();
    for threads in [3, 8, 2, 0, 1] {
        pool.set_threads(threads).expect("a few threads");
        assert_eq!(pool.threads(), threads.max(1));
        for limits in [depth(8), nodes(60_000), depth(1)] {
            let receiver = start(&mut pool, &root, limits, 1);
            listen(&receiver, &root);
            pool.wait();
            assert!(receiver.try_recv().is_err(), "a word after the answer");
        }
        let lines = start(&mut pool, &root, depth(5), 3);
        let report = listen(&lines, &root);
        assert!(report.infos.iter().any(|info| info.multipv == 3));
    }
}

#[test]
fn all_threads_together_keep_to_the_nodes() {
    let root = Position::startpos();
    let mut pool = Pool::new();
    pool.set_threads(4).expect("four threads");
    let receiver = start(&mut pool, &root, nodes(200_000), 1);
    let report = listen(&receiver, &root);
    let searched = report.infos.last().map_or(0, |info| info.nodes);
    // Each thread tells how far it is every 512 nodes.
    assert!((200_000..210_000).contains(&searched), "{searched}");
}

#[test]
fn one_thread_is_deterministic_after_several_have_searched() {
    let root = Position::startpos();
    let mut pool = Pool::new();
    let total = |pool: &mut Pool| {
        pool.clear();
        let receiver = start(pool, &root, depth(8), 1);
        listen(&receiver, &root).infos.last().map(|info| info.nodes)
    };
    let first = total(&mut pool);
    pool.set_threads(5).expect("five threads");
    total(&mut pool);
    pool.set_threads(1).expect("one thread");
    assert_eq!(total(&mut pool), first);
}

#[test]
fn several_lines_are_different_and_in_order() {
    let root = Position::startpos();
    let report = run(&root, depth(7), 5);
    for depth in 1..=7 {
        let lines: Vec<&SearchInfo> = report
            .infos
            .iter()
            .filter(|info| info.depth == depth)
            .collect();
        let numbers: Vec<usize> = lines.iter().map(|info| info.multipv).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5]);
        let values: Vec<i32> = lines
            .iter()
            .map(|info| match info.score {
                Score::Cp(cp) => cp,
                Score::Mate(_) => panic!("no mate in sight"),
            })
            .collect();
        assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
        let mut firsts: Vec<Move> = lines.iter().map(|info| info.pv[0]).collect();
        firsts.sort();
        firsts.dedup();
        assert_eq!(firsts.len(), 5);
        assert!(lines.iter().all(|info| info.bound == Bound::Exact));
    }
    // More lines than moves are as many lines as there are moves.
    let few = position("1R2kab2/3r3c1/4baC2/4pN2p/p2n2p2/2B6/8P/8N/2C6/3AKAB2 b - - 0 1");
    let report = run(&few, depth(3), 100);
    let most = report.infos.iter().map(|info| info.multipv).max();
    assert_eq!(most, Some(few.count_legal() as usize));
}

#[test]
fn root_moves_can_be_chosen_and_banned() {
    let root = Position::startpos();
    let all: Vec<Move> = {
        let mut list = MoveList::new();
        root.legal_moves(&mut list);
        list.iter().collect()
    };
    let only = Limits {
        search_moves: [all[7]].into_iter().collect(),
        ..depth(4)
    };
    assert_eq!(run(&root, only, 1).best, Some(all[7]));

    let free = run(&root, depth(4), 1);
    assert!(free.notices.is_empty());
    let without_best = Limits {
        ban_moves: free.best.into_iter().collect(),
        ..depth(4)
    };
    let banned = run(&root, without_best, 1);
    assert!(banned.best.is_some() && banned.best != free.best);

    let nothing_left = Limits {
        search_moves: [all[7]].into_iter().collect(),
        ban_moves: [all[7]].into_iter().collect(),
        ..depth(4)
    };
    let report = run(&root, nothing_left, 1);
    assert_eq!(report.notices.len(), 1);
    // The restriction is ignored, the ban is not.
    let without_it = Limits {
        ban_moves: [all[7]].into_iter().collect(),
        ..depth(4)
    };
    assert_eq!(report.best, run(&root, without_it, 1).best);
}

#[test]
fn a_mate_that_was_asked_for_ends_the_search() {
    let (fen, _) = MATES[5];
    let root = position(fen);
    let limits = Limits {
        mate: Some(3),
        nodes: Some(5_000_000),
        ..Limits::default()
    };
    let report = run(&root, limits, 1);
    let last = report.infos.last().expect("a line");
    assert_eq!(last.score, Score::Mate(3));
    assert!(last.nodes < 5_000_000);
}

#[test]
fn no_time_left_still_gets_a_legal_move() {
    for remaining in [0, 1, 20] {
        let limits = Limits {
            clock: Some(Clock {
                remaining: Duration::from_millis(remaining),
                ..Clock::default()
            }),
            ..Limits::default()
        };
        assert!(run(&Position::startpos(), limits, 1).best.is_some());
    }
}

#[test]
fn movetime_is_used_whole() {
    let movetime = Duration::from_millis(300);
    let limits = Limits {
        movetime: Some(movetime),
        ..Limits::default()
    };
    let begin = Instant::now();
    run(&Position::startpos(), limits, 1);
    assert!(begin.elapsed() >= movetime);
}

#[test]
fn the_only_move_is_answered_at_once_under_a_clock() {
    let root = position("5k3/9/9/9/4r4/9/9/9/9/3K5 w - - 0 1");
    assert_eq!(root.count_legal(), 1);
    let limits = Limits {
        clock: Some(Clock {
            remaining: Duration::from_secs(3600),
            ..Clock::default()
        }),
        ..Limits::default()
    };
    run(&root, limits, 1);
}

/// What has arrived so far, the answer excepted, which must not have.
fn no_answer_within(receiver: &Receiver<Event>, time: Duration) {
    let end = Instant::now() + time;
    while let Ok(event) = receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
        assert!(
            !matches!(event, Event::BestMove { .. }),
            "answered too soon"
        );
    }
}

#[test]
fn an_infinite_search_answers_after_stop_only() {
    let mated = position("5k3/1PP6/2P2P3/4R4/9/9/9/9/9/5K3 b - - 0 1");
    for root in [Position::startpos(), mated] {
        let mut pool = Pool::new();
        let limits = Limits {
            infinite: true,
            ..depth(3)
        };
        let receiver = start(&mut pool, &root, limits, 1);
        no_answer_within(&receiver, Duration::from_millis(200));
        assert!(pool.is_searching());
        pool.ponder_hit();
        no_answer_within(&receiver, Duration::from_millis(50));
        pool.stop();
        pool.wait();
        assert!(!pool.is_searching());
        let answers = receiver
            .try_iter()
            .filter(|event| matches!(event, Event::BestMove { .. }));
        assert_eq!(answers.count(), 1);
    }
}

#[test]
fn pondering_ends_with_the_hit_or_with_stop() {
    let root = Position::startpos();
    let ponder = |remaining| Limits {
        ponder: true,
        clock: Some(Clock {
            remaining: Duration::from_millis(remaining),
            ..Clock::default()
        }),
        ..Limits::default()
    };
    let mut pool = Pool::new();
    let receiver = start(&mut pool, &root, ponder(100), 1);
    no_answer_within(&receiver, Duration::from_millis(300));
    pool.ponder_hit();
    pool.wait();
    assert!(
        receiver
            .try_iter()
            .any(|event| matches!(event, Event::BestMove { .. }))
    );

    let receiver = start(&mut pool, &root, ponder(3_600_000), 1);
    no_answer_within(&receiver, Duration::from_millis(100));
    pool.stop();
    listen_after_drain(&receiver);
}

fn listen_after_drain(receiver: &Receiver<Event>) {
    loop {
        if let Event::BestMove { best, .. } = receiver.recv_timeout(HANG).expect("an answer") {
            assert!(best.is_some());
            return;
        }
    }
}

#[test]
fn a_new_search_ends_the_former_one_with_its_answer() {
    let root = Position::startpos();
    let infinite = Limits {
        infinite: true,
        ..Limits::default()
    };
    let mut pool = Pool::new();
    let first = start(&mut pool, &root, infinite.clone(), 1);
    let second = start(&mut pool, &root, infinite, 1);
    assert!(listen(&first, &root).best.is_some());
    drop(pool);
    assert!(listen(&second, &root).best.is_some());
}

#[test]
fn a_table_that_cannot_be_had_leaves_the_former_one() {
    let mut pool = Pool::new();
    assert_eq!(pool.hash_megabytes(), 16);
    assert!(pool.set_hash(3).is_ok());
    assert_eq!(pool.hash_megabytes(), 3);
    let error = pool
        .set_hash(1 << 40)
        .expect_err("no machine has that much");
    assert_eq!(error.megabytes, 1 << 40);
    assert_eq!(pool.hash_megabytes(), 3);
    let root = Position::startpos();
    let receiver = start(&mut pool, &root, depth(5), 1);
    assert!(listen(&receiver, &root).best.is_some());
}

#[test]
fn the_expected_reply_is_legal() {
    let root = Position::startpos();
    for limits in [depth(1), depth(2), depth(6), nodes(700)] {
        let report = run(&root, limits, 1);
        let mut after = root.clone();
        after.make(report.best.expect("a move"));
        if let Some(reply) = report.ponder {
            assert!(after.is_legal(reply));
        }
    }
}

#[test]
fn perpetual_check_saves_nobody_and_a_drawn_chase_is_no_mate() {
    // Red can check with its rook for ever, but may not.
    let lost = position("4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w - - 0 1");
    for plies in 14..=18 {
        let mut searcher = Searcher::new(16).expect("16 MiB");
        let value = searcher.search(&lost, &depth(plies)).value;
        assert!(value <= -900, "{value} at depth {plies}");
    }
    let drawn = position("3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w - - 0 1");
    for plies in [4, 8, 12, 16, 20, 24] {
        let mut searcher = Searcher::new(16).expect("16 MiB");
        let value = searcher.search(&drawn, &depth(plies)).value;
        assert!(
            matches!(Score::from_value(value), Score::Cp(_)),
            "{value} at depth {plies}"
        );
    }
}

#[test]
fn a_board_full_of_rooks_does_not_outlast_the_time() {
    let crowded =
        position("r1r1k1r1r/1r1r1r1r1/r1r1p1r1r/9/9/9/9/R1R1P1R1R/1R1R1R1R1/R1R1K1R1R w - - 0 1");
    let started = Instant::now();
    let limits = Limits {
        movetime: Some(Duration::from_millis(50)),
        ..Limits::default()
    };
    let result = Searcher::new(16).expect("16 MiB").search(&crowded, &limits);
    assert!(result.best.is_some_and(|mv| crowded.is_legal(mv)));
    assert!(started.elapsed() < HANG);
}

#[test]
fn a_move_that_an_unfinished_iteration_refutes_is_not_played() {
    // f9f8 is mated next move; f9e9 is not. Whatever the node limit, once the mate is seen
    // the other move is chosen.
    let hard = position("5kb2/7NP/9/9/4C4/4R1B2/9/3A1A2B/3K5/9 b - - 0 1");
    for limit in 1..600 {
        let mut searcher = Searcher::new(16).expect("16 MiB");
        let result = searcher.search(&hard, &nodes(limit));
        if result.value <= -mates_in(2) {
            assert_ne!(result.best, Move::parse("f9f8").ok(), "{limit} nodes");
        }
    }
}

#[test]
fn a_banned_move_stays_banned_when_it_is_the_only_one_asked_for() {
    let mut searcher = Searcher::new(16).expect("16 MiB");
    let wanted = Move::parse("b2e2").expect("coordinates");
    let limits = Limits {
        search_moves: [wanted].into_iter().collect(),
        ban_moves: [wanted].into_iter().collect(),
        ..depth(3)
    };
    let result = searcher.search(&Position::startpos(), &limits);
    assert!(result.best.is_some_and(|best| best != wanted));
}

#[test]
fn a_loss_by_repetition_is_avoided_though_mate_comes_next() {
    // Black checks with its rook to put off a mate in one, for the third time.
    let mut game = position("5kb2/3Pa4/4b4/pr7/3R4N/P4C3/4P4/4B4/3KA1n2/5A3 w - - 13 48");
    moves(&mut game, "d8e8 b6b1 d1d0 b1b0 d0d1 b0b1 d1d0 b1b0 d0d1");
    let mut searcher = Searcher::new(16).expect("16 MiB");
    let result = searcher.search(&game, &depth(6));
    assert_ne!(result.best, Move::parse("b0b1").ok());
    assert!(matches!(Score::from_value(result.value), Score::Mate(moves) if moves < 0));
}

#[test]
fn a_winner_does_not_go_round_in_circles_whatever_the_rules_say_of_the_other_side() {
    let mut position =
        position("rnbaka1nr/9/1c2b4/p1p1p1p1p/6c2/9/P1P1P1P1P/1CN1B1NC1/9/R1BAKA2R w - - 0 1");
    moves(
        &mut position,
        "c2e1 h9g7 b2a2 i9h9 a0b0 b7d7 i0h0 b9c7 b0b6 c6c5 g3g4 g5f5 b6c6 a9a7 h2h6 h9h6 h0h6 f5f6 c6c7 a7c7 h6g6 f6f8 g6f6 f8a8 g4g5 f9e8 f6g6 a8b8 g5f5 c7b7 f5f6 b7b2 a2a6 i6i5 g2f4 b8b6 e1g2 b2b4 g6g4 b4d4 f6f7 g7i8 f7e7 c9e7 a6a9 b6b9 g4g6 d7d0 g6e6 d4d7 e6b6 b9c9 g2h4 i8g7 b6g6 d7a7 e0d0 g7f9 a9b9 a7b7 b9a9 b7a7 a9b9 a7b7",
    );
    // Black chases the cannon for ever and would lose, but not every arbiter sees that.
    let repeats = |mv: Move| {
        let mut position = position.clone();
        position.make(mv);
        Rules::is_repeated(&position)
    };
    assert!(repeats(Move::parse("b9a9").expect("coordinates")));
    let mut pool = Pool::new();
    let options = SearchOptions {
        avoid_circles: true,
        ..SearchOptions::default()
    };
    let events = start_with(&mut pool, &position, nodes(100_000), options);
    let played = listen(&events, &position);
    let last = played.infos.last().expect("a line");
    assert!(matches!(last.score, Score::Cp(value) if value > 200));
    assert!(!repeats(played.best.expect("a move")));
}
