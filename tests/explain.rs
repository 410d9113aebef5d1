//! The reasons given for illegal moves.

use vermilion::position::Position;
use vermilion::types::Move;

fn reason(fen: &str, mv: &str) -> String {
    let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mv = Move::parse(mv).unwrap();
    let illegal = position.explain_illegal(mv);
    assert_eq!(illegal.is_none(), position.is_legal(mv), "{fen} {mv}");
    illegal.map_or_else(String::new, |reason| reason.to_string())
}

#[test]
fn moves_of_the_start_position_are_explained() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    for (mv, words) in [
        ("h2e2", ""),
        ("b5b6", "there is no piece on b5"),
        ("b9c7", "the black horse on b9 is not your piece"),
        ("a0b0", "your own horse stands on b0"),
        ("a0b2", "your own cannon stands on b2"),
        ("b0b1", "a horse does not move like that"),
        ("b0d1", "the horse's leg on c0 is blocked"),
        ("c0d2", "an elephant does not move like that"),
        ("d0c1", "the advisor may not leave its palace"),
        ("d0d1", "an advisor does not move like that"),
        ("e0e2", "a general does not move like that"),
        ("a0a5", "the rook's way is blocked by the red pawn on a3"),
        (
            "b2b8",
            "the cannon's way is blocked by the black cannon on b7",
        ),
        ("b2b7", "the cannon has no screen to capture over"),
        ("b2b9", ""),
        ("e3e2", "a pawn may not go back"),
        (
            "e3d3",
            "a pawn may not go sideways before it has crossed the river",
        ),
        ("e3e5", "a pawn does not move like that"),
    ] {
        assert_eq!(reason(start, mv), words, "{mv}");
    }
}

#[test]
fn home_men_and_lines_are_explained() {
    let red = "3k5/9/9/c8/r3P4/p1B6/r8/9/3pA4/C2AK4 w - - 0 1";
    assert_eq!(reason(red, "c4a6"), "an elephant may not cross the river");
    assert_eq!(reason(red, "e1f2"), "");
    assert_eq!(reason(red, "a0a4"), "");
    assert_eq!(
        reason(red, "a0a5"),
        "the cannon has two screens instead of one"
    );
    assert_eq!(
        reason(red, "a0a6"),
        "the cannon has 3 screens instead of one"
    );
    assert_eq!(
        reason(red, "a0a8"),
        "the cannon's way is blocked by the black rook on a3"
    );
    assert_eq!(reason(red, "e5e4"), "a pawn may not go back");
    assert_eq!(reason(red, "e5d5"), "");

    let black = "2b1k4/3p5/4p4/9/4p4/2p6/9/9/9/3K5 b - - 0 1";
    assert_eq!(reason(black, "c9e7"), "your own pawn stands on e7");
    assert_eq!(reason(black, "e5e6"), "a pawn may not go back");
    assert_eq!(
        reason(black, "e5f5"),
        "a pawn may not go sideways before it has crossed the river"
    );
    assert_eq!(reason(black, "c4d4"), "");
    let eye = "2b1k4/3p5/9/9/4p4/2p6/9/9/9/3K5 b - - 0 1";
    assert_eq!(reason(eye, "c9e7"), "the elephant's eye on d8 is blocked");
    let palace = "9/3k5/9/9/9/9/9/9/9/5K3 b - - 0 1";
    assert_eq!(
        reason(palace, "d8c8"),
        "the general may not leave its palace"
    );
}

#[test]
fn the_safety_of_the_general_is_explained() {
    let facing = "4k4/9/9/9/9/4N4/9/9/9/4K4 w - - 0 1";
    assert_eq!(reason(facing, "e4f6"), "the generals would face each other");
    let pinned = "3kr4/9/9/9/9/4N4/9/9/9/4K4 w - - 0 1";
    assert_eq!(
        reason(pinned, "e4f6"),
        "your general on e0 would be in check from the rook on e9"
    );
    assert_eq!(reason(pinned, "e0d0"), "the generals would face each other");
    let screen = "3kc4/9/9/9/9/9/4N4/9/9/R3K4 w - - 0 1";
    assert_eq!(
        reason(screen, "a0b0"),
        "you are in check from the cannon on e9 and this does not answer it"
    );
    assert_eq!(reason(screen, "e3g4"), "");
    let horse = "3k5/9/9/9/9/9/9/5n3/9/R3K4 w - - 0 1";
    assert_eq!(
        reason(horse, "a0a9"),
        "you are in check from the horse on f2 and this does not answer it"
    );
    let escape = "3k5/9/9/9/9/9/4r4/9/2n6/4K4 w - - 0 1";
    assert_eq!(
        reason(escape, "e0e1"),
        "you are in check from the rook on e3 and this does not answer it"
    );
    let next = "3k5/9/9/9/9/9/4rr3/9/9/4K4 w - - 0 1";
    assert_eq!(
        reason(next, "e0f0"),
        "your general on f0 would be in check from the rook on f3"
    );
}
