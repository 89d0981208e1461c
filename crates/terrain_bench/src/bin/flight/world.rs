//! A headless app with one terrain and one viewer that flies in real time.

use std::time::{Duration, Instant};

use bevy::app::MainScheduleOrder;
use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::prelude::*;
use bevy_noise_terrain::{SettingsError, Surface, TerrainState};
use cpu_time::ThreadTime;

use crate::Options;

/// Frames per second.
pub const RATE: f64 = 60.0;

/// Height above the ground in metres.
const CLEARANCE: f64 = 80.0;

pub struct World {
    app: App,
    terrain: Entity,
    viewer: Entity,
    surface: Surface,
    speed: f64,
    /// Frames flown.
    pub frame: u32,
}

impl World {
    /// A settled world with the viewer at the start of the path.
    pub fn new(options: &Options, keep_vertices: bool) -> Result<Self, SettingsError> {
        let mut settings = NoiseTerrain::default();
        if !options.default_world {
            settings.noise = perlin().fbm().octaves(8).feature_size(1_000.0).scale(300.0);
        }
        settings.lod.view_distance = options.view_distance;
        settings.streaming.keep_vertices = keep_vertices;
        let surface = settings.surface()?;
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin));
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / RATE)));
        // Systems run on the measured thread. The terrain's tasks still use the pools.
        let labels: Vec<_> = app.world().resource::<MainScheduleOrder>().labels.clone();
        for label in labels {
            app.edit_schedule(label, |schedule| {
                schedule.set_executor(SingleThreadedExecutor::new());
            });
        }
        let terrain = app.world_mut().spawn(settings).id();
        let viewer = app.world_mut().spawn((TerrainViewer, Transform::default())).id();
        app.finish();
        app.cleanup();
        let mut world = Self { app, terrain, viewer, surface, speed: options.speed, frame: 0 };
        world.settle();
        Ok(world)
    }

    /// Absolute position after `frame` frames: eastward in wide curves, above the ground.
    fn position(&self, frame: u32) -> Vec3 {
        let way = f64::from(frame) * self.speed / RATE;
        let place = |way: f64| [way, 1_500.0 * (way / 4_000.0).sin()];
        let ground = |way: f64| {
            let [x, z] = place(way);
            self.surface.height(x, z)
        };
        let height = (-4..=4).map(|step| ground(way + 60.0 * f64::from(step))).fold(f64::NEG_INFINITY, f64::max);
        let [x, z] = place(way);
        Vec3::new(x as f32, (height + CLEARANCE) as f32, z as f32)
    }

    /// Runs a frame; returns CPU milliseconds of the main thread and the distance that the viewer moved in metres.
    pub fn update(&mut self) -> (f32, f32) {
        let began = Instant::now();
        let position = self.position(self.frame);
        let moved = self.app.world_mut().get_mut::<Transform>(self.viewer).map_or(0.0, |mut transform| {
            let moved = transform.translation.distance(position);
            transform.translation = position;
            moved
        });
        let cpu = ThreadTime::now();
        self.app.update();
        let milliseconds = cpu.elapsed().as_secs_f32() * 1e3;
        std::thread::sleep(Duration::from_secs_f64(1.0 / RATE).saturating_sub(began.elapsed()));
        (milliseconds, moved)
    }

    /// The next frame of the flight.
    pub fn fly(&mut self) -> (f32, f32) {
        self.frame += 1;
        self.update()
    }

    pub fn is_complete(&self) -> bool {
        let stats = self.stats();
        let full = self.state().lod().map(|lod| lod.full_range(0));
        full.is_some() && stats.missing == 0 && !stats.retuning && stats.ranges.first().copied() == full
    }

    pub fn settle(&mut self) {
        while !self.is_complete() {
            self.update();
        }
    }

    pub fn retune(&mut self, seed: u64) {
        if let Some(mut settings) = self.app.world_mut().get_mut::<NoiseTerrain>(self.terrain) {
            settings.seed = seed;
        }
    }

    #[expect(clippy::expect_used, reason = "the entity is spawned with it and never despawned")]
    pub fn stats(&self) -> &TerrainStats {
        self.app.world().get(self.terrain).expect("the terrain has statistics")
    }

    /// The terrain's entity.
    pub fn terrain(&self) -> EntityRef<'_> {
        self.app.world().entity(self.terrain)
    }

    #[expect(clippy::expect_used, reason = "the entity is spawned with it and never despawned")]
    pub fn state(&self) -> &TerrainState {
        self.app.world().get(self.terrain).expect("the terrain has a state")
    }
}
