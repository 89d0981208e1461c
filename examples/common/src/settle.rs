//! Waiting for the land, in apps that draw off-screen.

use bevy::prelude::*;
use bevy_noise_terrain::TerrainStats;

use crate::offscreen;

/// Frames in which the land has to become whole.
const PATIENCE: u32 = 2_000;

/// Runs until no terrain has missed anything for more than `calm` frames.
///
/// # Errors
/// If that never comes.
pub fn settle(app: &mut App, calm: u32) -> Result<(), String> {
    let mut whole = 0;
    for _ in 0..PATIENCE {
        offscreen::update(app);
        let world = app.world_mut();
        let mut terrains = world.query::<&TerrainStats>();
        let is_whole = terrains.iter(world).all(|stats| stats.missing == 0 && stats.drawn_total() > 0);
        whole = if is_whole { whole + 1 } else { 0 };
        if whole > calm {
            return Ok(());
        }
    }
    Err("the world did not become complete".into())
}
