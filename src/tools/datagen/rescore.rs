//! Old games with new scores.

use std::collections::VecDeque;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use super::shard::Shard;
use super::{DatagenArgs, DatagenError, Finding, engine, say, selfplay, signature};
use crate::position::Position;
use crate::search::Searcher;
use crate::tools::in_order::in_order;
use crate::tools::interrupt::on_interrupt;
use crate::tools::progress::progress_bar;
use crate::tools::record::{Block, Blocks, Label, ReadError, Record};
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
    let label = Label {
        engine: engine(),
        signature: signature()?,
        nodes: args.nodes,
    };
    let failed = |error| DatagenError::File(input.to_owned(), error);
    let blocks = Blocks::open(input).map_err(failed)?;
    let bar = progress_bar(blocks.length());
    let mut done = VecDeque::new();
    let mut shard = Shard::open(out, &mut |text| say(&bar, text), &mut |block| {
        if block.settings.label.as_ref() != Some(&label) {
            let what = "its games were scored with other settings or by another engine";
            return Err(DatagenError::OtherGames(out.to_owned(), what.to_owned()));
        }
        done.extend(block.games().map(|game| fingerprint(&game.to_record())));
        Ok(())
    })?;
    let mut searchers = (0..args.threads)
        .map(|_| Searcher::new(HASH_MB))
        .collect::<Result<Vec<_>, _>>()?;
    let interrupted = on_interrupt();
    let (mut games, mut positions, mut damaged) = (0, 0, 0);
    let start = Instant::now();
    for part in blocks {
        let block = match part {
            Ok(block) => block,
            Err(ReadError::Io(error)) => return Err(failed(error)),
            Err(ReadError::Damage(damage)) => {
                damaged += 1;
                say(&bar, &format!("{}: {damage} (skipped)", input.display()));
                continue;
            }
        };
        let records: Vec<Record> = block.games().map(|game| game.to_record()).collect();
        let first = skip(&records, &mut done).ok_or_else(|| {
            let what = format!("its games are not those of {}", input.display());
            DatagenError::OtherGames(out.to_owned(), what)
        })?;
        let mut settings = block.settings.clone();
        settings.label = Some(label.clone());
        let failure = in_order(
            &mut searchers,
            first..records.len() as u64,
            &interrupted,
            |searcher, index| rescore(searcher, &records[index as usize], args.nodes),
            |index, record| {
                games += 1;
                positions += record.plies.len();
                bar.set_position(progress(&block, index + 1, records.len()));
                match shard.push(&settings, block.first + index, &record) {
                    Ok(_) => ControlFlow::Continue(()),
                    Err(error) => ControlFlow::Break(error),
                }
            },
        );
        if let Some(error) = failure {
            return Err(error);
        }
        shard.write_block(&settings)?;
    }
    bar.finish_and_clear();
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

/// A game without its scores.
type Fingerprint = (crate::tools::record::Board, Vec<Move>);

fn fingerprint(record: &Record) -> Fingerprint {
    let moves = record.plies.iter().map(|&(mv, _)| mv).collect();
    (record.start, moves)
}

/// How many of these games are done; `None` if other ones are.
fn skip(records: &[Record], done: &mut VecDeque<Fingerprint>) -> Option<u64> {
    let mut skipped = 0;
    for record in records {
        match done.pop_front() {
            None => break,
            Some(other) if other == fingerprint(record) => skipped += 1,
            Some(_) => return None,
        }
    }
    Some(skipped)
}

/// How far the input is done, in bytes.
fn progress(block: &Block, games: u64, of: usize) -> u64 {
    block.offset + block.size * games / of.max(1) as u64
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
