//! Perft: counting the leaves of the tree of legal moves.

use crate::position::Position;
use crate::types::MoveList;

/// How the last ply is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// Targets are counted without making moves of them.
    Count,
    /// The list of legal moves is built in memory.
    List,
}

/// The number of legal move sequences of `depth` plies; 1 at depth 0.
pub fn perft(position: &mut Position, depth: u32, leaves: Leaves) -> u64 {
    match depth {
        0 => 1,
        1 if leaves == Leaves::Count => u64::from(position.count_legal()),
        _ => {
            let mut list = MoveList::new();
            position.legal_moves(&mut list);
            if depth == 1 {
                return list.len() as u64;
            }
            let mut nodes = 0;
            for mv in list.iter() {
                position.make(mv);
                nodes += perft(position, depth - 1, leaves);
                position.undo();
            }
            nodes
        }
    }
}
