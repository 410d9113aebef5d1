//! Games from one notation and file format into another.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::games::{GameFile, GameFileError, ListReading, load_games};
use crate::notation::encoding::{Encoding, encode};
use crate::notation::pgn::write_game;
use crate::notation::{Game, Notation};
use crate::position::{FenError, Position, START_FEN};

/// The arguments of `convert`.
#[derive(Args, Clone, Debug)]
pub struct ConvertArgs {
    /// PGN (UTF-8, UTF-16 or GBK), WXF or XQF files, or lines of moves; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write moves in this notation: iccs, wxf, wxf-letters, chinese, chinese-traditional,
    /// numeric or numeric-far
    #[arg(long, value_name = "NOTATION", default_value_t)]
    pub to: Notation,
    /// Read lines of moves in this notation only [default: in any]
    #[arg(long, value_name = "NOTATION")]
    pub from: Option<Notation>,
    /// The position where lines of moves begin that name none [default: the start position]
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Write games so [default: lines of moves as lines, all else as PGN]
    #[arg(long = "as", value_name = "FORM", value_enum)]
    pub form: Option<Form>,
    /// Write in this encoding: utf-8 or gbk
    #[arg(long, value_name = "NAME", default_value_t)]
    pub encoding: Encoding,
    /// Write into this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// How games are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Portable Game Notation, with tags, comments and variations
    Pgn,
    /// A line for each game: `startpos moves …` or `FEN moves …`
    Lines,
}

/// Why nothing, or not all, is converted.
#[derive(Debug)]
pub enum ConvertError {
    /// `--fen` is refused.
    Fen(FenError),
    /// A file gives no games.
    Input(GameFileError),
    /// The output file cannot be written.
    File(PathBuf, io::Error),
    /// Standard output takes no more.
    Output(io::Error),
    /// All that was understood is written; the first move that was not, and how many games
    /// have such a move.
    Faults(String, usize),
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(error) => write!(f, "--fen: {error}"),
            Self::Input(error) => error.fmt(f),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Output(error) => error.fmt(f),
            Self::Faults(first, 1) => f.write_str(first),
            Self::Faults(first, all) => {
                write!(f, "{first} ({all} games end before their last move)")
            }
        }
    }
}

impl std::error::Error for ConvertError {}

/// Converts the files' games in their order.
///
/// # Errors
/// If a file cannot be read or written. If moves are not understood, all games are
/// converted up to them, and the error says so.
pub fn run(args: &ConvertArgs, output: &mut dyn Write) -> Result<(), ConvertError> {
    let start = match &args.fen {
        Some(fen) => fen.parse().map_err(ConvertError::Fen)?,
        None => Position::startpos(),
    };
    let list = ListReading {
        notation: args.from,
        start,
    };
    let mut file = match &args.output {
        Some(path) => {
            Some(File::create(path).map_err(|error| ConvertError::File(path.clone(), error))?)
        }
        None => None,
    };
    let mut faults = Vec::new();
    for path in &args.files {
        let GameFile { games, is_list, .. } =
            load_games(path, &list).map_err(ConvertError::Input)?;
        let form = args
            .form
            .unwrap_or(if is_list { Form::Lines } else { Form::Pgn });
        for (index, game) in games.iter().enumerate() {
            let text = match form {
                Form::Pgn => write_game(game, args.to),
                Form::Lines => line(game, args.to),
            };
            let bytes = encode(&text, args.encoding);
            match (&mut file, &args.output) {
                (Some(file), Some(path)) => file
                    .write_all(&bytes)
                    .map_err(|error| ConvertError::File(path.clone(), error))?,
                _ => output.write_all(&bytes).map_err(ConvertError::Output)?,
            }
            if let Some(fault) = &game.fault {
                faults.push(format!("{}: game {}, {fault}", path.display(), index + 1));
            }
        }
    }
    let count = faults.len();
    match faults.into_iter().next() {
        Some(first) => Err(ConvertError::Faults(first, count)),
        None => Ok(()),
    }
}

/// `startpos moves …`
fn line(game: &Game, notation: Notation) -> String {
    let moves: Vec<_> = game.moves().collect();
    let fen = game.start.fen();
    let place = if fen == START_FEN { "startpos" } else { &fen };
    let words = notation.write_line(&game.start, &moves);
    let mut text = format!("{place} moves");
    for word in words {
        text.push(' ');
        text.push_str(&word);
    }
    text.push('\n');
    text
}
