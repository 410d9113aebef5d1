//! The transposition table: one relaxed atomic word per entry, clusters of four.
//!
//! A word is written and read whole, so no entry can be torn and no lock is needed.
//! The 18 bits of the key that a word keeps do not exclude a wrong hit: a move that
//! comes out of the table has to be tested for legality before it is made.

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use super::Bound;
use super::memory::{prefer_large_pages, prefetch};
use crate::types::{MATE_IN_MAX_PLY, Move, RULE_WIN_IN_MAX_PLY, Value};

const CLUSTER: usize = 4;
const CLUSTER_BYTES: usize = CLUSTER * size_of::<u64>();
/// Words of slack, so that clusters start on a cache line wherever the memory starts.
const SLACK: usize = 8;
/// Clusters of a chunk, 64 MiB.
const CHUNK: usize = (64 << 20) / CLUSTER_BYTES;
const KEY_MASK: u64 = (1 << 18) - 1;
const AGES: u8 = 32;
/// How many plies of depth an entry loses in the choice of a victim for each search it is old.
const AGE_WEIGHT: i32 = 4;
/// A new bound replaces a deeper entry of the same position only if it lacks less than this.
const DEPTH_SLACK: i32 = 4;

/// The memory for a table could not be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashError {
    /// The size asked for, in MiB.
    pub megabytes: usize,
}

impl fmt::Display for HashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for a hash table of {} MB", self.megabytes)
    }
}

impl std::error::Error for HashError {}

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hit {
    pub(super) mv: Option<Move>,
    pub(super) value: Value,
    pub(super) depth: i32,
    pub(super) bound: Bound,
    /// Whether the position was once part of a principal variation.
    pub(super) pv: bool,
}

/// A word: key 18 bits, move 14, value 16, depth 8, bound 2, pv 1, age 5. The bound of a
/// stored entry is never 0, so the word 0 means an empty slot.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    fn new(key: u64, hit: &Hit, age: u8) -> Self {
        let bound: u64 = match hit.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        Self(
            key & KEY_MASK
                | u64::from(hit.mv.map_or(0, Move::bits)) << 18
                | u64::from(hit.value as i16 as u16) << 32
                | (hit.depth.clamp(0, 255) as u64) << 48
                | bound << 56
                | u64::from(hit.pv) << 58
                | u64::from(age) << 59,
        )
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn has_key(self, key: u64) -> bool {
        (self.0 ^ key) & KEY_MASK == 0
    }

    fn mv(self) -> Option<Move> {
        Move::from_bits((self.0 >> 18) as u16 & 0x3fff)
    }

    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8)
    }

    fn age(self) -> u8 {
        (self.0 >> 59) as u8
    }

    fn hit(self) -> Option<Hit> {
        let bound = match self.0 >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Hit {
            mv: self.mv(),
            value: Value::from((self.0 >> 32) as i16),
            depth: self.depth(),
            bound,
            pv: self.0 >> 58 & 1 == 1,
        })
    }
}

/// A part of the table.
///
/// While the system takes memory back, a process gets no other: a large table given back
/// as a whole would hold up the next allocation for as long as that takes.
struct Chunk {
    words: Box<[AtomicU64]>,
    /// The first word of the first cluster.
    start: usize,
}

impl Chunk {
    /// Zeroed memory for so many clusters, as the system gives it, not touched.
    fn new(clusters: usize) -> Option<Self> {
        let words = zeroed(clusters.checked_mul(CLUSTER)?.checked_add(SLACK)?)?;
        prefer_large_pages(&words);
        let start = words.as_ptr().align_offset(64).min(SLACK);
        Some(Self { words, start })
    }
}

fn zeroed(words: usize) -> Option<Box<[AtomicU64]>> {
    bytemuck::allocation::try_zeroed_slice_box(words).ok()
}

/// The transposition table.
pub(super) struct Table {
    chunks: Vec<Chunk>,
    clusters: usize,
    megabytes: usize,
    age: AtomicU8,
}

impl Table {
    /// An empty table of this many MiB, at least one.
    ///
    /// The memory comes zeroed from the system and is not touched here, so that even
    /// the largest table is there at once.
    pub(super) fn new(megabytes: usize) -> Result<Self, HashError> {
        let megabytes = megabytes.max(1);
        let failed = HashError { megabytes };
        let clusters = megabytes.checked_mul(1 << 20).ok_or(failed)? / CLUSTER_BYTES;
        // The system refuses what is plainly too much only when it is asked for at once.
        let whole = std::hint::black_box(zeroed(clusters * CLUSTER));
        drop(whole.ok_or(failed)?);
        let chunks: Option<Vec<Chunk>> = (0..clusters)
            .step_by(CHUNK)
            .map(|first| Chunk::new(CHUNK.min(clusters - first)))
            .collect();
        Ok(Self {
            chunks: chunks.ok_or(failed)?,
            clusters,
            megabytes,
            age: AtomicU8::new(0),
        })
    }

    pub(super) fn megabytes(&self) -> usize {
        self.megabytes
    }

    /// Takes possession of the memory. The system gives each page only when it is first
    /// written to, and may take a millisecond or more to find a large one.
    pub(super) fn touch(&self) {
        const PAGE: usize = 4096 / size_of::<u64>();
        for chunk in &self.chunks {
            for word in chunk.words.iter().step_by(PAGE) {
                word.fetch_or(0, Relaxed);
            }
        }
    }

    /// Empties the table in place.
    pub(super) fn clear(&self) {
        for word in self.chunks.iter().flat_map(|chunk| &chunk.words) {
            word.store(0, Relaxed);
        }
        self.age.store(0, Relaxed);
    }

    /// Starts a new search: what the table holds is one search older.
    pub(super) fn grow_older(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &[AtomicU64] {
        // The high bits of the key choose the cluster, the low ones tell its entries apart.
        let index = ((u128::from(key) * self.clusters as u128) >> 64) as usize;
        let chunk = &self.chunks[index / CHUNK];
        let first = chunk.start + index % CHUNK * CLUSTER;
        &chunk.words[first..first + CLUSTER]
    }

    /// Gets ready for a look at the position with this key.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        if let Some(word) = self.cluster(key).first() {
            prefetch(word);
        }
    }

    /// What is known of the position with this key, `ply` plies from the root.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Hit> {
        let word = self
            .cluster(key)
            .iter()
            .map(|word| Word(word.load(Relaxed)))
            .find(|word| word.has_key(key) && !word.is_empty())?;
        let mut hit = word.hit()?;
        hit.value = from_table(hit.value, ply);
        Some(hit)
    }

    /// Notes what a search has found.
    ///
    /// Wins and losses by rule depend on the path to the position; they are not kept.
    #[inline]
    pub(super) fn store(&self, key: u64, ply: usize, mut hit: Hit) {
        if depends_on_path(hit.value) {
            return;
        }
        hit.value = to_table(hit.value, ply);
        let age = self.age.load(Relaxed);
        let mut victim = None;
        let mut lowest = i32::MAX;
        for slot in self.cluster(key) {
            let word = Word(slot.load(Relaxed));
            if word.is_empty() || word.has_key(key) {
                victim = Some((slot, word));
                break;
            }
            let worth = word.depth() - AGE_WEIGHT * i32::from(age.wrapping_sub(word.age()) % AGES);
            if worth < lowest {
                lowest = worth;
                victim = Some((slot, word));
            }
        }
        let Some((slot, old)) = victim else {
            return;
        };
        if !old.is_empty() && old.has_key(key) {
            let worse = hit.bound != Bound::Exact
                && hit.depth + DEPTH_SLACK <= old.depth()
                && old.age() == age;
            if worse {
                return;
            }
            hit.mv = hit.mv.or(old.mv());
        }
        slot.store(Word::new(key, &hit, age).0, Relaxed);
    }

    /// How many of a thousand entries this search has written.
    pub(super) fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = self
            .chunks
            .iter()
            .flat_map(|chunk| &chunk.words[chunk.start..]);
        let used = |word: &AtomicU64| {
            let word = Word(word.load(Relaxed));
            !word.is_empty() && word.age() == age
        };
        sample.take(1000).filter(|word| used(word)).count() as u32
    }
}

/// Whether the value is a win or loss by the rules of repetition.
pub(super) fn depends_on_path(value: Value) -> bool {
    (RULE_WIN_IN_MAX_PLY..MATE_IN_MAX_PLY).contains(&value.abs())
}

/// Mates are kept as their distance from the position, not from the root.
fn to_table(value: Value, ply: usize) -> Value {
    if value >= MATE_IN_MAX_PLY {
        value + ply as Value
    } else if value <= -MATE_IN_MAX_PLY {
        value - ply as Value
    } else {
        value
    }
}

fn from_table(value: Value, ply: usize) -> Value {
    if value >= MATE_IN_MAX_PLY {
        value - ply as Value
    } else if value <= -MATE_IN_MAX_PLY {
        value + ply as Value
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{RULE_WIN, Square, mated_in, mates_in};

    fn hit(value: Value, depth: i32, bound: Bound) -> Hit {
        Hit {
            mv: Move::new(Square::H2, Square::E2),
            value,
            depth,
            bound,
            pv: false,
        }
    }

    #[test]
    fn what_is_stored_is_found_again_by_its_own_key_only() {
        let table = Table::new(1).expect("a megabyte");
        let key = 0x1234_5678_9abc_def0;
        assert_eq!(table.probe(key, 0), None);
        for value in [-29_000, -1, 0, 1, 29_000] {
            for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
                let mut entry = hit(value, 7, bound);
                entry.pv = value > 0;
                table.clear();
                table.store(key, 3, entry);
                assert_eq!(table.probe(key, 5), Some(entry));
                assert_eq!(table.probe(key ^ 1, 5), None);
            }
        }
    }

    #[test]
    fn no_key_hits_an_empty_table() {
        let table = Table::new(1).expect("a megabyte");
        for key in [0, 1, u64::MAX, 1 << 18, 0x5555_5555_5555_5555] {
            assert_eq!(table.probe(key, 0), None);
        }
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn mates_are_told_from_the_probing_node() {
        let table = Table::new(1).expect("a megabyte");
        table.store(9, 4, hit(mates_in(9), 3, Bound::Lower));
        table.store(u64::MAX, 4, hit(mated_in(10), 3, Bound::Upper));
        assert_eq!(table.probe(9, 6).map(|h| h.value), Some(mates_in(11)));
        assert_eq!(table.probe(u64::MAX, 0).map(|h| h.value), Some(mated_in(6)));
    }

    #[test]
    fn wins_by_rule_are_not_kept() {
        let table = Table::new(1).expect("a megabyte");
        table.store(9, 4, hit(RULE_WIN - 9, 3, Bound::Lower));
        table.store(9, 4, hit(9 - RULE_WIN, 3, Bound::Upper));
        assert_eq!(table.probe(9, 4), None);
    }

    #[test]
    fn a_full_cluster_gives_up_its_shallowest_and_then_its_oldest_entry() {
        let table = Table::new(1).expect("a megabyte");
        for key in 1..=4 {
            table.store(key, 0, hit(0, 10 + key as i32, Bound::Exact));
        }
        table.store(5, 0, hit(0, 1, Bound::Exact));
        assert_eq!(table.probe(1, 0), None);
        table.store(6, 0, hit(0, 9, Bound::Exact));
        assert_eq!(table.probe(5, 0), None);
        for _ in 0..4 {
            table.grow_older();
        }
        table.store(4, 0, hit(0, 13, Bound::Exact));
        table.store(7, 0, hit(0, 1, Bound::Exact));
        table.store(8, 0, hit(0, 2, Bound::Exact));
        table.store(9, 0, hit(0, 3, Bound::Exact));
        assert!(table.probe(4, 0).is_some());
        assert_eq!(
            table
                .probe(3, 0)
                .or(table.probe(2, 0))
                .or(table.probe(6, 0)),
            None
        );
    }

    #[test]
    fn a_shallow_bound_does_not_replace_a_deep_entry_of_this_search() {
        let table = Table::new(1).expect("a megabyte");
        table.store(5, 0, hit(30, 12, Bound::Exact));
        table.store(5, 0, hit(10, 2, Bound::Lower));
        assert_eq!(table.probe(5, 0).map(|h| h.depth), Some(12));
        table.grow_older();
        table.store(5, 0, hit(10, 2, Bound::Lower));
        assert_eq!(table.probe(5, 0).map(|h| h.depth), Some(2));
    }

    #[test]
    fn the_size_is_exact_and_an_impossible_one_is_an_error() {
        for megabytes in [1, 3, 64, 130] {
            let table = Table::new(megabytes).expect("not much memory");
            assert_eq!(table.clusters * CLUSTER_BYTES, megabytes << 20);
            for key in [0, 1 << 63, u64::MAX] {
                table.store(key, 0, hit(5, 1, Bound::Exact));
                assert!(table.probe(key, 0).is_some());
            }
        }
        for megabytes in [1 << 40, usize::MAX] {
            // An allocation that nobody looks at may be left out and so seem to succeed.
            let table = std::hint::black_box(Table::new(megabytes));
            assert_eq!(table.err(), Some(HashError { megabytes }));
        }
    }

    #[test]
    fn hashfull_counts_this_search_only() {
        let table = Table::new(1).expect("a megabyte");
        for i in 0..250_u64 {
            // Multiples of 2^64 / clusters: one for each of the first clusters.
            table.store((i << 49) | 1, 0, hit(0, 1, Bound::Exact));
        }
        assert_eq!(table.hashfull(), 250);
        table.grow_older();
        assert_eq!(table.hashfull(), 0);
    }
}
