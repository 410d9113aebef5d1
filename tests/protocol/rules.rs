//! The options that say when a game is drawn or lost by a rule.

use super::pipe::{Program, after};

/// Red checks for ever with its rook, and otherwise loses.
const PERPETUAL_CHECK: &str = "4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w - - 0 1";
/// Red has a rook more, and two plies until the sixty rounds are full.
const NEAR_THE_LIMIT: &str = "3akab2/9/4b4/9/9/9/9/4B4/4A4/R1BAK4 w - - 118 90";

/// The last score of a search, in centipawns.
fn score(program: &mut Program, go: &str) -> i32 {
    let lines = program.go(go);
    let last = lines.iter().rfind(|line| line.contains(" score ")).unwrap();
    let score = after(last, "cp").or_else(|| after(last, "score")).unwrap();
    score.parse().unwrap()
}

#[test]
fn the_rule_set_decides_what_a_perpetual_check_is_worth() {
    let mut program = Program::uci();
    program.send(&format!("position fen {PERPETUAL_CHECK}"));
    for name in ["AlwaysDraw", "nojudgement"] {
        program.send(&format!("setoption name Repetition Rule value {name}"));
        assert_eq!(score(&mut program, "depth 14"), 0, "{name}");
    }
    for name in [
        "AsianRule",
        "checkban",
        "chinese",
        "SimpleAsian",
        "ComputerRule",
    ] {
        program.send(&format!("setoption name Repetition Rule value {name}"));
        assert!(score(&mut program, "depth 14") < -300, "{name}");
    }
}

#[test]
fn an_unknown_rule_set_is_refused_and_the_old_one_stays() {
    let mut program = Program::uci();
    program.send_all(&[
        &format!("position fen {PERPETUAL_CHECK}"),
        "setoption name Repetition Rule value AlwaysDraw",
        "setoption name Repetition Rule value SkyRule",
    ]);
    let notices = program.sync();
    let refused = |line: &String| line.contains("\"SkyRule\"") && line.contains("CheckBan");
    assert!(notices.iter().any(refused), "{notices:#?}");
    assert_eq!(score(&mut program, "depth 14"), 0);
}

#[test]
fn the_move_limit_can_be_moved_and_turned_off_in_uci() {
    let mut program = Program::uci();
    program.send(&format!("position fen {NEAR_THE_LIMIT}"));
    assert_eq!(score(&mut program, "depth 5"), 0);
    program.send("setoption name Rule60MaxPly value 150");
    assert!(score(&mut program, "depth 5") > 200);
    program.send("setoption name Rule60MaxPly value 120");
    assert_eq!(score(&mut program, "depth 5"), 0);
    program.send("setoption name Rule60MaxPly value 0");
    assert!(score(&mut program, "depth 5") > 200);
    // Turned off it stays off, whatever number a client sends after that.
    program.send_all(&[
        "setoption name Sixty Move Rule value false",
        "setoption name Rule60MaxPly value 120",
        "setoption name Draw Rule value None",
    ]);
    assert!(score(&mut program, "depth 5") > 200);
    program.send("setoption name Sixty Move Rule value true");
    assert_eq!(score(&mut program, "depth 5"), 0);
}

#[test]
fn ucci_counts_rounds_and_knows_the_rule_sets() {
    let mut program = Program::ucci();
    program.send(&format!("position fen {NEAR_THE_LIMIT}"));
    assert_eq!(score(&mut program, "depth 5"), 0);
    program.send("setoption drawmoves 75");
    assert!(score(&mut program, "depth 5") > 200);
    program.send("setoption drawmoves 60");
    assert_eq!(score(&mut program, "depth 5"), 0);
    program.send("setoption drawmoves 0");
    assert!(score(&mut program, "depth 5") > 200);

    program.send_all(&[
        &format!("position fen {PERPETUAL_CHECK}"),
        "setoption repetition alwaysdraw",
    ]);
    assert_eq!(score(&mut program, "depth 14"), 0);
    program.send("setoption repetition AsianRule");
    assert!(score(&mut program, "depth 14") < -300);
}
