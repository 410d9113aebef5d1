//! Opening books: reading, making, choosing. The keys' test vectors are in `src/book/keys.rs`.

mod common;

use common::{Rng, random_move};
use vermilion::book::{Book, BookBuilder, BookError, BookKey};
use vermilion::position::Position;
use vermilion::rules::Rules;
use vermilion::types::Move;

fn mv(text: &str) -> Move {
    Move::parse(text).expect(text)
}

fn after(moves: &str) -> Position {
    let mut position = Position::startpos();
    moves
        .split_whitespace()
        .for_each(|text| position.make(mv(text)));
    position
}

/// A record as bytes: key, squares as x + 16 y, weight.
fn record(key: u32, text: &str, weight: u16) -> Vec<u8> {
    let square = |at: usize| {
        let bytes = text.as_bytes();
        (bytes[at] - b'a' + 3) + 16 * (12 - (bytes[at + 1] - b'0'))
    };
    let mut bytes = key.to_le_bytes().to_vec();
    bytes.extend([square(0), square(2)]);
    bytes.extend(weight.to_le_bytes());
    bytes
}

fn moves(book: &Book, position: &Position) -> Vec<(String, u16)> {
    let known = book.moves(position);
    known
        .iter()
        .map(|known| (known.mv.to_string(), known.weight))
        .collect()
}

/// The start position's records and those of the position after b2e2, with the keys that
/// ElephantEye's book has.
#[test]
fn a_book_answers_in_a_position_and_its_mirror_image() {
    let bytes = [
        record(0x0526_56d5, "c3c4", 546),
        record(0x0526_56d5, "b2e2", 1473),
        record(0x0526_56d5, "h2e2", 1473),
        // No legal move: another position has the same key.
        record(0x0526_56d5, "a0a5", 9000),
        record(0x5396_644f, "b9c7", 761),
        record(0x5396_644f, "h9g7", 10),
    ]
    .concat();
    let book = Book::from_bytes(&bytes).expect("a book");
    assert_eq!(book.len(), 6);
    assert_eq!(book.to_bytes(), bytes);
    let start = [("b2e2", 1473), ("h2e2", 1473), ("c3c4", 546)];
    assert_eq!(
        moves(&book, &Position::startpos()),
        start.map(|(text, weight)| (text.to_owned(), weight))
    );
    assert_eq!(moves(&book, &after("b2e2"))[0], ("b9c7".to_owned(), 761));
    assert_eq!(moves(&book, &after("h2e2"))[0], ("h9g7".to_owned(), 761));
    assert!(moves(&book, &after("c3c4")).is_empty());

    let mut shuffled = bytes.clone();
    shuffled.rotate_left(8 * 4);
    let shuffled = Book::from_bytes(&shuffled).expect("a book");
    assert_eq!(
        moves(&shuffled, &after("h2e2")),
        moves(&book, &after("h2e2"))
    );
}

#[test]
fn what_is_no_book_is_refused() {
    assert_eq!(Book::from_bytes(&[]), Err(BookError::Empty));
    assert_eq!(Book::from_bytes(&[0; 12]), Err(BookError::Length(12)));
    assert_eq!(Book::from_bytes(&[0; 16]), Err(BookError::NoMoves(2, 2)));
    let database = [&b"SQLite format 3\0"[..], &[0; 512]].concat();
    assert_eq!(Book::from_bytes(&database), Err(BookError::Sqlite));
    let mut rng = Rng::new(9);
    for _ in 0..2_000 {
        let bytes: Vec<u8> = (0..rng.below(40) * 8)
            .map(|_| rng.below(256) as u8)
            .collect();
        if let Ok(book) = Book::from_bytes(&bytes) {
            moves(&book, &Position::startpos());
        }
    }
}

#[test]
fn a_book_made_from_games_has_their_moves_in_both_images() {
    let mut builder = BookBuilder::default();
    let mut rng = Rng::new(4);
    let mut added = Vec::new();
    for _ in 0..30 {
        let mut position = Position::startpos();
        for _ in 0..20 {
            let Some(mv) = random_move(&position, &mut rng) else {
                break;
            };
            builder.add(&position, mv, 2);
            added.push((position.clone(), mv));
            position.make(mv);
        }
    }
    let book = builder.build(1);
    let bytes = book.to_bytes();
    assert!(
        bytes
            .chunks(8)
            .is_sorted_by_key(|record| u32::from_le_bytes([
                record[0], record[1], record[2], record[3]
            ]))
    );
    assert_eq!(Book::from_bytes(&bytes).as_ref(), Ok(&book));
    for (position, mv) in &added {
        let has = |position: &Position, mv: Move| {
            book.moves(position)
                .iter()
                .any(|known| known.mv == mv && known.weight >= 2)
        };
        assert!(has(position, *mv), "{mv} in {}", position.fen());
        assert!(
            has(&position.mirrored(), mv.mirror()),
            "{mv} in {}",
            position.fen()
        );
        // One image is stored, or both where they are the same.
        let key = BookKey::of(position)
            .lock1
            .min(BookKey::of_mirrored(position).lock1);
        let other = BookKey::of(position)
            .lock1
            .max(BookKey::of_mirrored(position).lock1);
        let count = |key: u32| {
            bytes
                .chunks(8)
                .filter(|record| record[..4] == key.to_le_bytes())
                .count()
        };
        assert!(count(key) > 0 && (key == other || count(other) == 0));
    }
    assert!(builder.build(1_000_000).is_empty());
}

#[test]
fn weights_are_points_divided_and_fit_into_16_bits() {
    let mut builder = BookBuilder::default();
    let start = Position::startpos();
    builder.add(&start, mv("b2e2"), 400_000);
    builder.add(&start, mv("c3c4"), 40_000);
    builder.add(&start, mv("i3i4"), 7);
    builder.add(&after("b2e2"), mv("b9c7"), 100);
    builder.add(&start, mv("e3e4"), 40_000);
    let book = builder.build(10);
    let known = moves(&book, &start);
    // Both images of a symmetric position, once where the move is its own.
    let names: Vec<&str> = known.iter().map(|(text, _)| text.as_str()).collect();
    assert_eq!(names, ["b2e2", "h2e2", "c3c4", "e3e4", "g3g4"]);
    assert_eq!(
        known.iter().map(|known| known.1).collect::<Vec<_>>(),
        [40_000, 40_000, 4_000, 4_000, 4_000]
    );
    assert_eq!(moves(&book, &after("h2e2")), [("h9g7".to_owned(), 10)]);
    let large = moves(&builder.build(1), &start);
    assert!(
        large[0].1 > 50_000 && large[0].1 / large[2].1 == 10,
        "{large:?}"
    );
}

#[test]
fn no_move_that_loses_or_ends_the_game_by_repetition_is_played() {
    let rules = Rules::default();
    // A rook that checks for ever between two squares.
    let fen = "4k4/9/9/9/9/9/9/9/R8/3K5 w";
    let start: Position = fen.parse().expect(fen);
    let mut builder = BookBuilder::default();
    let mut position = start;
    position.make(mv("a1a9"));
    position.make(mv("e9e8"));
    builder.add(&position, mv("a9a8"), 5);
    builder.add(&position, mv("a9a5"), 1);
    let book = builder.build(1);
    assert_eq!(book.playable_moves(&position, &rules).len(), 2);
    position.make(mv("a9a8"));
    position.make(mv("e8e9"));
    position.make(mv("a8a9"));
    position.make(mv("e9e8"));
    // The position is there for the second time; a9a8 would be a second check in a row of
    // such, and the moves in between lost if they were all played again.
    let left = book.playable_moves(&position, &rules);
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(left[0].mv, mv("a9a5"));

    // Quiet shuffling may repeat once, but not end the game.
    let mut position = Position::startpos();
    let mut builder = BookBuilder::default();
    builder.add(&position, mv("b0c2"), 1);
    let book = builder.build(1);
    for _ in 0..2 {
        assert_eq!(book.playable_moves(&position, &rules).len(), 2);
        for text in ["b0c2", "b9c7", "c2b0", "c7b9"] {
            position.make(mv(text));
        }
    }
    let left = book.playable_moves(&position, &rules);
    assert!(left.iter().all(|known| known.mv != mv("b0c2")), "{left:?}");
}
