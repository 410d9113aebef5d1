//! Opening lines: those that `vermilion openings` makes, and those that are committed.

use std::collections::HashSet;
use std::process::Command;

use vermilion::position::Position;
use vermilion::search::{Limits, Searcher};
use vermilion::types::Move;

/// The output of `vermilion openings` with these arguments.
fn openings(arguments: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_vermilion"))
        .arg("openings")
        .args(arguments.split_whitespace())
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The position after each line, every move of which is legal.
fn positions(text: &str, plies: std::ops::RangeInclusive<usize>) -> Vec<Position> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let moves = line.strip_prefix("startpos moves ").expect(line);
            let mut position = Position::startpos();
            for word in moves.split(' ') {
                let mv = Move::parse(word).expect(line);
                assert!(position.is_legal(mv), "{line}: {mv}");
                position.make(mv);
            }
            assert!(plies.contains(&position.history_len()), "{line}");
            position
        })
        .collect()
}

/// The boards with the side to move: no two lines lead to the same or to mirrored ones.
fn assert_distinct(positions: &[Position]) {
    let mut seen = HashSet::new();
    for position in positions {
        let board = |position: &Position| (position.setup().board, position.side());
        assert!(seen.insert(board(position)), "{}", position.fen());
        let mirrored = board(&position.mirrored());
        assert!(
            mirrored == board(position) || !seen.contains(&mirrored),
            "{}",
            position.fen()
        );
    }
}

#[test]
fn lines_are_legal_distinct_balanced_and_no_mirror_images() {
    // Short lines of few likely moves: many are drawn twice.
    let text =
        openings("--count 30 --min-plies 1 --max-plies 3 --depth 1 --nodes 200 --balance 40");
    let positions = positions(&text, 1..=3);
    assert_eq!(positions.len(), 30);
    assert_distinct(&positions);
    let figures = text.lines().last().expect("figures");
    let words: Vec<&str> = figures.split(' ').collect();
    assert_eq!(words[..3], ["#", "lines", "30"], "{figures}");
    let count = |name| -> u64 {
        let at = words.iter().position(|&word| word == name).expect(name);
        words[at + 1].parse().expect(name)
    };
    assert!(count("duplicates") > 0, "{figures}");
    assert_eq!(
        count("tried"),
        30 + count("unbalanced") + count("duplicates")
    );
    let limits = Limits {
        soft_nodes: Some(200),
        ..Limits::default()
    };
    for position in &positions {
        let value = Searcher::new(4).expect("memory").search(position, &limits);
        assert!(value.value.abs() <= 40, "{}", position.fen());
    }
}

#[test]
fn a_seed_gives_the_same_lines_whatever_the_threads_and_another_one_others() {
    let lines = |arguments: &str| {
        let text = openings(&format!(
            "--count 4 --min-plies 2 --max-plies 4 --depth 1 --nodes 200 {arguments}"
        ));
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let first = lines("--seed 7");
    assert_eq!(first, lines("--seed 7 --threads 3"));
    assert_ne!(first, lines("--seed 8"));
}

#[test]
fn settings_without_a_line_are_refused_in_the_end() {
    for (arguments, named) in [
        ("--min-plies 9 --max-plies 8", "--min-plies 9"),
        ("--temperature 0", "--temperature 0"),
        (
            "--count 2 --min-plies 0 --max-plies 0 --balance 500 --nodes 1",
            "1 found",
        ),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_vermilion"))
            .arg("openings")
            .args(arguments.split_whitespace())
            .output()
            .expect("the program runs");
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(error.contains(named), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn the_committed_lines_are_many_and_distinct() {
    let text = include_str!("../benches/openings.txt");
    let positions = positions(text, 6..=10);
    assert!(positions.len() >= 3_000);
    assert_distinct(&positions);
    for position in &positions {
        assert!(!position.has_no_moves(), "{}", position.fen());
    }
}
