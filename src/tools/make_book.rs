//! An opening book from games.

use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Args;

use super::games::{GameFileError, ListReading, load_games};
use super::interrupt::on_interrupt;
use super::progress::progress_bar;
use crate::book::BookBuilder;
use crate::notation::{Game, Outcome};

/// The arguments of `book`.
#[derive(Args, Clone, Debug)]
pub struct BookArgs {
    /// PGN, WXF or XQF files, or lines of moves
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write the book into this file
    #[arg(long, value_name = "FILE", default_value = "BOOK.DAT")]
    pub output: PathBuf,
    /// Take the first N plies of each game
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub plies: usize,
    /// Points for a move of a side that won
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub win: u32,
    /// Points for a move of a drawn game, or one without a result
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub draw: u32,
    /// Points for a move of a side that lost
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub loss: u32,
    /// A move's weight is its points divided by this; below 1 it is left out
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub ratio: u64,
}

/// Why no book is made.
#[derive(Debug)]
pub enum MakeBookError {
    /// A file gives no games.
    Input(GameFileError),
    /// No move has enough points.
    Empty,
    /// The book cannot be written.
    Output(PathBuf, io::Error),
}

impl fmt::Display for MakeBookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::Empty => f.write_str("no move of the games has enough points for a book"),
            Self::Output(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for MakeBookError {}

/// What a run has done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// Games read.
    pub games: u64,
    /// Games that end at a move which was not understood.
    pub faulty: u64,
    /// Moves counted.
    pub moves: u64,
    /// Records of the book.
    pub records: usize,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "games {} faulty {} moves {} records {}",
            self.games, self.faulty, self.moves, self.records
        )
    }
}

/// Reads the games and writes the book. Ctrl-C ends the reading; the book then has the games
/// read so far.
///
/// # Errors
/// If a file cannot be read or written, or nothing is left for the book.
pub fn run(args: &BookArgs) -> Result<Summary, MakeBookError> {
    let interrupted = on_interrupt();
    let bar = progress_bar(args.files.len() as u64);
    let mut builder = BookBuilder::default();
    let mut summary = Summary::default();
    for path in &args.files {
        if interrupted.load(Ordering::Relaxed) {
            break;
        }
        let file = load_games(path, &ListReading::default()).map_err(MakeBookError::Input)?;
        for game in &file.games {
            summary.games += 1;
            summary.faulty += u64::from(game.fault.is_some());
            summary.moves += add(args, game, &mut builder);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let book = builder.build(args.ratio);
    if book.is_empty() {
        return Err(MakeBookError::Empty);
    }
    summary.records = book.len();
    fs::write(&args.output, book.to_bytes())
        .map_err(|error| MakeBookError::Output(args.output.clone(), error))?;
    Ok(summary)
}

/// Counts the moves of a game and says how many there are.
fn add(args: &BookArgs, game: &Game, builder: &mut BookBuilder) -> u64 {
    let mut position = game.start.clone();
    let mut moves = 0;
    for mv in game.moves().take(args.plies) {
        let points = match game.outcome {
            Outcome::Won(side) if side == position.side() => args.win,
            Outcome::Won(_) => args.loss,
            Outcome::Draw | Outcome::Unknown => args.draw,
        };
        builder.add(&position, mv, points);
        position.make(mv);
        moves += 1;
    }
    moves
}
