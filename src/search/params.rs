//! The numbers of the search, each once. Values are in centipawns, depths in plies,
//! reductions in 1/1024 ply.
//!
//! In an ordinary build they are constants. With the feature `tune` they are variables
//! that `setoption` changes by name, so that one build plays against itself with others.

/// A number of the search that can be tuned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name; what stands before the first underscore is its group.
    pub name: &'static str,
    /// Its value in an ordinary build.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
    /// How far a tuning run moves it to see a difference.
    pub step: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $min:literal, $max:literal, $step:literal;)*) => {
        /// Every number of the search that can be tuned.
        pub const PARAMS: &[Param] = &[$(Param {
            name: stringify!($name),
            default: $value,
            min: $min,
            max: $max,
            step: $step,
        }),*];

        #[cfg(feature = "tune")]
        mod values {
            use std::sync::atomic::AtomicI32;
            #[allow(non_upper_case_globals, reason = "one name for each number")]
            mod cells {
                use super::AtomicI32;
                $(pub static $name: AtomicI32 = AtomicI32::new($value);)*
            }
            pub static CELLS: &[&AtomicI32] = &[$(&cells::$name),*];
            $($(#[$doc])*
            #[inline]
            pub fn $name() -> i32 {
                cells::$name.load(std::sync::atomic::Ordering::Relaxed)
            })*
        }

        #[cfg(not(feature = "tune"))]
        mod values {
            $($(#[$doc])*
            #[inline(always)]
            pub const fn $name() -> i32 {
                $value
            })*
        }

        pub(super) use values::*;
    };
}

params! {
    /// Half the first aspiration window.
    aspiration_window = 22, 5, 80, 4;

    /// Reverse futility: up to this depth, and the margin for each ply of depth.
    rfp_depth = 8, 3, 14, 1;
    rfp_margin = 70, 30, 150, 6;

    /// Razoring: up to this depth, and the margin.
    razor_depth = 3, 0, 8, 1;
    razor_base = 200, 50, 500, 25;
    razor_margin = 150, 50, 300, 15;

    /// Null move: the least reduction, and one ply more for so many plies of depth or for
    /// so much above beta.
    null_base = 3, 1, 6, 1;
    null_depth_step = 3, 2, 8, 1;
    null_value_step = 160, 60, 400, 20;
    null_margin = 120, 0, 300, 20;
    null_verified_depth = 12, 6, 24, 2;

    /// Internal iterative reduction from this depth.
    iir_depth = 4, 2, 10, 1;

    /// Late move pruning: quiet moves tried before the rest is skipped, plus depth squared.
    lmp_base = 4, 1, 10, 1;
    /// Futility of quiet moves: up to this reduced depth, base and margin.
    futility_depth = 7, 3, 14, 1;
    futility_base = 110, 30, 250, 12;
    futility_margin = 85, 40, 180, 8;
    /// Quiet moves with a history below minus this times the depth are skipped.
    history_pruning = 3500, 1000, 9000, 400;
    history_pruning_depth = 5, 2, 10, 1;
    /// What a quiet move may lose by exchange, times reduced depth squared.
    see_quiet = 22, 8, 120, 4;
    /// What a quiet check may lose by exchange, times depth; checks are not pruned otherwise.
    see_check = 200, 40, 1200, 20;
    /// What a capture may lose by exchange, times depth.
    see_capture = 300, 60, 1200, 20;

    /// Among quiet moves, what a check that loses no more than this by exchange counts more.
    check_bonus = 16000, 0, 60000, 1500;
    check_bonus_see = 75, 0, 600, 25;
    /// Checks that lose nothing by exchange are searched a ply deeper from this depth.
    check_extension = 1, 1, 20, 1;

    /// Late move reduction: `base + scale × log2(depth) × log2(move number)`.
    lmr_base = 600, 0, 1600, 80;
    lmr_scale = 300, 150, 500, 15;
    lmr_pv = 1024, 0, 2048, 100;
    lmr_cut = 1300, 0, 3000, 120;
    lmr_not_improving = 700, 0, 1600, 80;
    lmr_check = 900, 0, 2048, 100;
    lmr_killer = 900, 0, 2048, 100;
    /// A history of so much takes a ply off the reduction.
    lmr_history = 9000, 4000, 24000, 900;

    /// Less where the table tells of a principal variation, more where children were cut often.
    lmr_ttpv = 0, 0, 2048, 100;
    lmr_cutoffs = 0, 0, 2048, 100;
    /// For each centipawn of correction.
    lmr_correction = 0, 0, 40, 3;
    /// A re-search goes a ply deeper if the value exceeds the best by so much, a ply
    /// shallower if by less than that.
    lmr_deeper = 9999, 10, 9999, 10;
    lmr_shallower = -9999, -9999, 50, 4;
    /// What continuation history learns from a re-search, in per cent of a bonus.
    lmr_bonus = 0, 0, 200, 10;

    /// The table move is tested for being singular from this depth; margin in 1/16 for each
    /// ply of depth.
    singular_depth = 99, 4, 99, 1;
    singular_margin = 24, 4, 80, 4;
    /// So much further below for a second and a third ply.
    singular_double = 12, 0, 60, 3;
    singular_double_pv = 60, 0, 300, 10;
    singular_triple = 60, 10, 300, 10;
    /// Plies taken off a move that is not singular: where it fails high, in cut nodes.
    singular_negative = 2, 0, 4, 1;
    singular_negative_cut = 1, 0, 4, 1;

    /// Hindsight: the reductions after which a node is searched deeper or shallower.
    hindsight_deeper = 99, 1, 99, 1;
    hindsight_shallower = 99, 1, 99, 1;
    hindsight_margin = 100, 0, 400, 20;

    /// ProbCut: from this depth, so much above beta, so much shallower.
    probcut_depth = 99, 3, 99, 1;
    probcut_margin = 130, 40, 400, 15;
    probcut_improving = 40, 0, 150, 10;
    probcut_reduction = 4, 2, 6, 1;

    /// What quiet history learns from a cut by the table, in per cent of a bonus.
    table_cut_bonus = 60, 0, 200, 10;
    /// What the move before learns from a node that fails low, in per cent of a bonus.
    prior_bonus = 60, 0, 200, 10;

    /// Correction histories: the most that each adds to a static value, and how fast they
    /// learn.
    correction_pawns = 30, 0, 200, 8;
    correction_guards = 30, 0, 200, 8;
    correction_attackers = 30, 0, 200, 8;
    correction_moves = 30, 0, 200, 8;
    correction_rate = 4, 1, 32, 1;

    /// How many plies of quiescence try checks.
    qs_checks = 1, 0, 4, 1;
    /// Captures in quiescence that cannot bring the value this near to alpha are skipped.
    qs_delta = 160, 60, 400, 20;

    /// How much of the static value is gone at the move limit, in per cent.
    damping = 0, 0, 100, 5;

    /// History bonus: `slope × depth − base`, at most `max`.
    bonus_slope = 170, 60, 400, 16;
    bonus_base = 60, 0, 300, 20;
    bonus_max = 1700, 600, 4000, 150;
    /// What moves lose that did not refute, and what the continuation of four and six plies
    /// learns, in per cent.
    bonus_malus = 100, 20, 200, 10;
    bonus_far = 100, 0, 150, 10;
    low_ply_weight = 200, 0, 400, 20;
    /// What the static values before and after tell of the last quiet move.
    eval_history = 8, 0, 40, 2;
    eval_history_max = 800, 200, 2000, 100;
}

/// Changes a number; false if there is none of this name. A value out of range is moved
/// into it.
#[cfg(feature = "tune")]
pub fn set_param(name: &str, value: i64) -> bool {
    let Some(index) = PARAMS.iter().position(|param| param.name == name) else {
        return false;
    };
    let Param { min, max, .. } = PARAMS[index];
    let value = value.clamp(i64::from(min), i64::from(max)) as i32;
    values::CELLS[index].store(value, std::sync::atomic::Ordering::Relaxed);
    true
}

/// Aspiration starts at this depth.
pub(super) const ASPIRATION_DEPTH: u32 = 5;

/// Null move from this depth.
pub(super) const NULL_DEPTH: i32 = 3;

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
    lmr_base() + ((lmr_scale() * ((depth * number) >> 10)) >> 10)
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
