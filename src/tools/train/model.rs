//! The net in floating point, and how it learns from a run of positions.
//!
//! The positions of a run follow each other in a game, so the sums of the first layer are
//! updated from one to the next as a search updates them. Backwards the gradient of a
//! row is a sum over the positions that have its man: walking the run from its end, a
//! running sum of the accumulator's gradients is added to a row where its man comes and
//! taken off where it goes. That is exact, and several times cheaper than to treat each
//! position by itself.

use super::data::{CODES, Code, Codes, Games, Run};
use crate::nnue::{HIDDEN, INPUTS, bucket, feature};
use crate::tools::random::Rng;
use crate::types::{Color, Piece, Square};

/// Floats of a row; not a power of two, since rows would fall on the same cache sets.
pub(super) const PITCH: usize = HIDDEN + 16;
/// Neurons that are worked on together, so that their sums stay in registers.
const BLOCK: usize = 128;
/// The longest run.
pub(super) const RUN: usize = 32;
/// No weight leaves ± this: it keeps the integers of the net in their ranges.
pub(super) const CLIP: f32 = 1.98;
/// Where the rows begin that follow the inputs'.
const BIAS: usize = INPUTS;
const OUTPUTS: usize = INPUTS + 1;

/// A row of weights of which the first [`HIDDEN`] are used.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Row(pub [f32; PITCH]);

impl Row {
    pub const ZERO: Self = Self([0.0; PITCH]);

    #[inline(always)]
    fn block(&self, block: usize) -> &[f32; BLOCK] {
        let start = block * BLOCK;
        self.0[start..start + BLOCK]
            .try_into()
            .expect("a row has whole blocks")
    }

    #[inline(always)]
    fn block_mut(&mut self, block: usize) -> &mut [f32; BLOCK] {
        let start = block * BLOCK;
        (&mut self.0[start..start + BLOCK])
            .try_into()
            .expect("a row has whole blocks")
    }
}

/// All weights as rows: one for each input, the bias of the hidden layer, two for each
/// output (side to move, other side), and one with the biases of the outputs.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub rows: Vec<Row>,
    pub buckets: usize,
}

impl Model {
    /// A model of zeros.
    pub fn zero(buckets: usize) -> Self {
        Self {
            rows: vec![Row::ZERO; OUTPUTS + 2 * buckets + 1],
            buckets,
        }
    }

    /// A model to begin with. Inputs that are never set stay 0: their weights would never
    /// be learnt. `seen` is that of [`Games::seen`].
    pub fn random(buckets: usize, seen: &[bool], rng: &mut Rng) -> Self {
        let mut model = Self::zero(buckets);
        let mut uniform = |bound: f32| (2.0 * rng.unit() as f32 - 1.0) * bound;
        let mut live = vec![false; INPUTS];
        for piece in Piece::ALL {
            for square in Square::ALL {
                if seen[(piece.index() + 1) * CODES + square as usize] {
                    for perspective in Color::ALL {
                        live[feature(perspective, piece, square)] = true;
                        live[feature(perspective, piece, square.mirror())] = true;
                    }
                }
            }
        }
        for (row, live) in model.rows.iter_mut().zip(live) {
            if live {
                row.0[..HIDDEN].fill_with(|| uniform(0.08));
            }
        }
        model.rows[BIAS].0[..HIDDEN].fill_with(|| uniform(0.1) + 0.1);
        for row in &mut model.rows[OUTPUTS..OUTPUTS + 2 * buckets] {
            row.0[..HIDDEN].fill_with(|| uniform(0.05));
        }
        model
    }

    /// The row of an input.
    pub fn input(&self, input: usize) -> &[f32] {
        &self.rows[input].0[..HIDDEN]
    }

    /// The bias of the hidden layer.
    pub fn bias(&self) -> &[f32] {
        self.input(BIAS)
    }

    /// The weights of an output; `other` for those of the side that is not to move.
    pub fn output(&self, bucket: usize, other: bool) -> &[f32] {
        self.input(OUTPUTS + 2 * bucket + usize::from(other))
    }

    /// The row of an input, to be set.
    pub fn input_mut(&mut self, input: usize) -> &mut [f32] {
        &mut self.rows[input].0[..HIDDEN]
    }

    /// The bias of the hidden layer, to be set.
    pub fn bias_mut(&mut self) -> &mut [f32] {
        self.input_mut(BIAS)
    }

    /// The weights of an output, to be set.
    pub fn output_mut(&mut self, bucket: usize, other: bool) -> &mut [f32] {
        self.input_mut(OUTPUTS + 2 * bucket + usize::from(other))
    }

    /// The bias of an output, to be set.
    pub fn output_bias_mut(&mut self, bucket: usize) -> &mut f32 {
        &mut self.rows[OUTPUTS + 2 * self.buckets].0[bucket]
    }

    /// The bias of an output.
    pub fn output_bias(&self, bucket: usize) -> f32 {
        self.output_biases()[bucket]
    }

    fn output_biases(&self) -> &[f32] {
        &self.rows[OUTPUTS + 2 * self.buckets].0
    }

    /// Whether weights of this row fade (decay): biases do not.
    pub fn fades(&self, row: usize) -> bool {
        row != BIAS && row != OUTPUTS + 2 * self.buckets
    }
}

/// Rows of inputs by perspective, code and square: those of mirrored boards in the second half.
pub(super) struct Inputs([[[u16; CODES]; Piece::COUNT + 1]; 4]);

impl Inputs {
    pub fn new() -> Box<Self> {
        let mut inputs = Box::new(Self([[[0; CODES]; Piece::COUNT + 1]; 4]));
        for perspective in Color::ALL {
            for piece in Piece::ALL {
                for square in Square::ALL {
                    let code = piece.index() + 1;
                    let plain = feature(perspective, piece, square) as u16;
                    let mirrored = feature(perspective, piece, square.mirror()) as u16;
                    inputs.0[perspective.index()][code][square as usize] = plain;
                    inputs.0[2 + perspective.index()][code][square as usize] = mirrored;
                }
            }
        }
        inputs
    }

    /// The row of the man with this code: views 0 and 1 are those of the sides, 2 and 3 theirs on a mirrored board.
    #[cfg(test)]
    pub fn row(&self, view: usize, code: usize, square: usize) -> u16 {
        self.0[view][code][square]
    }
}

/// A position of a run.
#[derive(Clone, Copy, Default, Debug)]
struct Step {
    /// Ends of the lists of rows that come and go, by perspective.
    ends: [[usize; 2]; 2],
    bucket: usize,
    /// The perspective of the side to move: 0 or 1.
    mover: usize,
    target: f32,
    score: f32,
    points: f32,
    logit: f32,
    /// The probability that the logit stands for.
    probability: f32,
}

/// What one thread needs to work on a run, reused from run to run.
pub(super) struct Workspace {
    inputs: Box<Inputs>,
    steps: Vec<Step>,
    /// Rows that come and go, by perspective, position by position.
    lists: [Vec<u16>; 2],
    /// The squares that differ from the position before, with the codes before and now.
    changed: Vec<(usize, Code, Code)>,
    board: Codes,
    /// The hidden layer's clipped sums by perspective and position.
    clipped: Box<[[Row; RUN]; 2]>,
}

/// How the labels of a position become its target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    /// Centipawns per unit of the logit.
    pub scale: f32,
    /// The share of the game's result; the rest is the score's.
    pub lambda: f32,
}

pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Sums over positions.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) struct Losses {
    pub positions: usize,
    /// Squared errors against the target.
    pub loss: f64,
    /// Squared errors of the probability against that of the score.
    pub score: f64,
    /// Cross entropies of the result.
    pub result: f64,
}

impl std::ops::AddAssign for Losses {
    fn add_assign(&mut self, other: Self) {
        self.positions += other.positions;
        self.loss += other.loss;
        self.score += other.score;
        self.result += other.result;
    }
}

impl Losses {
    /// The mean of one of the sums; 0 without positions.
    pub fn mean(&self, sum: f64) -> f64 {
        sum / self.positions.max(1) as f64
    }

    /// Adds a prediction in logits.
    pub fn add(&mut self, logit: f32, target: f32, score: f32, points: f32) {
        let p = sigmoid(logit);
        self.positions += 1;
        self.loss += f64::from((p - target) * (p - target));
        self.score += f64::from((p - score) * (p - score));
        let p = f64::from(p).clamp(1e-9, 1.0 - 1e-9);
        let points = f64::from(points);
        self.result -= points * p.ln() + (1.0 - points) * (1.0 - p).ln();
    }
}

impl Workspace {
    pub fn new() -> Self {
        Self {
            inputs: Inputs::new(),
            steps: Vec::with_capacity(RUN),
            lists: [Vec::new(), Vec::new()],
            changed: Vec::new(),
            board: Codes([0; CODES]),
            clipped: Box::new([[Row::ZERO; RUN]; 2]),
        }
    }

    /// Lists what changes from position to position of a run, mirrored or not.
    fn load(&mut self, games: &Games, run: Run, mirrored: bool, aim: Aim, buckets: usize) {
        self.steps.clear();
        self.lists.iter_mut().for_each(Vec::clear);
        self.board.0.fill(0);
        let tables = if mirrored { [2, 3] } else { [0, 1] };
        let Self {
            inputs,
            steps,
            lists,
            changed,
            board,
            ..
        } = self;
        // Men on the board, and how many rows are listed.
        let (mut men, mut listed) = (0, 0);
        games.show(run, |sample| {
            changed.clear();
            let mut look_at = |square: usize| {
                let (before, now) = (board.0[square], sample.board.0[square]);
                if before != now {
                    board.0[square] = now;
                    changed.push((square, before, now));
                }
            };
            if steps.is_empty() {
                (0..Square::COUNT).for_each(look_at);
            } else {
                let touched = sample.touched.iter();
                touched.for_each(|&square| look_at(usize::from(square)));
            }
            let mut ends = [[0; 2]; 2];
            for (perspective, list) in lists.iter_mut().enumerate() {
                let table = &inputs.0[tables[perspective]];
                let row = |square: usize, code: Code| {
                    (code > 0).then(|| table[usize::from(code)][square])
                };
                let squares = changed.iter();
                list.extend(
                    squares
                        .clone()
                        .filter_map(|&(square, _, now)| row(square, now)),
                );
                ends[perspective][0] = list.len();
                list.extend(squares.filter_map(|&(square, before, _)| row(square, before)));
                ends[perspective][1] = list.len();
            }
            let [come, gone] = ends[0];
            men = men + (come - listed) - (gone - come);
            listed = gone;
            let score = sigmoid(f32::from(sample.score) / aim.scale);
            steps.push(Step {
                ends,
                bucket: bucket(men, buckets),
                mover: sample.side.index(),
                target: aim.lambda * sample.points + (1.0 - aim.lambda) * score,
                score,
                points: sample.points,
                logit: 0.0,
                probability: 0.5,
            });
        });
    }

    /// The rows that come and those that go at a position.
    fn changes(&self, perspective: usize, step: usize) -> (&[u16], &[u16]) {
        let before = match step {
            0 => 0,
            _ => self.steps[step - 1].ends[perspective][1],
        };
        let [come, gone] = self.steps[step].ends[perspective];
        let list = &self.lists[perspective];
        (&list[before..come], &list[come..gone])
    }

    /// Evaluates every position of the run.
    fn forward(&mut self, model: &Model) {
        for perspective in 0..2 {
            for block in 0..HIDDEN / BLOCK {
                let mut sums = *model.rows[BIAS].block(block);
                for step in 0..self.steps.len() {
                    let (come, gone) = self.changes(perspective, step);
                    for &row in come {
                        let row = model.rows[usize::from(row)].block(block);
                        for lane in 0..BLOCK {
                            sums[lane] += row[lane];
                        }
                    }
                    for &row in gone {
                        let row = model.rows[usize::from(row)].block(block);
                        for lane in 0..BLOCK {
                            sums[lane] -= row[lane];
                        }
                    }
                    let clipped = self.clipped[perspective][step].block_mut(block);
                    for lane in 0..BLOCK {
                        clipped[lane] = sums[lane].clamp(0.0, 1.0);
                    }
                }
            }
        }
        for (number, step) in self.steps.iter_mut().enumerate() {
            let mut sums = [0.0_f32; BLOCK];
            for other in 0..2 {
                let clipped = &self.clipped[step.mover ^ other][number];
                let weights = &model.rows[OUTPUTS + 2 * step.bucket + other];
                for block in 0..HIDDEN / BLOCK {
                    let (clipped, weights) = (clipped.block(block), weights.block(block));
                    for lane in 0..BLOCK {
                        sums[lane] += clipped[lane] * clipped[lane] * weights[lane];
                    }
                }
            }
            step.logit = sums.iter().sum::<f32>() + model.output_biases()[step.bucket];
            step.probability = sigmoid(step.logit);
        }
    }

    /// Adds the gradient of the squared errors of the run to `gradient`, halved.
    fn backward(&self, model: &Model, gradient: &mut Model) {
        let biases = OUTPUTS + 2 * model.buckets;
        let mut slopes = [0.0_f32; RUN];
        for (slope, step) in slopes.iter_mut().zip(&self.steps) {
            let p = step.probability;
            *slope = (p - step.target) * p * (1.0 - p);
            gradient.rows[biases].0[step.bucket] += *slope;
        }
        for perspective in 0..2 {
            for block in 0..HIDDEN / BLOCK {
                let mut sums = [0.0_f32; BLOCK];
                for (number, step) in self.steps.iter().enumerate().rev() {
                    let output = OUTPUTS + 2 * step.bucket + (step.mover ^ perspective);
                    let weights = model.rows[output].block(block);
                    let clipped = self.clipped[perspective][number].block(block);
                    let slope = slopes[number];
                    let learnt = gradient.rows[output].block_mut(block);
                    for lane in 0..BLOCK {
                        let value = clipped[lane];
                        learnt[lane] += slope * value * value;
                        // Clipped at 0 the factor is 0 by itself.
                        let inner = if value < 1.0 { 2.0 * value } else { 0.0 };
                        sums[lane] += slope * weights[lane] * inner;
                    }
                    let (come, gone) = self.changes(perspective, number);
                    for &row in come {
                        let row = gradient.rows[usize::from(row)].block_mut(block);
                        for lane in 0..BLOCK {
                            row[lane] += sums[lane];
                        }
                    }
                    for &row in gone {
                        let row = gradient.rows[usize::from(row)].block_mut(block);
                        for lane in 0..BLOCK {
                            row[lane] -= sums[lane];
                        }
                    }
                }
                let bias = gradient.rows[BIAS].block_mut(block);
                for lane in 0..BLOCK {
                    bias[lane] += sums[lane];
                }
            }
        }
    }

    /// The errors against the targets alone: logarithms would cost a tenth of the time.
    fn errors(&self) -> Losses {
        let error = |step: &Step| f64::from(step.probability - step.target);
        Losses {
            positions: self.steps.len(),
            loss: self.steps.iter().map(|step| error(step).powi(2)).sum(),
            ..Losses::default()
        }
    }

    /// Evaluates a run.
    pub fn evaluate(&mut self, model: &Model, games: &Games, run: Run, aim: Aim) -> Losses {
        self.load(games, run, false, aim, model.buckets);
        self.forward(model);
        let mut losses = Losses::default();
        for step in &self.steps {
            losses.add(step.logit, step.target, step.score, step.points);
        }
        losses
    }

    /// Evaluates a run, mirrored or not, and adds half the gradient of its squared errors;
    /// of the losses only the error against the target is worked out.
    pub fn learn(
        &mut self,
        model: &Model,
        gradient: &mut Model,
        games: &Games,
        (run, mirrored): (Run, bool),
        aim: Aim,
    ) -> Losses {
        self.load(games, run, mirrored, aim, model.buckets);
        self.forward(model);
        self.backward(model, gradient);
        self.errors()
    }
}
