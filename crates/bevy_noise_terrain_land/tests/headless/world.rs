//! A headless app with one terrain, whose frames are checked from the same uniforms that the shader gets.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::ChunkKey;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::validation::DrawnFrame;
use bevy_noise_terrain::{DrawnChunks, TerrainState, TerrainStreaming};

/// Seconds between two frames.
pub const STEP: f32 = 1.0 / 60.0;

/// An app with one terrain and one viewer.
pub struct World {
    pub app: App,
    pub terrain: Entity,
    pub viewer: Entity,
}

/// Settings for tests: the default world, with vertices kept for checks.
pub fn settings(view_distance: f64) -> NoiseTerrain {
    NoiseTerrain {
        lod: TerrainLod { view_distance, ..default() },
        streaming: TerrainStreaming { keep_vertices: true, ..default() },
        ..default()
    }
}

impl World {
    pub fn new(terrain: impl Bundle) -> Self {
        Self::with(terrain, |_| {})
    }

    /// With more in the app.
    pub fn with(terrain: impl Bundle, more: impl FnOnce(&mut App)) -> Self {
        let mut app = App::new();
        more(app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin)));
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(STEP)));
        let terrain = app.world_mut().spawn(terrain).id();
        let viewer = app.world_mut().spawn((TerrainViewer, Transform::from_xyz(0.0, 500.0, 0.0))).id();
        app.finish();
        app.cleanup();
        Self { app, terrain, viewer }
    }

    pub fn place(&mut self, position: Vec3) {
        *self.app.world_mut().get_mut::<Transform>(self.viewer).unwrap() = Transform::from_translation(position);
    }

    pub fn position(&self) -> Vec3 {
        self.app.world().get::<Transform>(self.viewer).unwrap().translation
    }

    pub fn update(&mut self) {
        self.app.update();
    }

    pub fn state(&self) -> &TerrainState {
        self.app.world().get(self.terrain).unwrap()
    }

    /// The chunks on screen.
    pub fn drawn(&self) -> &[ChunkKey] {
        self.app.world().get::<DrawnChunks>(self.terrain).unwrap().keys()
    }

    /// The level of the chunk on screen at an absolute position.
    pub fn level_at(&self, [x, z]: [f64; 2]) -> u8 {
        let lod = *self.state().lod().expect("land is on screen");
        let is_drawn = |level: &u8| self.drawn().contains(&ChunkKey::at(*level, x, z, lod.spacing));
        (0..=lod.top_level()).find(is_drawn).expect("there is land")
    }

    /// The frame on screen.
    pub fn frame(&self) -> DrawnFrame {
        DrawnFrame::of(self.app.world().entity(self.terrain)).expect("land is on screen")
    }

    /// Asserts that there is no hole, overlap or crack, with whole meshes and with half ones.
    pub fn check(&self) {
        assert_eq!(self.frame().defects(), []);
        assert_eq!(self.frame().with_half_meshes().defects(), []);
    }

    pub fn stats(&self) -> &TerrainStats {
        self.app.world().get(self.terrain).unwrap()
    }

    pub fn settings(&mut self) -> Mut<'_, NoiseTerrain> {
        self.app.world_mut().get_mut(self.terrain).unwrap()
    }

    /// Updates until everything wanted is loaded and every range is full.
    pub fn settle(&mut self) {
        for _ in 0..4_000 {
            self.update();
            let full: Vec<f64> = {
                let lod = self.state().lod().unwrap();
                (0..=lod.top_level()).map(|level| lod.full_range(level)).collect()
            };
            let stats = self.stats();
            if stats.missing == 0 && !stats.retuning && stats.ranges == full {
                return;
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        panic!("the world never became complete: {:?}", self.stats());
    }
}
