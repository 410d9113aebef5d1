//! Zobrist keys, drawn at compile time.

use crate::types::{Move, Piece, Square};

const fn splitmix(seed: u64) -> u64 {
    let mut x = seed;
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The constants of SplitMix64 (Steele, Lea, Flood 2014).
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

static PIECES: [[u64; 90]; Piece::COUNT] = {
    let mut table = [[0; 90]; Piece::COUNT];
    let mut seed: u64 = 0x76_65_72_6d_69_6c_69_6f;
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < 90 {
            seed = seed.wrapping_add(GAMMA);
            table[piece][square] = splitmix(seed);
            square += 1;
        }
        piece += 1;
    }
    table
};

/// What is added to the full key when Black is to move.
const SIDE: u64 = splitmix(GAMMA);

/// The number of a man on a point, for keys of parts of a position.
#[inline]
pub fn man_key(piece: Piece, square: Square) -> u64 {
    PIECES[piece as usize][square as usize]
}

/// Hash keys of a position; equal placements have equal keys.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Keys {
    /// Every piece on its square, and the side to move.
    pub full: u64,
}

impl Keys {
    #[inline]
    pub(super) fn toggle_piece(&mut self, piece: Piece, square: Square) {
        self.full ^= PIECES[piece as usize][square as usize];
    }

    /// The full key after this man has moved, and captured the other one.
    #[inline]
    pub(super) fn full_after(self, piece: Piece, mv: Move, victim: Option<Piece>) -> u64 {
        let mut key = self.full ^ man_key(piece, mv.from()) ^ man_key(piece, mv.to()) ^ SIDE;
        if let Some(victim) = victim {
            key ^= man_key(victim, mv.to());
        }
        key
    }

    #[inline]
    pub(super) const fn toggle_side(&mut self) {
        self.full ^= SIDE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_differ() {
        let mut keys: Vec<u64> = PIECES.iter().flatten().copied().collect();
        keys.push(SIDE);
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 14 * 90 + 1);
    }
}
