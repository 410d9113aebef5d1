//! What a chase is: which men a side attacks, and which of these attacks the rules count.

use smallvec::SmallVec;

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Piece, PieceKind, Square};

/// One man that could take another if it were its side's turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attack {
    /// Where the attacker stands.
    pub from: Square,
    /// Where the man it attacks stands.
    pub to: Square,
    /// What the rules make of it.
    pub nature: Nature,
}

/// What the rules make of an attack. Only [`Self::is_chase`] tells whether it counts.
///
/// Numbers are those of the detail rules of the Asian manual (AXF/WXF).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nature {
    /// A general or a pawn attacks, which it may do for ever (28, 29).
    ByGeneralOrPawn,
    /// A pawn that has not crossed the river may be attacked for ever.
    UncrossedPawn,
    /// The capture would expose the attacker's general to the man on this square.
    AttackerPinned(Square),
    /// The man is protected by the man on this square (35).
    Protected(Square),
    /// The man is of the attacker's kind and can take it instead: an offer to exchange.
    Exchange,
    /// Nothing can take back, or only men that may not.
    Unprotected,
    /// The man is stronger than its attacker, so that no protection makes up for it: a
    /// rook attacked by a horse or cannon (15, 16), a rook, horse or cannon attacked by
    /// an advisor or elephant.
    Stronger,
}

impl Nature {
    /// Whether the attack is one that may not be made for ever.
    pub const fn is_chase(self) -> bool {
        matches!(self, Self::Unprotected | Self::Stronger)
    }
}

/// A protector that may not take back, and what would then attack its general.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FalseRoot {
    /// Where the protector stands.
    pub protector: Square,
    /// Where the man stands that would attack its general.
    pub exposed_to: Square,
}

/// Whether protection never makes up for an attack of the one kind on the other.
const fn is_stronger(victim: PieceKind, attacker: PieceKind) -> bool {
    use PieceKind::{Advisor, Bishop, Cannon, Knight, Rook};
    match attacker {
        Knight | Cannon => matches!(victim, Rook),
        Advisor | Bishop => matches!(victim, Rook | Knight | Cannon),
        _ => false,
    }
}

/// The kinds of men whose attacks can be chases.
const CHASERS: [PieceKind; 5] = [
    PieceKind::Rook,
    PieceKind::Cannon,
    PieceKind::Knight,
    PieceKind::Advisor,
    PieceKind::Bishop,
];

/// How a rule set looks at attacks.
#[derive(Clone, Copy)]
pub(super) struct Referee {
    /// Whether [`Nature::Stronger`] exists.
    pub strength_counts: bool,
    /// Whether an attack that the other side does not answer is no chase: the man neither
    /// leaves nor gets protected nor is shielded (the manual's definition of a perpetual
    /// chase, and its example of a non-perpetual one).
    pub must_be_answered: bool,
}

impl Referee {
    /// The chases among the attacks of `side` on the men on `victims`, by men that are
    /// neither general nor pawn.
    pub fn chases(
        self,
        position: &Position,
        side: Color,
        victims: Bitboard,
    ) -> SmallVec<[(Square, Square); 8]> {
        let mut found = SmallVec::new();
        for kind in CHASERS {
            let piece = Piece::new(side, kind);
            for from in position.pieces(side, kind) {
                for to in position.reach(piece, from) & victims {
                    if self
                        .nature(position, from, to)
                        .is_some_and(Nature::is_chase)
                    {
                        found.push((from, to));
                    }
                }
            }
        }
        found
    }

    /// Every attack of `side` on an enemy man other than the general.
    pub fn attacks(self, position: &Position, side: Color) -> Vec<Attack> {
        let mut found = Vec::new();
        let victims = position.men(!side).without(position.king(!side));
        for from in position.men(side) {
            let Some(piece) = position.piece_on(from) else {
                continue;
            };
            for to in position.reach(piece, from) & victims {
                if let Some(nature) = self.nature(position, from, to) {
                    found.push(Attack { from, to, nature });
                }
            }
        }
        found
    }

    /// Whether the man on `from` attacks the man on `to`, and the attack is a chase.
    pub fn is_chase(self, position: &Position, from: Square, to: Square) -> bool {
        position
            .piece_on(from)
            .is_some_and(|piece| position.reach(piece, from).contains(to))
            && self
                .nature(position, from, to)
                .is_some_and(Nature::is_chase)
    }

    /// What the attack of the man on `from`, which reaches it, on the enemy man on `to` is;
    /// `None` if one of them is not there.
    ///
    /// A check that stands already, on either side, is left aside: whether it is answered
    /// is another matter than whether a man is attacked or protected.
    pub fn nature(self, position: &Position, from: Square, to: Square) -> Option<Nature> {
        let attacker = position.piece_on(from)?;
        let victim = position.piece_on(to)?;
        let taken = Taken::first(position, attacker, from, to);
        let nature = if matches!(attacker.kind(), PieceKind::King | PieceKind::Pawn) {
            Nature::ByGeneralOrPawn
        } else if is_uncrossed(victim, to) {
            Nature::UncrossedPawn
        } else if let Some(pinner) = taken.exposes(attacker) {
            Nature::AttackerPinned(pinner)
        } else if self.strength_counts && is_stronger(victim.kind(), attacker.kind()) {
            Nature::Stronger
        } else if let Some(protector) = taken.protector(victim.color()) {
            Nature::Protected(protector)
        } else if attacker.kind() == victim.kind() && can_take(position, victim, to, from) {
            Nature::Exchange
        } else {
            Nature::Unprotected
        };
        Some(nature)
    }
}

/// The men that seem to protect the man on `to` from the man on `from` but may not take back.
pub(super) fn false_roots(position: &Position, from: Square, to: Square) -> Vec<FalseRoot> {
    let (Some(attacker), Some(victim)) = (position.piece_on(from), position.piece_on(to)) else {
        return Vec::new();
    };
    let taken = Taken::first(position, attacker, from, to);
    let roots = taken.takers(victim.color()).into_iter();
    roots
        .filter_map(|protector| {
            let piece = position.piece_on(protector)?;
            let exposed_to = taken.again(piece, protector).exposes(piece)?;
            Some(FalseRoot {
                protector,
                exposed_to,
            })
        })
        .collect()
}

/// Whether a rook on `square` is held by an enemy horse: it stands on the leg from which
/// the horse would check its general, so that it may not leave.
pub(super) fn is_held_by_knight(position: &Position, square: Square) -> bool {
    let Some(rook) = position.piece_on(square) else {
        return false;
    };
    let king = position.king(rook.color());
    let knights = position.pieces(!rook.color(), PieceKind::Knight) & attacks::knight_around(king);
    rook.kind() == PieceKind::Rook
        && knights
            .into_iter()
            .any(|knight| attacks::knight_leg(knight, king) == Some(square))
}

/// Whether this is a pawn that still stands on its own side of the river.
fn is_uncrossed(piece: Piece, square: Square) -> bool {
    piece.kind() == PieceKind::Pawn && Bitboard::home_half(piece.color()).contains(square)
}

/// Whether the man on `from` may take on `to` as far as its movement and the safety of
/// its general say.
fn can_take(position: &Position, piece: Piece, from: Square, to: Square) -> bool {
    position.reach(piece, from).contains(to)
        && Taken::first(position, piece, from, to)
            .exposes(piece)
            .is_none()
}

/// A position after one or two captures on one point that nobody has made.
#[derive(Clone, Copy)]
struct Taken<'a> {
    position: &'a Position,
    /// Where the captures were made.
    at: Square,
    /// The man that stands there now.
    holder: Piece,
    /// Where the men that captured came from.
    vacated: Bitboard,
}

impl<'a> Taken<'a> {
    /// The man on `from` takes on `at`.
    fn first(position: &'a Position, holder: Piece, from: Square, at: Square) -> Self {
        Self {
            position,
            at,
            holder,
            vacated: Bitboard::square(from),
        }
    }

    /// The man on `from` takes back.
    fn again(self, holder: Piece, from: Square) -> Self {
        Self {
            holder,
            vacated: self.vacated.with(from),
            ..self
        }
    }

    /// The men of one kind and side.
    fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        let set = self.position.pieces(color, kind) - self.vacated;
        if self.holder == Piece::new(color, kind) {
            set.with(self.at)
        } else {
            set.without(self.at)
        }
    }

    /// The rooks, cannons, horses and pawns of `color` that attack the square, and its
    /// general along an open file.
    fn hitters(&self, square: Square, color: Color) -> Bitboard {
        let mut cross = self.position.cross(square);
        for gone in self.vacated.with(self.at) {
            if let Some(piece) = self.position.piece_on(gone) {
                cross.toggle(piece, gone);
            }
        }
        cross.toggle(self.holder, self.at);
        let occupied = self.position.occupied() - self.vacated;
        cross.attackers(color)
            | attacks::knight_to(square, occupied) & self.pieces(color, PieceKind::Knight)
            | attacks::pawn_to(color, square) & self.pieces(color, PieceKind::Pawn)
    }

    /// The man, if any, to which `mover`, who has just captured, has exposed its general.
    fn exposes(&self, mover: Piece) -> Option<Square> {
        let us = mover.color();
        if mover.kind() == PieceKind::King {
            return self.hitters(self.at, !us).first();
        }
        let standing = if self.position.side() == us {
            self.position.checkers()
        } else {
            Bitboard::EMPTY
        };
        let king = self.position.king(us);
        (self.hitters(king, !us) - standing).first()
    }

    /// The men of `color` that could take the holder, the safety of their general aside.
    fn takers(&self, color: Color) -> Bitboard {
        let (at, king) = (self.at, self.position.king(color));
        let mut set = self.hitters(at, color).without(king);
        if attacks::king(king).contains(at) {
            set = set.with(king);
        }
        if attacks::ADVISOR_POINTS.contains(at) {
            set |= attacks::advisor(at) & self.pieces(color, PieceKind::Advisor);
        }
        if attacks::BISHOP_POINTS.contains(at) {
            let occupied = self.position.occupied() - self.vacated;
            set |= attacks::bishop(at, occupied) & self.pieces(color, PieceKind::Bishop);
        }
        set
    }

    /// A man of `color` that may take the holder.
    fn protector(&self, color: Color) -> Option<Square> {
        self.takers(color).into_iter().find(|&from| {
            self.position
                .piece_on(from)
                .is_some_and(|piece| self.again(piece, from).exposes(piece).is_none())
        })
    }
}
