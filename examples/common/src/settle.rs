//! Waiting for the world, in apps that draw off-screen.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_noise_terrain::TerrainStats;
use bevy_noise_terrain::scatter::ScatterStats;

use crate::{offscreen, sleep};

/// How long the world may take to become whole.
const PATIENCE: Duration = Duration::from_secs(300);

/// Frames in which it has to be whole, one after the other. In the first frame of an app, land, plants and textures do not know
/// yet what they miss; and Bevy gives assets to its renderer in the frame after the one that made them.
const CALM: u32 = 3;

/// The longest pause after a frame without a picture. Pauses grow with the frames that have passed: a frame's systems take a
/// processor from what is built.
const PAUSE: Duration = Duration::from_millis(25);

/// Runs until all terrains have all that they draw: land, volumes, textures and plants, in full detail.
///
/// Where viewers are other entities than cameras, cameras sleep meanwhile, as a frame takes long in software. They are awake only
/// while holes or volumes are kept back until a camera has seen them.
///
/// # Errors
/// If that never comes.
pub fn settle(app: &mut App) -> Result<(), String> {
    let begun = Instant::now();
    let (mut calm, mut pause) = (0, Duration::ZERO);
    while calm < CALM {
        let asleep = if is_kept_back(app) { Vec::new() } else { sleep::put_to_sleep(app) };
        offscreen::update(app);
        if !asleep.is_empty() {
            std::thread::sleep(pause);
            pause = PAUSE.min(pause + Duration::from_millis(1));
        }
        sleep::wake(app, asleep);
        calm = if is_whole(app) { calm + 1 } else { 0 };
        if begun.elapsed() > PATIENCE {
            return Err(format!("the world did not become complete: {}", what_is_there(app)));
        }
    }
    Ok(())
}

fn is_kept_back(app: &mut App) -> bool {
    let world = app.world_mut();
    world.query::<&TerrainStats>().iter(world).any(|land| land.kept_back)
}

fn is_whole(app: &mut App) -> bool {
    let world = app.world_mut();
    let mut terrains = world.query::<(&TerrainStats, Option<&ScatterStats>)>();
    terrains.iter(world).all(|(land, plants)| {
        land.is_complete() && plants.is_none_or(|plants| plants.missing == 0 && !plants.preparing)
    })
}

fn what_is_there(app: &mut App) -> String {
    let world = app.world_mut();
    let mut terrains = world.query::<(&TerrainStats, Option<&ScatterStats>)>();
    format!("{:?}", terrains.iter(world).collect::<Vec<_>>())
}
