//! The kernels for AVX2 and AVX-512.

use std::arch::x86_64::*;

use bytemuck::{cast_slice, cast_slice_mut};

use super::super::{HIDDEN, Lanes, Output, QA};
use super::{Accumulator, Rows};

/// Writes the kernels for one width of vectors; `sum` adds up the 32-bit numbers of one.
macro_rules! kernels {
    (
        $module:ident, $features:literal, $Vector:ident, $sum:path,
        $set1:ident, $zero:ident, $add16:ident, $sub16:ident, $min:ident, $max:ident,
        $mul16:ident, $madd:ident, $add32:ident $(,)?
    ) => {
        pub mod $module {
            use super::*;

            /// Vectors to a perspective.
            const VECTORS: usize = HIDDEN * 2 / size_of::<$Vector>();
            /// Vectors that are summed side by side, in registers.
            const TILE: usize = 8;
            const _: () = assert!(VECTORS.is_multiple_of(TILE));

            #[target_feature(enable = $features)]
            pub fn add1_sub1(from: &Accumulator, add: Rows, sub: Rows, to: &mut Accumulator) {
                for side in 0..2 {
                    let from = cast_slice::<i16, $Vector>(&from[side].0);
                    let add = cast_slice::<i16, $Vector>(&add[side].0);
                    let sub = cast_slice::<i16, $Vector>(&sub[side].0);
                    let to = cast_slice_mut::<i16, $Vector>(&mut to[side].0);
                    for i in 0..VECTORS {
                        to[i] = $sub16($add16(from[i], add[i]), sub[i]);
                    }
                }
            }

            #[target_feature(enable = $features)]
            pub fn add1_sub2(from: &Accumulator, add: Rows, sub: [Rows; 2], to: &mut Accumulator) {
                for side in 0..2 {
                    let from = cast_slice::<i16, $Vector>(&from[side].0);
                    let add = cast_slice::<i16, $Vector>(&add[side].0);
                    let first = cast_slice::<i16, $Vector>(&sub[0][side].0);
                    let second = cast_slice::<i16, $Vector>(&sub[1][side].0);
                    let to = cast_slice_mut::<i16, $Vector>(&mut to[side].0);
                    for i in 0..VECTORS {
                        let sum = $sub16($add16(from[i], add[i]), first[i]);
                        to[i] = $sub16(sum, second[i]);
                    }
                }
            }

            #[target_feature(enable = $features)]
            pub fn add_all(from: &Lanes, rows: &[&Lanes], to: &mut Lanes) {
                let from = cast_slice::<i16, $Vector>(&from.0);
                let to = cast_slice_mut::<i16, $Vector>(&mut to.0);
                for start in (0..VECTORS).step_by(TILE) {
                    let mut sums = [$zero(); TILE];
                    sums.copy_from_slice(&from[start..start + TILE]);
                    for row in rows {
                        let row = cast_slice::<i16, $Vector>(&row.0);
                        for (sum, &weights) in sums.iter_mut().zip(&row[start..start + TILE]) {
                            *sum = $add16(*sum, weights);
                        }
                    }
                    to[start..start + TILE].copy_from_slice(&sums);
                }
            }

            #[target_feature(enable = $features)]
            pub fn dot(sides: [&Lanes; 2], output: &Output) -> i32 {
                let (zero, one) = ($zero(), $set1(QA as i16));
                // Two chains of additions, so that one need not wait for the other.
                let mut sums = [zero; 2];
                for side in 0..2 {
                    let lanes = cast_slice::<i16, $Vector>(&sides[side].0);
                    let weights = cast_slice::<i16, $Vector>(&output.weights[side]);
                    for i in 0..VECTORS {
                        let clamped = $min($max(lanes[i], zero), one);
                        // At most 255 · 127: it fits 16 bits.
                        let weighted = $mul16(clamped, weights[i]);
                        sums[i % 2] = $add32(sums[i % 2], $madd(weighted, clamped));
                    }
                }
                output.bias + $sum($add32(sums[0], sums[1]))
            }
        }
    };
}

kernels!(
    avx512,
    "avx512f,avx512bw",
    __m512i,
    _mm512_reduce_add_epi32,
    _mm512_set1_epi16,
    _mm512_setzero_si512,
    _mm512_add_epi16,
    _mm512_sub_epi16,
    _mm512_min_epi16,
    _mm512_max_epi16,
    _mm512_mullo_epi16,
    _mm512_madd_epi16,
    _mm512_add_epi32,
);

kernels!(
    avx2,
    "avx2",
    __m256i,
    sum_of_eight,
    _mm256_set1_epi16,
    _mm256_setzero_si256,
    _mm256_add_epi16,
    _mm256_sub_epi16,
    _mm256_min_epi16,
    _mm256_max_epi16,
    _mm256_mullo_epi16,
    _mm256_madd_epi16,
    _mm256_add_epi32,
);

#[target_feature(enable = "avx2")]
fn sum_of_eight(vector: __m256i) -> i32 {
    let four = _mm_add_epi32(
        _mm256_castsi256_si128(vector),
        _mm256_extracti128_si256::<1>(vector),
    );
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
}
