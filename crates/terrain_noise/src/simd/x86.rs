//! What takes instructions of x86-64.
#![expect(unsafe_code, reason = "a table in registers is read 10 times as fast as one in memory")]

use std::arch::x86_64::*;

use super::{Directions, Held, Index, Isa, Kernel, LANES, NUMBERS, PAIRS, Table};
use crate::lattice::plane::FACTORS;

/// Exists only inside [`avx512`].
#[derive(Clone, Copy)]
struct Avx512;

/// Exists only inside [`avx2`].
#[derive(Clone, Copy)]
struct Avx2;

/// The entry point compiled for a set, and whether this machine supports all its features: one list, so
/// that the two cannot differ.
macro_rules! set {
    ($isa:ident, $run:ident, $has:ident, [$($feature:tt),+ $(,)?]) => {
        pub fn $has() -> bool {
            $(is_x86_feature_detected!($feature))&&+
        }

        $(#[target_feature(enable = $feature)])+
        pub fn $run<K: Kernel>(kernel: K) -> K::Output {
            kernel.run($isa)
        }
    };
}

set!(
    Avx512,
    avx512,
    has_avx512,
    ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx2", "bmi1", "bmi2", "lzcnt", "popcnt"]
);
set!(Avx2, avx2, has_avx2, ["avx2"]);

/// See [`Isa::ends`]. One load takes a number and the next, where the compiler would use two.
#[inline(always)]
pub fn ends(tables: [&Table; 2], index: &Index, part: usize) -> [[f32; 4]; 4] {
    let mut out = [[0.0; 4]; 4];
    let at = |lane: usize| index.get(4 * part + lane);
    let at = [at(0), at(1), at(2), at(3)];
    for (which, table) in tables.into_iter().enumerate() {
        // SAFETY: SSE2 is part of x86-64; an index is below 16, so it and the next lie in the table.
        unsafe {
            let pair = |lane: usize| table.as_ptr().add(at[lane]).cast::<f64>();
            let low = _mm_castpd_ps(_mm_loadh_pd(_mm_load_sd(pair(0)), pair(1)));
            let high = _mm_castpd_ps(_mm_loadh_pd(_mm_load_sd(pair(2)), pair(3)));
            let left = _mm_shuffle_ps::<0b10_00_10_00>(low, high);
            let right = _mm_shuffle_ps::<0b11_01_11_01>(low, high);
            _mm_storeu_ps(out[which].as_mut_ptr(), left);
            _mm_storeu_ps(out[which + 2].as_mut_ptr(), right);
        }
    }
    out
}

/// See [`Isa::directions`]. One load takes both coordinates of a direction.
#[inline(always)]
pub fn directions(all: &Directions, parts: [u32; 4]) -> [[f32; 4]; 2] {
    let mut out = [[0.0; 4]; 2];
    // SAFETY: SSE2 is part of x86-64; an index is below 16, the length of the table.
    unsafe {
        let parts = _mm_loadu_si128(parts.as_ptr().cast());
        let hash = _mm_madd_epi16(_mm_madd_epi16(parts, _mm_set1_epi32(FACTORS as i32)), parts);
        // The odd 16-bit numbers hold the four bits.
        let hash = _mm_and_si128(hash, _mm_set1_epi32(15 << 16));
        let pair = |index: i32| all.pairs.as_ptr().add(index as usize).cast::<f64>();
        let [a, b] = [_mm_extract_epi16::<1>(hash), _mm_extract_epi16::<3>(hash)];
        let [c, d] = [_mm_extract_epi16::<5>(hash), _mm_extract_epi16::<7>(hash)];
        let low = _mm_castpd_ps(_mm_loadh_pd(_mm_load_sd(pair(a)), pair(b)));
        let high = _mm_castpd_ps(_mm_loadh_pd(_mm_load_sd(pair(c)), pair(d)));
        _mm_storeu_ps(out[0].as_mut_ptr(), _mm_shuffle_ps::<0b10_00_10_00>(low, high));
        _mm_storeu_ps(out[1].as_mut_ptr(), _mm_shuffle_ps::<0b11_01_11_01>(low, high));
    }
    out
}

/// What the lattice points some steps after `index` hold. One load takes both numbers of one.
#[inline(always)]
pub fn corners<const N: usize>(held: &Held, index: [u32; 4], steps: [usize; N]) -> [[[f32; 4]; 2]; N] {
    let mut out = [[[0.0; 4]; 2]; N];
    // SAFETY: SSE2 is part of x86-64; an index and a step are below half the length of the table.
    unsafe {
        let index = _mm_and_si128(_mm_loadu_si128(index.as_ptr().cast()), _mm_set1_epi32(PAIRS as i32 - 1));
        let [first, last] = [index, _mm_unpackhi_epi64(index, index)].map(|index| _mm_cvtsi128_si64(index) as u64);
        let [a, b, c, d] = [first as u32 as usize, (first >> 32) as usize, last as u32 as usize, (last >> 32) as usize];
        for n in 0..N {
            let from = held.pairs.as_ptr().add(steps[n] % PAIRS);
            let pair = |index: usize| from.add(index).cast::<f64>();
            let low = _mm_castpd_ps(_mm_loadh_pd(_mm_load_sd(pair(a)), pair(b)));
            let high = _mm_castpd_ps(_mm_loadh_pd(_mm_load_sd(pair(c)), pair(d)));
            _mm_storeu_ps(out[n][0].as_mut_ptr(), _mm_shuffle_ps::<0b10_00_10_00>(low, high));
            _mm_storeu_ps(out[n][1].as_mut_ptr(), _mm_shuffle_ps::<0b11_01_11_01>(low, high));
        }
    }
    out
}

impl Isa<16> for Avx512 {
    const MANY_REGISTERS: bool = true;
    const TABLE: usize = 16;

    #[inline(always)]
    fn corners(self, held: &Held, index: [u32; 16], stride: usize) -> [[[f32; 16]; 2]; 4] {
        let mut out = [[[0.0; 16]; 2]; 4];
        // SAFETY: the set is supported (see the type); a step leaves a register of numbers after it.
        unsafe {
            let index = _mm512_loadu_si512(index.as_ptr().cast());
            for (step, out) in [0, 1, stride, stride + 1].into_iter().zip(&mut out) {
                for (numbers, out) in held.numbers.iter().zip(out) {
                    let table = _mm512_loadu_ps(numbers.as_ptr().add(step % (NUMBERS - 16)));
                    _mm512_storeu_ps(out.as_mut_ptr(), _mm512_permutexvar_ps(index, table));
                }
            }
        }
        out
    }

    #[inline(always)]
    fn directions(self, all: &Directions, parts: [u32; 16]) -> [[f32; 16]; 2] {
        let mut out = [[0.0; 16]; 2];
        // SAFETY: the set is supported (see the type); every register read or written is an array of its size.
        unsafe {
            let parts = _mm512_loadu_si512(parts.as_ptr().cast());
            let hash = _mm512_madd_epi16(_mm512_madd_epi16(parts, _mm512_set1_epi32(FACTORS as i32)), parts);
            // Only the lowest four bits of an index count.
            let index = _mm512_srli_epi32::<16>(hash);
            for (table, out) in [&all.x, &all.z].into_iter().zip(&mut out) {
                let picked = _mm512_permutexvar_ps(index, _mm512_loadu_ps(table.as_ptr()));
                _mm512_storeu_ps(out.as_mut_ptr(), picked);
            }
        }
        out
    }

    #[inline(always)]
    fn ends(self, [a, b]: [&Table; 2], index: &Index, _part: usize, _narrow: bool) -> [[f32; 16]; 4] {
        let mut out = [[0.0; 16]; 4];
        // SAFETY: the set is supported (see the type); every register read or written lies in an
        // array of at least its 64 bytes, from the first or the second number of a table on.
        unsafe {
            let index = _mm512_cvtepu8_epi32(_mm_loadu_si128(index.0.as_ptr().cast()));
            let tables = [a.as_ptr(), b.as_ptr(), a.as_ptr().add(1), b.as_ptr().add(1)];
            for (table, out) in tables.into_iter().zip(&mut out) {
                let picked = _mm512_permutexvar_ps(index, _mm512_loadu_ps(table));
                _mm512_storeu_ps(out.as_mut_ptr(), picked);
            }
        }
        out
    }
}

impl Isa<8> for Avx2 {
    const TABLE: usize = 8;

    #[inline(always)]
    fn corners(self, held: &Held, index: [u32; 8], stride: usize) -> [[[f32; 8]; 2]; 4] {
        let mut out = [[[0.0; 8]; 2]; 4];
        // SAFETY: as above, with registers of 32 bytes.
        unsafe {
            let index = _mm256_loadu_si256(index.as_ptr().cast());
            for (step, out) in [0, 1, stride, stride + 1].into_iter().zip(&mut out) {
                for (numbers, out) in held.numbers.iter().zip(out) {
                    let table = _mm256_loadu_ps(numbers.as_ptr().add(step % (NUMBERS - 16)));
                    _mm256_storeu_ps(out.as_mut_ptr(), _mm256_permutevar8x32_ps(table, index));
                }
            }
        }
        out
    }

    #[inline(always)]
    fn directions(self, all: &Directions, parts: [u32; 8]) -> [[f32; 8]; 2] {
        let mut out = [[0.0; 8]; 2];
        // SAFETY: as above, with registers of 32 bytes.
        unsafe {
            let parts = _mm256_loadu_si256(parts.as_ptr().cast());
            let hash = _mm256_madd_epi16(_mm256_madd_epi16(parts, _mm256_set1_epi32(FACTORS as i32)), parts);
            // Three bits choose one of eight, the fourth its opposite.
            let index = _mm256_srli_epi32::<16>(hash);
            let opposite = _mm256_and_si256(_mm256_slli_epi32::<12>(hash), _mm256_set1_epi32(i32::MIN));
            for (table, out) in [&all.x, &all.z].into_iter().zip(&mut out) {
                let picked = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table.as_ptr()), index);
                _mm256_storeu_ps(out.as_mut_ptr(), _mm256_xor_ps(picked, _mm256_castsi256_ps(opposite)));
            }
        }
        out
    }

    #[inline(always)]
    fn ends(self, [a, b]: [&Table; 2], index: &Index, part: usize, narrow: bool) -> [[f32; 8]; 4] {
        let mut out = [[0.0; 8]; 4];
        let places: &[u8; 8] = &index.0.as_chunks().0[part % (LANES / 8)];
        // SAFETY: as above, with registers of 32 bytes.
        unsafe {
            let index = _mm256_cvtepu8_epi32(_mm_loadl_epi64(places.as_ptr().cast()));
            let tables = [a.as_ptr(), b.as_ptr(), a.as_ptr().add(1), b.as_ptr().add(1)];
            for (table, out) in tables.into_iter().zip(&mut out) {
                let mut picked = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), index);
                if !narrow {
                    // Bit 3 chooses the half of the table; blending looks at the sign.
                    let upper = _mm256_castsi256_ps(_mm256_slli_epi32::<28>(index));
                    let high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(table.add(8)), index);
                    picked = _mm256_blendv_ps(picked, high, upper);
                }
                _mm256_storeu_ps(out.as_mut_ptr(), picked);
            }
        }
        out
    }
}
