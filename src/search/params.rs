//! The numbers of the search, each once. Values are in centipawns, depths in plies.

use crate::types::Value;

/// Half the first aspiration window.
pub(super) const ASPIRATION: Value = 22;
/// Aspiration starts at this depth.
pub(super) const ASPIRATION_DEPTH: u32 = 5;

/// Reverse futility: up to this depth, and the margin for each ply of depth.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 8;
pub(super) const REVERSE_FUTILITY_MARGIN: Value = 70;

/// Razoring: up to this depth, and the margin.
pub(super) const RAZOR_DEPTH: i32 = 3;
pub(super) const RAZOR_BASE: Value = 200;
pub(super) const RAZOR_MARGIN: Value = 150;

/// Null move: from this depth, verified from that one.
pub(super) const NULL_DEPTH: i32 = 3;
pub(super) const NULL_VERIFIED_DEPTH: i32 = 12;
pub(super) const NULL_REDUCTION: i32 = 3;
/// One ply more of null move reduction for so many plies of depth, for so much above beta.
pub(super) const NULL_DEPTH_STEP: i32 = 3;
pub(super) const NULL_VALUE_STEP: Value = 160;

/// Internal iterative reduction from this depth.
pub(super) const IIR_DEPTH: i32 = 4;

/// Late move pruning: quiet moves tried before the rest is skipped, plus depth squared.
pub(super) const LATE_MOVES: i32 = 4;
/// Futility of quiet moves: up to this reduced depth, base and margin.
pub(super) const FUTILITY_DEPTH: i32 = 7;
pub(super) const FUTILITY_BASE: Value = 110;
pub(super) const FUTILITY_MARGIN: Value = 85;
/// Quiet moves with a history below minus this times the depth are skipped.
pub(super) const HISTORY_PRUNING: i32 = 3500;
pub(super) const HISTORY_PRUNING_DEPTH: i32 = 5;
/// What a quiet move may lose by exchange, times reduced depth squared.
pub(super) const SEE_QUIET: Value = 22;
/// What a capture may lose by exchange, times depth.
pub(super) const SEE_CAPTURE: Value = 110;

/// Late move reduction in 1/1024 ply: `BASE + SCALE × log2(depth) × log2(move number)`.
pub(super) const LMR_BASE: i32 = 600;
pub(super) const LMR_SCALE: i32 = 300;
pub(super) const LMR_PV: i32 = 1024;
pub(super) const LMR_CUT: i32 = 1300;
pub(super) const LMR_NOT_IMPROVING: i32 = 700;
pub(super) const LMR_CHECK: i32 = 900;
pub(super) const LMR_KILLER: i32 = 900;
/// A history of so much takes a ply off the reduction.
pub(super) const LMR_HISTORY: i32 = 9000;

/// Captures in quiescence that cannot bring the value this near to alpha are skipped.
pub(super) const DELTA_MARGIN: Value = 160;

/// History bonus: `SLOPE × depth − BASE`, at most `MAX`.
pub(super) const BONUS_SLOPE: i32 = 170;
pub(super) const BONUS_BASE: i32 = 60;
pub(super) const BONUS_MAX: i32 = 1700;

/// log2 in 1/1024, by repeated squaring: the same on every machine, unlike `f64::ln`.
const fn log2(number: u32) -> i32 {
    let integer = number.ilog2();
    let mut mantissa = ((number as u64) << 32) >> integer;
    let mut result = integer as i32;
    let mut bit = 0;
    while bit < 10 {
        mantissa = (mantissa * (mantissa >> 16)) >> 16;
        result *= 2;
        if mantissa >> 33 != 0 {
            mantissa >>= 1;
            result += 1;
        }
        bit += 1;
    }
    result
}

/// [`log2`] of the numbers up to 255.
static LOG2: [i32; 256] = {
    let mut table = [0; 256];
    let mut number = 1;
    while number < 256 {
        table[number] = log2(number as u32);
        number += 1;
    }
    table
};

/// How much shallower the move with this number (from 1) is searched, in 1/1024 ply.
#[inline]
pub(super) fn reduction(depth: i32, number: usize) -> i32 {
    let depth = LOG2[depth.clamp(1, 255) as usize];
    let number = LOG2[number.clamp(1, 255)];
    LMR_BASE + ((LMR_SCALE * ((depth * number) >> 10)) >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_right_to_a_thousandth() {
        for number in 1..256_u32 {
            let exact = f64::from(number).log2() * 1024.0;
            assert!(
                (exact - f64::from(LOG2[number as usize])).abs() <= 1.5,
                "{number}"
            );
        }
    }
}
