//! Groups and clearings: where patches of plants and of ground lie.
//!
//! A noise over the plane, covered where it is high enough. `render/ground/patches.wesl` declares the same record and
//! computes the same.

use std::sync::LazyLock;

use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

use crate::climate::{ValueNoise, ValueNoiseRecord};
use crate::settings::settings;

/// Octaves of the noise.
const OCTAVES: usize = 4;
/// Width of the first octave's cells as a fraction of that of the patches.
const WIDTH: f64 = 0.6;
/// Width of an octave's cells as a fraction of those of the one before.
const FINER: f64 = 0.47;

settings! {
    /// Groups and the clearings between them: of a kind of plants, or of a layer of the ground. A layer and a kind with equal
    /// patches lie in the same places, such as a forest's floor and its trees.
    #[derive(Clone, Copy, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[reflect(Default)]
    #[serde(default, deny_unknown_fields)]
    pub struct TerrainPatches {
        /// Typical width of a patch, in metres.
        pub feature_size: f64 = 200.0, [1.0..=100_000.0, "m"];
        /// Fraction of the plane that is covered.
        pub coverage: f32 = 0.5, [0.0..=1.0];
        /// Fraction of the plane in which borders fade from bare to covered; less where nearly all or nearly nothing is covered.
        pub softness: f32 = 0.12, [0.0..=1.0];
        /// Patches with equal seed and feature size lie in the same places.
        pub seed: u64 = 0, [any];
        /// Cover what patches with this seed and feature size do not.
        pub inverted: bool = false;
    }
}

impl TerrainPatches {
    /// Where woods stand by default.
    pub(crate) fn temperate_woods() -> Self {
        Self { feature_size: 420.0, coverage: 0.65, softness: 0.3, seed: 75_056, ..default() }
    }

    /// How much of an absolute position, x and z in metres, is covered: from 0 to 1, between them at the border of a patch.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy::prelude::*;
    /// # use bevy_noise_terrain::prelude::*;
    /// let woods = TerrainPatches { feature_size: 300.0, coverage: 0.4, seed: 7, ..default() };
    /// let is_clearing = woods.cover(120.0, -40.0) < 0.5;
    /// ```
    pub fn cover(&self, x: f64, z: f64) -> f32 {
        Mask::new(self).map_or(1.0, |mask| mask.cover(mask.around([x, z]).at([0.0; 2])))
    }
}

/// Patches as a noise, and what of it is covered.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    patches: TerrainPatches,
    /// Where a patch ends, and where all is covered.
    none: f32,
    all: f32,
}

/// The noise of a mask around an origin.
pub struct MaskNoise([ValueNoise; OCTAVES]);

impl Mask {
    /// None for patches that cover everything.
    pub fn new(&patches: &TerrainPatches) -> Option<Self> {
        if patches.coverage >= 1.0 {
            return None;
        }
        let covered = if patches.inverted { 1.0 - patches.coverage } else { patches.coverage };
        let [low, high] = DISTRIBUTION.border(covered, patches.softness);
        let (none, all) = match patches {
            // Beyond any value.
            _ if patches.coverage <= 0.0 => (f32::MAX, f32::MAX),
            TerrainPatches { inverted: true, .. } => (high, low),
            _ => (low, high),
        };
        Some(Self { patches, none, all })
    }

    /// How much is covered where the noise has this value, 0 to 1.
    pub fn cover(&self, noise: f32) -> f32 {
        ramp(self.none, self.all, noise)
    }

    /// The noise for places around an origin, absolute x and z.
    pub fn around(&self, origin: [f64; 2]) -> MaskNoise {
        MaskNoise::new(&self.patches, origin)
    }
}

impl MaskNoise {
    fn new(patches: &TerrainPatches, origin: [f64; 2]) -> Self {
        Self(octaves(patches, origin).map(ValueNoise::from))
    }

    /// The noise at x and z from the origin.
    pub fn at(&mut self, place: [f32; 2]) -> f32 {
        let [a, b, c, d] = &mut self.0;
        a.at(place) + 0.5 * b.at(place) + 0.25 * c.at(place) + 0.125 * d.at(place)
    }
}

fn octaves(patches: &TerrainPatches, origin: [f64; 2]) -> [ValueNoiseRecord; OCTAVES] {
    let mut width = WIDTH * patches.feature_size;
    std::array::from_fn(|octave| {
        let seed = crate::random::mix(patches.seed ^ (octave as u64) << 56);
        let noise = ValueNoiseRecord::new(origin, width, octave % 2 == 0, seed);
        width *= FINER;
        noise
    })
}

/// How the noise's values are distributed, which is the same for every seed and feature size.
static DISTRIBUTION: LazyLock<Distribution> = LazyLock::new(Distribution::new);

struct Distribution {
    /// Values at many places, the least first.
    values: Vec<f32>,
    /// The sum of as many of the least.
    sums: Vec<f64>,
}

impl Distribution {
    fn new() -> Self {
        const SIDE: u16 = 192;
        let mut noise = MaskNoise::new(&TerrainPatches { feature_size: 1.0, ..default() }, [0.0; 2]);
        let at = |index: u16| [index % SIDE, index / SIDE].map(|step| 0.37 * f32::from(step));
        let mut values: Vec<f32> = (0..SIDE * SIDE).map(|index| noise.at(at(index))).collect();
        values.sort_unstable_by(f32::total_cmp);
        let mut sum = 0.0;
        let mut sums = vec![0.0];
        sums.extend(values.iter().map(|&value| {
            sum += f64::from(value);
            sum
        }));
        Self { values, sums }
    }

    /// The values between which the border of patches lies.
    fn border(&self, covered: f32, softness: f32) -> [f32; 2] {
        let half = (0.5 * softness).min(covered).min(1.0 - covered);
        let (mut middle, mut border) = (covered, [0.0; 2]);
        // Values are denser on one side of a border than on the other, so its middle is not where it covers half.
        for _ in 0..6 {
            border = [self.above(middle + half), self.above(middle - half)];
            middle = (middle + covered - self.covered(border)).clamp(half, 1.0 - half);
        }
        border
    }

    /// The value that a share of the noise exceeds.
    fn above(&self, share: f32) -> f32 {
        self.values[((1.0 - share) * (self.values.len() - 1) as f32) as usize]
    }

    /// The share of the plane that patches with this border cover.
    fn covered(&self, [none, all]: [f32; 2]) -> f32 {
        let count = self.values.len();
        let [first, last] = [none, all].map(|end| self.values.partition_point(|&value| value < end));
        let above = (self.sums[last] - self.sums[first]) as f32 - none * (last - first) as f32;
        let between = if none < all { above / (all - none) } else { 0.0 };
        ((count - last) as f32 + between) / count as f32
    }
}

/// Linear from 0 at `none` to 1 at `all`, which may be less than `none`.
pub fn ramp(none: f32, all: f32, value: f32) -> f32 {
    if none == all {
        return if value >= all { 1.0 } else { 0.0 };
    }
    ((value - none) / (all - none)).clamp(0.0, 1.0)
}

/// Patches as the shader gets them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct PatchesRecord {
    /// Values of the noise where a patch ends and where all is covered, fraction of the plane that is covered, 1 if there are
    /// patches at all.
    cover: [f32; 4],
    octaves: [ValueNoiseRecord; OCTAVES],
}

impl PatchesRecord {
    /// Around an origin, absolute x and z. Without patches, everything is covered.
    #[cfg(any(feature = "ground", feature = "scatter"))]
    pub fn new(mask: Option<&Mask>, origin: [f64; 2]) -> Self {
        mask.map_or_else(Self::default, |Mask { patches, none, all }| Self {
            cover: [*none, *all, patches.coverage, 1.0],
            octaves: octaves(patches, origin),
        })
    }

    /// The fraction of the plane that is covered.
    #[cfg(feature = "scatter")]
    pub fn mean(&self) -> f32 {
        if self.cover[3] == 0.0 { 1.0 } else { self.cover[2] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_is_covered_as_asked_with_any_seed_and_size() {
        let patches = TerrainPatches { feature_size: 70.0, seed: 77_120, ..default() };
        let soft = [0.12, 0.0, 0.5, 0.12, 0.3, 1.0];
        let shares = [(0.0, false), (0.15, false), (0.5, true), (0.8, false), (0.9, true), (1.0, true)];
        for ((coverage, inverted), softness) in shares.into_iter().zip(soft) {
            let patches = TerrainPatches { coverage, inverted, softness, ..patches };
            let at = |index: i32| [1e6 + 31.0 * f64::from(index % 150), 29.0 * f64::from(index / 150)];
            let covered = (0..150 * 150).map(at).map(|[x, z]| patches.cover(x, z)).sum::<f32>() / 22_500.0;
            assert!((covered - coverage).abs() < 0.03, "{covered} instead of {coverage}");
        }
    }

    #[test]
    fn borders_are_as_wide_as_asked() {
        for softness in [0.0, 0.12, 0.6] {
            let patches = TerrainPatches { feature_size: 70.0, softness, ..default() };
            let at = |index: i32| [31.0 * f64::from(index % 150), 29.0 * f64::from(index / 150)];
            let cover = (0..150 * 150).map(at).map(|[x, z]| patches.cover(x, z));
            let between = cover.filter(|cover| (1e-6..1.0 - 1e-6).contains(cover)).count() as f32 / 22_500.0;
            assert!((between - softness).abs() < 0.03, "{between} instead of {softness}");
        }
    }

    #[test]
    fn a_place_is_covered_wherever_the_origin_is() {
        let patches = TerrainPatches { feature_size: 40.0, ..default() };
        let mask = Mask::new(&patches).unwrap();
        for [x, z] in [[3.0, -40.0], [-900.5, 77.0], [1e6, 0.25]] {
            let from_afar = mask.cover(mask.around([x - 500.0, z + 300.0]).at([500.0, -300.0]));
            assert!((patches.cover(x, z) - from_afar).abs() < 1e-3);
        }
    }

    #[test]
    fn the_record_is_laid_out_as_the_shader_declares() {
        assert_eq!(size_of::<PatchesRecord>(), 16 + OCTAVES * 64);
        let declared = format!("octaves: array<ValueNoise, {OCTAVES}>");
        assert!(include_str!("render/ground/patches.wesl").contains(&declared));
    }
}
