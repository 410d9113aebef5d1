//! Openings from EPD, FEN and move lists.

use std::fmt;
use std::path::{Path, PathBuf};

use super::MatchError;
use crate::position::{FenError, Position, START_FEN};
use crate::types::Move;

/// Where a game starts: a position, and moves that are played from it without the engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The position before the moves.
    pub fen: String,
    /// Legal moves from there.
    pub moves: Vec<Move>,
}

/// Why a line of an openings file was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningError {
    /// The position is none.
    Fen(FenError),
    /// A word that is no move.
    NotAMove(String),
    /// A move that is not legal where it is to be played.
    Illegal {
        /// Which move, from 1.
        number: usize,
        /// The move.
        mv: Move,
    },
    /// The game is over before the engines move.
    Over,
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(error) => error.fmt(f),
            Self::NotAMove(text) => write!(f, "`{text}` is no move such as h2e2"),
            Self::Illegal { number, mv } => write!(f, "move {number}, {mv}, is illegal"),
            Self::Over => f.write_str("the side to move has no legal move"),
        }
    }
}

impl Opening {
    /// Reads a FEN (`fen` before it or not), an EPD, `startpos`, each with `moves …` after
    /// it or not, or moves alone.
    ///
    /// # Errors
    /// If the position or a move is bad, or there is nothing left to play.
    pub fn parse(line: &str) -> Result<Self, OpeningError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let words = match words.first() {
            Some(&"fen" | &"position") => &words[1..],
            _ => &words[..],
        };
        let at = words.iter().position(|&word| word == "moves");
        let (place, moves) = match at {
            Some(at) => (&words[..at], &words[at + 1..]),
            None if words.first().is_some_and(|word| Move::parse(word).is_ok()) => (&[][..], words),
            None => (words, &[][..]),
        };
        let fen = match place.first() {
            None | Some(&"startpos") => START_FEN.to_owned(),
            Some(_) => fen_fields(place),
        };
        let mut position: Position = fen.parse().map_err(OpeningError::Fen)?;
        let opening = Self {
            fen: position.fen(),
            moves: moves
                .iter()
                .map(|word| {
                    Move::parse(word).map_err(|_| OpeningError::NotAMove((*word).to_owned()))
                })
                .collect::<Result<_, _>>()?,
        };
        for (index, &mv) in opening.moves.iter().enumerate() {
            if !position.is_legal(mv) {
                return Err(OpeningError::Illegal {
                    number: index + 1,
                    mv,
                });
            }
            position.make(mv);
        }
        if position.has_no_moves() {
            return Err(OpeningError::Over);
        }
        Ok(opening)
    }
}

/// The fields of a FEN; what an EPD has after its fourth field is left out.
fn fen_fields(words: &[&str]) -> String {
    let counters = words.iter().skip(4).take(2);
    let counters = counters.take_while(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let kept = words.len().min(4) + counters.count();
    words[..kept].join(" ")
}

/// Reads the file, or takes the start position if there is none, and puts the openings
/// in the order in which they are played. The second value is a fingerprint of the result.
///
/// # Errors
/// If the file cannot be read, has a bad line, or has no line.
pub fn load(path: Option<&Path>, seed: Option<u64>) -> Result<(Vec<Opening>, u64), MatchError> {
    let mut openings = match path {
        Some(path) => parse_file(path, &super::read(path)?)?,
        None => vec![Opening {
            fen: START_FEN.to_owned(),
            moves: Vec::new(),
        }],
    };
    if let Some(seed) = seed {
        shuffle(&mut openings, seed);
    }
    // FNV-1a: a fingerprint that is the same on every machine and in every version.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for opening in &openings {
        let text = format!("{} {:?}\n", opening.fen, opening.moves);
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    Ok((openings, hash))
}

fn parse_file(path: &Path, text: &str) -> Result<Vec<Opening>, MatchError> {
    let mut openings = Vec::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let refused = |error| MatchError::Opening(PathBuf::from(path), index + 1, error);
            openings.push(Opening::parse(line).map_err(refused)?);
        }
    }
    if openings.is_empty() {
        return Err(MatchError::NoOpenings(PathBuf::from(path)));
    }
    Ok(openings)
}

/// The Fisher-Yates shuffle with numbers from SplitMix64 (Steele, Lea and Flood, 2014),
/// so that a seed means the same order everywhere.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for last in (1..items.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        let choice = (u128::from(z) * (last as u128 + 1)) >> 64;
        items.swap(last, choice as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_line_is_read() {
        let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
        let moves = |line: &str| {
            let opening = Opening::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(opening.fen, START_FEN, "{line}");
            opening.moves.len()
        };
        assert_eq!(moves("startpos"), 0);
        assert_eq!(moves("startpos moves h2e2 h9g7"), 2);
        assert_eq!(moves("h2e2 H9-G7"), 2);
        assert_eq!(moves(fen), 0);
        assert_eq!(moves(&format!("{fen} - - 0 1")), 0);
        assert_eq!(moves(&format!("fen {fen} - - 0 1 moves b2e2")), 1);
        assert_eq!(
            moves(&format!("{fen} - - ce 12; id \"central cannon\";")),
            0
        );
        assert_eq!(moves(&format!("{fen} moves h2e2")), 1);
    }

    #[test]
    fn bad_lines_are_refused_with_the_reason() {
        let error = |line: &str| Opening::parse(line).expect_err(line).to_string();
        assert_eq!(
            error("startpos moves h2e2 e2h2"),
            "move 2, e2h2, is illegal"
        );
        assert_eq!(error("startpos moves x1"), "`x1` is no move such as h2e2");
        assert!(Opening::parse("rnbakabnr/9/9 w").is_err());
        assert_eq!(
            error("3k5/4P4/9/9/9/9/9/9/9/4K4 b"),
            "the side to move has no legal move"
        );
        let file = parse_file(Path::new("o.epd"), "# none\n\nstartpos\nnonsense\n");
        let text = file.expect_err("line 4 is bad").to_string();
        assert!(text.starts_with("o.epd:4: "), "{text}");
        assert!(parse_file(Path::new("o.epd"), "# none\n").is_err());
    }

    #[test]
    fn a_shuffle_keeps_all_and_depends_on_the_seed_alone() {
        let shuffled = |seed| {
            let mut items: Vec<u32> = (0..50).collect();
            shuffle(&mut items, seed);
            items
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let mut sorted = shuffled(3);
        assert_ne!(sorted, (0..50).collect::<Vec<_>>());
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
    }
}
