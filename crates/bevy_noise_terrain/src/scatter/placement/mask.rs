//! Groups and clearings.

use terrain_noise::{Compose, Grid, NoiseError, Sampler, Scratch, perlin};

use crate::scatter::settings::ScatterPatches;

/// A noise, with its values where a group ends (`none`) and where it has full density (`all`).
#[derive(Clone, Debug)]
pub struct Mask {
    pub noise: Sampler,
    pub none: f32,
    pub all: f32,
}

impl Mask {
    pub fn new(patches: &ScatterPatches) -> Result<Self, NoiseError> {
        const SIDE: usize = 96;
        let noise = perlin().fbm().octaves(4).feature_size(patches.feature_size).build(patches.seed)?;
        // The distribution of the noise is measured by sampling.
        let grid = Grid::new([0, 0], 0.37 * patches.feature_size, [SIDE, SIDE]);
        let mut values = vec![0.0; grid.len()];
        noise.fill(&Grid { footprint: 0.0, ..grid }, &mut Scratch::default(), &mut values);
        values.sort_unstable_by(f32::total_cmp);
        let above = |share: f32| values[((1.0 - share) * (values.len() - 1) as f32) as usize];
        let covered = if patches.inverted { 1.0 - patches.coverage } else { patches.coverage };
        let soft = 0.06f32.min(covered).min(1.0 - covered);
        let (low, high) = (above(covered + soft), above(covered - soft));
        let (none, all) = if patches.inverted { (high, low) } else { (low, high) };
        Ok(Self { noise, none, all })
    }
}

/// Linear from 0 at `none` to 1 at `all`, which may be less than `none`.
pub fn ramp(none: f32, all: f32, value: f32) -> f32 {
    if none == all {
        return if value >= all { 1.0 } else { 0.0 };
    }
    ((value - none) / (all - none)).clamp(0.0, 1.0)
}
