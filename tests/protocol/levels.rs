//! Playing levels over the pipes.

use super::pipe::Program;

/// Nodes and move of a search.
fn answer(lines: &[String]) -> (u64, String) {
    let told = lines.iter().rev().find(|line| line.contains(" nodes "));
    let told = told.expect("a line of the search");
    let mut words = told.split(' ').skip_while(|word| *word != "nodes");
    let nodes = words.nth(1).and_then(|word| word.parse().ok());
    let best = lines.last().and_then(|line| line.split(' ').nth(1));
    // The last line told is that of the move that is played, whatever its place.
    let pv = told.split(" pv ").nth(1).expect("a line");
    assert_eq!(pv.split(' ').next(), best);
    assert!(!told.contains(" multipv "));
    (nodes.expect("a number"), best.expect("a move").to_owned())
}

#[test]
fn a_low_level_searches_little_and_varies_its_moves() {
    for (word, low, full) in [
        (
            "uci",
            "name Skill Level value 0",
            "name Skill Level value 20",
        ),
        ("uci", "Skill Level 0", "skilllevel 99"),
        ("ucci", "skilllevel 0", "skilllevel 20"),
    ] {
        let mut program = Program::start();
        program.open(word);
        program.send(&format!("setoption {low}"));
        program.send("position startpos");
        let mut moves = std::collections::BTreeSet::new();
        for _ in 0..12 {
            let (nodes, best) = answer(&program.go("movetime 5000"));
            assert!(nodes < 3_000, "{nodes}");
            moves.insert(best);
        }
        assert!(moves.len() > 3, "{moves:?}");
        program.send(&format!("setoption {full}"));
        assert!(answer(&program.go("nodes 20000")).0 > 10_000);
    }
}

#[test]
fn a_rating_counts_only_where_it_is_asked_for() {
    for (word, on, rating) in [
        (
            "uci",
            "name UCI_LimitStrength value true",
            "name UCI_Elo value 800",
        ),
        ("ucci", "limitstrength on", "elo 800"),
    ] {
        let mut program = Program::start();
        program.open(word);
        program.send(&format!("setoption {rating}"));
        program.send("position startpos");
        assert!(answer(&program.go("nodes 20000")).0 > 10_000);
        program.send(&format!("setoption {on}"));
        assert!(answer(&program.go("nodes 20000")).0 < 3_000);
        program.send("setoption name UCI_LimitStrength value false");
        assert!(answer(&program.go("nodes 20000")).0 > 10_000);
    }
}

#[test]
fn analysis_holds_nothing_back() {
    let mut program = Program::uci();
    program.send("setoption name Skill Level value 0");
    program.send("setoption name MultiPV value 2");
    program.send("position startpos");
    let lines = program.go("nodes 20000");
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ")));
    program.send("setoption name MultiPV value 1");
    // A mate in two, which level 0 would often miss.
    program.send("position fen 3k5/9/9/9/9/9/9/9/4A4/R3K3R w - - 0 1");
    let lines = program.go("mate 3");
    assert!(
        lines.iter().any(|line| line.contains(" score mate ")),
        "{lines:#?}"
    );
}

#[test]
fn ratings_are_announced_with_their_range() {
    let lines = Program::start().open("uci");
    for option in [
        "option name Skill Level type spin default 20 min 0 max 20",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default 2850 min 800 max 2850",
    ] {
        assert!(lines.iter().any(|line| line == option), "{option}");
    }
}
