//! How the program ends.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::pipe::{LIMIT, Program, count};

#[test]
fn the_end_of_input_ends_a_search_and_prints_its_answer() {
    for (open, go) in [
        ("uci", "go infinite"),
        ("uci", "go ponder wtime 60000 btime 60000"),
        ("uci", "go depth 80"),
        ("ucci", "go infinite"),
        ("ucci", "go ponder time 60000 increment 0"),
    ] {
        let mut program = Program::start();
        program.open(open);
        program.send_all(&["position startpos", go]);
        program.close_input();
        let rest = program.finish_well();
        assert_eq!(count(&rest, "bestmove"), 1, "{open}: {go}");
    }
}

#[test]
fn the_end_of_input_while_idle_is_silent() {
    for open in ["uci", "ucci"] {
        let mut program = Program::start();
        program.open(open);
        program.close_input();
        assert!(program.finish_well().is_empty());
    }
}

#[test]
fn commands_queued_in_batch_mode_are_finished_first() {
    let mut program = Program::ucci();
    program.send_all(&[
        "setoption batch true",
        "position startpos",
        "go depth 5",
        "position startpos moves h2e2",
        "go depth 6",
        "position startpos moves h2e2 h9g7",
        "go depth 3",
    ]);
    program.close_input();
    let rest = program.finish_well();
    assert_eq!(count(&rest, "bestmove"), 3);
    for depth in ["info depth 5 ", "info depth 6 "] {
        assert!(rest.iter().any(|line| line.starts_with(depth)), "{depth}");
    }
}

#[test]
fn nobody_reading_the_output_ends_the_program() {
    for commands in ["go infinite\n", "isready\n", "go perft 3\n", "bench 2\n"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_vermilion"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut input = child.stdin.take().unwrap();
        let _ = input.write_all(commands.as_bytes());
        let end = Instant::now() + LIMIT;
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            assert!(
                Instant::now() < end,
                "{commands:?}: the program does not end"
            );
            thread::sleep(Duration::from_millis(5));
        };
        assert!(status.success(), "{status}");
    }
}

#[test]
fn quit_is_quick_with_a_large_table_in_use() {
    let mut program = Program::uci();
    program.send_all(&["setoption name Hash value 512", "go infinite"]);
    program.sync();
    program.send("quit");
    assert_eq!(count(&program.finish_well(), "bestmove"), 1);
}
