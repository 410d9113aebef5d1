//! What earlier parts of the search say about moves: killers and history tables.

use bytemuck::allocation::try_zeroed_slice_box;

use super::params;
use crate::position::Position;
use crate::types::{Color, Move, Piece, PieceKind};

/// The bound of every history value.
pub(super) const LIMIT: i32 = 16_384;

/// History values in zeroed memory, as the system gives it: not touched until used.
#[derive(Default)]
struct Weights(Box<[i16]>);

impl Weights {
    fn new(count: usize) -> Option<Self> {
        try_zeroed_slice_box(count).ok().map(Self)
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }

    #[inline]
    fn get(&self, index: usize) -> i32 {
        i32::from(self.0[index])
    }

    /// Draws a value towards ±[`LIMIT`] by an amount that shrinks as it nears ("gravity"),
    /// so that it needs no clamping and forgets.
    #[inline]
    fn add(&mut self, index: usize, bonus: i32) {
        let weight = &mut self.0[index];
        let value = i32::from(*weight);
        *weight = (value + bonus - value * bonus.abs() / LIMIT) as i16;
    }
}

const SQUARES: usize = 90;
const PIECE_SQUARES: usize = Piece::COUNT * SQUARES;

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
}

/// The moves one, two and four plies ago, where there were some.
pub(super) type Context = [Option<PieceTo>; 3];

/// The history tables of one worker. The default has no tables and takes no memory.
#[derive(Default)]
pub(super) struct Histories {
    /// By side, from and to.
    quiet: Weights,
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
            capture: Weights::new(PIECE_SQUARES * PieceKind::COUNT)?,
            continuation: Weights::new(PIECE_SQUARES * PIECE_SQUARES)?,
        })
    }

    pub(super) fn clear(&mut self) {
        self.quiet.clear();
        self.capture.clear();
        self.continuation.clear();
    }

    #[inline]
    fn quiet_index(side: Color, mv: Move) -> usize {
        (side as usize * SQUARES + mv.from() as usize) * SQUARES + mv.to() as usize
    }

    #[inline]
    fn capture_index(piece: Piece, mv: Move, victim: PieceKind) -> usize {
        PieceTo::new(piece, mv).index() * PieceKind::COUNT + victim as usize
    }

    #[inline]
    fn continuation_index(earlier: PieceTo, now: PieceTo) -> usize {
        earlier.index() * PIECE_SQUARES + now.index()
    }

    /// How promising a quiet move is, within ± four times [`LIMIT`].
    #[inline]
    pub(super) fn quiet(&self, side: Color, piece: Piece, mv: Move, context: &Context) -> i32 {
        let now = PieceTo::new(piece, mv);
        let mut value = self.quiet.get(Self::quiet_index(side, mv));
        for earlier in context.iter().flatten() {
            value += self
                .continuation
                .get(Self::continuation_index(*earlier, now));
        }
        value
    }

    /// How promising a capture is beyond what it takes, within ±[`LIMIT`].
    #[inline]
    pub(super) fn capture(&self, piece: Piece, mv: Move, victim: PieceKind) -> i32 {
        self.capture.get(Self::capture_index(piece, mv, victim))
    }

    fn reward_quiet(&mut self, position: &Position, mv: Move, context: &Context, bonus: i32) {
        let Some(piece) = position.piece_on(mv.from()) else {
            return;
        };
        self.quiet
            .add(Self::quiet_index(position.side(), mv), bonus);
        let now = PieceTo::new(piece, mv);
        for earlier in context.iter().flatten() {
            self.continuation
                .add(Self::continuation_index(*earlier, now), bonus);
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
        let bonus = (params::BONUS_SLOPE * depth - params::BONUS_BASE).min(params::BONUS_MAX);
        if position.piece_on(best.to()).is_none() {
            self.reward_quiet(position, best, context, bonus);
            for &mv in quiets {
                self.reward_quiet(position, mv, context, -bonus);
            }
        } else {
            self.reward_capture(position, best, bonus);
        }
        for &mv in captures {
            self.reward_capture(position, mv, -bonus);
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
            weights.add(1, params::BONUS_MAX);
            assert!(weights.get(1) <= LIMIT);
        }
        assert!(weights.get(1) > LIMIT * 9 / 10);
        let high = weights.get(1);
        weights.add(1, -params::BONUS_MAX);
        assert!(weights.get(1) < high - params::BONUS_MAX);
        assert_eq!(weights.get(0), 0);
    }
}
