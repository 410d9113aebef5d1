//! AdamW (Loshchilov, Hutter 2019) over rows of weights, with warm-up and cosine decay.

use super::model::{CLIP, Model, PITCH, Row};

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// The share of the steps in which the rate grows to its full height.
const WARM_UP: f64 = 0.02;
/// What is left of the rate at the end.
const FINAL: f64 = 0.01;

/// The first and second moments of the gradient.
#[derive(Clone, Debug)]
pub(super) struct Moments {
    pub first: Vec<Row>,
    pub second: Vec<Row>,
}

impl Moments {
    pub fn zero(rows: usize) -> Self {
        Self {
            first: vec![Row::ZERO; rows],
            second: vec![Row::ZERO; rows],
        }
    }
}

/// The learning rate when `seen` of `total` positions are learnt.
pub(super) fn rate(peak: f64, seen: usize, total: usize) -> f64 {
    let part = seen as f64 / total.max(1) as f64;
    if part < WARM_UP {
        return peak * part / WARM_UP;
    }
    let part = ((part - WARM_UP) / (1.0 - WARM_UP)).min(1.0);
    let cosine = (1.0 + (std::f64::consts::PI * part).cos()) / 2.0;
    peak * (FINAL + (1.0 - FINAL) * cosine)
}

/// What one step of the optimiser needs besides the gradient.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub rate: f32,
    pub decay: f32,
    /// By how much the summed gradient is divided.
    pub positions: f32,
    /// 1 − β₁ᵗ and 1 − β₂ᵗ.
    corrections: [f32; 2],
}

impl Pace {
    /// `step` counts from 0.
    pub fn new(rate: f64, decay: f64, positions: usize, step: u64) -> Self {
        let power = |beta: f32| 1.0 - f64::from(beta).powf(step as f64 + 1.0);
        Self {
            rate: rate as f32,
            decay: decay as f32,
            positions: positions.max(1) as f32,
            corrections: [power(BETA1) as f32, power(BETA2) as f32],
        }
    }
}

/// The rows that one thread updates, with every thread's gradient of them.
struct Share<'a> {
    /// The number of the first row.
    start: usize,
    rows: &'a mut [Row],
    first: &'a mut [Row],
    second: &'a mut [Row],
    gradients: Vec<&'a mut [Row]>,
}

/// Makes a step with the sum of the threads' gradients, which it sets back to 0. Each
/// thread takes an equal number of rows.
pub(super) fn step(model: &mut Model, moments: &mut Moments, gradients: &mut [Model], pace: Pace) {
    let count = model.rows.len();
    let size = count.div_ceil(gradients.len());
    let fades: Vec<bool> = (0..count).map(|row| model.fades(row)).collect();
    let mut parts: Vec<_> = gradients
        .iter_mut()
        .map(|gradient| gradient.rows.chunks_mut(size))
        .collect();
    let rows = model.rows.chunks_mut(size);
    let moments = moments
        .first
        .chunks_mut(size)
        .zip(moments.second.chunks_mut(size));
    let shares = rows
        .zip(moments)
        .enumerate()
        .map(|(index, (rows, moments))| Share {
            start: index * size,
            rows,
            first: moments.0,
            second: moments.1,
            gradients: parts.iter_mut().filter_map(Iterator::next).collect(),
        });
    std::thread::scope(|scope| {
        for share in shares {
            let fades = &fades;
            scope.spawn(move || update(share, pace, fades));
        }
    });
}

fn update(mut share: Share<'_>, pace: Pace, fades: &[bool]) {
    for row in 0..share.rows.len() {
        let mut sum = Row::ZERO;
        for gradient in &mut share.gradients {
            let gradient = &mut gradient[row];
            for lane in 0..PITCH {
                sum.0[lane] += gradient.0[lane];
            }
            *gradient = Row::ZERO;
        }
        let decay = if fades[share.start + row] {
            pace.decay
        } else {
            0.0
        };
        update_row(
            &mut share.rows[row],
            [&mut share.first[row], &mut share.second[row]],
            &sum,
            Pace { decay, ..pace },
        );
    }
}

fn update_row(weights: &mut Row, [first, second]: [&mut Row; 2], gradient: &Row, pace: Pace) {
    let fade = 1.0 - pace.rate * pace.decay;
    let size = pace.rate / pace.corrections[0];
    for lane in 0..PITCH {
        let slope = gradient.0[lane] / pace.positions;
        let mean = BETA1 * first.0[lane] + (1.0 - BETA1) * slope;
        let square = BETA2 * second.0[lane] + (1.0 - BETA2) * slope * slope;
        first.0[lane] = mean;
        second.0[lane] = square;
        let root = (square / pace.corrections[1]).sqrt() + EPSILON;
        let weight = weights.0[lane] * fade - size * mean / root;
        weights.0[lane] = weight.clamp(-CLIP, CLIP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_to_its_peak_and_falls_to_a_hundredth() {
        let rates: Vec<f64> = (1..=1000).map(|seen| rate(2.0, seen, 1000)).collect();
        assert!(rates[..20].windows(2).all(|pair| pair[0] < pair[1]));
        assert!(rates[19..].windows(2).all(|pair| pair[0] > pair[1]));
        assert!((rates[19] - 2.0).abs() < 1e-9);
        assert!((rates[999] - 0.02).abs() < 1e-9);
        assert!(rate(1.0, 1, 0) > 0.0);
    }

    #[test]
    fn a_step_is_that_of_the_formula_and_unused_rows_stay() {
        let mut model = Model::zero(1);
        model.rows[3].0[0] = 0.5;
        let mut moments = Moments::zero(model.rows.len());
        let mut gradients = vec![Model::zero(1), Model::zero(1)];
        gradients[0].rows[3].0[0] = 3.0;
        gradients[1].rows[3].0[0] = 5.0;
        let pace = Pace::new(0.01, 0.1, 4, 0);
        step(&mut model, &mut moments, &mut gradients, pace);
        // The first step of Adam goes by the rate against the gradient's sign.
        let expected = 0.5 * (1.0 - 0.01 * 0.1) - 0.01;
        assert!((model.rows[3].0[0] - expected).abs() < 1e-6);
        assert!((moments.first[3].0[0] - 0.2).abs() < 1e-6);
        assert!((moments.second[3].0[0] - 0.004).abs() < 1e-6);
        assert!(
            gradients
                .iter()
                .all(|gradient| gradient.rows[3].0[0] == 0.0)
        );
        assert!(model.rows[4].0.iter().all(|&weight| weight == 0.0));
    }

    #[test]
    fn no_weight_leaves_its_range() {
        let mut model = Model::zero(1);
        let mut moments = Moments::zero(model.rows.len());
        for number in 0..50 {
            let mut gradients = vec![Model::zero(1)];
            gradients[0].rows[0].0[0] = -1.0;
            step(
                &mut model,
                &mut moments,
                &mut gradients,
                Pace::new(0.1, 0.0, 1, number),
            );
        }
        assert_eq!(model.rows[0].0[0], CLIP);
    }
}
