//! Opening books in the format of ElephantEye's `BOOK.DAT`, which XQWizard and other
//! programs hand to engines.
//!
//! A book is a flat file of records of eight bytes, little endian: a key of 32 bits, a move
//! of 16, a weight of 16, sorted by key. A position and its mirror image share an entry.

mod builder;
mod keys;

use std::fmt;

use crate::position::Position;
use crate::rules::{Rules, Verdict};
use crate::types::{File, Move, Rank, Square};

pub use builder::BookBuilder;
pub use keys::BookKey;

/// Bytes of a record.
const RECORD: usize = 8;
/// Files and ranks of the board are these of a board of 16 by 16.
const LEFT: u8 = 3;
const TOP: u8 = 3;

/// A book in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// In the order of the keys.
    records: Vec<Record>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Record {
    key: u32,
    mv: Move,
    weight: u16,
}

/// A move that a book knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move, legal in the position that was asked for.
    pub mv: Move,
    /// How good or frequent it is, next to the others of the position.
    pub weight: u16,
}

/// Why bytes are no book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BookError {
    /// There are no records.
    Empty,
    /// Not a whole number of records; how many bytes.
    Length(usize),
    /// Most records hold no move: how many of how many.
    NoMoves(usize, usize),
    /// It is a book for a GUI (`.obk`, `.pfBook`, `.xqb`).
    Sqlite,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the file is empty"),
            Self::Length(bytes) => write!(
                f,
                "{bytes} bytes are not a whole number of records of {RECORD} bytes, as BOOK.DAT has"
            ),
            Self::NoMoves(bad, all) => {
                write!(
                    f,
                    "{bad} of {all} records hold no move: this is no BOOK.DAT"
                )
            }
            Self::Sqlite => f.write_str(
                "an SQLite database (.obk, .pfBook, .xqb), which GUIs read; engines read BOOK.DAT",
            ),
        }
    }
}

impl std::error::Error for BookError {}

impl Book {
    /// Reads a book. Records without a move are left out, and an order that is none is
    /// mended.
    ///
    /// # Errors
    /// If it is not a whole number of records, or most of them hold no move.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        if bytes.starts_with(b"SQLite format 3\0") {
            return Err(BookError::Sqlite);
        }
        let (raw, []) = bytes.as_chunks::<RECORD>() else {
            return Err(BookError::Length(bytes.len()));
        };
        if raw.is_empty() {
            return Err(BookError::Empty);
        }
        let mut records: Vec<Record> = raw.iter().filter_map(Record::from_bytes).collect();
        let bad = raw.len() - records.len();
        if bad > records.len() {
            return Err(BookError::NoMoves(bad, raw.len()));
        }
        if !records.is_sorted_by_key(|record| record.key) {
            records.sort_by_key(|record| record.key);
        }
        Ok(Self { records })
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.records
            .iter()
            .flat_map(|record| record.to_bytes())
            .collect()
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The records of a key.
    fn records_of(&self, key: u32) -> &[Record] {
        let first = self.records.partition_point(|record| record.key < key);
        let rest = &self.records[first..];
        &rest[..rest.partition_point(|record| record.key == key)]
    }

    /// The legal moves that the book knows in the position, by falling weight. Keys have
    /// only 32 bits, so what is illegal may be another position's.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let own = self.records_of(BookKey::of(position).lock1);
        let mirrored = if own.is_empty() {
            self.records_of(BookKey::of_mirrored(position).lock1)
        } else {
            &[]
        };
        let own = own.iter().map(|record| (record.mv, record.weight));
        let mirrored = mirrored
            .iter()
            .map(|record| (record.mv.mirror(), record.weight));
        let mut moves: Vec<BookMove> = own
            .chain(mirrored)
            .filter(|&(mv, _)| position.is_legal(mv))
            .map(|(mv, weight)| BookMove { mv, weight })
            .collect();
        moves.sort_by_key(|known| std::cmp::Reverse(known.weight));
        moves
    }

    /// The moves of [`Self::moves`] that may be played in this game: none that ends it by
    /// repetition, or would lose it by repetition if the moves since the position's last
    /// occurrence were played again.
    pub fn playable_moves(&self, position: &Position, rules: &Rules) -> Vec<BookMove> {
        let mut moves = self.moves(position);
        if !moves.is_empty() {
            let mut position = position.clone();
            moves.retain(|known| !is_bad_repetition(&mut position, known.mv, rules));
        }
        moves
    }
}

fn is_bad_repetition(position: &mut Position, mv: Move, rules: &Rules) -> bool {
    let us = position.side();
    position.make(mv);
    let ends = rules.cycle(position).is_some();
    let second = Rules {
        occurrences: 2,
        ..*rules
    };
    let loses = match second.judge(position) {
        Verdict::Loss(loser, reason) => loser == us && reason.is_by_repetition(),
        _ => false,
    };
    position.undo();
    ends || loses
}

/// Draws a move: as often as its weight tells. `roll` is a random number.
pub fn draw(moves: &[BookMove], roll: u64) -> Option<BookMove> {
    let total: u64 = moves.iter().map(|known| u64::from(known.weight)).sum();
    if total == 0 {
        return moves.first().copied();
    }
    let mut left = roll % total;
    for &known in moves {
        match left.checked_sub(u64::from(known.weight)) {
            Some(rest) => left = rest,
            None => return Some(known),
        }
    }
    None
}

impl Record {
    /// `None` if the move is none.
    fn from_bytes(bytes: &[u8; RECORD]) -> Option<Self> {
        let [a, b, c, d, from, to, low, high] = *bytes;
        Some(Self {
            key: u32::from_le_bytes([a, b, c, d]),
            mv: Move::new(square_of(from)?, square_of(to)?)?,
            weight: u16::from_le_bytes([low, high]),
        })
    }

    fn to_bytes(self) -> [u8; RECORD] {
        let [a, b, c, d] = self.key.to_le_bytes();
        let [low, high] = self.weight.to_le_bytes();
        let (from, to) = (byte_of(self.mv.from()), byte_of(self.mv.to()));
        [a, b, c, d, from, to, low, high]
    }
}

/// The byte of a square: x + 16 y with y counted from Black's side.
fn byte_of(square: Square) -> u8 {
    let (x, y) = (square.file() as u8 + LEFT, 9 - square.rank() as u8 + TOP);
    x + 16 * y
}

fn square_of(byte: u8) -> Option<Square> {
    let file = File::from_index(usize::from((byte % 16).checked_sub(LEFT)?))?;
    let rank = Rank::from_index(usize::from((byte / 16).checked_sub(TOP)?))?;
    Some(Square::new(file, rank.flip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_the_bytes_of_the_format() {
        assert_eq!(byte_of(Square::A9), 0x33);
        assert_eq!(byte_of(Square::I0), 0xcb);
        let known = (0..=255).filter_map(square_of);
        assert_eq!(known.count(), 90);
        for square in Square::ALL {
            assert_eq!(square_of(byte_of(square)), Some(square));
        }
    }

    #[test]
    fn moves_are_drawn_as_often_as_their_weights_say() {
        let known = |text: &str, weight| BookMove {
            mv: Move::parse(text).expect(text),
            weight,
        };
        let moves = [known("h2e2", 3), known("c3c4", 0), known("g0e2", 1)];
        let drawn: Vec<_> = (0..8).filter_map(|roll| draw(&moves, roll)).collect();
        let count = |mv: BookMove| drawn.iter().filter(|&&known| known == mv).count();
        assert_eq!(moves.map(count), [6, 0, 2]);
        assert_eq!(draw(&[], 5), None);
        assert_eq!(draw(&moves[1..2], 5), Some(moves[1]));
    }
}
