//! Waiting for the land, in apps that draw off-screen.

use std::time::Duration;

use bevy::prelude::*;
use bevy_noise_terrain::TerrainStats;

use crate::{offscreen, sleep};

/// Frames in which the land has to become whole.
const PATIENCE: u32 = 20_000;

/// Frames without a picture, and the pause after each: plants and textures come a little later than the land.
const CALM: u32 = 100;
const PAUSE: Duration = Duration::from_millis(10);

/// Runs until no terrain has missed anything for more than `calm` frames.
///
/// Where somebody else is the viewer, cameras sleep meanwhile: in software a frame takes long.
///
/// # Errors
/// If that never comes.
pub fn settle(app: &mut App, calm: u32) -> Result<(), String> {
    let asleep = sleep::put_to_sleep(app);
    let is_whole = if asleep.is_empty() { wait(app, calm, Duration::ZERO) } else { wait(app, calm.max(CALM), PAUSE) };
    sleep::wake(app, asleep);
    is_whole
}

fn wait(app: &mut App, calm: u32, pause: Duration) -> Result<(), String> {
    let mut whole = 0;
    for _ in 0..PATIENCE {
        offscreen::update(app);
        std::thread::sleep(pause);
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
