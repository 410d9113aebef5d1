//! Sets of squares in the low 90 bits of a `u128`.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use super::{Color, File, Rank, Square};

/// A set of squares; bit `n` stands for the square with index `n`.
///
/// The top 38 bits are always zero: every constructor masks them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Bitboard(u128);

const FILE_A: u128 = {
    let mut bits = 0;
    let mut rank = 0;
    while rank < 10 {
        bits |= 1 << (rank * 9);
        rank += 1;
    }
    bits
};

/// One bit each: loading it is cheaper than shifting 128 bits by a variable.
static SQUARES: [u128; 90] = {
    let mut table = [0; 90];
    let mut square = 0;
    while square < 90 {
        table[square] = 1 << square;
        square += 1;
    }
    table
};

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 90 squares.
    pub const ALL: Self = Self((1 << 90) - 1);

    /// The set with these bits; bits above the 90th are dropped.
    #[inline]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The bits of the set.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set of one square.
    #[inline]
    pub fn square(square: Square) -> Self {
        Self(SQUARES[square as usize])
    }

    /// All squares of a file.
    #[inline]
    pub const fn file(file: File) -> Self {
        Self(FILE_A << file as u8)
    }

    /// All squares of a rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(0x1ff << (rank as u8 * 9))
    }

    /// The five ranks on `color`'s side of the river.
    pub const fn home_half(color: Color) -> Self {
        match color {
            Color::Red => Self((1 << 45) - 1),
            Color::Black => Self(Self::ALL.0 & !((1 << 45) - 1)),
        }
    }

    /// The nine points of `color`'s palace.
    pub const fn palace(color: Color) -> Self {
        const RED: u128 = 0b111_000 | 0b111_000 << 9 | 0b111_000 << 18;
        match color {
            Color::Red => Self(RED),
            Color::Black => Self(RED << 63),
        }
    }

    /// Whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// How many squares are in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// Whether two or more squares are in the set.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The square with the lowest index, if any.
    #[inline]
    pub fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_low_bits(self.0.trailing_zeros()))
        }
    }

    /// The set with the square added.
    #[inline]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square as u8)
    }

    /// The set with the square taken out.
    #[inline]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << square as u8))
    }

    /// Adds the square if it is absent, removes it if it is present.
    #[inline]
    pub fn toggle(&mut self, square: Square) {
        self.0 ^= SQUARES[square as usize];
    }

    /// The nine bits of a rank, bit = file.
    #[inline]
    pub const fn rank_bits(self, rank: Rank) -> u32 {
        (self.0 >> (rank as u8 * 9)) as u32 & 0x1ff
    }

    /// The 45 bits of `color`'s home half, bit = 9 × (rank − first rank of the half) + file.
    #[inline]
    pub const fn half(self, color: Color) -> u64 {
        match color {
            Color::Red => self.0 as u64 & ((1 << 45) - 1),
            Color::Black => (self.0 >> 45) as u64,
        }
    }

    /// The squares in `color`'s home half.
    #[inline]
    pub(crate) const fn in_half(self, color: Color) -> SquaresInHalf {
        SquaresInHalf {
            bits: self.half(color),
            first: 45 * color as u32,
        }
    }

    /// The inverse of [`Self::half`].
    #[inline]
    pub const fn from_half(bits: u64, color: Color) -> Self {
        Self((bits as u128 & ((1 << 45) - 1)) << (45 * color as u8))
    }

    /// The bits of the squares below index 64, and of those from 64 on.
    #[inline]
    pub(crate) const fn words(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    /// Every square moved by `delta` indices, up for positive ones; what leaves
    /// the board is dropped, what crosses the left or right edge wraps round.
    #[inline]
    pub const fn shift(self, delta: i32) -> Self {
        if delta >= 0 {
            Self::from_bits(self.0 << delta)
        } else {
            Self(self.0 >> -delta)
        }
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

/// Set difference: the squares of the left side that the right side lacks.
impl Sub for Bitboard {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::square(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// The squares of a set in one half of the board, in ascending order.
pub(crate) struct SquaresInHalf {
    bits: u64,
    first: u32,
}

impl Iterator for SquaresInHalf {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.bits == 0 {
            return None;
        }
        let index = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(Square::from_low_bits(self.first + index))
    }
}

/// The squares of a set in ascending order.
#[derive(Clone)]
pub struct Squares(u128);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0.wrapping_sub(1);
        Some(square)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            writeln!(f)?;
            for file in File::ALL {
                let mark = if self.contains(Square::new(file, rank)) {
                    'x'
                } else {
                    '.'
                };
                write!(f, "{mark} ")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterates_in_ascending_order() {
        let set: Bitboard = [Square::I9, Square::A0, Square::H7, Square::B7]
            .into_iter()
            .collect();
        let squares: Vec<Square> = set.into_iter().collect();
        assert_eq!(squares, [Square::A0, Square::B7, Square::H7, Square::I9]);
        assert_eq!(set.count(), 4);
    }

    #[test]
    fn complement_stays_on_the_board() {
        assert_eq!(!Bitboard::EMPTY, Bitboard::ALL);
        assert_eq!(
            Bitboard::ALL.shift(9) | Bitboard::rank(Rank::R0),
            Bitboard::ALL
        );
        assert_eq!(Bitboard::ALL.count(), 90);
    }

    #[test]
    fn halves_and_palaces() {
        for color in [Color::Red, Color::Black] {
            assert_eq!(Bitboard::palace(color).count(), 9);
            let half = Bitboard::home_half(color);
            assert_eq!(half.count(), 45);
            assert_eq!(Bitboard::from_half(half.half(color), color), half);
            assert!((Bitboard::palace(color) - half).is_empty());
        }
        assert!(Bitboard::palace(Color::Black).contains(Square::D7));
    }

    #[test]
    fn rank_bits_hold_files() {
        let set = Bitboard::square(Square::C4) | Bitboard::square(Square::I4);
        assert_eq!(set.rank_bits(Rank::R4), 0b1_0000_0100);
        assert_eq!(set.rank_bits(Rank::R5), 0);
    }
}
