//! The accumulators of a line of play.

use std::sync::Arc;

use smallvec::SmallVec;

use super::kernels::{Accumulator, Rows};
use super::{HIDDEN, Kernels, Lanes, Network, bucket, feature};
use crate::position::Position;
use crate::types::{Color, MAX_PLY, Move, Piece, Square};

/// A move as far as it changes inputs.
#[derive(Clone, Copy)]
struct Change {
    piece: Piece,
    mv: Move,
    captured: Option<Piece>,
}

/// A net with its accumulators for a position and the moves made from it.
///
/// The stack of accumulators follows make and undo. Moves are only noted; the accumulators
/// are brought up to date when a value is asked for, from the last one that is.
pub struct Accumulators {
    network: Arc<Network>,
    kernels: &'static Kernels,
    stack: Box<[Accumulator]>,
    /// `changes[i]` leads from `stack[i]` to `stack[i + 1]`.
    changes: Vec<Change>,
    /// The last accumulator that is up to date; those before it are, too.
    accurate: usize,
}

impl Accumulators {
    /// Accumulators of an empty board; [`Self::refresh`] gives them a position.
    pub fn new(network: Arc<Network>, kernels: &'static Kernels) -> Self {
        let empty = [(); 2].map(|()| network.feature_bias().clone());
        Self {
            network,
            kernels,
            stack: vec![empty; MAX_PLY + 1].into(),
            changes: Vec::with_capacity(MAX_PLY),
            accurate: 0,
        }
    }

    /// The net.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The kernels.
    pub fn kernels(&self) -> &'static Kernels {
        self.kernels
    }

    /// Begins a new line at this position.
    pub fn refresh(&mut self, position: &Position) {
        self.changes.clear();
        self.accurate = 0;
        self.stack[0] = accumulate(&self.network, self.kernels, men(position));
    }

    /// Notes a move, at most [`MAX_PLY`] in a row. A null move changes nothing and is not
    /// noted.
    #[inline]
    pub fn push(&mut self, piece: Piece, mv: Move, captured: Option<Piece>) {
        self.changes.push(Change {
            piece,
            mv,
            captured,
        });
    }

    /// Takes the last move back. Does nothing where there is none.
    #[inline]
    pub fn pop(&mut self) {
        self.changes.pop();
        self.accurate = self.accurate.min(self.changes.len());
    }

    /// The net's value in centipawns, from the view of the side to move, of the position
    /// that the moves have led to.
    ///
    /// # Panics
    /// In debug builds if the moves lead to another position.
    pub fn value(&mut self, position: &Position) -> i32 {
        while self.accurate < self.changes.len() {
            self.update();
        }
        let accumulator = &self.stack[self.accurate];
        debug_assert!(
            *accumulator == accumulate(&self.network, self.kernels, men(position)),
            "the accumulator is not that of {}",
            position.fen()
        );
        let men = position.occupied().count() as usize;
        output(
            &self.network,
            self.kernels,
            accumulator,
            position.side(),
            men,
        )
    }

    /// Brings one more accumulator up to date.
    fn update(&mut self) {
        let Change {
            piece,
            mv,
            captured,
        } = self.changes[self.accurate];
        let (done, open) = self.stack.split_at_mut(self.accurate + 1);
        let (from, to) = (&done[self.accurate], &mut open[0]);
        let add = rows(&self.network, piece, mv.to());
        let sub = rows(&self.network, piece, mv.from());
        match captured {
            None => self.kernels.add1_sub1(from, add, sub, to),
            Some(victim) => {
                let victim = rows(&self.network, victim, mv.to());
                self.kernels.add1_sub2(from, add, [sub, victim], to);
            }
        }
        self.accurate += 1;
    }
}

/// The net's value in centipawns, from the view of `side`, of a board with these men, which
/// need not be a playable position; at most 32 men.
pub fn board_value(
    network: &Network,
    men: impl Iterator<Item = (Piece, Square)> + Clone,
    side: Color,
) -> i32 {
    let count = men.clone().count();
    let accumulator = accumulate(network, Kernels::best(), men);
    output(network, Kernels::best(), &accumulator, side, count)
}

/// The men of a position and their squares.
fn men(position: &Position) -> impl Iterator<Item = (Piece, Square)> + Clone {
    let man = |square| Some((position.piece_on(square)?, square));
    position.occupied().into_iter().filter_map(man)
}

/// The weights of a man on a square.
#[inline]
fn rows(network: &Network, piece: Piece, square: Square) -> Rows<'_> {
    let weights = network.feature_weights();
    Color::ALL.map(|perspective| &weights[feature(perspective, piece, square)])
}

/// The accumulator of a board from nothing.
fn accumulate(
    network: &Network,
    kernels: &Kernels,
    men: impl Iterator<Item = (Piece, Square)> + Clone,
) -> Accumulator {
    Color::ALL.map(|perspective| {
        let weights = network.feature_weights();
        let row = |(piece, square)| &weights[feature(perspective, piece, square)];
        let rows: SmallVec<[&Lanes; 32]> = men.clone().map(row).collect();
        let mut to = Lanes([0; HIDDEN]);
        kernels.add_all(network.feature_bias(), &rows, &mut to);
        to
    })
}

/// The output layer.
fn output(
    network: &Network,
    kernels: &Kernels,
    [red, black]: &Accumulator,
    side: Color,
    men: usize,
) -> i32 {
    let sides = match side {
        Color::Red => [red, black],
        Color::Black => [black, red],
    };
    let outputs = network.outputs();
    let neuron = &outputs[bucket(men, outputs.len())];
    network.centipawns(kernels.dot(sides, neuron))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::sample::{Numbers, random_network};
    use crate::types::MoveList;

    /// Visits the tree of legal moves and asks for the value at some of its nodes only.
    fn visit(stack: &mut Accumulators, position: &mut Position, depth: u32, found: &mut Vec<i32>) {
        if depth == 0 || position.key().is_multiple_of(3) {
            let value = stack.value(position);
            let men = men(position).collect::<Vec<_>>();
            let alone = board_value(&stack.network, men.into_iter(), position.side());
            assert_eq!(value, alone, "{}", position.fen());
            found.push(value);
        }
        if depth == 0 {
            return;
        }
        let mut list = MoveList::new();
        position.legal_moves(&mut list);
        for mv in list.iter() {
            let piece = position
                .piece_on(mv.from())
                .expect("a legal move moves a man");
            let captured = position.piece_on(mv.to());
            position.make(mv);
            stack.push(piece, mv, captured);
            visit(stack, position, depth - 1, found);
            stack.pop();
            position.undo();
        }
    }

    #[test]
    fn updates_equal_refreshes_all_over_a_tree() {
        let network = Arc::new(random_network(7, 8));
        let mut results = Vec::new();
        for kernels in Kernels::available() {
            let mut stack = Accumulators::new(Arc::clone(&network), kernels);
            let mut found = Vec::new();
            for fen in [
                "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
                "2bak4/5r3/3a5/p7R/9/2B1C4/n7P/9/4A4/4KAB2 b",
                "CnCk1a3/4a4/r3c4/8p/9/1R7/P3N3P/9/4An3/3AK4 w",
            ] {
                let mut position: Position = fen.parse().expect("a position");
                stack.refresh(&position);
                visit(&mut stack, &mut position, 2, &mut found);
            }
            results.push(found);
        }
        assert!(results[0].len() > 3_000);
        assert!(results.iter().all(|found| *found == results[0]));
    }

    #[test]
    fn a_long_line_can_be_walked_up_and_down() {
        let mut stack = Accumulators::new(Arc::new(random_network(8, 3)), Kernels::best());
        let mut numbers = Numbers::new(8);
        let mut position = Position::startpos();
        stack.refresh(&position);
        let mut values = vec![stack.value(&position)];
        for ply in 1..=MAX_PLY {
            let mut list = MoveList::new();
            position.legal_moves(&mut list);
            let Some(mv) = list.get(numbers.below(list.len().max(1))) else {
                break;
            };
            position.make(mv);
            let state = position.state();
            stack.push(state.moved.expect("it was a move"), mv, state.captured);
            if ply % 5 == 0 {
                values.push(stack.value(&position));
            }
        }
        assert!(values.len() > 20, "the walk is too short");
        while position.history_len() > 0 {
            if position.history_len().is_multiple_of(5) {
                assert_eq!(values.pop(), Some(stack.value(&position)));
            }
            position.undo();
            stack.pop();
        }
        assert_eq!(values, [stack.value(&position)]);
    }
}
