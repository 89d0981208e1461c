//! An absolute position looks the same wherever the terrain's origin lies.

use bevy::camera::{Exposure, RenderTarget};
use bevy::light::GlobalAmbientLight;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use examples_common::{offscreen, settle};
use image::RgbImage;

/// Pictures of absolute positions, which have meadows, forest, rock and snow, with origins shifted by `shifts`.
fn draw(places: &[[f64; 2]], shifts: &[[f64; 2]]) -> Vec<Vec<RgbImage>> {
    let (mut app, canvas) = offscreen::app(160, 90);
    app.add_plugins(NoiseTerrainPlugin)
        .insert_resource(GlobalAmbientLight { brightness: 8_000.0, ..default() })
        .insert_resource(ClearColor(Color::WHITE));
    let land = NoiseTerrain { lod: TerrainLod { view_distance: 4_000.0, ..default() }, ..default() };
    let surface = land.surface().unwrap();
    let terrain = app.world_mut().spawn(land).id();
    let lens = (Camera3d::default(), Exposure { ev100: 12.0 }, Msaa::Off, RenderTarget::Image(canvas.clone().into()));
    let camera = app.world_mut().spawn((lens, TerrainViewer)).id();
    offscreen::finish(&mut app);
    let mut picture = |place: &[f64; 2], shift: &[f64; 2]| {
        let ground = surface.height(place[0], place[1]) as f32;
        let world = app.world_mut();
        world.entity_mut(terrain).insert(TerrainOrigin { x: place[0] + shift[0], z: place[1] + shift[1] });
        let eye = Vec3::new(-shift[0] as f32, ground + 250.0, -shift[1] as f32);
        let eye = Transform::from_translation(eye).looking_to(Vec3::new(0.5, -0.5, -0.8), Vec3::Y);
        world.entity_mut(camera).insert(eye);
        settle(&mut app).unwrap();
        offscreen::picture(&mut app, &canvas, offscreen::update).expect("a picture")
    };
    places.iter().map(|place| shifts.iter().map(|shift| picture(place, shift)).collect()).collect()
}

/// The mean difference of two pictures, of 255.
fn difference(a: &RgbImage, b: &RgbImage) -> f32 {
    let sum: u32 = a.as_raw().iter().zip(b.as_raw()).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
    sum as f32 / a.as_raw().len() as f32
}

#[test]
fn the_land_looks_the_same_when_the_origin_moves() {
    // Near the absolute origin, where coordinates change sign, and a million kilometres away.
    let places = [[-100.0, -40.0], [1e9, -1e9]];
    let drawn = draw(&places, &[[0.0, 0.0], [-8_192.0, 0.0], [4_000.5, -8_192.0], [0.0, 70_000.0]]);
    for (place, pictures) in places.iter().zip(drawn) {
        let colours: std::collections::HashSet<_> =
            pictures[0].pixels().map(|pixel| pixel.0.map(|byte| byte / 8)).collect();
        assert!(colours.len() > 20, "there is something to see: {} colours", colours.len());
        for (index, other) in pictures.iter().enumerate().skip(1) {
            let error = difference(&pictures[0], other);
            println!("{place:?}, origin {index}: {error:.2} of 255");
            assert!(error < 1.5, "{place:?}, origin {index}: {error} of 255 on average");
        }
    }
}
