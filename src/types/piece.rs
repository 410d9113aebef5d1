//! Colours, kinds of pieces, and pieces.

use std::fmt;
use std::ops::Not;

/// A side. Red moves first and stands on ranks 0 to 4.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Color {
    /// The side at the bottom, upper case in a FEN.
    Red,
    /// The side at the top, lower case in a FEN.
    Black,
}

impl Color {
    /// Both colours, Red first.
    pub const ALL: [Self; 2] = [Self::Red, Self::Black];

    /// 0 for Red, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Self;

    /// The other side.
    #[inline]
    fn not(self) -> Self {
        match self {
            Self::Red => Self::Black,
            Self::Black => Self::Red,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Red => "Red",
            Self::Black => "Black",
        })
    }
}

/// What a piece is, whoever owns it.
///
/// The code uses the FEN's letters K A B N R C P; [`PieceKind::name`] gives the
/// word for people (general, advisor, elephant, horse, rook, cannon, pawn).
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the variants are named after what they are")]
pub enum PieceKind {
    King,
    Advisor,
    Bishop,
    Knight,
    Rook,
    Cannon,
    Pawn,
}

impl PieceKind {
    /// How many kinds there are.
    pub const COUNT: usize = 7;
    /// Every kind, in index order.
    pub const ALL: [Self; 7] = [
        Self::King,
        Self::Advisor,
        Self::Bishop,
        Self::Knight,
        Self::Rook,
        Self::Cannon,
        Self::Pawn,
    ];

    /// The index, below [`Self::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case FEN letter.
    pub const fn letter(self) -> char {
        ['K', 'A', 'B', 'N', 'R', 'C', 'P'][self as usize]
    }

    /// The word a player uses.
    pub const fn name(self) -> &'static str {
        [
            "general", "advisor", "elephant", "horse", "rook", "cannon", "pawn",
        ][self as usize]
    }

    /// How many of them a full set has on each side.
    pub const fn in_a_set(self) -> usize {
        [1, 2, 2, 2, 2, 2, 5][self as usize]
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A piece with its owner; index = 7 × colour + kind.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants are named after what they are")]
pub enum Piece {
    RedKing,
    RedAdvisor,
    RedBishop,
    RedKnight,
    RedRook,
    RedCannon,
    RedPawn,
    BlackKing,
    BlackAdvisor,
    BlackBishop,
    BlackKnight,
    BlackRook,
    BlackCannon,
    BlackPawn,
}

impl Piece {
    /// How many pieces there are.
    pub const COUNT: usize = 14;
    /// Every piece, in index order.
    pub const ALL: [Self; 14] = [
        Self::RedKing,
        Self::RedAdvisor,
        Self::RedBishop,
        Self::RedKnight,
        Self::RedRook,
        Self::RedCannon,
        Self::RedPawn,
        Self::BlackKing,
        Self::BlackAdvisor,
        Self::BlackBishop,
        Self::BlackKnight,
        Self::BlackRook,
        Self::BlackCannon,
        Self::BlackPawn,
    ];

    /// The piece of this kind and colour.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        Self::ALL[color as usize * 7 + kind as usize]
    }

    /// The index, below [`Self::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Who owns the piece.
    #[inline]
    pub const fn color(self) -> Color {
        if (self as u8) < 7 {
            Color::Red
        } else {
            Color::Black
        }
    }

    /// What the piece is.
    #[inline]
    pub const fn kind(self) -> PieceKind {
        const KINDS: [PieceKind; 14] = {
            let mut kinds = [PieceKind::King; 14];
            let mut i = 0;
            while i < 14 {
                kinds[i] = PieceKind::ALL[i % 7];
                i += 1;
            }
            kinds
        };
        KINDS[self as usize]
    }

    /// The FEN letter: upper case for Red, lower case for Black.
    pub const fn letter(self) -> char {
        let letter = self.kind().letter();
        match self.color() {
            Color::Red => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// Reads a FEN letter; E and H are understood as B and N.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let kind = match letter.to_ascii_uppercase() {
            'K' => PieceKind::King,
            'A' => PieceKind::Advisor,
            'B' | 'E' => PieceKind::Bishop,
            'N' | 'H' => PieceKind::Knight,
            'R' => PieceKind::Rook,
            'C' => PieceKind::Cannon,
            'P' => PieceKind::Pawn,
            _ => return None,
        };
        let color = if letter.is_ascii_uppercase() {
            Color::Red
        } else {
            Color::Black
        };
        Some(Self::new(color, kind))
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// "red rook".
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let color = match self.color() {
            Color::Red => "red",
            Color::Black => "black",
        };
        write!(f, "{color} {}", self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_and_kind_make_the_piece() {
        for piece in Piece::ALL {
            assert_eq!(Piece::new(piece.color(), piece.kind()), piece);
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
        }
        assert_eq!(Piece::from_letter('h'), Some(Piece::BlackKnight));
        assert_eq!(Piece::from_letter('E'), Some(Piece::RedBishop));
        assert_eq!(Piece::from_letter('x'), None);
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }
}
