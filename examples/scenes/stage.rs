//! An off-screen app that shows one scene after the other.

use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy_noise_terrain::Surface;
use bevy_noise_terrain::prelude::*;
use examples_common::offscreen::FrameTime;
use examples_common::{ASSETS, camera, offscreen, settle};
use image::RgbImage;

use crate::scenes::Scene;

/// The app, and what of it changes from scene to scene.
pub struct Stage {
    app: App,
    canvas: Handle<Image>,
    camera: Entity,
    terrain: Entity,
    plants: bool,
    volumes: bool,
}

#[allow(dead_code, reason = "those who share this file draw or turn")]
impl Stage {
    /// An app that draws pictures of this size.
    pub fn new(width: u32, height: u32) -> Self {
        Self::with(width, height, |_| {})
    }

    /// As [`new`](Self::new), with more plugins.
    pub fn with(width: u32, height: u32, more: impl FnOnce(&mut App)) -> Self {
        let (mut app, canvas) = offscreen::app(width, height);
        app.add_plugins(NoiseTerrainPlugin).add_systems(Startup, spawn_sun);
        let terrain = app.world_mut().spawn(NoiseTerrain::default()).id();
        let target = RenderTarget::Image(canvas.clone().into());
        let eye = (TerrainSkyView::default(), camera::lens(), Msaa::Off, target, TerrainViewer);
        let camera = app.world_mut().spawn(eye).id();
        more(&mut app);
        offscreen::finish(&mut app);
        // Waves, wind and clouds are always the same.
        app.world_mut().resource_mut::<Time<Virtual>>().pause();
        Self { app, canvas, camera, terrain, plants: true, volumes: true }
    }

    /// Draws the plants of scenes that are set from now on, or leaves them out.
    pub fn set_plants(&mut self, plants: bool) {
        self.plants = plants;
    }

    /// Draws the scattered volumes of scenes that are set from now on, or leaves them out.
    pub fn set_volumes(&mut self, volumes: bool) {
        self.volumes = volumes;
    }

    /// Draws pictures of another size from now on.
    pub fn resize(&mut self, width: u32, height: u32) {
        let image = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
        self.canvas = self.app.world_mut().resource_mut::<Assets<Image>>().add(image);
        let target = RenderTarget::Image(self.canvas.clone().into());
        self.app.world_mut().entity_mut(self.camera).insert(target);
    }

    /// The app's world.
    pub fn world(&mut self) -> &mut World {
        self.app.world_mut()
    }

    /// One frame.
    pub fn update(&mut self) -> FrameTime {
        offscreen::timed(&mut self.app)
    }

    /// Draws a scene with all the detail there is.
    pub fn draw(&mut self, scene: &Scene) -> Result<RgbImage, String> {
        self.draw_after(0, scene)
    }

    /// Draws a scene with all the detail there is, once the camera has been awake for some frames.
    pub fn draw_after(&mut self, frames: u32, scene: &Scene) -> Result<RgbImage, String> {
        self.set(scene)?;
        for _ in 0..frames {
            self.update();
        }
        self.picture()
    }

    /// Draws a scene in turn towards other headings, in degrees, that see no other land.
    pub fn turn(&mut self, scene: &Scene, headings: &[f32]) -> Result<Vec<RgbImage>, String> {
        self.set(scene)?;
        let mut look = |&heading: &f32| {
            if let Some(mut eye) = self.app.world_mut().get_mut::<Transform>(self.camera) {
                eye.rotation = rotation(&Scene { heading, ..*scene });
            }
            self.picture()
        };
        headings.iter().map(&mut look).collect()
    }

    /// Puts a scene before the camera, and waits until all of it is there.
    pub fn set(&mut self, scene: &Scene) -> Result<(), String> {
        let mut preset = preset(scene.preset)?;
        preset.scatter = preset.scatter.filter(|_| self.plants);
        preset.volumes = preset.volumes.filter(|_| self.volumes);
        // No picture is taken while levels grow.
        preset.terrain.streaming.grow_seconds = 0.0;
        let eye = Outlook::new(scene, &preset)?.eye;
        let origin = TerrainOrigin { x: scene.place[0], z: scene.place[1] };
        let world = self.app.world_mut();
        world.insert_resource(TerrainSky { time: scene.time, cloud_cover: scene.clouds, cloud_wind: 0.0, ..default() });
        preset.apply(world.commands().entity(self.terrain));
        world.flush();
        world.entity_mut(self.terrain).insert(origin);
        world.entity_mut(self.camera).insert(eye);
        settle(&mut self.app)
    }

    /// What the camera sees now.
    pub fn picture(&mut self) -> Result<RgbImage, String> {
        let picture = offscreen::picture(&mut self.app, &self.canvas, offscreen::update);
        picture.ok_or_else(|| "no picture came: the renderer has stopped".into())
    }
}

/// Where a scene is seen from, and what may be seen.
#[allow(dead_code, reason = "tests that share this file do not measure")]
pub struct Outlook {
    /// Relative to the scene's place.
    pub eye: Transform,
    pub land: Surface,
    /// Height of the sea; −∞ without one.
    pub sea: f32,
}

impl Outlook {
    pub fn new(scene: &Scene, preset: &TerrainPreset) -> Result<Self, String> {
        let land = preset.terrain.surface().map_err(|error| error.to_string())?;
        let sea = preset.water.as_ref().map_or(f32::NEG_INFINITY, |sea| sea.level);
        let ground = (land.height(scene.place[0], scene.place[1]) as f32).max(sea);
        let eye = Transform::from_xyz(0.0, ground + scene.height, 0.0).with_rotation(rotation(scene));
        Ok(Self { eye, land, sea })
    }
}

fn spawn_sun(mut commands: Commands) {
    commands.spawn(TerrainSun::default());
}

fn rotation(scene: &Scene) -> Quat {
    Quat::from_rotation_y(-scene.heading.to_radians()) * Quat::from_rotation_x(scene.pitch.to_radians())
}

/// Reads a world of this repository, or takes the plugin's default with the plants that go with it.
pub fn preset(name: &str) -> Result<TerrainPreset, String> {
    if name.is_empty() {
        return Ok(TerrainPreset { scatter: Some(TerrainScatter::temperate()), ..default() });
    }
    let path = format!("{ASSETS}/presets/{name}.terrain.ron");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("cannot read {path}: {error}"))?;
    TerrainPreset::from_ron(&text).map_err(|error| format!("{path}: {error}"))
}
