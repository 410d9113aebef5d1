//! Legal move generation, into a list or as a count.

use bitflags::bitflags;

use super::{Legality, Position};
use crate::attacks::{leapers, lines};
use crate::types::{Bitboard, Color, Move, MoveList, Piece, PieceKind, Square};

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
    /// Moves of a man along its rank and file, as bits of those lines.
    fn lines(&mut self, from: Square, on_rank: u32, on_file: u32);
    /// Moves of a man.
    fn set(&mut self, from: Square, targets: Bitboard);
    /// Moves onto `targets`, each from the square `delta` indices below its target.
    fn shifted(&mut self, targets: Bitboard, delta: i32);
}

/// Counts moves.
#[derive(Default)]
struct Count(u32);

impl Sink for Count {
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
        for to in targets {
            self.push_bits((from as u16) << 7 | to as u16);
        }
    }

    #[inline(always)]
    fn shifted(&mut self, targets: Bitboard, delta: i32) {
        for to in targets {
            let from = (to as i32 - delta) as u16;
            self.push_bits(from << 7 | to as u16);
        }
    }
}

impl Position {
    /// Appends all legal moves to the list.
    pub fn legal_moves(&self, list: &mut MoveList) {
        self.generate_into::<MoveList>(GenKinds::ALL, &self.legality(), list);
    }

    /// How many legal moves there are, without making a list of them.
    pub fn count_legal(&self) -> u32 {
        let mut count = Count::default();
        self.generate_into(GenKinds::ALL, &self.legality(), &mut count);
        count.0
    }

    /// Appends the legal moves of some kinds to the list, given what
    /// [`Position::legality`] said about this position.
    pub fn generate(&self, kinds: GenKinds, legality: &Legality, list: &mut MoveList) {
        match kinds {
            GenKinds::CAPTURES => self.generate_into(GenKinds::CAPTURES, legality, list),
            GenKinds::QUIETS => self.generate_into(GenKinds::QUIETS, legality, list),
            GenKinds::ALL => self.generate_into(GenKinds::ALL, legality, list),
            _ => {}
        }
    }

    #[inline(always)]
    fn generate_into<S: Sink>(&self, kinds: GenKinds, legality: &Legality, sink: &mut S) {
        let us = self.side;
        let wanted = match kinds {
            GenKinds::CAPTURES => self.men(!us),
            GenKinds::QUIETS => !self.occupied(),
            _ => !self.men(us),
        };
        let targets = legality.targets & wanted;
        let free = self.men(us) - legality.bound_men;
        sink.set(self.king(us), self.king_targets(wanted));
        if legality.narrowed {
            if !targets.is_empty() {
                self.sliders_among(free, targets, sink);
                self.leapers(free, targets, sink);
            }
        } else {
            self.sliders(free, kinds, sink);
            self.leapers(free, targets, sink);
        }
        for from in legality.bound_men {
            if let Some(piece) = self.piece_on(from) {
                let targets = legality.bound_targets(from) & wanted;
                sink.set(from, self.reach(piece, from) & targets);
            }
        }
    }

    /// Rooks and cannons where any target will do: whole lines at a time.
    #[inline(always)]
    fn sliders<S: Sink>(&self, men: Bitboard, kinds: GenKinds, sink: &mut S) {
        let us = self.side;
        for from in men & self.kind(PieceKind::Rook) {
            let cross = self.lines.through(from);
            let along = |line: lines::Line, ray: lines::Ray| match kinds {
                GenKinds::CAPTURES => ray.reach() & line.men(!us),
                GenKinds::QUIETS => ray.reach() & !line.occupied(),
                _ => ray.reach() & !line.men(us),
            };
            sink.lines(
                from,
                along(cross.rank, cross.rank_ray()),
                along(cross.file, cross.file_ray()),
            );
        }
        for from in men & self.kind(PieceKind::Cannon) {
            let cross = self.lines.through(from);
            let along = |line: lines::Line, ray: lines::Ray| {
                let quiets = ray.reach() & !line.occupied();
                let captures = ray.second() & line.men(!us);
                match kinds {
                    GenKinds::CAPTURES => captures,
                    GenKinds::QUIETS => quiets,
                    _ => quiets | captures,
                }
            };
            sink.lines(
                from,
                along(cross.rank, cross.rank_ray()),
                along(cross.file, cross.file_ray()),
            );
        }
    }

    /// Rooks and cannons where only some targets are legal.
    #[inline(always)]
    fn sliders_among<S: Sink>(&self, men: Bitboard, targets: Bitboard, sink: &mut S) {
        let occupied = self.occupied();
        for from in men & self.kind(PieceKind::Rook) {
            let cross = self.lines.through(from);
            let reach = cross.squares(cross.rank_ray().reach(), cross.file_ray().reach());
            sink.set(from, reach & targets);
        }
        for from in men & self.kind(PieceKind::Cannon) {
            let cross = self.lines.through(from);
            let (rank, file) = (cross.rank_ray(), cross.file_ray());
            let quiets = cross.squares(rank.reach(), file.reach()) - occupied;
            let captures = cross.squares(rank.second(), file.second()) & occupied;
            sink.set(from, (quiets | captures) & targets);
        }
    }

    #[inline(always)]
    fn leapers<S: Sink>(&self, men: Bitboard, targets: Bitboard, sink: &mut S) {
        let us = self.side;
        for from in men & self.kind(PieceKind::Knight) {
            let cross = self.lines.through(from);
            let pattern = leapers::leg_pattern(cross.rank.occupied(), cross.file.occupied(), from);
            sink.set(from, leapers::knight_with_legs(from, pattern) & targets);
        }
        let half = targets.half(us);
        let advisors = (men & self.kind(PieceKind::Advisor)).half(us);
        if advisors != 0 {
            for step in leapers::ADVISOR_STEPS {
                let to = leapers::advisor_step(advisors, step, us) & half;
                sink.shifted(Bitboard::from_half(to, us), step);
            }
        }
        let bishops = (men & self.kind(PieceKind::Bishop)).half(us);
        if bishops != 0 {
            let occupied = self.occupied().half(us);
            for step in leapers::BISHOP_STEPS {
                let to = leapers::bishop_step(bishops, occupied, step) & half;
                sink.shifted(Bitboard::from_half(to, us), step.0);
            }
        }
        self.pawns(men & self.kind(PieceKind::Pawn), targets, sink);
    }

    #[inline(always)]
    fn pawns<S: Sink>(&self, pawns: Bitboard, targets: Bitboard, sink: &mut S) {
        use crate::types::File;
        const LEFT: Bitboard = Bitboard::file(File::A);
        const RIGHT: Bitboard = Bitboard::file(File::I);
        let us = self.side;
        let forward = match us {
            Color::Red => 9,
            Color::Black => -9,
        };
        sink.shifted(pawns.shift(forward) & targets, forward);
        let crossed = pawns & Bitboard::home_half(!us);
        if !crossed.is_empty() {
            sink.shifted((crossed - LEFT).shift(-1) & targets, -1);
            sink.shifted((crossed - RIGHT).shift(1) & targets, 1);
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
