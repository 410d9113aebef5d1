//! Nets of random weights for tests.

use super::{INPUTS, Network, Output};

/// A valid net of random weights: about what training gives in size, always the same for
/// the same seed.
pub fn random_network(seed: u64, buckets: usize) -> Network {
    let mut state = seed;
    let mut random = move |bound: i16| {
        // Knuth's MMIX generator; the high bits are the good ones.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as i64 % (2 * i64::from(bound) + 1)) as i16 - bound
    };
    let weights = (0..INPUTS)
        .map(|_| std::array::from_fn(|_| random(60)))
        .collect();
    let bias = std::array::from_fn(|_| random(80) + 60);
    let outputs = (0..buckets)
        .map(|_| Output {
            weights: [(); 2].map(|()| std::array::from_fn(|_| random(40))),
            bias: i32::from(random(1000)) * 1000,
        })
        .collect();
    Network::new(weights, bias, outputs, 200).expect("the bounds keep it valid")
}
