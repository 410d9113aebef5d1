//! The hand-written evaluation: tapered material by square, mobility, safety of the generals.

use super::tables::*;
use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, File, PieceKind, Rank, Square, Value};

/// The value of the position from the view of the side to move, unbounded.
pub(super) fn evaluate(position: &Position) -> Value {
    let side = position.side();
    let mut phase = 0;
    let mut total = side_value(position, side, &mut phase);
    total -= side_value(position, !side, &mut phase);
    total += TEMPO;
    let phase = phase.min(FULL_PHASE);
    (total.middle * phase + total.end * (FULL_PHASE - phase)) / FULL_PHASE
}

/// What the men of one side make of the other's palace.
struct Attack {
    palace: Bitboard,
    pressure: i32,
    men: usize,
}

impl Attack {
    #[inline]
    fn add(&mut self, kind: PieceKind, reach: Bitboard) {
        if !(reach & self.palace).is_empty() {
            self.pressure += PRESSURE[kind as usize];
            self.men += 1;
        }
    }
}

fn side_value(position: &Position, us: Color, phase: &mut i32) -> Tapered {
    let mut value = tapered(0, 0);
    for kind in PieceKind::ALL {
        for square in position.pieces(us, kind) {
            value += square_value(kind, square.relative(us));
            *phase += PHASE[kind as usize];
        }
    }
    let mut attack = Attack {
        palace: Bitboard::palace(!us),
        pressure: 0,
        men: 0,
    };
    value += knights(position, us, &mut attack);
    value += rooks(position, us, &mut attack);
    value += cannons(position, us, &mut attack);
    for square in position.pieces(us, PieceKind::Pawn) & Bitboard::home_half(!us) {
        attack.add(PieceKind::Pawn, attacks::pawn(us, square).with(square));
    }
    value += pressure(position, us, &attack);
    if position.pieces(us, PieceKind::Advisor).more_than_one() {
        value += ADVISOR_PAIR;
    }
    if position.pieces(us, PieceKind::Bishop).more_than_one() {
        value += BISHOP_PAIR;
    }
    value
}

fn knights(position: &Position, us: Color, attack: &mut Attack) -> Tapered {
    let mut value = tapered(0, 0);
    let own = position.men(us);
    for square in position.pieces(us, PieceKind::Knight) {
        let reach = attacks::knight(square, position.occupied());
        attack.add(PieceKind::Knight, reach);
        value += KNIGHT_MOBILITY * ((reach - own).count() as i32 - KNIGHT_AVERAGE);
    }
    value
}

fn rooks(position: &Position, us: Color, attack: &mut Attack) -> Tapered {
    let mut value = tapered(0, 0);
    let king = position.king(!us);
    for square in position.pieces(us, PieceKind::Rook) {
        let cross = position.cross(square);
        let (rank, file) = (cross.rank_ray().reach(), cross.file_ray().reach());
        attack.add(PieceKind::Rook, cross.squares(rank, file));
        let reached = (rank & !cross.rank.men(us)) | (file & !cross.file.men(us)) << 16;
        value += ROOK_MOBILITY * (reached.count_ones() as i32 - ROOK_AVERAGE);
        if (square.file() as i32 - king.file() as i32).abs() <= 1 {
            value += ROOK_NEAR_KING;
        }
    }
    value
}

fn cannons(position: &Position, us: Color, attack: &mut Attack) -> Tapered {
    let mut value = tapered(0, 0);
    let king = position.king(!us);
    let guarded = position.pieces(!us, PieceKind::Advisor).more_than_one();
    for square in position.pieces(us, PieceKind::Cannon) {
        let cross = position.cross(square);
        let (rank, file) = (cross.rank_ray(), cross.file_ray());
        let quiet =
            (rank.reach() & !cross.rank.occupied()) | (file.reach() & !cross.file.occupied()) << 16;
        value += CANNON_MOBILITY * (quiet.count_ones() as i32 - CANNON_AVERAGE);
        attack.add(
            PieceKind::Cannon,
            cross.squares(rank.second(), file.second()),
        );
        if guarded {
            value += SCREENS_FOR_CANNON;
        }
        value += cannon_and_king(position, us, square, king);
    }
    value
}

/// A cannon that looks at the enemy general along its file or back rank.
#[inline]
fn cannon_and_king(position: &Position, us: Color, square: Square, king: Square) -> Tapered {
    let home = match us {
        Color::Red => Rank::R9,
        Color::Black => Rank::R0,
    };
    if square.file() == king.file() {
        let between = attacks::between(square, king) & position.occupied();
        return match between.count() {
            0 => BARE_CANNON,
            2 if square.file() == File::E => CENTRAL_CANNON,
            _ => tapered(0, 0),
        };
    }
    if square.rank() == home && king.rank() == home {
        return BOTTOM_CANNON;
    }
    tapered(0, 0)
}

fn pressure(position: &Position, us: Color, attack: &Attack) -> Tapered {
    let missing = |kind| 2 - (position.pieces(!us, kind).count() as i32).min(2);
    let shared = SHARED_PRESSURE[attack.men.min(SHARED_PRESSURE.len() - 1)];
    let open = 100
        + MISSING_ADVISOR * missing(PieceKind::Advisor)
        + MISSING_BISHOP * missing(PieceKind::Bishop);
    let value = attack.pressure * shared * open / 10_000;
    tapered(value, value / 2)
}
