//! Opening books over the pipes.

use std::path::PathBuf;

use vermilion::book::BookBuilder;
use vermilion::position::Position;
use vermilion::types::Move;

use super::pipe::Program;

/// A file that goes when the test ends.
struct File(PathBuf);

impl File {
    fn new(name: &str, content: &[u8]) -> Self {
        let name = format!("vermilion-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, content).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Moves with their points, each on the position after the words before it.
fn book(entries: &[(&str, &str, u32)]) -> Vec<u8> {
    let mut builder = BookBuilder::default();
    for &(played, mv, points) in entries {
        let mut position = Position::startpos();
        for word in played.split_whitespace() {
            position.make(Move::parse(word).unwrap());
        }
        builder.add(&position, Move::parse(mv).unwrap(), points);
    }
    builder.build(1).to_bytes()
}

/// A rook's-pawn move that no search would begin with, and an answer to it.
const ENTRIES: [(&str, &str, u32); 3] =
    [("", "i3i4", 90), ("i3i4", "a6a5", 30), ("i3i4", "h9i7", 10)];

fn best(lines: &[String]) -> &str {
    lines.last().unwrap().split(' ').nth(1).unwrap()
}

#[test]
fn moves_of_a_book_are_played_in_both_dialects() {
    let file = File::new("象棋 book.dat", &book(&ENTRIES));
    for (word, options) in [
        ("uci", ["name BookFile value ", "name OwnBook value "]),
        ("ucci", ["bookfiles ", "usebook "]),
    ] {
        let mut program = Program::start();
        program.open(word);
        let notice = if word == "uci" {
            "info string"
        } else {
            "info message"
        };
        program.send(&format!(
            "setoption {}/no/such/book;{}",
            options[0],
            file.path()
        ));
        let told = program.sync();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("no book /no/such/book: "), "{told:?}");
        assert!(
            told[1].starts_with(notice) && told[1].ends_with(": 4 moves"),
            "{told:?}"
        );

        program.send("position startpos");
        // i3i4 and its mirror image.
        let lines = program.go("depth 3");
        assert!(["i3i4", "a3a4"].contains(&best(&lines)), "{lines:?}");
        assert!(
            lines[0].starts_with(&format!("{notice} book: ")),
            "{lines:?}"
        );
        assert!(
            lines[1].starts_with("info depth 0 ") && lines[1].ends_with(best(&lines)),
            "{lines:?}"
        );
        assert_eq!(lines.len(), 3, "{lines:?}");

        // The best one, in the mirrored position, and what is left if it is banned.
        program.send("setoption name Book Choice value best");
        program.send("position startpos moves a3a4");
        for _ in 0..5 {
            assert_eq!(best(&program.go("movetime 1000")), "i6i5");
        }
        program.send("banmoves i6i5");
        assert_eq!(best(&program.go("nodes 1000")), "b9a7");
        program.send("position startpos moves a3a4");
        assert_eq!(best(&program.go("nodes 1000 searchmoves b9a7")), "b9a7");

        // Not in an analysis, with several lines, off, out of the book, or without one.
        let searches = |program: &mut Program, arguments: &str| {
            let lines = program.go(arguments);
            assert!(!lines.iter().any(|line| line.contains("book")), "{lines:?}");
        };
        searches(&mut program, "depth 2 mate 5");
        program.send("setoption name MultiPV value 2");
        searches(&mut program, "depth 2");
        program.send("setoption name MultiPV value 1");
        program.send(&format!("setoption {}false", options[1]));
        searches(&mut program, "depth 2");
        program.send(&format!("setoption {}true", options[1]));
        assert_eq!(best(&program.go("depth 2")), "i6i5");
        program.send("position startpos moves b0a2");
        searches(&mut program, "depth 2");
        program.send("position startpos");
        program.send(&format!("setoption {}<empty>", options[0]));
        searches(&mut program, "depth 2");
        program.send("quit");
    }
}

#[test]
fn a_book_move_that_would_repeat_into_a_loss_is_not_played() {
    // Red's rook checks; Black's general goes to and fro.
    let fen = "4k4/9/9/9/9/9/9/9/R8/3K5 w";
    let mut position: Position = fen.parse().unwrap();
    position.make(Move::parse("a1a9").unwrap());
    position.make(Move::parse("e9e8").unwrap());
    let mut builder = BookBuilder::default();
    builder.add(&position, Move::parse("a9a8").unwrap(), 5);
    let file = File::new("checks.dat", &builder.build(1).to_bytes());
    let mut program = Program::ucci();
    program.send(&format!("setoption bookfiles {}", file.path()));
    program.sync();
    program.send(&format!("position fen {fen} moves a1a9 e9e8"));
    assert_eq!(best(&program.go("depth 2")), "a9a8");
    let twice = "a1a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9 a8a9 e9e8";
    program.send(&format!("position fen {fen} moves {twice}"));
    let lines = program.go("depth 2");
    assert!(!lines.iter().any(|line| line.contains("book")), "{lines:?}");
}

#[test]
fn what_is_no_book_is_refused_and_the_engine_plays_on() {
    let text = File::new("text.dat", b"no book at all, but sixteen by 2");
    let database = File::new("x.obk", &[&b"SQLite format 3\0"[..], &[0; 64]].concat());
    let mut program = Program::uci();
    for (path, named) in [
        (text.path(), "hold no move"),
        (database.path(), "SQLite"),
        ("/", "not a regular file"),
    ] {
        program.send(&format!("setoption name BookFile value {path}"));
        let told = program.sync();
        assert!(told.len() == 1 && told[0].contains(named), "{told:?}");
    }
    program.send("setoption name Book Choice value worst");
    let told = program.sync();
    assert!(
        told.len() == 1 && told[0].contains("weighted, best"),
        "{told:?}"
    );
    program.send("setoption name BookFile value ");
    assert!(program.sync().is_empty());
    assert_eq!(
        program
            .go("depth 2")
            .iter()
            .filter(|line| line.contains("book"))
            .count(),
        0
    );
}
