//! Analysis of whole games: scores and mistakes, written into their PGN.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;

use super::games::{GameFileError, ListReading, load_games};
use super::interrupt::on_interrupt;
use super::progress::progress_bar;
use crate::engine::Engine;
use crate::eval::win_draw_loss;
use crate::notation::encoding::encode;
use crate::notation::pgn::write_game;
use crate::notation::{Game, Line, LineMove, Notation};
use crate::position::Position;
use crate::search::{Limits, SearchInfo};
use crate::types::{Move, Score};

/// How many per mille of a game's point a move must give away to be marked `?!`, `?` and
/// `??`. In a level game these are about 50, 100 and 200 centipawns, more in a decided one.
const DUBIOUS: i64 = 60;
const MISTAKE: i64 = 120;
const BLUNDER: i64 = 220;
/// How many plies of the better line are shown.
const SHOWN: usize = 8;

/// Why a file is not annotated.
#[derive(Debug)]
pub enum AnnotateError {
    /// It gives no games.
    Input(GameFileError),
    /// A game ends at a move that is not understood; the file, the game, what is wrong.
    Fault(PathBuf, usize, String),
    /// The output cannot be written.
    Output(PathBuf, io::Error),
    /// Standard output takes no more.
    Closed(io::Error),
}

impl fmt::Display for AnnotateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::Fault(path, game, what) => write!(f, "{}: game {game}, {what}", path.display()),
            Self::Output(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Closed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AnnotateError {}

/// What a run has found.
#[derive(Clone, Copy, Debug, Default)]
struct Summary {
    games: u64,
    moves: u64,
    dubious: u64,
    mistakes: u64,
    blunders: u64,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "games {} moves {} dubious {} mistakes {} blunders {}",
            self.games, self.moves, self.dubious, self.mistakes, self.blunders
        )
    }
}

/// Analyses every game of the file and writes it with a score after each move, from the
/// view of the side that made it, with `?!`, `?` and `??` where it gave much away, and then
/// with the better line as a variation. What was said about the moves stays.
///
/// Moves are written in `notation`, or as the tag `Format` of their game says, or in ICCS.
/// The games go into `target`, in the encoding of the file, or to `output`. The figures come
/// last, in the latter case as a line that PGN readers skip. Ctrl-C ends the analysis; what
/// it has found is written.
///
/// # Errors
/// If a file cannot be read or written, or has moves that are not understood.
pub fn annotate(
    engine: &mut Engine,
    path: &Path,
    limits: &Limits,
    notation: Option<Notation>,
    target: Option<&Path>,
    output: &mut dyn Write,
) -> Result<(), AnnotateError> {
    let file = load_games(path, &ListReading::default()).map_err(AnnotateError::Input)?;
    for (index, game) in file.games.iter().enumerate() {
        if let Some(fault) = &game.fault {
            return Err(AnnotateError::Fault(
                path.to_owned(),
                index + 1,
                fault.to_string(),
            ));
        }
    }
    let interrupted = on_interrupt();
    let plies: usize = file
        .games
        .iter()
        .map(|game| game.line.moves.len() + 1)
        .sum();
    let bar = progress_bar(plies as u64);
    let mut summary = Summary::default();
    let mut bytes = Vec::new();
    for mut game in file.games {
        let mut analysis = Analysis {
            engine,
            limits,
            interrupted: &interrupted,
            bar: &bar,
            summary: &mut summary,
        };
        analysis.game(&mut game);
        let own = game.tag("Format").and_then(Notation::of_format_tag);
        let notation = notation.or(own).unwrap_or_default();
        bytes.extend(encode(&write_game(&game, notation), file.encoding));
    }
    bar.finish_and_clear();
    match target {
        Some(target) => {
            fs::write(target, bytes)
                .map_err(|error| AnnotateError::Output(target.to_owned(), error))?;
            writeln!(output, "{summary}").map_err(AnnotateError::Closed)
        }
        None => output
            .write_all(&bytes)
            .and_then(|()| writeln!(output, "% {summary}"))
            .map_err(AnnotateError::Closed),
    }
}

struct Analysis<'a> {
    engine: &'a mut Engine,
    limits: &'a Limits,
    interrupted: &'a AtomicBool,
    bar: &'a ProgressBar,
    summary: &'a mut Summary,
}

impl Analysis<'_> {
    fn game(&mut self, game: &mut Game) {
        self.summary.games += 1;
        self.engine.new_game();
        let mut position = game.start.clone();
        let Some(mut before) = self.search(&position) else {
            return;
        };
        for played in &mut game.line.moves {
            position.make(played.mv);
            let Some(after) = self.search(&position) else {
                return;
            };
            self.summary.moves += 1;
            self.rate(played, &before, &after);
            before = after;
        }
    }

    /// `None` if the analysis is interrupted.
    fn search(&mut self, position: &Position) -> Option<Finding> {
        if self.interrupted.load(Ordering::Relaxed) {
            return None;
        }
        self.engine.set_position(position.clone());
        let answer = self.engine.search(self.limits.clone());
        self.bar.inc(1);
        Some(Finding::of(answer.lines.first()))
    }

    fn rate(&mut self, played: &mut LineMove, before: &Finding, after: &Finding) {
        let score = format!("{}/{}", after.for_opponent(), after.depth);
        played.comments.insert(0, score);
        if before.pv.first() == Some(&played.mv) {
            return;
        }
        let lost = before.expected() + after.expected() - 1_000;
        let (glyph, count) = match lost {
            BLUNDER.. => (4, &mut self.summary.blunders),
            MISTAKE.. => (2, &mut self.summary.mistakes),
            DUBIOUS.. => (6, &mut self.summary.dubious),
            _ => return,
        };
        *count += 1;
        played.glyphs.retain(|glyph| !(1..=6).contains(glyph));
        played.glyphs.insert(0, glyph);
        let mut better = Line {
            comments: Vec::new(),
            moves: before.pv.iter().map(|&mv| LineMove::new(mv)).collect(),
        };
        if let Some(first) = better.moves.first_mut() {
            let score = format!("{}/{}", before.for_mover(), before.depth);
            first.comments.push(score);
            played.variations.push(better);
        }
    }
}

/// What a search has found of a position.
struct Finding {
    /// For the side to move.
    score: Score,
    depth: u32,
    pv: Vec<Move>,
}

impl Finding {
    fn of(info: Option<&SearchInfo>) -> Self {
        match info {
            Some(info) => Self {
                score: info.score,
                depth: info.depth,
                pv: info.pv.iter().take(SHOWN).copied().collect(),
            },
            None => Self {
                score: Score::Mate(0),
                depth: 0,
                pv: Vec::new(),
            },
        }
    }

    /// What the side to move may expect of the game, from 0 to 1,000.
    fn expected(&self) -> i64 {
        let [win, draw, _] = win_draw_loss(self.score);
        i64::from(2 * win + draw) / 2
    }

    /// The score for the side to move: `+0.31`, `-M3`.
    fn for_mover(&self) -> String {
        match self.score {
            Score::Cp(value) => pawns(value),
            Score::Mate(moves) if moves > 0 => format!("+M{moves}"),
            Score::Mate(moves) => format!("-M{}", -moves),
        }
    }

    /// The score for the other side.
    fn for_opponent(&self) -> String {
        match self.score {
            Score::Cp(value) => pawns(-value),
            Score::Mate(moves) if moves > 0 => format!("-M{moves}"),
            Score::Mate(moves) => format!("+M{}", -moves),
        }
    }
}

fn pawns(value: i32) -> String {
    format!("{:+.2}", f64::from(value) / 100.0)
}
