//! Stripes that run along a direction which may change from place to place.
//!
//! Near every point of a lattice lies the middle of a wave. A position sums the waves of the four lattice points
//! around it, all turned to its own direction, with weights that fade from one lattice point to the next.
//! Cosine and sine are summed separately and divided by their length, so the sum is again a wave of
//! full height, with a phase that is smooth except where stripes fork (phasor noise,
//! Tricard et al. 2019; oriented by slope as in the erosion filters of Clay John and R. S. Johansen).

use crate::basis::separable::Between;
use crate::basis::{Quintic, jet};
use crate::lattice::{Key, derive, hash};
use crate::real::Field;
use crate::simd::{Isa, Plain};

const TAU: f32 = std::f32::consts::TAU;
/// Wavelengths per cell. With 1.15 stripes fork at 0.28 places a squared wavelength, with 1.35 at 0.19; but the larger a
/// cell, the more a wave's phase runs where the direction turns.
const WAVES: f32 = 1.25;
/// How far the middles of waves stray about the lattice points, in cells.
const STRAY: f32 = 0.5;
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

/// The middle of a wave: its offset from the lattice point along x and z, in cells, and its phase in turns.
pub(crate) type Middle = [f32; 3];

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

/// One over the length of a sum of waves, from the square of the length, and its slope.
#[inline(always)]
fn stretch(square: f32) -> (f32, f32) {
    // The fourth power: faint sums rise as slowly as with the second, but reach full height sooner.
    let fourth = square * square + FAINT * FAINT * FAINT * FAINT;
    let inverse = 1.0 / fourth.sqrt().sqrt();
    (inverse, -0.5 * square * inverse / fourth)
}

impl Stripes {
    pub fn new(seed: u64, wavelength: f64) -> Self {
        let part = |axis| (derive(seed, axis) >> 12) as f64 / (1u64 << 52) as f64;
        let frequency = 1.0 / (wavelength * f64::from(WAVES));
        Self { key: Key::new(seed), wavelength, frequency, offset: [part(1), part(3)] }
    }

    /// A coordinate in cells.
    #[inline(always)]
    pub fn coordinate(&self, axis: usize, metres: f64) -> f64 {
        metres * self.frequency + self.offset[axis]
    }

    /// The part of the hash of a lattice row or column.
    #[inline(always)]
    pub fn part(&self, axis: usize, cell: i64) -> u64 {
        self.key.axis(axis, cell)
    }

    /// The middle of a wave, from the parts of its lattice point.
    #[inline(always)]
    pub fn middle(parts: u64) -> Middle {
        let h = hash(parts);
        let stray = |shift: u32| (h >> shift & 0x7FF) as i32 as f32 * (STRAY / 2048.0) - 0.5 * STRAY;
        [stray(0), stray(11), (h >> 22) as i32 as f32 * (1.0 / 1024.0)]
    }

    /// The middles of the four waves around several positions, and the positions in their cells.
    #[inline(always)]
    pub fn around<const N: usize, const W: usize>(
        &self,
        isa: impl Isa<W>,
        places: [&[f64; N]; 2],
    ) -> ([[[f32; N]; 3]; 4], [[f32; N]; 2]) {
        let mut hashes = [[0u64; N]; 4];
        let mut fractions = [[0.0; N]; 2];
        for lane in 0..N {
            let (x, u) = isa.split(self.coordinate(0, places[0][lane]));
            let (z, v) = isa.split(self.coordinate(1, places[1][lane]));
            (fractions[0][lane], fractions[1][lane]) = (u, v);
            let parts = self.key.corners([x, z]);
            for corner in 0..4 {
                hashes[corner][lane] = parts[corner];
            }
        }
        let mut middles = [[[0.0; N]; 3]; 4];
        for corner in 0..4 {
            for lane in 0..N {
                let [x, z, phase] = Self::middle(hashes[corner][lane]);
                middles[corner][0][lane] = x;
                middles[corner][1][lane] = z;
                middles[corner][2][lane] = phase;
            }
        }
        (middles, fractions)
    }

    /// The share that a wave has in the sum at a position: cosine and sine of its phase, weighed. `corner` counts the
    /// lattice points around the position: near left, near right, far left, far right. `across` is the unit vector
    /// across the stripes; slopes are per metre.
    #[inline(always)]
    pub fn share<R: Field<2>>(&self, at: [Between; 2], corner: usize, middle: Middle, across: [R; 2]) -> [R; 2] {
        let frequency = self.frequency as f32;
        let ([x, z], weight) = self.weight(at, corner, middle);
        let (x, z) = (R::local(jet(x, [frequency, 0.0])), R::local(jet(z, [0.0, frequency])));
        weighed(weight, (x * across[0] + z * across[1]) * WAVES + middle[2])
    }

    /// As [`share`](Self::share), across a direction that is the same everywhere.
    #[inline(always)]
    pub fn straight_share<R: Field<2>>(
        &self,
        at: [Between; 2],
        corner: usize,
        middle: Middle,
        across: [f32; 2],
    ) -> [R; 2] {
        let per_metre = self.frequency as f32 * WAVES;
        let ([x, z], weight) = self.weight(at, corner, middle);
        let turns = (x * across[0] + z * across[1]) * WAVES + middle[2];
        weighed(weight, R::local(jet(turns, [per_metre * across[0], per_metre * across[1]])))
    }

    /// The offset from a wave's middle, in cells, and its weight there.
    #[inline(always)]
    fn weight<R: Field<2>>(&self, at: [Between; 2], corner: usize, [x, z, _]: Middle) -> ([f32; 2], R) {
        let frequency = self.frequency as f32;
        let (x, wx, sx) = offset(at[0], corner & 1, x);
        let (z, wz, sz) = offset(at[1], corner >> 1, z);
        ([x, z], R::local(jet(wx * wz, [sx * wz * frequency, wx * sz * frequency])))
    }

    /// Cosine and sine of the phase from the sum of all shares. Their length is near 1, and less where stripes fork.
    #[inline(always)]
    pub fn stretched<R: Field<2>>([cos, sin]: [R; 2]) -> [R; 2] {
        let inverse = (cos.squared() + sin.squared()).map_smooth(stretch);
        [cos * inverse, sin * inverse]
    }

    /// Cosine and sine of the phase at a position.
    #[inline(always)]
    pub fn wave<R: Field<2>>(&self, at: [f64; 2], across: [R; 2]) -> [R; 2] {
        self.wave_of(at, |place, corner, middle| self.share(place, corner, middle, across))
    }

    /// As [`wave`](Self::wave), across a direction that is the same everywhere.
    #[inline(always)]
    pub fn straight_wave<R: Field<2>>(&self, at: [f64; 2], across: [f32; 2]) -> [R; 2] {
        self.wave_of(at, |place, corner, middle| self.straight_share(place, corner, middle, across))
    }

    #[inline(always)]
    fn wave_of<R: Field<2>>(&self, at: [f64; 2], share: impl Fn([Between; 2], usize, Middle) -> [R; 2]) -> [R; 2] {
        let (middles, [u, v]) = self.around(Plain, [&[at[0]], &[at[1]]]);
        let place = [Between::new(Quintic, u[0]), Between::new(Quintic, v[0])];
        let [mut cos, mut sin] = [R::constant(0.0); 2];
        for (corner, middle) in middles.into_iter().enumerate() {
            let [c, s] = share(place, corner, middle.map(|part| part[0]));
            (cos, sin) = (cos + c, sin + s);
        }
        Self::stretched([cos, sin])
    }
}

/// Cosine and sine of a phase in turns, weighed.
#[inline(always)]
fn weighed<R: Field<2>>(weight: R, turns: R) -> [R; 2] {
    let c = turns.map_smooth(|turns| {
        let [c, s] = circle(turns);
        (c, -TAU * s)
    });
    let s = turns.map_smooth(|turns| {
        let [c, s] = circle(turns);
        (s, TAU * c)
    });
    [weight * c, weight * s]
}

/// The offset from a wave's middle along an axis, the weight there and its slope.
#[inline(always)]
fn offset(at: Between, far: usize, middle: f32) -> (f32, f32, f32) {
    let Between { f, weight, slope } = at;
    if far == 0 { (f - middle, 1.0 - weight, -slope) } else { (f - (1.0 + middle), weight, slope) }
}

/// The share of stripes of a wavelength that samples `footprint` metres apart can show, 0 to 1.
#[inline(always)]
pub(crate) fn share(wavelength: f64, footprint: f64) -> f32 {
    if footprint > 0.0 { (0.5 * wavelength / footprint - 1.0).clamp(0.0, 1.0) as f32 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circle_is_cosine_and_sine() {
        for i in -4000..4000 {
            let turns = i as f32 / 700.0;
            let (s, c) = (turns * std::f32::consts::TAU).sin_cos();
            let [cos, sin] = circle(turns);
            assert!((c - cos).abs() < 2e-4 && (s - sin).abs() < 2e-4, "{turns}: {cos} {sin}");
        }
    }

    fn wave(stripes: &Stripes, x: f64, z: f64, across: [f32; 2]) -> [f32; 2] {
        stripes.straight_wave([x, z], across)
    }

    #[test]
    fn waves_are_smooth_full_and_without_a_lean() {
        let stripes = Stripes::new(3, 10.0);
        let at = |x: f64, z: f64| wave(&stripes, x, z, [0.6, 0.8]);
        let (mut sum, mut full, mut worst) = ([0.0; 2], 0, 0.0f32);
        let side = 200;
        for i in 0..side * side {
            let (x, z) = (f64::from(i % side) * 3.1, f64::from(i / side) * 3.1);
            let [c, s] = at(x, z);
            assert!(c * c + s * s < 1.0 + 1e-6);
            full += i32::from(c * c + s * s > 0.7);
            sum = [sum[0] + f64::from(c), sum[1] + f64::from(s)];
            worst = worst.max((at(x + 0.01, z)[0] - c).abs());
        }
        let all = f64::from(side * side);
        println!("{full} of {all} full, worst step {worst}");
        assert!(f64::from(full) > 0.88 * all, "{full}");
        assert!(sum.iter().all(|s| s.abs() < 0.02 * all), "{sum:?}");
        // A plain wave changes by 0.1 % of 2π, one that forks by a few times as much: not by a wall.
        assert!(worst < 0.02, "{worst}");
    }

    #[test]
    fn waves_do_not_jump_where_cells_meet() {
        let stripes = Stripes::new(8, 1.0 / f64::from(WAVES));
        for i in 0..4000 {
            let edge = f64::from(i / 63) - stripes.offset[0];
            let z = f64::from(i % 63) * 0.37;
            let side = |x: f64| wave(&stripes, x, z, [1.0, 0.0])[0];
            assert!((side(edge - 1e-6) - side(edge + 1e-6)).abs() < 1e-3, "{i}");
        }
    }

    #[test]
    fn slopes_are_the_derivative() {
        let stripes = Stripes::new(5, 10.0);
        let jets = |x: f64, z: f64| {
            // The direction turns too.
            let across = [jet(0.6 + 0.001 * x as f32, [0.001, 0.0]), jet(0.8 - 0.002 * z as f32, [0.0, -0.002])];
            stripes.wave::<crate::real::Jet<2>>([x, z], across)
        };
        for i in 0..500 {
            let (x, z) = (f64::from(i) * 0.37, f64::from(i % 41) * 1.3);
            let step = 0.02;
            for which in 0..2 {
                let along_x = (jets(x + step, z)[which].value - jets(x - step, z)[which].value) / (2.0 * step as f32);
                let along_z = (jets(x, z + step)[which].value - jets(x, z - step)[which].value) / (2.0 * step as f32);
                let found = jets(x, z)[which].gradient;
                let off = (along_x - found[0]).abs().max((along_z - found[1]).abs());
                assert!(off < 0.02, "{i}: {along_x} {along_z} {found:?}");
            }
        }
    }
}
