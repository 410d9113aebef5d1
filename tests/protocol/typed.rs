//! Commands typed by a person.

use super::grammar::Grammar;
use super::pipe::{Program, count};

fn typed() -> Program {
    let mut program = Program::start();
    program.expect(Grammar::Any);
    program
}

#[test]
fn d_shows_the_board_and_leaves_a_search_alone() {
    let mut program = typed();
    program.send_all(&["position startpos moves h2e2", "go infinite", "d"]);
    let lines = program.until("key");
    assert!(
        lines.iter().any(|line| line == "2  . C . . C . . . ."),
        "{lines:#?}"
    );
    assert_eq!(count(&lines, "bestmove"), 0);
    assert_eq!(count(&program.sync(), "bestmove"), 0);
}

#[test]
fn eval_gives_the_static_evaluation() {
    let mut program = typed();
    let eval = |program: &mut Program, position: &str| -> i32 {
        program.send_all(&[position, "eval"]);
        let lines = program.until("eval");
        lines.last().unwrap()["eval ".len()..].parse().unwrap()
    };
    // A rook more is much better for the side that has it, whichever is to move.
    let ahead = "3k5/9/9/9/9/9/9/9/9/R3K4";
    assert!(eval(&mut program, &format!("position fen {ahead} w")) > 300);
    assert!(eval(&mut program, &format!("position fen {ahead} b")) < -300);
}

#[test]
fn go_perft_divides_and_totals() {
    let mut program = typed();
    program.send("position startpos");
    program.send("go perft 3");
    let lines = program.until("nps");
    assert_eq!(lines.len(), 44 + 3);
    assert!(lines.contains(&"nodes 79666".to_owned()), "{lines:#?}");
    let sum: u64 = lines[..44]
        .iter()
        .map(|line| line.split(": ").nth(1).unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(sum, 79_666);
    program.send("perft 0");
    assert!(program.until("nps").contains(&"nodes 1".to_owned()));
    program.send("go perft");
    assert!(program.line().starts_with("info string perft: "));
}

#[test]
fn a_long_perft_can_be_stopped_and_other_commands_wait_for_it() {
    let mut program = typed();
    program.send_all(&["position startpos", "go perft 30", "isready"]);
    program.until("readyok");
    program.send_all(&["go depth 1", "stop"]);
    let lines = program.until("bestmove");
    assert!(lines[0].starts_with("info string perft: "), "{lines:#?}");
}

#[test]
fn nothing_that_waits_for_a_stopped_command_outlives_the_stop() {
    let mut program = typed();
    program.send_all(&[
        "go perft 30",
        "go infinite",
        "go perft 30",
        "stop",
        "go depth 1",
    ]);
    let mut lines = program.until("bestmove");
    lines.extend(program.until("bestmove"));
    assert_eq!(count(&lines, "nps"), 0);
    assert!(program.sync().is_empty());
}

#[test]
fn a_long_command_does_not_hold_up_the_end() {
    for open in ["uci", "ucci"] {
        for command in ["go perft 30", "bench 90"] {
            for rest in ["quit\n", "go depth 3\nquit\n", "stop\nquit\n"] {
                let mut program = Program::start();
                program.open(open);
                program.expect(Grammar::Any);
                program.send(command);
                program.sync();
                program.send_bytes(rest.as_bytes());
                let lines = program.finish_well();
                let last = lines.last().map(String::as_str);
                assert_eq!(
                    last == Some("bye"),
                    open == "ucci",
                    "{open} {command} {rest}"
                );
                assert_eq!(count(&lines, "nps") + count(&lines, "bestmove"), 0);
            }
        }
    }
}

#[test]
fn the_end_of_input_waits_for_a_typed_command_and_what_follows_it() {
    for (commands, expected) in [
        ("go perft 5", &["nodes 133312995"][..]),
        (
            "perft 5\nposition startpos moves h2e2\nperft 2",
            &["nodes 133312995", "nodes 1564"],
        ),
        ("bench 3", &["nps"]),
        ("bench 3\ngo depth 2", &["nps", "bestmove"]),
    ] {
        let mut program = typed();
        program.send_bytes(commands.as_bytes());
        program.close_input();
        let lines = program.finish_well();
        let mut rest = lines.iter();
        for text in expected {
            assert!(
                rest.any(|line| line.contains(text)),
                "{commands:?}: {lines:#?}"
            );
        }
    }
}

#[test]
fn the_board_stays_whole_beside_a_search() {
    let mut program = typed();
    program.send("d");
    let height = program.until("key").len();
    program.send_all(&["setoption name MultiPV value 128", "go infinite"]);
    program.send(&["d"; 200].join("\n"));
    let lines = program.sync();
    let ends = (0..lines.len()).filter(|&index| lines[index].starts_with("key "));
    let boards: Vec<&[String]> = ends.map(|end| &lines[end + 1 - height..=end]).collect();
    assert_eq!(boards.len(), 200);
    for board in boards {
        assert_eq!(count(board, "info"), 0, "{board:#?}");
    }
}
