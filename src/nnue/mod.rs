//! The efficiently updatable neural network (NNUE): its inputs, its weights and their file,
//! and the arithmetic that makes a value of them.
//!
//! Each side has an accumulator: the first layer's sums over the inputs that it sees. A
//! move changes two or three inputs, so the sums are updated and not computed anew.

mod accumulators;
mod features;
mod kernels;
mod load;
mod network;
#[cfg(test)]
pub(crate) mod sample;

pub use accumulators::{Accumulators, board_value};
pub use features::{INPUTS, bucket, feature};
pub use kernels::{Accumulator, Kernels, Rows, UnknownKernels};
pub use load::{EMBEDDED, LoadError, embedded, load};
pub use network::{HIDDEN, Lanes, MAX_BUCKETS, MAX_FILE, Network, NetworkError, Output, QA, QB};
