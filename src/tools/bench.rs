//! A fixed amount of search: its node count is a signature of the engine's play, its
//! time a measure of speed.

use std::fmt;
use std::time::{Duration, Instant};

use crate::eval::Evaluation;
use crate::position::Position;
use crate::search::{HashError, Limits, Searcher};

/// The depth that takes a few seconds.
pub const DEFAULT_DEPTH: u32 = 13;
/// The size of the table in MiB.
pub const DEFAULT_HASH_MB: usize = 16;

/// What a bench has measured.
#[derive(Clone, Copy, Debug)]
pub struct BenchResult {
    /// Nodes searched over all positions: the same on every machine.
    pub nodes: u64,
    /// The time this took.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

/// `N nodes R nps`.
impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nps())
    }
}

/// Searches the positions of [`POSITIONS`] one after the other to `depth`, with one table
/// of `megabytes` MiB that is empty at first and this evaluation. `go_on` is asked before each; `None` if it
/// refused.
///
/// # Errors
/// If the memory for the table cannot be had.
pub fn bench(
    depth: u32,
    megabytes: usize,
    evaluation: &Evaluation,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<BenchResult>, HashError> {
    let mut searcher = Searcher::new(megabytes)?;
    searcher.set_evaluation(evaluation.clone());
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let start = Instant::now();
    let mut nodes = 0;
    for position in positions() {
        if !go_on() {
            return Ok(None);
        }
        nodes += searcher.search(&position, &limits).nodes;
    }
    Ok(Some(BenchResult {
        nodes,
        time: start.elapsed(),
    }))
}

/// The positions of the bench, ready to be searched.
pub fn positions() -> impl Iterator<Item = Position> + Clone {
    POSITIONS.iter().filter_map(|fen| fen.parse().ok())
}

/// Openings, middlegames, endings, checks and mates, in this order.
pub const POSITIONS: [&str; 40] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "1rbakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/2N1C2C1/9/1RBAKABNR b - - 0 1",
    "1rbakab1r/9/n1c1c1n2/p1p1p1p1p/9/2PN5/P3P1P1P/1C2B2C1/5R3/2BAKA1NR b - - 0 1",
    "r1bakab1r/9/1cn3nc1/p3p1p1p/2p6/9/P1P1P1P1P/1C2B2CN/8R/RN1AKAB2 w - - 0 1",
    "r1baka2r/5n3/1c2b2c1/p3p1p1p/2p6/6P2/P1n1P3P/4CCN2/R8/1NBAKABR1 w - - 0 1",
    "r1bakabr1/9/1cn3nc1/p1p1p1p1p/9/6P2/P1P1P3P/1C2C1N2/9/RNBAKABR1 b - - 0 1",
    "1Rbakab1r/9/c1n3n2/p3p1p1p/2p6/6P2/P1P1P2cP/2N1C1NC1/9/2BAKAB1R b - - 0 1",
    "1rbakabnr/9/c1n4c1/pR2p1p1p/2p6/9/P1P1P1P1P/C1N4C1/9/2BAKABNR w - - 0 1",
    "r1b1kabr1/4a3c/1cn3n2/p1p1p1R1p/6p2/2P6/P3P1P1P/1CN1C1N2/9/R1BAKAB2 w - - 0 1",
    "1rbakab1r/9/1cn3nc1/pR2p1p1p/2p6/9/P1P1P1P1P/2N1C1NC1/9/2BAKAB1R b - - 0 1",
    "r1bakabnr/9/n1c6/p1p1p1p1p/1c7/7C1/P1P1P1P1P/1C2B3N/4A4/RN2KAB1R b - - 0 1",
    "rn1ak1bnr/4a4/1c2b2c1/p1C1p4/6p1p/9/P1P1P1P1P/4B2C1/4A4/RN2KABNR w - - 0 1",
    "rnbak1b1r/4a4/6nc1/p1p1p1pCp/1c7/9/P1P1P1P1P/1C2B4/4A4/RN2KABNR w - - 0 1",
    "rnbakabnr/9/4c4/p1p1p1p1p/6c2/6C2/P1P1P1P1P/4C4/4A4/RNB1KABNR b - - 0 1",
    "rn1akabnr/9/4b2c1/p1p1p1p1p/8c/P8/2P1P1P1P/1CN1B2CB/9/R2AKA1NR b - - 0 1",
    "rnbakab1r/9/1c4n2/p1p1p1p2/6c1p/9/P1P1P1P1P/1CN3NC1/9/R1BAKAB1R w - - 0 1",
    "rn1akab1r/9/1c2b1nc1/pC2p1pC1/2p5p/P8/2P1P1P1P/9/4A4/RNBAK1BNR w - - 0 1",
    "r1bakab2/6c2/2n1c1n2/pCp1pR2p/6p2/2P1P2r1/P1N3P1P/4C1N2/9/R1BAKAB2 w - - 0 1",
    "2b1kab2/4a4/2P6/p7p/n5p2/1r5C1/P3P1P1P/3A5/5N3/2rAK2R1 b - - 0 1",
    "4kaR2/4aC3/9/pr6p/2r6/9/P3c3P/4B4/4A4/1RB1KA3 w - - 0 1",
    "1R2kab2/3r3c1/4baC2/4pN2p/p2n2p2/2B6/8P/8N/2C6/3AKAB2 b - - 0 1",
    "2baka3/9/4b4/4R3p/9/4c4/5r3/N3BCn2/3RA4/3AK1B2 b - - 0 1",
    "2bak4/5r3/3a5/p7R/9/2B1C4/n7P/9/4A4/4KAB2 w - - 0 1",
    "2bakabr1/2c6/4c1n2/C3p1P1p/2p6/9/P3PR2P/Nr2B1N2/R8/2BAKA3 b - - 0 1",
    "3ak4/4aN3/9/p3n3p/1r7/9/8P/R3C4/4A4/cNcK1A3 b - - 0 1",
    "CnCk1a3/4a4/r3c4/8p/9/1R7/P3N3P/9/4An3/3AK4 w - - 0 1",
    "4ka3/3Na4/9/p3n3p/7r1/9/P8/4C3R/4A4/3A1KcNc b - - 0 1",
    "3a1kCnC/4a4/4c3r/p8/9/7R1/P3N3P/9/3nA4/4KA3 w - - 0 1",
    "2bakab2/3r5/1r4n1c/p3p3p/2PR2p2/6P2/N3P3P/C5N1C/4K4/2cA1ABR1 b - - 0 1",
    "3k1a3/4a4/9/p1n4N1/2b1p1n2/9/P3P1c2/2N1B4/8C/2BA1K3 w - - 0 1",
    "2ba1k3/8c/2n1b4/p3p1C2/9/2B1P1N2/P1N4n1/9/4A4/3K1A3 b - - 0 1",
    "3a1k3/4a4/9/1N4n1p/2n1p1b2/9/2c1P3P/4B1N2/C8/3K1AB2 w - - 0 1",
    "3k1ab2/c8/4b1n2/2C1p3p/9/2N1P1B2/1n4N1P/9/4A4/3A1K3 b - - 0 1",
    "2b1ka3/4a4/2C6/p1p1p3p/2b1P4/3N5/P3R1p1P/4C4/4A2R1/2rAK1cr1 b - - 0 1",
    "5k3/3Cc1P1r/2c2N3/9/9/9/9/9/3p2r2/3CKR3 w - - 0 1",
    "2bak1b2/4aR3/9/3NR4/9/9/9/6n2/r2r1p3/4K4 w - - 0 1",
    "2baka3/1R7/4b2nn/4R2CN/4N4/9/9/5p3/2rc4r/5K3 w - - 0 1",
    "1n1k1a3/R8/b2ab4/2R6/9/6C2/9/4C4/3pArn1c/4K4 w - - 0 1",
    "2bk5/r3aR3/n1r1b4/9/9/6R2/9/3n5/4p4/1C3K3 w - - 0 1",
    "4k3N/3Pn4/4b4/c1p3n1R/4P3r/9/5R3/5C3/2r1p4/5K3 w - - 0 1",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_can_be_read() {
        assert_eq!(positions().count(), POSITIONS.len());
    }

    #[test]
    fn the_node_count_is_the_same_every_time() {
        let bench = || bench(5, 1, &Evaluation::default(), &mut || true);
        let nodes = || bench().map(|result| result.map(|result| result.nodes));
        let first = nodes();
        assert!(first.is_ok_and(|nodes| nodes > Some(10_000)));
        assert_eq!(nodes(), first);
    }
}
