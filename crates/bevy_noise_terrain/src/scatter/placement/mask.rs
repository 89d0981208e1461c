//! Groups and clearings.

use crate::climate::{PatchesRecord, ValueNoise};
use crate::scatter::settings::ScatterPatches;

/// Octaves of the noise.
pub const OCTAVES: usize = 4;
/// Width of the first octave's cells as a fraction of that of the groups.
const WIDTH: f64 = 0.6;
/// Width of an octave's cells as a fraction of those of the one before.
const FINER: f64 = 0.47;

/// A noise, with its values where a group ends (`none`) and where it has full density (`all`). The shader has it too, to
/// colour distant woods.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    /// Width of the first octave's cells in metres.
    width: f64,
    seed: u64,
    pub none: f32,
    pub all: f32,
}

/// The noise of a mask around an origin.
pub struct MaskNoise([ValueNoise; OCTAVES]);

impl Mask {
    pub fn new(patches: &ScatterPatches) -> Self {
        const SIDE: u16 = 96;
        let mask = Self { width: WIDTH * patches.feature_size, seed: patches.seed, none: 0.0, all: 0.0 };
        // The distribution of the noise is measured by sampling.
        let mut noise = mask.around([0.0; 2]);
        let step = (0.37 * patches.feature_size) as f32;
        let at = |index: u16| [index % SIDE, index / SIDE].map(|step_index| f32::from(step_index) * step);
        let mut values: Vec<f32> = (0..SIDE * SIDE).map(|index| noise.at(at(index))).collect();
        values.sort_unstable_by(f32::total_cmp);
        let above = |share: f32| values[((1.0 - share) * (values.len() - 1) as f32) as usize];
        let covered = if patches.inverted { 1.0 - patches.coverage } else { patches.coverage };
        let soft = 0.06f32.min(covered).min(1.0 - covered);
        let (low, high) = (above(covered + soft), above(covered - soft));
        let (none, all) = if patches.inverted { (high, low) } else { (low, high) };
        Self { none, all, ..mask }
    }

    /// The noise for places around an origin, absolute x and z.
    pub fn around(&self, origin: [f64; 2]) -> MaskNoise {
        MaskNoise(self.octaves(origin).map(ValueNoise::from))
    }

    /// Its octaves, as the shader gets them.
    pub fn octaves(&self, origin: [f64; 2]) -> [PatchesRecord; OCTAVES] {
        let mut width = self.width;
        std::array::from_fn(|octave| {
            let seed = crate::random::mix(self.seed ^ (octave as u64) << 56);
            let noise = PatchesRecord::new(origin, width, octave % 2 == 0, seed);
            width *= FINER;
            noise
        })
    }
}

impl MaskNoise {
    /// The noise at x and z from the origin.
    pub fn at(&mut self, place: [f32; 2]) -> f32 {
        let [a, b, c, d] = &mut self.0;
        a.at(place) + 0.5 * b.at(place) + 0.25 * c.at(place) + 0.125 * d.at(place)
    }
}

/// Linear from 0 at `none` to 1 at `all`, which may be less than `none`.
pub fn ramp(none: f32, all: f32, value: f32) -> f32 {
    if none == all {
        return if value >= all { 1.0 } else { 0.0 };
    }
    ((value - none) / (all - none)).clamp(0.0, 1.0)
}
