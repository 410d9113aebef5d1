//! Static exchange evaluation: what a series of captures on one square wins.

use super::Position;
use crate::attacks::{self, Cross};
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square, Value};

/// What exchanges count men as, by [`PieceKind`]: centipawns, a pawn before the river.
const VALUES: [Value; PieceKind::COUNT] = [10_000, 200, 200, 450, 1_000, 500, 100];
/// What they count a pawn as that has crossed the river.
const CROSSED_PAWN: Value = 200;

/// What a man on a square counts in an exchange, in centipawns; the general more than
/// all other men together.
#[inline]
pub fn exchange_value(piece: Piece, square: Square) -> Value {
    let pawn = piece.kind() == PieceKind::Pawn;
    if pawn && !Bitboard::home_half(piece.color()).contains(square) {
        CROSSED_PAWN
    } else {
        VALUES[piece.kind() as usize]
    }
}

impl Position {
    /// Whether a pseudo-legal move and the captures that follow on its target win at least
    /// `threshold` centipawns (lose at most, if it is negative) for the side to move.
    ///
    /// Both sides capture with the least valuable man that can, and stop where that is
    /// better; of equal men the one on the lowest square goes first. Screens and legs are
    /// those of the moment. A general never captures what is protected. That a man may be
    /// pinned is not seen.
    pub fn see_ge(&self, mv: Move, threshold: Value) -> bool {
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let Some(piece) = self.piece_on(from) else {
            return false;
        };
        let won = self.piece_on(to).map_or(0, |man| exchange_value(man, to));
        let mut balance = won - threshold;
        if balance < 0 {
            return false;
        }
        // What is left over the threshold if the man on the target is lost.
        balance -= exchange_value(piece, to);
        if balance >= 0 {
            return true;
        }
        let mut exchange = Exchange {
            position: self,
            cross: self.cross(to),
            occupied: self.occupied(),
        };
        exchange.leave(piece, from);
        let mut side = !us;
        while let Some((man, square)) = exchange.next_to_capture(side) {
            exchange.leave(man, square);
            side = !side;
            balance = -balance - 1 - exchange_value(man, to);
            if balance >= 0 {
                break;
            }
        }
        side != us
    }
}

/// Where the captures on one square have come to.
struct Exchange<'a> {
    position: &'a Position,
    /// The lines through the square, without the men that have left.
    cross: Cross,
    /// The men that have not left; the square itself does not matter.
    occupied: Bitboard,
}

impl Exchange<'_> {
    /// A man leaves its place for the square.
    fn leave(&mut self, piece: Piece, from: Square) {
        self.cross.toggle(piece, from);
        self.occupied = self.occupied.without(from);
    }

    /// The least valuable man of a side that can capture, a general only what is not
    /// protected.
    fn next_to_capture(&self, side: Color) -> Option<(Piece, Square)> {
        let to = self.cross.square;
        let men = |kind| self.position.pieces(side, kind) & self.occupied;
        let found = |kind, set: Bitboard| Some((Piece::new(side, kind), set.first()?));
        let home = Bitboard::home_half(side).contains(to);
        let palace = Bitboard::palace(side).contains(to);

        let pawns = attacks::pawn_to(side, to) & men(PieceKind::Pawn);
        if !pawns.is_empty() {
            return found(PieceKind::Pawn, pawns);
        }
        let advisors = attacks::advisor(to) & men(PieceKind::Advisor);
        if palace && !advisors.is_empty() {
            return found(PieceKind::Advisor, advisors);
        }
        let bishops = men(PieceKind::Bishop);
        if home && !bishops.is_empty() && attacks::BISHOP_POINTS.contains(to) {
            let bishops = attacks::bishop(to, self.occupied) & bishops;
            if !bishops.is_empty() {
                return found(PieceKind::Bishop, bishops);
            }
        }
        let knights = attacks::knight_around(to) & men(PieceKind::Knight);
        if !knights.is_empty() {
            let knights = attacks::knight_to(to, self.occupied) & knights;
            if !knights.is_empty() {
                return found(PieceKind::Knight, knights);
            }
        }
        let sliders = self.cross.attackers(side);
        for kind in [PieceKind::Cannon, PieceKind::Rook] {
            let set = sliders & self.position.kind(kind);
            if !set.is_empty() {
                return found(kind, set);
            }
        }
        let king = attacks::king(to) & men(PieceKind::King);
        if palace && !king.is_empty() && !self.protects_from_king(!side) {
            return found(PieceKind::King, king);
        }
        None
    }

    /// Whether a side could recapture a general that captured.
    fn protects_from_king(&self, side: Color) -> bool {
        let enemy_king = self.position.king(!side);
        let mut after = Exchange { ..*self };
        after.leave(Piece::new(!side, PieceKind::King), enemy_king);
        // The general along its file is no man that captures, but it may not be faced.
        after.cross.is_attacked(side) || after.next_to_capture(side).is_some()
    }
}
