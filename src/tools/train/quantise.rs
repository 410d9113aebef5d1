//! From floating point to the integers of the engine.

use super::data::Games;
use super::model::{Aim, CLIP, Losses, Model, RUN, sigmoid};
use crate::nnue::{HIDDEN, INPUTS, Network, NetworkError, Output, QA, QB, bucket, feature};
use crate::types::{Color, Piece, Square};

/// The net with the weights of the model, rounded.
///
/// # Errors
/// If the weights could overflow the integers; clipped as they are, only a training that
/// went wrong makes such.
pub(super) fn quantise(model: &Model, scale: f32) -> Result<Network, NetworkError> {
    let lanes = |weights: &[f32], unit: i32| -> [i16; HIDDEN] {
        std::array::from_fn(|lane| (weights[lane] * unit as f32).round() as i16)
    };
    let inputs = (0..INPUTS).map(|input| lanes(model.input(input), QA));
    let outputs = (0..model.buckets).map(|bucket| Output {
        weights: [false, true].map(|other| lanes(model.output(bucket, other), QB)),
        bias: (model.output_bias(bucket) * (QA * QA * QB) as f32).round() as i32,
    });
    Network::new(
        inputs.collect(),
        lanes(model.bias(), QA),
        outputs.collect(),
        scale.round() as i32,
    )
}

/// The model of which the net is the rounded one, with so many outputs: as many as the net has or, if it has
/// one, that one for each; `None` for any other number. Its logits are scores divided by `scale`.
pub(super) fn restore(network: &Network, buckets: usize, scale: f32) -> Option<Model> {
    let given = network.outputs().len();
    if given != 1 && given != buckets {
        return None;
    }
    let mut model = Model::zero(buckets);
    let set = |row: &mut [f32], weights: &[i16; HIDDEN], unit: f32| {
        for (weight, &whole) in row.iter_mut().zip(weights) {
            *weight = (f32::from(whole) / unit).clamp(-CLIP, CLIP);
        }
    };
    for (input, weights) in network.feature_weights().iter().enumerate() {
        set(model.input_mut(input), &weights.0, QA as f32);
    }
    set(model.bias_mut(), &network.feature_bias().0, QA as f32);
    let stretch = network.scale() as f32 / scale;
    for bucket in 0..buckets {
        let output = &network.outputs()[bucket.min(given - 1)];
        for (weights, other) in output.weights.iter().zip([false, true]) {
            set(
                model.output_mut(bucket, other),
                weights,
                QB as f32 / stretch,
            );
        }
        *model.output_bias_mut(bucket) = output.bias as f32 / (QA * QA * QB) as f32 * stretch;
    }
    Some(model)
}

/// The logit that the net of integers gives a board, worked out in the plainest way.
pub(super) fn logit(network: &Network, men: &[(Piece, Square)], side: Color) -> f32 {
    let output = &network.outputs()[bucket(men.len(), network.outputs().len())];
    let mut total = output.bias;
    for (perspective, weights) in [side, !side].into_iter().zip(&output.weights) {
        let mut sums = network.feature_bias().0.map(i32::from);
        for &(piece, square) in men {
            let row = &network.feature_weights()[feature(perspective, piece, square)].0;
            for (sum, &weight) in sums.iter_mut().zip(row) {
                *sum += i32::from(weight);
            }
        }
        for (sum, &weight) in sums.iter().zip(weights) {
            let clipped = (*sum).clamp(0, QA);
            total += clipped * clipped * i32::from(weight);
        }
    }
    total as f32 / (QA * QA * QB) as f32
}

/// What the net of integers comes to on these games.
pub(super) fn losses(network: &Network, games: &Games, aim: Aim) -> Losses {
    let mut losses = Losses::default();
    for run in games.runs(RUN) {
        games.show(run, |sample| {
            let men: Vec<(Piece, Square)> = Square::ALL
                .into_iter()
                .filter_map(|square| {
                    let code = usize::from(sample.board.0[square as usize]);
                    Some((*Piece::ALL.get(code.checked_sub(1)?)?, square))
                })
                .collect();
            let score = sigmoid(f32::from(sample.score) / aim.scale);
            let target = aim.lambda * sample.points + (1.0 - aim.lambda) * score;
            let logit = logit(network, &men, sample.side);
            losses.add(logit, target, score, sample.points);
        });
    }
    losses
}
