//! The rules of repetition, the move limit and bare material.

mod common;
#[path = "rules/random.rs"]
mod random;

use std::fs::File;
use std::io::BufReader;

use common::Rng;
use random::{Cycle, random_cycle};
use vermilion::position::Position;
use vermilion::rules::{DrawReason, LossReason, RuleSet, Rules, Verdict, counted_plies};
use vermilion::tools::judge::{Tally, judge, outcome, run_suite};
use vermilion::types::{Color, Move};

fn suite(name: &str) -> (Tally, String) {
    let path = format!("{}/tests/rules/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let file = File::open(path).expect("the suite is part of the project");
    let mut out = Vec::new();
    let tally = run_suite(BufReader::new(file), &mut out).expect("the suite is well formed");
    (tally, String::from_utf8(out).expect("the report is text"))
}

#[test]
fn every_diagram_of_the_manual_is_judged_as_printed() {
    let (tally, report) = suite("wxf-diagrams");
    assert_eq!((tally.passed, tally.failed), (124, 0), "{report}");
}

#[test]
fn every_cycle_that_judges_agree_on_is_judged_so() {
    let (tally, report) = suite("cycles");
    assert_eq!((tally.passed, tally.failed), (342, 0), "{report}");
}

#[test]
fn disputed_cycles_are_listed_and_not_counted() {
    let (tally, report) = suite("disputed");
    assert_eq!((tally.passed, tally.failed, tally.undecided), (0, 0, 126));
    assert_eq!(report.lines().count(), 126);
}

fn position(fen: &str) -> Position {
    fen.parse().expect("a valid FEN")
}

/// Makes the moves, `times` times over.
fn play(start: &Position, moves: &[Move], times: usize) -> Position {
    let mut position = start.clone();
    for mv in moves.iter().cycle().take(moves.len() * times) {
        assert!(position.is_legal(*mv), "{mv} in {}", position.fen());
        position.make(*mv);
    }
    position
}

fn moves(text: &str) -> Vec<Move> {
    let parse = |word| Move::parse(word).expect("a move");
    text.split_whitespace().map(parse).collect()
}

/// How the cycle, repeated until its start has stood `occurrences` times, is judged by
/// each rule set.
fn outcomes(start: &Position, moves: &[Move], occurrences: usize) -> [&'static str; 5] {
    let end = play(start, moves, occurrences - 1);
    RuleSet::ALL.map(|set| outcome(Rules::new(set).judge(&end)))
}

fn swapped(outcome: &str) -> &str {
    match outcome {
        "red_wins" => "black_wins",
        "black_wins" => "red_wins",
        other => other,
    }
}

fn check_invariants(cycle: &Cycle) -> [&'static str; 5] {
    let Cycle { start, moves } = cycle;
    let what = format!("{} {moves:?}", start.fen());
    let fresh = position(&start.fen());
    let expected = outcomes(&fresh, moves, 3);

    assert_eq!(outcomes(start, moves, 3), expected, "moves before: {what}");
    assert_eq!(outcomes(&fresh, moves, 4), expected, "once more: {what}");
    let mirrored: Vec<Move> = moves.iter().map(|mv| mv.mirror()).collect();
    let got = outcomes(&fresh.mirrored(), &mirrored, 3);
    assert_eq!(got, expected, "mirrored: {what}");
    let flip = |mv: &Move| Move::new(mv.from().flip(), mv.to().flip()).expect("two squares");
    let flipped: Vec<Move> = moves.iter().map(flip).collect();
    let got = outcomes(&fresh.flipped(), &flipped, 3).map(swapped);
    assert_eq!(got, expected, "colours swapped: {what}");
    for turn in 1..moves.len() {
        let later = position(&play(&fresh, &moves[..turn], 1).fen());
        let rotated = [&moves[turn..], &moves[..turn]].concat();
        let got = outcomes(&later, &rotated, 3);
        assert_eq!(got, expected, "rotated by {turn}: {what}");
    }
    expected
}

#[test]
fn verdicts_of_random_cycles_keep_their_symmetries() {
    let mut rng = Rng::new(36);
    let mut decisive = [0; 5];
    for _ in 0..600 {
        let verdicts = check_invariants(&random_cycle(&mut rng));
        for (count, verdict) in decisive.iter_mut().zip(verdicts) {
            *count += usize::from(verdict != "draw");
        }
    }
    // The cycles are worth testing only if each rule set decides some of them.
    let [asian, chinese, simple, check_ban, always_draw] = decisive;
    assert!(asian > 12 && chinese > 12 && simple > 12, "{decisive:?}");
    assert!(check_ban > 6 && always_draw == 0, "{decisive:?}");
}

/// Red checks on every move; the position repeats every four plies.
const CHECKS: (&str, &str) = (
    "5R3/1N7/5k3/9/9/9/4P4/9/9/4K4 b - - 0 1",
    "f7e7 f9e9 e7f7 e9f9",
);

#[test]
fn checks_beyond_ten_and_their_answers_do_not_count_under_two_rule_sets() {
    let (fen, cycle) = CHECKS;
    let end = play(&position(fen), &moves(cycle), 20);
    let counted = RuleSet::ALL.map(|set| counted_plies(&end, set));
    // The answer to the check that stood in the FEN, ten checks and their ten answers.
    assert_eq!(counted, [21, 21, 80, 80, 80]);
}

#[test]
fn each_side_has_ten_checks_of_its_own() {
    // Red and Black check in turn, each by answering the other's check.
    let start = position("3ck4/1P2r4/9/9/5n3/9/4C4/9/3KA4/4C4 b - - 0 1");
    let end = play(&start, &moves("e8d8 e3d3 d8e8 d3e3"), 10);
    assert_eq!(end.state().checks, [20, 20]);
    assert_eq!(counted_plies(&end, RuleSet::AsianRule), 20);
    assert_eq!(counted_plies(&end, RuleSet::SimpleAsian), 40);
}

#[test]
fn the_move_limit_draws_on_its_ply_and_not_before() {
    let rules = Rules::default();
    let start = position("4k4/9/9/9/9/9/9/9/9/3K1R3 w - - 118 100");
    assert_eq!(
        rules.judge(&play(&start, &moves("f0f1"), 1)),
        Verdict::Ongoing
    );
    let end = play(&start, &moves("f0f1 e9e8"), 1);
    let limit = Verdict::Draw(DrawReason::MoveLimit(120));
    assert_eq!(rules.judge(&end), limit);
    assert_eq!(rules.judge_in_tree(&end, 1), limit);
    let longer = Rules {
        move_limit: 122,
        ..rules
    };
    assert_eq!(longer.judge(&end), Verdict::Ongoing);
}

#[test]
fn no_move_limit_means_none() {
    let rules = Rules {
        move_limit: 0,
        ..Rules::default()
    };
    let end = position("4k4/9/9/9/9/9/9/9/9/3K1R3 w - - 900 500");
    assert_eq!(rules.judge(&end), Verdict::Ongoing);
    assert_eq!(rules.judge_in_tree(&end, 4), Verdict::Ongoing);
}

#[test]
fn mate_and_stalemate_come_before_the_move_limit() {
    let mate = position("4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 119 100");
    let stalemate = position("3k5/9/R8/9/9/9/9/9/4R4/5K3 w - - 119 100");
    let quiet = Rules::default().judge(&play(&mate, &moves("b7b8"), 1));
    assert_eq!(quiet, Verdict::Draw(DrawReason::MoveLimit(120)));
    let cases = [
        (mate, "b7b9", LossReason::Checkmate),
        (stalemate, "a7a8", LossReason::Stalemate),
    ];
    for (start, mv, reason) in cases {
        let end = play(&start, &moves(mv), 1);
        let lost = Verdict::Loss(Color::Black, reason);
        for set in RuleSet::ALL {
            assert_eq!(Rules::new(set).judge(&end), lost, "{set}");
            assert_eq!(Rules::new(set).judge_in_tree(&end, 1), lost, "{set}");
        }
    }
}

#[test]
fn bare_material_draws_only_when_both_sides_are_bare() {
    let bare = position("3ak4/4a4/4b4/9/9/9/9/4B4/4A4/3K5 w - - 0 1");
    let drawn = Verdict::Draw(DrawReason::BareMaterial);
    assert_eq!(Rules::default().judge(&bare), drawn);
    assert_eq!(Rules::default().judge_in_tree(&bare, 3), drawn);
    let pawn = position("3ak4/4a4/4b4/9/9/9/9/4B3p/4A4/3K5 w - - 0 1");
    assert_eq!(Rules::default().judge(&pawn), Verdict::Ongoing);
}

#[test]
fn a_tree_judges_the_second_occurrence_inside_it_only_as_a_bound() {
    let (fen, cycle) = CHECKS;
    let (start, cycle) = (position(fen), moves(cycle));
    let rules = Rules::default();
    let once = play(&start, &cycle, 1);
    let perpetual = LossReason::PerpetualCheck;
    // The first occurrence is four plies back: at ply 4 it is the root itself.
    assert_eq!(rules.judge_in_tree(&once, 4), Verdict::Ongoing);
    let bound = Verdict::Provisional(Color::Red, perpetual);
    assert_eq!(rules.judge_in_tree(&once, 5), bound);
    assert_eq!(rules.judge(&once), Verdict::Ongoing);
    let twice = play(&start, &cycle, 2);
    for ply in [0, 3, 4, 5, 9] {
        let lost = Verdict::Loss(Color::Red, perpetual);
        assert_eq!(rules.judge_in_tree(&twice, ply), lost, "{ply}");
    }
    let drawn = Verdict::Draw(DrawReason::Repetition);
    let lenient = Rules::new(RuleSet::AlwaysDraw);
    assert_eq!(lenient.judge_in_tree(&once, 5), drawn);
    assert_eq!(lenient.judge_in_tree(&once, 4), Verdict::Ongoing);
}

#[test]
fn a_capture_or_a_null_move_ends_what_can_repeat() {
    let (fen, cycle) = CHECKS;
    let mut position = play(&position(fen), &moves(cycle), 1);
    position.make(moves("f7e7")[0]);
    position.make_null();
    position.make_null();
    assert_eq!(
        Rules::default().judge_in_tree(&position, 9),
        Verdict::Ongoing
    );
}

#[test]
fn rule_sets_are_read_by_every_name_that_guis_send() {
    for set in RuleSet::ALL {
        assert_eq!(set.name().parse(), Ok(set));
        assert_eq!(set.name().to_uppercase().parse(), Ok(set));
    }
    let names = [
        ("asian", RuleSet::AsianRule),
        ("Chinese", RuleSet::ChineseRule),
        ("SIMPLE", RuleSet::SimpleAsian),
        ("checkban", RuleSet::CheckBan),
        ("alwaysdraw", RuleSet::AlwaysDraw),
        ("ComputerRule", RuleSet::AsianRule),
        ("allowchase", RuleSet::CheckBan),
        ("NoJudgement", RuleSet::AlwaysDraw),
    ];
    for (name, set) in names {
        assert_eq!(name.parse(), Ok(set), "{name}");
    }
    let error = "SkyRule".parse::<RuleSet>().expect_err("no rule set");
    assert!(error.to_string().contains("SkyRule") && error.to_string().contains("CheckBan"));
}

#[test]
fn an_explanation_names_the_pin_that_makes_a_root_false() {
    let fen = "4k4/9/9/4r3c/9/7R1/9/4R4/9/3K5 w - - 0 1";
    let line = "h4h6 i6i4 h6h4 i4i6 h4h6 i6i4 h6h4 i4i6";
    let end = play(&position(fen), &moves(line), 1);
    let game = judge(&end, &Rules::default(), true);
    let chase = LossReason::PerpetualChase(Move::parse("a0i6").expect("a move").to());
    assert_eq!(game.verdict, Verdict::Loss(Color::Red, chase));
    let text = game.to_string();
    assert!(text.starts_with("black_wins\n"), "{text}");
    let chase = "chases the cannon on i6 (rook, unprotected: its protector on e6 is pinned by \
                 the rook on e2)";
    assert!(text.contains(chase), "{text}");
    assert_eq!(game.moves.len(), 8);
}

#[test]
fn an_earlier_end_is_named_and_the_last_position_judged() {
    let (fen, cycle) = CHECKS;
    let line = [cycle, cycle, "f7e7 f9f5"].join(" ");
    let game = judge(
        &play(&position(fen), &moves(&line), 1),
        &Rules::default(),
        false,
    );
    assert_eq!(outcome(game.verdict), "none");
    let perpetual = Verdict::Loss(Color::Red, LossReason::PerpetualCheck);
    assert_eq!(game.earlier_end, Some((8, perpetual)));
}

#[test]
fn bad_lines_of_a_suite_are_refused_with_the_place() {
    let refuse = |text: &str| {
        let error = run_suite(text.as_bytes(), &mut Vec::new());
        error.expect_err("must be refused").to_string()
    };
    let case = r#"{"id":"x","fen":"startpos","moves":["h2e2"],"rule":"asian","expect":"none"}"#;
    let tally = run_suite(case.as_bytes(), &mut Vec::new()).expect("a good line");
    assert_eq!(tally.passed, 1);
    assert!(refuse("\n{\"id\": 1}").starts_with("line 2: "));
    assert!(refuse(&case.replace("asian", "sky")).contains("\"sky\" is no rule set"));
    assert!(refuse(&case.replace("none", "win")).contains("\"win\" is no verdict"));
    assert!(refuse(&case.replace("h2e2", "h2h8")).contains("h2h8"));
    assert!(refuse(&case.replace("startpos", "9/9")).contains("ranks"));
}
