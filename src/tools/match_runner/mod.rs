//! Matches between engines: `vermilion match`.
//!
//! A place is a thread that plays one game after another with engines of its own; each
//! engine's output is read by a further thread, which notes when a line came. The main
//! thread takes finished games, writes them down and counts them. Everything that is
//! reported is counted from the records of finished games, so that a match continued from
//! its journal gives the same figures as one that was never interrupted.

mod arbiter;
mod dialect;
mod game;
mod journal;
mod openings;
mod pgn;
mod player;
mod plot;
mod process;
mod record;
mod schedule;
mod settings;
mod spec;
mod spsa;
pub mod stats;
mod tally;
mod terms_text;

use std::collections::VecDeque;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use indicatif::ProgressBar;

use journal::Journal;
pub use openings::OpeningError;
use player::Player;
use process::{Interrupt, TrafficLog};
use record::GameRecord;
use schedule::Schedule;
pub use settings::MatchArgs;
use settings::Settings;
use spsa::Spsa;
pub use tally::Stopped;
use tally::{Report, Tally};

use super::interrupt::on_interrupt;
use super::progress::progress_bar;
use crate::types::Color;

/// Why a match could not be played or written down. No fault of an engine is among them.
#[derive(Debug)]
pub enum MatchError {
    /// A file could not be read or written.
    File(PathBuf, io::Error),
    /// A line of the configuration file is wrong.
    Config(PathBuf, usize, String),
    /// The options do not make a match.
    Options(String),
    /// A line of the openings file is wrong.
    Opening(PathBuf, usize, OpeningError),
    /// The openings file has none.
    NoOpenings(PathBuf),
    /// A line of the journal is damaged.
    Journal(PathBuf, usize, String),
    /// Another runner writes to the journal.
    JournalInUse(PathBuf),
    /// The journal belongs to a match with other options.
    OtherTerms {
        /// The journal.
        path: PathBuf,
        /// The option that differs.
        option: String,
        /// Its value in the journal.
        then: String,
        /// Its value now.
        now: String,
    },
    /// Standard output is closed.
    Output(io::Error),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Config(path, line, why) | Self::Journal(path, line, why) => {
                write!(f, "{}:{line}: {why}", path.display())
            }
            Self::Options(text) => f.write_str(text),
            Self::Opening(path, line, error) => write!(f, "{}:{line}: {error}", path.display()),
            Self::JournalInUse(path) => {
                write!(f, "{}: another runner writes to it", path.display())
            }
            Self::NoOpenings(path) => write!(f, "{}: no openings", path.display()),
            Self::OtherTerms {
                path,
                option,
                then,
                now,
            } => write!(
                f,
                "{} belongs to another match: {option} was {then} and is now {now}",
                path.display()
            ),
            Self::Output(error) => write!(f, "standard output: {error}"),
        }
    }
}

impl std::error::Error for MatchError {}

fn read(path: &Path) -> Result<String, MatchError> {
    fs::read_to_string(path).map_err(|error| MatchError::File(path.to_owned(), error))
}

/// Plays the match that the arguments describe, or what its journal says is left of it,
/// and writes games and figures to `out` and to the files that are asked for.
///
/// # Errors
/// If the arguments are wrong or a file cannot be used. Whatever the engines do is part of
/// the match.
pub fn run(args: MatchArgs, out: &mut impl Write) -> Result<Stopped, MatchError> {
    let settings = args.settle()?;
    let schedule = Schedule::new(&settings.terms);
    let rounds = settings.terms.games.div_ceil(2) as usize;
    if rounds > settings.openings.len() {
        log::warn!(
            "{} openings for {rounds} pairs: some are played again",
            settings.openings.len()
        );
    }
    if let Some(terms) = &settings.terms.spsa {
        has_numbers(&settings, terms)?;
    }
    Match::open(&settings, &schedule, out)?.play()
}

/// Starts the engine that is tuned once, to see that it knows what is tuned.
fn has_numbers(settings: &Settings, terms: &spsa::SpsaTerms) -> Result<(), MatchError> {
    let refuse = |text| Err(MatchError::Options(format!("--spsa: {text}")));
    let Some(mut player) = players(settings, 0, None, &Interrupt::default()).pop() else {
        return Ok(());
    };
    if let Err(player::Stop::Failed(_, text)) = player.new_game() {
        return refuse(format!("the engine {text}"));
    }
    let missing = terms.numbers.iter().find(|n| !player.announces(&n.name));
    match missing {
        Some(number) => refuse(format!(
            "the engine has no option {} (ours has its numbers in a build with --features tune)",
            number.name
        )),
        None => Ok(()),
    }
}

/// A match with its files open.
struct Match<'a, W: Write> {
    settings: &'a Settings,
    schedule: &'a Schedule,
    tally: Tally<'a>,
    spsa: Option<Arc<Mutex<Spsa>>>,
    played: Vec<bool>,
    journal: Option<Journal>,
    pgn: Option<File>,
    traffic: Option<Arc<TrafficLog>>,
    bar: ProgressBar,
    out: &'a mut W,
}

impl<'a, W: Write> Match<'a, W> {
    fn open(
        settings: &'a Settings,
        schedule: &'a Schedule,
        out: &'a mut W,
    ) -> Result<Self, MatchError> {
        let mut this = Self {
            settings,
            schedule,
            tally: Tally::new(&settings.terms, schedule),
            spsa: settings.terms.spsa.clone().map(|terms| {
                let pairs = schedule.fixtures.len().div_ceil(2);
                Arc::new(Mutex::new(Spsa::new(terms, pairs)))
            }),
            played: vec![false; schedule.fixtures.len()],
            journal: None,
            pgn: None,
            traffic: None,
            bar: progress_bar(schedule.fixtures.len() as u64),
            out,
        };
        let appendable = |path: &Path| {
            let file = OpenOptions::new().append(true).create(true).open(path);
            file.map_err(|error| MatchError::File(path.to_owned(), error))
        };
        // These are written later; that they can be is better known before the first game.
        for path in settings.json.iter().chain(&settings.plot) {
            if path != Path::new("-") {
                appendable(path)?;
            }
        }
        let mut games = Vec::new();
        if let Some(path) = &settings.resume {
            let (journal, told) = Journal::open(path, &settings.terms, schedule)?;
            this.journal = Some(journal);
            games = told;
        }
        if let Some(path) = &settings.pgn {
            // With a journal the file is made anew: it may lack a game that the journal has.
            this.pgn = Some(match settings.resume {
                Some(_) => {
                    File::create(path).map_err(|error| MatchError::File(path.clone(), error))?
                }
                None => appendable(path)?,
            });
        }
        if let Some(path) = &settings.log {
            this.traffic = Some(Arc::new(TrafficLog::new(appendable(path)?)));
        }
        for game in &games {
            this.played[game.number] = true;
            this.count(game);
            this.write_pgn(game)?;
        }
        if !games.is_empty() {
            let text = format!("{} games are in the journal", games.len());
            this.print(&text)?;
        }
        this.bar.set_position(games.len() as u64);
        this.bar.reset_eta();
        Ok(this)
    }

    fn play(mut self) -> Result<Stopped, MatchError> {
        let left = (0..self.played.len()).filter(|&number| !self.played[number]);
        let queue = Mutex::new(left.collect::<VecDeque<usize>>());
        let stop = on_interrupt();
        if !self.tally.is_decided() {
            self.play_queue(&queue, &stop)?;
        }
        let complete = self.tally.games() == self.schedule.fixtures.len() as u64;
        let stopped = if self.tally.is_decided() {
            Stopped::Sprt
        } else if !complete && stop.load(Ordering::Relaxed) {
            Stopped::Interrupted
        } else {
            Stopped::Complete
        };
        self.bar.finish_and_clear();
        self.finish(stopped)?;
        Ok(stopped)
    }

    /// Plays what is in the queue, until it is empty, the test decides, or `stop` is set.
    fn play_queue(
        &mut self,
        queue: &Mutex<VecDeque<usize>>,
        stop: &Interrupt,
    ) -> Result<(), MatchError> {
        let (settings, schedule) = (self.settings, self.schedule);
        let traffic = self.traffic.clone();
        let spsa = self.spsa.clone();
        let spsa = spsa.as_deref();
        let (sender, results) = channel();
        thread::scope(|scope| {
            for place in 0..settings.concurrency {
                let players = players(settings, place, traffic.as_ref(), stop);
                let sender = sender.clone();
                scope.spawn(move || {
                    play_games(players, settings, schedule, spsa, queue, stop, &sender);
                });
            }
            drop(sender);
            // Games that end after the test has decided do not count: they would not have
            // been played to the end.
            results.iter().try_for_each(|game| {
                if self.tally.is_decided() {
                    return Ok(());
                }
                let taken = self.take(&game);
                if taken.is_err() || self.tally.is_decided() {
                    stop.store(true, Ordering::Relaxed);
                }
                taken
            })
        })
    }

    fn count(&mut self, game: &GameRecord) {
        self.tally.add(game);
        if let Some(spsa) = &self.spsa
            && !game.ending.kind.is_fault()
        {
            let colour = if game.red == 0 {
                Color::Red
            } else {
                Color::Black
            };
            let result = game.ending.result.half_points(colour) as i8 - 1;
            let pair = self.schedule.fixtures[game.number].pair;
            lock(spsa).learn(pair, result);
        }
    }

    /// Writes a finished game down and counts it.
    fn take(&mut self, game: &GameRecord) -> Result<(), MatchError> {
        if let Some(journal) = &mut self.journal {
            journal.append(game)?;
        }
        self.count(game);
        self.write_pgn(game)?;
        let name = |engine: usize| &self.settings.terms.engines[engine].name;
        let mut text = format!(
            "game {}: {} - {} {}, {} ({} plies, {:.1} s)",
            game.number + 1,
            name(game.red),
            name(game.black),
            game.ending.result,
            game.ending.reason,
            game.opening.len() + game.moves.len(),
            game.seconds
        );
        for line in &game.ending.last_lines {
            text += &format!("\n    {line}");
        }
        self.print(&text)?;
        self.bar.inc(1);
        self.bar.set_message(self.in_short());
        if self
            .tally
            .games()
            .is_multiple_of(u64::from(self.settings.report))
        {
            let report = self.report(Stopped::Running);
            self.print(&standing(&report))?;
            self.write_files(&report)?;
        }
        Ok(())
    }

    fn report(&self, stopped: Stopped) -> Report {
        Report {
            spsa: self.spsa.as_deref().map(|spsa| lock(spsa).tunings()),
            ..self.tally.report(stopped)
        }
    }

    /// Games, Elo and LLR for the progress bar.
    fn in_short(&self) -> String {
        let games = self.tally.games();
        let mut text = format!("{games}/{} games", self.schedule.fixtures.len());
        if let Some(point) = self.tally.points().last()
            && let Some(elo) = point.figures.elo
        {
            text += &format!(" Elo {elo:+.1}");
        }
        if let Some(sprt) = self.tally.sprt() {
            text += &format!(
                " LLR {:.2} [{:.2}, {:.2}]",
                sprt.llr, sprt.lower, sprt.upper
            );
        }
        text
    }

    fn write_pgn(&mut self, game: &GameRecord) -> Result<(), MatchError> {
        if let (Some(file), Some(path)) = (&mut self.pgn, &self.settings.pgn) {
            let settings = self.settings;
            let text = pgn::write(game, &settings.terms, &settings.event, settings.notation);
            file.write_all(text.as_bytes())
                .map_err(|error| MatchError::File(path.clone(), error))?;
        }
        Ok(())
    }

    fn print(&mut self, text: &str) -> Result<(), MatchError> {
        let out = &mut *self.out;
        self.bar
            .suspend(|| writeln!(out, "{text}").and_then(|()| out.flush()))
            .map_err(MatchError::Output)
    }

    fn finish(&mut self, stopped: Stopped) -> Result<(), MatchError> {
        let report = self.report(stopped);
        self.print(&standing(&report))?;
        self.print(&engine_table(&report))?;
        self.write_files(&report)?;
        if self.settings.json.as_deref() == Some(Path::new("-")) {
            let json = json(&report)?;
            self.print(&json)?;
        }
        Ok(())
    }

    /// The report and the plot, as far as they go into files.
    fn write_files(&self, report: &Report) -> Result<(), MatchError> {
        let write = |path: &PathBuf, text: String| {
            fs::write(path, text).map_err(|error| MatchError::File(path.clone(), error))
        };
        if let Some(path) = &self.settings.json
            && path != Path::new("-")
        {
            write(path, json(report)? + "\n")?;
        }
        if let Some(path) = &self.settings.plot {
            let engines = &self.settings.terms.engines;
            let title = format!("{} against {}", engines[0].name, engines[1].name);
            let svg = plot::svg(&title, self.tally.points(), self.tally.sprt());
            write(path, svg)?;
        }
        Ok(())
    }
}

fn json(report: &Report) -> Result<String, MatchError> {
    serde_json::to_string(report).map_err(|error| MatchError::Output(io::Error::other(error)))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The engines of one place.
fn players(
    settings: &Settings,
    place: usize,
    traffic: Option<&Arc<TrafficLog>>,
    stop: &Interrupt,
) -> Vec<Player> {
    let startup = Duration::from_millis(settings.terms.startup);
    let player = |spec: &spec::EngineSpec| {
        Player::new(
            spec.clone(),
            format!("{}#{}", spec.name, place + 1),
            startup,
            traffic.cloned(),
            Arc::clone(stop),
        )
    };
    settings.terms.engines.iter().map(player).collect()
}

/// Plays games from the queue at one place.
fn play_games(
    mut players: Vec<Player>,
    settings: &Settings,
    schedule: &Schedule,
    spsa: Option<&Mutex<Spsa>>,
    queue: &Mutex<VecDeque<usize>>,
    stop: &Interrupt,
    results: &Sender<GameRecord>,
) {
    while !stop.load(Ordering::Relaxed) {
        let Some(number) = lock(queue).pop_front() else {
            return;
        };
        let fixture = schedule.fixtures[number];
        if let Some(spsa) = spsa.map(lock) {
            for (side, player) in players.iter_mut().enumerate() {
                player.set_options(spsa.options(fixture.pair, side == 1));
            }
        }
        let (red, black) = (fixture.red, fixture.black);
        let Ok([red_player, black_player]) = players.get_disjoint_mut([red, black]) else {
            return;
        };
        let game = game::play(
            &settings.terms,
            &settings.openings[fixture.opening],
            number,
            (red, red_player),
            (black, black_player),
        );
        let Some(game) = game else {
            return;
        };
        if results.send(game).is_err() {
            return;
        }
    }
}

/// The standing in a few lines.
fn standing(report: &Report) -> String {
    let mut lines = Vec::new();
    for pairing in &report.pairings {
        let counts = &pairing.counts;
        let figures = pairing.figures.map(|figures| format!("; {figures}"));
        lines.push(format!(
            "{} - {}: {} wins, {} draws, {} losses, pairs {:?}{}",
            pairing.first,
            pairing.second,
            counts.wins,
            counts.draws,
            counts.losses,
            counts.pentanomial,
            figures.unwrap_or_default()
        ));
    }
    if let Some(sprt) = report.sprt {
        lines.push(format!(
            "SPRT [{}, {}]: LLR {:.3} within [{:.3}, {:.3}]: {}",
            sprt.elo0,
            sprt.elo1,
            sprt.llr,
            sprt.lower,
            sprt.upper,
            match sprt.decision {
                stats::Decision::Continue => "undecided",
                stats::Decision::H0 => "H0 accepted",
                stats::Decision::H1 => "H1 accepted",
            }
        ));
    }
    for number in report.spsa.iter().flatten() {
        lines.push(format!(
            "{} {:.2} (from {})",
            number.name, number.value, number.start
        ));
    }
    lines.join("\n")
}

/// The cross table with each engine's figures, and how the games ended.
fn engine_table(report: &Report) -> String {
    let names = report
        .engines
        .iter()
        .map(|engine| engine.name.chars().count());
    let width = names.max().unwrap_or(0).max(6);
    let mut text = format!("{:width$}  points/games", "engine");
    for engine in &report.engines {
        text += &format!(" {:>7}", engine.name.chars().take(7).collect::<String>());
    }
    text += "   depth       nps  ms/move  slowest  starts";
    let rows = report.engines.iter().zip(&report.cross_table);
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by(|a, b| b.0.points.total_cmp(&a.0.points));
    let number = |value: Option<f64>, width: usize, digits: usize| match value {
        Some(value) => format!("{value:>width$.digits$}"),
        None => format!("{:>width$}", "-"),
    };
    for (engine, row) in rows {
        let points = format!("{}/{}", engine.points, engine.games);
        text += &format!("\n{:width$}  {points:>12}", engine.name);
        for column in row {
            text += &format!(" {}", number(*column, 7, 1));
        }
        text += &format!(
            " {} {} {} {:>8.1} {:>7}",
            number(engine.mean_depth, 7, 1),
            number(engine.nps, 9, 0),
            number(engine.mean_move_ms, 8, 1),
            engine.slowest_move_ms,
            engine.starts
        );
    }
    let list = |counts: &std::collections::BTreeMap<String, u64>| {
        let items: Vec<String> = counts
            .iter()
            .map(|(kind, n)| format!("{kind} {n}"))
            .collect();
        items.join(", ")
    };
    text += &format!("\nendings: {}", list(&report.endings));
    for engine in report
        .engines
        .iter()
        .filter(|engine| !engine.faults.is_empty())
    {
        text += &format!("\nfaults of {}: {}", engine.name, list(&engine.faults));
    }
    text
}
