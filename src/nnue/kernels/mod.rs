//! The arithmetic of the net for the instruction sets that a machine may have.
//!
//! All sets give the same results to the bit: sums are of integers and cannot overflow
//! (see [`Network`](super::Network)), so that their order does not matter.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::fmt;

use once_cell::sync::Lazy;

use super::{Lanes, Output};

/// The hidden layer's sums as Red and as Black sees the board.
pub type Accumulator = [Lanes; 2];
/// The weights of an input as Red and as Black sees it.
pub type Rows<'a> = [&'a Lanes; 2];

type Add1Sub1 = unsafe fn(&Accumulator, Rows<'_>, Rows<'_>, &mut Accumulator);
type Add1Sub2 = unsafe fn(&Accumulator, Rows<'_>, [Rows<'_>; 2], &mut Accumulator);
type AddAll = unsafe fn(&Lanes, &[&Lanes], &mut Lanes);
type Dot = unsafe fn([&Lanes; 2], &Output) -> i32;

/// The kernels for one instruction set.
pub struct Kernels {
    name: &'static str,
    /// Whether this machine can run them. No others leave this module.
    runs_here: fn() -> bool,
    add1_sub1: Add1Sub1,
    add1_sub2: Add1Sub2,
    add_all: AddAll,
    dot: Dot,
}

/// Every set of kernels, the fastest first; the last one runs everywhere.
static ALL: &[Kernels] = &[
    #[cfg(target_arch = "x86_64")]
    Kernels {
        name: "avx512",
        runs_here: || is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw"),
        add1_sub1: x86::avx512::add1_sub1,
        add1_sub2: x86::avx512::add1_sub2,
        add_all: x86::avx512::add_all,
        dot: x86::avx512::dot,
    },
    #[cfg(target_arch = "x86_64")]
    Kernels {
        name: "avx2",
        runs_here: || is_x86_feature_detected!("avx2"),
        add1_sub1: x86::avx2::add1_sub1,
        add1_sub2: x86::avx2::add1_sub2,
        add_all: x86::avx2::add_all,
        dot: x86::avx2::dot,
    },
    Kernels {
        name: "portable",
        runs_here: || true,
        add1_sub1: portable::add1_sub1,
        add1_sub2: portable::add1_sub2,
        add_all: portable::add_all,
        dot: portable::dot,
    },
];

#[allow(
    unsafe_code,
    reason = "whether a machine can run a kernel is known only at run time"
)]
impl Kernels {
    /// `from`, with a row added and a row subtracted, into `to`.
    #[inline]
    pub fn add1_sub1(&self, from: &Accumulator, add: Rows, sub: Rows, to: &mut Accumulator) {
        // SAFETY: only kernels whose instructions this machine has leave the module.
        unsafe { (self.add1_sub1)(from, add, sub, to) }
    }

    /// `from`, with a row added and two rows subtracted, into `to`.
    #[inline]
    pub fn add1_sub2(&self, from: &Accumulator, add: Rows, sub: [Rows; 2], to: &mut Accumulator) {
        // SAFETY: only kernels whose instructions this machine has leave the module.
        unsafe { (self.add1_sub2)(from, add, sub, to) }
    }

    /// `from` with all rows added, into `to`.
    #[inline]
    pub fn add_all(&self, from: &Lanes, rows: &[&Lanes], to: &mut Lanes) {
        // SAFETY: only kernels whose instructions this machine has leave the module.
        unsafe { (self.add_all)(from, rows, to) }
    }

    /// The sum of an output neuron: the bias and the weighted squares of the sums, clamped
    /// to 0 ..= [`QA`](super::QA), of the side to move and of the other side.
    #[inline]
    pub fn dot(&self, sides: [&Lanes; 2], output: &Output) -> i32 {
        // SAFETY: only kernels whose instructions this machine has leave the module.
        unsafe { (self.dot)(sides, output) }
    }
}

impl Kernels {
    /// The kernels that this machine can run, the fastest first.
    pub fn available() -> impl Iterator<Item = &'static Self> {
        ALL.iter().filter(|kernels| (kernels.runs_here)())
    }

    /// The fastest kernels that this machine can run.
    pub fn best() -> &'static Self {
        static BEST: Lazy<&Kernels> = Lazy::new(|| {
            Kernels::available()
                .next()
                .expect("the portable kernels run everywhere")
        });
        *BEST
    }

    /// The kernels of this name.
    ///
    /// # Errors
    /// If there are none that this machine can run.
    pub fn named(name: &str) -> Result<&'static Self, UnknownKernels> {
        Self::available()
            .find(|kernels| kernels.name == name)
            .ok_or_else(|| UnknownKernels(name.to_owned()))
    }

    /// Their name: `portable`, `avx2` or `avx512`.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl fmt::Debug for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// This machine has no kernels of this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownKernels(pub String);

impl fmt::Display for UnknownKernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Kernels::available().map(Kernels::name).collect();
        let Self(name) = self;
        write!(
            f,
            "{name:?} is not possible on this machine, which has {}",
            names.join(", ")
        )
    }
}

impl std::error::Error for UnknownKernels {}

#[cfg(test)]
mod tests;
