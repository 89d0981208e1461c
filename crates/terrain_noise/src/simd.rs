//! Instruction sets, chosen at run time.
//!
//! A kernel is written once, as loops over [`LANES`] numbers that the compiler vectorises, and is
//! compiled for every set. None of them has a fused multiply-add and none reorders: every set gives
//! the same bits.

#[cfg(target_arch = "x86_64")]
mod x86;

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
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        self.run_wide(kernel).unwrap_or_else(plain)
    }

    /// As [`run`](Self::run), but the baseline's code is part of the caller: for kernels so short that a call would be felt,
    /// and for those with one caller.
    #[inline(always)]
    pub fn run_inline<K: Kernel>(self, kernel: K) -> K::Output {
        self.run_wide(kernel).unwrap_or_else(|kernel| kernel.run(Plain))
    }

    /// Runs a kernel on a set above the baseline, or gives it back.
    #[inline(always)]
    #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "code for a set may run only where the set is"))]
    fn run_wide<K: Kernel>(self, kernel: K) -> Result<K::Output, K> {
        match self.0 {
            // SAFETY: this machine supports a detected set.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => Ok(unsafe { x86::avx512(kernel) }),
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => Ok(unsafe { x86::avx2(kernel) }),
            _ => Err(kernel),
        }
    }
}

/// Out of line, as the other sets are: compiled once, not once for each caller.
#[inline(never)]
fn plain<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Plain)
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
