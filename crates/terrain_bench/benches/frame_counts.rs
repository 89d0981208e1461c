//! Frames of the streaming, as the main thread runs them, for `cargo xtask check --only counts`.
//!
//! The land is flat, the pools have one thread, and its jobs are waited for between frames: so a frame receives the same
//! chunks in every run. What other threads do is not counted.

use std::error::Error;
use std::time::Duration;

use bevy::app::MainScheduleOrder;
use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy::tasks::futures_lite::future::yield_now;
use bevy::tasks::{AsyncComputeTaskPool, ComputeTaskPool, IoTaskPool, TaskPool, TaskPoolBuilder, block_on};
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::TerrainState;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::{Grid, Scratch};
use terrain_bench::counting::count;

/// Frames that are counted together.
const FRAMES: u32 = 30;
/// Metres that a moving viewer covers in a frame: 300 m/s.
const STEP: f32 = 5.0;
/// Frames after which the land must be complete.
const PATIENCE: u32 = 2_000;

struct Flat;

impl HeightSource for Flat {
    fn fill(&self, _: &Grid, _: &mut Scratch, heights: &mut [f32]) {
        heights.fill(0.0);
    }

    fn height(&self, _: [f64; 2], _: f64) -> f32 {
        0.0
    }
}

struct World {
    app: App,
    terrain: Entity,
    viewer: Entity,
}

impl World {
    fn new() -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin));
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / 60));
        let labels: Vec<_> = app.world().resource::<MainScheduleOrder>().labels.clone();
        for label in labels {
            app.edit_schedule(label, |schedule| {
                schedule.set_executor(SingleThreadedExecutor::new());
            });
        }
        let terrain = app.world_mut().spawn((NoiseTerrain::default(), TerrainSource::new(Flat))).id();
        let viewer = app.world_mut().spawn((TerrainViewer, Transform::from_xyz(0.0, 80.0, 0.0))).id();
        app.finish();
        app.cleanup();
        Self { app, terrain, viewer }
    }

    fn go_on(&mut self, metres: f32) {
        if let Some(mut transform) = self.app.world_mut().get_mut::<Transform>(self.viewer) {
            transform.translation.x += metres;
        }
    }

    fn is_complete(&self) -> bool {
        let terrain = self.app.world().entity(self.terrain);
        let (Some(stats), Some(state)) = (terrain.get::<TerrainStats>(), terrain.get::<TerrainState>()) else {
            return false;
        };
        let full = state.lod().map(|lod| lod.full_range(0));
        full.is_some() && stats.missing == 0 && !stats.retuning && stats.ranges.first().copied() == full
    }

    /// Runs frames until the land is complete.
    fn settle(&mut self) -> Result<(), &'static str> {
        for _ in 0..PATIENCE {
            self.app.update();
            finish_jobs();
            if self.is_complete() {
                return Ok(());
            }
        }
        Err("the land did not become complete")
    }

    fn count(&mut self, case: &str, metres: f32) {
        for _ in 0..FRAMES {
            self.go_on(metres);
            count(case, || self.app.update());
            finish_jobs();
        }
    }
}

/// Waits until the streaming's tasks are idle: they yield after every job, and do fewer in a frame than are yielded to here.
fn finish_jobs() {
    let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
    block_on(pool.spawn(async {
        for _ in 0..1_000 {
            yield_now().await;
        }
    }));
}

fn main() -> Result<(), Box<dyn Error>> {
    let one = || TaskPoolBuilder::new().num_threads(1).build();
    ComputeTaskPool::get_or_init(one);
    AsyncComputeTaskPool::get_or_init(one);
    IoTaskPool::get_or_init(one);
    let mut world = World::new();
    world.settle()?;
    world.count("frame/at rest", 0.0);
    world.count("frame/moving", STEP);
    Ok(())
}
