//! Plants move in the wind, and in nothing else.

use std::time::Duration;

use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::prelude::*;
use examples_common::{offscreen, settle};
use image::RgbImage;

/// A camera in high grass.
struct Meadow {
    app: App,
    canvas: Handle<Image>,
}

impl Meadow {
    fn new() -> Self {
        let (mut app, canvas) = offscreen::app(160, 90);
        app.add_plugins(NoiseTerrainPlugin)
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO))
            .insert_resource(TerrainWind { speed: 0.0, ..default() })
            // Nor do clouds and their shadows move.
            .insert_resource(TerrainSky { cloud_cover: 0.0, cirrus: 0.0, ..default() });
        let land = NoiseTerrain {
            noise: bevy_noise_terrain::terrain_noise::constant(100.0),
            lod: TerrainLod { view_distance: 2_000.0, ..default() },
            ..default()
        };
        let grass = ScatterKind { density: 8.0, patches: None, ..ScatterKind::grass() };
        app.world_mut().spawn((land, TerrainScatter { kinds: vec![grass], ..default() }));
        app.world_mut().spawn(TerrainSun::default());
        let eye = Transform::from_xyz(0.0, 101.2, 0.0).looking_to(Vec3::new(0.0, -0.25, -1.0), Vec3::Y);
        let target = RenderTarget::Image(canvas.clone().into());
        app.world_mut().spawn((TerrainSkyView::default(), Msaa::Off, target, TerrainViewer, eye));
        offscreen::finish(&mut app);
        settle(&mut app, 30).unwrap();
        Self { app, canvas }
    }

    /// The picture after so many seconds of this wind.
    fn picture(&mut self, speed: f32, seconds: f32) -> RgbImage {
        let world = self.app.world_mut();
        world.resource_mut::<TerrainWind>().speed = speed;
        world.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(seconds)));
        offscreen::update(&mut self.app);
        self.app.world_mut().insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        offscreen::update(&mut self.app);
        offscreen::picture(&mut self.app, &self.canvas, offscreen::update).expect("a picture")
    }
}

/// The share of pixels that differ visibly.
fn changed(a: &RgbImage, b: &RgbImage) -> f64 {
    let differ = |(a, b): &(&image::Rgb<u8>, &image::Rgb<u8>)| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 8);
    a.pixels().zip(b.pixels()).filter(differ).count() as f64 / f64::from(a.width() * a.height())
}

#[test]
fn grass_bends_in_the_wind_and_rests_without_it() {
    let mut meadow = Meadow::new();
    let still = meadow.picture(0.0, 1.0);
    let later = meadow.picture(0.0, 3.7);
    assert_eq!(changed(&still, &later), 0.0, "without wind nothing moves");
    let gale = meadow.picture(20.0, 0.0);
    assert!(changed(&still, &gale) > 0.1, "a gale bends grass: {}", changed(&still, &gale));
    let passed = meadow.picture(20.0, 1.5);
    assert!(changed(&gale, &passed) > 0.05, "gusts pass: {}", changed(&gale, &passed));
    let calm = meadow.picture(0.0, 2.0);
    assert_eq!(changed(&still, &calm), 0.0, "grass rises again");
}

#[test]
fn a_server_knows_the_wind() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin));
    app.insert_resource(TerrainWind { speed: 10.0, heading: 90.0, gusts: 0.4, veer: 10.0, ..default() });
    app.update();
    let here = app.world().resource::<Wind>().at(1e6, -2e6);
    assert!((6.0 - 1e-3..=14.0 + 1e-3).contains(&here.length()) && here.x > 0.9 * here.length(), "{here}");
}
