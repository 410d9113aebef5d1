//! A file of games that grows by whole blocks.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::DatagenError;
use crate::tools::record::{Block, Blocks, Fault, MAGIC, NewBlock, ReadError, Record, Settings};

/// A block is written once its games take so many bytes: some 20,000 positions.
const BLOCK_BYTES: usize = 1 << 16;

/// A file that games are appended to, by one process at a time.
pub(super) struct Shard {
    path: PathBuf,
    file: File,
    block: NewBlock,
    /// The number of the first game of `block`.
    first: u64,
    /// Bytes appended.
    pub written: u64,
}

impl Shard {
    /// Opens the file, makes it if there is none, and hands its intact blocks to `visit`.
    /// A block that was torn off at its end is cut away; `notice` hears of that and of
    /// damaged blocks, which stay.
    ///
    /// # Errors
    /// If the file cannot be read and written, another process writes to it, it is not a
    /// file of games, or `visit` refuses a block.
    pub fn open(
        path: &Path,
        notice: &mut dyn FnMut(&str),
        visit: &mut dyn FnMut(&Block) -> Result<(), DatagenError>,
    ) -> Result<Self, DatagenError> {
        let failed = |error| DatagenError::File(path.to_owned(), error);
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(DatagenError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        if !begins_like_a_block(&file).map_err(failed)? {
            return Err(DatagenError::Foreign(path.to_owned()));
        }
        for part in Blocks::new(BufReader::new(&file)).map_err(failed)? {
            match part {
                Ok(block) => visit(&block)?,
                Err(ReadError::Damage(damage)) => {
                    let cut = damage.is_tail && damage.fault == Fault::Torn;
                    if cut {
                        file.set_len(damage.offset).map_err(failed)?;
                    }
                    let done = if cut { " (cut off)" } else { " (skipped)" };
                    notice(&format!("{}: {damage}{done}", path.display()));
                }
                Err(ReadError::Io(error)) => return Err(failed(error)),
            }
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            block: NewBlock::default(),
            first: 0,
            written: 0,
        })
    }

    /// Appends a game, whose number is one more than the last one's unless a block was
    /// written in between. Says whether this filled a block, which is now on the disk.
    pub fn push(
        &mut self,
        settings: &Settings,
        number: u64,
        record: &Record,
    ) -> Result<bool, DatagenError> {
        if self.block.games() == 0 {
            self.first = number;
        }
        self.block.push(record);
        let full = self.block.size() >= BLOCK_BYTES;
        if full {
            self.write_block(settings)?;
        }
        Ok(full)
    }

    /// Writes the games that no block has yet.
    pub fn write_block(&mut self, settings: &Settings) -> Result<(), DatagenError> {
        if self.block.games() == 0 {
            return Ok(());
        }
        let block = std::mem::take(&mut self.block);
        let bytes = block
            .to_bytes(settings, self.first)
            .map_err(|error| DatagenError::File(self.path.clone(), error.into()))?;
        self.file
            .write_all(&bytes)
            .and_then(|()| self.file.sync_data())
            .map_err(|error| DatagenError::File(self.path.clone(), error))?;
        self.written += bytes.len() as u64;
        Ok(())
    }
}

/// Whether the file is empty or begins as files of games do, even if it was torn off there.
fn begins_like_a_block(mut file: &File) -> std::io::Result<bool> {
    let mut start = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(MAGIC.starts_with(&start))
}
