//! The keys of `BOOK.DAT`: words of Zobrist numbers that the cipher RC4 yields.

use once_cell::sync::Lazy;

use super::byte_of;
use crate::position::Position;
use crate::types::{Color, Piece, Square};

/// Two words of a position's key. The file holds the one called `lock1`; both decide
/// whether a position or its mirror image is stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BookKey {
    /// The key of the file.
    pub lock1: u32,
    /// The word before it.
    pub lock0: u32,
}

impl BookKey {
    /// The key of the position.
    pub fn of(position: &Position) -> Self {
        Self::read(position, |square| square)
    }

    /// The key of the position mirrored left to right.
    pub fn of_mirrored(position: &Position) -> Self {
        Self::read(position, Square::mirror)
    }

    fn read(position: &Position, place: impl Fn(Square) -> Square) -> Self {
        let numbers = &*NUMBERS;
        let mut key = match position.side() {
            Color::Red => [0; 3],
            Color::Black => numbers.side,
        };
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                let number = numbers.pieces[piece.index()][place(square).index()];
                key = std::array::from_fn(|word| key[word] ^ number[word]);
            }
        }
        let [_, lock0, lock1] = key;
        Self { lock1, lock0 }
    }
}

/// Three words for each piece on each square, and for Black to move.
struct Numbers {
    side: [u32; 3],
    pieces: [[[u32; 3]; 90]; Piece::COUNT],
}

static NUMBERS: Lazy<Box<Numbers>> = Lazy::new(|| {
    let mut stream = Rc4::new([0; 4]);
    let side = stream.triple();
    let mut pieces = [[[0; 3]; 90]; Piece::COUNT];
    for squares in &mut pieces {
        // The numbers come for all 256 points of the board that the format has.
        let triples: [[u32; 3]; 256] = std::array::from_fn(|_| stream.triple());
        for square in Square::ALL {
            squares[square.index()] = triples[usize::from(byte_of(square))];
        }
    }
    Box::new(Numbers { side, pieces })
});

/// The cipher RC4, as a source of numbers.
struct Rc4 {
    state: [u8; 256],
    i: u8,
    j: u8,
}

impl Rc4 {
    fn new(key: [u8; 4]) -> Self {
        let mut state: [u8; 256] = std::array::from_fn(|index| index as u8);
        let mut j = 0u8;
        for i in 0..256 {
            j = j.wrapping_add(state[i]).wrapping_add(key[i % 4]);
            state.swap(i, usize::from(j));
        }
        Self { state, i: 0, j: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        let at = usize::from(self.i);
        self.j = self.j.wrapping_add(self.state[at]);
        let other = usize::from(self.j);
        self.state.swap(at, other);
        let sum = self.state[at].wrapping_add(self.state[other]);
        self.state[usize::from(sum)]
    }

    fn triple(&mut self) -> [u32; 3] {
        std::array::from_fn(|_| u32::from_le_bytes(std::array::from_fn(|_| self.byte())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Move;

    #[test]
    fn the_numbers_are_those_of_the_format() {
        let mut stream = Rc4::new([0; 4]);
        assert_eq!(stream.triple(), [0x4189_18de, 0x3a5d_37a3, 0x671e_068a]);
        let first = stream.triple();
        assert_eq!(first, [0x6d92_6e57, 0xa37f_1ac7, 0x97eb_ccf0]);
        let last = (1..14 * 256).map(|_| stream.triple()).last();
        assert_eq!(last, Some([0x9c76_b4db, 0x27d8_9af5, 0xc20d_9ca0]));
    }

    #[test]
    fn positions_have_the_keys_of_the_format() {
        let start = Position::startpos();
        let expected = BookKey {
            lock0: 0x8f89_9c24,
            lock1: 0x0526_56d5,
        };
        assert_eq!(BookKey::of(&start), expected);
        assert_eq!(BookKey::of_mirrored(&start), expected);
        for (mv, own, mirrored) in [
            ("h2e2", 0xeb50_5d7d, 0x5396_644f),
            ("b2e2", 0x5396_644f, 0xeb50_5d7d_u32),
        ] {
            let mut position = start.clone();
            position.make(Move::parse(mv).expect(mv));
            assert_eq!(BookKey::of(&position).lock1, own, "{mv}");
            assert_eq!(BookKey::of_mirrored(&position).lock1, mirrored, "{mv}");
            let image = BookKey::of(&position.mirrored());
            assert_eq!(BookKey::of_mirrored(&position), image, "{mv}");
        }
    }
}
