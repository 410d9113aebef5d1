//! The record of all traffic that the option `Log File` asks for.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Which way a line went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the GUI.
    In,
    /// To the GUI.
    Out,
}

/// A file that lines are appended to, each with its time (UTC) and direction.
#[derive(Debug)]
pub struct LogFile(File);

impl LogFile {
    /// Opens the file, or creates it. Only a regular file will do: a pipe that nobody
    /// reads would block the caller.
    pub fn open(path: &Path) -> io::Result<Self> {
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other("not a regular file"));
        }
        File::options()
            .append(true)
            .create(true)
            .open(path)
            .map(Self)
    }

    /// Appends a line, whole, so that several processes can share a file.
    pub fn record(&mut self, direction: Direction, line: &[u8]) -> io::Result<()> {
        let mut text = timestamp(SystemTime::now()).into_bytes();
        text.extend_from_slice(match direction {
            Direction::In => b" > ",
            Direction::Out => b" < ",
        });
        text.extend_from_slice(line);
        text.push(b'\n');
        self.0.write_all(&text)
    }
}

/// The path in these bytes: exactly these on Unix; elsewhere UTF-8 or, since the GUIs of Chinese
/// Windows write their own code page, GBK.
pub fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
    }
    #[cfg(not(unix))]
    {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => encoding_rs::GBK.decode_without_bom_handling(bytes).0,
        };
        PathBuf::from(text.as_ref())
    }
}

/// A time as `2026-01-31T09:05:00.123Z`.
fn timestamp(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs();
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let millis = since.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// Year, month and day that are so many days after 1970-01-01.
fn date(mut days: u64) -> (u64, u64, u64) {
    let mut year = 1970;
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    loop {
        let length = 365 + u64::from(is_leap(year));
        if days < length {
            break;
        }
        days -= length;
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_are_written_in_full() {
        let at = |seconds: u64, millis: u64| {
            timestamp(UNIX_EPOCH + Duration::from_secs(seconds) + Duration::from_millis(millis))
        };
        assert_eq!(at(0, 7), "1970-01-01T00:00:00.007Z");
        assert_eq!(at(951_782_400, 0), "2000-02-29T00:00:00.000Z");
        assert_eq!(at(1_767_225_599, 999), "2025-12-31T23:59:59.999Z");
        assert_eq!(at(4_107_542_400, 0), "2100-03-01T00:00:00.000Z");
    }
}
