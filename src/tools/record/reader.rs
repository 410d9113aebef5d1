//! Reading blocks from files that may be damaged, torn or put together from others.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use super::block::{Block, HEAD, Head, MAGIC};

/// What is wrong with a part of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// No block begins there.
    NoBlock,
    /// The checksum of a block's head and settings is wrong.
    Head,
    /// The settings are not what this version knows.
    Settings(String),
    /// The checksum of a block's games is wrong.
    Games,
    /// The games are intact, but cannot be understood.
    Nonsense,
    /// The file ends within a block.
    Torn,
}

/// A part of a file that was skipped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Where it begins in the file.
    pub offset: u64,
    /// How many bytes were skipped: up to the next block, or to the end.
    pub size: u64,
    /// What is wrong.
    pub fault: Fault,
    /// Whether nothing that can be read follows.
    pub is_tail: bool,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes from offset {}: ", self.size, self.offset)?;
        match &self.fault {
            Fault::NoBlock => f.write_str("no block begins there"),
            Fault::Head => f.write_str("the checksum of the block's head is wrong"),
            Fault::Settings(error) => {
                write!(f, "the settings of the block cannot be read: {error}")
            }
            Fault::Games => f.write_str("the checksum of the block's games is wrong"),
            Fault::Nonsense => f.write_str("the games of the block cannot be understood"),
            Fault::Torn => f.write_str("the file ends within the block"),
        }
    }
}

/// Why there is no block where one was looked for.
#[derive(Debug)]
pub enum ReadError {
    /// A part of the file was skipped; reading goes on after it.
    Damage(Damage),
    /// The file cannot be read.
    Io(io::Error),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damage(damage) => damage.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The blocks of a file, intact or not, in order.
pub struct Blocks<R> {
    input: R,
    offset: u64,
    length: u64,
}

impl Blocks<BufReader<File>> {
    /// The blocks of the file.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::new(BufReader::with_capacity(1 << 16, File::open(path)?))
    }
}

impl<R: Read + Seek> Blocks<R> {
    /// The blocks of the input, from its beginning.
    ///
    /// # Errors
    /// If the input's length cannot be found.
    pub fn new(mut input: R) -> io::Result<Self> {
        let length = input.seek(SeekFrom::End(0))?;
        input.rewind()?;
        Ok(Self {
            input,
            offset: 0,
            length,
        })
    }

    /// The length of the input in bytes.
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Reads the block at the present offset; the fault if there is none.
    fn block(&mut self) -> io::Result<Result<Block, Fault>> {
        let left = self.length - self.offset;
        if left < HEAD as u64 {
            return Ok(Err(Fault::Torn));
        }
        let mut bytes = [0; HEAD];
        self.input.read_exact(&mut bytes)?;
        let Some(head) = Head::read(&bytes) else {
            let fault = match bytes.starts_with(&MAGIC) {
                true => Fault::Head,
                false => Fault::NoBlock,
            };
            return Ok(Err(fault));
        };
        if left < (HEAD + head.settings) as u64 {
            return Ok(Err(Fault::Torn));
        }
        let mut settings = vec![0; head.settings];
        self.input.read_exact(&mut settings)?;
        if !head.is_intact(&bytes, &settings) {
            return Ok(Err(Fault::Head));
        }
        if left < (HEAD + head.settings + head.games) as u64 {
            return Ok(Err(Fault::Torn));
        }
        let mut games = vec![0; head.games];
        self.input.read_exact(&mut games)?;
        if !head.has_games(&games) {
            return Ok(Err(Fault::Games));
        }
        Ok(match serde_json::from_slice(&settings) {
            Ok(settings) => head
                .block(self.offset, settings, games)
                .ok_or(Fault::Nonsense),
            Err(error) => Err(Fault::Settings(error.to_string())),
        })
    }

    /// Finds the next place, after the present offset, where a block seems to begin.
    ///
    /// The lengths in a damaged block are not trusted: a torn one may have been followed by
    /// another file.
    fn skip(&mut self, fault: Fault) -> io::Result<Damage> {
        let start = self.offset;
        let mut at = start + 1;
        let mut window = Vec::new();
        self.input.seek(SeekFrom::Start(at))?;
        self.offset = loop {
            let before = window.len();
            self.input.by_ref().take(1 << 16).read_to_end(&mut window)?;
            if let Some(found) = find(&window) {
                break at + found as u64;
            }
            if window.len() == before {
                break self.length;
            }
            let kept = window.len().min(MAGIC.len() - 1);
            at += (window.len() - kept) as u64;
            window.drain(..window.len() - kept);
        };
        self.input.seek(SeekFrom::Start(self.offset))?;
        Ok(Damage {
            offset: start,
            size: self.offset - start,
            fault,
            is_tail: self.offset == self.length,
        })
    }

    fn next_part(&mut self) -> Result<Block, ReadError> {
        match self.block()? {
            Ok(block) => {
                self.offset += block.size;
                Ok(block)
            }
            Err(fault) => Err(ReadError::Damage(self.skip(fault)?)),
        }
    }
}

fn find(window: &[u8]) -> Option<usize> {
    window.windows(MAGIC.len()).position(|bytes| bytes == MAGIC)
}

impl<R: Read + Seek> Iterator for Blocks<R> {
    type Item = Result<Block, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.offset >= self.length {
            return None;
        }
        let part = self.next_part();
        if matches!(part, Err(ReadError::Io(_))) {
            // Nothing more can be said about the rest.
            self.offset = self.length;
        }
        Some(part)
    }
}
