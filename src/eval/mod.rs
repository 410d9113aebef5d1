//! What a position is worth without searching.

mod classical;
mod evaluator;
mod tables;
mod wdl;

pub use evaluator::{Evaluation, Evaluator};
pub use wdl::win_draw_loss;

use crate::position::Position;
use crate::types::{DRAW, MAX_EVAL, Value};

/// The static value of a position from the view of the side to move, within
/// ±[`MAX_EVAL`]. A board on which neither side can attack is a draw.
pub fn evaluate(position: &Position, evaluation: &Evaluation) -> Value {
    let mut evaluator = Evaluator::default();
    evaluator.begin(evaluation, position);
    evaluator.evaluate(position)
}

/// What an evaluation says, corrected by what is certain.
#[inline]
fn judged(position: &Position, evaluate: impl FnOnce(&Position) -> Value) -> Value {
    let side = position.side();
    let (ours, theirs) = (position.has_attackers(side), position.has_attackers(!side));
    if !ours && !theirs {
        return DRAW;
    }
    let value = evaluate(position);
    // Who is ahead wins nothing without a man that can attack.
    let winner_attacks = if value > 0 { ours } else { theirs };
    let value = if winner_attacks { value } else { value / 8 };
    value.clamp(-MAX_EVAL, MAX_EVAL)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::nnue::{HIDDEN, INPUTS, Network, Output, QA, QB, sample::random_network};
    use crate::position::Setup;
    use crate::types::{MoveList, Piece, Square};

    /// Positions of a random walk from the start position, every third of them.
    fn walk(seed: u64) -> Vec<Position> {
        let mut position = Position::startpos();
        let mut random = seed;
        let mut seen = Vec::new();
        for ply in 0..150 {
            let mut list = MoveList::new();
            position.legal_moves(&mut list);
            if list.is_empty() {
                break;
            }
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let Some(mv) = list.get((random >> 33) as usize % list.len()) else {
                break;
            };
            position.make(mv);
            if ply % 3 == 0 {
                seen.push(position.clone());
            }
        }
        seen
    }

    /// A net that says the same of every position, from the view of the side to move.
    fn always(centipawns: i32) -> Network {
        let output = Output {
            weights: [[0; HIDDEN]; 2],
            bias: centipawns / 100 * QA * QA * QB,
        };
        let weights = vec![[0; HIDDEN]; INPUTS].into();
        Network::new(weights, [0; HIDDEN], vec![output], 100).expect("a valid net")
    }

    /// The position with its board mirrored left to right, its colours swapped, or both.
    fn transform(position: &Position, mirror: bool, swap: bool) -> Position {
        let mut setup = Setup {
            board: [None; 90],
            side: if swap {
                !position.side()
            } else {
                position.side()
            },
            halfmoves: 0,
            fullmoves: 1,
        };
        for square in Square::ALL {
            let to = if mirror { square.mirror() } else { square };
            let to = if swap { to.flip() } else { to };
            setup.board[to.index()] = position.piece_on(square).map(|piece| {
                let color = if swap { !piece.color() } else { piece.color() };
                Piece::new(color, piece.kind())
            });
        }
        Position::try_from(&setup).expect("a mirrored position is a position")
    }

    /// Counts the positions of walks whose images are all worth the same.
    fn check_images(evaluation: &Evaluation, images: &[(bool, bool)]) {
        let mut positions = 0;
        for seed in 0..40 {
            for position in walk(seed) {
                let value = evaluate(&position, evaluation);
                for &(mirror, swap) in images {
                    let other = transform(&position, mirror, swap);
                    assert_eq!(evaluate(&other, evaluation), value, "{mirror} {swap}");
                }
                positions += 1;
            }
        }
        assert!(positions > 500);
    }

    #[test]
    fn mirror_images_and_swapped_colours_are_worth_the_same() {
        let images = [(true, false), (false, true), (true, true)];
        check_images(&Evaluation::Classical, &images);
    }

    #[test]
    fn swapped_colours_are_worth_the_same_to_any_net() {
        for buckets in [1, 8] {
            let network = random_network(buckets as u64, buckets);
            check_images(&Evaluation::net(Arc::new(network)), &[(false, true)]);
        }
    }

    #[test]
    fn a_net_does_not_overrule_what_is_certain() {
        let evaluation = Evaluation::net(Arc::new(random_network(3, 1)));
        let value = |fen: &str| {
            let position: Position = fen.parse().expect("a position");
            evaluate(&position, &evaluation)
        };
        assert_eq!(value("3k1a3/9/9/9/9/9/9/9/9/2B1K4 w"), DRAW);
        let network = Evaluation::net(Arc::new(always(2_000)));
        let winner = |fen: &str| {
            let position: Position = fen.parse().expect("a position");
            evaluate(&position, &network)
        };
        assert_eq!(winner("3k1a3/9/9/9/9/9/9/9/R8/2B1K4 w"), 2_000);
        assert_eq!(winner("3k1a3/9/9/9/9/9/9/9/R8/2B1K4 b"), 250);
    }

    #[test]
    fn the_start_position_is_nearly_level() {
        assert!(evaluate(&Position::startpos(), &Evaluation::Classical).abs() < 60);
    }
}
