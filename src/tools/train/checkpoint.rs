//! The state of a training as a file, to go on from.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::TrainError;
use super::model::{Model, PITCH, Row};
use super::optimiser::Moments;

const MAGIC: [u8; 8] = *b"VMTRAIN1";

/// Everything that decides what a training does, apart from how far it has come.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    pub files: Vec<String>,
    /// The checksum of the net to begin with.
    #[serde(default)]
    pub from: Option<u32>,
    /// Positions that count, of training and of validation.
    pub positions: [usize; 2],
    pub epochs: u32,
    pub batch: usize,
    pub rate: f64,
    pub decay: f64,
    pub lambda: f32,
    pub look_ahead: f32,
    pub scale: f32,
    pub max_score: i16,
    pub skip_plies: usize,
    pub validation: u64,
    pub buckets: usize,
    pub seed: u64,
    pub threads: usize,
}

/// How far a training has come.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    /// Complete epochs, and batches of the present one.
    pub epoch: u32,
    pub batch: usize,
    /// Steps of the optimiser.
    pub step: u64,
    pub model: Model,
    pub moments: Moments,
    /// What complete epochs came to.
    pub curve: Vec<Epoch>,
}

/// What an epoch came to.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Epoch {
    /// Mean squared error against the target while training.
    pub loss: f64,
    /// Mean squared error of the probability against that of the score, and mean cross
    /// entropy of the result, of the validation games.
    pub score: f64,
    pub result: f64,
}

#[derive(Serialize, Deserialize)]
struct Head {
    plan: Plan,
    epoch: u32,
    batch: usize,
    step: u64,
    curve: Vec<Epoch>,
}

/// Writes the checkpoint; the former one stays until the new one is whole.
pub(super) fn write(path: &Path, plan: &Plan, progress: &Progress) -> io::Result<()> {
    let head = serde_json::to_vec(&Head {
        plan: plan.clone(),
        epoch: progress.epoch,
        batch: progress.batch,
        step: progress.step,
        curve: progress.curve.clone(),
    })?;
    let moments = &progress.moments;
    let mut bytes = MAGIC.to_vec();
    bytes.extend((head.len() as u32).to_le_bytes());
    bytes.extend(head);
    for rows in [&progress.model.rows, &moments.first, &moments.second] {
        for weight in rows.iter().flat_map(|row| row.0) {
            bytes.extend(weight.to_le_bytes());
        }
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let mut file = fs::File::create(&name)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    fs::rename(name, path)
}

/// Reads a checkpoint of the same plan.
///
/// # Errors
/// If it cannot be read, is damaged, or belongs to another plan.
pub(super) fn read(path: &Path, plan: &Plan) -> Result<Progress, TrainError> {
    let bytes = fs::read(path).map_err(|error| TrainError::Read(path.to_owned(), error))?;
    let damaged = || TrainError::Checkpoint(path.to_owned(), "it is damaged or none".to_owned());
    let (body, checksum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
    if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
        return Err(damaged());
    }
    let rest = body.strip_prefix(&MAGIC).ok_or_else(damaged)?;
    let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(damaged)?;
    let length = u32::from_le_bytes(*length) as usize;
    let (head, weights) = rest.split_at_checked(length).ok_or_else(damaged)?;
    let head: Head = serde_json::from_slice(head).map_err(|_| damaged())?;
    if let Some(difference) = difference(&head.plan, plan) {
        return Err(TrainError::Checkpoint(path.to_owned(), difference));
    }
    let mut model = Model::zero(plan.buckets);
    let mut moments = Moments::zero(model.rows.len());
    if weights.len() != 3 * model.rows.len() * PITCH * 4 {
        return Err(damaged());
    }
    let mut weights = weights
        .chunks_exact(4)
        .map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    for rows in [&mut model.rows, &mut moments.first, &mut moments.second] {
        for Row(row) in rows.iter_mut() {
            row.fill_with(|| weights.next().unwrap_or_default());
        }
    }
    Ok(Progress {
        epoch: head.epoch,
        batch: head.batch,
        step: head.step,
        model,
        moments,
        curve: head.curve,
    })
}

/// Names the first setting in which the plans differ.
fn difference(old: &Plan, new: &Plan) -> Option<String> {
    let fields = |plan: &Plan| match serde_json::to_value(plan) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (old, new) = (fields(old), fields(new));
    let (name, was) = old
        .iter()
        .find(|(name, value)| new.get(*name) != Some(value))?;
    let is = new.get(name).map(ToString::to_string).unwrap_or_default();
    Some(format!("it was made with {name} {was}, not {is}"))
}
