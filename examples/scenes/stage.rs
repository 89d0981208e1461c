//! An off-screen app that shows one scene after the other.

use std::time::{Duration, Instant};

use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy_noise_terrain::Surface;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::ScatterStats;
use bevy_noise_terrain::volumes::{TerrainVolumes, VolumeScatter};
use examples_common::offscreen::FrameTime;
use examples_common::{ASSETS, KEPT_BACK, camera, offscreen};
use image::RgbImage;

use crate::scenes::Scene;

/// Frames in which a world has to become as detailed as it gets.
const PATIENCE: u32 = 20_000;

/// How long a world must have stayed as it is, unless it has volumes: detail normals fade in.
const CALM: Duration = Duration::from_millis(600);

/// The app, and what of it changes from scene to scene.
pub struct Stage {
    app: App,
    canvas: Handle<Image>,
    camera: Entity,
    terrain: Entity,
    plants: bool,
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
        let asleep = Camera { is_active: false, ..default() };
        let eye = (TerrainSkyView::default(), camera::lens(), asleep, Msaa::Off, target, TerrainViewer);
        let camera = app.world_mut().spawn(eye).id();
        more(&mut app);
        offscreen::finish(&mut app);
        Self { app, canvas, camera, terrain, plants: true }
    }

    /// Draws the plants of scenes that are set from now on, or leaves them out.
    pub fn set_plants(&mut self, plants: bool) {
        self.plants = plants;
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
        let picture = self.picture();
        self.set_active(false);
        picture
    }

    /// Draws a scene in turn towards other headings, in degrees, that see no other land.
    pub fn turn(&mut self, scene: &Scene, headings: &[f32]) -> Result<Vec<RgbImage>, String> {
        self.set(scene)?;
        let mut look = |&heading: &f32| {
            if let Some(mut eye) = self.app.world_mut().get_mut::<Transform>(self.camera) {
                eye.rotation = rotation(&Scene { heading, ..*scene });
            }
            offscreen::update(&mut self.app);
            self.picture()
        };
        let pictures = headings.iter().map(&mut look).collect();
        self.set_active(false);
        pictures
    }

    /// Puts a scene before the camera, and waits until all of it is there.
    pub fn set(&mut self, scene: &Scene) -> Result<(), String> {
        let mut preset = preset(scene.preset)?;
        preset.scatter = preset.scatter.filter(|_| self.plants);
        let eye = Outlook::new(scene, &preset)?.eye;
        let origin = TerrainOrigin { x: scene.place[0], z: scene.place[1] };
        let world = self.app.world_mut();
        world.insert_resource(TerrainSky { time: scene.time, cloud_cover: scene.clouds, cloud_wind: 0.0, ..default() });
        preset.apply(world.commands().entity(self.terrain));
        world.flush();
        world.entity_mut(self.terrain).insert(origin);
        world.entity_mut(self.camera).insert(eye);
        self.settle()?;
        self.set_active(true);
        Ok(())
    }

    /// What the camera sees now.
    pub fn picture(&mut self) -> Result<RgbImage, String> {
        let picture = offscreen::picture(&mut self.app, &self.canvas, offscreen::update);
        picture.ok_or_else(|| "no picture came: the renderer has stopped".into())
    }

    /// Waits until nothing is missing, and nothing changes any more.
    fn settle(&mut self) -> Result<(), String> {
        // Nothing tells when all pieces of a volume are there.
        let world = self.app.world();
        let has_volumes = world.get::<VolumeScatter>(self.terrain).is_some()
            || world.get::<TerrainVolumes>(self.terrain).is_some_and(|volumes| !volumes.is_empty());
        let least = if has_volumes { KEPT_BACK } else { CALM };
        let mut calm_since = Instant::now();
        let mut before = None;
        for _ in 0..PATIENCE {
            offscreen::update(&mut self.app);
            std::thread::sleep(Duration::from_millis(10));
            let Some(land) = self.app.world().get::<TerrainStats>(self.terrain) else { continue };
            let has_land = land.missing + land.missing_detail_normals == 0 && !land.retuning && land.drawn_total() > 0;
            let plants = self.app.world().get::<ScatterStats>(self.terrain);
            let has_plants = plants.is_none_or(|plants| plants.missing == 0 && !plants.preparing);
            let now = Some((land.built, land.ranges.clone(), plants.map(|plants| plants.objects)));
            if !has_land || !has_plants || now != before {
                calm_since = Instant::now();
            }
            before = now;
            if calm_since.elapsed() > least {
                return Ok(());
            }
        }
        Err("the world did not become complete".into())
    }

    /// Lets the camera draw, or sleep.
    pub fn set_active(&mut self, active: bool) {
        if let Some(mut camera) = self.app.world_mut().get_mut::<Camera>(self.camera) {
            camera.is_active = active;
        }
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
