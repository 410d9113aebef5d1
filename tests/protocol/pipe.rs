//! The built program with its pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::grammar::{self, Grammar};

/// Whatever takes longer hangs.
pub const LIMIT: Duration = Duration::from_secs(10);
/// How long a test watches for something that must not come.
const SILENCE: Duration = Duration::from_millis(300);

/// Names another program to be tried in place of the one that was built here, with
/// arguments: `wine vermilion.exe`.
const INSTEAD: &str = "VERMILION_COMMAND";

/// Whether it is the program that was built here that is tried. Another may run on another
/// system, which names files by its own rules.
pub fn is_native() -> bool {
    std::env::var_os(INSTEAD).is_none()
}

/// A running program. It is killed when a test drops it.
pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Result<String, Vec<u8>>>,
    errors: Receiver<Vec<u8>>,
    grammar: Grammar,
}

impl Program {
    /// Starts the program; nothing is sent yet and it counts as speaking UCI.
    pub fn start() -> Self {
        let command = std::env::var(INSTEAD);
        let command = command
            .as_deref()
            .unwrap_or(env!("CARGO_BIN_EXE_vermilion"));
        let mut words = command.split(' ');
        let mut child = Command::new(words.next().unwrap())
            .args(words)
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (to_lines, lines) = mpsc::channel();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            let mut line = Vec::new();
            while output
                .read_until(b'\n', &mut line)
                .is_ok_and(|count| count > 0)
            {
                let complete = line.pop() == Some(b'\n');
                let text = String::from_utf8(std::mem::take(&mut line));
                let text = text.map_err(std::string::FromUtf8Error::into_bytes);
                assert!(complete, "an unfinished line: {text:?}");
                if to_lines.send(text).is_err() {
                    return;
                }
            }
        });
        let (to_errors, errors) = mpsc::channel();
        let mut error_output = child.stderr.take().unwrap();
        thread::spawn(move || {
            let mut text = Vec::new();
            let _ = error_output.read_to_end(&mut text);
            let _ = to_errors.send(text);
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
            errors,
            grammar: Grammar::Uci,
        }
    }

    /// Starts the program and opens UCI.
    pub fn uci() -> Self {
        let mut program = Self::start();
        program.open("uci");
        program
    }

    /// Starts the program and opens UCCI.
    pub fn ucci() -> Self {
        let mut program = Self::start();
        program.open("ucci");
        program
    }

    /// Opens `uci` or `ucci` and returns what it answers.
    pub fn open(&mut self, word: &str) -> Vec<String> {
        self.send(word);
        self.grammar = if word == "ucci" {
            Grammar::Ucci
        } else {
            Grammar::Uci
        };
        self.until(&format!("{word}ok"))
    }

    /// Accepts only these lines from now on.
    pub fn expect(&mut self, grammar: Grammar) {
        self.grammar = grammar;
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_all(&mut self, lines: &[&str]) {
        self.send(&lines.join("\n"));
    }

    /// Sends bytes; that the program may have left is for the test to find out.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    fn receive(&self, limit: Duration) -> Option<String> {
        match self.lines.recv_timeout(limit) {
            Ok(line) => {
                let line = line.expect("UTF-8");
                grammar::check(self.grammar, &line);
                Some(line)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// The next line.
    pub fn line(&self) -> String {
        self.receive(LIMIT).expect("a line within the limit")
    }

    /// The lines up to the first that starts with the word, that one included.
    pub fn until(&self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let end = Instant::now() + LIMIT;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Some(line) = self.receive(left) else {
                panic!("no {word:?} within the limit, but {lines:#?}");
            };
            let found = line.split(' ').next() == Some(word);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Everything up to the answer of `isready`, without it.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Searches and returns all lines up to `bestmove …`.
    pub fn go(&mut self, arguments: &str) -> Vec<String> {
        self.send(&format!("go {arguments}"));
        self.until("bestmove")
    }

    /// The move of a short search.
    pub fn best_move(&mut self, arguments: &str) -> String {
        chosen(&self.go(arguments))
    }

    /// Panics if a line with this beginning comes within a short while.
    pub fn must_not_say(&self, beginning: &str) {
        let end = Instant::now() + SILENCE;
        while let Some(line) = self.receive(end.saturating_duration_since(Instant::now())) {
            assert!(!line.starts_with(beginning), "{line}");
        }
    }

    /// Waits for the end of the program; returns the lines that were left.
    pub fn finish(mut self) -> (Vec<String>, ExitStatus) {
        let end = Instant::now() + LIMIT;
        let mut rest = Vec::new();
        while let Some(line) = self.receive(end.saturating_duration_since(Instant::now())) {
            rest.push(line);
        }
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < end, "the program does not end");
            thread::sleep(Duration::from_millis(2));
        };
        let errors = self.errors.recv_timeout(LIMIT).unwrap();
        assert_eq!(String::from_utf8_lossy(&errors), "", "stderr is silent");
        (rest, status)
    }

    /// Waits for the end and checks that all went well.
    pub fn finish_well(self) -> Vec<String> {
        let (rest, status) = self.finish();
        assert!(status.success(), "{status}, after {rest:#?}");
        rest
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The move of the last line, which must be a `bestmove`.
pub fn chosen(lines: &[String]) -> String {
    let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
    assert_eq!(words[0], "bestmove");
    words[1].to_owned()
}

/// How many lines start with the word.
pub fn count(lines: &[String], word: &str) -> usize {
    lines
        .iter()
        .filter(|line| line.split(' ').next() == Some(word))
        .count()
}

/// What follows a word in a line.
pub fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let mut words = line.split(' ').skip_while(|&part| part != word);
    words.nth(1)
}
