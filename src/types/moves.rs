//! Moves and lists of moves.

use std::fmt;
use std::num::NonZeroU16;

use super::Square;

/// A move: where from and where to, in 14 bits (`from << 7 | to`).
///
/// `from` and `to` are squares of the board and differ. There is no null move value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

/// Why a text is not a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParseMoveError {
    /// It is not a pair of squares such as `h2e2`.
    NotTwoSquares,
    /// Both squares are the same.
    SameSquare,
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotTwoSquares => "not two squares such as h2e2",
            Self::SameSquare => "starts and ends on the same square",
        })
    }
}

impl std::error::Error for ParseMoveError {}

impl Move {
    /// The move between two squares, if they differ.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Option<Self> {
        if from as u8 == to as u8 {
            return None;
        }
        match NonZeroU16::new((from as u16) << 7 | to as u16) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The move with these bits, if they name two different squares.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match (
            Square::from_index((bits >> 7) as usize),
            Square::from_index((bits & 127) as usize),
        ) {
            (Some(from), Some(to)) => Self::new(from, to),
            _ => None,
        }
    }

    /// The bits, `from << 7 | to`, never 0.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Where the piece stands.
    #[inline]
    pub fn from(self) -> Square {
        Square::from_low_bits((self.0.get() >> 7) as u32)
    }

    /// Where it goes.
    #[inline]
    pub fn to(self) -> Square {
        Square::from_low_bits(self.0.get() as u32)
    }

    /// The move mirrored left to right.
    pub fn mirror(self) -> Self {
        // Mirroring is one to one, so the squares still differ.
        Self::new(self.from().mirror(), self.to().mirror()).unwrap_or(self)
    }

    /// Reads coordinates such as `h2e2` (ranks 0 to 9, either case, an optional dash).
    ///
    /// # Errors
    /// If the text is not two different squares.
    pub fn parse(text: &str) -> Result<Self, ParseMoveError> {
        let bytes = text.as_bytes();
        let (from, to) = match bytes.len() {
            4 if text.is_ascii() => (&text[..2], &text[2..]),
            5 if text.is_ascii() && bytes[2] == b'-' => (&text[..2], &text[3..]),
            _ => return Err(ParseMoveError::NotTwoSquares),
        };
        let (Some(from), Some(to)) = (Square::parse(from), Square::parse(to)) else {
            return Err(ParseMoveError::NotTwoSquares);
        };
        Self::new(from, to).ok_or(ParseMoveError::SameSquare)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How many moves a list holds at most.
///
/// Sixteen men of a side have fewer than 240 moves on any board: a rook has at
/// most 17, fifteen of them share the nine files and ten ranks, and no other
/// man has more.
const CAPACITY: usize = 256;

/// A list of moves without allocation.
///
/// A fixed array and not a `SmallVec`: appending is the hottest write of the
/// generator, and a masked index costs no bounds or capacity check.
#[derive(Clone)]
pub struct MoveList {
    /// Eight more than can be used: room for [`MoveList::push_eight`] at the end.
    bits: [u16; CAPACITY + 8],
    len: usize,
}

impl MoveList {
    /// An empty list.
    #[inline]
    pub const fn new() -> Self {
        Self {
            bits: [0; CAPACITY + 8],
            len: 0,
        }
    }

    /// How many moves are in the list.
    #[inline]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether the list is empty.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Drops all moves.
    #[inline]
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends a move.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.push_bits(mv.bits());
    }

    /// Appends the move with these bits, which must be those of a move.
    #[inline]
    pub(crate) fn push_bits(&mut self, bits: u16) {
        debug_assert!(Move::from_bits(bits).is_some());
        self.bits[self.len % CAPACITY] = bits;
        self.len += 1;
    }

    /// Appends the first `count` of eight moves given as bits.
    #[inline]
    pub(crate) fn push_eight(&mut self, eight: [u16; 8], count: u32) {
        let start = self.len % CAPACITY;
        self.bits[start..start + 8].copy_from_slice(&eight);
        self.len += count as usize;
    }

    /// Appends, for each set bit of `targets`, the move whose bits `make` gives for the
    /// bit's index.
    #[inline(always)]
    pub(crate) fn push_each(&mut self, mut targets: u64, make: impl Fn(u16) -> u16) {
        while targets != 0 {
            self.push_bits(make(targets.trailing_zeros() as u16));
            targets &= targets - 1;
        }
    }

    /// The move at `index`, if there is one.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Move> {
        if index < self.len {
            NonZeroU16::new(self.bits[index % CAPACITY]).map(Move)
        } else {
            None
        }
    }

    /// The moves in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.bits[..self.len.min(CAPACITY)]
            .iter()
            .filter_map(|&bits| NonZeroU16::new(bits).map(Move))
    }

    /// Whether the move is in the list.
    pub fn contains(&self, mv: Move) -> bool {
        self.bits[..self.len].contains(&mv.bits())
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Extend<Move> for MoveList {
    fn extend<I: IntoIterator<Item = Move>>(&mut self, moves: I) {
        for mv in moves {
            self.push(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bits_round_trip() {
        let mut count = 0;
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(mv.bits(), bits);
                assert_eq!(Move::parse(&mv.to_string()), Ok(mv));
                assert_eq!(Move::new(mv.from(), mv.to()), Some(mv));
                count += 1;
            }
        }
        assert_eq!(count, 90 * 89);
        assert_eq!(size_of::<Option<Move>>(), 2);
    }

    #[test]
    fn reads_iccs_spelling_and_refuses_garbage() {
        let central = Move::new(Square::H2, Square::E2);
        assert_eq!(Move::parse("H2-E2").ok(), central);
        assert_eq!(Move::parse("h2h2"), Err(ParseMoveError::SameSquare));
        for bad in ["", "h2", "h2e", "h2e22", "h2+e2", "炮二平", "0000", "é0a"] {
            assert_eq!(
                Move::parse(bad),
                Err(ParseMoveError::NotTwoSquares),
                "{bad}"
            );
        }
    }
}
