//! The efficiently updatable neural network (NNUE): its inputs, its weights and their file.
//!
//! Each side has an accumulator: the first layer's sums over the inputs that it sees. A
//! move changes two or three inputs, so the sums are updated and not computed anew.

mod features;
mod network;
#[cfg(test)]
mod sample;

pub use features::{INPUTS, bucket, feature};
pub use network::{HIDDEN, Lanes, MAX_BUCKETS, Network, NetworkError, Output, QA, QB};
