//! The search as its users see it: values, limits, lines, and the pool of threads.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use vermilion::position::Position;
use vermilion::search::{
    Bound, Clock, Event, EventSink, Job, Limits, Pool, SearchInfo, SearchOptions, SearchResult,
    Searcher,
};
use vermilion::types::{MATE_IN_MAX_PLY, Move, MoveList, RULE_WIN_IN_MAX_PLY, Score, mates_in};

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
    let (sender, receiver) = channel();
    pool.start(Job {
        position: position.clone(),
        limits,
        options: SearchOptions {
            multipv,
            ..SearchOptions::default()
        },
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
