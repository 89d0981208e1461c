//! An app with land and a physics engine, and random numbers that are the same in every run.

use std::time::Duration;

use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::SpawnNoTerrain;
use bevy_noise_terrain::prelude::*;

use crate::engine::Engine;

/// Seconds of a tick.
pub const TICK: f32 = 1.0 / 64.0;

/// An app with one terrain, in the middle of the scene. Every update is a tick.
pub fn app<E: Engine>(terrain: impl Bundle) -> App {
    let mut app = empty_app::<E>();
    app.world_mut().spawn(terrain);
    app.update();
    app
}

/// An app without land.
pub fn empty_app<E: Engine>() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(TICK)))
        .insert_resource(SpawnNoTerrain);
    E::install(&mut app);
    app.edit_schedule(E::schedule(), |schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    });
    app.finish();
    app.cleanup();
    // The first takes no time.
    app.update();
    app
}

/// Numbers from 0 to 1 by a linear congruential generator (Knuth's MMIX).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// A direction on the plane, as long as `length`.
    pub fn on_plane(&mut self, length: f64) -> Vec3 {
        let angle = self.between(0.0, std::f64::consts::TAU);
        Vec3::new((length * angle.cos()) as f32, 0.0, (length * angle.sin()) as f32)
    }
}
