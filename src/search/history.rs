//! What earlier parts of the search say about moves: killers and history tables.

use bytemuck::allocation::try_zeroed_slice_box;

use super::params;
use crate::position::Position;
use crate::types::{Color, Move, Piece, PieceKind};

/// The bound of every history value.
pub(super) const LIMIT: i32 = 16_384;

/// History values in zeroed memory, as the system gives it: not touched until used.
#[derive(Default)]
pub(super) struct Weights(Box<[i16]>);

impl Weights {
    pub(super) fn new(count: usize) -> Option<Self> {
        try_zeroed_slice_box(count).ok().map(Self)
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> i32 {
        i32::from(self.0[index])
    }

    /// Draws a value towards ±[`LIMIT`] by an amount that shrinks as it nears ("gravity"),
    /// so that it needs no clamping and forgets.
    #[inline]
    pub(super) fn add(&mut self, index: usize, bonus: i32) {
        let weight = &mut self.0[index];
        let value = i32::from(*weight);
        *weight = (value + bonus - value * bonus.abs() / LIMIT) as i16;
    }
}

const SQUARES: usize = 90;
const PIECE_SQUARES: usize = Piece::COUNT * SQUARES;
/// Pairs of a man and a square.
pub(super) const CONTINUATIONS: usize = PIECE_SQUARES * PIECE_SQUARES;

/// A man and the square that it has moved to: the context of the next move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    #[inline]
    pub(super) fn new(piece: Piece, mv: Move) -> Self {
        Self((piece as usize * SQUARES + mv.to() as usize) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }

    /// Its place, after an earlier move, in a table of [`CONTINUATIONS`] entries.
    #[inline]
    pub(super) fn index_after(self, earlier: Self) -> usize {
        earlier.index() * PIECE_SQUARES + self.index()
    }
}

/// Where a move stands: what the histories know it by besides the move itself.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Context {
    /// The moves one, two, four and six plies ago, where there were some.
    pub(super) moves: [Option<PieceTo>; 4],
    /// Plies from the root.
    pub(super) ply: usize,
}

/// Low-ply history knows the moves of so many plies from the root.
const LOW_PLIES: usize = 4;

/// What a search of this depth adds to the history of the move that it found best.
#[inline]
pub(super) fn bonus(depth: i32) -> i32 {
    (params::bonus_slope() * depth - params::bonus_base()).min(params::bonus_max())
}

/// The history tables of one worker. The default has no tables and takes no memory.
#[derive(Default)]
pub(super) struct Histories {
    /// By side, from and to.
    quiet: Weights,
    /// By plies from the root, from and to; of one search.
    low_ply: Weights,
    /// By man, to and kind of victim.
    capture: Weights,
    /// By an earlier man and square, then man and square.
    continuation: Weights,
}

impl Histories {
    /// Empty tables; `None` if there is no memory for them.
    pub(super) fn new() -> Option<Self> {
        Some(Self {
            quiet: Weights::new(2 * SQUARES * SQUARES)?,
            low_ply: Weights::new(LOW_PLIES * SQUARES * SQUARES)?,
            capture: Weights::new(PIECE_SQUARES * PieceKind::COUNT)?,
            continuation: Weights::new(CONTINUATIONS)?,
        })
    }

    /// Forgets what was learnt of the moves near the root of the last search.
    pub(super) fn begin(&mut self) {
        self.low_ply.clear();
    }

    pub(super) fn clear(&mut self) {
        self.begin();
        self.quiet.clear();
        self.capture.clear();
        self.continuation.clear();
    }

    /// By side or ply, then from and to.
    #[inline]
    fn from_to_index(first: usize, mv: Move) -> usize {
        (first * SQUARES + mv.from() as usize) * SQUARES + mv.to() as usize
    }

    #[inline]
    fn capture_index(piece: Piece, mv: Move, victim: PieceKind) -> usize {
        PieceTo::new(piece, mv).index() * PieceKind::COUNT + victim as usize
    }

    /// How promising a quiet move is, within ± five times [`LIMIT`].
    #[inline]
    pub(super) fn quiet(&self, side: Color, piece: Piece, mv: Move, context: &Context) -> i32 {
        let now = PieceTo::new(piece, mv);
        let mut value = self.quiet.get(Self::from_to_index(side as usize, mv));
        for earlier in context.moves.iter().flatten() {
            value += self.continuation.get(now.index_after(*earlier));
        }
        if context.ply < LOW_PLIES {
            let low = self.low_ply.get(Self::from_to_index(context.ply, mv));
            value += low * params::low_ply_weight() / (100 + 100 * context.ply as i32);
        }
        value
    }

    /// How promising a capture is beyond what it takes, within ±[`LIMIT`].
    #[inline]
    pub(super) fn capture(&self, piece: Piece, mv: Move, victim: PieceKind) -> i32 {
        self.capture.get(Self::capture_index(piece, mv, victim))
    }

    /// Learns how good a quiet move is here.
    pub(super) fn reward_quiet(
        &mut self,
        position: &Position,
        mv: Move,
        context: &Context,
        bonus: i32,
    ) {
        let Some(piece) = position.piece_on(mv.from()) else {
            return;
        };
        self.reward_from_to(position.side(), mv, bonus);
        if context.ply < LOW_PLIES {
            self.low_ply
                .add(Self::from_to_index(context.ply, mv), bonus);
        }
        self.reward_continuation(PieceTo::new(piece, mv), context, bonus);
    }

    /// Learns how good a quiet move is, wherever it is played.
    pub(super) fn reward_from_to(&mut self, side: Color, mv: Move, bonus: i32) {
        self.quiet
            .add(Self::from_to_index(side as usize, mv), bonus);
    }

    /// Learns how good a quiet move is after the moves before it.
    pub(super) fn reward_continuation(&mut self, now: PieceTo, context: &Context, bonus: i32) {
        for (index, earlier) in context.moves.iter().enumerate() {
            let Some(earlier) = *earlier else {
                continue;
            };
            let bonus = if index < 2 {
                bonus
            } else {
                bonus * params::bonus_far() / 100
            };
            self.continuation.add(now.index_after(earlier), bonus);
        }
    }

    fn reward_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        if let (Some(piece), Some(victim)) =
            (position.piece_on(mv.from()), position.piece_on(mv.to()))
        {
            self.capture
                .add(Self::capture_index(piece, mv, victim.kind()), bonus);
        }
    }

    /// Learns that `best` refuted the position and that the others, searched before, did not.
    pub(super) fn learn(
        &mut self,
        position: &Position,
        best: Move,
        context: &Context,
        depth: i32,
        quiets: &[Move],
        captures: &[Move],
    ) {
        let bonus = bonus(depth);
        let malus = bonus * params::bonus_malus() / 100;
        if position.piece_on(best.to()).is_none() {
            self.reward_quiet(position, best, context, bonus);
            for &mv in quiets {
                self.reward_quiet(position, mv, context, -malus);
            }
        } else {
            self.reward_capture(position, best, bonus);
        }
        for &mv in captures {
            self.reward_capture(position, mv, -malus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_stay_within_their_limit_and_forget() {
        let mut weights = Weights::new(2).expect("four bytes");
        for _ in 0..1000 {
            weights.add(1, params::bonus_max());
            assert!(weights.get(1) <= LIMIT);
        }
        assert!(weights.get(1) > LIMIT * 9 / 10);
        let high = weights.get(1);
        weights.add(1, -params::bonus_max());
        assert!(weights.get(1) < high - params::bonus_max());
        assert_eq!(weights.get(0), 0);
    }
}
