//! Gullies: stripes that run down the slope of a height field, each octave down the slope of the
//! octaves before it, so that gullies branch.
//!
//! The land's slope and curvature come from samples at the position and at five around it, with octaves too
//! fine for gullies left out. An octave fades at the crests and beds of the one before, and wherever the
//! direction turns so fast that its waves would crowd into steps.

use super::stripes::{Stripes, share};
use crate::bounds::Interval;
use crate::lattice::derive;
use crate::noise;
use crate::simd::{Isa, Kernel};

/// Samples of the land that its slope and curvature come from.
pub(crate) const AROUND: usize = 1 + RING;
/// Samples in the ring: the fewest that determine slope and curvature.
const RING: usize = 5;
/// The ring's radius, in wavelengths of the first octave.
const REACH: f64 = 0.2;
/// Where a flank is less steep than this fraction of its steepest, it counts as crest or bed.
const EDGE: f32 = 0.15;
/// The typical distance, in wavelengths, of a wave from its point: its phase shifts by this much when the
/// direction turns by a radian.
const LEVER: f32 = 0.7;
/// Rounds off the crease of sharp crests, whatever the sampling distance.
const BLUNT: f32 = 0.002;
/// The limit of slopes and curvatures, so that the squares of their sums stay finite.
const STEEPEST: f32 = 1e17;
/// Intervals in the table of the profile's means, over creases of 0 to 1.
const MEANS: usize = 16;

/// Compiled gullies.
#[derive(Clone, Debug)]
pub(crate) struct Gullies {
    octaves: Vec<Gully>,
    /// The ring's radius in metres.
    pub reach: f64,
    /// Weights of the ring's heights for: the slopes along x and z, half the difference of the second
    /// derivatives along them, and the mixed second derivative.
    ring: [[f32; RING]; 4],
    /// Weight of the ring's mean minus the middle, for the mean of the second derivatives along x and z.
    hollow: f32,
    /// One over the slope at which gullies have their full depth.
    steep: f32,
    low: f32,
    range: f32,
    sharpness: f32,
    /// Samples over which creases are rounded off.
    rounding: f64,
    /// Means of the profile over the width of the rounded crease, from 0 to 1 in even steps.
    means: [f32; MEANS + 1],
}

/// One octave.
#[derive(Clone, Debug)]
struct Gully {
    stripes: Stripes,
    amplitude: f32,
    /// Slope of the flanks, which the next octave follows.
    flank: f32,
}

/// Cosine and sine of a multiple of the angle of a sample in the ring.
fn turned(place: usize, times: f64) -> [f64; 2] {
    let angle = times * (place as f64 + 0.3) / RING as f64 * std::f64::consts::TAU;
    [libm::cos(angle), libm::sin(angle)]
}

/// From bed to crest over the cosine of the phase: plain, or with a crease on the crests (above 0) or
/// in the beds (below).
#[inline(always)]
fn profile(cos: f32, sharpness: f32, blunt: f32) -> f32 {
    let (toward, side) = if sharpness < 0.0 { (-cos, -1.0) } else { (cos, 1.0) };
    let below = 0.5 - 0.5 * toward;
    let below = if below > 0.0 { below } else { 0.0 };
    let creased = side * (1.0 - 2.0 * (below + blunt).sqrt());
    cos + sharpness.abs() * (creased - cos)
}

/// 0 on flat ground, 1 from `x` = 1 on.
#[inline(always)]
fn ease(x: f32) -> f32 {
    let x = if x < 1.0 { x } else { 1.0 };
    x * x * (3.0 - 2.0 * x)
}

/// Limits a slope or curvature so that its square stays finite.
#[inline(always)]
fn bounded(slope: f32) -> f32 {
    let slope = if slope < STEEPEST { slope } else { STEEPEST };
    if slope > -STEEPEST { slope } else { -STEEPEST }
}

/// The bluntness that rounds a crease off over `crease`, in sines of half the phase.
#[inline(always)]
fn blunt(crease: f32) -> f32 {
    BLUNT + crease * crease
}

/// The mean of the profile over all phases.
fn mean_of_profile(sharpness: f32, blunt: f32) -> f32 {
    const PHASES: u32 = 256;
    let turns = |i: u32| (f64::from(i) + 0.5) / f64::from(PHASES) * std::f64::consts::TAU;
    let sum: f64 = (0..PHASES).map(|i| f64::from(profile(libm::cos(turns(i)) as f32, sharpness, blunt))).sum();
    (sum / f64::from(PHASES)) as f32
}

impl Gullies {
    pub fn new(node: &noise::Gullies, seed: u64) -> Self {
        let mut octaves = Vec::with_capacity(node.octaves as usize);
        let (mut wavelength, mut amplitude) = (node.feature_size, 0.5 * node.depth);
        for k in 0..node.octaves {
            let stripes = Stripes::new(derive(seed, 1 + u64::from(k)), wavelength);
            let flank = node.branching * amplitude * std::f64::consts::TAU / wavelength;
            octaves.push(Gully { stripes, amplitude: amplitude as f32, flank: bounded(flank as f32) });
            wavelength /= node.lacunarity;
            amplitude *= node.persistence;
        }
        let sharpness = node.sharpness as f32;
        let mut means = [0.0; MEANS + 1];
        for (i, mean) in means.iter_mut().enumerate() {
            *mean = mean_of_profile(sharpness, blunt(i as f32 / MEANS as f32));
        }
        let reach = node.feature_size * REACH;
        // The first two harmonics of a circle.
        let mut ring = [[0.0; RING]; 4];
        for place in 0..RING {
            let ([x, z], [along, across]) = (turned(place, 1.0), turned(place, 2.0));
            let (slope, bend) = (0.4 / reach, 0.8 / (reach * reach));
            for (weights, weight) in ring.iter_mut().zip([slope * x, slope * z, bend * along, bend * across]) {
                weights[place] = weight as f32;
            }
        }
        Self {
            octaves,
            reach,
            ring,
            hollow: (2.0 / (reach * reach)) as f32,
            steep: (1.0 / node.slope) as f32,
            low: node.low as f32,
            range: (node.high - node.low) as f32,
            sharpness,
            rounding: node.rounding,
            means,
        }
    }

    /// The offsets of the samples: the position itself and a ring around it.
    pub fn places(&self) -> [[f64; 2]; AROUND] {
        std::array::from_fn(|place| {
            let [x, z] = if place == 0 { [0.0; 2] } else { turned(place - 1, 1.0) };
            [self.reach * x, self.reach * z]
        })
    }

    /// The footprint of these samples: detail finer than gullies must not turn them.
    pub fn footprint(&self, footprint: f64) -> f64 {
        footprint.max(self.reach)
    }

    /// A step for differences, small compared with every visible gully.
    pub fn step(&self, footprint: f64) -> f64 {
        let seen = self.octaves.iter().take_while(|gully| share(gully.stripes.wavelength, footprint) > 0.0);
        seen.last().map_or(self.reach, |gully| gully.stripes.wavelength) / 256.0
    }

    /// How much gullies can add or take away.
    pub fn interval(&self) -> Interval {
        let most: f64 = self.octaves.iter().map(|gully| f64::from(gully.amplitude).abs()).sum();
        // Subtracting its mean makes a profile reach further to one side.
        let most = most * (1.0 + f64::from(self.means[0].abs())) * 1.001;
        Interval::new(-most, most)
    }

    /// The bluntness of creases at a wavelength and a footprint, and the mean of that profile.
    #[inline(always)]
    fn crease(&self, wavelength: f64, footprint: f64) -> [f32; 2] {
        // The sine of half the phase rises by π a wavelength.
        let crease = self.rounding * footprint / wavelength * std::f64::consts::PI;
        if crease > 0.0 {
            let crease = crease.min(1.0) as f32;
            let place = crease * MEANS as f32;
            let below = (place as usize).min(MEANS - 1);
            let [a, b] = [self.means[below], self.means[below + 1]];
            [blunt(crease), a + (place - below as f32) * (b - a)]
        } else {
            [BLUNT, self.means[0]]
        }
    }

    /// What to add to the land at positions, from its heights around them.
    #[inline(always)]
    fn carve<const N: usize, const W: usize>(
        &self,
        isa: impl Isa<W>,
        places: [&[f64; N]; 2],
        around: [&[f32; N]; AROUND],
        footprint: f64,
    ) -> [f32; N] {
        let [mut slope_x, mut slope_z, mut mask, mut level, mut sum] = [[0.0f32; N]; 5];
        // How the slope changes from place to place: a symmetric matrix.
        let [mut bend_xx, mut bend_xz, mut bend_zz] = [[0.0f32; N]; 3];
        for lane in 0..N {
            let ring: [f32; RING] = std::array::from_fn(|place| around[1 + place][lane]);
            let part = |weights: &[f32; RING]| bounded(ring.iter().zip(weights).fold(0.0, |sum, (h, w)| sum + h * w));
            let [x, z, along, across] = self.ring.each_ref().map(part);
            let mean = ring.iter().sum::<f32>() * (1.0 / RING as f32);
            let hollow = bounded((mean - around[0][lane]) * self.hollow);
            (bend_xx[lane], bend_xz[lane], bend_zz[lane]) = (hollow + along, across, hollow - along);
            (slope_x[lane], slope_z[lane]) = (x, z);
            mask[lane] = ease((x * x + z * z).sqrt() * self.steep);
            // Flat low ground is lowered to the beds, flat high ground raised to the crests.
            let part = (mean - self.low) / self.range;
            let part = if part > 0.0 { part } else { 0.0 };
            level[lane] = 2.0 * if part < 1.0 { part } else { 1.0 } - 1.0;
        }
        // The mean of `1 − edge` over all phases.
        let unseen = (1.0 + EDGE) * (1.0 - (EDGE / (1.0 + EDGE)).sqrt());
        for gully in &self.octaves {
            let share = share(gully.stripes.wavelength, footprint);
            let [mut x, mut z, mut steady] = [[0.0f32; N]; 3];
            let wavelength = gully.stripes.wavelength as f32;
            let lever = LEVER * wavelength;
            for lane in 0..N {
                // The tiny number gives flat ground a direction; its mask is 0 anyway.
                let (dx, dz) = (slope_x[lane], slope_z[lane]);
                let square = dx * dx + dz * dz + 1e-20;
                let length = square.sqrt();
                let (ax, az) = (-dz / length, dx / length);
                let turn_x = (bend_xx[lane] * ax + bend_xz[lane] * az) * lever;
                let turn_z = (bend_xz[lane] * ax + bend_zz[lane] * az) * lever;
                x[lane] = ax;
                z[lane] = az;
                steady[lane] = square / (square + turn_x * turn_x + turn_z * turn_z);
            }
            if share > 0.0 {
                let wave = gully.stripes.at(isa, places, [&x, &z]);
                let [blunt, mean] = self.crease(gully.stripes.wavelength, footprint);
                for lane in 0..N {
                    let (c, s) = (wave.cos[lane], wave.sin[lane]);
                    let here = share * (profile(c, self.sharpness, blunt) - mean);
                    level[lane] += steady[lane] * mask[lane] * (here - level[lane]);
                    sum[lane] += gully.amplitude * level[lane];
                    let steepest = gully.flank * share * steady[lane];
                    let flank = -s * steepest;
                    slope_x[lane] += flank * x[lane];
                    slope_z[lane] += flank * z[lane];
                    let bend = -c * bounded(steepest * (std::f32::consts::TAU / wavelength));
                    bend_xx[lane] += bend * x[lane] * x[lane];
                    bend_xz[lane] += bend * x[lane] * z[lane];
                    bend_zz[lane] += bend * z[lane] * z[lane];
                    let open = 1.0 - mask[lane];
                    let edge = s * s * (1.0 + EDGE) / (s * s + EDGE);
                    // A fading octave has crests only as far as it is visible.
                    let edge = unseen + share * (edge - unseen);
                    mask[lane] = (1.0 - open * open) * edge;
                }
            } else {
                for lane in 0..N {
                    level[lane] -= steady[lane] * mask[lane] * level[lane];
                    sum[lane] += gully.amplitude * level[lane];
                    let open = 1.0 - mask[lane];
                    mask[lane] = (1.0 - open * open) * unseen;
                }
            }
        }
        sum
    }
}

/// Carves several positions at once.
pub(crate) struct Carve<'a, const N: usize> {
    pub gullies: &'a Gullies,
    pub places: [&'a [f64; N]; 2],
    pub around: [&'a [f32; N]; AROUND],
    pub footprint: f64,
}

impl<const N: usize> Kernel for Carve<'_, N> {
    type Output = [f32; N];
    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) -> [f32; N] {
        self.gullies.carve(isa, self.places, self.around, self.footprint)
    }
}

#[cfg(test)]
mod tests {
    use crate::noise::{Gullies as Node, Noise};
    use crate::prelude::*;

    /// The side of a hill a thousand kilometres wide: for a few kilometres as good as a plane.
    fn ramp(slope: f64) -> Noise {
        let size = 1e6;
        perlin().feature_size(size).scale(size * slope)
    }

    fn carved(source: Noise, change: impl FnOnce(&mut Node)) -> (Sampler, Sampler) {
        let mut noise = source.clone().gullies(40.0, 200.0);
        change(&mut noise);
        (source.build(3).unwrap(), noise.build(3).unwrap())
    }

    /// The mean and the mean square of what is added over a stretch of land.
    fn added((land, carved): &(Sampler, Sampler), footprint: f64) -> (f64, f64) {
        let side = 120;
        let grid = Grid { start: [40, 90], spacing: 37.0, size: [side, side], footprint };
        let [mut before, mut after] = std::array::from_fn(|_| vec![0.0; grid.len()]);
        let mut scratch = Scratch::default();
        land.fill(&grid, &mut scratch, &mut before);
        carved.fill(&grid, &mut scratch, &mut after);
        let added: Vec<f64> = before.iter().zip(&after).map(|(a, b)| f64::from(b - a)).collect();
        let count = added.len() as f64;
        (added.iter().sum::<f64>() / count, added.iter().map(|a| a * a).sum::<f64>() / count)
    }

    #[test]
    fn flat_ground_has_none_and_lies_at_its_level() {
        for (height, level) in [(-50.0, -1.0), (500.0, 0.0), (2000.0, 1.0)] {
            let worlds = carved(constant(height), |_| {});
            let (mean, square) = added(&worlds, 0.0);
            assert!((square - mean * mean).abs() < 1e-2, "{height}: {square} {mean}");
            // The half depths of five octaves.
            assert!((38.75 * level - mean).abs() < 1e-3, "{height}: {mean}");
        }
    }

    #[test]
    fn steep_ground_is_carved_and_its_mean_stays() {
        for sharpness in [-0.8, 0.0, 0.8] {
            let worlds = carved(ramp(1.0), |node| {
                (node.low, node.high, node.sharpness) = (-1e9, 1e9, sharpness);
            });
            let (mean, square) = added(&worlds, 0.0);
            assert!(mean.abs() < 1.5 && square > 60.0, "{sharpness}: {mean} {square}");
        }
    }

    #[test]
    fn what_is_too_fine_to_be_seen_keeps_its_mean() {
        let hills = perlin().fbm().octaves(2).feature_size(2500.0).scale(700.0);
        for rounding in [0.0, 2.0] {
            let worlds = carved(hills.clone(), |node| (node.low, node.high, node.rounding) = (-300.0, 300.0, rounding));
            let (near, rough) = added(&worlds, 0.0);
            let mut before = rough;
            for footprint in [20.0, 40.0, 80.0, 150.0] {
                let (mean, square) = added(&worlds, footprint);
                assert!((mean - near).abs() < 1.2, "{rounding}, {footprint}: {mean}, near {near}");
                assert!(square < before * 1.01, "{rounding}, {footprint}: {square} {before}");
                before = square;
            }
            assert!(before < 0.8 * rough, "{rounding}: {before} {rough}");
        }
    }

    #[test]
    fn gullies_run_down_the_slope() {
        // Along the slope heights change less than across it.
        let (land, carved) = carved(ramp(1.0), |node| (node.octaves, node.low, node.high) = (1, -1e9, 1e9));
        let (mut along, mut across) = (0.0, 0.0);
        for i in 0..900 {
            let at = [f64::from(i % 30) * 170.0 + 9e4, f64::from(i / 30) * 170.0 + 4e4];
            let slope = land.sample_with_gradient(at, 0.0).gradient;
            let carved = carved.sample_with_gradient(at, 0.0).gradient;
            let own = [carved[0] - slope[0], carved[1] - slope[1]];
            let length = (slope[0] * slope[0] + slope[1] * slope[1]).sqrt();
            along += ((own[0] * slope[0] + own[1] * slope[1]) / length).abs();
            across += ((own[0] * slope[1] - own[1] * slope[0]) / length).abs();
        }
        assert!(across > 3.0 * along, "{across} {along}");
    }
}
