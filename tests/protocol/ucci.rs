//! UCCI.

use super::pipe::{Program, after, chosen, count};
use super::uci::{MATE_IN_ONE, MATED};

#[test]
fn the_handshake_announces_one_word_options_and_milliseconds() {
    let mut program = Program::start();
    let lines = program.open("ucci");
    assert!(lines[0].starts_with("id name Vermilion"));
    assert!(lines.contains(&"option usemillisec type check default true".to_owned()));
    for option in [
        "hashsize",
        "batch",
        "ponder",
        "multipv",
        "newgame",
        "logfile",
        "moveoverhead",
    ] {
        let announced = |line: &&String| line.starts_with(&format!("option {option} type "));
        assert_eq!(lines.iter().filter(announced).count(), 1, "{option}");
    }
}

#[test]
fn a_line_of_the_search_has_a_bare_score_and_the_pv_last() {
    let mut program = Program::ucci();
    program.send("position startpos");
    let lines = program.go("depth 5");
    let info = &lines[lines.len() - 2];
    assert_eq!(after(info, "depth"), Some("5"));
    assert!(after(info, "score").unwrap().parse::<i32>().is_ok());
    assert_eq!(after(info, "pv"), Some(chosen(&lines).as_str()));
    assert!(lines.iter().all(|line| !line.contains(" cp ")));
}

#[test]
fn a_mate_is_a_score_too_and_a_mated_root_has_no_best_move() {
    let mut program = Program::ucci();
    program.send(&format!("position fen {MATE_IN_ONE}"));
    let lines = program.go("depth 3");
    assert!(lines.iter().any(|line| line.contains(" score mate 1 ")));
    program.send_all(&[&format!("position fen {MATED}"), "go depth 3"]);
    assert_eq!(program.line(), "nobestmove");
}

#[test]
fn depth_0_is_the_static_evaluation() {
    let mut program = Program::ucci();
    program.send_all(&["position startpos", "go depth 0"]);
    assert!(program.line().starts_with("info depth 0 score "));
    assert_eq!(program.line(), "nobestmove");
    assert!(program.sync().is_empty());
}

#[test]
fn an_idle_stop_answers_unless_it_crossed_the_answer_of_a_go() {
    let mut program = Program::ucci();
    program.send("stop");
    assert_eq!(program.line(), "nobestmove");
    program.go("depth 1");
    program.send("stop");
    assert!(program.sync().is_empty(), "it crossed the answer");
    program.send_all(&["stop", "stop"]);
    assert_eq!(program.sync(), ["nobestmove", "nobestmove"]);
    // A stop that ended the search is no idle one, the next is.
    program.send_all(&["go infinite", "stop"]);
    program.until("bestmove");
    program.send("stop");
    assert_eq!(program.sync(), ["nobestmove"]);
}

#[test]
fn banned_moves_are_not_played_until_the_next_position() {
    let mut program = Program::ucci();
    // The rook takes a rook for nothing, if it may.
    let position = "position fen 3k5/9/9/9/9/9/4r4/9/4R4/5K3 w - - 0 1";
    program.send(position);
    assert_eq!(program.best_move("depth 4"), "e1e3");
    program.send("banmoves e1e3");
    assert_ne!(program.best_move("depth 4"), "e1e3");
    assert_ne!(
        program.best_move("depth 4"),
        "e1e3",
        "until the next position"
    );
    program.send(position);
    assert_eq!(program.best_move("depth 4"), "e1e3");
    program.send_all(&["banmoves e1e3 x1x2", "banmoves"]);
    assert!(
        program
            .line()
            .starts_with("info message banmoves: move 2, x1x2: ")
    );
    assert_eq!(
        program.best_move("depth 4"),
        "e1e3",
        "an empty list bans nothing"
    );
}

#[test]
fn banning_every_move_bans_none_and_says_so() {
    let mut program = Program::ucci();
    program.send_all(&[
        "position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "banmoves e0f0 e0e1",
    ]);
    let lines = program.go("depth 2");
    assert!(lines[0].starts_with("info message "));
    assert!(["e0f0", "e0e1"].contains(&chosen(&lines).as_str()));
}

#[test]
fn every_go_has_exactly_one_answer() {
    let mut program = Program::ucci();
    program.send("position startpos");
    let all = [
        "depth 3",
        "nodes 500",
        "time 200 movestogo 1",
        "time 100 increment 5 opptime 300 oppincrement 5",
        "draw time 100 increment 0 opptime 100 oppincrement 0",
        "movetime 20",
        "time 300 movestogo 9 opptime 300 oppmovestogo 9",
        "time 100 opptime 100 movetime 50 increment 3 oppincrement 3 depth 4",
        "time 0 increment 0",
        "time -20 increment 0",
        "opptime 50",
        "wtime 80 btime 80",
    ];
    for arguments in all {
        assert_eq!(program.best_move(arguments).len(), 4, "{arguments}");
        assert_eq!(count(&program.sync(), "bestmove"), 0, "{arguments}");
    }
}

#[test]
fn ponderhit_may_carry_draw() {
    let mut program = Program::ucci();
    program.send_all(&["position startpos", "go ponder time 300 movestogo 1"]);
    program.must_not_say("bestmove");
    program.send("ponderhit draw");
    program.until("bestmove");
}

#[test]
fn without_milliseconds_times_are_seconds() {
    let mut program = Program::ucci();
    let measure = |program: &mut Program, arguments: &str| {
        let start = std::time::Instant::now();
        program.go(arguments);
        start.elapsed().as_millis()
    };
    program.send("setoption usemillisec false");
    assert!(measure(&mut program, "time 1 movestogo 1") >= 300);
    program.send("setoption usemillisec true");
    assert!(measure(&mut program, "time 1 movestogo 1") < 300);
}

#[test]
fn in_batch_mode_commands_wait_for_the_search() {
    let mut program = Program::ucci();
    program.send_all(&[
        "setoption batch true",
        "position startpos",
        "go depth 6",
        "position startpos moves h2e2",
        "setoption hashsize 4",
        "go depth 6",
        "quit",
    ]);
    for _ in 0..2 {
        let lines = program.until("bestmove");
        assert_eq!(after(&lines[lines.len() - 2], "depth"), Some("6"));
    }
    assert_eq!(program.finish_well(), ["bye"]);
}

#[test]
fn in_batch_mode_a_search_without_an_end_is_ended_as_ever() {
    let mut program = Program::ucci();
    program.send_all(&[
        "setoption batch on",
        "go infinite",
        "position startpos",
        "go depth 2",
    ]);
    program.until("bestmove");
    program.until("bestmove");
    program.send_all(&["go depth 90", "position startpos", "stop"]);
    program.until("bestmove");
}

#[test]
fn quit_says_goodbye_after_the_answer() {
    for (before, expected) in [("isready", 0), ("go infinite", 1)] {
        let mut program = Program::ucci();
        program.send_all(&[before, "quit"]);
        let rest = program.finish_well();
        assert_eq!(rest.last().map(String::as_str), Some("bye"));
        assert_eq!(count(&rest, "bestmove"), expected);
    }
}

#[test]
fn what_xqwizard_sends_is_understood() {
    let mut program = Program::start();
    program.send_bytes(b"ucci\r\n");
    program.expect(super::grammar::Grammar::Ucci);
    assert!(program.until("ucciok").len() > 5);
    for line in [
        "setoption guiname XQWizard",
        "setoption usemillisec true",
        "setoption promotion false",
        "setoption usebook true",
        "setoption bookfiles C:\\Program Files\\棋谱\\BOOK.DAT",
        "setoption hashsize 0",
        "setoption threads 0",
        "setoption idle none",
        "setoption randomness none",
        "setoption style normal",
        "setoption newgame",
        "setoption ponder false",
        "position startpos moves h2e2 h9g7",
        "banmoves h0g2",
    ] {
        program.send_bytes(format!("{line}\r\n").as_bytes());
    }
    let lines = program.go("time 900 increment 0 opptime 900 oppincrement 0\r");
    assert_eq!(count(&lines, "info"), lines.len() - 1);
    // Only the book that is not there is worth a word.
    let notices = lines.iter().filter(|line| line.starts_with("info message"));
    assert!(notices.clone().all(|line| line.contains("no book")));
    assert_eq!(notices.count(), 1);
}
