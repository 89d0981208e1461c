//! Waiting for the land, in apps that draw off-screen.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_noise_terrain::TerrainStats;
use bevy_noise_terrain::edits::TerrainHoles;
use bevy_noise_terrain::volumes::{TerrainVolumes, VolumeScatter};

use crate::{offscreen, sleep};

/// Frames in which the land has to become whole.
const PATIENCE: u32 = 20_000;

/// Frames without a picture, and the pause after each: plants and textures come a little later than the land.
const CALM: u32 = 100;
const PAUSE: Duration = Duration::from_millis(10);

/// The plugin keeps the first holes and volumes of an app back until they can be drawn at once. If no camera is awake, that is
/// for three seconds.
pub const KEPT_BACK: Duration = Duration::from_millis(3_200);

/// What has been waited for.
#[derive(Resource, Clone, Copy, Default, PartialEq)]
struct Waited {
    holes: bool,
    volumes: bool,
}

/// Runs until no terrain has missed anything for more than `calm` frames.
///
/// Where somebody else is the viewer, cameras sleep meanwhile: in software a frame takes long.
///
/// # Errors
/// If that never comes.
pub fn settle(app: &mut App, calm: u32) -> Result<(), String> {
    let asleep = sleep::put_to_sleep(app);
    let is_whole = if asleep.is_empty() {
        wait(app, calm, Duration::ZERO, Duration::ZERO)
    } else {
        let least = kept_back(app);
        wait(app, calm.max(CALM), PAUSE, least)
    };
    sleep::wake(app, asleep);
    is_whole
}

/// How long holes and volumes may be kept back: each kind is so once.
fn kept_back(app: &mut App) -> Duration {
    let world = app.world_mut();
    let before = *world.get_resource_or_init::<Waited>();
    let mut now = before;
    let mut terrains = world.query::<(Option<&TerrainHoles>, Option<&TerrainVolumes>, Has<VolumeScatter>)>();
    for (holes, volumes, scatters_volumes) in terrains.iter(world) {
        now.holes |= holes.is_some_and(|holes| !holes.is_empty());
        now.volumes |= scatters_volumes || volumes.is_some_and(|volumes| !volumes.is_empty());
    }
    world.insert_resource(now);
    if now == before { Duration::ZERO } else { KEPT_BACK }
}

/// Waits until the land has been whole for more than `calm` frames, and for `least`.
fn wait(app: &mut App, calm: u32, pause: Duration, least: Duration) -> Result<(), String> {
    let (mut whole, mut since) = (0, Instant::now());
    for _ in 0..PATIENCE {
        offscreen::update(app);
        std::thread::sleep(pause);
        let world = app.world_mut();
        let mut terrains = world.query::<&TerrainStats>();
        let is_whole = terrains.iter(world).all(|stats| stats.missing == 0 && stats.drawn_total() > 0);
        if !is_whole {
            (whole, since) = (0, Instant::now());
            continue;
        }
        whole += 1;
        if whole > calm && since.elapsed() > least {
            return Ok(());
        }
    }
    Err("the world did not become complete".into())
}
