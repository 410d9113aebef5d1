//! Where each man stands, in lists that are cheaper to walk than bitboards.

use crate::types::{Color, Piece, PieceKind, Square};

/// The first slot of each kind, and the end, where nobody has more men than a set.
const SET: [u8; PieceKind::COUNT + 1] = {
    let mut first = [0; PieceKind::COUNT + 1];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        first[kind + 1] = first[kind] + PieceKind::ALL[kind].in_a_set() as u8;
        kind += 1;
    }
    first
};

/// Up to sixteen men a side, ordered by kind. A man keeps its slot for life; one that
/// is captured leaves it empty.
///
/// Sides with no more men of a kind than a set has share one layout, known at
/// compile time; other set-ups shift the borders between the kinds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    /// The square of the man in each slot.
    men: [[Option<Square>; 16]; 2],
    /// The first slot of each kind, and after the last kind the end.
    first: [[u8; PieceKind::COUNT + 1]; 2],
    /// Whether both sides have the layout of a set, [`SET`].
    is_set: bool,
    /// The slot of the man on each square; stale where there is none.
    slot_on: [u8; 90],
}

impl Default for Slots {
    /// No men, and room for those of a set.
    fn default() -> Self {
        Self {
            men: [[None; 16]; 2],
            first: [SET; 2],
            is_set: true,
            slot_on: [0; 90],
        }
    }
}

impl Slots {
    /// Room for these men, at most sixteen a side.
    pub fn with_room(men: impl Iterator<Item = Piece>) -> Self {
        let mut counts = [[0; PieceKind::COUNT]; 2];
        for piece in men {
            counts[piece.color() as usize][piece.kind() as usize] += 1;
        }
        let mut slots = Self::default();
        let of_a_set = |kind: PieceKind| counts.iter().all(|c| c[kind as usize] <= kind.in_a_set());
        slots.is_set = PieceKind::ALL.into_iter().all(of_a_set);
        if !slots.is_set {
            for (first, counts) in slots.first.iter_mut().zip(counts) {
                for (kind, count) in counts.into_iter().enumerate() {
                    first[kind + 1] = (first[kind] + count as u8).min(16);
                }
            }
        }
        slots
    }

    /// Whether the slots of each kind are those of a set.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.is_set
    }

    /// The same room without the men.
    pub fn without_men(&self) -> Self {
        Self {
            men: [[None; 16]; 2],
            ..*self
        }
    }

    /// An empty slot for a man of this kind; its last one if there is none.
    pub fn free_for(&self, piece: Piece) -> u8 {
        let (start, end) = self.range(piece.color(), piece.kind());
        let men = &self.men[piece.color() as usize];
        let free = (start..end).find(|&slot| men[slot % 16].is_none());
        free.unwrap_or(end.saturating_sub(1)) as u8
    }

    #[inline]
    fn range(&self, color: Color, kind: PieceKind) -> (usize, usize) {
        let first = &self.first[color as usize];
        (
            first[kind as usize] as usize,
            first[kind as usize + 1] as usize,
        )
    }

    /// The slot of the man on the square.
    #[inline]
    pub fn of(&self, square: Square) -> u8 {
        self.slot_on[square as usize]
    }

    #[inline]
    pub fn put(&mut self, color: Color, square: Square, slot: u8) {
        self.men[color as usize][slot as usize % 16] = Some(square);
        self.slot_on[square as usize] = slot;
    }

    #[inline]
    pub fn take(&mut self, color: Color, square: Square) -> u8 {
        let slot = self.of(square);
        self.men[color as usize][slot as usize % 16] = None;
        slot
    }

    #[inline]
    pub fn shift(&mut self, color: Color, from: Square, to: Square) {
        self.put(color, to, self.of(from));
    }

    /// The squares of all men of a side, slot by slot.
    #[inline]
    pub fn men(&self, color: Color) -> &[Option<Square>; 16] {
        &self.men[color as usize]
    }

    /// The slots of one kind, out of `men` as [`Self::men`] gives them; `IS_SET` must be
    /// what [`Self::is_set`] says, and makes the length a constant.
    #[inline(always)]
    pub fn of_kind<'a, const IS_SET: bool>(
        &self,
        men: &'a [Option<Square>; 16],
        color: Color,
        kind: PieceKind,
    ) -> &'a [Option<Square>] {
        if IS_SET {
            let start = SET[kind as usize] as usize;
            &men[start..start + kind.in_a_set()]
        } else {
            let (start, end) = self.range(color, kind);
            &men[start..end]
        }
    }

    /// Whether the same men stand on the same squares.
    pub fn same_men(&self, other: &Self) -> bool {
        self.men == other.men && self.first == other.first
    }
}
