//! Options that change what is said, and how the engine plays besides how well.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::grammar::Grammar;
use super::pipe::{Program, after, chosen, count};

/// Black has lost nearly everything, and the game is not over at once.
const LOST: &str = "position fen 3k5/9/9/9/9/9/9/4R4/4A4/R3KA3 b - - 0 40";
/// A rook and guards each: level, and long without a capture.
const LEVEL: &str = "position fen 3akab1r/9/4b4/9/9/9/9/4B4/4A4/2BAK2R1 w - - 60 90";

#[test]
fn a_lost_game_is_given_up_only_when_that_is_allowed() {
    let mut program = Program::ucci();
    let end = |program: &mut Program| program.go("depth 3").pop().unwrap();
    program.send(LOST);
    assert!(!end(&mut program).contains("resign"), "off by default");
    program.send("setoption resign 500");
    let line = end(&mut program);
    assert!(
        line.ends_with(" resign") && !line.contains("ponder"),
        "{line}"
    );
    program.send("position startpos");
    assert!(!end(&mut program).contains("resign"));
    program.send_all(&["setoption resign 0", LOST]);
    assert!(!end(&mut program).contains("resign"));
    // UCI has no word for it.
    program.send("setoption resign 500");
    program.open("uci");
    program.send(LOST);
    assert!(!end(&mut program).contains("resign"));
}

#[test]
fn a_draw_is_accepted_where_it_is_no_loss_and_offered_only_on_demand() {
    let mut program = Program::ucci();
    let agrees = |program: &mut Program, go: &str| {
        // What an earlier search knew must not change the score.
        program.send("uccinewgame");
        program.go(go).pop().unwrap().ends_with(" draw")
    };
    program.send(LEVEL);
    assert!(!agrees(&mut program, "depth 3"), "nobody asked");
    assert!(agrees(&mut program, "draw depth 3"));
    assert!(agrees(&mut program, "draw depth 3 time 5000 increment 0"));
    program.send_all(&["setoption drawoffers true", "setoption style normal"]);
    assert!(agrees(&mut program, "depth 3"));
    program.send("position startpos");
    assert!(!agrees(&mut program, "draw depth 3"), "the game is young");
    program.send(LOST);
    assert!(agrees(&mut program, "draw depth 3"));
    program.send(&LOST.replace(" b ", " w "));
    assert!(!agrees(&mut program, "draw depth 3"), "it is won");
}

#[test]
fn a_draw_may_be_offered_with_the_pondered_move() {
    let mut program = Program::ucci();
    for (hit, agreed) in [("ponderhit", false), ("ponderhit draw", true)] {
        program.send_all(&["uccinewgame", LEVEL, "go ponder time 300 movestogo 1", hit]);
        let line = program.until("bestmove").pop().unwrap();
        assert_eq!(line.ends_with(" draw"), agreed, "{line}");
    }
}

#[test]
fn the_style_decides_between_a_draw_and_a_game() {
    // Red can take the draw by repetition, or play on a little worse.
    let score = |style: &str| -> i32 {
        let mut program = Program::ucci();
        program.send(&format!("setoption style {style}"));
        program.send("position fen 3ak4/9/9/9/9/9/9/9/4A4/3K5 w - - 0 1");
        let lines = program.go("depth 4");
        after(&lines[lines.len() - 2], "score")
            .unwrap()
            .parse()
            .unwrap()
    };
    assert_eq!(score("solid"), 20);
    assert_eq!(score("normal"), 0);
    assert_eq!(score("Risky"), -30);
    let mut program = Program::ucci();
    program.send("setoption style bold");
    assert_eq!(
        program.line(),
        "info message option style needs one of solid, normal, risky, not \"bold\""
    );
}

#[test]
fn chance_varies_the_games_without_spoiling_them() {
    let moves = |randomness: &str| -> BTreeSet<String> {
        let mut program = Program::ucci();
        program.send(&format!("setoption randomness {randomness}"));
        let search = |program: &mut Program| {
            program.send_all(&["ucinewgame", "position startpos"]);
            program.best_move("depth 5")
        };
        (0..16).map(|_| search(&mut program)).collect()
    };
    assert_eq!(moves("none").len(), 1);
    assert!(moves("huge").len() > 1);
    // A free rook is worth more than any chance.
    let mut program = Program::ucci();
    program.send_all(&[
        "setoption randomness huge",
        "position fen 3k5/9/9/9/9/9/4r4/9/4R4/5K3 w - - 0 1",
    ]);
    for _ in 0..5 {
        assert_eq!(program.best_move("depth 4"), "e1e3");
    }
}

#[test]
fn an_idle_engine_does_less_in_the_same_time() {
    let mut program = Program::ucci();
    let nodes = |program: &mut Program, idle: &str| -> u64 {
        program.send_all(&[
            &format!("setoption idle {idle}"),
            "ucinewgame",
            "position startpos",
        ]);
        let lines = program.go("movetime 600");
        after(&lines[lines.len() - 2], "nodes")
            .unwrap()
            .parse()
            .unwrap()
    };
    // The best of three, so that other load on the machine does not decide.
    let most = |program: &mut Program, idle| (0..3).map(|_| nodes(program, idle)).max().unwrap();
    let (none, large) = (most(&mut program, "none"), most(&mut program, "large"));
    assert!(large < none, "{large} {none}");
    // It still heeds `stop` at once.
    program.send("go infinite");
    let start = Instant::now();
    program.send("stop");
    program.until("bestmove");
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn promotion_and_other_games_are_refused_politely() {
    let mut program = Program::ucci();
    program.send("setoption promotion false");
    assert!(program.sync().is_empty());
    program.send("setoption promotion true");
    let lines = program.sync();
    assert_eq!(lines.len(), 1);
    assert!(lines[0].starts_with("info message promotion is refused: "));

    let mut program = Program::uci();
    program.send("setoption name UCI_Variant value Xiangqi");
    assert!(program.sync().is_empty());
    program.send("setoption name UCI_Variant value janggi");
    assert_eq!(
        program.sync(),
        ["info string option UCI_Variant needs one of xiangqi, not \"janggi\""]
    );
}

#[test]
fn debug_tells_what_is_ignored_and_how_go_was_understood() {
    for (word, on, off, notice) in [
        ("uci", "debug on", "debug off", "info string"),
        (
            "ucci",
            "setoption debug true",
            "setoption debug false",
            "info message",
        ),
    ] {
        let mut program = Program::start();
        program.open(word);
        program.send_all(&["xyzzy", "setoption name Foo value 3"]);
        assert!(program.sync().is_empty());
        program.send_all(&[
            on,
            "xyzzy 1",
            "setoption name Foo value 3",
            "position startpos",
        ]);
        assert_eq!(
            program.sync(),
            [
                format!("{notice} no command of this name, ignored: xyzzy"),
                format!("{notice} no option of this name, ignored: setoption name Foo value 3"),
            ]
        );
        let lines = program.go("depth 2 time 9000 increment 80 nodes 5000");
        let told = format!("{notice} go: depth 2, nodes 5000, time 9000, increment 80");
        assert_eq!(lines[0], told);
        program.send_all(&[off, "xyzzy"]);
        assert!(program.sync().is_empty());
        assert_eq!(count(&program.go("depth 2"), "info"), 2);
    }
    let mut program = Program::uci();
    program.send("debug perhaps");
    assert_eq!(program.line(), "info string debug needs on or off");
}

#[test]
fn in_analyse_mode_a_low_level_holds_nothing_back() {
    let mut program = Program::uci();
    program.send_all(&["setoption name Skill Level value 0", "position startpos"]);
    let nodes = |program: &mut Program| -> u64 {
        let lines = program.go("nodes 20000");
        let told = lines
            .iter()
            .rev()
            .find(|line| line.contains(" nodes "))
            .unwrap();
        after(told, "nodes").unwrap().parse().unwrap()
    };
    assert!(nodes(&mut program) < 5_000);
    program.send("setoption name UCI_AnalyseMode value true");
    assert!(nodes(&mut program) > 10_000);
    program.send("setoption name UCI_AnalyseMode value false");
    assert!(nodes(&mut program) < 5_000);
}

#[test]
fn ranks_count_from_one_where_that_is_asked_for() {
    let mut program = Program::uci();
    program.send("setoption name UCI_RankBase value 1");
    program.expect(Grammar::UciFromOne);
    // Neither move tells how it counts.
    program.send("position startpos moves h3e3 h8e8");
    assert!(program.sync().is_empty());
    let lines = program.go("depth 4 searchmoves h1g3");
    assert_eq!(chosen(&lines), "h1g3");
    assert!(lines.iter().any(|line| line.contains(" pv h1g3 ")));
    program.send("position startpos moves h3e3 h10g8 h1g3");
    assert!(program.sync().is_empty());
    program.send("probe startpos moves h3e3 h8e8");
    let known = program.line();
    assert!(
        after(&known, "bestmove").is_none_or(|mv| mv == "h1g3"),
        "{known}"
    );
    // A rank 0 tells that the list counts from zero all the same.
    program.send("position startpos moves h2e2 h9g7 h0g2");
    assert!(program.sync().is_empty());
    program.expect(Grammar::Uci);
    program.send("setoption name UCI_RankBase value 0");
    program.send("position startpos moves h2e2 h7e7");
    assert_eq!(chosen(&program.go("depth 2 searchmoves h0g2")), "h0g2");
}

#[test]
fn the_hint_to_ponder_is_taken_and_no_clock_overdrawn() {
    // That it gives a move more time is tested in `search::time`, where time is a number.
    for (word, on) in [("uci", "name Ponder value true"), ("ucci", "ponder true")] {
        let mut program = Program::start();
        program.open(word);
        program.send(&format!("setoption {on}"));
        assert!(program.sync().is_empty());
        program.send("position startpos");
        let start = Instant::now();
        program.go("wtime 3000 btime 3000");
        assert!(start.elapsed() < Duration::from_secs(3));
    }
}

#[test]
fn options_of_ucci_that_do_nothing_here_are_ignored() {
    let mut program = Program::start();
    let announced = program.open("ucci");
    for option in [
        "useegtb",
        "egtbpaths",
        "evalapi",
        "pruning",
        "knowledge",
        "usehash",
    ] {
        let prefix = format!("option {option} ");
        assert!(announced.iter().all(|line| !line.starts_with(&prefix)));
        program.send(&format!("setoption {option} large"));
    }
    assert!(program.sync().is_empty());
}

#[test]
fn words_of_other_engines_are_skipped() {
    let mut program = Program::uci();
    program.send_all(&["register later", "position startpos"]);
    let lines = program.go("bookmove h2e2 egtbmove b2e2 depth 3 searchmoves b0c2");
    assert_eq!(chosen(&lines), "b0c2");
    program.send_all(&["go infinite", "hint score 35 depth 9 pv h2e2 h9g7", "stop"]);
    let lines = program.until("bestmove");
    assert!(lines.iter().all(|line| !line.starts_with("info string")));
}
