//! The one writer of the output.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::dialect::Dialect;
use super::input::Input;
use super::log_file::{Direction, LogFile};

/// The longest line that is written: uci2wb, among others, reads into 2,048 bytes.
const MAX_LINE: usize = 1_990;

/// Writes whole lines, each at once, in the dialect that is spoken, and keeps the record
/// of the traffic. Searches and the loop share it.
pub struct Output {
    ucci: AtomicBool,
    inner: Mutex<Inner>,
}

struct Inner {
    stream: Box<dyn Write + Send>,
    log: Option<LogFile>,
    hang_up: Option<Sender<Input>>,
}

impl Output {
    /// An output in UCI; `hang_up` is told once when the stream takes no more.
    pub fn new(stream: impl Write + Send + 'static, hang_up: Sender<Input>) -> Self {
        Self {
            ucci: AtomicBool::new(false),
            inner: Mutex::new(Inner {
                stream: Box::new(stream),
                log: None,
                hang_up: Some(hang_up),
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The dialect that is spoken.
    pub fn dialect(&self) -> Dialect {
        if self.ucci.load(Ordering::Relaxed) {
            Dialect::Ucci
        } else {
            Dialect::Uci
        }
    }

    /// Speaks this dialect from now on.
    pub fn speak(&self, dialect: Dialect) {
        self.ucci.store(dialect == Dialect::Ucci, Ordering::Relaxed);
    }

    /// Records the traffic from now on, or no longer.
    pub fn set_log(&self, log: Option<LogFile>) {
        self.lock().log = log;
    }

    /// Records a line that came in.
    pub fn heard(&self, line: &[u8]) {
        log::trace!("> {}", line.escape_ascii());
        self.lock().record(Direction::In, line);
    }

    /// Writes a line.
    pub fn line(&self, text: &str) {
        self.lines(&[text]);
    }

    /// Writes lines that nothing comes between.
    pub fn lines(&self, texts: &[impl AsRef<str>]) {
        let mut inner = self.lock();
        let mut block = String::new();
        for text in texts {
            let line = presentable(text.as_ref());
            log::trace!("< {line}");
            inner.record(Direction::Out, line.as_bytes());
            block.push_str(&line);
            block.push('\n');
        }
        inner.write(&block);
    }

    /// Writes and records nothing from now on.
    pub fn close(&self) {
        let mut inner = self.lock();
        inner.stream = Box::new(io::sink());
        inner.log = None;
    }

    /// Writes free text for a person.
    pub fn notice(&self, text: &str) {
        self.line(&self.dialect().notice(text));
    }
}

impl Inner {
    fn write(&mut self, text: &str) {
        let written = self.stream.write_all(text.as_bytes());
        if written.and_then(|()| self.stream.flush()).is_err()
            && let Some(loop_) = self.hang_up.take()
        {
            let _ = loop_.send(Input::HungUp);
        }
    }

    /// A record that cannot be written is given up.
    fn record(&mut self, direction: Direction, line: &[u8]) {
        if let Some(log) = &mut self.log
            && let Err(error) = log.record(direction, line)
        {
            log::warn!("the log file is closed: {error}");
            self.log = None;
        }
    }
}

/// The text as one line that every client can read: no control characters, not too long.
fn presentable(text: &str) -> String {
    let mut line: String = text
        .chars()
        .map(|letter| if letter.is_control() { '?' } else { letter })
        .collect();
    if line.len() > MAX_LINE {
        let is_boundary = |&end: &usize| line.is_char_boundary(end);
        let cut = (0..=MAX_LINE).rev().find(is_boundary).unwrap_or(0);
        // Between words, so that no move is cut in two.
        line.truncate(line[..cut].rfind(' ').unwrap_or(cut));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_between_words_and_freed_of_control_characters() {
        assert_eq!(presentable("a\r\n\0b"), "a???b");
        let long = presentable(&" h2e2".repeat(1000));
        assert!(long.len() <= MAX_LINE && long.ends_with(" h2e2"));
        let wide = presentable(&"象".repeat(1000));
        assert!(wide.len() <= MAX_LINE && wide.chars().all(|letter| letter == '象'));
    }
}
