//! What edits cost in a chunk.

use std::time::Instant;

use bevy::math::DVec3;
use bevy_noise_terrain::edits::{Edit, TerrainEdits};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::{ChunkKey, SettingsError, Surface};

/// Times each land in turns, so that a slow moment of the machine hits all of them.
const ROUNDS: usize = 40;

/// The heights of a chunk of the default world with `many` edits elsewhere, and with a hundred on it, against none at all:
/// the median of the ratios.
pub fn ratios(many: u32) -> Result<[f64; 2], SettingsError> {
    let base = NoiseTerrain::default().surface()?;
    let far = base.with_edits(&elsewhere(many)?);
    let mut edits = TerrainEdits::default();
    for index in 0..100 {
        let at = DVec3::new(f64::from(index % 10) * 6.4 + 3.0, 0.0, f64::from(index / 10) * 6.4 + 3.0);
        edits.apply(Edit::raise(at, 3.0, 0.5).falloff(2.0))?;
    }
    let near = base.with_edits(&edits);
    let time = |land: &Surface| {
        let began = Instant::now();
        for x in 0..8 {
            // The same chunk: that of the edits.
            std::hint::black_box(land.chunk_heights(std::hint::black_box(ChunkKey::new(0, 0, x / 8))));
        }
        began.elapsed().as_secs_f64()
    };
    let mut ratios = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        let none = time(&base);
        ratios[0].push(time(&far) / none);
        ratios[1].push(time(&near) / none);
    }
    Ok(ratios.map(|mut ratios| {
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }))
}

/// Edits over a wide area, but not near the origin.
pub fn elsewhere(count: u32) -> Result<TerrainEdits, SettingsError> {
    let mut edits = TerrainEdits::default();
    for index in 0..count {
        let at = DVec3::new(1_000.0 + f64::from(index % 400) * 30.0, 10.0, f64::from(index / 400) * 30.0);
        edits.apply(Edit::flatten(at, 4.0 + f64::from(index % 7)).falloff(3.0))?;
    }
    Ok(edits)
}
