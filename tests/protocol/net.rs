//! Nets from files, choosing the evaluation, and chances with the scores.

use std::path::PathBuf;

use super::common::net::material_network;
use super::grammar::Grammar;
use super::pipe::{Program, after, count};

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("vermilion-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, content: &[u8]) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The number that `eval` gives; the board of values comes before it where a net is used.
fn eval(program: &mut Program) -> (i32, bool) {
    program.expect(Grammar::Any);
    program.send("eval");
    let lines = program.until("eval");
    let value = lines.last().unwrap()["eval ".len()..].parse().unwrap();
    (value, lines.len() > 1)
}

/// Not even, so that two evaluations hardly agree.
const UNEVEN: &str = "position fen 3akab2/9/4b4/p3p3p/9/2P6/P3P3P/4C4/9/R2AKAB2 w";

#[test]
fn a_net_is_loaded_and_unloaded_in_the_middle_of_a_game() {
    let folder = Folder::new("nets");
    for (word, notice) in [("uci", "info string "), ("ucci", "info message ")] {
        let first = folder.file("first net.nnue", &material_network(1).to_bytes("the first"));
        let second = folder.file("second.nnue", &material_network(2).to_bytes("the second"));
        let mut program = Program::start();
        program.open(word);
        program.send(UNEVEN);
        program.send("setoption name Evaluation value classical");
        let (classical, _) = eval(&mut program);
        program.send("setoption name Evaluation value net");
        program.sync();
        program.go("depth 5");
        program.send(&format!("setoption name EvalFile value {first}"));
        let told = program.sync();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with(notice) && told[0].ends_with("the first"));
        let (with_first, board) = eval(&mut program);
        assert!(board && with_first != classical);
        program.go("depth 5");
        program.send(&format!("setoption evalfile {second}"));
        program.sync();
        let (with_second, _) = eval(&mut program);
        assert_ne!(with_second, with_first);
        program.send("setoption name Evaluation value Classical");
        assert_eq!(eval(&mut program), (classical, false));
        program.send("setoption evaluation net");
        assert_eq!(eval(&mut program), (with_second, true));
        program.send("setoption name EvalFile value <default>");
        let (default, _) = eval(&mut program);
        program.send(&format!("setoption name EvalFile value {first}"));
        program.sync();
        program.send("setoption name EvalFile value ");
        assert_eq!(eval(&mut program).0, default);
        program.send("quit");
        program.finish_well();
    }
}

#[test]
fn a_file_that_is_no_net_gets_a_message_and_the_old_net_plays_on() {
    let folder = Folder::new("no-nets");
    let good = material_network(3).to_bytes("good");
    let mut other = good.clone();
    other[28] ^= 1;
    let noise: Vec<u8> = (0..500_000_u32)
        .map(|i| (i.wrapping_mul(i) >> 7) as u8)
        .collect();
    let mut damaged = good.clone();
    damaged[300_000] ^= 4;
    let missing = folder.0.join("missing").to_str().unwrap().to_owned();
    let refused = [
        (folder.file("cut", &good[..good.len() - 1]), "truncated"),
        (folder.file("short", &good[..30]), "truncated"),
        (folder.file("long", &[&good[..], b"x"].concat()), "too long"),
        (folder.file("empty", b""), "not a net"),
        (folder.file("noise", &noise), "not a net"),
        (folder.file("other", &other), "another architecture"),
        (folder.file("damaged", &damaged), "checksum"),
        (env!("CARGO_BIN_EXE_vermilion").to_owned(), "not a net"),
        (folder.0.to_str().unwrap().to_owned(), "not a regular file"),
        (missing, "(os error 2)"),
    ];
    for word in ["uci", "ucci"] {
        let mut program = Program::start();
        program.open(word);
        let good = folder.file("good", &good);
        program.send(&format!("setoption name EvalFile value {good}"));
        program.send("position startpos moves h2e2 h9g7 h0g2");
        program.sync();
        let value = eval(&mut program);
        assert!(value.1);
        for (path, why) in &refused {
            program.send("go infinite");
            program.send(&format!("setoption name EvalFile value {path}"));
            let lines = program.sync();
            assert_eq!(count(&lines, "bestmove"), 1, "{lines:#?}");
            let told = lines.last().unwrap();
            assert!(told.contains(path) && told.contains(why), "{told}");
            assert_eq!(eval(&mut program), value, "{path}");
            assert_ne!(program.best_move("depth 3"), "(none)");
        }
        program.send("quit");
        program.finish_well();
    }
}

#[test]
fn an_unknown_evaluation_is_refused() {
    let mut program = Program::uci();
    program.send("setoption name Evaluation value oracle");
    let told = program.line();
    assert!(
        told.contains("net, classical") && told.contains("oracle"),
        "{told}"
    );
}

#[test]
fn chances_follow_the_score_in_uci_when_asked_for() {
    let mut program = Program::uci();
    program.send_all(&[
        "setoption name UCI_ShowWDL value true",
        "position fen 3k5/9/9/9/9/9/9/9/9/R3K4 w",
    ]);
    let lines = program.go("depth 3");
    assert!(lines.len() > 2);
    for line in &lines[..lines.len() - 1] {
        let words: Vec<&str> = line.split(' ').collect();
        let at = words.iter().position(|&word| word == "wdl").expect("wdl");
        let chances: Vec<u32> = words[at + 1..at + 4]
            .iter()
            .map(|word| word.parse().unwrap())
            .collect();
        assert_eq!(chances.iter().sum::<u32>(), 1000, "{line}");
        assert!(chances[0] > chances[2], "a rook ahead: {line}");
    }
    program.send("position fen R2k5/4P4/9/9/9/9/9/9/9/4K4 b");
    let lines = program.go("depth 1");
    assert!(lines[0].ends_with("score mate 0 wdl 0 0 1000"), "{lines:?}");
    program.send("setoption name UCI_ShowWDL value false");
    assert_eq!(after(&program.go("depth 1")[0], "wdl"), None);
    program.open("ucci");
    program.send_all(&["setoption UCI_ShowWDL true", "position startpos"]);
    assert_eq!(after(&program.go("depth 3")[0], "wdl"), None);
}
