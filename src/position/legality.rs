//! What is legal, worked out once per position from the lines and legs of the general.
//!
//! Along each of the four rays from the general only the first three men matter: one
//! move takes away at most one of them or adds one. The constraints that follow are a
//! conjunction of target sets; no move is tried to see whether it is legal.

use smallvec::SmallVec;

use super::Position;
use crate::attacks::{self, Cross};
use crate::types::{Bitboard, Color, Move, Piece, PieceKind, Square};

/// Which moves of the side to move leave its general safe.
#[derive(Clone, Debug)]
pub struct Legality {
    /// Where a man that no entry of `bound` names may go: points that are not its own
    /// side's, answer every check and open no line to a cannon.
    pub(super) targets: Bitboard,
    /// The men that hold a line or leg, and so have target sets of their own.
    pub(super) bound_men: Bitboard,
    /// Their own target sets; a man may have several, all of which it obeys.
    pub(super) bound: SmallVec<[(Square, Bitboard); 4]>,
}

impl Legality {
    /// Where a man other than the general may go, as far as the general's safety says.
    #[inline]
    pub fn targets_from(&self, from: Square) -> Bitboard {
        if self.bound_men.contains(from) {
            self.bound_targets(from)
        } else {
            self.targets
        }
    }

    /// Each entry of a bound man already obeys `targets`, except where it is a screen that
    /// answers its own check.
    pub(super) fn bound_targets(&self, from: Square) -> Bitboard {
        self.bound
            .iter()
            .filter(|(man, _)| *man == from)
            .fold(Bitboard::ALL, |set, (_, targets)| set & *targets)
    }
}

/// A check: the target set that answers it and, where our own man is a cannon's screen, that
/// man with what it may do besides.
type Check = (Bitboard, Option<(Square, Bitboard)>);

/// What is collected along the rays before it is put together.
struct Findings {
    checks: SmallVec<[Check; 2]>,
    pins: SmallVec<[(Square, Bitboard); 4]>,
}

impl Position {
    /// Works out what is legal here.
    #[inline]
    pub fn legality(&self) -> Legality {
        if self.state.held || self.in_check() {
            return self.restrictions();
        }
        Legality {
            targets: self.open_targets(),
            bound_men: Bitboard::EMPTY,
            bound: SmallVec::new(),
        }
    }

    /// Where men may go as far as own men and cannons without a screen say.
    #[inline(always)]
    pub(super) fn open_targets(&self) -> Bitboard {
        let targets = !self.men(self.side);
        let (on_rank, on_file) = self.state.closed;
        if on_rank | on_file == 0 {
            return targets;
        }
        let cross = self.cross(self.king(self.side));
        targets - cross.squares(on_rank.into(), on_file.into())
    }

    /// Takes checks and bound men into account.
    #[inline(never)]
    pub(super) fn restrictions(&self) -> Legality {
        let (us, enemy) = (self.side, !self.side);
        let cross = self.cross(self.king(us));
        let mut found = Findings {
            checks: SmallVec::new(),
            pins: SmallVec::new(),
        };
        self.look_along(&cross, Axis::Rank, &mut found);
        self.look_along(&cross, Axis::File, &mut found);
        self.look_at_legs(cross.square, &mut found);
        for pawn in self.checkers() & self.pieces(enemy, PieceKind::Pawn) {
            found.checks.push((Bitboard::square(pawn), None));
        }

        let open = self.open_targets();
        let Findings { checks, mut pins } = found;
        let targets = checks.iter().fold(open, |set, check| set & check.0);
        let mut bound_men: Bitboard = pins.iter().map(|(man, _)| *man).collect();
        for (man, set) in &mut pins {
            let is_screen = |check: &Check| check.1.is_some_and(|(screen, _)| screen == *man);
            if !checks.iter().any(is_screen) {
                *set &= targets;
            }
        }
        // A screen obeys every check but its own, where it may do what a screen may.
        for (index, (_, screen)) in checks.iter().enumerate() {
            if let Some((man, freedom)) = *screen {
                let others = checks.iter().enumerate();
                let set = others
                    .filter(|(other, _)| *other != index)
                    .fold(open & freedom, |set, (_, check)| set & check.0);
                bound_men = bound_men.with(man);
                pins.push((man, set));
            }
        }
        Legality {
            targets,
            bound_men,
            bound: pins,
        }
    }

    /// Finds what stands along one line through the general, in both directions.
    fn look_along(&self, cross: &Cross, axis: Axis, found: &mut Findings) {
        let (us, enemy) = (self.side, !self.side);
        let (line, ray, point) = match axis {
            Axis::Rank => (cross.rank, cross.rank_ray(), cross.square.file() as u32),
            Axis::File => (cross.file, cross.file_ray(), cross.square.rank() as u32),
        };
        let hitters = line.hitters(enemy);
        let own = line.men(us);
        let first_men = ray.reach() & line.occupied();
        let squares = |bits: u32| match axis {
            Axis::Rank => cross.squares(bits, 0),
            Axis::File => cross.squares(0, bits),
        };
        let hot = ray.attackers(hitters) | ray.pinners(hitters);
        let hot = hot | hot >> 10;
        let below = (1u32 << point) - 1;
        for side in [below, 0x3ff & !below & !(1 << point)] {
            if hot & side == 0 {
                continue;
            }
            let seen = Seen {
                first: first_men & side,
                second: ray.second() & side,
                third: ray.third() & side,
                origin: 1 << point,
                side,
                rooks: hitters & 0x3ff,
                cannons: hitters >> 10,
                own,
            };
            self.judge_ray(&seen, squares, found);
        }
    }

    /// What a ray's first three men, `b1`, `b2`, `b3` in the comments, allow; a cannon at b1
    /// closes points, see [`Cross::closed`].
    fn judge_ray(&self, seen: &Seen, squares: impl Fn(u32) -> Bitboard, found: &mut Findings) {
        let Seen {
            first,
            second,
            third,
            origin,
            side,
            rooks,
            cannons,
            own,
        } = *seen;
        let man = |bit: u32| squares(bit).first();
        let is_cannon = |bit: u32| !(squares(bit) & self.kind(PieceKind::Cannon)).is_empty();
        if first & rooks != 0 {
            // b1 is a rook: stand between or capture it.
            found
                .checks
                .push((squares(open(origin, first) | first), None));
        }
        if second & cannons != 0 {
            // b2 is a cannon and b1 its screen. Capturing b1 leaves a screen; b1 itself,
            // if ours, may leave the ray, capture b2, or jump it as a cannon.
            let answers = open(origin, second) & !first | second;
            let screen = if first & own != 0 {
                let jump = if is_cannon(first) { third } else { 0 };
                man(first).map(|square| (square, !squares(side) | squares(second | jump)))
            } else {
                None
            };
            found.checks.push((squares(answers), screen));
        }
        if first & own != 0 && second & rooks != 0 {
            // b1 shields from a rook.
            let stay = squares(open(origin, second) | second);
            found.pins.extend(man(first).map(|square| (square, stay)));
        }
        if third & cannons != 0 {
            // b3 is a cannon behind two screens: neither of them may leave it with one.
            if first & own != 0 {
                let jump = if is_cannon(first) { third } else { 0 };
                let stay = squares(open(origin, second) | jump);
                found.pins.extend(man(first).map(|square| (square, stay)));
            }
            if second & own != 0 {
                let stay = squares(open(first, third) | third);
                found.pins.extend(man(second).map(|square| (square, stay)));
            }
        }
    }

    /// Enemy horses a jump away from the general: a free leg is a check, a leg that our man
    /// holds pins it.
    fn look_at_legs(&self, king: Square, found: &mut Findings) {
        let knights = self.pieces(!self.side, PieceKind::Knight) & attacks::knight_around(king);
        for knight in knights {
            let Some(leg) = attacks::knight_leg(knight, king) else {
                continue;
            };
            match self.piece_on(leg) {
                None => {
                    let answers = Bitboard::square(knight).with(leg);
                    found.checks.push((answers, None));
                }
                Some(piece) if piece.color() == self.side => {
                    found.pins.push((leg, Bitboard::square(knight)));
                }
                Some(_) => {}
            }
        }
    }

    /// Calls `visit` with each point out of `wanted` where the general of `us` may go.
    #[inline(always)]
    pub(super) fn each_king_target(
        &self,
        us: Color,
        wanted: Bitboard,
        mut visit: impl FnMut(Square),
    ) {
        let king = self.king(us);
        let mut left_behind = self.cross(king);
        left_behind.toggle_crossing(Piece::new(us, PieceKind::King));
        let zones = attacks::palace_zones(us);
        let knights = self.pieces(!us, PieceKind::Knight) & zones.knights;
        let pawns = self.pieces(!us, PieceKind::Pawn) & zones.pawns;
        let near = !(knights | pawns).is_empty();
        for to in (attacks::king(king) & wanted).in_half(us) {
            let mut cross = self.cross(to);
            if to.rank() == king.rank() {
                cross.rank = left_behind.rank;
            } else {
                cross.file = left_behind.file;
            }
            // The old point is straight beside the new one and so never a horse's leg.
            let attacked = cross.is_attacked(!us)
                || near
                    && (!(attacks::pawn_to(!us, to) & pawns).is_empty()
                        || !(attacks::knight_around(to) & knights).is_empty()
                            && !(attacks::knight_to(to, self.occupied()) & knights).is_empty());
            if !attacked {
                visit(to);
            }
        }
    }

    /// Whether the man on the move's first square is ours and moves that way, the
    /// safety of the general aside.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        match self.piece_on(mv.from()) {
            Some(piece) if piece.color() == self.side => {
                !self.men(self.side).contains(mv.to())
                    && self.reach(piece, mv.from()).contains(mv.to())
            }
            _ => false,
        }
    }

    /// Whether the move is legal, given what [`Self::legality`] said about this position.
    pub fn is_legal_with(&self, mv: Move, legality: &Legality) -> bool {
        if !self.is_pseudo_legal(mv) {
            return false;
        }
        if mv.from() == self.king(self.side) {
            let mut safe = false;
            self.each_king_target(self.side, Bitboard::square(mv.to()), |_| safe = true);
            safe
        } else {
            legality.targets_from(mv.from()).contains(mv.to())
        }
    }

    /// Whether the move is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_with(mv, &self.legality())
    }

    /// Whether a pseudo-legal move checks the enemy general.
    pub fn gives_check(&self, mv: Move) -> bool {
        let (us, enemy) = (self.side, !self.side);
        let (from, to) = (mv.from(), mv.to());
        let king = self.king(enemy);
        let zone = attacks::check_zone(king);
        if !zone.contains(from) && !zone.contains(to) {
            return false;
        }
        let Some(piece) = self.piece_on(from) else {
            return false;
        };
        let mut cross = self.lines.through(king);
        cross.toggle(piece, from);
        if let Some(victim) = self.piece_on(to) {
            cross.toggle(victim, to);
        }
        cross.toggle(piece, to);
        if cross.is_attacked(us) {
            return true;
        }
        if piece.kind() == PieceKind::Pawn && attacks::pawn_to(us, king).contains(to) {
            return true;
        }
        let mut knights = self.pieces(us, PieceKind::Knight).without(from);
        if piece.kind() == PieceKind::Knight {
            knights = knights.with(to);
        }
        let knights = knights & attacks::knight_around(king);
        let occupied = self.occupied().without(from).with(to);
        !knights.is_empty() && !(attacks::knight_to(king, occupied) & knights).is_empty()
    }

    /// Whether the side to move has no legal move: mated or stalemated, it has lost.
    pub fn has_no_moves(&self) -> bool {
        self.count_legal() == 0
    }

    /// Whether a side's general is attacked, whoever is to move.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        !self.attackers_to(square, by).is_empty()
    }
}

#[derive(Clone, Copy)]
enum Axis {
    Rank,
    File,
}

/// The first three men in one direction from the general, as bits of the line.
struct Seen {
    first: u32,
    second: u32,
    third: u32,
    /// The general's own bit.
    origin: u32,
    /// All points in this direction.
    side: u32,
    rooks: u32,
    cannons: u32,
    own: u32,
}

/// The points strictly between two points of a line, each given as one bit.
const fn open(a: u32, b: u32) -> u32 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (high - 1) & !(low | (low - 1))
}
