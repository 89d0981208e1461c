//! Coordinates in fixed point, shared by octaves of lacunarity 2.
//!
//! A coordinate is split in `f64`, before anything is hashed, into a whole cell and 31 bits of the fraction, so
//! that a fraction is as exact a million kilometres out as at the origin. Finer octaves shift both: the eighth
//! keeps 24 bits. Where the lattice of an octave begins is a number of as many bits as it has.

use crate::lattice::{FURTHEST_CELL, ROUND};
use crate::simd::Isa;

/// Octaves that share a coordinate.
pub(crate) const SHARED: u32 = 8;

/// Bits of the fraction.
const BITS: u32 = 31;

/// A coordinate: the cell, a whole number, and its fraction, 0 ..= 2³¹.
///
/// Works on any `f64`: what is not a number or lies beyond 2^50 cells is clamped.
#[inline(always)]
pub(crate) fn fixed<const W: usize>(isa: impl Isa<W>, coordinate: f64) -> (f64, u32) {
    fixed_near(isa, clamped(coordinate))
}

/// A coordinate that is a number, below 2^50 cells.
#[inline(always)]
pub(crate) fn clamped(coordinate: f64) -> f64 {
    // In this order NaN becomes a number.
    let x = if coordinate > -FURTHEST_CELL { coordinate } else { -FURTHEST_CELL };
    if x < FURTHEST_CELL { x } else { FURTHEST_CELL }
}

/// As [`fixed`], of a coordinate below 2^50 cells.
#[inline(always)]
pub(crate) fn fixed_near<const W: usize>(isa: impl Isa<W>, x: f64) -> (f64, u32) {
    let floor = isa.floor(x);
    // At 2²¹ the last place of an `f64` is 2⁻³¹: the sum rounds.
    (floor, ((x - floor) + 2_097_152.0).to_bits() as u32)
}

/// The low 32 bits of a whole number below 2^50.
#[inline(always)]
pub(crate) fn low(whole: f64) -> u32 {
    (whole + ROUND).to_bits() as u32
}

/// Converts fixed coordinates to those of an octave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    by: u32,
    mask: u32,
    scale: f32,
}

impl Shift {
    /// `by` is below [`SHARED`].
    #[inline(always)]
    pub fn new(by: u32) -> Self {
        let by = by % SHARED;
        let bits = BITS - by;
        // 2^-bits.
        Self { by, mask: (1 << bits) - 1, scale: f32::from_bits((127 - bits) << 23) }
    }

    /// The low 32 bits of the octave's cell, and the fraction in it, 0 ..= 1. `offset` is where the lattice
    /// begins, as [`offset`](Self::offset) makes it.
    #[inline(always)]
    pub fn place(self, offset: u32, cell: u32, fraction: u32) -> (u32, f32) {
        // Below 2³²: the fraction is at most 2³¹, the offset is less.
        let sum = fraction.wrapping_add(offset);
        let f = (sum & self.mask) as i32 as f32 * self.scale;
        ((cell << (self.by % SHARED)).wrapping_add(sum >> (BITS - self.by % SHARED)), f)
    }

    /// As [`place`](Self::place), with the whole cell.
    #[inline]
    pub fn whole(self, offset: u32, cell: f64, fraction: u32) -> (i64, f32) {
        let (_, f) = self.place(offset, 0, fraction);
        (((cell as i64) << self.by) + i64::from(fraction.wrapping_add(offset) >> (BITS - self.by)), f)
    }

    /// As [`whole`](Self::whole), with 32 bits of the fraction.
    pub fn whole_fixed(self, offset: u32, cell: f64, fraction: u32) -> (i64, u32) {
        let sum = fraction.wrapping_add(offset);
        (self.whole(offset, cell, fraction).0, (sum & self.mask) << (self.by + 1))
    }

    /// The cells that the octave has between two cells of the first, and one more on the far side.
    #[inline(always)]
    pub fn reach(self, least: f64, most: f64) -> [i64; 2] {
        // A fraction that was rounded up, and an offset, both less than a cell of the first octave.
        [(least as i64) << self.by, ((most as i64) + 2) << self.by]
    }

    /// Whether a cell of the octave, or one next to it, may lie outside of the window around the origin.
    #[inline(always)]
    pub fn is_far(self, cell: f64) -> bool {
        // A little less than half a window.
        const NEAR: f64 = ((1 << 23) - 1024) as f64;
        let scale = f64::from(1u32 << self.by);
        cell * scale < -NEAR || cell * scale > NEAR
    }

    /// A random offset below one cell of the octave, from 32 random bits.
    pub fn offset(self, random: u32) -> u32 {
        random & self.mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::mix;
    use crate::lattice::plane::window;
    use crate::simd::Plain;

    #[test]
    fn places_are_those_of_exact_arithmetic() {
        for i in 0..200_000u64 {
            let x = (mix(i) as i64 as f64) / (1u64 << (13 + i % 50)) as f64;
            let (cell, fraction) = fixed(Plain, x);
            let inside = x.clamp(-FURTHEST_CELL, FURTHEST_CELL);
            assert_eq!(cell, inside.floor(), "{x}");
            assert!((f64::from(fraction) - (inside - cell) * 2_147_483_648.0).abs() <= 0.5, "{x}");
            for by in 0..SHARED {
                let shift = Shift::new(by);
                let offset = shift.offset(mix(i ^ 99) as u32);
                let (whole, f) = shift.whole(offset, cell, fraction);
                assert_eq!(shift.place(offset, low(cell), fraction), (whole as u32, f), "{x}");
                // In units of 2⁻³¹ of a cell of the first octave.
                let exact = (cell as i128 * (1 << BITS) + i128::from(fraction) + i128::from(offset)) << by;
                assert_eq!(i128::from(whole), exact.div_euclid(1 << BITS), "{x}");
                let expected = exact.rem_euclid(1 << BITS) as f64 / 2_147_483_648.0;
                assert!((f64::from(f) - expected).abs() <= 3e-8 && (0.0..=1.0).contains(&f), "{x}: {f} {expected}");
                let [least, most] = shift.reach(cell, cell);
                assert!(least <= whole && whole < most, "{x}");
                let near = window(whole) == 0 && window(whole + 1) == 0;
                assert!(near || shift.is_far(cell), "{x}");
            }
        }
    }

    #[test]
    fn any_number_has_a_place() {
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 1e300, -1e-300] {
            let (cell, fraction) = fixed(Plain, x);
            assert!(cell.abs() <= FURTHEST_CELL && fraction <= 1 << BITS, "{x}");
        }
    }
}
