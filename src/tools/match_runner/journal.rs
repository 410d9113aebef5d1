//! The journal: a line of JSON for the terms of the match, and one for each finished game.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::MatchError;
use super::record::GameRecord;
use super::schedule::Schedule;
use super::settings::Terms;

/// An open journal.
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the journal, or starts it if there is none, and returns the games that it
    /// tells. A last line that was cut off when the runner was killed is dropped.
    ///
    /// # Errors
    /// If the file cannot be read or written, another runner has it open, it belongs to a
    /// match with other terms, or is damaged anywhere but in its last line.
    pub fn open(
        path: &Path,
        terms: &Terms,
        schedule: &Schedule,
    ) -> Result<(Self, Vec<GameRecord>), MatchError> {
        let failed = |error| MatchError::File(path.to_owned(), error);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(MatchError::JournalInUse(path.to_owned()));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let mut journal = Self {
            path: path.to_owned(),
            file,
        };
        if bytes.is_empty() {
            journal.append_line(&serde_json::to_string(terms))?;
            return Ok((journal, Vec::new()));
        }
        let whole = bytes.iter().rposition(|&byte| byte == b'\n');
        let whole = whole.map_or(0, |end| end + 1);
        let games = journal.read(&bytes[..whole], terms, schedule)?;
        // Only now is it certain that the file is a journal, and this one.
        journal.file.set_len(whole as u64).map_err(failed)?;
        journal.file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok((journal, games))
    }

    fn read(
        &self,
        bytes: &[u8],
        terms: &Terms,
        schedule: &Schedule,
    ) -> Result<Vec<GameRecord>, MatchError> {
        let damaged = |line: usize, why: String| MatchError::Journal(self.path.clone(), line, why);
        let text = std::str::from_utf8(bytes).map_err(|error| damaged(1, error.to_string()))?;
        let mut lines = text.lines().enumerate();
        let header = lines.next().map_or("", |(_, line)| line);
        self.compare(header, terms)?;
        let mut seen = vec![false; schedule.fixtures.len()];
        let mut games = Vec::new();
        for (index, line) in lines {
            let game: GameRecord = serde_json::from_str(line)
                .map_err(|error| damaged(index + 1, error.to_string()))?;
            let fixture = schedule.fixtures.get(game.number);
            if fixture.is_none_or(|f| (f.red, f.black) != (game.red, game.black)) {
                let why = format!("game {} is not in the schedule", game.number + 1);
                return Err(damaged(index + 1, why));
            }
            if std::mem::replace(&mut seen[game.number], true) {
                let why = format!("game {} is there twice", game.number + 1);
                return Err(damaged(index + 1, why));
            }
            games.push(game);
        }
        Ok(games)
    }

    /// Compares the journal's terms with those of this run, and names the first difference.
    fn compare(&self, header: &str, terms: &Terms) -> Result<(), MatchError> {
        let damaged = |why: String| MatchError::Journal(self.path.clone(), 1, why);
        let then: Value =
            serde_json::from_str(header).map_err(|error| damaged(error.to_string()))?;
        let now = serde_json::to_value(terms).map_err(|error| damaged(error.to_string()))?;
        let difference = now
            .as_object()
            .into_iter()
            .flatten()
            .find_map(|(key, now)| {
                let then = then.get(key).unwrap_or(&Value::Null);
                (then != now).then(|| (key.clone(), then.to_string(), now.to_string()))
            });
        match difference {
            None => Ok(()),
            Some((option, then, now)) => Err(MatchError::OtherTerms {
                path: self.path.clone(),
                option,
                then,
                now,
            }),
        }
    }

    /// Adds a game; when this returns it is on the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), MatchError> {
        self.append_line(&serde_json::to_string(game))
    }

    fn append_line(&mut self, line: &serde_json::Result<String>) -> Result<(), MatchError> {
        let failed = |error| MatchError::File(self.path.clone(), error);
        let line = match line {
            Ok(line) => format!("{line}\n"),
            Err(error) => return Err(failed(std::io::Error::other(error.to_string()))),
        };
        self.file.write_all(line.as_bytes()).map_err(failed)?;
        self.file.sync_data().map_err(failed)
    }
}
