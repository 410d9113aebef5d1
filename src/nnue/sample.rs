//! Nets of random weights for tests.

use super::{HIDDEN, INPUTS, Network, Output};

/// Random numbers from a seed: Knuth's MMIX generator, of which the high bits are good.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 to `end - 1`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    /// A number from `-bound` to `bound`.
    pub fn within(&mut self, bound: i16) -> i16 {
        (self.below(2 * bound as usize + 1) as i32 - i32::from(bound)) as i16
    }
}

/// A valid net of random weights, always the same for the same seed. Its values lie within
/// some hundred centipawns.
pub fn random_network(seed: u64, buckets: usize) -> Network {
    let mut numbers = Numbers::new(seed);
    let weights = (0..INPUTS)
        .map(|_| std::array::from_fn(|_| numbers.within(60)))
        .collect();
    let bias = std::array::from_fn(|_| numbers.within(80) + 60);
    let outputs = (0..buckets)
        .map(|_| Output {
            weights: [(); 2]
                .map(|()| std::array::from_fn(|_| numbers.within((10_240 / HIDDEN) as i16))),
            bias: i32::from(numbers.within(1000)) * 1000,
        })
        .collect();
    Network::new(weights, bias, outputs, 200).expect("the bounds keep it valid")
}
