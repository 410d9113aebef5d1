//! Old games with new scores.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::ProgressBar;

use super::shard::Shard;
use super::{DatagenArgs, DatagenError, Finding, engine, say, selfplay, signature};
use crate::notation;
use crate::position::Position;
use crate::rules::Rules;
use crate::search::{HashError, Searcher};
use crate::tools::games::{ListReading, load_games};
use crate::tools::in_order::in_order;
use crate::tools::interrupt::on_interrupt;
use crate::tools::progress::progress_bar;
use crate::tools::record::{
    Blocks, Board, GameResult, Label, MAGIC, Outcome, ReadError, Reason, Record, Settings,
};
use crate::types::Move;

/// The table of a thread, in MiB.
const HASH_MB: usize = 4;

/// Scores the games of `input` anew and appends them to `out`, in order. What `out` has
/// already is not done again.
pub(super) fn run(
    args: &DatagenArgs,
    input: &Path,
    out: &Path,
    output: &mut dyn Write,
) -> Result<Finding, DatagenError> {
    let failed = |error| DatagenError::File(input.to_owned(), error);
    if !is_record_file(input).map_err(failed)? {
        return run_on_games(args, input, out, output);
    }
    let other_games = || {
        let what = format!("its games are not those of {}", input.display());
        DatagenError::OtherGames(out.to_owned(), what)
    };
    let blocks = Blocks::open(input).map_err(failed)?;
    let mut run = Run::new(args, out, progress_bar(blocks.length()))?;
    let start = Instant::now();
    let mut damaged = 0;
    for part in blocks {
        match part {
            Ok(block) => {
                let records: Vec<Record> = block.games().map(|game| game.to_record()).collect();
                let first = run.skip(&records).ok_or_else(other_games)?;
                let count = records.len() as u64;
                let place = |done| block.offset + block.size * done / count;
                run.rescore(&block.settings, block.first, &records, first, &place)?;
            }
            Err(ReadError::Io(error)) => return Err(failed(error)),
            Err(ReadError::Damage(damage)) => {
                damaged += 1;
                say(
                    &run.bar,
                    &format!("{}: {damage} (skipped)", input.display()),
                );
            }
        }
        if run.interrupted.load(Ordering::Relaxed) {
            run.done.clear();
            break;
        }
    }
    run.bar.finish_and_clear();
    if !run.done.is_empty() {
        return Err(other_games());
    }
    run.summarise(start, &format!("damaged_blocks {damaged}"), output)?;
    Ok(if damaged > 0 {
        Finding::Faulty
    } else {
        Finding::Sound
    })
}

/// Whether a file begins as those of `datagen` do.
fn is_record_file(path: &Path) -> io::Result<bool> {
    let mut beginning = Vec::new();
    let file = File::open(path)?;
    file.take(MAGIC.len() as u64).read_to_end(&mut beginning)?;
    Ok(beginning.is_empty() || beginning == MAGIC)
}

/// How many games from elsewhere are scored before they are written.
const CHUNK: usize = 256;

/// Scores games that were not made by `datagen`, as far as their results are known.
fn run_on_games(
    args: &DatagenArgs,
    input: &Path,
    out: &Path,
    output: &mut dyn Write,
) -> Result<Finding, DatagenError> {
    let file = load_games(input, &ListReading::default()).map_err(DatagenError::Games)?;
    let records: Vec<Record> = file.games.iter().filter_map(record_of).collect();
    if records.is_empty() {
        return Err(DatagenError::NoResults(input.to_owned()));
    }
    let left_out = file.games.len() - records.len();
    let mut run = Run::new(args, out, progress_bar(records.len() as u64))?;
    let start = Instant::now();
    let settings = args.settings(0, &args.evaluation.read()?)?;
    for (number, chunk) in records.chunks(CHUNK).enumerate() {
        let before = (number * CHUNK) as u64;
        let Some(first) = run.skip(chunk) else {
            let what = format!("its games are not those of {}", input.display());
            return Err(DatagenError::OtherGames(out.to_owned(), what));
        };
        run.rescore(&settings, before, chunk, first, &|done| before + done)?;
        if run.interrupted.load(Ordering::Relaxed) {
            break;
        }
    }
    run.bar.finish_and_clear();
    run.summarise(start, &format!("left_out {left_out}"), output)?;
    Ok(Finding::Sound)
}

/// A game from elsewhere, not scored yet; `None` without a result or without moves.
fn record_of(game: &notation::Game) -> Option<Record> {
    let result = match game.outcome {
        notation::Outcome::Won(winner) => GameResult::won_by(winner),
        notation::Outcome::Draw => GameResult::Draw,
        notation::Outcome::Unknown => return None,
    };
    let plies: Vec<(Move, i16)> = game.line.moves.iter().map(|line| (line.mv, 0)).collect();
    let mut end = game.start.clone();
    plies.iter().for_each(|&(mv, _)| end.make(mv));
    let told = Outcome {
        result,
        reason: Reason::Told,
    };
    let judged = Outcome::of(Rules::default().judge(&end)).filter(|by| by.result == result);
    (!plies.is_empty()).then(|| Record {
        start: Board::from(&game.start),
        outcome: judged.unwrap_or(told),
        plies,
    })
}

/// A run that scores games.
struct Run {
    label: Label,
    searchers: Vec<Searcher>,
    shard: Shard,
    /// What the file had at first and the input has not come to yet.
    done: VecDeque<Fingerprint>,
    bar: ProgressBar,
    interrupted: Arc<AtomicBool>,
    games: u64,
    positions: u64,
}

impl Run {
    fn new(args: &DatagenArgs, out: &Path, bar: ProgressBar) -> Result<Self, DatagenError> {
        let evaluation = args.evaluation.read()?;
        let label = Label {
            engine: engine(),
            signature: signature(&evaluation)?,
            nodes: args.nodes,
        };
        let mut done = VecDeque::new();
        let shard = Shard::open(out, &mut |text| say(&bar, text), &mut |block| {
            if block.settings.label.as_ref() != Some(&label) {
                let what = "its games were scored with other settings or by another engine";
                return Err(DatagenError::OtherGames(out.to_owned(), what.to_owned()));
            }
            done.extend(block.games().map(|game| fingerprint(&game.to_record())));
            Ok(())
        })?;
        let searchers = (0..args.threads)
            .map(|_| {
                let mut searcher = Searcher::new(HASH_MB)?;
                searcher.set_evaluation(evaluation.clone());
                Ok(searcher)
            })
            .collect::<Result<_, HashError>>()?;
        Ok(Self {
            label,
            searchers,
            shard,
            done,
            bar,
            interrupted: on_interrupt(),
            games: 0,
            positions: 0,
        })
    }

    /// How many of these games are done; `None` if other ones are.
    fn skip(&mut self, records: &[Record]) -> Option<usize> {
        let mut skipped = 0;
        for record in records {
            match self.done.pop_front() {
                None => break,
                Some(other) if other == fingerprint(record) => skipped += 1,
                Some(_) => return None,
            }
        }
        Some(skipped)
    }

    /// Scores games from number `first` of them on, and writes them; the first of all has the
    /// number `numbers_from`. `place` tells where the progress bar stands after so many.
    fn rescore(
        &mut self,
        settings: &Settings,
        numbers_from: u64,
        records: &[Record],
        first: usize,
        place: &dyn Fn(u64) -> u64,
    ) -> Result<(), DatagenError> {
        let mut settings = settings.clone();
        settings.label = Some(self.label.clone());
        let (count, nodes) = (records.len() as u64, self.label.nodes);
        let failure = in_order(
            &mut self.searchers,
            first as u64..count,
            &self.interrupted,
            |searcher, index| rescore(searcher, &records[index as usize], nodes),
            |index, record| {
                self.games += 1;
                self.positions += record.plies.len() as u64;
                self.bar.set_position(place(index + 1));
                match self.shard.push(&settings, numbers_from + index, &record) {
                    Ok(_) => ControlFlow::Continue(()),
                    Err(error) => ControlFlow::Break(error),
                }
            },
        );
        match failure {
            Some(error) => Err(error),
            None => self.shard.write_block(&settings),
        }
    }
}

impl Run {
    /// The figures of the run in one line.
    fn summarise(
        &self,
        start: Instant,
        rest: &str,
        output: &mut dyn Write,
    ) -> Result<(), DatagenError> {
        let (games, positions) = (self.games, self.positions);
        let seconds = start.elapsed().as_secs_f64();
        writeln!(
            output,
            "games {games} positions {positions} seconds {seconds:.1} positions_per_second {:.0} {rest}",
            positions as f64 / seconds.max(1e-3)
        )
        .map_err(DatagenError::Output)
    }
}

/// A game without its scores.
type Fingerprint = (Board, Vec<Move>);

fn fingerprint(record: &Record) -> Fingerprint {
    let moves = record.plies.iter().map(|&(mv, _)| mv).collect();
    (record.start, moves)
}

/// The game with the scores of searches along it, in a table that is empty at its start.
fn rescore(searcher: &mut Searcher, record: &Record, nodes: u64) -> Record {
    let mut rescored = record.clone();
    let Ok(mut position) = Position::try_from(&record.start.setup()) else {
        return rescored;
    };
    searcher.clear();
    let limits = selfplay::limits(nodes);
    for (mv, score) in &mut rescored.plies {
        if !position.is_legal(*mv) {
            break;
        }
        *score = selfplay::score(searcher.search(&position, &limits).value);
        position.make(*mv);
    }
    rescored
}
