//! Packed line words: the ten ranks and nine files of the board, one `u64` each.
//!
//! A word holds, ten bits each, all men, the red men, red rooks, red cannons, black rooks
//! and black cannons of the line. One table look-up by the line's
//! occupancy then answers what a rook or cannon on the line attacks, and what stands
//! between a general and the enemy's rooks and cannons.
#![allow(
    long_running_const_eval,
    reason = "the two ray tables are filled at compile time"
)]

use crate::types::{Bitboard, Color, File, Piece, PieceKind, Rank, Square};

/// Bits of the ten points of a line.
const TEN: u32 = 0x3ff;

/// One rank (bit = file) or file (bit = rank) of the board.
///
/// On files a king also counts as a rook of its colour: facing generals then check and
/// pin like rooks, without code of their own.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Line(u64);

impl Line {
    /// All men of both sides.
    #[inline]
    pub const fn occupied(self) -> u32 {
        self.0 as u32 & TEN
    }

    /// The men of one side.
    #[inline]
    pub const fn men(self, color: Color) -> u32 {
        match color {
            Color::Red => (self.0 >> 10) as u32 & TEN,
            Color::Black => (self.0 ^ self.0 >> 10) as u32 & TEN,
        }
    }

    /// A side's rooks in the low ten bits and its cannons in the ten above, the
    /// layout of [`Ray`].
    #[inline]
    pub const fn hitters(self, color: Color) -> u32 {
        (self.0 >> (20 + 20 * color as u32)) as u32 & 0xf_ffff
    }

    #[inline]
    const fn toggled(self, pattern: u64, point: u32) -> Self {
        Self(self.0 ^ pattern << point)
    }
}

/// What a man on a line sees in both directions, for one occupancy of the line.
///
/// Three groups of ten bits: the points a rook reaches (empty ones and the first man),
/// the second men, the third men.
#[derive(Clone, Copy)]
pub struct Ray(u32);

impl Ray {
    /// The empty points a rook or cannon reaches and the first man each way.
    #[inline]
    pub const fn reach(self) -> u32 {
        self.0 & TEN
    }

    /// The second man each way: what a cannon captures.
    #[inline]
    pub const fn second(self) -> u32 {
        self.0 >> 10 & TEN
    }

    /// The third man each way.
    #[inline]
    pub const fn third(self) -> u32 {
        self.0 >> 20 & TEN
    }

    /// Which of `hitters` (see [`Line::hitters`]) attack the man the ray starts from: a
    /// rook that is the first man, a cannon that is the second.
    #[inline]
    pub const fn attackers(self, hitters: u32) -> u32 {
        self.0 & hitters
    }

    /// Which of `hitters` would attack if one man in between left: a rook that is the
    /// second man, a cannon that is the third.
    #[inline]
    pub const fn pinners(self, hitters: u32) -> u32 {
        self.0 >> 10 & hitters
    }

    /// Which cannons of `hitters` would attack if a man came in between: those that are
    /// the first man.
    #[inline]
    pub const fn bare_cannons(self, hitters: u32) -> u32 {
        self.0 & hitters >> 10
    }
}

/// The ray from `point` on a line of `length` points with these men on it.
const fn ray(point: i32, length: i32, occupied: u32) -> u32 {
    let mut bits = 0;
    let mut step = -1;
    while step <= 1 {
        let mut seen = 0;
        let mut at = point + step;
        while at >= 0 && at < length && seen < 3 {
            let man = occupied >> at & 1 == 1;
            if seen == 0 || man {
                bits |= 1 << (at + 10 * seen);
            }
            if man {
                seen += 1;
            }
            at += step;
        }
        step += 2;
    }
    bits
}

static RANK_RAYS: [[Ray; 512]; 9] = {
    let mut table = [[Ray(0); 512]; 9];
    let mut point = 0;
    while point < 9 {
        let mut occupied = 0;
        while occupied < 512 {
            table[point][occupied] = Ray(ray(point as i32, 9, occupied as u32));
            occupied += 1;
        }
        point += 1;
    }
    table
};

static FILE_RAYS: [[Ray; 1024]; 10] = {
    let mut table = [[Ray(0); 1024]; 10];
    let mut point = 0;
    while point < 10 {
        let mut occupied = 0;
        while occupied < 1024 {
            table[point][occupied] = Ray(ray(point as i32, 10, occupied as u32));
            occupied += 1;
        }
        point += 1;
    }
    table
};

/// Five bits of a file, spread to the same file of five ranks.
static SPREAD: [u64; 32] = {
    let mut table = [0; 32];
    let mut bits = 0;
    while bits < 32 {
        let mut rank = 0;
        while rank < 5 {
            if bits >> rank & 1 == 1 {
                table[bits] |= 1 << (9 * rank);
            }
            rank += 1;
        }
        bits += 1;
    }
    table
};

/// The squares of `file` whose rank's bit is set.
#[inline]
pub fn spread_file(bits: u32, file: File) -> Bitboard {
    let low = SPREAD[(bits & 31) as usize] << file as u8;
    let high = SPREAD[(bits >> 5 & 31) as usize] << file as u8;
    Bitboard::from_bits(low as u128 | (high as u128) << 45)
}

/// The bit patterns that a man adds to the word of its rank and of its file, at point 0.
static PATTERNS: [(u64, u64); Piece::COUNT] = {
    let mut table = [(0, 0); Piece::COUNT];
    let mut i = 0;
    while i < Piece::COUNT {
        let piece = Piece::ALL[i];
        let color = piece.color() as u32;
        let man = if color == 0 { 1 | 1 << 10 } else { 1 };
        let rook = 1u64 << (20 + 20 * color);
        let cannon = 1u64 << (30 + 20 * color);
        table[i] = match piece.kind() {
            PieceKind::Rook => (man | rook, man | rook),
            PieceKind::Cannon => (man | cannon, man | cannon),
            PieceKind::King => (man, man | rook),
            _ => (man, man),
        };
        i += 1;
    }
    table
};

/// The words of all lines of a board.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Lines {
    ranks: [Line; 10],
    files: [Line; 9],
}

impl Lines {
    /// Puts the man on the square or, if it stands there, takes it away.
    #[inline]
    pub fn toggle(&mut self, piece: Piece, square: Square) {
        let (file, rank) = (square.file(), square.rank());
        let (on_rank, on_file) = PATTERNS[piece as usize];
        let word = &mut self.ranks[rank as usize];
        *word = word.toggled(on_rank, file as u32);
        let word = &mut self.files[file as usize];
        *word = word.toggled(on_file, rank as u32);
    }

    /// The word of a rank.
    #[inline]
    pub fn rank(&self, rank: Rank) -> Line {
        self.ranks[rank as usize]
    }

    /// The word of a file.
    #[inline]
    pub fn file(&self, file: File) -> Line {
        self.files[file as usize]
    }

    /// The two words that cross at a square: its rank, its file.
    #[inline]
    pub fn through(&self, square: Square) -> Cross {
        Cross {
            square,
            rank: self.rank(square.rank()),
            file: self.file(square.file()),
        }
    }
}

/// The rank and the file through a square; a copy that can be changed without the board.
#[derive(Clone, Copy)]
pub struct Cross {
    /// Where the lines cross.
    pub square: Square,
    /// The rank's word.
    pub rank: Line,
    /// The file's word.
    pub file: Line,
}

impl Cross {
    /// Puts or takes a man where it touches either of the lines.
    #[inline]
    pub fn toggle(&mut self, piece: Piece, square: Square) {
        let (on_rank, on_file) = PATTERNS[piece as usize];
        if square.rank() == self.square.rank() {
            self.rank = self.rank.toggled(on_rank, square.file() as u32);
        }
        if square.file() == self.square.file() {
            self.file = self.file.toggled(on_file, square.rank() as u32);
        }
    }

    /// Puts or takes a man at the crossing.
    #[inline]
    pub fn toggle_crossing(&mut self, piece: Piece) {
        let (on_rank, on_file) = PATTERNS[piece as usize];
        self.rank = self.rank.toggled(on_rank, self.square.file() as u32);
        self.file = self.file.toggled(on_file, self.square.rank() as u32);
    }

    /// What is seen along the rank, bit = file.
    #[inline]
    pub fn rank_ray(&self) -> Ray {
        let occupied = (self.rank.occupied() & 0x1ff) as usize;
        RANK_RAYS[self.square.file() as usize][occupied]
    }

    /// What is seen along the file, bit = rank.
    #[inline]
    pub fn file_ray(&self) -> Ray {
        let occupied = self.file.occupied() as usize;
        FILE_RAYS[self.square.rank() as usize][occupied & 1023]
    }

    /// The squares for bits of the rank and bits of the file.
    #[inline]
    pub fn squares(&self, on_rank: u32, on_file: u32) -> Bitboard {
        let rank = self.square.rank() as u32;
        Bitboard::from_bits((on_rank as u128) << (9 * rank))
            | spread_file(on_file, self.square.file())
    }

    /// The rooks and cannons of `color` that attack the crossing, the facing general included.
    #[inline]
    pub fn attackers(&self, color: Color) -> Bitboard {
        let on_rank = self.rank_ray().attackers(self.rank.hitters(color));
        let on_file = self.file_ray().attackers(self.file.hitters(color));
        if on_rank | on_file == 0 {
            return Bitboard::EMPTY;
        }
        self.squares(
            (on_rank | on_rank >> 10) & TEN,
            (on_file | on_file >> 10) & TEN,
        )
    }

    /// The empty points, of the rank and of the file, where any man would be the screen of
    /// a cannon of `color` against the crossing.
    #[inline(always)]
    pub fn closed(&self, color: Color) -> (u16, u16) {
        let on_rank = self.rank_ray().bare_cannons(self.rank.hitters(color));
        let on_file = self.file_ray().bare_cannons(self.file.hitters(color));
        if on_rank | on_file == 0 {
            return (0, 0);
        }
        (
            points_before(on_rank, self.square.file() as u32),
            points_before(on_file, self.square.rank() as u32),
        )
    }

    /// Whether a rook or cannon of `color`, or its general along the file, attacks the crossing.
    #[inline]
    pub fn is_attacked(&self, color: Color) -> bool {
        let on_rank = self.rank_ray().attackers(self.rank.hitters(color));
        let on_file = self.file_ray().attackers(self.file.hitters(color));
        on_rank | on_file != 0
    }
}

/// The points between `point` and the nearest of `men` each way; none where there is none.
const fn points_before(men: u32, point: u32) -> u16 {
    let below = (1u32 << point) - 1;
    let (low, high) = (men & below, men & !below);
    let down = if low == 0 {
        0
    } else {
        below & !(2 * (1 << low.ilog2()) - 1)
    };
    let up = if high == 0 {
        0
    } else {
        (high - 1) & !high & !below & !(1 << point)
    };
    (down | up) as u16
}

/// The squares strictly between two squares of one line, none if they share no line.
pub fn between(a: Square, b: Square) -> Bitboard {
    let open = |x: u32, y: u32| {
        let (low, high) = (x.min(y), x.max(y));
        ((1 << high) - 1) & !((2 << low) - 1)
    };
    if a == b {
        Bitboard::EMPTY
    } else if a.rank() == b.rank() {
        let bits: u32 = open(a.file() as u32, b.file() as u32);
        Bitboard::from_bits((bits as u128) << (9 * a.rank() as u32))
    } else if a.file() == b.file() {
        spread_file(open(a.rank() as u32, b.rank() as u32), a.file())
    } else {
        Bitboard::EMPTY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ray_sees_three_men() {
        // men on 1, 4, 5, 8 of a file, seen from 3
        let ray = FILE_RAYS[3][0b1_0011_0010];
        assert_eq!(ray.reach(), 0b01_0110);
        assert_eq!(ray.second(), 1 << 5);
        assert_eq!(ray.third(), 1 << 8);
    }

    #[test]
    fn own_point_does_not_matter() {
        for occupied in 0..512 {
            for point in 0..9 {
                let with = RANK_RAYS[point][occupied | 1 << point].0;
                assert_eq!(RANK_RAYS[point][occupied & !(1 << point)].0, with);
                assert_eq!(with >> point & 0x10_0401, 0);
            }
        }
    }

    #[test]
    fn between_is_open() {
        assert_eq!(between(Square::E0, Square::E3).count(), 2);
        assert_eq!(between(Square::I5, Square::A5).count(), 7);
        assert_eq!(between(Square::A0, Square::B1), Bitboard::EMPTY);
        assert_eq!(between(Square::A0, Square::A1), Bitboard::EMPTY);
    }
}
