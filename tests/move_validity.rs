//! `is_legal`, `is_pseudo_legal` and `explain_illegal` agree with the lists for every value
//! that a move can be read from.

mod common;

use common::mailbox::Mailbox;
use common::{Rng, Sort, random_setup, suite_positions, walk};
use vermilion::position::Position;
use vermilion::types::{Move, MoveList};

/// Asks about all 65,536 values of a move.
fn ask_all_values(position: &Position) {
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    let legality = position.legality();
    let slow = Mailbox::of(position).all_moves();
    let (mut legal, mut pseudo_legal) = (Vec::new(), Vec::new());
    for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
        let is_legal = position.is_legal_with(mv, &legality);
        assert_eq!(is_legal, list.contains(mv), "{position:?} {mv}");
        if is_legal {
            legal.push(mv);
        }
        if position.is_pseudo_legal(mv) {
            pseudo_legal.push(mv);
            assert_eq!(position.is_legal(mv), is_legal, "{position:?} {mv}");
        } else {
            assert!(!position.is_legal(mv), "{position:?} {mv}");
        }
        let explained = position.explain_illegal(mv);
        assert_eq!(
            explained.is_none(),
            is_legal,
            "{position:?} {mv}: {explained:?}"
        );
    }
    let all: Vec<Move> = slow.iter().map(|&(mv, _)| mv).collect();
    assert_eq!(pseudo_legal, all, "{position:?}");
    let safe: Vec<Move> = slow
        .iter()
        .filter(|(_, safe)| *safe)
        .map(|&(mv, _)| mv)
        .collect();
    assert_eq!(legal, safe, "{position:?}");
}

#[test]
fn all_values_in_positions_of_games() {
    let mut starts = suite_positions();
    starts.resize(2 * starts.len(), Position::startpos());
    let start = |rng: &mut Rng| starts[rng.below(starts.len())].clone();
    walk(2_000, 60, &mut Rng::new(21), start, ask_all_values);
}

#[test]
fn all_values_in_setups_on_the_lines_of_the_generals() {
    let start = |rng: &mut Rng| random_setup(Sort::KingLines, rng);
    walk(2_000, 3, &mut Rng::new(22), start, ask_all_values);
}

#[test]
fn all_values_in_sparse_setups_and_setups_with_many_men_of_a_kind() {
    let start = |rng: &mut Rng| {
        let sort = rng.pick(&[Sort::Sparse, Sort::ManyOfAKind]);
        random_setup(sort, rng)
    };
    walk(2_000, 10, &mut Rng::new(23), start, ask_all_values);
}
