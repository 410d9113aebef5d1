//! The kernels without special instructions: what the others must agree with.

use super::super::{HIDDEN, Lanes, Output, QA};
use super::{Accumulator, Rows};

// Partial sums may leave 16 bits where the whole sum does not: hence wrapping arithmetic.

pub fn add1_sub1(from: &Accumulator, add: Rows, sub: Rows, to: &mut Accumulator) {
    for side in 0..2 {
        for lane in 0..HIDDEN {
            to[side].0[lane] = from[side].0[lane]
                .wrapping_add(add[side].0[lane])
                .wrapping_sub(sub[side].0[lane]);
        }
    }
}

pub fn add1_sub2(from: &Accumulator, add: Rows, sub: [Rows; 2], to: &mut Accumulator) {
    for side in 0..2 {
        for lane in 0..HIDDEN {
            to[side].0[lane] = from[side].0[lane]
                .wrapping_add(add[side].0[lane])
                .wrapping_sub(sub[0][side].0[lane])
                .wrapping_sub(sub[1][side].0[lane]);
        }
    }
}

pub fn add_all(from: &Lanes, rows: &[&Lanes], to: &mut Lanes) {
    to.clone_from(from);
    for row in rows {
        for (sum, &weight) in to.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_add(weight);
        }
    }
}

pub fn dot(sides: [&Lanes; 2], output: &Output) -> i32 {
    let mut sum = output.bias;
    for (lanes, weights) in sides.into_iter().zip(&output.weights) {
        for (&value, &weight) in lanes.0.iter().zip(weights) {
            let clamped = i32::from(value).clamp(0, QA);
            sum += clamped * clamped * i32::from(weight);
        }
    }
    sum
}
