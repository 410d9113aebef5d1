//! Static exchange evaluation against the same exchange played out on a plain board.

mod common;

use common::mailbox::Mailbox;
use common::{Rng, Sort, random_setup, suite_positions, walk};
use vermilion::position::Position;
use vermilion::types::{Move, MoveList};

/// From the least valuable kind to the most valuable.
const ORDER: [char; 7] = ['P', 'A', 'B', 'N', 'C', 'R', 'K'];

fn value(letter: char, rank: i32) -> i32 {
    match letter {
        'P' if rank >= 5 => 200,
        'p' if rank <= 4 => 200,
        'P' | 'p' => 100,
        'A' | 'a' | 'B' | 'b' => 200,
        'N' | 'n' => 450,
        'C' | 'c' => 500,
        'R' | 'r' => 1_000,
        'K' | 'k' => 10_000,
        _ => 0,
    }
}

/// What the side to move wins by capturing on the target of `last`, 0 if it had better not.
fn recapture(board: &Mailbox, last: Move) -> i32 {
    let to = last.to();
    let captures = board.captures_on(last);
    let least = captures
        .into_iter()
        .filter(|&mv| {
            let king = board.letter(mv.from()).eq_ignore_ascii_case(&'K');
            !king || board.after(mv).checkers(board.red_to_move()).is_empty()
        })
        .min_by_key(|mv| {
            let letter = board.letter(mv.from()).to_ascii_uppercase();
            (ORDER.iter().position(|&kind| kind == letter), mv.from())
        });
    let Some(mv) = least else {
        return 0;
    };
    let won = value(board.letter(to), to.rank() as i32);
    (won - recapture(&board.after(mv), mv)).max(0)
}

fn exchange(board: &Mailbox, mv: Move) -> i32 {
    let won = value(board.letter(mv.to()), mv.to().rank() as i32);
    won - recapture(&board.after(mv), mv)
}

/// The bounds of every legal move are those of the exchange played out.
fn compare(position: &Position) {
    let board = Mailbox::of(position);
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    for mv in list.iter() {
        let won = exchange(&board, mv);
        assert!(position.see_ge(mv, won), "{position:?} {mv} wins {won}");
        assert!(
            !position.see_ge(mv, won + 1),
            "{position:?} {mv} wins {won}"
        );
        assert_eq!(
            position.see_ge(mv, 0),
            won >= 0,
            "{position:?} {mv} wins {won}"
        );
    }
}

#[test]
fn exchanges_in_games_are_exact() {
    let mut starts = suite_positions();
    starts.resize(2 * starts.len(), Position::startpos());
    let start = |rng: &mut Rng| starts[rng.below(starts.len())].clone();
    walk(6_000, 80, &mut Rng::new(31), start, compare);
}

#[test]
fn exchanges_in_setups_are_exact() {
    let start = |rng: &mut Rng| {
        let sort = rng.pick(&[Sort::KingLines, Sort::ManyOfAKind]);
        random_setup(sort, rng)
    };
    walk(6_000, 5, &mut Rng::new(32), start, compare);
}

/// What a move wins, found by asking for bounds.
fn won(fen: &str, mv: &str) -> i32 {
    let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mv = Move::parse(mv).unwrap_or_else(|error| panic!("{mv}: {error}"));
    assert!(position.is_legal(mv), "{fen} {mv}");
    let bounds = (-1_000..=1_000).step_by(50);
    let won = bounds.filter(|&bound| position.see_ge(mv, bound)).max();
    won.unwrap_or_else(|| panic!("{fen} {mv} loses more than a rook"))
}

#[test]
fn a_rook_that_was_the_screen_cannot_be_recaptured_by_the_cannon() {
    // The cannon on a5 protects e5 over the rook on c5, until that rook captures there.
    assert_eq!(won("3k5/9/9/9/c1R1p4/9/9/9/9/5K3 w", "c5e5"), 100);
    // With a pawn behind the rook one screen is left, and the rook is lost.
    assert_eq!(won("3k5/9/9/9/cPR1p4/9/9/9/9/5K3 w", "c5e5"), -900);
}

#[test]
fn a_cannon_behind_a_rook_loses_its_screen_with_it() {
    // Rook takes pawn, rook takes rook, and the cannon on e1 has nothing to jump.
    let protected = "3k5/9/9/r3p4/9/9/4R4/9/4C4/5K3 w";
    assert_eq!(won(protected, "e3e6"), 100 - 1_000);
    // The pawn between them is a screen that stays.
    let lasting = "3k5/9/9/r3p4/9/4R4/4P4/9/4C4/5K3 w";
    assert_eq!(won(lasting, "e4e6"), 100 - 1_000 + 1_000);
}

#[test]
fn a_cannon_jumps_over_a_rook_of_its_own() {
    // The cannon on c9 is worth less than the rook on c8 and captures first, over it.
    let fen = "2c1k4/2r6/9/2p6/9/9/9/9/2R6/2R2K3 w";
    assert_eq!(won(fen, "c1c6"), 100 - 1_000);
    // The rook alone would be taken by the second rook.
    let alone = "4k4/2r6/9/2p6/9/9/9/9/2R6/2R2K3 w";
    assert_eq!(won(alone, "c1c6"), 100);
}

#[test]
fn an_advisor_that_captures_frees_the_leg_of_a_horse() {
    // After the advisor on e8 has captured, the horse on f8 protects it past e8.
    let horse = "3c5/4an3/5k3/9/9/9/9/9/3R5/3RK4 w";
    assert_eq!(won(horse, "d1d9"), 500 - 1_000);
    let no_horse = "3c5/4a4/5k3/9/9/9/9/9/3R5/3RK4 w";
    assert_eq!(won(no_horse, "d1d9"), 500 - 1_000 + 200);
}

#[test]
fn a_general_recaptures_only_what_is_not_protected() {
    let alone = "3ak4/9/9/9/9/9/9/9/9/3R1K3 w";
    assert_eq!(won(alone, "d0d9"), 200 - 1_000);
    let protected = "3ak4/9/9/9/9/9/9/3R5/9/3R1K3 w";
    assert_eq!(won(protected, "d2d9"), 200);
    // The other general protects along its file.
    let faced = "3ak4/9/9/9/9/9/9/3R5/9/3K5 w";
    assert_eq!(won(faced, "d2d9"), 200);
}

#[test]
fn quiet_moves_and_pawns_count_by_where_they_end() {
    // A pawn that crosses is lost as a pawn that has crossed.
    assert_eq!(won("3k5/9/9/4p4/9/4P4/9/9/9/5K3 w", "e4e5"), -200);
    assert_eq!(won("3k5/9/9/9/9/4P4/9/9/9/5K3 w", "e4e5"), 0);
    assert_eq!(won("3k5/9/9/4p4/9/R8/9/9/9/5K3 w", "a4a6"), 0);
    assert_eq!(won("3k5/9/9/4p4/9/R8/9/9/9/5K3 w", "a4e4"), 0);
    assert_eq!(won("3k5/9/9/9/4p4/R8/9/9/9/5K3 w", "a4e4"), -1_000);
}
