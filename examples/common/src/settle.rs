//! Waiting for the world, in apps that draw off-screen.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::TerrainStats;
use bevy_noise_terrain::scatter::ScatterStats;

use crate::{offscreen, sleep};

/// How long the world may take to become whole.
const PATIENCE: Duration = Duration::from_secs(300);

/// Frames in which it has to be whole, one after the other. In the first frame of an app, land, plants and textures do not know
/// yet what they miss; and Bevy gives assets to its renderer in the frame after the one that made them.
const CALM: u32 = 3;

/// Frames that cameras draw at the end: statistics count in the second what was missing in the first.
const LOOKS: u32 = 2;

/// Time that passes in a frame where the app's clock stands still.
const STEP: Duration = Duration::from_millis(50);

/// The longest pause after a frame without a picture. Pauses grow with the frames that have passed: a frame's systems take a
/// processor from what is built.
const PAUSE: Duration = Duration::from_millis(25);

/// Runs until all terrains have all that they draw: land, volumes, textures and plants, in full detail.
///
/// Where viewers are other entities than cameras, cameras sleep meanwhile, as a frame takes long in software. They are awake only
/// while holes or volumes are kept back until a camera has seen them, and at last for the ground that they see. If the app's
/// clock stands still, the time in which detail grows passes nevertheless; the game's own does not.
///
/// # Errors
/// If that never comes.
pub fn settle(app: &mut App) -> Result<(), String> {
    let stands = |strategy: &TimeUpdateStrategy| matches!(strategy, TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    if !app.world().get_resource::<TimeUpdateStrategy>().is_some_and(stands) {
        return become_whole(app);
    }
    let world = app.world_mut();
    world.insert_resource(TimeUpdateStrategy::ManualDuration(STEP));
    let mut clock = world.resource_mut::<Time<Virtual>>();
    let was_paused = clock.is_paused();
    clock.pause();
    let outcome = become_whole(app);
    let world = app.world_mut();
    if !was_paused {
        world.resource_mut::<Time<Virtual>>().unpause();
    }
    world.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    outcome
}

fn become_whole(app: &mut App) -> Result<(), String> {
    let begun = Instant::now();
    let (mut calm, mut is_built, mut pause) = (0, false, Duration::ZERO);
    loop {
        let asleep = if is_built || is_kept_back(app) { Vec::new() } else { sleep::put_to_sleep(app) };
        let has_slept = !asleep.is_empty();
        offscreen::update(app);
        if has_slept {
            std::thread::sleep(pause);
            pause = PAUSE.min(pause + Duration::from_millis(1));
        }
        sleep::wake(app, asleep);
        calm = if is_whole(app) { calm + 1 } else { 0 };
        if calm >= CALM {
            if !has_slept {
                return Ok(());
            }
            (is_built, calm) = (true, CALM - LOOKS);
        }
        if begun.elapsed() > PATIENCE {
            return Err(format!("the world did not become complete: {}", what_is_there(app)));
        }
    }
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
