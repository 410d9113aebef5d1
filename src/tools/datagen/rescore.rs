//! Old games with new scores.

use std::collections::VecDeque;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::ProgressBar;

use super::shard::Shard;
use super::{DatagenArgs, DatagenError, Finding, engine, say, selfplay, signature};
use crate::position::Position;
use crate::search::{HashError, Searcher};
use crate::tools::in_order::in_order;
use crate::tools::interrupt::on_interrupt;
use crate::tools::progress::progress_bar;
use crate::tools::record::{Block, Blocks, Board, Label, ReadError, Record};
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
                run.rescore(&block, &records, first)?;
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
    let (games, positions) = (run.games, run.positions);
    let seconds = start.elapsed().as_secs_f64();
    writeln!(
        output,
        "games {games} positions {positions} seconds {seconds:.1} positions_per_second {:.0} \
         damaged_blocks {damaged}",
        positions as f64 / seconds.max(1e-3)
    )
    .map_err(DatagenError::Output)?;
    Ok(if damaged > 0 {
        Finding::Faulty
    } else {
        Finding::Sound
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

    /// Scores the games of a block from number `first` of them on, and writes them.
    fn rescore(
        &mut self,
        block: &Block,
        records: &[Record],
        first: usize,
    ) -> Result<(), DatagenError> {
        let mut settings = block.settings.clone();
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
                self.bar
                    .set_position(block.offset + block.size * (index + 1) / count);
                match self.shard.push(&settings, block.first + index, &record) {
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
