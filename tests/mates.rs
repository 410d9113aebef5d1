//! `vermilion mates`: the suite's shorter puzzles by a fixed number of nodes, verdicts, and
//! bad files. The whole suite is run by hand, since it needs time (docs/testing.md).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use vermilion::search::{Limits, Searcher};
use vermilion::tools::mates::{Puzzle, Verdict, read_puzzles};

/// Many times what the shorter puzzles take.
const NODES: u64 = 2_000_000;
/// Red mates in two: `b5b8 d9e9 a6a9`.
const TWO_ROOKS: &str = "3k5/9/9/R8/1R7/9/9/9/9/5K3 w - - 0 1";

fn suite() -> Vec<Puzzle> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mates.epd");
    read_puzzles(Path::new(path)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_suite_has_forty_different_puzzles_of_all_lengths() {
    let puzzles = suite();
    assert_eq!(puzzles.len(), 40);
    for moves in 4..=8 {
        let of_length = puzzles.iter().filter(|puzzle| puzzle.moves == moves);
        assert!(of_length.count() >= 6, "mate in {moves}");
    }
    let ids: BTreeSet<&str> = puzzles.iter().map(|puzzle| puzzle.id.as_str()).collect();
    let keys: BTreeSet<u64> = puzzles.iter().map(|puzzle| puzzle.position.key()).collect();
    assert_eq!((ids.len(), keys.len()), (40, 40));
}

#[test]
fn the_shorter_puzzles_are_solved_and_their_lines_lead_to_mate() {
    let mut searcher = Searcher::new(16).expect("memory");
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    for puzzle in suite().iter().filter(|puzzle| puzzle.moves <= 5) {
        assert_eq!(
            puzzle.solve(&mut searcher, &limits),
            Verdict::Solved,
            "{puzzle}"
        );
    }
}

/// Runs the program on a file with this text; what it writes, and its exit code.
fn mates(name: &str, text: &str) -> (String, Option<i32>) {
    let path: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_vermilion"))
        .args(["mates", "--nodes", "20000", "--hash", "1"])
        .arg(&path)
        .output()
        .expect("the program runs");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("UTF-8");
    let folder = format!("{}/", env!("CARGO_TARGET_TMPDIR"));
    (text.replace(&folder, ""), output.status.code())
}

#[test]
fn what_is_not_solved_is_named_and_counted() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    let (text, code) = mates(
        "good.epd",
        &format!("# two\n\n{TWO_ROOKS};mate 2;id rooks\n"),
    );
    assert_eq!((text.as_str(), code), ("1 of 1 solved, 100.0 %\n", Some(0)));
    let lines = [
        format!("{TWO_ROOKS} ;mate 1 ;id one"),
        format!("{TWO_ROOKS} ;mate 3 ;id three"),
        format!("{TWO_ROOKS} ;mate 2"),
        format!("{start} ;mate 4 ;id start"),
    ];
    let (text, code) = mates("mixed.epd", &lines.join("\n"));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "mixed.epd:1: one, mate in 1: only a mate in 2 found"
    );
    assert_eq!(
        lines[1],
        "mixed.epd:2: three, mate in 3: solved in 2: the file is wrong"
    );
    assert!(lines[2].starts_with("mixed.epd:4: start, mate in 4: no mate found, score cp "));
    assert_eq!(lines[3..], ["2 of 4 solved, 50.0 %"]);
    assert_eq!(code, Some(1));
    let (text, code) = mates("empty.epd", "# nothing\n");
    assert_eq!(
        (text.as_str(), code),
        ("empty.epd: no positions\n", Some(1))
    );
}

#[test]
fn bad_files_are_refused_with_their_line() {
    for (text, said) in [
        (
            format!("{TWO_ROOKS} ;id x"),
            "error: bad.epd:1: no `mate N`\n",
        ),
        (
            format!("\n{TWO_ROOKS} ;mate soon"),
            "error: bad.epd:2: \"mate soon\" is neither `mate N` nor `id NAME`\n",
        ),
        (
            format!("{TWO_ROOKS} ;mate 0"),
            "error: bad.epd:1: \"mate 0\" is neither `mate N` nor `id NAME`\n",
        ),
        ("9/9 w ;mate 2".to_owned(), "error: bad.epd:1: "),
    ] {
        let (output, code) = mates("bad.epd", &text);
        assert!(output.starts_with(said), "{output}");
        assert_eq!((output.lines().count(), code), (1, Some(2)));
    }
}
