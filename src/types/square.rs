//! Squares of the board: 9 files `a`..`i` from Red's left, 10 ranks `0`..`9` from Red's back rank.

use std::fmt;

use super::Color;

macro_rules! indexed_enum {
    ($(#[$meta:meta])* $name:ident : $count:literal { $($variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[repr(u8)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, reason = "the variants are named after what they are")]
        pub enum $name { $($variant),+ }

        impl $name {
            /// How many values there are.
            pub const COUNT: usize = $count;
            /// Every value, in index order.
            pub const ALL: [Self; $count] = [$(Self::$variant),+];

            /// The index, below [`Self::COUNT`].
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The value with this index, if there is one.
            #[inline]
            pub const fn from_index(index: usize) -> Option<Self> {
                if index < $count { Some(Self::ALL[index]) } else { None }
            }
        }
    };
}

indexed_enum! {
    /// A file (column), `a` to `i` from Red's left to Red's right.
    File: 9 { A, B, C, D, E, F, G, H, I }
}

indexed_enum! {
    /// A rank (row), `0` to `9` counted from Red's back rank.
    Rank: 10 { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9 }
}

indexed_enum! {
    /// One of the 90 points of the board; index = 9 × rank + file.
    Square: 90 {
        A0, B0, C0, D0, E0, F0, G0, H0, I0,
        A1, B1, C1, D1, E1, F1, G1, H1, I1,
        A2, B2, C2, D2, E2, F2, G2, H2, I2,
        A3, B3, C3, D3, E3, F3, G3, H3, I3,
        A4, B4, C4, D4, E4, F4, G4, H4, I4,
        A5, B5, C5, D5, E5, F5, G5, H5, I5,
        A6, B6, C6, D6, E6, F6, G6, H6, I6,
        A7, B7, C7, D7, E7, F7, G7, H7, I7,
        A8, B8, C8, D8, E8, F8, G8, H8, I8,
        A9, B9, C9, D9, E9, F9, G9, H9, I9,
    }
}

/// File and rank of every square: cheaper than a division where both are wanted.
static FILE_OF: [File; 90] = {
    let mut table = [File::A; 90];
    let mut i = 0;
    while i < 90 {
        table[i] = File::ALL[i % 9];
        i += 1;
    }
    table
};

static RANK_OF: [Rank; 90] = {
    let mut table = [Rank::R0; 90];
    let mut i = 0;
    while i < 90 {
        table[i] = Rank::ALL[i / 9];
        i += 1;
    }
    table
};

/// `Square::ALL` padded to a power of two, so that a masked look-up needs no bounds check.
static BY_LOW_BITS: [Square; 128] = {
    let mut table = [Square::I9; 128];
    let mut i = 0;
    while i < 90 {
        table[i] = Square::ALL[i];
        i += 1;
    }
    table
};

impl File {
    /// The letter `a`..`i`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file as far from the right edge as this one is from the left.
    pub const fn mirror(self) -> Self {
        Self::ALL[8 - self as usize]
    }
}

impl Rank {
    /// The rank as the other side counts it.
    pub const fn flip(self) -> Self {
        Self::ALL[9 - self as usize]
    }
}

impl Square {
    /// The square on this file and rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::ALL[rank as usize * 9 + file as usize]
    }

    /// The square whose index is the low seven bits of `index`; an index that
    /// no square has gives I9.
    #[inline]
    pub(crate) fn from_low_bits(index: u32) -> Self {
        BY_LOW_BITS[(index & 127) as usize]
    }

    /// The file of the square.
    #[inline]
    pub fn file(self) -> File {
        FILE_OF[self as usize]
    }

    /// The rank of the square.
    #[inline]
    pub fn rank(self) -> Rank {
        RANK_OF[self as usize]
    }

    /// The square `files` to the right and `ranks` up, if it is on the board.
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Self> {
        let file = self as i32 % 9 + files;
        let rank = self as i32 / 9 + ranks;
        if file < 0 || file > 8 || rank < 0 || rank > 9 {
            None
        } else {
            Some(Self::ALL[(rank * 9 + file) as usize])
        }
    }

    /// The left-right mirror image: `a0` becomes `i0`.
    #[inline]
    pub fn mirror(self) -> Self {
        Self::new(self.file().mirror(), self.rank())
    }

    /// The square seen from the other side of the river: `a0` becomes `a9`.
    #[inline]
    pub fn flip(self) -> Self {
        Self::new(self.file(), self.rank().flip())
    }

    /// The square as `color` counts ranks: itself for Red, [`Self::flip`] for Black.
    #[inline]
    pub fn relative(self, color: Color) -> Self {
        match color {
            Color::Red => self,
            Color::Black => self.flip(),
        }
    }

    /// Reads `a0`..`i9`, upper or lower case.
    pub fn parse(text: &str) -> Option<Self> {
        let [file, rank] = text.as_bytes() else {
            return None;
        };
        let file = file.to_ascii_lowercase().checked_sub(b'a')?;
        let rank = rank.checked_sub(b'0')?;
        Some(Self::new(
            File::from_index(file as usize)?,
            Rank::from_index(rank as usize)?,
        ))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank() as u8)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl fmt::Debug for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", *self as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_file_rank_and_text_agree() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::new(square.file(), square.rank()), square);
            assert_eq!(Square::parse(&square.to_string()), Some(square));
            assert_eq!(Square::from_low_bits(index as u32), square);
            assert_eq!(square.mirror().mirror(), square);
            assert_eq!(square.flip().flip(), square);
        }
        assert_eq!(Square::parse("H2"), Some(Square::H2));
        for bad in ["", "a", "j0", "a10", "a:", "é0"] {
            assert_eq!(Square::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn option_of_square_is_one_byte() {
        assert_eq!(size_of::<Option<Square>>(), 1);
    }

    #[test]
    fn offset_stays_on_the_board() {
        assert_eq!(Square::A0.offset(-1, 0), None);
        assert_eq!(Square::I9.offset(0, 1), None);
        assert_eq!(Square::E4.offset(1, 2), Some(Square::F6));
    }
}
