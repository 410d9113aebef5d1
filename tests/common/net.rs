//! A net for tests.

use vermilion::nnue::{HIDDEN, INPUTS, Network, Output};

use super::Rng;

/// What men are worth to [`material_network`], by kind, in units of an accumulator.
const WORTH: [i16; 7] = [0, 4, 4, 8, 18, 9, 3];

/// A net that counts material, roughly as players do, with random differences between
/// squares; always the same for the same seed.
pub fn material_network(seed: u64) -> Network {
    let mut rng = Rng::new(seed);
    let mut near = |middle: i16| middle + rng.below(5) as i16 - 2;
    let weights = (0..INPUTS)
        .map(|input| {
            let worth = WORTH[input % 630 / 90];
            let here = near(if input < 630 { worth } else { -worth });
            std::array::from_fn(|_| near(here))
        })
        .collect();
    // The squares of 128 + d and 128 − d differ by 512 d: the outputs are linear.
    let outputs = (0..8)
        .map(|_| {
            let own = std::array::from_fn(|_| near(4).max(1));
            Output {
                weights: [own, own.map(|weight: i16| -weight)],
                bias: 0,
            }
        })
        .collect();
    Network::new(weights, [128; HIDDEN], outputs, 102_400 / HIDDEN as i32)
        .expect("its numbers are small")
}
