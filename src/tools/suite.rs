//! Checking perft counts against files of known ones.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::perft::{Leaves, divide};
use crate::position::{FenError, Position};

/// A position and how many leaves its tree has.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it was read.
    pub place: Place,
    /// The position.
    pub position: Position,
    /// Depths with the right counts.
    pub counts: Vec<(u32, u64)>,
}

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// Why a suite cannot be run.
#[derive(Debug)]
pub enum SuiteError {
    /// The file cannot be read.
    Unreadable(PathBuf, std::io::Error),
    /// The FEN was refused.
    Fen(Place, FenError),
    /// Something after a `;` is not `D`, a depth, a blank and a count.
    Count(Place, String),
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(file, error) => write!(f, "{}: {error}", file.display()),
            Self::Fen(place, error) => write!(f, "{place}: {error}"),
            Self::Count(place, text) => {
                write!(
                    f,
                    "{place}: {text:?} is not a depth and a count such as D3 79666"
                )
            }
        }
    }
}

impl std::error::Error for SuiteError {}

/// Reads a file of lines `FEN ;D1 n ;D2 n …`; blank ones and those with `#` first are
/// skipped.
///
/// # Errors
/// If the file cannot be read or a line of it cannot be understood.
pub fn read_suite(file: &Path) -> Result<Vec<Entry>, SuiteError> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| SuiteError::Unreadable(file.to_owned(), error))?;
    let mut entries = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let place = Place {
            file: file.to_owned(),
            line: index + 1,
        };
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().unwrap_or_default();
        let position = match fen.parse() {
            Ok(position) => position,
            Err(error) => return Err(SuiteError::Fen(place, error)),
        };
        let mut counts = Vec::new();
        for field in fields {
            match read_count(field) {
                Some(count) => counts.push(count),
                None => return Err(SuiteError::Count(place, field.to_owned())),
            }
        }
        entries.push(Entry {
            place,
            position,
            counts,
        });
    }
    Ok(entries)
}

fn read_count(field: &str) -> Option<(u32, u64)> {
    let (depth, nodes) = field.strip_prefix('D')?.split_once(' ')?;
    Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
}

impl Entry {
    /// Drops the counts that would take too long.
    pub fn limit(&mut self, max_depth: u32, max_nodes: u64) {
        self.counts
            .retain(|&(depth, nodes)| depth <= max_depth && nodes <= max_nodes);
    }

    /// The leaves that a check counts.
    pub fn cost(&self) -> u64 {
        self.counts.iter().map(|(_, nodes)| nodes).sum()
    }

    /// Counts and reports every difference, as depth, right count, own count.
    pub fn check(&self, leaves: Leaves, threads: usize) -> Vec<(u32, u64, u64)> {
        let never = AtomicBool::new(false);
        self.counts
            .iter()
            .filter_map(|&(depth, right)| {
                let own = divide(&self.position, depth, leaves, threads, &never, &|_, _| {})?;
                (own.nodes != right).then_some((depth, right, own.nodes))
            })
            .collect()
    }
}
