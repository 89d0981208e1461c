//! The sky's light on surfaces that the sun does not reach.

use bevy::camera::{Exposure, RenderTarget};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy::render::view::ColorGrading;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::sky::SkyLight;

use examples_common::offscreen;

const ALBEDO: f32 = 0.5;

/// The green light of a matt, level surface without a sun, as a multiple of what it should give back, seen from so many radians
/// over it.
fn share(cloud_cover: f32, elevation: f32) -> f32 {
    let (mut app, canvas) = offscreen::app(32, 18);
    app.add_plugins(TerrainSkyPlugin).insert_resource(TerrainSky { cloud_cover, ..default() });
    let surface = app.world_mut().resource_mut::<Assets<Mesh>>().add(Plane3d::default().mesh().size(1_000.0, 1_000.0));
    let matt = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(StandardMaterial {
        base_color: Color::linear_rgb(ALBEDO, ALBEDO, ALBEDO),
        perceptual_roughness: 1.0,
        reflectance: 0.0,
        ..default()
    });
    app.world_mut().spawn((Mesh3d(surface), MeshMaterial3d(matt)));
    let eye = 10.0 * Vec3::new(elevation.cos(), elevation.sin(), 0.0);
    let camera = app.world_mut().spawn((
        TerrainSkyView { sky: false, fog: false, ..default() },
        Msaa::Off,
        Tonemapping::Linear,
        ColorGrading::default(),
        RenderTarget::Image(canvas.clone().into()),
        Transform::from_translation(eye).looking_at(Vec3::ZERO, Vec3::NEG_X + 0.1 * Vec3::Y),
    ));
    let camera = camera.id();
    offscreen::finish(&mut app);
    for _ in 0..10 {
        offscreen::update(&mut app);
    }
    let picture = offscreen::picture(&mut app, &canvas, offscreen::update).expect("no picture came");
    let middle = picture.get_pixel(picture.width() / 2, picture.height() / 2);
    let seen = Color::srgb_u8(middle[0], middle[1], middle[2]).to_linear().green;
    assert!((0.01..0.9).contains(&seen), "{seen} can be compared");
    let exposure = app.world().get::<Exposure>(camera).unwrap().exposure();
    let sky = app.world().resource::<SkyLight>().sky.ambient_under(cloud_cover).y;
    seen / (ALBEDO * sky * exposure)
}

#[test]
fn shade_gives_back_the_light_of_the_sky() {
    for (cover, elevation) in [(0.0, 1.5), (0.0, 0.6), (1.0, 1.5)] {
        let share = share(cover, elevation);
        assert!((0.85..1.18).contains(&share), "{share} of it with cover {cover} from {elevation} rad");
    }
}
