//! What is in files of games, and whether all of it is sound.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{DatagenError, Finding, say};
use crate::position::Position;
use crate::rules::{RuleSet, Rules};
use crate::tools::progress::progress_bar;
use crate::tools::record::{Block, Blocks, Game, Outcome, ReadError, Reason};
use crate::types::Move;

/// The bounds between the rows of the histogram of scores, in centipawns; the last one
/// is where mates and wins by rule begin.
const BOUNDS: [i32; 10] = [25, 50, 100, 200, 400, 800, 1_500, 3_000, 10_000, 30_000];

/// What has been counted.
#[derive(Default)]
struct Stats {
    bytes: u64,
    blocks: u64,
    damaged: u64,
    games: u64,
    positions: u64,
    illegal: u64,
    /// Games that the rules of this version judge otherwise.
    disputed: u64,
    /// By the code of the result.
    results: [u64; 3],
    /// By the code of the reason.
    reasons: [u64; Reason::ALL.len()],
    /// Absolute scores between [`BOUNDS`].
    scores: [u64; BOUNDS.len() + 1],
    /// Positions in check, and those whose move is a capture.
    checks: u64,
    captures: u64,
    /// The sum of each score and the one before it, and how many such pairs there are.
    lean: (i64, u64),
    /// The keys of all positions, those of mirror images alike, and of all games.
    position_keys: Vec<u64>,
    game_keys: Vec<u64>,
    /// How many games have been played under which settings.
    settings: BTreeMap<String, u64>,
    /// How long it took to read, check and decode.
    decoding: Duration,
}

/// Reads the files, tells what is in them and names what is wrong.
pub(super) fn run(files: &[PathBuf], output: &mut dyn Write) -> Result<Finding, DatagenError> {
    let mut stats = Stats::default();
    for path in files {
        stats
            .read(path, output)
            .map_err(|error| DatagenError::File(path.clone(), error))?
            .map_err(DatagenError::Output)?;
    }
    stats.write(output).map_err(DatagenError::Output)?;
    Ok(if stats.damaged + stats.illegal > 0 {
        Finding::Faulty
    } else {
        Finding::Sound
    })
}

/// Decodes every position of a block, as a trainer would; the value depends on all of them.
fn decode(block: &Block) -> u64 {
    let mut sum = 0;
    for game in block.games() {
        let mut board = game.start();
        for (mv, score) in game.plies() {
            sum +=
                u64::from(score.unsigned_abs()) + u64::from(board.men[mv.to() as usize].is_some());
            board.play(mv);
        }
    }
    sum
}

impl Stats {
    /// Reads one file. The outer error is the file's, the inner one the output's.
    fn read(&mut self, path: &Path, output: &mut dyn Write) -> io::Result<io::Result<()>> {
        let mut blocks = Blocks::open(path)?;
        let bar = progress_bar(blocks.length());
        self.bytes += blocks.length();
        loop {
            let start = Instant::now();
            let block = match blocks.next() {
                None => break,
                Some(Ok(block)) => block,
                Some(Err(ReadError::Io(error))) => return Err(error),
                Some(Err(ReadError::Damage(damage))) => {
                    self.damaged += 1;
                    if let Err(error) = writeln!(output, "{}: {damage}", path.display()) {
                        return Ok(Err(error));
                    }
                    continue;
                }
            };
            std::hint::black_box(decode(&block));
            self.decoding += start.elapsed();
            self.count(path, &block, &|text| say(&bar, text));
            bar.set_position(block.offset + block.size);
        }
        bar.finish_and_clear();
        Ok(Ok(()))
    }

    fn count(&mut self, path: &Path, block: &Block, notice: &dyn Fn(&str)) {
        self.blocks += 1;
        let games = block.games().count() as u64;
        let settings = serde_json::to_string(&block.settings).unwrap_or_default();
        *self.settings.entry(settings).or_default() += games;
        let rule: RuleSet = block.settings.rule.parse().unwrap_or_default();
        for (index, game) in block.games().enumerate() {
            if let Err(ply) = self.count_game(&game, &Rules::new(rule)) {
                self.illegal += 1;
                notice(&format!(
                    "{}: game {index} of the block at offset {} is illegal from ply {ply} on",
                    path.display(),
                    block.offset
                ));
            }
        }
    }

    /// Counts a game and replays it. The error is the number of the first illegal ply; 0
    /// for the start position.
    fn count_game(&mut self, game: &Game<'_>, rules: &Rules) -> Result<(), usize> {
        let outcome = game.outcome();
        self.games += 1;
        self.results[outcome.result as usize] += 1;
        self.reasons[outcome.reason as usize] += 1;
        let mut hasher = DefaultHasher::new();
        let mut previous = None;
        let mut position = Position::try_from(&game.start().setup()).map_err(|_| 0usize)?;
        position.key().hash(&mut hasher);
        let mut ended = None;
        for (index, (mv, score)) in game.plies().enumerate() {
            if !position.is_legal(mv) {
                return Err(index + 1);
            }
            ended = ended.or(Outcome::of(rules.judge(&position)));
            self.count_position(&position, mv, score.into(), previous);
            previous = Some(i64::from(score));
            mv.hash(&mut hasher);
            position.make(mv);
        }
        // A game goes on as long as the rules let it, and ends when they say so.
        let judged = Outcome::of(rules.judge(&position));
        let agreed = ended.is_none()
            && match outcome.reason.is_by_rule() {
                true => judged == Some(outcome),
                false => judged.is_none(),
            };
        self.disputed += u64::from(!agreed);
        self.game_keys.push(hasher.finish());
        Ok(())
    }

    fn count_position(&mut self, position: &Position, mv: Move, score: i64, previous: Option<i64>) {
        self.positions += 1;
        self.checks += u64::from(position.in_check());
        self.captures += u64::from(position.piece_on(mv.to()).is_some());
        let row = BOUNDS.partition_point(|&bound| i64::from(bound) < score.abs());
        self.scores[row] += 1;
        let limit = i64::from(BOUNDS[BOUNDS.len() - 3]);
        if let Some(previous) = previous.filter(|previous| previous.abs().max(score.abs()) < limit)
        {
            self.lean.0 += score + previous;
            self.lean.1 += 1;
        }
        let key = position.key().min(position.mirrored().key());
        self.position_keys.push(key);
    }

    fn write(&mut self, output: &mut dyn Write) -> io::Result<()> {
        let share = |count: u64, of: u64| 100.0 * count as f64 / of.max(1) as f64;
        for (settings, games) in &self.settings {
            writeln!(output, "{games} games with {settings}")?;
        }
        let (games, positions) = (self.games, self.positions);
        writeln!(output, "\nresults")?;
        for (name, count) in ["black wins", "draw", "red wins"].iter().zip(self.results) {
            row(output, name, count, games)?;
        }
        writeln!(output, "\nended by")?;
        for (reason, &count) in Reason::ALL.iter().zip(&self.reasons) {
            if count > 0 {
                row(output, &reason.to_string(), count, games)?;
            }
        }
        writeln!(output, "\nscores, absolute")?;
        for (index, &count) in self.scores.iter().enumerate() {
            let name = match BOUNDS.get(index) {
                Some(bound) => format!("up to {bound}"),
                None => "mate, won by rule".to_owned(),
            };
            row(output, &name, count, positions)?;
        }
        let lean = self.lean.0 as f64 / self.lean.1.max(1) as f64 / 2.0;
        writeln!(
            output,
            "\nmean length {:.1} plies",
            positions as f64 / games.max(1) as f64
        )?;
        writeln!(output, "in check {:.1} %", share(self.checks, positions))?;
        writeln!(
            output,
            "move captures {:.1} %",
            share(self.captures, positions)
        )?;
        writeln!(
            output,
            "scores lean to the side to move by {lean:.1} centipawns"
        )?;
        let repeated_positions = repeated(&mut self.position_keys);
        let repeated_games = repeated(&mut self.game_keys);
        writeln!(
            output,
            "blocks {} games {games} positions {positions} bytes_per_position {:.2} \
             decoded_per_second {:.0} duplicate_positions_percent {:.2} duplicate_games {} \
             disputed_games {} illegal_games {} damaged_blocks {}",
            self.blocks,
            self.bytes as f64 / positions.max(1) as f64,
            positions as f64 / self.decoding.as_secs_f64().max(1e-9),
            share(repeated_positions, positions),
            repeated_games,
            self.disputed,
            self.illegal,
            self.damaged
        )
    }
}

/// A row of a table: a name, how many, their share and a bar of that length.
fn row(output: &mut dyn Write, name: &str, count: u64, of: u64) -> io::Result<()> {
    let share = count as f64 / of.max(1) as f64;
    let bar = "#".repeat((share * 40.0).round() as usize);
    let line = format!("  {name:<22} {count:>10} {:>5.1} % {bar}", share * 100.0);
    writeln!(output, "{}", line.trim_end())
}

/// How many of the keys stand there more than once, the first of each not counted.
fn repeated(keys: &mut Vec<u64>) -> u64 {
    let all = keys.len();
    keys.sort_unstable();
    keys.dedup();
    (all - keys.len()) as u64
}
