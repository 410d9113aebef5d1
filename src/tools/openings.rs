//! Opening lines: plausible moves drawn at random, and balanced positions at their end.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;

use super::in_order::in_order;
use super::interrupt::on_interrupt;
use super::progress::progress_bar;
use super::random::Rng;
use crate::position::Position;
use crate::search::{HashError, Limits, Searcher};
use crate::types::{MATE_IN_MAX_PLY, Move, MoveList, Value};

/// The table of a thread, in MiB.
const HASH_MB: usize = 4;

/// The arguments of `openings`.
#[derive(Args, Clone, Debug)]
pub struct OpeningsArgs {
    /// How many lines to make
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub count: u64,
    /// The fewest plies of a line
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub min_plies: usize,
    /// The most plies of a line
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub max_plies: usize,
    /// The greatest distance of the final score from 0, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 60)]
    pub balance: u16,
    /// Nodes of the search that gives the final score, a soft limit
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Draw the moves by searches so many plies deep
    #[arg(long, value_name = "D", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: u32,
    /// By how many centipawns a move may be worse to be drawn 1/e as often as the best one
    #[arg(long, value_name = "CP", default_value_t = 12.0)]
    pub temperature: f64,
    /// The lines depend on the seed and the settings, not on the threads
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many threads share the work
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: u16,
}

/// Why no openings are made.
#[derive(Debug)]
pub enum OpeningsError {
    /// The fewest plies are more than the most.
    Plies(usize, usize),
    /// The temperature is not a positive number.
    Temperature(f64),
    /// The settings leave next to nothing: lines tried and found.
    Exhausted(u64, u64),
    /// The memory for a table cannot be had.
    Hash(HashError),
    /// The output takes no more.
    Output(io::Error),
}

impl fmt::Display for OpeningsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plies(min, max) => {
                write!(f, "--min-plies {min} is more than --max-plies {max}")
            }
            Self::Temperature(value) => write!(f, "--temperature {value} is not above 0"),
            Self::Exhausted(tried, found) => write!(
                f,
                "the settings leave too few lines: {tried} tried, {found} found"
            ),
            Self::Hash(error) => error.fmt(f),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpeningsError {}

/// Draws moves at random, good ones more often.
pub struct Sampler {
    searcher: Searcher,
    limits: Limits,
}

impl Sampler {
    /// A sampler that knows the moves by searches of `depth` plies.
    ///
    /// # Errors
    /// If the memory for its table cannot be had.
    pub fn new(depth: u32) -> Result<Self, HashError> {
        Ok(Self {
            searcher: Searcher::new(HASH_MB)?,
            limits: Limits {
                depth: Some(depth),
                ..Limits::default()
            },
        })
    }

    /// The searcher, for other searches.
    pub fn searcher(&mut self) -> &mut Searcher {
        &mut self.searcher
    }

    /// Draws a legal move: one that is worse than the best by `temperature` centipawns
    /// 1/e as often. No man goes straight back to where its side's last move took it from.
    /// `None` if there is no move.
    pub fn draw(
        &mut self,
        position: &mut Position,
        temperature: f64,
        rng: &mut Rng,
    ) -> Option<Move> {
        let back = position
            .past_state(1)
            .and_then(|state| state.last_move)
            .and_then(|mv| Move::new(mv.to(), mv.from()));
        let mut legal = MoveList::new();
        position.legal_moves(&mut legal);
        let mut rated = Vec::with_capacity(legal.len());
        for mv in legal.iter().filter(|&mv| Some(mv) != back) {
            position.make(mv);
            rated.push((mv, -self.searcher.search(position, &self.limits).value));
            position.undo();
        }
        let best = rated.iter().map(|&(_, value)| value).max()?;
        let weight = |value: Value| (f64::from(value - best) / temperature).exp();
        let total: f64 = rated.iter().map(|&(_, value)| weight(value)).sum();
        let mut left = rng.unit() * total;
        for &(mv, value) in &rated {
            left -= weight(value);
            if left < 0.0 {
                return Some(mv);
            }
        }
        rated.last().map(|&(mv, _)| mv)
    }

    /// Plays so many drawn moves; `None` if the game ends on the way.
    pub fn line(&mut self, plies: usize, temperature: f64, rng: &mut Rng) -> Option<Position> {
        let mut position = Position::startpos();
        for _ in 0..plies {
            let mv = self.draw(&mut position, temperature, rng)?;
            position.make(mv);
        }
        Some(position)
    }

    /// Whether a search of about so many nodes finds the position no further from 0 than
    /// `balance` centipawns.
    pub fn is_balanced(&mut self, position: &Position, nodes: u64, balance: u16) -> bool {
        let limits = Limits {
            soft_nodes: Some(nodes),
            ..Limits::default()
        };
        let value = self.searcher.search(position, &limits).value.abs();
        value <= Value::from(balance) && value < MATE_IN_MAX_PLY
    }
}

/// What a run has done.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// Lines written.
    pub lines: u64,
    /// Lines tried.
    pub tried: u64,
    /// Balanced lines whose position, or its mirror image, was there already.
    pub duplicates: u64,
    /// How long it took.
    pub time: Duration,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "# lines {} tried {} unbalanced {} duplicates {} seconds {:.1}",
            self.lines,
            self.tried,
            self.tried - self.lines - self.duplicates,
            self.duplicates,
            self.time.as_secs_f64()
        )
    }
}

/// After so many lines without a new one the settings are taken to leave no more.
const PATIENCE: u64 = 2_000;

/// Makes opening lines and writes them, `startpos moves …`, one a line, after a comment
/// that tells how they were made and before one with the figures of the run.
///
/// No two lines lead to the same position or to mirror images of it. Ctrl-C ends the run
/// after the lines that are made.
///
/// # Errors
/// If the arguments make no sense or leave no lines, or the output takes no more.
pub fn run(args: &OpeningsArgs, output: &mut dyn Write) -> Result<Summary, OpeningsError> {
    if args.min_plies > args.max_plies {
        return Err(OpeningsError::Plies(args.min_plies, args.max_plies));
    }
    if args.temperature.is_nan() || args.temperature <= 0.0 {
        return Err(OpeningsError::Temperature(args.temperature));
    }
    let mut samplers = (0..args.threads)
        .map(|_| Sampler::new(args.depth))
        .collect::<Result<Vec<_>, _>>()
        .map_err(OpeningsError::Hash)?;
    writeln!(output, "{}", describe(args)).map_err(OpeningsError::Output)?;
    let mut run = Run {
        args,
        output,
        bar: progress_bar(args.count),
        seen: HashSet::new(),
        tried: 0,
        duplicates: 0,
        last: 0,
    };
    let start = Instant::now();
    let failure = in_order(
        &mut samplers,
        0..u64::MAX,
        &on_interrupt(),
        |sampler, number| candidate(sampler, args, number),
        |_, candidate| run.take(candidate),
    );
    run.bar.finish_and_clear();
    if let Some(Err(error)) = failure {
        return Err(error);
    }
    let summary = Summary {
        lines: run.seen.len() as u64,
        tried: run.tried,
        duplicates: run.duplicates,
        time: start.elapsed(),
    };
    writeln!(output, "{summary}").map_err(OpeningsError::Output)?;
    Ok(summary)
}

/// A run that makes lines.
struct Run<'a> {
    args: &'a OpeningsArgs,
    output: &'a mut dyn Write,
    bar: ProgressBar,
    /// The keys of the positions, those of mirror images alike.
    seen: HashSet<u64>,
    tried: u64,
    duplicates: u64,
    /// How many lines had been tried when the last new one was found.
    last: u64,
}

impl Run<'_> {
    /// Takes a line, if there was one, and writes it if it is new; breaks off if there are
    /// enough or no more.
    fn take(&mut self, candidate: Option<(String, u64)>) -> ControlFlow<Result<(), OpeningsError>> {
        self.tried += 1;
        if let Some((text, key)) = candidate {
            if self.seen.insert(key) {
                self.last = self.tried;
                self.bar.inc(1);
                if let Err(error) = writeln!(self.output, "{text}") {
                    return ControlFlow::Break(Err(OpeningsError::Output(error)));
                }
            } else {
                self.duplicates += 1;
            }
        }
        let lines = self.seen.len() as u64;
        if lines == self.args.count {
            ControlFlow::Break(Ok(()))
        } else if self.tried - self.last >= PATIENCE {
            ControlFlow::Break(Err(OpeningsError::Exhausted(self.tried, lines)))
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// The comment that heads the lines.
fn describe(args: &OpeningsArgs) -> String {
    format!(
        "# vermilion {} openings --count {} --min-plies {} --max-plies {} --balance {} \
         --nodes {} --depth {} --temperature {} --seed {}",
        env!("CARGO_PKG_VERSION"),
        args.count,
        args.min_plies,
        args.max_plies,
        args.balance,
        args.nodes,
        args.depth,
        args.temperature,
        args.seed
    )
}

/// The line with this number and the key of its position, if it is balanced.
fn candidate(sampler: &mut Sampler, args: &OpeningsArgs, number: u64) -> Option<(String, u64)> {
    let mut rng = Rng::new(args.seed, number);
    let plies = args.min_plies + rng.below(args.max_plies - args.min_plies + 1);
    sampler.searcher.clear();
    let position = sampler.line(plies, args.temperature, &mut rng)?;
    sampler.searcher.clear();
    if !sampler.is_balanced(&position, args.nodes, args.balance) {
        return None;
    }
    let moves: Vec<String> = (0..plies)
        .rev()
        .filter_map(|ago| Some(position.past_state(ago)?.last_move?.to_string()))
        .collect();
    let key = position.key().min(position.mirrored().key());
    Some((format!("startpos moves {}", moves.join(" ")), key))
}
