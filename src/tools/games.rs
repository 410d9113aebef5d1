//! Reading games from files of any kind: PGN, WXF, XQF, lists of moves.

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::notation::encoding::{Encoding, decode};
use crate::notation::pgn::read_games;
use crate::notation::xqf::{self, XqfError};
use crate::notation::{Fault, Game, LineMove, Notation, NotationError, read};
use crate::position::{FenError, Position};

/// The games of a file.
#[derive(Debug)]
pub struct GameFile {
    /// The games, in the order of the file.
    pub games: Vec<Game>,
    /// How the file is coded; UTF-8 for an XQF file.
    pub encoding: Encoding,
    /// Whether it has lines of moves and nothing else.
    pub is_list: bool,
}

/// How lists of moves, which have no tags, are read.
#[derive(Clone, Debug)]
pub struct ListReading {
    /// The notation; `None` for any.
    pub notation: Option<Notation>,
    /// Where lines begin that name no position.
    pub start: Position,
}

impl Default for ListReading {
    fn default() -> Self {
        Self {
            notation: None,
            start: Position::startpos(),
        }
    }
}

/// Why a file gives no games.
#[derive(Debug)]
pub enum GameFileError {
    /// It cannot be read.
    File(PathBuf, io::Error),
    /// It begins as an XQF file does, but is none.
    Xqf(PathBuf, XqfError),
    /// A line of moves begins with a position that is refused.
    Fen(PathBuf, usize, FenError),
    /// There is no game in it.
    NoGames(PathBuf),
}

impl fmt::Display for GameFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Xqf(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Fen(path, line, error) => write!(f, "{}:{line}: {error}", path.display()),
            Self::NoGames(path) => write!(f, "{}: no games", path.display()),
        }
    }
}

impl std::error::Error for GameFileError {}

/// Reads the games of a file; `-` is standard input.
///
/// # Errors
/// If it cannot be read or has no games. A move that is not understood is no error: the
/// game has a [`Game::fault`].
pub fn load_games(path: &Path, list: &ListReading) -> Result<GameFile, GameFileError> {
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|error| GameFileError::File(path.to_owned(), error))?;
    if xqf::is_xqf(&bytes) {
        let game = xqf::read(&bytes).map_err(|error| GameFileError::Xqf(path.to_owned(), error))?;
        return Ok(GameFile {
            games: vec![game],
            encoding: Encoding::Utf8,
            is_list: false,
        });
    }
    let (text, encoding) = decode(&bytes);
    let is_list = !looks_like_pgn(&text);
    let games = if is_list {
        read_list(&text, list)
            .map_err(|(line, error)| GameFileError::Fen(path.to_owned(), line, error))?
    } else {
        read_games(&text)
    };
    if games.is_empty() {
        return Err(GameFileError::NoGames(path.to_owned()));
    }
    Ok(GameFile {
        games,
        encoding,
        is_list,
    })
}

/// Whether the text has tags, comments or move numbers, so that it is no list of moves.
fn looks_like_pgn(text: &str) -> bool {
    let is_number = |word: &str| {
        let rest = word.trim_start_matches(|ch: char| ch.is_ascii_digit());
        let dotted = rest.starts_with(['.', '、', '．']);
        // `15.6` is a move of a pawn.
        rest.len() < word.len() && dotted && !(word.len() == 4 && rest.len() == 2)
    };
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.any(|line| {
        line.starts_with(['[', '{'])
            || line.starts_with("FORMAT")
            || line.split_whitespace().any(is_number)
    })
}

/// Reads a game from each line: `startpos moves …`, `fen F moves …`, `F moves …`, `F` or
/// moves alone. Lines that begin with `#` are left out. The error has its line.
fn read_list(text: &str, list: &ListReading) -> Result<Vec<Game>, (usize, FenError)> {
    let mut games = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(first) = words.first().filter(|word| !word.starts_with('#')) else {
            continue;
        };
        let split = words
            .iter()
            .position(|word| word.eq_ignore_ascii_case("moves"));
        let (place, moves) = match split {
            Some(at) => (&words[..at], &words[at + 1..]),
            None if first.contains('/') || ["fen", "startpos"].contains(first) => {
                (&words[..], &[][..])
            }
            None => (&[][..], &words[..]),
        };
        let start = match place {
            [] => list.start.clone(),
            ["startpos", ..] => Position::startpos(),
            ["fen", fen @ ..] | fen => fen.join(" ").parse().map_err(|error| (index + 1, error))?,
        };
        let mut game = Game::new(start.clone());
        let mut position = start;
        for (number, word) in moves.iter().enumerate() {
            let mv = match list.notation {
                Some(notation) => notation.read(&position, word),
                None => read(&position, word),
            };
            match mv {
                Ok(mv) => {
                    game.line.moves.push(LineMove::new(mv));
                    position.make(mv);
                }
                Err(error) => {
                    game.fault = Some(refused(index + 1, number + 1, word, &error));
                    break;
                }
            }
        }
        games.push(game);
    }
    Ok(games)
}

fn refused(line: usize, number: usize, word: &str, error: &NotationError) -> Fault {
    Fault {
        line,
        what: format!("move {number}, {word}: {error}"),
    }
}
