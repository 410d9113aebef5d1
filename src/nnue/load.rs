//! Where nets come from: the program itself, or a file.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use once_cell::sync::Lazy;

use super::{MAX_FILE, Network, NetworkError};

/// The file of the net inside the program. With `Some(include_bytes!("vermilion.nnue"))`
/// that net is what the engine evaluates with unless something else is said; with `None`
/// it is the hand-written evaluation.
pub const EMBEDDED: Option<&[u8]> = Some(include_bytes!("vermilion.nnue"));

/// The net inside the program, if there is one.
///
/// # Panics
/// If [`EMBEDDED`] is no net.
pub fn embedded() -> Option<Arc<Network>> {
    static NETWORK: Lazy<Option<Arc<Network>>> = Lazy::new(|| {
        let network = Network::read(EMBEDDED?).expect("the embedded file is a net");
        Some(Arc::new(network))
    });
    NETWORK.clone()
}

/// Reads a net from a regular file.
///
/// # Errors
/// If the file cannot be read or has no net.
pub fn load(path: &Path) -> Result<Network, LoadError> {
    let failed = |reason| LoadError {
        path: path.to_owned(),
        reason,
    };
    let bytes = read(path).map_err(|error| failed(Reason::File(error)))?;
    Network::read(&bytes).map_err(|error| failed(Reason::Network(error)))
}

/// As much of a file as a net can be long, and a byte.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    // Opening a pipe would wait for somebody who writes to it.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_FILE as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Why a file gives no net.
#[derive(Debug)]
pub struct LoadError {
    path: PathBuf,
    reason: Reason,
}

#[derive(Debug)]
enum Reason {
    File(io::Error),
    Network(NetworkError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.reason {
            Reason::File(error) => error.fmt(f),
            Reason::Network(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_file_is_a_net_of_at_most_eight_megabytes() {
        assert_eq!(embedded().is_some(), EMBEDDED.is_some());
        assert!(EMBEDDED.is_none_or(|file| file.len() <= 8_000_000));
    }
}
