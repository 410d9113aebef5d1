//! Perft: counting the leaves of the tree of legal moves.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::position::Position;
use crate::types::{Move, MoveList};

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
    let mut lists = vec![MoveList::new(); depth as usize];
    match leaves {
        Leaves::Count => walk::<false>(position, &mut lists),
        Leaves::List => walk::<true>(position, &mut lists),
    }
}

/// Perft as deep as there are lists.
fn walk<const LIST: bool>(position: &mut Position, lists: &mut [MoveList]) -> u64 {
    let Some((list, deeper)) = lists.split_first_mut() else {
        return 1;
    };
    if deeper.is_empty() && !LIST {
        return u64::from(position.count_legal());
    }
    list.clear();
    position.legal_moves(list);
    if deeper.is_empty() {
        return list.len() as u64;
    }
    let last = deeper.len() == 1 && !LIST;
    let mut nodes = 0;
    for mv in list.iter() {
        position.make(mv);
        nodes += if last {
            u64::from(position.count_legal())
        } else {
            walk::<LIST>(position, deeper)
        };
        position.undo();
    }
    nodes
}

/// The depth that is counted without asking whether to stop: the blink of an eye.
const UNINTERRUPTED: u32 = 4;

/// [`perft`], but what it returns is of no use once `stop` is set.
fn perft_until(position: &mut Position, depth: u32, leaves: Leaves, stop: &AtomicBool) -> u64 {
    if depth <= UNINTERRUPTED {
        return perft(position, depth, leaves);
    }
    let mut list = MoveList::new();
    position.legal_moves(&mut list);
    let mut nodes = 0;
    for mv in list.iter() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        position.make(mv);
        nodes += perft_until(position, depth - 1, leaves, stop);
        position.undo();
    }
    nodes
}

/// The result of [`divide`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Division {
    /// The leaves below each move of the root; empty at depth 0.
    pub moves: Vec<(Move, u64)>,
    /// All leaves.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl Division {
    /// The leaves below each move as lines `h2e2: N`, sorted.
    pub fn by_move(&self) -> Vec<String> {
        let line = |(mv, nodes): &(Move, u64)| format!("{mv}: {nodes}");
        let mut lines: Vec<String> = self.moves.iter().map(line).collect();
        lines.sort();
        lines
    }

    /// The figures as lines `nodes N`, `time_ms T`, `nps R`.
    pub fn summary(&self) -> [String; 3] {
        let nps = self.nodes as f64 / self.time.as_secs_f64().max(1e-9);
        [
            format!("nodes {}", self.nodes),
            format!("time_ms {}", self.time.as_millis()),
            format!("nps {nps:.0}"),
        ]
    }
}

/// Counts the leaves below each move of the root on some threads, at least one.
///
/// `progress` hears how many parts out of how many are done. `None` if `stop` was set
/// before the end.
pub fn divide(
    position: &Position,
    depth: u32,
    leaves: Leaves,
    threads: usize,
    stop: &AtomicBool,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Option<Division> {
    let start = Instant::now();
    let (roots, parts) = split(position, depth);
    let counts: Vec<AtomicU64> = roots.iter().map(|_| AtomicU64::new(0)).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut position = position.clone();
        while let Some((root, path)) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            for &mv in path {
                position.make(mv);
            }
            let nodes = perft_until(&mut position, depth - path.len() as u32, leaves, stop);
            for _ in path {
                position.undo();
            }
            counts[*root].fetch_add(nodes, Ordering::Relaxed);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, parts.len());
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let moves: Vec<(Move, u64)> = roots
        .into_iter()
        .zip(counts.into_iter().map(AtomicU64::into_inner))
        .collect();
    let nodes = match depth {
        0 => 1,
        _ => moves.iter().map(|(_, nodes)| nodes).sum(),
    };
    Some(Division {
        moves,
        nodes,
        time: start.elapsed(),
    })
}

/// The moves of the root, and the beginnings of lines that share the work out: each with
/// the index of its first move.
fn split(position: &Position, depth: u32) -> (Vec<Move>, Vec<(usize, Vec<Move>)>) {
    let mut list = MoveList::new();
    if depth > 0 {
        position.legal_moves(&mut list);
    }
    let roots: Vec<Move> = list.iter().collect();
    let mut parts = Vec::new();
    let mut position = position.clone();
    for (root, &mv) in roots.iter().enumerate() {
        if depth < 3 {
            parts.push((root, vec![mv]));
            continue;
        }
        position.make(mv);
        let mut replies = MoveList::new();
        position.legal_moves(&mut replies);
        position.undo();
        parts.extend(replies.iter().map(|reply| (root, vec![mv, reply])));
    }
    (roots, parts)
}
