//! The standing of a match: counted from the records alone, so that a match continued
//! from its journal gives the same figures as one that was never interrupted.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::record::{EndKind, GameRecord};
use super::schedule::Schedule;
use super::settings::Terms;
use super::spsa::Tuning;
use super::stats::{Counts, Decision, Figures};
use crate::types::Color;

/// Sums over an engine's moves and games.
#[derive(Clone, Debug, Default)]
struct EngineSums {
    half_points: u64,
    counts: Counts,
    moves: u64,
    time: Duration,
    slowest: Duration,
    depth: u64,
    moves_with_depth: u64,
    nodes: u64,
    time_with_nodes: Duration,
    starts: u64,
    faults: BTreeMap<String, u64>,
}

impl EngineSums {
    fn add(&mut self, record: &GameRecord, side: Color) {
        let half_points = record.ending.result.half_points(side);
        self.half_points += u64::from(half_points);
        self.counts.add_game(half_points);
        self.starts += u64::from(record.starts[side.index()]);
        if record.ending.kind.is_fault() && half_points == 0 {
            *self.faults.entry(record.ending.kind.name()).or_default() += 1;
        }
        let skip = usize::from(record.first_to_move() != side);
        for mv in record.moves.iter().skip(skip).step_by(2) {
            let elapsed = mv.elapsed();
            self.moves += 1;
            self.time += elapsed;
            self.slowest = self.slowest.max(elapsed);
            if let Some(depth) = mv.2 {
                self.depth += u64::from(depth);
                self.moves_with_depth += 1;
            }
            if let Some(nodes) = mv.3 {
                self.nodes += nodes;
                self.time_with_nodes += elapsed;
            }
        }
    }

    fn report(&self, name: &str) -> EngineReport {
        let mean = |sum: f64, count: f64| (count > 0.0).then(|| sum / count);
        EngineReport {
            name: name.to_owned(),
            games: self.counts.games(),
            wins: self.counts.wins,
            draws: self.counts.draws,
            losses: self.counts.losses,
            points: self.half_points as f64 / 2.0,
            moves: self.moves,
            mean_depth: mean(self.depth as f64, self.moves_with_depth as f64),
            nps: mean(self.nodes as f64, self.time_with_nodes.as_secs_f64()),
            time_s: self.time.as_secs_f64(),
            mean_move_ms: mean(1e3 * self.time.as_secs_f64(), self.moves as f64),
            slowest_move_ms: 1e3 * self.slowest.as_secs_f64(),
            starts: self.starts,
            faults: self.faults.clone(),
        }
    }
}

/// An engine's share of a match.
#[derive(Clone, Debug, Serialize)]
pub struct EngineReport {
    /// Its name.
    pub name: String,
    /// Games it has played.
    pub games: u64,
    /// Games it has won.
    pub wins: u64,
    /// Games it has drawn.
    pub draws: u64,
    /// Games it has lost.
    pub losses: u64,
    /// Points: 1 for a win, a half for a draw.
    pub points: f64,
    /// Moves it has made.
    pub moves: u64,
    /// Mean of the depths it has told.
    pub mean_depth: Option<f64>,
    /// Nodes it has told in a second of the runner's clock.
    pub nps: Option<f64>,
    /// All the time it has used, in seconds.
    pub time_s: f64,
    /// Mean time of a move in milliseconds.
    pub mean_move_ms: Option<f64>,
    /// Its slowest answer in milliseconds.
    pub slowest_move_ms: f64,
    /// How often it was started.
    pub starts: u64,
    /// Games lost by its faults, by kind.
    pub faults: BTreeMap<String, u64>,
}

/// Two engines' games against each other.
#[derive(Clone, Debug, Serialize)]
pub struct PairingReport {
    /// The engine from whose view the figures are.
    pub first: String,
    /// The other.
    pub second: String,
    /// Games and pairs.
    #[serde(flatten)]
    pub counts: Counts,
    /// Estimates; absent before the first game.
    #[serde(flatten)]
    pub figures: Option<Figures>,
}

/// A game lost by a fault.
#[derive(Clone, Debug, Serialize)]
pub struct FaultReport {
    /// The game's number, from 1 as in the PGN.
    pub game: usize,
    /// The engine.
    pub engine: String,
    /// What kind of fault.
    pub kind: EndKind,
    /// In words.
    pub reason: String,
    /// The engine's last lines.
    pub last_lines: Vec<String>,
}

/// The sequential test.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtReport {
    /// Elo of H0.
    pub elo0: f64,
    /// Elo of H1.
    pub elo1: f64,
    /// Bound below which H0 is accepted.
    pub lower: f64,
    /// Bound above which H1 is accepted.
    pub upper: f64,
    /// Log-likelihood ratio.
    pub llr: f64,
    /// What it says.
    pub decision: Decision,
}

/// The figures after so many games of a two-engine match, for the plot.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Games.
    pub games: u64,
    /// Estimates.
    pub figures: Figures,
    /// Log-likelihood ratio, if there is a test.
    pub llr: Option<f64>,
}

/// The running sums of a match.
pub struct Tally<'a> {
    terms: &'a Terms,
    schedule: &'a Schedule,
    engines: Vec<EngineSums>,
    pairings: Vec<Counts>,
    /// Half points of the first engine in the first finished game of each unfinished pair.
    half_pairs: BTreeMap<usize, u8>,
    endings: BTreeMap<String, u64>,
    results: [u64; 3],
    faults: Vec<FaultReport>,
    seconds: f64,
    points: Vec<Point>,
}

impl<'a> Tally<'a> {
    /// Nothing counted yet.
    pub fn new(terms: &'a Terms, schedule: &'a Schedule) -> Self {
        Self {
            terms,
            schedule,
            engines: vec![EngineSums::default(); terms.engines.len()],
            pairings: vec![Counts::default(); schedule.pairings.len()],
            half_pairs: BTreeMap::new(),
            endings: BTreeMap::new(),
            results: [0; 3],
            faults: Vec::new(),
            seconds: 0.0,
            points: Vec::new(),
        }
    }

    /// Counts a game of the schedule.
    pub fn add(&mut self, record: &GameRecord) {
        let fixture = &self.schedule.fixtures[record.number];
        let (first, _) = self.schedule.pairings[fixture.pairing];
        for side in Color::ALL {
            self.engines[record.engine_of(side)].add(record, side);
        }
        let first_side = if record.red == first {
            Color::Red
        } else {
            Color::Black
        };
        let half_points = record.ending.result.half_points(first_side);
        let counts = &mut self.pairings[fixture.pairing];
        counts.add_game(half_points);
        match self.half_pairs.remove(&fixture.pair) {
            Some(other) => counts.pentanomial[usize::from(half_points + other)] += 1,
            None => {
                self.half_pairs.insert(fixture.pair, half_points);
            }
        }
        *self.endings.entry(record.ending.kind.name()).or_default() += 1;
        self.results[usize::from(record.ending.result.half_points(Color::Red))] += 1;
        self.seconds += record.seconds;
        if let Some(engine) = record.culprit() {
            self.faults.push(FaultReport {
                game: record.number + 1,
                engine: self.terms.engines[engine].name.clone(),
                kind: record.ending.kind,
                reason: record.ending.reason.clone(),
                last_lines: record.ending.last_lines.clone(),
            });
        }
        if self.pairings.len() == 1 {
            let llr = self.sprt().map(|sprt| sprt.llr);
            let games = self.games();
            self.points
                .extend(self.pairings[0].figures().map(|figures| Point {
                    games,
                    figures,
                    llr,
                }));
        }
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// The sequential test of a two-engine match.
    pub fn sprt(&self) -> Option<SprtReport> {
        let sprt = self.terms.sprt?;
        let pairs = &self.pairings.first()?.pentanomial;
        let (lower, upper) = sprt.bounds();
        Some(SprtReport {
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            lower,
            upper,
            llr: sprt.llr(pairs),
            decision: sprt.decide(pairs),
        })
    }

    /// Whether the sequential test has decided.
    pub fn is_decided(&self) -> bool {
        self.sprt()
            .is_some_and(|sprt| sprt.decision != Decision::Continue)
    }

    /// The figures game by game.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The whole report.
    pub fn report(&self, stopped: Stopped) -> Report {
        let name = |engine: usize| self.terms.engines[engine].name.clone();
        let pairings: Vec<PairingReport> = self
            .schedule
            .pairings
            .iter()
            .zip(&self.pairings)
            .map(|(&(first, second), counts)| PairingReport {
                first: name(first),
                second: name(second),
                counts: *counts,
                figures: counts.figures(),
            })
            .collect();
        let engines = self.engines.iter().enumerate();
        Report {
            games: self.games(),
            planned: self.schedule.fixtures.len() as u64,
            stopped,
            match_figures: (pairings.len() == 1).then(|| pairings[0].clone()),
            sprt: self.sprt(),
            spsa: None,
            engines: engines.map(|(i, sums)| sums.report(&name(i))).collect(),
            cross_table: self.cross_table(),
            pairings,
            red_wins: self.results[2],
            black_wins: self.results[0],
            red_black_draws: self.results[1],
            endings: self.endings.clone(),
            faults: self.faults.clone(),
            game_seconds: self.seconds,
        }
    }

    /// Points of each engine against each other; none where they do not meet.
    fn cross_table(&self) -> Vec<Vec<Option<f64>>> {
        let n = self.engines.len();
        let mut table = vec![vec![None; n]; n];
        for (&(first, second), counts) in self.schedule.pairings.iter().zip(&self.pairings) {
            let half_draws = counts.draws as f64 / 2.0;
            table[first][second] = Some(counts.wins as f64 + half_draws);
            table[second][first] = Some(counts.losses as f64 + half_draws);
        }
        table
    }
}

/// Why a match has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    /// It has not.
    Running,
    /// All games have been played.
    Complete,
    /// The sequential test has decided.
    Sprt,
    /// Somebody has interrupted it.
    Interrupted,
}

/// The report, as `--json` writes it.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Games played.
    pub games: u64,
    /// Games of the schedule.
    pub planned: u64,
    /// Why it ended.
    pub stopped: Stopped,
    /// The figures of a match of two engines, from the view of the first.
    #[serde(flatten)]
    pub match_figures: Option<PairingReport>,
    /// The sequential test.
    pub sprt: Option<SprtReport>,
    /// The numbers that are tuned.
    pub spsa: Option<Vec<Tuning>>,
    /// Each engine.
    pub engines: Vec<EngineReport>,
    /// Each pairing.
    pub pairings: Vec<PairingReport>,
    /// Points of each engine (row) against each other (column).
    pub cross_table: Vec<Vec<Option<f64>>>,
    /// Games won by Red.
    pub red_wins: u64,
    /// Games won by Black.
    pub black_wins: u64,
    /// Games drawn.
    #[serde(rename = "drawn_games")]
    pub red_black_draws: u64,
    /// How the games ended, by kind.
    pub endings: BTreeMap<String, u64>,
    /// Every game lost by a fault.
    pub faults: Vec<FaultReport>,
    /// Seconds of all games added up, those of games at the same time too.
    pub game_seconds: f64,
}
