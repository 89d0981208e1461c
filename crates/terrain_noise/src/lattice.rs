//! Repeatable random values at integer coordinates.
//!
//! A coordinate is split in `f64` into a 64-bit cell and an `f32` fraction, per axis, *before*
//! anything is hashed, so that a fraction is as exact a million kilometres out as at the origin.
//!
//! The hash is made in two steps, because on a grid the first one is shared by a whole row or
//! column: [`Key::axis`] spreads one axis' cell over 64 bits, and [`hash`] folds the axes' parts,
//! combined by exclusive or, through one 32 × 32 → 64 bit product. That product is the only
//! non-linear step between the axes and is what keeps plaid patterns out; it is also a single
//! instruction in every SIMD set. Nothing repeats: there is no table and no period.
//!
//! Perlin, value and simplex noise on the plane have a hash of their own: see [`plane`].

mod int_noise;
mod permutation;
pub(crate) mod plane;
pub(crate) mod repeat;

use std::sync::Arc;

pub use int_noise::{int_noise, int_noise_2d};
pub use permutation::{ParkMiller, Permutation};
use serde::{Deserialize, Serialize};

/// Where the random values at lattice points come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub enum Lattice {
    /// A hash of 64-bit coordinates and a 64-bit seed: no period, no table.
    #[default]
    Hashed,
    /// The classic 32-bit integer noise (Elias 1998): diagonals repeat, as `x + 57·y` does.
    IntNoise,
    /// A table of 256 values drawn by Park and Miller's generator, *not* a permutation: some
    /// values are missing. Repeats after 256 cells.
    ClassicTable,
    /// A shuffled permutation of 256 values (Perlin 1985). Repeats after 256 cells.
    Permutation,
}

/// Odd 64-bit multipliers, one per axis: the axes must not be interchangeable.
const SPREAD: [u64; 3] = [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03, 0xABC9_8388_FB8F_AC03];

/// Cells further out than this share one value per axis: there an `f64` has no fractional bits left.
pub(crate) const FURTHEST_CELL: f64 = 1_125_899_906_842_624.0;

/// Adding this to a number below 2^50 leaves the rounded integer in the low bits of the sum.
pub(crate) const ROUND: f64 = 6_755_399_441_055_744.0;

/// Scales a signed 32-bit hash to [-1, 1].
const UNIT: f32 = 1.0 / 2_147_483_648.0;

/// The seed of one octave, spread over the axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key([u64; 3]);

impl Key {
    pub fn new(seed: u64) -> Self {
        Self([mix(seed), mix(seed ^ 0x6A09_E667_F3BC_C909), mix(seed ^ 0xBB67_AE85_84CA_A73B)])
    }

    /// One axis' part of the hash of a lattice point.
    #[inline(always)]
    pub fn axis(&self, axis: usize, cell: i64) -> u64 {
        fold(self.spread(axis, cell))
    }

    /// One axis' cell, spread over 64 bits. From cell to cell it grows by the same number.
    #[inline(always)]
    pub fn spread(&self, axis: usize, cell: i64) -> u64 {
        (cell as u64).wrapping_mul(SPREAD[axis]).wrapping_add(self.0[axis])
    }

    /// The parts of a cell and of the next.
    #[inline(always)]
    pub fn pair(&self, axis: usize, cell: i64) -> (u64, u64) {
        let spread = (cell as u64).wrapping_mul(SPREAD[axis]).wrapping_add(self.0[axis]);
        (fold(spread), fold(spread.wrapping_add(SPREAD[axis])))
    }

    /// The parts of the lattice points around a cell of the plane: near left, near right, far left,
    /// far right.
    #[inline(always)]
    pub fn corners(&self, [x, z]: [i64; 2]) -> [u64; 4] {
        let (left, right) = self.pair(0, x);
        let (near, far) = self.pair(1, z);
        [left ^ near, right ^ near, left ^ far, right ^ far]
    }

    /// The parts of a cell and of those after it.
    #[inline(always)]
    pub fn run<const N: usize>(&self, axis: usize, cell: i64) -> [u64; N] {
        let mut spread = (cell as u64).wrapping_mul(SPREAD[axis]).wrapping_add(self.0[axis]);
        let mut parts = [0; N];
        for part in &mut parts {
            *part = fold(spread);
            spread = spread.wrapping_add(SPREAD[axis]);
        }
        parts
    }
}

/// Brings the well-mixed upper half down: multiplication carries upwards only.
#[inline(always)]
fn fold(spread: u64) -> u64 {
    spread ^ (spread >> 32)
}

/// Folds the exclusive or of the axes' parts into the 32 bits of a lattice point.
#[inline(always)]
pub(crate) fn hash(parts: u64) -> u32 {
    let product = (parts & 0xFFFF_FFFF).wrapping_mul(parts >> 32);
    (product ^ (product >> 32)) as u32
}

/// The hash as a number in [-1, 1].
#[inline(always)]
pub(crate) fn unit(hash: u32) -> f32 {
    hash as i32 as f32 * UNIT
}

/// Splits a coordinate into its cell and the fraction inside it, 0 ..= 1.
///
/// Works on any `f64`: what is not a number or lies beyond 2^50 cells is clamped.
#[inline(always)]
pub(crate) fn split(coordinate: f64) -> (i64, f32) {
    let x = clamped(coordinate);
    // As in [`floor`].
    let rounded = x + ROUND;
    let nearest = rounded - ROUND;
    let above = nearest > x;
    let cell = (rounded.to_bits() as i64).wrapping_sub(ROUND.to_bits() as i64) - i64::from(above);
    let floor = nearest - if above { 1.0 } else { 0.0 };
    (cell, (x - floor) as f32)
}

/// The floor of a number below 2^50. Rounding by a large constant is exact, and one addition in every
/// instruction set, where `floor` is a function call on the x86-64 baseline.
#[inline(always)]
pub(crate) fn floor(x: f64) -> f64 {
    let nearest = (x + ROUND) - ROUND;
    nearest - if nearest > x { 1.0 } else { 0.0 }
}

/// As [`split`], where `floor` is an instruction.
#[inline(always)]
pub(crate) fn split_by_floor(coordinate: f64) -> (i64, f32) {
    let x = clamped(coordinate);
    let floor = x.floor();
    let cell = ((floor + ROUND).to_bits() as i64).wrapping_sub(ROUND.to_bits() as i64);
    (cell, (x - floor) as f32)
}

#[inline(always)]
fn clamped(coordinate: f64) -> f64 {
    // `max` and `min` in this order also turn NaN into a number.
    #[expect(clippy::manual_clamp, reason = "`clamp` keeps NaN")]
    let x = coordinate.max(-FURTHEST_CELL).min(FURTHEST_CELL);
    x
}

/// A lattice other than the plain hash, or one that repeats.
#[derive(Clone, Debug)]
pub(crate) struct General {
    values: Values,
    /// Periods along x, y and z, in cells; 0 never repeats.
    period: [i64; 3],
}

#[derive(Clone, Debug)]
enum Values {
    Hashed(Key),
    IntNoise(u32),
    Table(Arc<Permutation>),
}

impl General {
    pub fn new(lattice: Lattice, seed: u64, period: [i64; 3]) -> Self {
        let values = match lattice {
            Lattice::Hashed => Values::Hashed(Key::new(seed)),
            Lattice::IntNoise => Values::IntNoise(seed as u32),
            Lattice::ClassicTable => Values::Table(Arc::new(Permutation::classic(seed))),
            Lattice::Permutation => Values::Table(Arc::new(Permutation::shuffled(seed))),
        };
        Self { values, period }
    }

    #[inline]
    fn wrapped<const D: usize>(&self, cells: [i64; D]) -> [i64; D] {
        // On the ground the second axis is z.
        let axis_of = |axis: usize| if D == 2 && axis == 1 { 2 } else { axis };
        std::array::from_fn(|axis| match self.period[axis_of(axis)] {
            0 => cells[axis],
            period => cells[axis].rem_euclid(period),
        })
    }
}

/// Random values at the lattice points of `D` dimensions.
pub(crate) trait Source {
    fn hash<const D: usize>(&self, cells: [i64; D]) -> u32;

    /// A value in [-1, 1].
    #[inline(always)]
    fn value<const D: usize>(&self, cells: [i64; D]) -> f32 {
        unit(self.hash(cells))
    }
}

impl Source for Key {
    #[inline(always)]
    fn hash<const D: usize>(&self, cells: [i64; D]) -> u32 {
        let mut parts = 0;
        for axis in 0..D {
            parts ^= self.axis(axis, cells[axis]);
        }
        hash(parts)
    }
}

impl Source for General {
    fn hash<const D: usize>(&self, cells: [i64; D]) -> u32 {
        let cells = self.wrapped(cells);
        match &self.values {
            Values::Hashed(key) => key.hash(cells),
            Values::IntNoise(seed) => int_noise::bits(int_noise::fold(&cells).wrapping_add(*seed)) << 1,
            Values::Table(table) => {
                // One byte chooses between 256 lattice points: spread it for those who need more.
                u32::from(table.look_up(&cells)).wrapping_mul(0x9E37_79B1)
            }
        }
    }

    fn value<const D: usize>(&self, cells: [i64; D]) -> f32 {
        let wrapped = self.wrapped(cells);
        match &self.values {
            Values::Hashed(key) => key.value(wrapped),
            Values::IntNoise(seed) => int_noise::value(int_noise::fold(&wrapped).wrapping_add(*seed)) as f32,
            Values::Table(table) => f32::from(table.look_up(&wrapped)) / 127.5 - 1.0,
        }
    }
}

/// Full-avalanche mix of 64 bits (Stafford's variant 13, as in SplitMix64; Steele et al. 2014).
#[inline]
pub(crate) const fn mix(value: u64) -> u64 {
    let z = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Derives the seed of a part (an octave, an operand) from the seed of the whole.
#[inline]
pub(crate) const fn derive(seed: u64, part: u64) -> u64 {
    mix(seed.wrapping_add(part.wrapping_mul(SPREAD[0])).wrapping_add(SPREAD[1]))
}

/// Turns a text into a seed. Different texts, anagrams included, give unrelated worlds.
///
/// ```
/// use terrain_noise::seed_from_str;
/// assert_eq!(seed_from_str("terrain"), seed_from_str("terrain"));
/// assert_ne!(seed_from_str("terrain"), seed_from_str("retrain"));
/// ```
#[must_use]
pub fn seed_from_str(text: &str) -> u64 {
    let mut state = mix(text.len() as u64);
    for byte in text.bytes() {
        state = mix((state ^ u64::from(byte)).wrapping_add(SPREAD[0]));
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of ones in each of 32 bits, as the largest distance from a half.
    fn worst(counts: &[u32; 32], of: u32) -> f64 {
        counts.iter().map(|&ones| (f64::from(ones) / f64::from(of) - 0.5).abs()).fold(0.0, f64::max)
    }

    fn count(counts: &mut [u32; 32], bits: u32) {
        for (bit, ones) in counts.iter_mut().enumerate() {
            *ones += bits >> bit & 1;
        }
    }

    /// Repeatable points near the origin and far out.
    fn cells(i: u64) -> [i64; 3] {
        let wide = |axis| (derive(i, axis) as i64) >> (14 + 20 * (i % 3));
        [wide(0), wide(1), wide(2)]
    }

    #[test]
    fn every_input_bit_changes_every_output_bit_half_the_time() {
        const SAMPLES: u32 = 20_000;
        for axis in 0..3 {
            for bit in 0..50 {
                let mut flips = [0; 32];
                for i in 0..SAMPLES {
                    let key = Key::new(derive(i.into(), 99));
                    let here = cells(i.into());
                    let mut there = here;
                    there[axis] ^= 1 << bit;
                    count(&mut flips, key.hash(here) ^ key.hash(there));
                }
                // Five standard deviations of 20 000 coin flips.
                assert!(worst(&flips, SAMPLES) < 0.018, "axis {axis}, bit {bit}: {}", worst(&flips, SAMPLES));
            }
        }
    }

    #[test]
    fn every_seed_bit_changes_every_output_bit_half_the_time() {
        const SAMPLES: u32 = 20_000;
        for bit in 0..64 {
            let mut flips = [0; 32];
            for i in 0..SAMPLES {
                let seed = mix(i.into());
                let cells = cells(i.into());
                count(&mut flips, Key::new(seed).hash(cells) ^ Key::new(seed ^ 1 << bit).hash(cells));
            }
            assert!(worst(&flips, SAMPLES) < 0.018, "{bit}: {}", worst(&flips, SAMPLES));
        }
    }

    #[test]
    fn one_world_has_no_plaid() {
        // In one fixed world: single points, neighbours, and the four corners of rectangles, whose
        // exclusive or would be constant if the axes were combined by exclusive or alone.
        let key = Key::new(1);
        let side = 250i64;
        for step in [1, 2, 16, 255, 4096] {
            let [mut plain, mut along, mut across, mut corners] = [[0; 32]; 4];
            for z in 0..side {
                for x in 0..side {
                    let at = |dx: i64, dz: i64| key.hash([x - 100 + dx * step, z + dz * step]);
                    count(&mut plain, at(0, 0));
                    count(&mut along, at(0, 0) ^ at(1, 0));
                    count(&mut across, at(0, 0) ^ at(0, 1));
                    count(&mut corners, at(0, 0) ^ at(1, 0) ^ at(0, 1) ^ at(1, 1));
                }
            }
            for counts in [plain, along, across, corners] {
                // Five standard deviations of 62 500 coin flips.
                assert!(worst(&counts, (side * side) as u32) < 0.01, "{step}");
            }
        }
    }

    #[test]
    fn splits_like_floor() {
        for i in 0..100_000u64 {
            let x = (mix(i) as i64 as f64) / (1u64 << (13 + i % 50)) as f64;
            let (cell, f) = split(x);
            assert_eq!(split_by_floor(x), (cell, f), "{x}");
            if x.abs() < FURTHEST_CELL {
                assert_eq!(cell, x.floor() as i64, "{x}");
                assert_eq!(f, (x - x.floor()) as f32, "{x}");
            }
            assert!((0.0..=1.0).contains(&f), "{x}");
        }
        for (x, expected) in [(-1.0, (-1, 0.0)), (-0.25, (-1, 0.75)), (0.0, (0, 0.0)), (2.0, (2, 0.0))] {
            assert_eq!(split(x), expected);
        }
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN] {
            assert!((0.0..=1.0).contains(&split(x).1), "{x}");
            assert_eq!(split_by_floor(x), split(x), "{x}");
        }
    }
}
