//! Lines from a stream of bytes.

use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::Sender;
use std::thread;

/// What wakes the loop.
#[derive(Debug)]
pub enum Input {
    /// A line without its end, in whatever bytes it came.
    Line(Vec<u8>),
    /// No more lines will come.
    End,
    /// A search has given its answer.
    Answered,
    /// A typed command has come to its end.
    TaskEnded,
    /// Nobody reads the output any more.
    HungUp,
}

/// Reads lines in a thread of its own until the stream ends or nobody listens.
pub fn read_lines(stream: impl Read + Send + 'static, to: Sender<Input>) {
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut first = true;
        loop {
            let mut line = Vec::new();
            // An error ends the input like its end does; what came before it counts.
            let failed = reader.read_until(b'\n', &mut line).is_err();
            if !line.is_empty() {
                let text = if first {
                    line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&line)
                } else {
                    &line
                };
                first = false;
                if to.send(Input::Line(text.trim_ascii().to_vec())).is_err() {
                    return;
                }
            }
            if failed || !line.ends_with(b"\n") {
                let _ = to.send(Input::End);
                return;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn lines_lose_their_ends_and_the_mark_of_utf_8_and_nothing_else() {
        let (to, from) = mpsc::channel();
        read_lines(
            &b"\xEF\xBB\xBFuci\r\n\n \tisready \r\nsetoption \xFF\0 x\nquit"[..],
            to,
        );
        let lines: Vec<Vec<u8>> = from
            .iter()
            .filter_map(|input| match input {
                Input::Line(line) => Some(line),
                _ => None,
            })
            .collect();
        let expected: [&[u8]; 5] = [b"uci", b"", b"isready", b"setoption \xFF\0 x", b"quit"];
        assert_eq!(lines, expected);
    }
}
