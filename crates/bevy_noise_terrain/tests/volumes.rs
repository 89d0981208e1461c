//! Volumes meet the land at every level of detail: from no eye is the background seen through the seam.

#![cfg(all(feature = "render", feature = "ground"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may stop at the first surprise")]

use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::prelude::*;
use bevy_noise_terrain::volumes::{TerrainVolume, TerrainVolumes, VolumeId, VolumeShape};
use examples_common::{offscreen, settle};
use image::RgbImage;

const BACKGROUND: [u8; 3] = [255, 0, 255];
const SIZE: [u32; 2] = [240, 160];

struct Stage {
    app: App,
    canvas: Handle<Image>,
    camera: Entity,
    terrain: Entity,
}

/// Rough land without plants, so that any magenta is background.
fn land() -> NoiseTerrain {
    NoiseTerrain {
        noise: perlin().fbm().octaves(6).feature_size(300.0).range(-60.0, 60.0),
        lod: TerrainLod { view_distance: 4_000.0, ..default() },
        ..default()
    }
}

/// A hole through the land's skin, and lumps on it.
fn volume() -> TerrainVolume {
    let ground = land().surface().unwrap().height(0.0, 0.0);
    let lumps = perlin().fbm().octaves(2).feature_size(18.0).range(-6.0, 6.0);
    let at = |dy: f64| DVec3::new(0.0, ground + dy, 0.0);
    TerrainVolume {
        size: [96.0; 2],
        shapes: vec![VolumeShape::Displace { noise: lumps }, VolumeShape::dig(at(12.0), at(-15.0), 5.0)],
        ..default()
    }
}

impl Stage {
    fn new() -> Self {
        let (mut app, canvas) = offscreen::app(SIZE[0], SIZE[1]);
        app.add_plugins(NoiseTerrainPlugin).insert_resource(ClearColor(Color::srgb_u8(255, 0, 255)));
        let mut volumes = TerrainVolumes::default();
        volumes.apply(volume()).unwrap();
        let terrain = app.world_mut().spawn((land(), volumes)).id();
        app.world_mut().spawn((DirectionalLight::default(), Transform::default().looking_to(Vec3::NEG_ONE, Vec3::Y)));
        let target = RenderTarget::Image(canvas.clone().into());
        let camera = (Camera3d::default(), Msaa::Off, Tonemapping::None, target, TerrainViewer);
        let camera = app.world_mut().spawn(camera).id();
        offscreen::finish(&mut app);
        Self { app, canvas, camera, terrain }
    }

    /// A picture once land and volume are there.
    fn picture(&mut self, eye: Transform) -> RgbImage {
        *self.app.world_mut().get_mut::<Transform>(self.camera).unwrap() = eye;
        settle(&mut self.app, 20).unwrap();
        for _ in 0..15 {
            offscreen::update(&mut self.app);
            std::thread::sleep(std::time::Duration::from_millis(60));
        }
        offscreen::picture(&mut self.app, &self.canvas, offscreen::update).expect("no picture came")
    }
}

fn background(picture: &RgbImage) -> usize {
    picture.pixels().filter(|pixel| pixel.0 == BACKGROUND).count()
}

/// The mean brightness of the middle of a picture.
fn middle(picture: &RgbImage) -> f64 {
    let [width, height] = SIZE;
    let around = |size: u32| size / 2 - 12..size / 2 + 12;
    let pixels = around(height).flat_map(|y| around(width).map(move |x| (x, y)));
    pixels.map(|(x, y)| picture.get_pixel(x, y).0.iter().map(|&part| f64::from(part)).sum::<f64>()).sum::<f64>()
        / 1_728.0
}

#[test]
fn no_background_is_seen_through_the_seam() {
    let mut stage = Stage::new();
    let surface = land().surface().unwrap();
    let ground = |x: f64, z: f64| surface.height(x, z) as f32;
    let above = |x: f32, up: f32, z: f32| Vec3::new(x, ground(x.into(), z.into()) + up, z);
    // From near, from afar, from above, and from within.
    let middle_of_box = above(0.0, 0.0, 0.0);
    let eyes = [
        above(60.0, 3.0, 52.0),
        above(-49.0, 1.5, 30.0),
        above(20.0, 30.0, -44.0),
        above(300.0, 60.0, 200.0),
        above(-900.0, 250.0, 500.0),
    ];
    for (index, eye) in eyes.into_iter().enumerate() {
        // Steeply enough that there is no sky.
        let eye = Transform::from_translation(eye + 12.0 * Vec3::Y).looking_at(middle_of_box - 10.0 * Vec3::Y, Vec3::Y);
        let picture = stage.picture(eye);
        let through =
            picture.enumerate_pixels().filter(|(_, y, pixel)| *y > SIZE[1] / 2 && pixel.0 == BACKGROUND).count();
        picture.save(std::env::temp_dir().join(format!("terrain_volume_{index}.png"))).unwrap();
        assert_eq!(through, 0, "view {index}: background is seen");
    }
    // From the bottom of the shaft, the sky and nothing else is seen through its mouth.
    let bottom = above(0.0, -13.0, 0.0);
    let up = stage.picture(Transform::from_translation(bottom).looking_to(Vec3::Y, Vec3::X));
    let share = background(&up) as f64 / f64::from(SIZE[0] * SIZE[1]);
    assert!((0.02..0.6).contains(&share), "{share}");
    let sideways = stage.picture(Transform::from_translation(bottom).looking_to(Vec3::X, Vec3::Y));
    assert_eq!(background(&sideways), 0, "walls have no gaps");
    // Filled again, the shaft is gone and the land is whole.
    let over = Transform::from_translation(above(0.0, 40.0, 0.0)).looking_to(Vec3::NEG_Y, Vec3::X);
    let dark = middle(&stage.picture(over));
    let mut volumes = stage.app.world_mut().get_mut::<TerrainVolumes>(stage.terrain).unwrap();
    volumes.undo(VolumeId(0));
    let picture = stage.picture(over);
    assert_eq!(background(&picture), 0);
    assert!(middle(&picture) > 1.1 * dark, "{} {dark}", middle(&picture));
}
