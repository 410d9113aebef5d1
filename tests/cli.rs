//! The commands of the program.

mod common;

use std::path::PathBuf;
use std::process::{Command, Output};

use common::net::material_network;

/// Runs the program with these arguments.
fn vermilion(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vermilion"))
        .args(arguments)
        .env_remove("RUST_LOG")
        .output()
        .unwrap()
}

/// The lines of a run that must go well and leave stderr silent.
fn lines(arguments: &[&str]) -> Vec<String> {
    let output = vermilion(arguments);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// A file in the temporary folder that is removed in the end.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn new(name: &str, text: &str) -> Self {
        let name = format!("vermilion-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn net(name: &str) -> Self {
        let file = Self::new(name, "");
        std::fs::write(&file.0, material_network(1).to_bytes("a test")).unwrap();
        file
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn perft_ends_with_nodes_time_and_rate() {
    for arguments in [
        &["perft", "3"][..],
        &["perft", "3", "--list"],
        &["perft", "3", "--threads", "3"],
        &[
            "perft",
            "3",
            "--fen",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r",
        ],
        &["perft", "3", "--moves", "h2e2 h9g7 e2h2 g7h9"],
    ] {
        let lines = lines(arguments);
        let [nodes, time, nps] = &lines[..] else {
            panic!("{lines:?}");
        };
        assert_eq!(nodes, "nodes 79666", "{arguments:?}");
        assert!(time.starts_with("time_ms ") && nps.starts_with("nps "));
    }
    assert_eq!(lines(&["perft", "0"])[0], "nodes 1");
    let below = |moves: &str| lines(&["perft", "2", "--moves", moves])[0].clone();
    assert_eq!(
        below("h3e3 h10g8"),
        below("h2e2 h9g7"),
        "ranks may count from 1"
    );
}

#[test]
fn divide_shows_every_root_move_whatever_the_threads() {
    let one = lines(&["perft", "4", "--divide"]);
    let three = lines(&["perft", "4", "--divide", "--threads", "3"]);
    assert_eq!(one.len(), 44 + 3);
    assert_eq!(one[..45], three[..45]);
    let below = |line: &String| line.split(": ").nth(1).unwrap().parse::<u64>().unwrap();
    assert_eq!(one[..44].iter().map(below).sum::<u64>(), 3_290_240);
    assert_eq!(one[44], "nodes 3290240");
}

#[test]
fn a_suite_passes_or_names_what_differs() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let text =
        format!("# a comment\n\n{start} ;D1 44 ;D2 1920 ;D5 1\n{start} ;D2 1920\n{start} ;D5 1\n");
    let file = TemporaryFile::new("suite.epd", &text);
    let passed = lines(&["perft", "--suite", file.path(), "--max-depth", "2"]);
    assert_eq!(passed.last().unwrap(), "2 passed, 0 failed");
    let twice = lines(&[
        "perft",
        "--max-depth",
        "2",
        "--suite",
        file.path(),
        file.path(),
    ]);
    assert_eq!(twice.last().unwrap(), "4 passed, 0 failed");
    let few = lines(&[
        "perft",
        "--suite",
        file.path(),
        "--max-nodes",
        "44",
        "--max-depth",
        "4",
    ]);
    assert_eq!(few.last().unwrap(), "1 passed, 0 failed");

    let wrong = TemporaryFile::new("wrong.epd", &format!("\n{start} ;D1 44 ;D2 1921\n"));
    let output = vermilion(&["perft", "--list", "--suite", wrong.path()]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.ends_with("\n0 passed, 1 failed\n"), "{text}");
    assert!(
        text.contains(&format!("{}:2: ", wrong.path())) && text.contains("1921"),
        "{text}"
    );

    let empty = TemporaryFile::new("empty.epd", "# no position\n\n");
    let output = vermilion(&["perft", "--suite", file.path(), empty.path()]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, format!("{}: no positions\n", empty.path()));
}

#[test]
fn bad_input_is_one_line_that_names_it_and_exit_code_2() {
    let bad_fen = TemporaryFile::new("fen.epd", "\n\n9/9 w ;D1 3\n");
    let bad_count = TemporaryFile::new("count.epd", "3k5/9/9/9/9/9/9/9/9/4K4 w ;D1 x\n");
    for (arguments, named) in [
        (&["perft"][..], "DEPTH"),
        (&["perft", "deep"], "deep"),
        (&["perft", "2", "--threads", "0"], "threads"),
        (&["perft", "2", "--fen", "9/9"], "ranks"),
        (&["perft", "2", "--moves", "h2e2 h9g8"], "move 2, h9g8"),
        (
            &["perft", "--suite", "/no/such/file.epd"],
            "/no/such/file.epd",
        ),
        (&["perft", "--suite", bad_fen.path()], "fen.epd:3"),
        (&["perft", "--suite", bad_count.path()], "count.epd:1"),
        (&["bench", "0"], "0"),
        (&["bench", "2", "--hash", "many"], "many"),
        (&["analyse", "--depth", "0"], "depth"),
        (&["analyse", "--multipv", "0"], "multipv"),
        (&["eval", "--fen", "3k5/9/9/9/9/9/9/9/9/9 w"], "general"),
        (
            &[
                "bench",
                "--evaluation",
                "classical",
                "--kernels",
                "portable",
            ],
            "--kernels",
        ),
        (&["bench", "2", "--evaluation", "oracle"], "oracle"),
        (&["eval", "--eval-file", "/no/such.nnue"], "/no/such.nnue"),
        (&["eval", "--eval-file", bad_fen.path()], "not a net"),
        (
            &["eval", "--evaluation", "classical", "--eval-file", "x"],
            "--eval-file",
        ),
        (&["sing"], "sing"),
        (&["--loud"], "--loud"),
    ] {
        let output = vermilion(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(errors.contains(named), "{arguments:?}: {errors}");
    }
}

#[test]
fn bench_ends_with_nodes_and_rate_and_repeats() {
    let nodes = || -> String {
        let lines = lines(&["bench", "4", "--hash", "1"]);
        let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
        let [nodes, "nodes", rate, "nps"] = words[..] else {
            panic!("{words:?}");
        };
        assert!(rate.parse::<u64>().unwrap() > 0);
        nodes.to_owned()
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn analyse_shows_the_board_the_search_and_the_answer() {
    let mate = [
        "analyse",
        "--fen",
        "3k5/R8/9/9/9/9/9/9/9/1RB1K4 w",
        "--depth",
        "3",
    ];
    let lines_of_mate = lines(&mate);
    assert!(lines_of_mate.contains(&"8  R . . . . . . . .".to_owned()));
    assert!(lines_of_mate.iter().any(|line| line.contains("mate in 1")));
    assert_eq!(lines_of_mate.last().unwrap(), "bestmove b0b9");
    for limit in [["--movetime", "50"], ["--nodes", "2000"], ["--mate", "1"]] {
        let arguments = [&mate[..3], &limit].concat();
        assert_eq!(
            lines(&arguments).last().unwrap(),
            "bestmove b0b9",
            "{limit:?}"
        );
    }
    let several = lines(&[
        "analyse",
        "--depth",
        "3",
        "--multipv",
        "3",
        "--moves",
        "h2e2",
    ]);
    assert!(
        several
            .iter()
            .filter(|line| line.starts_with("    3 "))
            .count()
            >= 3
    );
    let mated = lines(&[
        "analyse",
        "--fen",
        "R2k5/1R7/9/9/9/9/9/9/9/4K4 b",
        "--depth",
        "3",
    ]);
    assert_eq!(mated.last().unwrap(), "bestmove (none)");
}

#[test]
fn eval_ends_with_the_evaluation_for_the_side_to_move() {
    let value = |side: &str| -> i32 {
        let lines = lines(&["eval", "--fen", &format!("3k5/9/9/9/9/9/9/9/9/R3K4 {side}")]);
        let value = lines.last().unwrap().strip_prefix("eval ").unwrap();
        value.parse().unwrap()
    };
    assert!(value("w") > 300 && value("b") < -300);
}

#[test]
fn eval_with_a_net_shows_what_each_man_is_worth() {
    let net = TemporaryFile::net("eval.nnue");
    let lines = lines(&[
        "eval",
        "--eval-file",
        net.path(),
        "--fen",
        "3k5/9/9/9/9/9/9/9/9/R3K4 b",
    ]);
    assert_eq!(lines.len(), 10 + 1 + 1 + 1, "{lines:#?}");
    let words =
        |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
    assert_eq!(
        words(&lines[0]),
        ["9", ".", ".", ".", "k", ".", ".", ".", ".", "."]
    );
    assert_eq!(words(&lines[9])[..2], ["0", "R"]);
    // From Red's view, and generals have no value.
    let [worth] = &words(&lines[10])[..] else {
        panic!("{lines:#?}");
    };
    let worth: i32 = worth.parse().unwrap();
    let value: i32 = lines[12].strip_prefix("eval ").unwrap().parse().unwrap();
    assert!(worth > 400 && value < -400, "{lines:#?}");
}

#[test]
fn bench_uses_the_net_and_the_kernels_that_are_named() {
    let net = TemporaryFile::net("bench.nnue");
    let bench = |kernels: &[&str]| -> String {
        let arguments = ["bench", "4", "--hash", "1", "--eval-file", net.path()];
        let lines = lines(&[&arguments, kernels].concat());
        lines.last().unwrap().split(' ').next().unwrap().to_owned()
    };
    assert_eq!(bench(&["--kernels", "portable"]), bench(&[]));
    let unknown = ["bench", "--eval-file", net.path(), "--kernels", "mmx"];
    let output = vermilion(&unknown);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("mmx") && error.contains("portable"),
        "{error}"
    );
}

#[test]
fn help_lists_the_commands_and_exits_with_0() {
    for arguments in [&["--help"][..], &["perft", "--help"], &["--version"]] {
        assert!(!lines(arguments).is_empty());
    }
    let help = lines(&["--help"]).join("\n");
    for command in ["perft", "bench", "analyse", "eval"] {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
    }
}
