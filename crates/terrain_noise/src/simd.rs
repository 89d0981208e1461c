//! Instruction sets, chosen at run time.
//!
//! A kernel is written once, as loops over [`LANES`] numbers that the compiler vectorises, and is
//! compiled for every set. None of them has a fused multiply-add and none reorders: every set gives
//! the same bits.

use crate::basis::directions::Directions;
use crate::lattice::plane::sixteenth;

/// Numbers that a kernel processes at once: one register of the widest set.
pub(crate) const LANES: usize = 16;

/// Numbers side by side.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Lanes(pub [f32; LANES]);

/// Coordinates side by side.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Wide(pub [f64; LANES]);

/// A set of instructions that grids and points are computed with. All give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Instructions {
    /// Available on every processor of the architecture: SSE2, NEON.
    Baseline,
    /// 256 bits, on x86-64.
    Avx2,
    /// 512 bits, on x86-64.
    Avx512,
}

impl Instructions {
    /// The widest set that this machine supports.
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if x86::has_avx512() {
                return Self::Avx512;
            }
            if x86::has_avx2() {
                return Self::Avx2;
            }
        }
        Self::Baseline
    }

    /// The sets that this machine supports, narrowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        let all = [Self::Baseline, Self::Avx2, Self::Avx512];
        all.into_iter().filter(|&set| set <= Self::best())
    }
}

/// An instruction set that this machine is known to support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DetectedIsa(Instructions);

impl DetectedIsa {
    /// The wanted set, or the widest supported one below it.
    pub fn new(wanted: Instructions) -> Self {
        Self(wanted.min(Instructions::best()))
    }

    pub fn get(self) -> Instructions {
        self.0
    }

    /// Runs a kernel as compiled for this set.
    #[inline(always)]
    #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "code for a set may run only where the set is"))]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            // SAFETY: this machine supports a detected set.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { x86::avx512(kernel) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { x86::avx2(kernel) },
            _ => kernel.run(Plain),
        }
    }
}

/// Work that is compiled for every set. `run` must be `#[inline(always)]`, and so must all that it
/// calls in its loops: only what is inlined is compiled for the set.
pub(crate) trait Kernel {
    type Output;
    fn run<const W: usize>(self, isa: impl Isa<W>) -> Self::Output;
}

/// Operations that the compiler does not vectorise well by itself. A register holds `W` lanes; blocks are
/// whole registers.
pub(crate) trait Isa<const W: usize>: Copy {
    /// Whether there are 32 registers.
    const MANY_REGISTERS: bool = false;
    /// [`split`](crate::lattice::split), in the fastest way on this set.
    #[inline(always)]
    fn split(self, coordinate: f64) -> (i64, f32) {
        crate::lattice::split_by_floor(coordinate)
    }
    /// The floor of a number below 2^50.
    #[inline(always)]
    fn floor(self, x: f64) -> f64 {
        x.floor()
    }
    /// The direction that each lane's hash chooses, from the parts of the hash: see [`sixteenth`].
    fn directions(self, all: &Directions, parts: [u32; W]) -> [[f32; W]; 2];
    /// How many lattice points [`corners`](Self::corners) chooses from.
    const TABLE: usize;
    /// What the lattice points hold at `index`, and one column, one row, and both after it. Indices are below
    /// [`TABLE`](Self::TABLE).
    fn corners(self, held: &Held, index: [u32; W], stride: usize) -> [[[f32; W]; 2]; 4];
    /// What the lattice points at `index` hold, where all are in [`Held::pairs`].
    #[inline(always)]
    fn corner(self, held: &Held, index: [u32; W]) -> [[f32; W]; 2] {
        corner(held, index, 0)
    }
    /// For each lane of a part of a block `table[index]` and `table[index + 1]` of two tables, in the
    /// order left, left, right, right. All indices are below 8 if they are `narrow`.
    fn ends(self, tables: [&Table; 2], index: &Index, part: usize, narrow: bool) -> [[f32; W]; 4];
}

/// The most lattice points in [`Held::pairs`] before the last row.
pub(crate) const PAIRS: usize = 1024;
/// The most lattice points in [`Held::numbers`], with what is read after them.
pub(crate) const NUMBERS: usize = 64;

/// What lattice points hold, row by row: in `numbers` few that registers pick from, in `pairs` what is loaded.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Held {
    pub numbers: [[f32; NUMBERS]; 2],
    pub pairs: [[f32; 2]; 2 * PAIRS],
}

impl Default for Held {
    fn default() -> Self {
        Self { numbers: [[0.0; NUMBERS]; 2], pairs: [[0.0; 2]; 2 * PAIRS] }
    }
}

/// Numbers that lanes pick from, each together with the next one.
pub(crate) type Table = [f32; LANES + 1];

/// The indices of a block's lanes into a [`Table`], each valid.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Index([u8; LANES]);

impl Index {
    /// Only the lowest four bits of an index count.
    #[inline(always)]
    pub fn new(places: [u32; LANES]) -> Self {
        let mut index = [0; LANES];
        for lane in 0..LANES {
            index[lane] = (places[lane] % LANES as u32) as u8;
        }
        Self(index)
    }

    /// The index of a lane, below [`LANES`].
    #[inline(always)]
    pub fn get(&self, lane: usize) -> usize {
        self.0[lane].into()
    }
}

/// Keeps the compiler from vectorising a loop over blocks, of which every pass works on whole registers already:
/// it would gather and scatter the lanes of several blocks. Costs nothing.
#[inline(always)]
pub(crate) fn block_by_block() {
    std::hint::black_box(());
}

/// The registers of a row that its columns need: whole blocks, and parts of one more.
#[inline(always)]
pub(crate) fn registers<const W: usize>(columns: usize) -> (usize, usize) {
    let parts = (columns % LANES).div_ceil(W);
    // With one register a block, a part is a block.
    (columns / LANES + parts / (LANES / W), parts % (LANES / W))
}

/// The baseline.
#[derive(Clone, Copy)]
pub(crate) struct Plain;

impl Isa<4> for Plain {
    const TABLE: usize = PAIRS;
    #[inline(always)]
    fn corners(self, held: &Held, index: [u32; 4], stride: usize) -> [[[f32; 4]; 2]; 4] {
        let steps = [0, 1, stride, stride + 1];
        #[cfg(target_arch = "x86_64")]
        return x86::corners(held, index, steps);
        #[cfg(not(target_arch = "x86_64"))]
        steps.map(|step| corner(held, index, step))
    }
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn corner(self, held: &Held, index: [u32; 4]) -> [[f32; 4]; 2] {
        x86::corners(held, index, [0])[0]
    }
    #[inline(always)]
    fn split(self, coordinate: f64) -> (i64, f32) {
        crate::lattice::split(coordinate)
    }
    #[inline(always)]
    fn floor(self, x: f64) -> f64 {
        crate::lattice::floor(x)
    }
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn directions(self, all: &Directions, parts: [u32; 4]) -> [[f32; 4]; 2] {
        x86::directions(all, parts)
    }
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn ends(self, tables: [&Table; 2], index: &Index, part: usize, _narrow: bool) -> [[f32; 4]; 4] {
        x86::ends(tables, index, part)
    }
    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    fn directions(self, all: &Directions, parts: [u32; 4]) -> [[f32; 4]; 2] {
        directions(all, parts)
    }
    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    fn ends(self, tables: [&Table; 2], index: &Index, part: usize, _narrow: bool) -> [[f32; 4]; 4] {
        ends(tables, index, part)
    }
}

/// One lane, for single places.
#[derive(Clone, Copy)]
pub(crate) struct Scalar;

impl Isa<1> for Scalar {
    const TABLE: usize = PAIRS;
    #[inline(always)]
    fn corners(self, held: &Held, index: [u32; 1], stride: usize) -> [[[f32; 1]; 2]; 4] {
        [0, 1, stride, stride + 1].map(|step| corner(held, index, step))
    }
    #[inline(always)]
    fn floor(self, x: f64) -> f64 {
        crate::lattice::floor(x)
    }
    #[inline(always)]
    fn directions(self, all: &Directions, parts: [u32; 1]) -> [[f32; 1]; 2] {
        directions(all, parts)
    }
    #[inline(always)]
    fn ends(self, tables: [&Table; 2], index: &Index, part: usize, _narrow: bool) -> [[f32; 1]; 4] {
        ends(tables, index, part)
    }
}

/// [`Isa::directions`] without instructions of a set.
#[inline(always)]
fn directions<const W: usize>(all: &Directions, parts: [u32; W]) -> [[f32; W]; 2] {
    let mut out = [[0.0; W]; 2];
    for lane in 0..W {
        [out[0][lane], out[1][lane]] = all.get(sixteenth(parts[lane]));
    }
    out
}

/// What the lattice points some steps after `index` hold, without instructions of a set.
#[inline(always)]
fn corner<const W: usize>(held: &Held, index: [u32; W], step: usize) -> [[f32; W]; 2] {
    let mut out = [[0.0; W]; 2];
    for lane in 0..W {
        [out[0][lane], out[1][lane]] = held.pairs[index[lane] as usize % PAIRS + step % PAIRS];
    }
    out
}

/// [`Isa::ends`] without instructions of a set.
#[inline(always)]
fn ends<const W: usize>([a, b]: [&Table; 2], index: &Index, part: usize) -> [[f32; W]; 4] {
    let mut out = [[0.0; W]; 4];
    for lane in 0..W {
        let i = index.get(W * part + lane) % LANES;
        (out[0][lane], out[1][lane], out[2][lane], out[3][lane]) = (a[i], b[i], a[i + 1], b[i + 1]);
    }
    out
}

#[cfg(target_arch = "x86_64")]
mod x86 {
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
            let [a, b, c, d] =
                [first as u32 as usize, (first >> 32) as usize, last as u32 as usize, (last >> 32) as usize];
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::mix;

    struct Chosen<'a>(&'a Directions, u64);

    impl Kernel for Chosen<'_> {
        type Output = Vec<[f32; 2]>;
        fn run<const W: usize>(self, isa: impl Isa<W>) -> Self::Output {
            let mut all = Vec::new();
            for from in (0..64).step_by(W) {
                let [x, z] =
                    isa.directions(self.0, std::array::from_fn(|lane| mix(self.1 + (from + lane) as u64) as u32));
                all.extend(x.into_iter().zip(z).map(|(x, z)| [x, z]));
            }
            all
        }
    }

    #[test]
    fn every_set_chooses_the_same_directions() {
        let table = Directions::new(1.5);
        for set in Instructions::available() {
            for from in (0..64_000).step_by(64) {
                let found = DetectedIsa::new(set).run(Chosen(&table, from));
                for (i, found) in found.into_iter().enumerate() {
                    assert_eq!(found, table.get(sixteenth(mix(from + i as u64) as u32)), "{set:?}");
                }
            }
        }
    }

    #[test]
    fn registers_hold_all_columns_and_no_more() {
        fn check<const W: usize>(columns: usize) {
            let (whole, parts) = registers::<W>(columns);
            let lanes = whole * LANES + parts * W;
            assert_eq!(lanes, columns.next_multiple_of(W), "{columns} columns, {W} lanes");
            assert!(parts < LANES / W, "{columns} columns, {W} lanes");
        }
        for columns in 1..100 {
            check::<4>(columns);
            check::<8>(columns);
            check::<16>(columns);
        }
    }
}
