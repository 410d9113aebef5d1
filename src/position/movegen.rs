//! Legal move generation, into a list or as a count.

use bitflags::bitflags;

use super::{Legality, Position};
use crate::attacks::{Line, Ray, leapers};
use crate::types::{Bitboard, Color, File, Move, MoveList, Piece, PieceKind, Square};

bitflags! {
    /// Which moves to generate.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct GenKinds: u8 {
        /// Moves that capture.
        const CAPTURES = 1;
        /// Moves that do not.
        const QUIETS = 2;
        /// Every move.
        const ALL = 3;
    }
}

/// Where generated moves go.
trait Sink {
    /// One move.
    fn one(&mut self, from: Square, to: Square);
    /// Moves of a man along its rank and file, as bits of those lines.
    fn lines(&mut self, from: Square, on_rank: u32, on_file: u32);
    /// Moves of a man.
    fn set(&mut self, from: Square, targets: Bitboard);
    /// Moves onto `targets`, each from the square `delta` indices below its target.
    fn shifted(&mut self, targets: Bitboard, delta: i32);
    /// The same onto targets in one half of the board, as [`Bitboard::half`] has them.
    fn shifted_in_half(&mut self, targets: u64, delta: i32, half: Color);
}

/// The squares of a side's men by slot.
type Men = [Option<Square>; 16];

/// Counts moves.
#[derive(Default)]
struct Count(u32);

impl Sink for Count {
    #[inline(always)]
    fn one(&mut self, _from: Square, _to: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn lines(&mut self, _from: Square, on_rank: u32, on_file: u32) {
        self.0 += (on_rank | on_file << 16).count_ones();
    }

    #[inline(always)]
    fn set(&mut self, _from: Square, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn shifted(&mut self, targets: Bitboard, _delta: i32) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn shifted_in_half(&mut self, targets: u64, _delta: i32, _half: Color) {
        self.0 += targets.count_ones();
    }
}

/// For each pattern of target files on a rank, these files as index differences.
static RANK_STEPS: [[u16; 8]; 512] = {
    let mut table = [[0; 8]; 512];
    let mut pattern = 0;
    while pattern < 512 {
        table[pattern] = steps(pattern, 1);
        pattern += 1;
    }
    table
};

/// For each pattern of target ranks on a file, the first eight of them as index differences.
static FILE_STEPS: [[u16; 8]; 1024] = {
    let mut table = [[0; 8]; 1024];
    let mut pattern = 0;
    while pattern < 1024 {
        table[pattern] = steps(pattern, 9);
        pattern += 1;
    }
    table
};

const fn steps(pattern: usize, step: u16) -> [u16; 8] {
    let mut out = [0; 8];
    let mut count = 0;
    let mut bit = 0;
    while bit < 10 {
        if pattern >> bit & 1 == 1 && count < 8 {
            out[count] = bit as u16 * step;
            count += 1;
        }
        bit += 1;
    }
    out
}

impl Sink for MoveList {
    #[inline(always)]
    fn one(&mut self, from: Square, to: Square) {
        self.push_bits((from as u16) << 7 | to as u16);
    }

    #[inline(always)]
    fn lines(&mut self, from: Square, on_rank: u32, on_file: u32) {
        let start = (from as u16) << 7;
        let rank = start + 9 * from.rank() as u16;
        let files = RANK_STEPS[(on_rank & 511) as usize].map(|step| rank + step);
        self.push_eight(files, on_rank.count_ones());
        let file = start + from.file() as u16;
        let ranks = FILE_STEPS[(on_file & 1023) as usize].map(|step| file + step);
        let count = on_file.count_ones();
        self.push_eight(ranks, count.min(8));
        if count == 9 {
            self.push_bits(file + 9 * on_file.ilog2() as u16);
        }
    }

    #[inline(always)]
    fn set(&mut self, from: Square, targets: Bitboard) {
        let [low, high] = targets.words();
        let start = (from as u16) << 7;
        self.push_each(low, |index| start + index);
        self.push_each(high, |index| start + 64 + index);
    }

    #[inline(always)]
    fn shifted(&mut self, targets: Bitboard, delta: i32) {
        let [low, high] = targets.words();
        self.push_each(low, |index| shifted_move(index, delta));
        self.push_each(high, |index| shifted_move(64 + index, delta));
    }

    #[inline(always)]
    fn shifted_in_half(&mut self, targets: u64, delta: i32, half: Color) {
        let base = 45 * half as u16;
        self.push_each(targets, |index| shifted_move(base + index, delta));
    }
}

/// The moves of a rook or cannon along one line.
#[inline(always)]
fn slide(kind: PieceKind, kinds: GenKinds, us: Color, line: Line, ray: Ray) -> u32 {
    let (captures, all) = match kind {
        PieceKind::Rook => (ray.reach() & line.men(!us), ray.reach() & !line.men(us)),
        _ => {
            let captures = ray.second() & line.men(!us);
            (captures, ray.reach() & !line.occupied() | captures)
        }
    };
    match kinds {
        GenKinds::CAPTURES => captures,
        GenKinds::QUIETS => ray.reach() & !line.occupied(),
        _ => all,
    }
}

/// The bits of the move onto square `to` from `delta` indices below.
#[inline(always)]
const fn shifted_move(to: u16, delta: i32) -> u16 {
    (to.wrapping_sub(delta as u16)) << 7 | to
}

impl Position {
    /// Appends all legal moves to the list.
    pub fn legal_moves(&self, list: &mut MoveList) {
        self.generate_all(list);
    }

    /// How many legal moves there are, without making a list of them.
    pub fn count_legal(&self) -> u32 {
        let mut count = Count::default();
        self.generate_all(&mut count);
        count.0
    }

    /// Most positions have neither checks nor bound men: spare them a [`Legality`].
    #[inline(always)]
    fn generate_all<S: Sink>(&self, sink: &mut S) {
        let restricted = self.state.held || self.in_check();
        let legality = restricted.then(|| self.restrictions());
        let (targets, bound_men) = match &legality {
            Some(legality) => (legality.targets, legality.bound_men),
            None => (self.open_targets(), Bitboard::EMPTY),
        };
        self.generate_into(GenKinds::ALL, targets, bound_men, sink);
        if let Some(legality) = &legality {
            self.generate_bound(Bitboard::ALL, legality, sink);
        }
    }

    /// Appends the legal moves of some kinds to the list, given what
    /// [`Position::legality`] said about this position.
    pub fn generate(&self, kinds: GenKinds, legality: &Legality, list: &mut MoveList) {
        let (targets, bound_men) = (legality.targets, legality.bound_men);
        let wanted = match kinds {
            GenKinds::CAPTURES => {
                self.generate_into(GenKinds::CAPTURES, targets, bound_men, list);
                self.men(!self.side)
            }
            GenKinds::QUIETS => {
                self.generate_into(GenKinds::QUIETS, targets, bound_men, list);
                !self.occupied()
            }
            _ => {
                self.generate_into(GenKinds::ALL, targets, bound_men, list);
                Bitboard::ALL
            }
        };
        self.generate_bound(wanted, legality, list);
    }

    /// The moves onto `wanted` of men that hold a line or a leg.
    fn generate_bound<S: Sink>(&self, wanted: Bitboard, legality: &Legality, sink: &mut S) {
        for from in legality.bound_men {
            if let Some(piece) = self.piece_on(from) {
                let targets = legality.bound_targets(from) & wanted;
                sink.set(from, self.reach(piece, from) & targets);
            }
        }
    }

    /// The moves onto `targets` of all men but `bound_men`.
    #[inline(always)]
    fn generate_into<S: Sink>(
        &self,
        kinds: GenKinds,
        targets: Bitboard,
        bound_men: Bitboard,
        sink: &mut S,
    ) {
        // A constant colour and layout make constants of shifts, offsets and loop counts:
        // a quarter of the time.
        match (self.side, self.slots.is_set()) {
            (us @ Color::Red, true) => {
                self.generate_for::<S, true>(us, kinds, targets, bound_men, sink);
            }
            (us @ Color::Black, true) => {
                self.generate_for::<S, true>(us, kinds, targets, bound_men, sink);
            }
            (us, false) => self.generate_odd_set(us, kinds, targets, bound_men, sink),
        }
    }

    /// [`Self::generate_for`] a set-up with more men of a kind than a set has; it need
    /// not be fast, so it is not inlined anywhere.
    #[cold]
    #[inline(never)]
    fn generate_odd_set<S: Sink>(
        &self,
        us: Color,
        kinds: GenKinds,
        targets: Bitboard,
        bound_men: Bitboard,
        sink: &mut S,
    ) {
        self.generate_for::<S, false>(us, kinds, targets, bound_men, sink);
    }

    #[inline(always)]
    fn generate_for<S: Sink, const IS_SET: bool>(
        &self,
        us: Color,
        kinds: GenKinds,
        targets: Bitboard,
        bound_men: Bitboard,
        sink: &mut S,
    ) {
        let wanted = match kinds {
            GenKinds::CAPTURES => self.men(!us),
            GenKinds::QUIETS => !self.occupied(),
            _ => !self.men(us),
        };
        let targets = targets & wanted;
        let free = self.men(us) - bound_men;
        let mut slots = *self.slots.men(us);
        for man in bound_men {
            slots[self.slots.of(man) as usize % 16] = None;
        }
        let slots = &slots;
        let king = self.king(us);
        self.each_king_target(us, wanted, |to| sink.one(king, to));
        if self.in_check() {
            self.sliders_among::<S, IS_SET>(us, slots, targets, sink);
        } else if self.state.closed == (0, 0) {
            self.sliders::<S, IS_SET, false>(us, slots, kinds, sink);
        } else {
            self.sliders::<S, IS_SET, true>(us, slots, kinds, sink);
        }
        for &from in self
            .slots
            .of_kind::<IS_SET>(slots, us, PieceKind::Knight)
            .iter()
            .flatten()
        {
            let cross = self.lines.through(from);
            let pattern = leapers::leg_pattern(cross.rank.occupied(), cross.file.occupied(), from);
            sink.set(from, leapers::knight_with_legs(from, pattern) & targets);
        }
        self.other_leapers(us, free, targets, sink);
    }

    /// Rooks and cannons out of check, whole lines at a time; `CLOSED` says whether a cannon
    /// without a screen closes points of the general's lines.
    #[inline(always)]
    fn sliders<S: Sink, const IS_SET: bool, const CLOSED: bool>(
        &self,
        us: Color,
        men: &Men,
        kinds: GenKinds,
        sink: &mut S,
    ) {
        for kind in [PieceKind::Rook, PieceKind::Cannon] {
            for &from in self.slots.of_kind::<IS_SET>(men, us, kind).iter().flatten() {
                let cross = self.lines.through(from);
                let rank = slide(kind, kinds, us, cross.rank, cross.rank_ray());
                let file = slide(kind, kinds, us, cross.file, cross.file_ray());
                if CLOSED {
                    let (on_rank, on_file) = self.closed_on_lines_of(us, from);
                    sink.lines(from, rank & !on_rank, file & !on_file);
                } else {
                    sink.lines(from, rank, file);
                }
            }
        }
    }

    /// The closed points on the rank and on the file of a square.
    #[inline(always)]
    fn closed_on_lines_of(&self, us: Color, square: Square) -> (u32, u32) {
        let king = self.king(us);
        let (on_rank, on_file) = self.state.closed;
        let (on_rank, on_file) = (u32::from(on_rank), u32::from(on_file));
        let rank = if square.rank() == king.rank() {
            on_rank
        } else {
            (on_file >> square.rank() as u32 & 1) << king.file() as u32
        };
        let file = if square.file() == king.file() {
            on_file
        } else {
            (on_rank >> square.file() as u32 & 1) << king.rank() as u32
        };
        (rank, file)
    }

    /// Rooks and cannons where only some targets are legal.
    #[inline(always)]
    fn sliders_among<S: Sink, const IS_SET: bool>(
        &self,
        us: Color,
        men: &Men,
        targets: Bitboard,
        sink: &mut S,
    ) {
        let occupied = self.occupied();
        for &from in self
            .slots
            .of_kind::<IS_SET>(men, us, PieceKind::Rook)
            .iter()
            .flatten()
        {
            let cross = self.lines.through(from);
            let reach = cross.squares(cross.rank_ray().reach(), cross.file_ray().reach());
            sink.set(from, reach & targets);
        }
        for &from in self
            .slots
            .of_kind::<IS_SET>(men, us, PieceKind::Cannon)
            .iter()
            .flatten()
        {
            let cross = self.lines.through(from);
            let (rank, file) = (cross.rank_ray(), cross.file_ray());
            let quiets = cross.squares(rank.reach(), file.reach()) - occupied;
            let captures = cross.squares(rank.second(), file.second()) & occupied;
            sink.set(from, (quiets | captures) & targets);
        }
    }

    /// Advisors, bishops and pawns, each kind as a set.
    #[inline(always)]
    fn other_leapers<S: Sink>(&self, us: Color, men: Bitboard, targets: Bitboard, sink: &mut S) {
        let half = targets.half(us);
        let men_at_home = men.half(us);
        let advisors = men_at_home & self.kind(PieceKind::Advisor).half(us);
        if advisors != 0 {
            for step in leapers::ADVISOR_STEPS {
                let to = leapers::advisor_step(advisors, step, us) & half;
                sink.shifted_in_half(to, step, us);
            }
        }
        let bishops = men_at_home & self.kind(PieceKind::Bishop).half(us);
        if bishops != 0 {
            let occupied = self.occupied().half(us);
            for step in leapers::BISHOP_STEPS {
                let to = leapers::bishop_step(bishops, occupied, step) & half;
                sink.shifted_in_half(to, step.0, us);
            }
        }
        self.pawns(us, men & self.kind(PieceKind::Pawn), targets, sink);
    }

    #[inline(always)]
    fn pawns<S: Sink>(&self, us: Color, pawns: Bitboard, targets: Bitboard, sink: &mut S) {
        const LEFT: Bitboard = Bitboard::file(File::A);
        const RIGHT: Bitboard = Bitboard::file(File::I);
        let forward = match us {
            Color::Red => 9,
            Color::Black => -9,
        };
        sink.shifted(pawns.shift(forward) & targets, forward);
        let crossed = pawns & Bitboard::home_half(!us);
        if !crossed.is_empty() {
            // Sideways steps stay in the half, so half a bitboard will do.
            let (crossed, half) = (crossed.half(!us), targets.half(!us));
            let left = (crossed & !LEFT.half(!us)) >> 1 & half;
            let right = (crossed & !RIGHT.half(!us)) << 1 & half;
            sink.shifted_in_half(left, -1, !us);
            sink.shifted_in_half(right, 1, !us);
        }
    }

    /// The pseudo-legal moves of one man, whoever is to move.
    pub fn pseudo_targets(&self, piece: Piece, square: Square) -> Bitboard {
        self.reach(piece, square) - self.men(piece.color())
    }

    /// The first legal move in generation order, if there is one.
    pub fn any_legal_move(&self) -> Option<Move> {
        let mut list = MoveList::new();
        self.legal_moves(&mut list);
        list.get(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_position_has_44_moves() {
        let position = Position::startpos();
        let mut list = MoveList::new();
        position.legal_moves(&mut list);
        assert_eq!(list.len(), 44);
        assert_eq!(position.count_legal(), 44);
        let mut captures = MoveList::new();
        position.generate(GenKinds::CAPTURES, &position.legality(), &mut captures);
        assert_eq!(captures.len(), 2);
    }
}
