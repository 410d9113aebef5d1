//! Endings set up at random.

use crate::attacks::{ADVISOR_POINTS, BISHOP_POINTS, leapers::pawn_reach};
use crate::position::{Position, Setup};
use crate::tools::random::Rng;
use crate::types::{Bitboard, Color, Piece, PieceKind, Square};

/// The attackers of one side are drawn from these, as often as they stand here.
const ATTACKERS: [PieceKind; 10] = [
    PieceKind::Rook,
    PieceKind::Rook,
    PieceKind::Knight,
    PieceKind::Knight,
    PieceKind::Cannon,
    PieceKind::Cannon,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
];
/// The most attackers of a side.
const MOST_ATTACKERS: usize = 4;

/// A position with up to four attackers and up to two advisors and elephants on each side;
/// `None` if what was drawn is not playable, or the side to move is in check or cannot move.
pub(super) fn random_ending(rng: &mut Rng) -> Option<Position> {
    let mut setup = Setup {
        board: [None; Square::COUNT],
        side: Color::ALL[rng.below(2)],
        halfmoves: 0,
        fullmoves: 1,
    };
    for color in Color::ALL {
        for kind in army(rng) {
            place(&mut setup, Piece::new(color, kind), rng)?;
        }
    }
    let position = Position::try_from(&setup).ok()?;
    let quiet = !position.in_check() && !position.has_no_moves();
    (quiet
        && Color::ALL
            .iter()
            .any(|&color| position.has_attackers(color)))
    .then_some(position)
}

/// The men of one side.
fn army(rng: &mut Rng) -> Vec<PieceKind> {
    let mut men = vec![PieceKind::King];
    for defender in [PieceKind::Advisor, PieceKind::Bishop] {
        men.extend(std::iter::repeat_n(defender, rng.below(3)));
    }
    let mut left = ATTACKERS.to_vec();
    for _ in 0..rng.below(MOST_ATTACKERS + 1) {
        men.push(left.swap_remove(rng.below(left.len())));
    }
    men
}

/// Puts the man on a random free point where it may stand; `None` if there is none.
fn place(setup: &mut Setup, piece: Piece, rng: &mut Rng) -> Option<()> {
    let color = piece.color();
    let points = match piece.kind() {
        PieceKind::King => Bitboard::palace(color),
        PieceKind::Advisor => ADVISOR_POINTS & Bitboard::home_half(color),
        PieceKind::Bishop => BISHOP_POINTS & Bitboard::home_half(color),
        PieceKind::Pawn => pawn_reach(color),
        PieceKind::Knight | PieceKind::Rook | PieceKind::Cannon => Bitboard::ALL,
    };
    let free: Vec<Square> = points
        .into_iter()
        .filter(|square| setup.board[square.index()].is_none())
        .collect();
    let square = *free.get(rng.below(free.len()))?;
    setup.board[square.index()] = Some(piece);
    Some(())
}
