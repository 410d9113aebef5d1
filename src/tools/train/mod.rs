//! Training the net on the processor, from games of self-play.

mod checkpoint;
mod curve;
mod data;
mod model;
mod optimiser;
mod quantise;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::ProgressBar;

use self::checkpoint::{Epoch, Plan, Progress};
use self::data::{Data, Filter, Games, Run};
use self::model::{Aim, Losses, Model, RUN, Workspace};
use self::optimiser::{Moments, Pace};
use super::interrupt::on_interrupt;
use super::progress::progress_bar;
use super::random::Rng;
use crate::nnue::{MAX_BUCKETS, Network, NetworkError, load};

/// Random numbers are drawn from streams of the seed: one for the first weights, and one
/// for each epoch from this on.
const WEIGHTS_STREAM: u64 = 0;
const EPOCH_STREAM: u64 = 1;

/// The arguments of `train`.
#[derive(Args, Clone, Debug)]
pub struct TrainArgs {
    /// Learn from these files of `datagen`
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub data: Vec<PathBuf>,
    /// Write the net to this file
    #[arg(long, value_name = "NET")]
    pub out: PathBuf,
    /// Begin with the weights of this net instead of random ones
    #[arg(long, value_name = "NET")]
    pub from: Option<PathBuf>,
    /// How often each position is learnt
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: u32,
    /// Positions between two steps of the optimiser
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    pub batch: u32,
    /// The learning rate at its height
    #[arg(long, value_name = "F", default_value_t = 0.004)]
    pub lr: f64,
    /// The share of the game's result in what is learnt, 0 to 1; the rest is the score's
    #[arg(long, value_name = "F", default_value_t = 0.1)]
    pub lambda: f32,
    /// How much of each score is replaced by what the rest of the game says, 0 to 1 without 1:
    /// 0.8 looks about five plies ahead
    #[arg(long, value_name = "F", default_value_t = 0.0)]
    pub look_ahead: f32,
    /// How fast weights fade that are not learnt
    #[arg(long, value_name = "F", default_value_t = 0.01)]
    pub weight_decay: f64,
    /// The score in centipawns that makes winning e times as likely as losing
    /// [default: as the results of the data say]
    #[arg(long, value_name = "CP")]
    pub scale: Option<f32>,
    /// Output neurons, of which the number of men chooses one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=MAX_BUCKETS as i64))]
    pub buckets: u8,
    /// How many of a thousand games are kept back to validate
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(0..1000))]
    pub validation: u64,
    /// Positions with a score further from 0 are left out
    #[arg(long, value_name = "CP", default_value_t = 3_000, value_parser = clap::value_parser!(i16).range(1..))]
    pub max_score: i16,
    /// So many plies at the start of each game are left out
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub skip_plies: usize,
    /// The net depends on it, on the data, the settings and the number of threads
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many threads share the work
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Keep the state in this file after each epoch, and go on from it if it is there
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Draw the losses of the epochs to this file, as SVG
    #[arg(long, value_name = "SVG")]
    pub plot: Option<PathBuf>,
}

/// Why there is no net.
#[derive(Debug)]
pub enum TrainError {
    /// A file of games cannot be read.
    Data(PathBuf, io::Error),
    /// A file cannot be read.
    Read(PathBuf, io::Error),
    /// A file cannot be written.
    Write(PathBuf, io::Error),
    /// No position counts.
    Empty,
    /// A setting is out of its range; which one, and what it may be.
    Setting(&'static str, &'static str),
    /// The checkpoint cannot be used, and why.
    Checkpoint(PathBuf, String),
    /// The weights are none that a net may have.
    Network(NetworkError),
    /// The net to begin with cannot be used, and why.
    From(String),
    /// The result cannot be printed.
    Output(io::Error),
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data(path, error) | Self::Read(path, error) => {
                write!(f, "{} cannot be read: {error}", path.display())
            }
            Self::Write(path, error) => write!(f, "{} cannot be written: {error}", path.display()),
            Self::Empty => f.write_str("--data: no position to learn from"),
            Self::Setting(name, range) => write!(f, "{name} must be {range}"),
            Self::Checkpoint(path, why) => {
                write!(f, "--checkpoint {}: {why}", path.display())
            }
            Self::From(why) => write!(f, "--from: {why}"),
            Self::Network(error) => write!(f, "the weights make no net: {error}"),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TrainError {}

/// Whether a training came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trained {
    /// The net is written.
    Complete,
    /// Ctrl-C ended it; the checkpoint, if there is one, has its state.
    Interrupted,
}

/// Reads games, trains a net and writes it; the last line to `output` sums up.
///
/// # Errors
/// If something cannot be read or written, or nothing can be learnt from it.
pub fn run(args: &TrainArgs, output: &mut dyn Write) -> Result<Trained, TrainError> {
    check(args)?;
    let first = args
        .from
        .as_deref()
        .map(|path| first_net(args, path))
        .transpose()?;
    // That the net can be written is better known before hours of training.
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(&args.out)
        .map_err(|error| TrainError::Write(args.out.clone(), error))?;
    let started = Instant::now();
    let filter = Filter {
        max_score: args.max_score,
        skip_plies: args.skip_plies,
    };
    let mut data = data::read(&args.data, filter, args.validation)?;
    if data.training.kept() == 0 {
        return Err(TrainError::Empty);
    }
    let plan = plan(args, &data, first.as_ref());
    for games in [&mut data.training, &mut data.validation] {
        games.look_ahead(plan.look_ahead, plan.scale);
    }
    log::info!(
        "{} of {} positions count; {} games to learn from, {} to validate; scale {:.0}",
        plan.positions[0] + plan.positions[1],
        data.positions,
        data.training.len(),
        data.validation.len(),
        plan.scale,
    );
    let mut trainer = Trainer::new(&data, &plan, first.as_ref(), args.checkpoint.as_deref())?;
    if !trainer.train(args.checkpoint.as_deref(), &on_interrupt(), started)? {
        return Ok(Trained::Interrupted);
    }
    if let Some(path) = &args.plot {
        write_file(path, curve::svg(&trainer.progress.curve).as_bytes())?;
    }
    let summary = finish(args, &trainer, started)?;
    writeln!(output, "{summary}").map_err(TrainError::Output)?;
    Ok(Trained::Complete)
}

/// Refuses numbers that make no sense, before the data is read.
fn check(args: &TrainArgs) -> Result<(), TrainError> {
    let wrong = |name, range| Err(TrainError::Setting(name, range));
    if !(args.lr > 0.0 && args.lr <= 1.0) {
        return wrong("--lr", "above 0 and at most 1");
    }
    if !(0.0..=1.0).contains(&args.lambda) {
        return wrong("--lambda", "from 0 to 1");
    }
    if !(0.0..1.0).contains(&args.look_ahead) {
        return wrong("--look-ahead", "from 0 to 1, without 1");
    }
    if !(0.0..=1.0).contains(&args.weight_decay) {
        return wrong("--weight-decay", "from 0 to 1");
    }
    if args
        .scale
        .is_some_and(|scale| !(10.0..=5000.0).contains(&scale))
    {
        return wrong("--scale", "from 10 to 5000");
    }
    Ok(())
}

/// Reads the net to begin with.
fn first_net(args: &TrainArgs, path: &Path) -> Result<Network, TrainError> {
    let network = load(path).map_err(|error| TrainError::From(error.to_string()))?;
    let (given, wanted) = (network.outputs().len(), usize::from(args.buckets));
    if given != 1 && given != wanted {
        return Err(TrainError::From(format!(
            "{}: it has {given} outputs, and --buckets says {wanted}",
            path.display()
        )));
    }
    Ok(network)
}

fn plan(args: &TrainArgs, data: &Data, first: Option<&Network>) -> Plan {
    let name = |path: &PathBuf| path.display().to_string();
    Plan {
        files: args.data.iter().map(name).collect(),
        from: first.map(|network| crc32fast::hash(&network.to_bytes(""))),
        positions: [data.training.kept(), data.validation.kept()],
        epochs: args.epochs,
        batch: args.batch as usize,
        rate: args.lr,
        decay: args.weight_decay,
        lambda: args.lambda,
        look_ahead: args.look_ahead,
        scale: args
            .scale
            .unwrap_or_else(|| data.training.fit_scale())
            .round(),
        max_score: args.max_score,
        skip_plies: args.skip_plies,
        validation: args.validation,
        buckets: usize::from(args.buckets),
        seed: args.seed,
        threads: usize::from(args.threads),
    }
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    fs::write(path, bytes).map_err(|error| TrainError::Write(path.to_owned(), error))
}

/// Writes the net and says what it came to.
fn finish(args: &TrainArgs, trainer: &Trainer<'_>, started: Instant) -> Result<String, TrainError> {
    let plan = trainer.plan;
    let network =
        quantise::quantise(&trainer.progress.model, plan.scale).map_err(TrainError::Network)?;
    let float = trainer.validate();
    let whole = quantise::losses(&network, &trainer.data.validation, trainer.aim());
    let last = trainer.progress.curve.last();
    let description = format!(
        "{} positions, {} epochs, batch {}, lr {}, lambda {}, look-ahead {}, weight decay {}, scale {}, \
         seed {}, \
         validation score mse {:.6}, result cross entropy {:.5}; data {}",
        plan.positions[0],
        plan.epochs,
        plan.batch,
        plan.rate,
        plan.lambda,
        plan.look_ahead,
        plan.decay,
        plan.scale,
        plan.seed,
        whole.mean(whole.score),
        whole.mean(whole.result),
        plan.files.join(" "),
    );
    write_file(&args.out, &network.to_bytes(&description))?;
    let seconds = started.elapsed().as_secs_f64();
    Ok(format!(
        "{} positions, {} epochs in {seconds:.1} s, {:.2} million positions a second end to end; \
         scale {:.0}; loss {:.6}; validation score mse {:.6} (floating point {:.6}), result cross entropy {:.5}",
        plan.positions[0],
        plan.epochs,
        trainer.learnt as f64 / seconds / 1e6,
        plan.scale,
        last.map_or(0.0, |epoch| epoch.loss),
        whole.mean(whole.score),
        float.mean(float.score),
        whole.mean(whole.result),
    ))
}

/// A run and whether it is mirrored left to right.
type Lesson = (Run, bool);

struct Trainer<'a> {
    data: &'a Data,
    plan: &'a Plan,
    progress: Progress,
    /// For each thread.
    gradients: Vec<Model>,
    workspaces: Vec<Workspace>,
    /// Positions learnt by this process.
    learnt: usize,
}

impl<'a> Trainer<'a> {
    /// Goes on from the checkpoint if it is there.
    fn new(
        data: &'a Data,
        plan: &'a Plan,
        first: Option<&Network>,
        checkpoint: Option<&Path>,
    ) -> Result<Self, TrainError> {
        let progress = match checkpoint {
            Some(path) if path.exists() => {
                let progress = checkpoint::read(path, plan)?;
                log::info!("going on after {} epochs", progress.epoch);
                progress
            }
            _ => {
                let model = first
                    .and_then(|network| quantise::restore(network, plan.buckets, plan.scale))
                    .unwrap_or_else(|| {
                        let mut rng = Rng::new(plan.seed, WEIGHTS_STREAM);
                        Model::random(plan.buckets, &data.training.seen(), &mut rng)
                    });
                Progress {
                    epoch: 0,
                    batch: 0,
                    step: 0,
                    moments: Moments::zero(model.rows.len()),
                    model,
                    curve: Vec::new(),
                }
            }
        };
        Ok(Self {
            data,
            plan,
            progress,
            gradients: vec![Model::zero(plan.buckets); plan.threads],
            workspaces: (0..plan.threads).map(|_| Workspace::new()).collect(),
            learnt: 0,
        })
    }

    fn aim(&self) -> Aim {
        Aim {
            scale: self.plan.scale,
            lambda: self.plan.lambda,
        }
    }

    /// The lessons of an epoch in their order, cut into batches.
    fn batches(&self, epoch: u32) -> (Vec<Lesson>, Vec<usize>) {
        let mut rng = Rng::new(self.plan.seed, EPOCH_STREAM + u64::from(epoch));
        let runs = self.data.training.shuffled_runs(RUN, &mut rng);
        let lessons: Vec<Lesson> = runs
            .into_iter()
            .map(|run| (run, rng.next() & 1 == 1))
            .collect();
        let (mut ends, mut positions) = (Vec::new(), 0);
        for (index, (run, _)) in lessons.iter().enumerate() {
            positions += usize::from(run.length);
            if positions >= self.plan.batch {
                ends.push(index + 1);
                positions = 0;
            }
        }
        if ends.last() != Some(&lessons.len()) {
            ends.push(lessons.len());
        }
        (lessons, ends)
    }

    /// Trains to the end of the plan; false if it was interrupted.
    fn train(
        &mut self,
        checkpoint: Option<&Path>,
        interrupted: &AtomicBool,
        started: Instant,
    ) -> Result<bool, TrainError> {
        let each = self.data.training.kept();
        let bar = progress_bar((each * self.plan.epochs as usize) as u64);
        while self.progress.epoch < self.plan.epochs {
            let losses = self.train_epoch(&bar, interrupted);
            if let Some(losses) = losses {
                self.end_epoch(losses, started);
            }
            if let Some(path) = checkpoint {
                checkpoint::write(path, self.plan, &self.progress)
                    .map_err(|error| TrainError::Write(path.to_owned(), error))?;
            }
            if losses.is_none() {
                bar.abandon();
                return Ok(false);
            }
        }
        bar.finish_and_clear();
        Ok(true)
    }

    /// The losses of what is left of the epoch; `None` if it was interrupted.
    fn train_epoch(&mut self, bar: &ProgressBar, interrupted: &AtomicBool) -> Option<Losses> {
        let (lessons, ends) = self.batches(self.progress.epoch);
        let mut total = Losses::default();
        let each = self.data.training.kept();
        let mut seen = self.progress.epoch as usize * each;
        for (batch, &end) in ends.iter().enumerate() {
            let start = if batch == 0 { 0 } else { ends[batch - 1] };
            let lessons = &lessons[start..end];
            seen += lessons
                .iter()
                .map(|(run, _)| usize::from(run.length))
                .sum::<usize>();
            bar.set_position(seen as u64);
            if batch < self.progress.batch {
                continue;
            }
            if interrupted.load(Relaxed) {
                return None;
            }
            total += self.train_batch(lessons, seen);
            self.progress.batch = batch + 1;
        }
        Some(total)
    }

    /// One step of the optimiser; `seen` positions are learnt after it.
    fn train_batch(&mut self, lessons: &[Lesson], seen: usize) -> Losses {
        let (plan, data, aim) = (self.plan, self.data, self.aim());
        let share = lessons.len().div_ceil(plan.threads).max(1);
        let model = &self.progress.model;
        let workers = self.gradients.iter_mut().zip(&mut self.workspaces);
        let mut losses = Losses::default();
        std::thread::scope(|scope| {
            let threads: Vec<_> = lessons
                .chunks(share)
                .zip(workers)
                .map(|(lessons, (gradient, workspace))| {
                    scope.spawn(move || {
                        let mut losses = Losses::default();
                        for &lesson in lessons {
                            losses += workspace.learn(model, gradient, &data.training, lesson, aim);
                        }
                        losses
                    })
                })
                .collect();
            for thread in threads {
                losses += thread.join().expect("learning does not panic");
            }
        });
        self.learnt += losses.positions;
        let rate = optimiser::rate(plan.rate, seen, plan.epochs as usize * plan.positions[0]);
        let pace = Pace::new(rate, plan.decay, losses.positions, self.progress.step);
        let progress = &mut self.progress;
        optimiser::step(
            &mut progress.model,
            &mut progress.moments,
            &mut self.gradients,
            pace,
        );
        progress.step += 1;
        losses
    }

    fn end_epoch(&mut self, training: Losses, started: Instant) {
        let validation = self.validate();
        let epoch = Epoch {
            loss: training.mean(training.loss),
            score: validation.mean(validation.score),
            result: validation.mean(validation.result),
        };
        self.progress.curve.push(epoch);
        self.progress.epoch += 1;
        self.progress.batch = 0;
        let speed = self.learnt as f64
            / started
                .elapsed()
                .max(Duration::from_millis(1))
                .as_secs_f64();
        log::info!(
            "epoch {}: loss {:.6}; validation score mse {:.6}, result cross entropy {:.5}; {:.2} million positions a second",
            self.progress.epoch,
            epoch.loss,
            epoch.score,
            epoch.result,
            speed / 1e6,
        );
    }

    /// What the model comes to on the validation games.
    fn validate(&self) -> Losses {
        let (model, games, aim) = (&self.progress.model, &self.data.validation, self.aim());
        let runs = games.runs(RUN);
        let share = runs.len().div_ceil(self.plan.threads).max(1);
        let mut total = Losses::default();
        std::thread::scope(|scope| {
            let threads: Vec<_> = runs
                .chunks(share)
                .map(|runs| scope.spawn(move || evaluate(model, games, runs, aim)))
                .collect();
            for thread in threads {
                total += thread.join().expect("evaluating does not panic");
            }
        });
        total
    }
}

fn evaluate(model: &Model, games: &Games, runs: &[Run], aim: Aim) -> Losses {
    let mut workspace = Workspace::new();
    let mut losses = Losses::default();
    for &run in runs {
        losses += workspace.evaluate(model, games, run, aim);
    }
    losses
}
