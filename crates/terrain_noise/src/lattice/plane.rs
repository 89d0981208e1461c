//! The lattice of the plane, hashed 32 bits at a time.
//!
//! Lanes of 32 bits are twice as many as lanes of 64, and every instruction set multiplies 16-bit numbers in
//! pairs at once. Cells are whole numbers of 64 bits all the same: the plane is divided into windows of 2²⁴ ×
//! 2²⁴ cells, each with seeds of its own, so nothing repeats. Near the origin, and over any batch of points
//! that lies in one window, the seeds are constants.

#[cfg(test)]
mod quality;

use super::{SPREAD, mix};

/// Odd multipliers, one per axis: the axes must not be interchangeable.
const X: u32 = 0x9E37_79B1;
const Z: u32 = 0x85EB_CA77;

/// Two odd 16-bit factors.
pub(crate) const FACTORS: u32 = 0x6C8F_5A35;

/// Cells along the side of a window, as a power of two.
const WINDOW: u32 = 24;

/// Cells along the side of a window.
pub(crate) const WINDOW_CELLS: u32 = 1 << WINDOW;

/// The window of a cell along an axis; window 0 lies around the origin.
#[inline(always)]
pub(crate) fn window(cell: i64) -> i64 {
    cell.wrapping_add(1 << (WINDOW - 1)) >> WINDOW
}

/// The seed of one octave, and its seeds around the origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlaneKey {
    seed: u64,
    origin: Seeds,
}

impl PlaneKey {
    pub fn new(seed: u64) -> Self {
        Self { seed, origin: Seeds::new(seed, [0; 2]) }
    }

    /// The seed of the octave.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The seeds in a window.
    #[inline(always)]
    pub fn seeds(&self, window: [i64; 2]) -> Seeds {
        if window == [0; 2] { self.origin } else { Seeds::new(self.seed, window) }
    }

    /// The parts of a lattice point's hash.
    #[inline]
    pub fn parts(&self, cell: [i64; 2]) -> u32 {
        let seeds = self.seeds(cell.map(window));
        seeds.x(cell[0] as u32) ^ seeds.z(cell[1] as u32)
    }

    /// The parts of the hashes of the lattice points around a cell: near left, near right, far left, far right.
    #[inline]
    pub fn corners(&self, [x, z]: [i64; 2]) -> [u32; 4] {
        let (right, far) = (x.wrapping_add(1), z.wrapping_add(1));
        let here = [window(x), window(z)];
        if [window(right), window(far)] == here {
            self.seeds(here).corners([x as u32, z as u32])
        } else {
            self.parts_around([x, z], [right, far])
        }
    }

    /// As [`corners`](Self::corners), where the lattice points right and far are not those of the next cells.
    #[inline]
    pub fn parts_around(&self, [x, z]: [i64; 2], [right, far]: [i64; 2]) -> [u32; 4] {
        [[x, z], [right, z], [x, far], [right, far]].map(|cell| self.parts(cell))
    }
}

/// What tells the lattice points of a window from those of other octaves and windows, per axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seeds([u32; 2]);

impl Seeds {
    #[inline]
    fn new(seed: u64, [x, z]: [i64; 2]) -> Self {
        let row = mix(seed ^ (z as u64).wrapping_mul(SPREAD[1]));
        let all = mix(row.wrapping_add((x as u64).wrapping_mul(SPREAD[0])));
        Self([all as u32, (all >> 32) as u32])
    }

    /// Both, for a shader.
    pub fn words(self) -> [u32; 2] {
        self.0
    }

    /// Those of these words.
    pub fn from_words(words: [u32; 2]) -> Self {
        Self(words)
    }

    /// The part of a lattice point's hash that comes from its column. The parts are combined by exclusive or.
    #[inline(always)]
    pub fn x(self, cell: u32) -> u32 {
        cell.wrapping_mul(X).wrapping_add(self.0[0])
    }

    /// The part that comes from its row.
    #[inline(always)]
    pub fn z(self, cell: u32) -> u32 {
        cell.wrapping_mul(Z) ^ self.0[1]
    }

    /// As [`PlaneKey::parts_around`], in this window.
    #[inline(always)]
    pub fn parts_around(self, [x, z]: [u32; 2], [right, far]: [u32; 2]) -> [u32; 4] {
        let ([left, right], [near, far]) = ([x, right].map(|x| self.x(x)), [z, far].map(|z| self.z(z)));
        [left ^ near, right ^ near, left ^ far, right ^ far]
    }

    /// As [`PlaneKey::corners`], in this window.
    #[inline(always)]
    pub fn corners(self, [x, z]: [u32; 2]) -> [u32; 4] {
        let left = self.x(x);
        let right = left.wrapping_add(X);
        let spread = z.wrapping_mul(Z);
        let (near, far) = (spread ^ self.0[1], spread.wrapping_add(Z) ^ self.0[1]);
        [left ^ near, right ^ near, left ^ far, right ^ far]
    }
}

/// Products of the low and the high 16-bit halves, added: `pmaddwd` of x86, one instruction in every set.
#[inline(always)]
pub(crate) fn multiply_halves(a: u32, b: u32) -> u32 {
    let low = i32::from(a as i16) * i32::from(b as i16);
    let high = i32::from((a >> 16) as i16) * i32::from((b >> 16) as i16);
    low.wrapping_add(high) as u32
}

/// Four random bits of a lattice point, from the parts of its hash. A single product leaves patterns between
/// the corners of rectangles; the second, by the parts themselves, removes them.
#[inline(always)]
pub(crate) fn sixteenth(parts: u32) -> u32 {
    multiply_halves(multiply_halves(parts, FACTORS), parts) >> 16 & 15
}

/// All 32 bits random, where sixteen choices are not enough: two rounds of xorshift and multiplication, with
/// constants found by Chris Wellons' search (2018).
#[inline(always)]
pub(crate) fn scattered(parts: u32) -> u32 {
    let h = (parts ^ (parts >> 16)).wrapping_mul(0x7FEB_352D);
    let h = (h ^ (h >> 15)).wrapping_mul(0x846C_A68B);
    h ^ (h >> 16)
}
