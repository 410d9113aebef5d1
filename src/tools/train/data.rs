//! The games to learn from, in memory, and which of their positions count.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use smallvec::SmallVec;

use super::TrainError;
use super::model::sigmoid;
use crate::position::Position;
use crate::tools::random::Rng;
use crate::tools::record::{Blocks, Board, Game, ReadError};
use crate::types::{Color, Move, Piece, Square};

/// Validation games are chosen by a hash modulo this.
const SHARES: u64 = 1000;
/// The scale is fitted to at most so many positions.
const SCALE_SAMPLE: usize = 200_000;

/// What stands on a square: 0 for nothing, else one more than the man's index.
pub(super) type Code = u8;
/// Squares of a board with room to compare it word by word.
pub(super) const CODES: usize = 96;

/// A board as codes, a pad of zeros after its 90 squares.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub(super) struct Codes(pub [Code; CODES]);

impl Codes {
    fn new(board: &Board) -> Self {
        let mut codes = [0; CODES];
        for (code, man) in codes.iter_mut().zip(board.men) {
            *code = man.map_or(0, |piece: Piece| piece.index() as Code + 1);
        }
        Self(codes)
    }

    fn play(&mut self, mv: Move) {
        self.0[mv.to() as usize] = std::mem::take(&mut self.0[mv.from() as usize]);
    }
}

/// A move of a game and the score of the search before it from the mover's view.
#[derive(Clone, Copy, Debug)]
struct Ply {
    mv: Move,
    score: i16,
    counts: bool,
}

impl Ply {
    /// What is learnt of the position before the move, if it counts.
    fn label(self) -> Option<i16> {
        self.counts.then_some(self.score)
    }
}

#[derive(Debug)]
struct Start {
    board: Codes,
    side: Color,
    /// What the game was worth to Red.
    red_points: f32,
    /// Its first ply in [`Games::plies`]; it ends where the next game begins.
    first: usize,
    /// How many of its positions count.
    kept: usize,
}

/// Which positions count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    /// The greatest distance of a score from 0, in centipawns.
    pub max_score: i16,
    /// Plies at the start of a game that are left out.
    pub skip_plies: usize,
}

/// Games in memory: six bytes a ply and 128 a game.
#[derive(Default, Debug)]
pub(super) struct Games {
    starts: Vec<Start>,
    plies: Vec<Ply>,
    kept: usize,
}

/// A position that counts, as the trainer sees it.
pub(super) struct Sample<'a> {
    pub board: &'a Codes,
    /// The squares that moves since the position shown before have left or reached, some
    /// more than once; meaningless for the first one of a run.
    pub touched: &'a [u8],
    pub side: Color,
    /// The score in centipawns from the view of the side to move.
    pub score: i16,
    /// What the game was worth to the side to move: 1, ½ or 0.
    pub points: f32,
}

/// Consecutive positions that count of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    game: u32,
    /// The number of the first one among those of the game that count.
    from: u16,
    pub length: u16,
}

impl Games {
    /// How many positions count.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    fn plies_of(&self, game: usize) -> &[Ply] {
        let first = self.starts[game].first;
        let end = self.starts.get(game + 1).map(|next| next.first);
        &self.plies[first..end.unwrap_or(self.plies.len())]
    }

    fn push(&mut self, game: &Game<'_>, filter: Filter) {
        let start = game.start();
        // A game that cannot be replayed teaches nothing; `datagen --stats` names it.
        let Ok(mut position) = Position::try_from(&start.setup()) else {
            return;
        };
        let first = self.plies.len();
        let mut kept = 0;
        for (number, (mv, score)) in game.plies().enumerate() {
            if !position.is_legal(mv) {
                break;
            }
            let quiet = !position.in_check() && position.piece_on(mv.to()).is_none();
            let counts = quiet
                && number >= filter.skip_plies
                && score.unsigned_abs() <= filter.max_score.unsigned_abs();
            kept += usize::from(counts);
            self.plies.push(Ply { mv, score, counts });
            position.make(mv);
        }
        if kept == 0 {
            self.plies.truncate(first);
            return;
        }
        self.kept += kept;
        self.starts.push(Start {
            board: Codes::new(&start),
            side: start.side,
            red_points: game.outcome().result.points(Color::Red),
            first,
            kept,
        });
    }

    /// Shows the positions of a run, in order.
    pub fn show(&self, run: Run, mut show: impl FnMut(Sample<'_>)) {
        let start = &self.starts[run.game as usize];
        let mut board = start.board.clone();
        let mut side = start.side;
        let wanted = usize::from(run.from)..usize::from(run.from) + usize::from(run.length);
        let mut number = 0;
        let mut touched = SmallVec::<[u8; 64]>::new();
        for ply in self.plies_of(run.game as usize) {
            if let Some(score) = ply.label() {
                if number >= wanted.end {
                    return;
                }
                if wanted.contains(&number) {
                    show(Sample {
                        board: &board,
                        touched: &touched,
                        side,
                        score,
                        points: match side {
                            Color::Red => start.red_points,
                            Color::Black => 1.0 - start.red_points,
                        },
                    });
                    touched.clear();
                }
                number += 1;
            }
            board.play(ply.mv);
            if number > wanted.start {
                touched.extend([ply.mv.from() as u8, ply.mv.to() as u8]);
            }
            side = !side;
        }
    }

    /// All games cut into runs of at most `length`, the first one of each game shorter by
    /// chance, in an order by chance.
    pub fn shuffled_runs(&self, length: usize, rng: &mut Rng) -> Vec<Run> {
        let mut runs = Vec::with_capacity(self.kept / length + 2 * self.starts.len());
        for (game, start) in self.starts.iter().enumerate() {
            let mut from = 0;
            let mut end = 1 + rng.below(length);
            while from < start.kept {
                end = end.min(start.kept);
                runs.push(Run {
                    game: game as u32,
                    from: from as u16,
                    length: (end - from) as u16,
                });
                from = end;
                end += length;
            }
        }
        for last in (1..runs.len()).rev() {
            runs.swap(last, rng.below(last + 1));
        }
        runs
    }

    /// All games cut into runs of at most `length`, in order.
    pub fn runs(&self, length: usize) -> Vec<Run> {
        let mut runs = Vec::new();
        for (game, start) in self.starts.iter().enumerate() {
            for from in (0..start.kept).step_by(length) {
                runs.push(Run {
                    game: game as u32,
                    from: from as u16,
                    length: length.min(start.kept - from) as u16,
                });
            }
        }
        runs
    }

    /// Scores and points of a sample of the positions that count.
    fn labels(&self) -> Vec<(f32, f32)> {
        let mut labels = Vec::new();
        let step = self.kept.div_ceil(SCALE_SAMPLE).max(1);
        let mut number = 0;
        for (game, start) in self.starts.iter().enumerate() {
            let mut side = start.side;
            for ply in self.plies_of(game) {
                if let Some(score) = ply.label() {
                    if number % step == 0 {
                        let points = match side {
                            Color::Red => start.red_points,
                            Color::Black => 1.0 - start.red_points,
                        };
                        labels.push((f32::from(score), points));
                    }
                    number += 1;
                }
                side = !side;
            }
        }
        labels
    }

    /// The scale K in centipawns with which 1 / (1 + e^(−score / K)) predicts results best,
    /// by logistic regression.
    pub fn fit_scale(&self) -> f32 {
        let labels = self.labels();
        let loss = |scale: f64| -> f64 {
            let each = labels.iter().map(|&(score, points)| {
                let logit = f64::from(score) / scale;
                // -ln σ(x) = ln(1 + e^-x), written so that it cannot overflow.
                let softplus = (-logit.abs()).exp().ln_1p() + (-logit).max(0.0);
                softplus + (1.0 - f64::from(points)) * logit
            });
            each.sum()
        };
        // The loss is convex in 1/K: narrow a bracket by the golden section.
        let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (1.0 / 3000.0, 1.0 / 20.0);
        for _ in 0..40 {
            let width = ratio * (high - low);
            if loss(1.0 / (high - width)) < loss(1.0 / (low + width)) {
                high = low + width;
            } else {
                low = high - width;
            }
        }
        (2.0 / (low + high)) as f32
    }

    /// Draws every score towards what followed in the game: in probabilities of winning, the
    /// score before a move becomes `1 − share` of itself and `share` of what the same rule
    /// makes of the next one, up to the result. What a search did not see but the game
    /// brought to light a few moves later is learnt so (temporal differences, Sutton 1988).
    pub fn look_ahead(&mut self, share: f32, scale: f32) {
        if share == 0.0 {
            return;
        }
        for game in 0..self.starts.len() {
            let start = &self.starts[game];
            let end = self.starts.get(game + 1).map(|next| next.first);
            let plies = start.first..end.unwrap_or(self.plies.len());
            let red_moves_last = (start.side == Color::Red) == (plies.len() % 2 == 1);
            // From the view of the side that would have to move next.
            let mut later = match red_moves_last {
                true => 1.0 - start.red_points,
                false => start.red_points,
            };
            for ply in self.plies[plies].iter_mut().rev() {
                let now = sigmoid(f32::from(ply.score) / scale);
                later = (1.0 - share) * now + share * (1.0 - later);
                let odds = (later / (1.0 - later)).clamp(1e-9, 1e9);
                // Saturates where the score is beyond an i16, which no target can tell.
                ply.score = (odds.ln() * scale).round() as i16;
            }
        }
    }

    /// Whether a code on a square occurs in a position that counts, by `code × CODES + square`.
    pub fn seen(&self) -> Vec<bool> {
        let mut seen = vec![false; (Piece::COUNT + 1) * CODES];
        for game in 0..self.starts.len() {
            let mut board = self.starts[game].board.clone();
            let mut mark = |board: &Codes, square: Square| {
                seen[usize::from(board.0[square as usize]) * CODES + square as usize] = true;
            };
            Square::ALL.iter().for_each(|&square| mark(&board, square));
            for ply in self.plies_of(game) {
                board.play(ply.mv);
                mark(&board, ply.mv.to());
            }
        }
        seen
    }
}

/// Everything that was read.
#[derive(Default, Debug)]
pub(super) struct Data {
    pub training: Games,
    pub validation: Games,
    /// All positions read, whether they count or not.
    pub positions: usize,
}

/// Reads games. Of a thousand games `validation` are kept for validation, chosen by a hash
/// of the game. Damaged blocks are logged and skipped.
pub(super) fn read(files: &[PathBuf], filter: Filter, validation: u64) -> Result<Data, TrainError> {
    let mut data = Data::default();
    for file in files {
        read_file(file, filter, validation, &mut data)
            .map_err(|error| TrainError::Data(file.clone(), error))?;
    }
    Ok(data)
}

fn read_file(file: &Path, filter: Filter, validation: u64, data: &mut Data) -> io::Result<()> {
    for block in Blocks::open(file)? {
        let block = match block {
            Ok(block) => block,
            Err(ReadError::Damage(damage)) => {
                log::warn!("{}: {damage}", file.display());
                continue;
            }
            Err(ReadError::Io(error)) => return Err(error),
        };
        for game in block.games() {
            data.positions += game.len();
            if hash(&game) % SHARES < validation {
                data.validation.push(&game, filter);
            } else {
                data.training.push(&game, filter);
            }
        }
    }
    Ok(())
}

/// A hash of the moves: games that are the same stay on one side of the fence.
fn hash(game: &Game<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    Codes::new(&game.start()).0.hash(&mut hasher);
    for (mv, _) in game.plies() {
        mv.bits().hash(&mut hasher);
    }
    hasher.finish()
}
