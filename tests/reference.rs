//! The move generator agrees with a slow, obvious one on 200,000 positions of random walks.

mod common;

use common::mailbox::{Mailbox, points};
use common::{Rng, Sort, random_setup, suite_positions, walk};
use vermilion::position::{GenKinds, Position};
use vermilion::types::{Bitboard, Color, Move, MoveList, Square};

/// Positions each test visits; five tests make 200,000.
const POSITIONS: usize = 40_000;

fn sorted(list: &MoveList) -> Vec<Move> {
    let mut moves: Vec<Move> = list.iter().collect();
    moves.sort_unstable();
    moves
}

fn generated(position: &Position, kinds: GenKinds) -> Vec<Move> {
    let mut list = MoveList::new();
    position.generate(kinds, &position.legality(), &mut list);
    sorted(&list)
}

fn squares(points: &[(i32, i32)]) -> Bitboard {
    let square = |&(file, rank): &(i32, i32)| Square::from_index((9 * rank + file) as usize);
    points.iter().filter_map(square).collect()
}

/// Compares everything the fast generator says about a position with the slow one.
fn compare(position: &Position) {
    let slow = Mailbox::of(position);
    let red = slow.red_to_move();
    assert_eq!(red, position.side() == Color::Red);
    assert_eq!(
        position.checkers(),
        squares(&slow.checkers(red)),
        "{position:?}"
    );

    let legal = slow.legal_moves();
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    assert_eq!(sorted(&list), legal, "{position:?}");
    assert_eq!(position.count_legal() as usize, legal.len(), "{position:?}");
    assert_eq!(position.has_no_moves(), legal.is_empty(), "{position:?}");

    let (captures, quiets): (Vec<Move>, Vec<Move>) = legal
        .iter()
        .partition(|mv| position.piece_on(mv.to()).is_some());
    assert_eq!(
        generated(position, GenKinds::CAPTURES),
        captures,
        "{position:?}"
    );
    assert_eq!(
        generated(position, GenKinds::QUIETS),
        quiets,
        "{position:?}"
    );

    for mv in legal {
        let checks = !slow.after(mv).checkers(!red).is_empty();
        assert_eq!(position.gives_check(mv), checks, "{position:?} {mv}");
    }
}

#[test]
fn walks_from_the_start_position_agree() {
    let mut rng = Rng::new(1);
    walk(POSITIONS, 200, &mut rng, |_| Position::startpos(), compare);
}

#[test]
fn walks_from_the_perft_suites_agree() {
    let starts = suite_positions();
    let start = |rng: &mut Rng| starts[rng.below(starts.len())].clone();
    walk(POSITIONS, 40, &mut Rng::new(2), start, compare);
}

#[test]
fn walks_from_sparse_endings_agree() {
    let start = |rng: &mut Rng| random_setup(Sort::Sparse, rng);
    walk(POSITIONS, 30, &mut Rng::new(3), start, compare);
}

#[test]
fn walks_from_setups_on_the_lines_of_the_generals_agree() {
    let start = |rng: &mut Rng| random_setup(Sort::KingLines, rng);
    walk(POSITIONS, 6, &mut Rng::new(4), start, compare);
}

#[test]
fn walks_from_setups_with_many_men_of_a_kind_agree() {
    let start = |rng: &mut Rng| random_setup(Sort::ManyOfAKind, rng);
    walk(POSITIONS, 10, &mut Rng::new(5), start, compare);
}

/// Whoever attacks a point, empty or not, of either side.
fn compare_attackers(position: &Position) {
    let slow = Mailbox::of(position);
    for (point, square) in points().zip(Square::ALL) {
        for color in Color::ALL {
            let attackers = slow.attackers(point, color == Color::Red);
            let fast = position.attackers_to(square, color);
            assert_eq!(fast, squares(&attackers), "{position:?} {square} {color}");
        }
    }
}

#[test]
fn the_attackers_of_every_point_agree() {
    let start = |rng: &mut Rng| {
        let sort = rng.pick(&[Sort::Sparse, Sort::KingLines, Sort::ManyOfAKind]);
        random_setup(sort, rng)
    };
    walk(2_000, 10, &mut Rng::new(6), start, compare_attackers);
    walk(
        2_000,
        200,
        &mut Rng::new(7),
        |_| Position::startpos(),
        compare_attackers,
    );
}
