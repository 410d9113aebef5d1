//! Why a move is illegal, in words.

use std::fmt;

use super::Position;
use crate::attacks;
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square};

/// Why a move is illegal. `Display` says it as a part of a sentence, without the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalMove {
    /// Nothing stands where the move starts.
    NoPiece(Square),
    /// The man that would move belongs to the other side.
    NotYours(Piece, Square),
    /// A man of the side to move stands on the target.
    OwnPiece(PieceKind, Square),
    /// The kind of man never moves that way.
    NotItsMove(PieceKind),
    /// The point beside the horse that it would move past is occupied.
    LegBlocked(Square),
    /// The point that the elephant would move over is occupied.
    EyeBlocked(Square),
    /// An elephant would leave its half of the board.
    CrossesRiver,
    /// A general or advisor would leave its palace.
    LeavesPalace(PieceKind),
    /// A pawn would go back.
    PawnBack,
    /// A pawn would go sideways before it has crossed the river.
    PawnSideways,
    /// A rook, or a cannon that does not capture, would pass a man.
    WayBlocked {
        /// What would move.
        kind: PieceKind,
        /// The first man in the way.
        blocker: Piece,
        /// Where it stands.
        square: Square,
    },
    /// A cannon would capture without a screen.
    NoScreen,
    /// A cannon would capture over more than one man; how many.
    ManyScreens(u32),
    /// The generals would face each other.
    KingsFacing,
    /// The general would be attacked after the move.
    IntoCheck {
        /// Where the general would stand.
        king: Square,
        /// What would attack it.
        checker: PieceKind,
        /// Where the attacker stands.
        from: Square,
    },
    /// The general is attacked and would still be attacked by the same man.
    CheckUnanswered {
        /// What attacks it.
        checker: PieceKind,
        /// Where the attacker stands.
        from: Square,
    },
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoPiece(square) => write!(f, "there is no piece on {square}"),
            Self::NotYours(piece, square) => {
                write!(f, "the {piece} on {square} is not your piece")
            }
            Self::OwnPiece(kind, square) => write!(f, "your own {kind} stands on {square}"),
            Self::NotItsMove(kind) => {
                let article = match kind {
                    PieceKind::Advisor | PieceKind::Bishop => "an",
                    _ => "a",
                };
                write!(f, "{article} {kind} does not move like that")
            }
            Self::LegBlocked(leg) => write!(f, "the horse's leg on {leg} is blocked"),
            Self::EyeBlocked(eye) => write!(f, "the elephant's eye on {eye} is blocked"),
            Self::CrossesRiver => f.write_str("an elephant may not cross the river"),
            Self::LeavesPalace(kind) => write!(f, "the {kind} may not leave its palace"),
            Self::PawnBack => f.write_str("a pawn may not go back"),
            Self::PawnSideways => {
                f.write_str("a pawn may not go sideways before it has crossed the river")
            }
            Self::WayBlocked {
                kind,
                blocker,
                square,
            } => write!(
                f,
                "the {kind}'s way is blocked by the {blocker} on {square}"
            ),
            Self::NoScreen => f.write_str("the cannon has no screen to capture over"),
            Self::ManyScreens(2) => f.write_str("the cannon has two screens instead of one"),
            Self::ManyScreens(count) => {
                write!(f, "the cannon has {count} screens instead of one")
            }
            Self::KingsFacing => f.write_str("the generals would face each other"),
            Self::IntoCheck {
                king,
                checker,
                from,
            } => write!(
                f,
                "your general on {king} would be in check from the {checker} on {from}"
            ),
            Self::CheckUnanswered { checker, from } => write!(
                f,
                "you are in check from the {checker} on {from} and this does not answer it"
            ),
        }
    }
}

impl std::error::Error for IllegalMove {}

impl Position {
    /// Why the move is illegal, `None` if it is legal.
    pub fn explain_illegal(&self, mv: Move) -> Option<IllegalMove> {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else {
            return Some(IllegalMove::NoPiece(from));
        };
        if piece.color() != self.side {
            return Some(IllegalMove::NotYours(piece, from));
        }
        if let Some(own) = self.piece_on(to).filter(|man| man.color() == self.side) {
            return Some(IllegalMove::OwnPiece(own.kind(), to));
        }
        self.against_movement(piece, mv)
            .or_else(|| self.against_safety(mv))
    }

    /// What is wrong with how the man moves.
    fn against_movement(&self, piece: Piece, mv: Move) -> Option<IllegalMove> {
        let (from, to, us) = (mv.from(), mv.to(), self.side);
        let kind = piece.kind();
        let files = to.file() as i32 - from.file() as i32;
        let ranks = to.rank() as i32 - from.rank() as i32;
        let forward = match us {
            Color::Red => 1,
            Color::Black => -1,
        };
        let shape = (files.abs(), ranks.abs());
        let blocked = |square: Square| self.piece_on(square).is_some();
        match (kind, shape) {
            (PieceKind::King, (0, 1) | (1, 0)) | (PieceKind::Advisor, (1, 1)) => {
                let leaves = !Bitboard::palace(us).contains(to);
                leaves.then_some(IllegalMove::LeavesPalace(kind))
            }
            (PieceKind::Bishop, (2, 2)) if !Bitboard::home_half(us).contains(to) => {
                Some(IllegalMove::CrossesRiver)
            }
            (PieceKind::Bishop, (2, 2)) => from
                .offset(files / 2, ranks / 2)
                .filter(|&eye| blocked(eye))
                .map(IllegalMove::EyeBlocked),
            (PieceKind::Knight, (1, 2) | (2, 1)) => attacks::knight_leg(from, to)
                .filter(|&leg| blocked(leg))
                .map(IllegalMove::LegBlocked),
            (PieceKind::Rook | PieceKind::Cannon, (0, _) | (_, 0)) => {
                self.against_line(kind, from, to)
            }
            (PieceKind::Pawn, (0, 1)) => (ranks != forward).then_some(IllegalMove::PawnBack),
            (PieceKind::Pawn, (1, 0)) => {
                let home = Bitboard::home_half(us).contains(from);
                home.then_some(IllegalMove::PawnSideways)
            }
            _ => Some(IllegalMove::NotItsMove(kind)),
        }
    }

    /// What is wrong with the way of a rook or cannon along a line.
    fn against_line(&self, kind: PieceKind, from: Square, to: Square) -> Option<IllegalMove> {
        let between = attacks::between(from, to) & self.occupied();
        if kind == PieceKind::Cannon && self.piece_on(to).is_some() {
            return match between.count() {
                0 => Some(IllegalMove::NoScreen),
                1 => None,
                count => Some(IllegalMove::ManyScreens(count)),
            };
        }
        let square = if from < to {
            between.first()
        } else {
            between.into_iter().last()
        }?;
        self.piece_on(square)
            .map(|blocker| IllegalMove::WayBlocked {
                kind,
                blocker,
                square,
            })
    }

    /// What attacks the general after a move that is right in every other way.
    fn against_safety(&self, mv: Move) -> Option<IllegalMove> {
        let us = self.side;
        let mut after = self.clone_recent(0);
        after.make(mv);
        let checkers = after.checkers_of(us);
        let still = checkers & self.checkers();
        let from = still.first().or(checkers.first())?;
        let checker = after.piece_on(from)?.kind();
        Some(if checker == PieceKind::King {
            IllegalMove::KingsFacing
        } else if !still.is_empty() {
            IllegalMove::CheckUnanswered { checker, from }
        } else {
            IllegalMove::IntoCheck {
                king: after.king(us),
                checker,
                from,
            }
        })
    }
}
