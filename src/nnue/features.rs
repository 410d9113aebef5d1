//! What the net sees: one input for each piece on each square, from both sides' view.

use crate::types::{Color, Piece, PieceKind, Square};

/// Inputs per perspective: own and enemy men, 7 kinds, 90 squares.
pub const INPUTS: usize = 2 * OWNER_STRIDE;
/// From the inputs for own men to those for enemy men.
const OWNER_STRIDE: usize = PieceKind::COUNT * Square::COUNT;

/// The input that the man on the square sets, as the side `perspective` sees the board,
/// below [`INPUTS`]: own men before enemy men, then by kind, then by square with the
/// ranks counted from that side.
#[inline]
pub fn feature(perspective: Color, piece: Piece, square: Square) -> usize {
    let owner = usize::from(piece.color() != perspective) * OWNER_STRIDE;
    owner + piece.kind().index() * Square::COUNT + square.relative(perspective).index()
}

/// Which of `buckets` output neurons values a position with so many men, both generals
/// included.
#[inline]
pub fn bucket(men: usize, buckets: usize) -> usize {
    men.saturating_sub(1).min(31) * buckets / 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_man_on_every_square_has_an_input_of_its_own() {
        for perspective in Color::ALL {
            let mut seen = [false; INPUTS];
            for piece in Piece::ALL {
                for square in Square::ALL {
                    let input = feature(perspective, piece, square);
                    assert!(!std::mem::replace(&mut seen[input], true));
                }
            }
            assert!(seen.into_iter().all(|seen| seen));
        }
    }

    #[test]
    fn each_side_sees_its_own_men_first_and_from_below() {
        let rook = |color| Piece::new(color, PieceKind::Rook);
        for color in Color::ALL {
            let square = Square::A0.relative(color);
            assert_eq!(feature(color, rook(color), square), 4 * 90);
            assert_eq!(feature(color, rook(!color), square), 630 + 4 * 90);
        }
        assert_eq!(feature(Color::Red, Piece::BlackPawn, Square::I9), 1259);
    }

    #[test]
    fn buckets_are_filled_evenly_from_few_men_to_many() {
        for buckets in 1..=8 {
            let of = |men| bucket(men, buckets);
            assert_eq!((of(2), of(32), of(40)), (0, buckets - 1, buckets - 1));
            assert!((1..32).all(|men| of(men + 1) - of(men) <= 1));
        }
        assert_eq!((bucket(16, 2), bucket(17, 2)), (0, 1));
    }
}
