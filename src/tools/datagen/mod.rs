//! Self-play data: making it, looking at it, and scoring it anew.

mod endings;
mod rescore;
mod selfplay;
mod shard;
mod stats;

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use indicatif::ProgressBar;

use self::selfplay::{Played, Player};
use self::shard::Shard;
use super::bench::bench;
use super::evaluation::{EvaluationArgs, EvaluationError};
use super::games::GameFileError;
use super::in_order::in_order;
use super::interrupt::on_interrupt;
use super::progress::progress_bar;
use super::record::{Adjudication, Settings};
use crate::eval::Evaluation;
use crate::rules::RuleSet;
use crate::search::HashError;

/// The depth and the table, in MiB, of the bench that is the engine's signature.
const SIGNATURE: (u32, usize) = (5, 4);
/// The score of a clear win, and for how many plies.
const WIN: (u16, usize) = (1_500, 6);
/// The score of a clear draw, for how many plies, and from which ply on.
const DRAW: (u16, usize, usize) = (8, 20, 120);
/// The longest game, in plies.
const MAX_PLIES: u16 = 400;

/// The arguments of `datagen`.
#[derive(Args, Clone, Debug)]
pub struct DatagenArgs {
    /// Append games to this file; it may already have some
    #[arg(long, value_name = "FILE", required_unless_present = "stats")]
    pub out: Option<PathBuf>,
    /// Go on until the file has so many positions
    #[arg(long, value_name = "N", required_unless_present_any = ["games", "stats", "rescore"])]
    pub positions: Option<u64>,
    /// Go on until the file has so many games
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Search each position about so many nodes; the last iteration is not cut off
    #[arg(long, value_name = "N", default_value_t = 1_500, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The games depend on the seed and the settings, not on the threads; a file goes on
    /// after the last game of the seed [default: that of the file's last game, or a new one]
    #[arg(long)]
    pub seed: Option<u64>,
    /// How many threads share the work
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: u16,
    /// The greatest distance of the score from 0 after the opening, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 300)]
    pub balance: u16,
    /// How many games in a hundred begin with an ending set up at random
    #[arg(long, value_name = "PERCENT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(..=100))]
    pub endings: u32,
    /// A game is won with this score, in centipawns
    #[arg(long, value_name = "CP", default_value_t = WIN.0)]
    pub win_score: u16,
    /// for so many plies in a row; 0 for never
    #[arg(long, value_name = "N", default_value_t = WIN.1)]
    pub win_plies: usize,
    /// A game is drawn within this distance from 0, in centipawns
    #[arg(long, value_name = "CP", default_value_t = DRAW.0)]
    pub draw_score: u16,
    /// for so many plies in a row; 0 for never
    #[arg(long, value_name = "N", default_value_t = DRAW.1)]
    pub draw_plies: usize,
    /// but only after this ply
    #[arg(long, value_name = "N", default_value_t = DRAW.2)]
    pub draw_from: usize,
    /// A game is drawn after so many plies
    #[arg(long, value_name = "N", default_value_t = MAX_PLIES, value_parser = clap::value_parser!(u16).range(1..))]
    pub max_plies: u16,
    /// Tell what is in these files, and check every block and game of them
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["out", "positions", "games", "seed", "rescore"])]
    pub stats: Vec<PathBuf>,
    /// Append the games of this file to --out with the scores of the present engine: a file of
    /// datagen, or games of any origin (PGN, XQF, lists of moves), of which those with a result count
    #[arg(long, value_name = "FILE", conflicts_with_all = ["positions", "games", "seed"])]
    pub rescore: Option<PathBuf>,
    /// What the engine evaluates with.
    #[command(flatten)]
    pub evaluation: EvaluationArgs,
}

/// How a run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// All is well.
    Sound,
    /// A file has damaged blocks or illegal games.
    Faulty,
}

/// Why a run has failed.
#[derive(Debug)]
pub enum DatagenError {
    /// The file cannot be read or written.
    File(PathBuf, io::Error),
    /// Another process is writing to the file.
    InUse(PathBuf),
    /// It is not a file of games.
    Foreign(PathBuf),
    /// The games in the file are not those of the input, or were scored otherwise.
    OtherGames(PathBuf, String),
    /// The evaluation cannot be had.
    Evaluation(EvaluationError),
    /// The memory for a table cannot be had.
    Hash(HashError),
    /// The games to score cannot be read.
    Games(GameFileError),
    /// None of the games to score has a result.
    NoResults(PathBuf),
    /// The output takes no more.
    Output(io::Error),
}

impl fmt::Display for DatagenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::InUse(path) => write!(f, "{}: another process writes to it", path.display()),
            Self::Foreign(path) => write!(f, "{}: not a file of games", path.display()),
            Self::OtherGames(path, what) => write!(f, "{}: {what}", path.display()),
            Self::Evaluation(error) => error.fmt(f),
            Self::Hash(error) => error.fmt(f),
            Self::Games(error) => error.fmt(f),
            Self::NoResults(path) => {
                write!(f, "{}: no game with moves and a result", path.display())
            }
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DatagenError {}

impl From<EvaluationError> for DatagenError {
    fn from(error: EvaluationError) -> Self {
        Self::Evaluation(error)
    }
}

impl From<HashError> for DatagenError {
    fn from(error: HashError) -> Self {
        Self::Hash(error)
    }
}

/// Makes games, or looks at some, or scores some anew, as the arguments say; the last line
/// of the output has the figures of the run. Ctrl-C ends it after the games that are being
/// played, and nothing is lost.
///
/// # Errors
/// If a file or the output fails, or the arguments ask for what cannot be.
pub fn run(args: &DatagenArgs, output: &mut dyn Write) -> Result<Finding, DatagenError> {
    match (&args.out, &args.rescore) {
        (Some(out), Some(input)) => rescore::run(args, input, out, output),
        (Some(out), None) => generate(args, out, output),
        (None, _) => stats::run(&args.stats, output),
    }
}

/// Name and version of this engine.
fn engine() -> String {
    concat!("vermilion ", env!("CARGO_PKG_VERSION")).to_owned()
}

/// A number that another engine, or another net, hardly has.
fn signature(evaluation: &Evaluation) -> Result<u64, HashError> {
    let (depth, megabytes) = SIGNATURE;
    let result = bench(depth, megabytes, evaluation, &mut || true)?;
    Ok(result.map_or(0, |result| result.nodes))
}

impl DatagenArgs {
    fn settings(&self, seed: u64, evaluation: &Evaluation) -> Result<Settings, HashError> {
        Ok(Settings {
            engine: engine(),
            signature: signature(evaluation)?,
            nodes: self.nodes,
            seed,
            balance: self.balance,
            endings: self.endings,
            rule: RuleSet::default().to_string(),
            adjudication: Adjudication {
                win_score: self.win_score,
                win_plies: self.win_plies,
                draw_score: self.draw_score,
                draw_plies: self.draw_plies,
                draw_from: self.draw_from,
                max_plies: self.max_plies.into(),
            },
            label: None,
        })
    }

    /// Whether the file has enough.
    fn is_reached(&self, games: u64, positions: u64) -> bool {
        self.games.is_some_and(|most| games >= most)
            || self.positions.is_some_and(|most| positions >= most)
    }
}

/// Says on stderr, above the progress bar, what a person should know.
fn say(bar: &ProgressBar, text: &str) {
    bar.suspend(|| eprintln!("{text}"));
}

/// What a file has of games.
#[derive(Default)]
struct Stock {
    games: u64,
    positions: u64,
    /// For every seed the number after the highest one of its games.
    next: HashMap<u64, u64>,
    last_seed: Option<u64>,
}

/// Plays games until the file has enough.
fn generate(
    args: &DatagenArgs,
    out: &Path,
    output: &mut dyn Write,
) -> Result<Finding, DatagenError> {
    let evaluation = args.evaluation.read()?;
    let bar = progress_bar(args.positions.or(args.games).unwrap_or_default());
    let mut stock = Stock::default();
    let notice = &mut |text: &str| say(&bar, text);
    let mut shard = Shard::open(out, notice, &mut |block| {
        let mut number = block.first;
        for game in block.games() {
            stock.games += 1;
            stock.positions += game.len() as u64;
            number += 1;
        }
        let seed = block.settings.seed;
        let next = stock.next.entry(seed).or_default();
        *next = number.max(*next);
        stock.last_seed = Some(seed);
        Ok(())
    })?;
    let seed = args.seed.or(stock.last_seed).unwrap_or_else(new_seed);
    let settings = args.settings(seed, &evaluation)?;
    let first = stock.next.get(&seed).copied().unwrap_or_default();
    let mut run = Run {
        args,
        bar,
        stock,
        games: 0,
        positions: 0,
        nodes: 0,
        results: [0; 3],
        start: Instant::now(),
    };
    run.show();
    run.bar.reset_eta();
    if !args.is_reached(run.stock.games, run.stock.positions) {
        let mut players = (0..args.threads)
            .map(|_| Player::new(settings.clone(), &evaluation))
            .collect::<Result<Vec<_>, _>>()?;
        let failure = in_order(
            &mut players,
            first..u64::MAX,
            &on_interrupt(),
            Player::play,
            |number, played| run.take(&mut shard, &settings, number, &played),
        );
        if let Some(Err(error)) = failure {
            return Err(error);
        }
        shard.write_block(&settings)?;
    }
    run.bar.finish_and_clear();
    run.summarise(shard.written, seed, output)
        .map_err(DatagenError::Output)?;
    Ok(Finding::Sound)
}

/// A seed that nobody has had before.
fn new_seed() -> u64 {
    // The keys of the hasher come from the system's random numbers.
    RandomState::new().hash_one(std::process::id())
}

/// A run that makes games.
struct Run<'a> {
    args: &'a DatagenArgs,
    bar: ProgressBar,
    stock: Stock,
    games: u64,
    positions: u64,
    nodes: u64,
    /// By the code of the result.
    results: [u64; 3],
    start: Instant,
}

impl Run<'_> {
    /// Takes a game that was played; breaks off if the file has enough.
    fn take(
        &mut self,
        shard: &mut Shard,
        settings: &Settings,
        number: u64,
        played: &Played,
    ) -> ControlFlow<Result<(), DatagenError>> {
        let full = match shard.push(settings, number, &played.record) {
            Ok(full) => full,
            Err(error) => return ControlFlow::Break(Err(error)),
        };
        let positions = played.record.plies.len() as u64;
        self.stock.games += 1;
        self.stock.positions += positions;
        self.games += 1;
        self.positions += positions;
        self.nodes += played.nodes;
        self.results[played.record.outcome.result as usize] += 1;
        self.show();
        if full {
            let (games, positions) = (self.stock.games, self.stock.positions);
            log::info!(
                "{games} games, {positions} positions, {:.0} a second",
                self.rate()
            );
        }
        if self.args.is_reached(self.stock.games, self.stock.positions) {
            ControlFlow::Break(Ok(()))
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Positions made a second.
    fn rate(&self) -> f64 {
        self.positions as f64 / self.start.elapsed().as_secs_f64().max(1e-3)
    }

    /// Brings the progress bar up to date.
    fn show(&self) {
        let (games, positions) = (self.stock.games, self.stock.positions);
        self.bar.set_position(match self.args.positions {
            Some(_) => positions,
            None => games,
        });
        let rate = self.rate();
        self.bar.set_message(format!(
            "({games} games, {positions} positions, {rate:.0}/s)"
        ));
    }

    /// Writes the figures of the run in one line.
    fn summarise(&self, bytes: u64, seed: u64, output: &mut dyn Write) -> io::Result<()> {
        let [black, draws, red] = self.results;
        writeln!(
            output,
            "games {} positions {} seconds {:.1} positions_per_second {:.0} \
             nodes_per_position {} bytes_per_position {:.2} red_wins {red} draws {draws} black_wins {black} \
             seed {seed} total_games {} total_positions {}",
            self.games,
            self.positions,
            self.start.elapsed().as_secs_f64(),
            self.rate(),
            self.nodes / self.positions.max(1),
            bytes as f64 / self.positions.max(1) as f64,
            self.stock.games,
            self.stock.positions,
        )
    }
}
