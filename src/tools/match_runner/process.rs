//! An engine's process: lines in and out, with the time at which they came.

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::spec::EngineSpec;

/// A line is cut here: no reply of any engine comes near it.
const MAX_LINE: usize = 16 * 1024;
/// Lines that wait to be read; beyond it info lines are dropped and the engine waits with others.
const MAX_QUEUE: usize = 1024;
/// What an engine may write in answer to one command. Past it the output counts as endless.
const MAX_ANSWER: u64 = 64 << 20;
/// How many of an engine's last lines are kept for the record of a failure.
const TAIL: usize = 24;
/// How often a wait looks whether the match is being broken off.
const SLICE: Duration = Duration::from_millis(100);
/// How long an engine may take to go after `quit`.
const GOODBYE: Duration = Duration::from_secs(1);

/// Whether the running games are to be broken off.
pub type Interrupt = Arc<AtomicBool>;

/// Why nothing more came from an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProcessError {
    /// The program could not be started.
    NotStarted(String),
    /// No line came in time.
    Silent,
    /// It closed its output, and this is what became of it.
    Gone(String),
    /// Its output does not end.
    Endless,
    /// The match is being broken off.
    Interrupted,
}

impl fmt::Display for ProcessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(reason) => write!(f, "could not be started: {reason}"),
            Self::Silent => f.write_str("did not answer"),
            Self::Gone(how) => f.write_str(how),
            Self::Endless => write!(f, "wrote more than {} MiB at a time", MAX_ANSWER >> 20),
            Self::Interrupted => f.write_str("was interrupted"),
        }
    }
}

/// The record of all traffic, shared by all engines.
pub struct TrafficLog {
    start: Instant,
    file: Mutex<BufWriter<File>>,
}

impl TrafficLog {
    /// A log that writes to the file, with times from now on.
    pub fn new(file: File) -> Self {
        Self {
            start: Instant::now(),
            file: Mutex::new(BufWriter::new(file)),
        }
    }

    fn write(&self, name: &str, direction: char, text: &str, at: Instant) {
        let seconds = at.saturating_duration_since(self.start).as_secs_f64();
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let written = writeln!(file, "{seconds:.6} {name} {direction} {text}");
        if let Err(error) = written.and_then(|()| file.flush()) {
            log::warn!("the traffic log: {error}");
        }
    }
}

/// A line and when it came.
pub struct Line {
    /// The text without blanks at its ends.
    pub text: String,
    /// When it was read from the pipe.
    pub at: Instant,
}

/// What one engine's threads share.
struct Shared {
    name: String,
    tail: Mutex<VecDeque<String>>,
    bytes: AtomicU64,
    log: Option<Arc<TrafficLog>>,
}

impl Shared {
    fn note(&self, direction: char, text: &str, at: Instant) {
        let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        if tail.len() == TAIL {
            tail.pop_front();
        }
        tail.push_back(format!("{direction} {text}"));
        drop(tail);
        if let Some(log) = &self.log {
            log.write(&self.name, direction, text, at);
        }
    }
}

/// A running engine. Dropping it kills the process and those it has started.
pub struct EngineProcess {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<Line>,
    /// Reads standard error.
    errors: JoinHandle<()>,
    shared: Arc<Shared>,
    mark: u64,
    interrupt: Interrupt,
}

impl EngineProcess {
    /// Starts the program.
    ///
    /// # Errors
    /// If the system cannot start it.
    pub fn start(
        spec: &EngineSpec,
        label: String,
        log: Option<Arc<TrafficLog>>,
        interrupt: Interrupt,
    ) -> Result<Self, ProcessError> {
        let mut child = command(spec)
            .spawn()
            .map_err(|error| ProcessError::NotStarted(error.to_string()))?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(ProcessError::NotStarted("no pipes".into()));
        };
        let shared = Arc::new(Shared {
            name: label,
            tail: Mutex::default(),
            bytes: AtomicU64::new(0),
            log,
        });
        let (sender, lines) = sync_channel(MAX_QUEUE);
        let for_stdout = Arc::clone(&shared);
        thread::spawn(move || read_output(stdout, &for_stdout, &sender));
        let for_stderr = Arc::clone(&shared);
        let errors = thread::spawn(move || {
            each_line(stderr, &for_stderr, |text, at| {
                for_stderr.note('!', &text, at);
                true
            });
        });
        Ok(Self {
            child,
            stdin,
            lines,
            errors,
            shared,
            mark: 0,
            interrupt,
        })
    }

    /// Sends a line and says when. An engine that has gone is noticed by [`Self::receive`].
    pub fn send(&mut self, text: &str) -> Instant {
        self.mark = self.shared.bytes.load(Ordering::Relaxed);
        let at = Instant::now();
        let mut line = String::with_capacity(text.len() + 1);
        line.push_str(text);
        line.push('\n');
        if let Err(error) = self.stdin.write_all(line.as_bytes()) {
            log::debug!("{}: {text}: {error}", self.shared.name);
        }
        self.shared.note('<', text, at);
        at
    }

    /// The next line.
    ///
    /// # Errors
    /// If none comes before the deadline, the output ends or does not end, or the match is
    /// being broken off.
    pub fn receive(&mut self, deadline: Instant) -> Result<Line, ProcessError> {
        loop {
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(ProcessError::Interrupted);
            }
            if self.shared.bytes.load(Ordering::Relaxed) - self.mark > MAX_ANSWER {
                return Err(ProcessError::Endless);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(SLICE)) {
                Ok(line) => return Ok(self.noted(line)),
                Err(RecvTimeoutError::Timeout) if left <= SLICE => {
                    return Err(ProcessError::Silent);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(ProcessError::Gone(self.fate()));
                }
            }
        }
    }

    /// The lines that are there already; no more than the queue holds, if new ones keep coming.
    pub fn waiting(&mut self) -> impl Iterator<Item = Line> + '_ {
        (0..MAX_QUEUE).map_while(|_| {
            let line = self.lines.try_recv().ok()?;
            Some(self.noted(line))
        })
    }

    fn noted(&self, line: Line) -> Line {
        self.shared.note('>', &line.text, line.at);
        line
    }

    /// Whether the process still runs.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// What became of an engine whose output has ended.
    fn fate(&mut self) -> String {
        let deadline = Instant::now() + Duration::from_millis(500);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    // Its last words may still be on their way to the tail.
                    while !self.errors.is_finished() && Instant::now() < deadline {
                        thread::sleep(Duration::from_millis(1));
                    }
                    return format!("ended by itself ({status})");
                }
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => return "closed its output".into(),
            }
        }
    }

    /// Its last lines: `<` what it was sent, `>` what it said, `!` what it wrote to
    /// standard error.
    pub fn tail(&self) -> Vec<String> {
        let tail = self
            .shared
            .tail
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        tail.iter().cloned().collect()
    }

    /// Asks the engine to go, and kills it if it does not.
    pub fn quit(mut self) {
        self.send("quit");
        let deadline = Instant::now() + GOODBYE;
        while self.is_alive() && Instant::now() < deadline {
            // The wait is on its output, which ends when it ends.
            let left = deadline.saturating_duration_since(Instant::now());
            if let Err(RecvTimeoutError::Disconnected) = self.lines.recv_timeout(left) {
                thread::sleep(Duration::from_millis(2));
            }
        }
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(id) = i32::try_from(self.child.id()) {
            use nix::sys::signal::{Signal, killpg};
            // An error means that the group has gone already.
            let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
        }
        let killed = self.child.kill().and_then(|()| self.child.wait());
        if let Err(error) = killed {
            log::warn!("{}: {error}", self.shared.name);
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The engine's command line with pipes to all its streams.
fn command(spec: &EngineSpec) -> Command {
    let mut command = Command::new(&spec.cmd);
    command.args(&spec.args);
    if let Some(dir) = &spec.dir {
        command.current_dir(dir);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // A group of its own: Ctrl-C on the terminal reaches the runner only, and a
    // wrapper script is killed together with the engine it has started.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// Passes the engine's output on until it ends or nobody listens. Info lines are dropped
/// if nobody reads them, so that an engine that ponders aloud is not held up.
fn read_output(stdout: impl Read, shared: &Shared, sender: &SyncSender<Line>) {
    each_line(stdout, shared, |text, at| {
        let is_info = text.starts_with("info");
        let copy = Line { text, at };
        match sender.try_send(copy) {
            Ok(()) => true,
            Err(TrySendError::Full(_)) if is_info => true,
            Err(TrySendError::Full(line)) => sender.send(line).is_ok(),
            Err(TrySendError::Disconnected(_)) => false,
        }
    });
}

/// Calls `take` for each line until it says `false` or the stream ends. Bytes past
/// [`MAX_LINE`] are dropped, and what is not UTF-8 is replaced.
fn each_line(stream: impl Read, shared: &Shared, mut take: impl FnMut(String, Instant) -> bool) {
    let mut stream = BufReader::with_capacity(64 * 1024, stream);
    let mut line: Vec<u8> = Vec::new();
    loop {
        let chunk = match stream.fill_buf() {
            Ok([]) => break,
            Ok(chunk) => chunk,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let at = Instant::now();
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(chunk.len(), |end| end + 1);
        let room = MAX_LINE.saturating_sub(line.len());
        line.extend_from_slice(&chunk[..end.unwrap_or(used).min(room)]);
        stream.consume(used);
        shared.bytes.fetch_add(used as u64, Ordering::Relaxed);
        if end.is_some() && !finish_line(&mut line, at, &mut take) {
            return;
        }
    }
    if !line.is_empty() {
        finish_line(&mut line, Instant::now(), &mut take);
    }
}

fn finish_line(
    line: &mut Vec<u8>,
    at: Instant,
    take: &mut impl FnMut(String, Instant) -> bool,
) -> bool {
    // What could command a terminal is not passed on.
    let text = String::from_utf8_lossy(line).replace(char::is_control, " ");
    line.clear();
    let text = text.trim();
    text.is_empty() || take(text.to_owned(), at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(bytes: &[u8]) -> Vec<String> {
        let shared = Shared {
            name: String::new(),
            tail: Mutex::default(),
            bytes: AtomicU64::new(0),
            log: None,
        };
        let mut lines = Vec::new();
        each_line(bytes, &shared, |text, _| {
            lines.push(text);
            true
        });
        assert_eq!(shared.bytes.load(Ordering::Relaxed), bytes.len() as u64);
        lines
    }

    #[test]
    fn lines_are_cut_trimmed_and_kept_in_order() {
        assert_eq!(
            lines_of(b"readyok\r\n\n  a b \nlast"),
            ["readyok", "a b", "last"]
        );
        assert_eq!(lines_of(b"\xff\xfe\n"), ["\u{fffd}\u{fffd}"]);
        assert_eq!(lines_of(b"\x1b[2Ja\tb\0\n"), ["[2Ja b"]);
        let mut long = vec![b'x'; 10 * MAX_LINE];
        long.extend_from_slice(b"\nend\n");
        let lines = lines_of(&long);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].len(), MAX_LINE);
        assert_eq!(lines[1], "end");
    }
}
