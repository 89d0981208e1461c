//! The layers that the ground tells of are those that are drawn.

use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::light::GlobalAmbientLight;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::edits::{Edit, TerrainEdits};
use bevy_noise_terrain::prelude::*;
use examples_common::{offscreen, settle};

/// Width and height of a picture.
const SIDE: u32 = 8;
/// Metres of the camera over the ground.
const HEIGHT: f32 = 2.0;
const PLACES: u32 = 100;

/// All over the default world, at cliffs, on summits and in valleys.
fn place(k: u32) -> (f64, f64) {
    (f64::from(k) * 137.3 - 9_000.0, f64::from(k * k % 97) * 211.7 - 8_000.0)
}

/// Paint at every third place: its middle, or its edge, of one layer or two.
fn painted() -> TerrainEdits {
    let mut edits = TerrainEdits::default();
    for k in (0..PLACES).step_by(3) {
        let (x, z) = place(k);
        let at = DVec3::new(x + 4.0 + 0.8 * f64::from(k % 7), 0.0, z);
        edits.apply(Edit::paint(at, 4.0, k as u8 % 7).falloff(5.0)).unwrap();
        if k % 2 == 0 {
            edits.apply(Edit::paint(at - DVec3::X * 2.0, 3.0, (k / 2) as u8 % 7).falloff(4.0)).unwrap();
        }
    }
    edits
}

/// Layers without textures, each of one colour that is the same everywhere, over the conditions of the default ground: red,
/// green, blue, and again.
fn coloured() -> TerrainGround {
    // Without detail normals, which fade in: right before the camera there are none.
    let mut ground = TerrainGround { detail_normals: 0.0, ..default() };
    for (index, layer) in ground.layers.iter_mut().enumerate() {
        let mut color = [0.0; 3];
        color[index % 3] = 0.5;
        *layer = GroundLayer {
            color: Color::linear_rgb(color[0], color[1], color[2]),
            albedo: String::new(),
            normal: String::new(),
            variation: 0.0,
            ..layer.clone()
        };
    }
    ground
}

/// Linear light of the picture's middle.
fn middle(picture: &image::RgbImage) -> [f32; 3] {
    let linear = |byte: u8| {
        let shown = f32::from(byte) / 255.0;
        if shown <= 0.04045 { shown / 12.92 } else { ((shown + 0.055) / 1.055).powf(2.4) }
    };
    let half = SIDE / 2;
    let mut sum = [0.0; 3];
    for (x, y) in [(half - 1, half - 1), (half, half - 1), (half - 1, half), (half, half)] {
        let pixel = picture.get_pixel(x, y).0.map(linear);
        sum = [0, 1, 2].map(|c| sum[c] + 0.25 * pixel[c]);
    }
    sum
}

#[test]
fn layers_are_drawn_as_they_are_told() {
    let (mut app, canvas) = offscreen::app(SIDE, SIDE);
    app.add_plugins(NoiseTerrainPlugin).insert_resource(GlobalAmbientLight { brightness: 2_000.0, ..default() });
    // Levels reach as far as they can at once.
    let streaming = TerrainStreaming { grow_seconds: 0.0, ..default() };
    let settings = NoiseTerrain { lod: TerrainLod { view_distance: 100.0, ..default() }, streaming, ..default() };
    let (by_nature, ground, edits) = (settings.surface().unwrap(), coloured(), painted());
    let land = by_nature.with_edits(&edits);
    let terrain = app.world_mut().spawn((settings, ground.clone(), edits)).id();
    // A pixel is a millimetre wide: seams are softer where it is wider.
    let lens = PerspectiveProjection { fov: 0.004, near: 0.1, ..default() };
    let camera = (
        Camera3d::default(),
        Projection::Perspective(lens),
        Msaa::Off,
        Tonemapping::Linear,
        RenderTarget::Image(canvas.clone().into()),
        TerrainViewer,
    );
    let camera = app.world_mut().spawn(camera).id();
    offscreen::finish(&mut app);
    let look = |app: &mut App, x: f64, z: f64| {
        let y = land.height(x, z) as f32 + HEIGHT;
        app.world_mut().entity_mut(terrain).insert(TerrainOrigin { x, z });
        let eye = Transform::from_xyz(0.0, y, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
        app.world_mut().entity_mut(camera).insert(eye);
        settle(app).unwrap();
        middle(&offscreen::picture(app, &canvas, offscreen::update).expect("no picture came"))
    };
    let (mut worst, mut mixed, mut seen, mut changed) = (0.0f32, 0, [0; 8], 0);
    let mut wrong = Vec::new();
    for k in 0..PLACES {
        let (x, z) = place(k);
        let shares = ground.shares(&land, x, z);
        changed += u32::from(shares != ground.shares(&by_nature, x, z));
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{shares:?}");
        let mut told = [0.0; 3];
        for (index, share) in shares.iter().enumerate() {
            told[index % 3] += share;
            seen[index] += u32::from(*share > 0.5);
        }
        let drawn = look(&mut app, x, z);
        let total: f32 = drawn.iter().sum();
        assert!(total > 0.05, "{x} {z}: nothing is drawn: {drawn:?}");
        // White light that rough surfaces mirror, measured where there is one colour.
        let white = 0.0105;
        let drawn = drawn.map(|part| (part / total - white) / (1.0 - 3.0 * white));
        let off = (0..3).map(|c| (told[c] - drawn[c]).abs()).fold(0.0, f32::max);
        mixed += u32::from(told.iter().all(|&share| share < 0.9));
        worst = worst.max(off);
        if off > 0.02 {
            wrong.push(format!("{x} {z}: told {told:?}, drawn {drawn:?}"));
        }
    }
    println!("{mixed} places are mixed, layers {seen:?}, worst {worst}, {} off", wrong.len());
    assert!(changed > 15, "{changed} places are painted");
    assert!(mixed > 3 && seen.iter().filter(|&&count| count > 2).count() > 3, "{mixed} {seen:?}");
    assert!(wrong.is_empty(), "{} of {PLACES}:\n{}", wrong.len(), wrong.join("\n"));
}
