//! Stripes that run along a direction which may change from place to place.
//!
//! Every cell of a lattice holds a point with a wave through it. A position sums the waves of the nine
//! nearest points, all turned to its own direction, with weights that fall to 0 within reach.
//! Cosine and sine are summed separately and divided by their length, so the sum is again a wave of
//! full height, with a phase that is smooth except where stripes fork (phasor noise,
//! Tricard et al. 2019; oriented by slope as in the erosion filters of Clay John and R. S. Johansen).

use crate::lattice::{Key, derive, hash};
use crate::simd::Isa;

/// Wavelengths per cell: a point's wave reaches 1.25 cells each way.
const WAVES: f32 = 1.15;
/// How far points stray, in cells. With more, points outside the nine cells would be missed.
const STRAY: f32 = 0.5;
/// Reach of a point: 1 + (1 − STRAY) / 2 cells.
const REACH: f32 = 1.25;
/// Sums shorter than this are not stretched to full height: they occur where stripes fork and jump from a crest
/// to a bed. With a smaller limit, forks are walls that a mesh shows as teeth.
const FAINT: f32 = 0.33;

/// Stripes of one wavelength.
#[derive(Clone, Debug)]
pub(crate) struct Stripes {
    key: Key,
    /// From the middle of a stripe to that of the next, in metres.
    pub wavelength: f64,
    /// Cells per metre.
    frequency: f64,
    offset: [f64; 2],
}

/// Cosine and sine of a phase. Their length is near 1, and less where stripes fork.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wave<const N: usize> {
    pub cos: [f32; N],
    pub sin: [f32; N],
}

/// The nearest whole number, for numbers below 2²².
#[inline(always)]
fn round(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0;
    (x + ROUND) - ROUND
}

/// `sin(2π·turns)` for -¼ ..= ¼ (Hastings 1955), to 1.1e-4.
#[inline(always)]
fn quarter(turns: f32) -> f32 {
    let square = turns * turns;
    turns * (6.282_507 + square * (-41.166_67 + square * 74.455_24))
}

/// Cosine and sine of an angle in turns.
#[inline(always)]
pub(crate) fn circle(turns: f32) -> [f32; 2] {
    let t = turns - round(turns);
    let u = t - 0.25;
    let u = u - round(u);
    [quarter(0.25 - t.abs()), quarter(0.25 - u.abs())]
}

impl Stripes {
    pub fn new(seed: u64, wavelength: f64) -> Self {
        let part = |axis| (derive(seed, axis) >> 12) as f64 / (1u64 << 52) as f64;
        let frequency = 1.0 / (wavelength * f64::from(WAVES));
        Self { key: Key::new(seed), wavelength, frequency, offset: [part(1), part(3)] }
    }

    /// The wave at positions, each with its own direction: the unit vector across the stripes.
    #[inline(always)]
    pub fn at<const N: usize, const W: usize>(
        &self,
        isa: impl Isa<W>,
        places: [&[f64; N]; 2],
        across: [&[f32; N]; 2],
    ) -> Wave<N> {
        let mut parts = [[[0; N]; 3]; 2];
        let mut fractions = [[0.0; N]; 2];
        for axis in 0..2 {
            for lane in 0..N {
                let (cell, f) = isa.split(places[axis][lane] * self.frequency + self.offset[axis]);
                for step in 0..3 {
                    parts[axis][step][lane] = self.key.axis(axis, cell.wrapping_add(step as i64 - 1));
                }
                fractions[axis][lane] = f;
            }
        }
        let [mut cos, mut sin] = [[0.0f32; N]; 2];
        for k in 0..9 {
            let (i, j) = (k % 3, k / 3);
            let mut hashes = [0u32; N];
            for lane in 0..N {
                hashes[lane] = hash(parts[0][i][lane] ^ parts[1][j][lane]);
            }
            // The point lies in the middle half of its cell.
            let corner = [i, j].map(|step| step as f32 - 1.0 + 0.5 - 0.5 * STRAY);
            let [mut weight, mut along, mut phase] = [[0.0f32; N]; 3];
            for lane in 0..N {
                let h = hashes[lane];
                let bits = |shift: u32| (h >> shift & 0x7FF) as i32 as f32;
                let x = fractions[0][lane] - (corner[0] + bits(0) * (STRAY / 2048.0));
                let z = fractions[1][lane] - (corner[1] + bits(11) * (STRAY / 2048.0));
                let near = 1.0 - (x * x + z * z) * (1.0 / (REACH * REACH));
                let near = if near > 0.0 { near } else { 0.0 };
                weight[lane] = near * near * near;
                phase[lane] = (h >> 22) as i32 as f32 * (1.0 / 1024.0);
                along[lane] = x * across[0][lane] + z * across[1][lane];
            }
            // Neighbours mostly see the same five points of nine: skip the points that none of them sees.
            let mut seen = 0;
            for lane in 0..N {
                seen |= weight[lane].to_bits();
            }
            if seen == 0 {
                continue;
            }
            for lane in 0..N {
                let [c, s] = circle(along[lane] * WAVES + phase[lane]);
                cos[lane] += weight[lane] * c;
                sin[lane] += weight[lane] * s;
            }
        }
        for lane in 0..N {
            let (c, s) = (cos[lane], sin[lane]);
            let square = c * c + s * s;
            // The fourth power: faint sums rise as slowly as with the second, but reach full height sooner.
            let length = (square * square + FAINT * FAINT * FAINT * FAINT).sqrt().sqrt();
            cos[lane] = c / length;
            sin[lane] = s / length;
        }
        Wave { cos, sin }
    }
}

/// The share of stripes of a wavelength that samples `footprint` metres apart can show, 0 to 1.
#[inline(always)]
pub(crate) fn share(wavelength: f64, footprint: f64) -> f32 {
    if footprint > 0.0 { (0.5 * wavelength / footprint - 1.0).clamp(0.0, 1.0) as f32 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Plain;

    #[test]
    fn circle_is_cosine_and_sine() {
        for i in -4000..4000 {
            let turns = i as f32 / 700.0;
            let (s, c) = (turns * std::f32::consts::TAU).sin_cos();
            let [cos, sin] = circle(turns);
            assert!((c - cos).abs() < 2e-4 && (s - sin).abs() < 2e-4, "{turns}: {cos} {sin}");
        }
    }

    #[test]
    fn waves_are_smooth_full_and_without_a_lean() {
        let stripes = Stripes::new(3, 10.0);
        let at = |x: f64, z: f64| stripes.at(Plain, [&[x], &[z]], [&[0.6], &[0.8]]);
        let (mut sum, mut full, mut worst) = ([0.0; 2], 0, 0.0f32);
        let side = 200;
        for i in 0..side * side {
            let (x, z) = (f64::from(i % side) * 3.1, f64::from(i / side) * 3.1);
            let here = at(x, z);
            let (c, s) = (here.cos[0], here.sin[0]);
            assert!(c * c + s * s < 1.0 + 1e-6);
            full += i32::from(c * c + s * s > 0.7);
            sum = [sum[0] + f64::from(c), sum[1] + f64::from(s)];
            worst = worst.max((at(x + 0.01, z).cos[0] - c).abs());
        }
        let all = f64::from(side * side);
        assert!(f64::from(full) > 0.9 * all, "{full}");
        assert!(sum.iter().all(|s| s.abs() < 0.02 * all), "{sum:?}");
        // A plain wave changes by 0.1 % of 2π, one that forks by a few times as much: not by a wall.
        assert!(worst < 0.015, "{worst}");
    }

    #[test]
    fn every_point_within_reach_is_seen() {
        // Where a point is lost at the edge of the nine cells, the wave would jump there.
        let stripes = Stripes::new(8, 1.0 / f64::from(WAVES));
        for i in 0..4000 {
            let edge = f64::from(i / 63) - stripes.offset[0];
            let z = f64::from(i % 63) * 0.37;
            let side = |x: f64| stripes.at(Plain, [&[x], &[z]], [&[1.0], &[0.0]]).cos[0];
            assert!((side(edge - 1e-6) - side(edge + 1e-6)).abs() < 1e-3, "{i}");
        }
    }
}
