//! The commands on games: `convert`, `analyse --notation` and `--pgn`, `book`, and the
//! notation of a match's PGN.

use std::path::PathBuf;
use std::process::{Command, Output};

use vermilion::book::Book;
use vermilion::notation::encoding::{Encoding, decode, encode};
use vermilion::notation::pgn::read_games;
use vermilion::position::Position;

/// Runs the program with these arguments.
fn vermilion(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vermilion"))
        .args(arguments)
        .env_remove("RUST_LOG")
        .output()
        .unwrap()
}

/// What a run that must go well writes.
fn text(arguments: &[&str]) -> String {
    let output = vermilion(arguments);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one line on stderr of a run that must be refused.
fn refusal(arguments: &[&str]) -> String {
    let output = vermilion(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
    errors
}

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("vermilion-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn file(&self, name: &str, content: &[u8]) -> String {
        std::fs::write(self.path(name), content).unwrap();
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const CHINESE: &str =
    "[Event \"联赛\"]\n[Result \"1-0\"]\n\n1. 炮二平五 马8进7 {好} 2. 马二进三 车9平8 1-0\n";

#[test]
fn games_and_moves_are_converted_between_all_forms() {
    let folder = Folder::new("convert");
    let gbk = folder.file("gbk.pgn", &encode(CHINESE, Encoding::Gbk));
    let wxf = text(&["convert", &gbk, "--to", "wxf"]);
    assert!(wxf.contains("1. C2=5 H8+7 {好} 2. H2+3 R9=8 1-0"), "{wxf}");
    assert!(wxf.contains("[Event \"联赛\"]") && wxf.contains("[Format \"WXF\"]"));
    let file = folder.file("wxf.pgn", wxf.as_bytes());
    let lines = text(&["convert", &file, "--as", "lines"]);
    assert_eq!(lines, "startpos moves H2-E2 H9-G7 H0-G2 I9-H9\n");
    let list = folder.file("list.txt", format!("# a comment\n\n{lines}").as_bytes());
    let traditional = text(&["convert", &list, "--to", "chinese-traditional"]);
    assert_eq!(
        traditional,
        "startpos moves 炮二平五 馬8進7 傌二進三 車9平8\n"
    );
    let back = folder.path("back.pgn");
    let arguments = [
        "convert",
        &list,
        "--to",
        "chinese",
        "--as",
        "pgn",
        "--encoding",
        "gbk",
        "--output",
        &back,
    ];
    assert_eq!(text(&arguments), "");
    let (back, encoding) = decode(&std::fs::read(&back).unwrap());
    assert_eq!(encoding, Encoding::Gbk);
    assert!(
        back.contains("1. 炮二平五 马8进7 2. 马二进三 车9平8"),
        "{back}"
    );

    let far = folder.file("far.txt", "C82-85\n".as_bytes());
    assert_eq!(
        text(&["convert", &far, "--from", "numeric-far"]),
        "startpos moves H2-E2\n"
    );
    let fen = "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1";
    let list = folder.file("fen.txt", format!("{fen} moves R5+3\nR5=9\n").as_bytes());
    let expected = format!("{fen} moves R25-55\n{fen} moves R25-29\n");
    assert_eq!(
        text(&["convert", &list, "--fen", fen, "--to", "numeric"]),
        expected
    );
}

#[test]
fn bad_games_are_named_and_the_rest_is_converted() {
    let folder = Folder::new("bad");
    let file = folder.file("bad.txt", b"h2e2 h9g7 h2e2\nh2e2\nC2=5 C2=6\n");
    let output = vermilion(&["convert", &file, "--to", "wxf"]);
    assert_eq!(output.status.code(), Some(2));
    let written = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        written,
        "startpos moves C2=5 H8+7\nstartpos moves C2=5\nstartpos moves C2=5 C2=6\n"
    );
    let error = refusal(&["convert", &file]);
    assert!(
        error.contains("bad.txt: game 1, line 1: move 3, h2e2: "),
        "{error}"
    );
    for (arguments, named) in [
        (&["convert", "/no/such/file"][..], "/no/such/file"),
        (&["convert", &file, "--to", "morse"], "wxf-letters"),
        (&["convert", &file, "--encoding", "big5"], "utf-8"),
        (&["convert", &file, "--fen", "9/9"], "--fen"),
        (&["analyse", "--notation", "san"], "no notation"),
        (&["analyse", "--pgn", "/no/such/file"], "/no/such/file"),
        (&["analyse", "--output", "x"], "--pgn"),
        (&["book", "/no/such/file"], "/no/such/file"),
    ] {
        let error = refusal(arguments);
        assert!(error.contains(named), "{arguments:?}: {error}");
    }
}

#[test]
fn an_analysis_speaks_the_notation() {
    let mate = [
        "analyse",
        "--fen",
        "3k5/R8/9/9/9/9/9/9/9/1RB1K4 w",
        "--depth",
        "3",
    ];
    for (notation, best) in [
        ("iccs", "b0b9"),
        ("wxf", "R8+9"),
        ("chinese", "车八进九"),
        ("numeric", "R18-108"),
    ] {
        let arguments = [&mate[..], &["--notation", notation]].concat();
        let lines = text(&arguments);
        assert_eq!(
            lines.lines().last(),
            Some(format!("bestmove {best}").as_str())
        );
        assert!(lines.contains(&format!("  {best}\n")), "{lines}");
    }
}

#[test]
fn mistakes_are_marked_in_the_games_of_a_file() {
    let folder = Folder::new("annotate");
    // A cannon takes a protected horse, and Black leaves its own rook where it is taken.
    let pgn = "[Event \"联赛\"]\n\n1. 炮二进七 {急} 马2进3 2. 马二进三 *\n";
    let file = folder.file("game.pgn", &encode(pgn, Encoding::Gbk));
    let target = folder.path("out.pgn");
    let arguments = [
        "analyse",
        "--pgn",
        &file,
        "--nodes",
        "3000",
        "--notation",
        "chinese",
    ];
    let summary = text(&[&arguments[..], &["--output", &target]].concat());
    let words: Vec<&str> = summary.split_whitespace().collect();
    assert_eq!(words[..4], ["games", "1", "moves", "3"], "{summary}");
    let (written, encoding) = decode(&std::fs::read(&target).unwrap());
    assert_eq!(encoding, Encoding::Gbk);
    let games = read_games(&written);
    let [game] = games.as_slice() else {
        panic!("{written}");
    };
    assert_eq!(game.fault, None, "{written}");
    let moves = &game.line.moves;
    assert_eq!(moves.len(), 3);
    for played in moves {
        let score = &played.comments[0];
        let (value, depth) = score.split_once('/').expect(score);
        assert!(
            value.starts_with(['+', '-']) && depth.parse::<u32>().is_ok(),
            "{score}"
        );
    }
    // The first move loses a cannon for a horse, the second does not take it.
    assert_eq!(moves[0].comments[1], "急");
    assert!([2, 4, 6].contains(&moves[1].glyphs[0]), "{written}");
    let better = &moves[1].variations[0].moves[0];
    assert_eq!(better.mv.to_string(), "i9h9", "{written}");
    let marked: usize = moves.iter().map(|played| played.glyphs.len()).sum();
    let figures: usize = [5, 7, 9]
        .iter()
        .map(|&at| words[at].parse::<usize>().unwrap())
        .sum();
    assert_eq!(marked, figures, "{summary}");

    // Without --output the figures are a line that readers skip, in the file's notation.
    let plain = folder.file("plain.pgn", b"[Format \"WXF\"]\n1. C2=5 H8+7 *\n");
    let written = text(&["analyse", "--pgn", &plain, "--depth", "1"]);
    assert!(
        written
            .lines()
            .last()
            .unwrap()
            .starts_with("% games 1 moves 2 "),
        "{written}"
    );
    assert!(written.contains("1. C2=5"), "{written}");
    assert_eq!(read_games(&written).len(), 1);
}

/// Games of the engine against itself become a book, which knows their moves.
#[test]
fn a_book_is_made_from_the_games_of_a_match() {
    let folder = Folder::new("book");
    let (pgn, book) = (folder.path("games.pgn"), folder.path("BOOK.DAT"));
    let engine = |name: &str| format!("name={name} cmd={}", env!("CARGO_BIN_EXE_vermilion"));
    let arguments = [
        "match",
        "--engine",
        &engine("A"),
        "--engine",
        &engine("B"),
        "--tc",
        "depth 1",
        "--games",
        "4",
        "--max-moves",
        "12",
        "--pgn",
        &pgn,
        "--notation",
        "chinese",
    ];
    let output = vermilion(&arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let written = std::fs::read_to_string(&pgn).unwrap();
    assert!(
        written.contains("[Format \"Chinese\"]") && written.contains('平'),
        "{written}"
    );
    let games = read_games(&written);
    assert_eq!(games.len(), 4);
    assert!(
        games
            .iter()
            .all(|game| game.fault.is_none() && game.line.moves.len() >= 20)
    );

    let summary = text(&[
        "book", &pgn, "--output", &book, "--plies", "10", "--loss", "1",
    ]);
    let bytes = std::fs::read(&book).unwrap();
    let expected = format!("games 4 faulty 0 moves 40 records {}\n", bytes.len() / 8);
    assert_eq!(summary, expected);
    let book = Book::from_bytes(&bytes).unwrap();
    for game in &games {
        let mut position: Position = game.start.clone();
        for mv in game.moves().take(10) {
            let known = book.moves(&position);
            assert!(
                known.iter().any(|known| known.mv == mv),
                "{mv} in {}",
                position.fen()
            );
            position.make(mv);
        }
    }
    let error = refusal(&[
        "book",
        &pgn,
        "--output",
        &folder.path("none"),
        "--ratio",
        "1000",
    ]);
    assert!(error.contains("enough points"), "{error}");
}
