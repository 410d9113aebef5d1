//! A position with the moves that led to it, as `position` and the command line give it.

use std::fmt;

use super::moves::{Ranks, RefusedMove, read_legal};
use crate::position::{FenError, Position, Setup, SetupWarning};

/// What was read.
#[derive(Clone, Debug)]
pub struct Game {
    /// The position after all moves that were taken.
    pub position: Position,
    /// What was odd about the FEN.
    pub warnings: Vec<SetupWarning>,
    /// The first word between the position and `moves` that means nothing.
    pub stray: Option<String>,
    /// The first move that was not taken; none after it was.
    pub refused: Option<RefusedMove>,
}

/// Why nothing was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameError {
    /// Neither `startpos` nor `fen`.
    Missing,
    /// The FEN was refused.
    Fen(FenError),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("neither startpos nor a FEN is given"),
            Self::Fen(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl std::error::Error for GameError {}

/// Reads `startpos`, `fen F` or a bare FEN, then perhaps `moves m1 m2 …`; `usual` is how
/// moves count the ranks where they do not tell.
///
/// # Errors
/// If there is no position or its FEN is refused; an illegal move is no error.
pub fn read_game(text: &str, usual: Ranks) -> Result<Game, GameError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is = |word: &str, what: &str| word.eq_ignore_ascii_case(what);
    let end = words.iter().position(|word| is(word, "moves"));
    let (position, moves) = words.split_at(end.unwrap_or(words.len()));
    let mut stray = None;
    let (mut position, warnings) = match position {
        [] => return Err(GameError::Missing),
        [first, rest @ ..] if is(first, "startpos") => {
            stray = rest.first().map(|&word| word.to_owned());
            (Position::startpos(), Vec::new())
        }
        [first, fen @ ..] if is(first, "fen") => read_fen(fen)?,
        fen => read_fen(fen)?,
    };
    let refused = play(&mut position, moves.get(1..).unwrap_or_default(), usual);
    Ok(Game {
        position,
        warnings,
        stray,
        refused,
    })
}

fn read_fen(words: &[&str]) -> Result<(Position, Vec<SetupWarning>), GameError> {
    let setup: Setup = words.join(" ").parse().map_err(GameError::Fen)?;
    let position = Position::try_from(&setup).map_err(|faults| GameError::Fen(faults.into()))?;
    Ok((position, setup.warnings()))
}

/// Plays the moves up to the first that cannot be, and returns that.
fn play(position: &mut Position, words: &[&str], usual: Ranks) -> Option<RefusedMove> {
    let ranks = Ranks::of(words, usual);
    for (index, word) in words.iter().enumerate() {
        match read_legal(position, word, ranks) {
            Ok(mv) => position.make(mv),
            Err(why) => {
                return Some(RefusedMove {
                    number: index + 1,
                    text: (*word).to_owned(),
                    why,
                });
            }
        }
    }
    None
}
