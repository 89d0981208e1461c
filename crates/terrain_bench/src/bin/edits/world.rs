//! A headless app with one terrain, one viewer on the ground, and edits.

use std::time::{Duration, Instant};

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::edits::{Edit, EditId, TerrainEdits};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::{LandChanged, SettingsError, Surface, TerrainState};

/// Frames a second.
pub const RATE: f64 = 60.0;

pub struct World {
    pub app: App,
    pub terrain: Entity,
    viewer: Entity,
    /// The land without edits.
    pub base: Surface,
}

#[derive(Resource, Default)]
struct Changes(usize);

impl World {
    /// A settled default world, with the viewer 30 m above the ground at the origin.
    pub fn new(view_distance: f64, keep_vertices: bool) -> Result<Self, SettingsError> {
        let mut settings = NoiseTerrain::default();
        settings.lod.view_distance = view_distance;
        settings.streaming.keep_vertices = keep_vertices;
        let base = settings.surface()?;
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin))
            .init_resource::<Changes>()
            .add_observer(|_: On<LandChanged>, mut changes: ResMut<Changes>| changes.0 += 1)
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / RATE)));
        let terrain = app.world_mut().spawn((settings, TerrainEdits::default())).id();
        let viewer = app.world_mut().spawn((TerrainViewer, Transform::default())).id();
        app.finish();
        app.cleanup();
        let mut world = Self { app, terrain, viewer, base };
        let ground = world.base.height(0.0, 0.0) as f32;
        world.place(Vec3::new(0.0, ground + 30.0, 0.0));
        world.settle();
        Ok(world)
    }

    pub fn place(&mut self, position: Vec3) {
        if let Some(mut transform) = self.app.world_mut().get_mut::<Transform>(self.viewer) {
            transform.translation = position;
        }
    }

    /// Updates until nothing is missing.
    pub fn settle(&mut self) {
        let mut calm = 0;
        while calm < 30 {
            self.app.update();
            let stats = self.app.world().get::<TerrainStats>(self.terrain);
            calm = if stats.is_some_and(|stats| stats.missing == 0 && !stats.retuning) { calm + 1 } else { 0 };
            std::thread::sleep(Duration::from_micros(500));
        }
    }

    /// Runs a frame, and sleeps until the next one is due. Returns milliseconds of the streaming on the main thread.
    pub fn frame(&mut self) -> f64 {
        let began = Instant::now();
        self.app.update();
        let rest = Duration::from_secs_f64(1.0 / RATE).saturating_sub(began.elapsed());
        std::thread::sleep(rest);
        self.app.world().get::<TerrainStats>(self.terrain).map_or(0.0, |stats| f64::from(stats.main_ms))
    }

    pub fn apply(&mut self, edit: Edit) -> Result<Option<EditId>, SettingsError> {
        let edits = self.app.world_mut().get_mut::<TerrainEdits>(self.terrain);
        edits.map(|mut edits| edits.apply(edit)).transpose()
    }

    pub fn undo(&mut self, id: EditId) {
        if let Some(mut edits) = self.app.world_mut().get_mut::<TerrainEdits>(self.terrain) {
            edits.undo(id);
        }
    }

    /// How often the land has changed on screen.
    pub fn changes(&self) -> usize {
        self.app.world().resource::<Changes>().0
    }

    pub fn state(&self) -> Option<&TerrainState> {
        self.app.world().get(self.terrain)
    }

    /// A point of the ground.
    pub fn ground(&self, [x, z]: [f64; 2]) -> DVec3 {
        DVec3::new(x, self.base.height(x, z), z)
    }
}
