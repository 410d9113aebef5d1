//! The command line: reads arguments, calls the tools, and turns outcomes into exit codes.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use vermilion::engine::{DEFAULT_HASH_MB, Engine, MAX_MULTIPV};
use vermilion::eval::Evaluation;
use vermilion::nnue::Kernels;
use vermilion::notation::Notation;
use vermilion::position::Position;
use vermilion::protocol::{self, read_game};
use vermilion::rules::{RuleSet, Rules};
use vermilion::search::{Limits, Searcher};
use vermilion::tools::analyse::analyse;
use vermilion::tools::annotate::{AnnotateError, annotate};
use vermilion::tools::bench;
use vermilion::tools::convert::{self, ConvertArgs, ConvertError};
use vermilion::tools::datagen::{self, DatagenArgs, DatagenError, Finding};
use vermilion::tools::evaluation::{EvaluationArgs, EvaluationError, report};
use vermilion::tools::judge::{Tally, judge, run_suite};
use vermilion::tools::make_book::{self, BookArgs};
use vermilion::tools::match_runner::{self, MatchArgs, MatchError, Stopped};
use vermilion::tools::mates::{Verdict, read_puzzles};
use vermilion::tools::openings::{self, OpeningsArgs, OpeningsError};
use vermilion::tools::perft::{Leaves, divide};
use vermilion::tools::progress::progress_bar;
use vermilion::tools::suite::{Entry, read_suite};
use vermilion::tools::train::{self, TrainArgs, TrainError, Trained};
use vermilion::tools::typed::TYPED;

/// How long `analyse` thinks if nothing is said, in milliseconds.
const ANALYSE_MS: u64 = 5_000;
/// How long `mates` thinks about a puzzle if nothing is said, in milliseconds.
const MATES_MS: u64 = 1_000;

/// How long `analyse --pgn` thinks about each move then.
const ANALYSE_GAME_MS: u64 = 500;

/// A xiangqi engine. Without a command it speaks UCI or UCCI on standard input and output.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Count the leaves of the tree of legal moves, or check files of known counts
    Perft(PerftArgs),
    /// Search a fixed list of positions: a signature of the play, and the speed
    Bench(BenchArgs),
    /// Search a position and show what is found, or mark the mistakes of games
    Analyse(AnalyseArgs),
    /// Show the static evaluation of a position
    Eval(EvalArgs),
    /// Say whether a game is over and how, or check files of known verdicts
    Judge(JudgeArgs),
    /// Solve mate puzzles and check the lines that are found
    Mates(MatesArgs),
    /// Play games between engines, under the eye of our own rules, and tell how strong they are
    Match(Box<MatchArgs>),
    /// Make balanced opening lines
    Openings(OpeningsArgs),
    /// Make an opening book (BOOK.DAT) from games
    Book(BookArgs),
    /// Turn games and moves into another notation or file format
    Convert(ConvertArgs),
    /// Play games of the engine against itself to train from, look at them, score them anew
    Datagen(Box<DatagenArgs>),
    /// Train the net from such games
    Train(Box<TrainArgs>),
}

#[derive(Args)]
struct PositionArgs {
    /// The position, as a FEN [default: the start position]
    #[arg(long)]
    fen: Option<String>,
    /// Moves to play on it, such as "h2e2 h9g7"
    #[arg(long)]
    moves: Option<String>,
}

#[derive(Args)]
struct PerftArgs {
    /// Plies from the position to the leaves
    #[arg(required_unless_present = "suite")]
    depth: Option<u32>,
    #[command(flatten)]
    position: PositionArgs,
    /// How many threads share the work
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Show the count below each move
    #[arg(long)]
    divide: bool,
    /// Build the list of legal moves at the last ply instead of counting targets
    #[arg(long)]
    list: bool,
    /// Check every position of these EPD files (FEN ;D1 n ;D2 n ...)
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["depth", "fen", "moves", "divide"])]
    suite: Vec<PathBuf>,
    /// Leave out the suite's counts at greater depths
    #[arg(long, value_name = "D", requires = "suite")]
    max_depth: Option<u32>,
    /// Leave out the suite's counts greater than this
    #[arg(long, value_name = "N", requires = "suite")]
    max_nodes: Option<u64>,
}

#[derive(Args)]
struct BenchArgs {
    /// Plies to search
    #[arg(default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Size of the hash table
    #[arg(long, value_name = "MB", default_value_t = bench::DEFAULT_HASH_MB)]
    hash: usize,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Let the net use these kernels: portable, avx2 or avx512 [default: the fastest]
    #[arg(long, value_name = "NAME")]
    kernels: Option<String>,
}

#[derive(Args)]
struct EvalArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

#[derive(Args)]
struct AnalyseArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Think so many milliseconds [default: 5000 if there is no other limit]
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Search so many plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Search so many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Stop when a mate in so many moves is found
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    mate: Option<u32>,
    /// Show so many lines
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = 1..=MAX_MULTIPV as i64)]
    multipv: i64,
    /// Write moves in this notation: iccs, wxf, wxf-letters, chinese, chinese-traditional,
    /// numeric or numeric-far [default: iccs; with --pgn the file's]
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
    /// Analyse the games of this file (PGN, WXF or XQF) and write them as PGN with scores,
    /// mistakes (?!, ?, ??) and better lines [default limit: 500 ms a move]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "multipv", "mate"])]
    pgn: Option<PathBuf>,
    /// Write the games into this file [default: standard output]
    #[arg(long, value_name = "FILE", requires = "pgn")]
    output: Option<PathBuf>,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

#[derive(Args)]
struct JudgeArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// What a repetition means: asian, chinese, simple, checkban or alwaysdraw
    #[arg(long, default_value_t = RuleSet::default())]
    rule: RuleSet,
    /// At which occurrence of the last position to judge the repetition
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u32).range(2..))]
    occurrences: u32,
    /// Say what every move of the repetition does
    #[arg(long)]
    explain: bool,
    /// Check every game of these files (one JSON object a line)
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["fen", "moves", "rule", "occurrences", "explain"])]
    suite: Vec<PathBuf>,
}

#[derive(Args)]
struct MatesArgs {
    /// Files of puzzles (FEN ;mate N ;id NAME)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Think so many milliseconds about each [default: 1000 if there is no other limit]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Search so many nodes for each
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Size of the hash table
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_HASH_MB)]
    hash: usize,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

/// Why a command did not end well.
enum Failure {
    /// A check did not pass; the output says which.
    Check,
    /// Something given was wrong.
    Input(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Runs the program; the exit code is 0 if all went well, 1 if a check failed, 2 if
/// something given was wrong.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return refuse(&error.to_string()),
        Err(help) => {
            let _ = help.print();
            return ExitCode::SUCCESS;
        }
    };
    let outcome = match cli.command {
        None => {
            protocol::run(io::stdin(), io::stdout(), TYPED);
            Ok(())
        }
        Some(Command::Perft(args)) if args.suite.is_empty() => count(&args),
        Some(Command::Perft(args)) => check_suites(&args),
        Some(Command::Bench(args)) => measure(&args),
        Some(Command::Analyse(args)) => match &args.pgn {
            Some(path) => annotate_games(&args, path),
            None => search(&args),
        },
        Some(Command::Eval(args)) => show_evaluation(&args),
        Some(Command::Judge(args)) if args.suite.is_empty() => judge_game(&args),
        Some(Command::Judge(args)) => judge_suites(&args),
        Some(Command::Mates(args)) => solve_puzzles(&args),
        Some(Command::Match(args)) => play_match(*args),
        Some(Command::Openings(args)) => make_openings(&args),
        Some(Command::Book(args)) => make_book(&args),
        Some(Command::Convert(args)) => convert_games(&args),
        Some(Command::Datagen(args)) => make_data(&args),
        Some(Command::Train(args)) => train_net(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Check) => ExitCode::FAILURE,
        Err(Failure::Input(error)) => refuse(&format!("error: {error}")),
        // Whoever read the output has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(Failure::Output(error)) => refuse(&format!("error: cannot write the output: {error}")),
    }
}

/// Says in one line what is wrong.
fn refuse(text: &str) -> ExitCode {
    let words: Vec<&str> = text
        .lines()
        .take_while(|line| !line.is_empty())
        .map(str::trim)
        .collect();
    eprintln!("{}", words.join(" "));
    ExitCode::from(2)
}

impl From<EvaluationError> for Failure {
    fn from(error: EvaluationError) -> Self {
        Self::Input(error.to_string())
    }
}

impl PositionArgs {
    fn read(&self) -> Result<Position, Failure> {
        let fen = self.fen.as_deref().unwrap_or("startpos");
        let moves = self.moves.as_deref().unwrap_or_default();
        let game = read_game(&format!("{fen} moves {moves}"), protocol::Ranks::FromZero)
            .map_err(|error| Failure::Input(format!("--fen: {error}")))?;
        for warning in &game.warnings {
            log::warn!("--fen: {warning}");
        }
        match game.refused {
            Some(refused) => Err(Failure::Input(format!("--moves: {refused}"))),
            None => Ok(game.position),
        }
    }
}

impl PerftArgs {
    fn leaves(&self) -> Leaves {
        if self.list {
            Leaves::List
        } else {
            Leaves::Count
        }
    }
}

fn count(args: &PerftArgs) -> Result<(), Failure> {
    let position = args.position.read()?;
    let bar = progress_bar(0);
    let never = AtomicBool::new(false);
    let division = divide(
        &position,
        args.depth.unwrap_or(0),
        args.leaves(),
        usize::from(args.threads),
        &never,
        &|done, parts| {
            bar.set_length(parts as u64);
            bar.set_position(done as u64);
        },
    );
    bar.finish_and_clear();
    let mut output = io::stdout().lock();
    let Some(division) = division else {
        return Ok(());
    };
    if args.divide {
        for line in division.by_move() {
            writeln!(output, "{line}")?;
        }
    }
    for line in division.summary() {
        writeln!(output, "{line}")?;
    }
    Ok(())
}

fn check_suites(args: &PerftArgs) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let mut entries: Vec<Entry> = Vec::new();
    for file in &args.suite {
        let read = read_suite(file).map_err(|error| Failure::Input(error.to_string()))?;
        if read.is_empty() {
            writeln!(output, "{}: no positions", file.display())?;
            return Err(Failure::Check);
        }
        entries.extend(read);
    }
    let (max_depth, max_nodes) = (args.max_depth, args.max_nodes);
    for entry in &mut entries {
        entry.limit(max_depth.unwrap_or(u32::MAX), max_nodes.unwrap_or(u64::MAX));
    }
    let all = entries.len();
    entries.retain(|entry| !entry.counts.is_empty());
    if entries.len() < all {
        writeln!(
            output,
            "{} positions have no count within the limits",
            all - entries.len()
        )?;
    }
    let bar = progress_bar(entries.iter().map(Entry::cost).sum());
    let mut failed = 0;
    for entry in &entries {
        let differences = entry.check(args.leaves(), usize::from(args.threads));
        failed += usize::from(!differences.is_empty());
        for (depth, right, own) in differences {
            let (place, fen) = (&entry.place, entry.position.fen());
            bar.suspend(|| writeln!(output, "{place}: {fen}: D{depth} is {right}, counted {own}"))?;
        }
        bar.inc(entry.cost());
    }
    bar.finish_and_clear();
    writeln!(output, "{} passed, {failed} failed", entries.len() - failed)?;
    if failed > 0 {
        Err(Failure::Check)
    } else {
        Ok(())
    }
}

impl BenchArgs {
    fn evaluation(&self) -> Result<Evaluation, Failure> {
        let evaluation = self.evaluation.read()?;
        let Some(name) = &self.kernels else {
            return Ok(evaluation);
        };
        let wrong = |what: &str| Failure::Input(format!("--kernels: {what}"));
        let kernels = Kernels::named(name).map_err(|error| wrong(&error.to_string()))?;
        match evaluation {
            Evaluation::Net { network, .. } => Ok(Evaluation::Net { network, kernels }),
            Evaluation::Classical => Err(wrong("the classical evaluation has none")),
        }
    }
}

fn measure(args: &BenchArgs) -> Result<(), Failure> {
    let evaluation = args.evaluation()?;
    let bar = progress_bar(bench::POSITIONS.len() as u64);
    let result = bench::bench(args.depth, args.hash, &evaluation, &mut || {
        bar.inc(1);
        true
    });
    bar.finish_and_clear();
    match result.map_err(|error| Failure::Input(format!("--hash: {error}")))? {
        Some(result) => Ok(writeln!(io::stdout(), "{result}")?),
        None => Ok(()),
    }
}

impl AnalyseArgs {
    /// The limits, with a time if none is given.
    fn limits(&self, default_ms: u64) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none() && self.mate.is_none();
        let movetime = self.movetime.or(unlimited.then_some(default_ms));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            movetime: movetime.map(Duration::from_millis),
            ..Limits::default()
        }
    }
}

fn search(args: &AnalyseArgs) -> Result<(), Failure> {
    let mut engine = Engine::new();
    engine.set_position(args.position.read()?);
    engine.set_multipv(args.multipv.unsigned_abs() as usize);
    engine.set_evaluation(args.evaluation.read()?);
    let notation = args.notation.unwrap_or_default();
    let limits = args.limits(ANALYSE_MS);
    Ok(analyse(&mut engine, limits, notation, io::stdout())?)
}

fn annotate_games(args: &AnalyseArgs, path: &Path) -> Result<(), Failure> {
    let mut engine = Engine::new();
    engine.set_evaluation(args.evaluation.read()?);
    let limits = args.limits(ANALYSE_GAME_MS);
    let (target, mut output) = (args.output.as_deref(), io::stdout().lock());
    match annotate(
        &mut engine,
        path,
        &limits,
        args.notation,
        target,
        &mut output,
    ) {
        Ok(()) => Ok(()),
        Err(AnnotateError::Closed(error)) => Err(Failure::Output(error)),
        Err(error) => Err(Failure::Input(error.to_string())),
    }
}

fn show_evaluation(args: &EvalArgs) -> Result<(), Failure> {
    let position = args.position.read()?;
    let evaluation = args.evaluation.read()?;
    let mut output = io::stdout().lock();
    if evaluation == Evaluation::Classical {
        write!(output, "{}", position.diagram())?;
    }
    for line in report(&position, &evaluation) {
        writeln!(output, "{line}")?;
    }
    Ok(())
}

fn judge_game(args: &JudgeArgs) -> Result<(), Failure> {
    let rules = Rules {
        occurrences: args.occurrences,
        ..Rules::new(args.rule)
    };
    let judgement = judge(&args.position.read()?, &rules, args.explain);
    Ok(write!(io::stdout(), "{judgement}")?)
}

fn judge_suites(args: &JudgeArgs) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let mut tally = Tally::default();
    for path in &args.suite {
        let wrong = |error: String| Failure::Input(format!("{}: {error}", path.display()));
        let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
        tally += run_suite(BufReader::new(file), &mut output)
            .map_err(|error| wrong(error.to_string()))?;
    }
    writeln!(output, "{} passed, {} failed", tally.passed, tally.failed)?;
    if tally.failed > 0 {
        Err(Failure::Check)
    } else {
        Ok(())
    }
}

fn solve_puzzles(args: &MatesArgs) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let mut puzzles = Vec::new();
    for file in &args.files {
        let read = read_puzzles(file).map_err(|error| Failure::Input(error.to_string()))?;
        if read.is_empty() {
            writeln!(output, "{}: no positions", file.display())?;
            return Err(Failure::Check);
        }
        puzzles.extend(read);
    }
    let movetime = args.movetime.or(args.nodes.is_none().then_some(MATES_MS));
    let limits = Limits {
        nodes: args.nodes,
        movetime: movetime.map(Duration::from_millis),
        ..Limits::default()
    };
    let mut searcher =
        Searcher::new(args.hash).map_err(|error| Failure::Input(format!("--hash: {error}")))?;
    searcher.set_evaluation(args.evaluation.read()?);
    let bar = progress_bar(puzzles.len() as u64);
    let mut solved = 0;
    for puzzle in &puzzles {
        let verdict = puzzle.solve(&mut searcher, &limits);
        solved += usize::from(verdict.is_solved());
        if verdict != Verdict::Solved {
            bar.suspend(|| writeln!(output, "{puzzle}: {verdict}"))?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let percent = 100.0 * solved as f64 / puzzles.len() as f64;
    writeln!(
        output,
        "{solved} of {} solved, {percent:.1} %",
        puzzles.len()
    )?;
    if solved < puzzles.len() {
        Err(Failure::Check)
    } else {
        Ok(())
    }
}

/// An interrupted match is a check that failed: it has not said what it was to say.
fn play_match(args: MatchArgs) -> Result<(), Failure> {
    match match_runner::run(args, &mut io::stdout()) {
        Ok(Stopped::Interrupted) => Err(Failure::Check),
        Ok(_) => Ok(()),
        Err(MatchError::Output(error)) => Err(Failure::Output(error)),
        Err(error) => Err(Failure::Input(error.to_string())),
    }
}

fn make_openings(args: &OpeningsArgs) -> Result<(), Failure> {
    match openings::run(args, &mut io::stdout().lock()) {
        Ok(_) => Ok(()),
        Err(OpeningsError::Output(error)) => Err(Failure::Output(error)),
        Err(error) => Err(Failure::Input(error.to_string())),
    }
}

/// An interrupted training is a check that failed: there is no net yet.
fn train_net(args: &TrainArgs) -> Result<(), Failure> {
    match train::run(args, &mut io::stdout().lock()) {
        Ok(Trained::Complete) => Ok(()),
        Ok(Trained::Interrupted) => Err(Failure::Check),
        Err(TrainError::Output(error)) => Err(Failure::Output(error)),
        Err(error) => Err(Failure::Input(error.to_string())),
    }
}

fn make_data(args: &DatagenArgs) -> Result<(), Failure> {
    match datagen::run(args, &mut io::stdout().lock()) {
        Ok(Finding::Sound) => Ok(()),
        Ok(Finding::Faulty) => Err(Failure::Check),
        Err(DatagenError::Output(error)) => Err(Failure::Output(error)),
        Err(error) => Err(Failure::Input(error.to_string())),
    }
}

fn make_book(args: &BookArgs) -> Result<(), Failure> {
    match make_book::run(args) {
        Ok(summary) => Ok(writeln!(io::stdout(), "{summary}")?),
        Err(error) => Err(Failure::Input(error.to_string())),
    }
}

fn convert_games(args: &ConvertArgs) -> Result<(), Failure> {
    match convert::run(args, &mut io::stdout().lock()) {
        Ok(()) => Ok(()),
        Err(ConvertError::Output(error)) => Err(Failure::Output(error)),
        Err(error) => Err(Failure::Input(error.to_string())),
    }
}
