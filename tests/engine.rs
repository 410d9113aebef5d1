//! The engine as a library, without a protocol.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use vermilion::engine::{Engine, MAX_MULTIPV};
use vermilion::position::Position;
use vermilion::search::{Event, EventSink, Limits};
use vermilion::types::{Move, Score};

const LIMIT: Duration = Duration::from_secs(10);

/// Passes events on.
struct Channel(Mutex<Sender<Event>>);

impl EventSink for Channel {
    fn emit(&self, event: &Event) {
        let _ = self.0.lock().unwrap().send(event.clone());
    }
}

fn channel() -> (Arc<Channel>, Receiver<Event>) {
    let (to, from) = mpsc::channel();
    (Arc::new(Channel(Mutex::new(to))), from)
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn infinite() -> Limits {
    Limits {
        infinite: true,
        ..Limits::default()
    }
}

fn mv(text: &str) -> Move {
    Move::parse(text).unwrap()
}

fn answers(events: &Receiver<Event>) -> usize {
    let is_answer = |event: &Event| matches!(event, Event::BestMove { .. });
    events.try_iter().filter(is_answer).count()
}

#[test]
fn a_search_returns_the_move_and_the_lines() {
    let mut engine = Engine::new();
    let answer = engine.search(depth(5));
    assert_eq!(answer.lines.len(), 1);
    assert_eq!(answer.lines[0].depth, 5);
    assert_eq!(answer.best, answer.lines[0].pv.first().copied());
    assert_eq!(answer.ponder, answer.lines[0].pv.get(1).copied());

    engine.set_multipv(3);
    let answer = engine.search(depth(4));
    let numbers: Vec<usize> = answer.lines.iter().map(|line| line.multipv).collect();
    assert_eq!(numbers, [1, 2, 3]);

    let mated = "R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1".parse().unwrap();
    engine.set_position(mated);
    let answer = engine.search(depth(4));
    assert_eq!((answer.best, answer.ponder), (None, None));
    assert_eq!(answer.lines[0].score, Score::Mate(0));
}

#[test]
fn a_blocking_search_is_never_endless() {
    let mut engine = Engine::new();
    let limits = Limits {
        infinite: true,
        ponder: true,
        ..depth(3)
    };
    assert!(engine.search(limits).best.is_some());
}

#[test]
fn one_search_runs_at_a_time_and_each_is_answered_once() {
    let mut engine = Engine::new();
    let (first, from_first) = channel();
    let (second, from_second) = channel();
    engine.go(infinite(), first);
    engine.go(depth(3), second);
    assert_eq!(
        answers(&from_first),
        1,
        "the first is answered when the second begins"
    );
    engine.wait();
    assert_eq!((answers(&from_first), answers(&from_second)), (0, 1));
}

#[test]
fn changes_wait_for_the_answer_of_a_running_search() {
    let mut engine = Engine::new();
    let changes: [fn(&mut Engine); 4] = [
        |engine| engine.set_position(Position::startpos()),
        |engine| engine.set_hash(1).unwrap(),
        Engine::new_game,
        Engine::clear_hash,
    ];
    for change in changes {
        let (sink, events) = channel();
        engine.go(infinite(), sink);
        change(&mut engine);
        assert_eq!(answers(&events), 1);
    }
    // Without a search these do nothing.
    engine.stop();
    engine.ponder_hit();
    engine.wait();
}

#[test]
fn a_pondering_search_waits_for_the_move_that_it_expects() {
    let mut engine = Engine::new();
    let (sink, events) = channel();
    engine.go(
        Limits {
            ponder: true,
            ..depth(2)
        },
        sink,
    );
    let mut told = Vec::new();
    // Depth 2 is reached, but no answer given.
    while !matches!(told.last(), Some(Event::Info(info)) if info.depth == 2) {
        told.push(events.recv_timeout(LIMIT).unwrap());
    }
    assert_eq!(answers(&events), 0);
    engine.ponder_hit();
    engine.wait();
    assert_eq!(answers(&events), 1);
}

#[test]
fn banned_moves_are_allowed_again_in_the_next_position() {
    let mut engine = Engine::new();
    let position: Position = "3k5/9/9/9/9/9/4r4/9/4R4/5K3 w - - 0 1".parse().unwrap();
    engine.set_position(position.clone());
    assert_eq!(engine.search(depth(3)).best, Some(mv("e1e3")));
    engine.ban_moves([mv("e1e3")]);
    assert_ne!(engine.search(depth(3)).best, Some(mv("e1e3")));
    engine.set_position(position);
    assert_eq!(engine.search(depth(3)).best, Some(mv("e1e3")));
}

#[test]
fn settings_stay_in_their_ranges() {
    let mut engine = Engine::new();
    engine.set_multipv(0);
    assert_eq!(engine.multipv(), 1);
    engine.set_multipv(usize::MAX);
    assert_eq!(engine.multipv(), MAX_MULTIPV);
    engine.set_move_overhead(Duration::MAX);
    engine.set_hash(0).unwrap();
    let limits = Limits {
        movetime: Some(Duration::from_millis(20)),
        ..Limits::default()
    };
    assert!(engine.search(limits).best.is_some());
}
