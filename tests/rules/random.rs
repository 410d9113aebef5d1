//! Random cycles: sequences of quiet legal moves after which the same position stands.

use vermilion::position::Position;
use vermilion::types::{Move, MoveList};

use crate::common::{Rng, Sort, random_setup};

/// A position, with up to six moves that led to it, and moves that lead back to it, two to
/// four by each side.
#[derive(Clone)]
pub struct Cycle {
    pub start: Position,
    pub moves: Vec<Move>,
}

/// A random cycle in a random position, rich in attacks: three times in four the first
/// moves to be tried are those after which the moved man attacks something.
pub fn random_cycle(rng: &mut Rng) -> Cycle {
    loop {
        let sort = rng.pick(&[Sort::Sparse, Sort::KingLines, Sort::ManyOfAKind]);
        let mut start = random_setup(sort, rng);
        for _ in 0..rng.below(7) {
            if let Some(mv) = crate::common::random_move(&start, rng) {
                start.make(mv);
            }
        }
        let plies = 2 * (2 + rng.below(3));
        let mut search = Search {
            start: start.clone(),
            position: start.clone(),
            moves: Vec::new(),
            nodes: 0,
        };
        if search.extend(plies, rng) {
            let moves = search.moves;
            return Cycle { start, moves };
        }
    }
}

struct Search {
    start: Position,
    position: Position,
    moves: Vec<Move>,
    nodes: u32,
}

impl Search {
    /// Finds `left` plies more that lead back to the start.
    fn extend(&mut self, left: usize, rng: &mut Rng) -> bool {
        if left == 0 {
            return self.position.key() == self.start.key();
        }
        self.nodes += 1;
        if self.nodes > 300 || self.displaced() > left.div_ceil(2) {
            return false;
        }
        for mv in self.candidates(rng) {
            self.position.make(mv);
            self.moves.push(mv);
            if self.extend(left - 1, rng) {
                return true;
            }
            self.moves.pop();
            self.position.undo();
        }
        false
    }

    /// How many men of the side to move are not where one like them stood at the start.
    fn displaced(&self) -> usize {
        let side = self.position.side();
        let home = self.start.men(side).into_iter();
        home.filter(|&square| self.position.piece_on(square) != self.start.piece_on(square))
            .count()
    }

    fn candidates(&self, rng: &mut Rng) -> Vec<Move> {
        let mut list = MoveList::new();
        self.position.legal_moves(&mut list);
        let mut moves: Vec<Move> = list
            .iter()
            .filter(|mv| self.position.piece_on(mv.to()).is_none())
            .collect();
        for index in (1..moves.len()).rev() {
            moves.swap(index, rng.below(index + 1));
        }
        if rng.chance(75) {
            moves.sort_by_key(|&mv| !self.attacks(mv));
        }
        moves
    }

    fn attacks(&self, mv: Move) -> bool {
        let mut after = self.position.clone_recent(0);
        let enemies = after.men(!after.side());
        after.make(mv);
        after.in_check()
            || after
                .piece_on(mv.to())
                .is_some_and(|piece| !(after.reach(piece, mv.to()) & enemies).is_empty())
    }
}
