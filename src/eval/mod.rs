//! What a position is worth without searching.

mod classical;
mod tables;

use crate::position::Position;
use crate::types::{DRAW, MAX_EVAL, Value};

/// The static value of a position from the view of the side to move, within
/// ±[`MAX_EVAL`]. A board on which neither side can attack is a draw.
pub fn evaluate(position: &Position) -> Value {
    let side = position.side();
    let (ours, theirs) = (position.has_attackers(side), position.has_attackers(!side));
    if !ours && !theirs {
        return DRAW;
    }
    let value = classical::evaluate(position);
    // Who is ahead wins nothing without a man that can attack.
    let winner_attacks = if value > 0 { ours } else { theirs };
    let value = if winner_attacks { value } else { value / 8 };
    value.clamp(-MAX_EVAL, MAX_EVAL)
}

#[cfg(test)]
mod tests {
    use super::*;
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

    #[test]
    fn mirror_images_and_swapped_colours_are_worth_the_same() {
        let mut positions = 0;
        for seed in 0..40 {
            for position in walk(seed) {
                let value = evaluate(&position);
                for (mirror, swap) in [(true, false), (false, true), (true, true)] {
                    let other = transform(&position, mirror, swap);
                    assert_eq!(evaluate(&other), value, "{mirror} {swap}");
                }
                positions += 1;
            }
        }
        assert!(positions > 500);
    }

    #[test]
    fn the_start_position_is_nearly_level() {
        assert!(evaluate(&Position::startpos()).abs() < 60);
    }
}
