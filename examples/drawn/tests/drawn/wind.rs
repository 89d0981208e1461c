//! Plants move in the wind, and in nothing else; shaders and the processor agree on it.

use std::time::Duration;

use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::render::NOISE_WGSL;
use examples_common::adapter::DRIVER_HELP;
use examples_common::compute::Compute;
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
        let grass = ScatterKind { density: 8.0, distance: 25.0, patches: None, ..ScatterKind::grass() };
        app.world_mut().spawn((land, TerrainScatter { kinds: vec![grass], ..default() }));
        app.world_mut().spawn(TerrainSun::default());
        let eye = Transform::from_xyz(0.0, 101.2, 0.0).looking_to(Vec3::new(0.0, -0.25, -1.0), Vec3::Y);
        let target = RenderTarget::Image(canvas.clone().into());
        app.world_mut().spawn((TerrainSkyView::default(), Msaa::Off, target, TerrainViewer, eye));
        offscreen::finish(&mut app);
        settle(&mut app).unwrap();
        Self { app, canvas }
    }

    /// The picture after so many seconds of this wind.
    fn picture(&mut self, speed: f32, seconds: f32) -> RgbImage {
        let world = self.app.world_mut();
        world.resource_mut::<TerrainWind>().speed = speed;
        world.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(seconds)));
        offscreen::update(&mut self.app);
        self.app.world_mut().insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
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

/// The wind at places relative to an origin, on the card.
const SHADER: &str = "
@group(0) @binding(0) var<storage, read> wind: Wind;
@group(0) @binding(1) var<storage, read> places: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read_write> found: array<vec2<f32>>;

@compute @workgroup_size(64)
fn blow(@builtin(global_invocation_id) id: vec3<u32>) {
    found[id.x] = wind_at(wind, places[id.x], 0.0);
}
";

#[test]
fn shaders_have_the_wind_of_the_processor() {
    const PLACES: usize = 1 << 14;
    let own = [
        include_str!("../../../../crates/bevy_noise_terrain_land/src/gpu/value_noise.wesl"),
        include_str!("../../../../crates/bevy_noise_terrain_land/src/gpu/wind.wesl"),
    ];
    let libraries = [NOISE_WGSL, own[0], own[1], SHADER];
    let source = libraries.concat();
    // All in one text: nothing is imported.
    let source: String =
        source.lines().filter(|line| !line.starts_with("import ")).flat_map(|line| [line, "\n"]).collect();
    let compute = Compute::open().expect(DRIVER_HELP);
    let pipeline = compute.pipeline(&source, "blow");
    let mut wind = Wind::new(&TerrainWind { speed: 14.0, gusts: 1.0, veer: 60.0, ..default() });
    wind.advance(98_765.4);
    for origin in [[0.0, 0.0], [1e6, -2e6], [-1e9, 3e8]] {
        let places: Vec<[f32; 2]> =
            (0..PLACES).map(|i| [(i % 127) as f32 * 31.7 - 2_000.0, (i / 127) as f32 * 29.3 - 1_900.0]).collect();
        let words: Vec<u32> = places.iter().flatten().map(|place| place.to_bits()).collect();
        let groups = [PLACES as u32 / 64, 1];
        let (found, _) = compute.run(&pipeline, &[&wind.for_shader(origin), &words], 2 * PLACES, groups).unwrap();
        for (place, found) in places.iter().zip(found.chunks_exact(2)) {
            let found = Vec2::new(f32::from_bits(found[0]), f32::from_bits(found[1]));
            let expected = wind.at(origin[0] + f64::from(place[0]), origin[1] + f64::from(place[1]));
            // Places are rounded to parts of a millimetre, and a gust changes by some m/s within metres.
            assert!((found - expected).length() < 0.02, "{origin:?} {place:?}: {found} for {expected}");
        }
    }
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
