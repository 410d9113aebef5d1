//! UCI.

use super::pipe::{Program, after, chosen, count};

/// Red mates with one move: two rooks against a bare general.
pub const MATE_IN_ONE: &str = "3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1";
/// Black is mated.
pub const MATED: &str = "R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1";

#[test]
fn the_handshake_announces_what_works_in_a_form_that_clients_can_split() {
    let mut program = Program::start();
    let lines = program.open("uci");
    assert!(lines[0].starts_with("id name Vermilion"));
    assert!(lines[1].starts_with("id author "));
    for option in [
        "Hash",
        "Clear Hash",
        "MultiPV",
        "Ponder",
        "Move Overhead",
        "Log File",
    ] {
        let announced = |line: &&String| line.starts_with(&format!("option name {option} type "));
        assert_eq!(lines.iter().filter(announced).count(), 1, "{option}");
    }
    assert!(lines.iter().any(|line| line.ends_with(" default <empty>")));
}

#[test]
fn nothing_is_said_before_the_first_command() {
    let program = Program::start();
    program.must_not_say("");
}

#[test]
fn before_a_handshake_it_is_uci() {
    let mut program = Program::start();
    program.send("position startpos moves h2e2");
    let lines = program.go("depth 2");
    assert!(lines[0].contains(" score cp ") || lines[0].contains(" score mate "));
    program.send("stop");
    assert!(program.sync().is_empty(), "an idle stop is silent");
}

#[test]
fn both_handshakes_work_in_any_order_and_the_last_one_wins() {
    let mut program = Program::start();
    for word in ["ucci", "uci", "uci", "ucci", "ucci", "uci"] {
        program.open(word);
        program.send("position fen nonsense");
        let notice = if word == "uci" {
            "info string "
        } else {
            "info message "
        };
        assert!(program.line().starts_with(notice));
    }
}

#[test]
fn a_line_of_the_search_has_all_fields_and_ends_with_the_pv() {
    let mut program = Program::uci();
    let lines = program.go("depth 5");
    let infos = &lines[..lines.len() - 1];
    assert!(infos.len() >= 5);
    let mut depth = 0;
    for info in infos {
        let now: u32 = after(info, "depth").unwrap().parse().unwrap();
        assert!(now >= depth);
        depth = now;
        assert_eq!(after(info, "multipv"), None);
    }
    assert_eq!(depth, 5);
    let last = infos.last().unwrap();
    assert_eq!(after(last, "pv"), Some(chosen(&lines).as_str()));
}

#[test]
fn several_lines_are_numbered() {
    let mut program = Program::uci();
    program.send("setoption name MultiPV value 3");
    let lines = program.go("depth 4");
    let deepest = lines
        .iter()
        .filter(|line| after(line, "depth") == Some("4"));
    let numbers: Vec<&str> = deepest.filter_map(|line| after(line, "multipv")).collect();
    assert_eq!(numbers, ["1", "2", "3"]);
    program.send("setoption name multipv value 1");
    assert!(
        program
            .go("depth 2")
            .iter()
            .all(|line| after(line, "multipv").is_none())
    );
}

#[test]
fn a_mate_is_announced_and_a_mated_root_has_no_move() {
    let mut program = Program::uci();
    program.send(&format!("position fen {MATE_IN_ONE}"));
    let lines = program.go("depth 3");
    assert!(
        lines.iter().any(|line| line.contains(" score mate 1 ")),
        "{lines:#?}"
    );
    program.send(&format!("position fen {MATED}"));
    for arguments in ["depth 3", "movetime 50", "nodes 100"] {
        let lines = program.go(arguments);
        assert_eq!(lines, ["info depth 0 score mate 0", "bestmove (none)"]);
    }
}

#[test]
fn a_timed_search_stops_at_a_proven_mate_unless_told_not_to() {
    let mut program = Program::start();
    // Red mates in two.
    program.send("position fen 3aka3/9/R8/9/1R7/9/9/9/9/3K5 w");
    // Nothing but the mate would end such a search while a test waits.
    program.go("movetime 3000000");
    program.go("wtime 90000000 btime 90000000");
    program.send("setoption name Stop At Mate value false");
    let deepest = |lines: &[String]| {
        lines
            .iter()
            .filter(|line| line.contains(" mate 2 "))
            .count()
    };
    let lines = program.go("movetime 300");
    assert!(deepest(&lines) > 3, "{lines:?}");
}

#[test]
fn an_infinite_search_answers_only_after_stop() {
    let mut program = Program::uci();
    // A mate is found at once, a single move is there, the game is over: all wait.
    for fen in [MATE_IN_ONE, "3k5/1R7/9/9/9/9/9/9/9/R3K4 b - - 0 1", MATED] {
        for go in [
            "go infinite",
            "go depth infinite",
            "go",
            "go infinite depth 2",
            "go ponder depth 1",
        ] {
            program.send_all(&[&format!("position fen {fen}"), go]);
            program.must_not_say("bestmove");
            program.send("stop");
            assert_eq!(count(&program.until("bestmove"), "bestmove"), 1);
            assert_eq!(count(&program.sync(), "bestmove"), 0);
        }
    }
}

#[test]
fn a_pondering_search_answers_after_ponderhit_or_stop() {
    let mut program = Program::uci();
    program.send_all(&["position startpos", "go ponder movetime 50"]);
    program.must_not_say("bestmove");
    program.send("ponderhit");
    program.until("bestmove");
    program.send("go ponder wtime 1000 btime 1000");
    program.must_not_say("bestmove");
    program.send("stop");
    program.until("bestmove");
    // Without a search it means nothing.
    program.send("ponderhit");
    assert!(program.sync().is_empty());
}

#[test]
fn isready_is_answered_during_a_search_and_does_not_end_it() {
    let mut program = Program::uci();
    program.send("go infinite");
    for _ in 0..3 {
        assert_eq!(count(&program.sync(), "bestmove"), 0);
    }
    program.send("stop");
    program.until("bestmove");
}

#[test]
fn an_idle_stop_is_silent() {
    let mut program = Program::uci();
    program.send_all(&["stop", "stop"]);
    program.go("depth 1");
    program.send_all(&["stop", "stop"]);
    assert!(program.sync().is_empty());
}

#[test]
fn what_would_disturb_a_search_ends_it_first() {
    let mut program = Program::uci();
    for command in [
        "position startpos moves h2e2",
        "position fen nonsense",
        "fen 4k4/9/9/9/9/9/9/9/9/3K5 w",
        "setoption name Hash value 1",
        "setoption name Unknown value 1",
        "ucinewgame",
    ] {
        program.send_all(&["position startpos", "go infinite"]);
        assert_eq!(count(&program.sync(), "bestmove"), 0);
        program.send(command);
        let lines = program.sync();
        assert_eq!(count(&lines, "bestmove"), 1, "{command}: {lines:#?}");
        // Its answer comes before anything that the command says.
        let answer = lines.iter().position(|line| line.starts_with("bestmove"));
        let notice = lines
            .iter()
            .position(|line| line.starts_with("info string"));
        assert!(notice.is_none_or(|notice| answer < Some(notice)));
    }
    program.send_all(&["position startpos", "go infinite", "go depth 2"]);
    program.until("bestmove");
    let second = program.until("bestmove");
    assert_eq!(after(&second[0], "depth"), Some("1"), "{second:#?}");
    assert_eq!(count(&program.sync(), "bestmove"), 0);
}

#[test]
fn every_go_has_exactly_one_answer() {
    let mut program = Program::uci();
    let all = [
        "depth 3",
        "nodes 500",
        "movetime 20",
        "mate 1 nodes 2000",
        "wtime 500 btime 500",
        "wtime 100 btime 100 winc 5 binc 5 movestogo 3",
        "movetime 40 depth 2",
        "time 200 increment 1",
        "draw depth 1",
        "wtime 0 btime 0",
        "wtime -50 btime 100 winc 1",
        "movetime 0",
        "movetime -3",
        "depth 0",
        "depth -4",
        "nodes 0",
        "winc 50 binc 50",
        "time 0 movestogo 1",
        "btime 60",
        "xyzzy depth 2 plugh",
        "DEPTH 2",
        "movetime 30 bookmove h2e2",
        "egtbmove h2e2 depth 2",
        "depth 99999999999999999999 nodes 300",
    ];
    for arguments in all {
        let answer = program.best_move(arguments);
        assert_eq!(answer.len(), 4, "{arguments}");
        assert_eq!(count(&program.sync(), "bestmove"), 0, "{arguments}");
    }
}

#[test]
fn searchmoves_and_banmoves_choose_the_root_moves() {
    let mut program = Program::uci();
    program.send("position startpos");
    assert_eq!(program.best_move("searchmoves a0a1 depth 3"), "a0a1");
    assert_eq!(program.best_move("searchmoves a0a1 depth 3"), "a0a1");
    let answer = program.best_move("nodes 400 searchmoves a0a1 b0a2 movetime 500");
    assert!(["a0a1", "b0a2"].contains(&answer.as_str()));
    program.send("banmoves a0a1");
    assert_eq!(program.best_move("searchmoves a0a1 i0i1 depth 3"), "i0i1");
    // Until the next position.
    program.send("position startpos");
    assert_eq!(program.best_move("searchmoves a0a1 depth 3"), "a0a1");
    // A restriction that leaves nothing is ignored with a notice.
    for lines in [
        program.go("searchmoves 0000 depth 2"),
        program.go("searchmoves depth 2"),
        {
            program.send("banmoves a0a1");
            program.go("searchmoves a0a1 depth 2")
        },
    ] {
        assert!(lines[0].starts_with("info string "), "{lines:#?}");
        assert_eq!(chosen(&lines).len(), 4);
    }
}

#[test]
fn go_nodes_repeats() {
    let mut answers = Vec::new();
    for _ in 0..2 {
        let mut program = Program::uci();
        let lines = program.go("nodes 20000");
        let last = &lines[lines.len() - 2];
        assert!(after(last, "nodes").unwrap().parse::<u64>().unwrap() <= 20_000);
        answers.push((chosen(&lines), after(last, "score").map(str::to_owned)));
    }
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn the_current_move_is_named_after_three_seconds() {
    let mut program = Program::uci();
    program.send("go infinite");
    let mut lines = program.until("info");
    while !lines.last().unwrap().starts_with("info currmove ") {
        lines.push(program.line());
    }
    program.send("stop");
    program.until("bestmove");
}

#[test]
fn quit_ends_it_also_during_a_search() {
    for before in ["isready", "go infinite", "go ponder wtime 5000 btime 5000"] {
        let mut program = Program::uci();
        program.send_all(&[before, "quit"]);
        let rest = program.finish_well();
        assert_eq!(count(&rest, "bestmove"), usize::from(before != "isready"));
        assert_eq!(count(&rest, "bye"), 0);
    }
}
