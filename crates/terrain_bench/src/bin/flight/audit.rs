//! The pass that checks every frame vertex by vertex.

use bevy_noise_terrain::validation::{Defect, DrawnFrame, Motion};
use bevy_noise_terrain::{SettingsError, TerrainStreaming};

use crate::Options;
use crate::world::{RATE, World};

/// Numbers of visible errors.
#[derive(Default)]
pub struct DefectCounts {
    pub frames: u32,
    pub holes: usize,
    pub cracks: usize,
    pub pops: usize,
}

/// Flies the first kilometres of the path again, with a settings change in the middle.
pub fn fly(options: &Options) -> Result<DefectCounts, SettingsError> {
    let mut world = World::new(options, true)?;
    let frames = (options.audit_kilometres.min(options.kilometres) * 1_000.0 / options.speed * RATE) as u32;
    let growth = TerrainStreaming::default().fastest_growth() / RATE as f32;
    let mut counts = DefectCounts::default();
    let mut before: Option<DrawnFrame> = None;
    for frame in 0..frames {
        if frame == frames / 2 {
            world.retune(77);
        }
        let (_, moved) = world.fly();
        counts.frames += 1;
        let Some(drawn) = DrawnFrame::of(world.terrain()) else {
            counts.holes += 1;
            continue;
        };
        let defects = drawn.defects();
        let cracks = defects.iter().filter(|defect| matches!(defect, Defect::Crack(..))).count();
        counts.cracks += cracks;
        counts.holes += defects.len() - cracks;
        if let (Some(before), Some(source)) = (&before, world.state().source())
            && before.generation == drawn.generation
        {
            // The height over ground may change as fast as the viewer flies.
            counts.pops += drawn.pops(before, source, Motion { moved: 2.0 * moved, growth }).len();
        }
        before = Some(drawn);
    }
    Ok(counts)
}
