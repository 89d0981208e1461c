//! Clouds shade the land under them, and nothing else; and an eye among them sees the land, no straight edges, and mountains
//! behind clouds.

use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy::render::view::ColorGrading;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::prelude::*;
use bevy_noise_terrain::terrain_noise::{Grid, Scratch};

use examples_common::{offscreen, settle};

const SIDE: u32 = 64;
/// Height of the plain in metres.
const PLAIN: f32 = 500.0;
/// Height of the camera above the plain in metres.
const EYE: f32 = 1_500.0;
/// Pixels with less than this fraction of the light under an open sky are in shadow. Skylight is not dimmed.
const DARK: f32 = 0.5;
/// Pixels with more than this fraction are lit.
const BRIGHT: f32 = 0.95;
/// Metres from the base of the clouds to their tops.
const THICKNESS: f32 = 900.0;

struct Stage {
    app: App,
    canvas: Handle<Image>,
}

impl Stage {
    fn straight_down() -> Self {
        Self::new(Vec3::NEG_Y, 4_000.0)
    }

    fn new(heading: Vec3, view_distance: f64) -> Self {
        let (mut app, canvas) = offscreen::app(SIDE, SIDE);
        app.add_plugins((NoiseTerrainPlugin, TerrainSkyPlugin));
        let mut terrain = NoiseTerrain { noise: perlin().scale(0.1).offset(f64::from(PLAIN)), ..default() };
        terrain.lod.view_distance = view_distance;
        let ground = TerrainGround { layers: vec![GroundLayer::default()], detail_normals: 0.0, ..default() };
        app.world_mut().spawn((terrain, ground));
        app.world_mut().spawn((DirectionalLight::default(), TerrainSun::default()));
        app.world_mut().spawn((
            Camera3d::default(),
            Transform::from_xyz(0.0, PLAIN + EYE, 0.0).looking_to(heading, Vec3::NEG_Z + Vec3::Y),
            TerrainSkyView { fog: false, ambient: false, ..default() },
            // Clouds would change it, and with it the land in which they are looked for.
            AmbientLight { brightness: 5_000.0, ..default() },
            Msaa::Off,
            Tonemapping::Linear,
            ColorGrading::default(),
            RenderTarget::Image(canvas.clone().into()),
            TerrainViewer,
        ));
        offscreen::finish(&mut app);
        Self { app, canvas }
    }

    /// Linear light of every pixel, 0 to 1.
    fn light(&mut self, sky: TerrainSky) -> Vec<f32> {
        self.app.insert_resource(sky);
        settle(&mut self.app).unwrap();
        let picture = offscreen::picture(&mut self.app, &self.canvas, offscreen::update).expect("no picture came");
        picture.pixels().map(|pixel| (f32::from(pixel.0[1]) / 255.0).powf(2.2)).collect()
    }
}

#[test]
fn clouds_dim_the_land_under_them() {
    let mut stage = Stage::straight_down();
    // A pattern that repeats within the picture, at noon.
    let open = TerrainSky { time: 12.0, cloud_cover: 0.0, cloud_size: 1.2, cloud_wind: 0.0, ..default() };
    let lit = stage.light(open.clone());
    let mean = lit.iter().sum::<f32>() / lit.len() as f32;
    assert!((0.05..0.9).contains(&mean), "the plain is lit: {mean}");
    let mut shares =
        |sky: TerrainSky| stage.light(sky).iter().zip(&lit).map(|(left, lit)| left / lit).collect::<Vec<_>>();
    let count = |shares: &[f32], is: &dyn Fn(f32) -> bool| shares.iter().filter(|&&share| is(share)).count();
    let all = (SIDE * SIDE) as usize;

    let overcast = shares(TerrainSky { cloud_cover: 1.0, ..open.clone() });
    // Full cover closes nine tenths of the sky.
    assert!(count(&overcast, &|share| share < DARK) > all * 4 / 5, "a closed sky leaves the land bright");

    let broken = shares(TerrainSky { cloud_cover: 0.5, ..open.clone() });
    let (dark, bright) = (count(&broken, &|share| share < DARK), count(&broken, &|share| share > BRIGHT));
    assert!(dark > all / 8 && bright > all / 8, "under broken clouds {dark} are dark and {bright} bright of {all}");

    let without = shares(TerrainSky { cloud_cover: 1.0, cloud_shadows: 0.0, ..open.clone() });
    assert!(count(&without, &|share| share > BRIGHT) == all, "clouds without shadows cast some");

    let beneath = shares(TerrainSky { cloud_cover: 1.0, cloud_height: PLAIN - 100.0, cloud_thickness: 80.0, ..open });
    assert!(count(&beneath, &|share| share > BRIGHT) == all, "clouds beneath the land cast shadows up");
}

/// A sky whose clouds have their middle so far above the plain, without shadows.
fn layer(middle: f32, cloud_cover: f32) -> TerrainSky {
    let cloud_height = PLAIN + middle - 0.5 * THICKNESS;
    let still = TerrainSky { cloud_thickness: THICKNESS, cloud_wind: 0.0, cloud_shadows: 0.0, ..default() };
    TerrainSky { cloud_height, cloud_cover, cirrus: 0.0, ..still }
}

#[test]
fn clouds_open_around_an_eye_among_them() {
    let mut stage = Stage::straight_down();
    let open = stage.light(layer(EYE, 0.0));
    let mut seen = |middle: f32| {
        let light = stage.light(layer(middle, 1.0));
        let same = light.iter().zip(&open).filter(|(light, open)| (*light / *open - 1.0).abs() < 0.05).count();
        same as f32 / open.len() as f32
    };
    let among = seen(EYE);
    assert!(among > 0.99, "an eye in the middle of closed clouds sees {among} of the land below it");
    let above = seen(EYE - 0.5 * THICKNESS - 550.0);
    assert!(above < 0.3, "an eye above closed clouds sees {above} of the land below them");
}

/// A plain, and a wall to the north that is higher than any cloud.
struct Wall;

impl Wall {
    const DISTANCE: f64 = 12_000.0;
}

impl HeightSource for Wall {
    fn fill(&self, grid: &Grid, _: &mut Scratch, heights: &mut [f32]) {
        for (index, height) in heights.iter_mut().enumerate() {
            let position = [grid.x(index % grid.size[0]), grid.z(index / grid.size[0])];
            *height = self.height(position, grid.footprint);
        }
    }

    fn height(&self, [_, z]: [f64; 2], _: f64) -> f32 {
        PLAIN + 8_000.0 * ((-z - Self::DISTANCE) / 500.0).clamp(0.0, 1.0) as f32
    }
}

#[test]
fn a_mountain_is_behind_the_clouds_before_it_and_before_those_behind_it() {
    let mut stage = Stage::new(Vec3::NEG_Z, 30_000.0);
    let world = stage.app.world_mut();
    let terrain = world.query_filtered::<Entity, With<NoiseTerrain>>().single(world).unwrap();
    world.entity_mut(terrain).insert(TerrainSource::new(Wall));
    let clear = stage.light(layer(EYE, 0.0));
    let rows = clouded(&stage.light(layer(EYE, 0.8)), &clear);
    let (above, below) = rows.split_at(rows.len() / 2);
    let near = [above.iter().rev().take(3).sum::<usize>(), below.iter().take(3).sum()];
    assert!(near.iter().all(|&count| count > SIDE as usize), "no clouds before the wall at the eye's height: {rows:?}");
    // So near that there is no cloud before it.
    let world = stage.app.world_mut();
    let mut camera = world.query_filtered::<&mut Transform, With<Camera3d>>().single_mut(world).unwrap();
    camera.translation.z = -(Wall::DISTANCE as f32) + 600.0;
    let clear = stage.light(layer(EYE, 0.0));
    let rows = clouded(&stage.light(layer(EYE, 0.8)), &clear);
    assert_eq!(rows.iter().sum::<usize>(), 0, "clouds are seen through the wall: {rows:?}");
}

/// In how many of a row's pixels clouds are seen.
fn clouded(light: &[f32], clear: &[f32]) -> Vec<usize> {
    let is_clouded = |(light, clear): (&f32, &f32)| (light - clear).abs() > 0.05;
    let rows = light.chunks(SIDE as usize).zip(clear.chunks(SIDE as usize));
    rows.map(|(light, clear)| light.iter().zip(clear).filter(|&pair| is_clouded(pair)).count()).collect()
}

#[test]
fn clouds_go_on_across_the_horizon() {
    let mut stage = Stage::new(Vec3::NEG_Z, 60_000.0);
    let clear = stage.light(layer(EYE, 0.0));
    for cover in [0.5, 0.7] {
        let rows = clouded(&stage.light(layer(EYE, cover)), &clear);
        let (above, below) = rows.split_at(rows.len() / 2);
        let near = [above.iter().rev().take(4).sum::<usize>(), below.iter().take(4).sum()];
        assert!(near[1] > 2 * SIDE as usize, "there are few clouds below the horizon: {rows:?}");
        assert!(4 * near[0] > near[1], "clouds end at the horizon: {rows:?}");
        let down = &below[below.len() / 2..];
        assert!(down.iter().skip(6).all(|&count| count == 0), "clouds near by hide the land: {rows:?}");
    }
}
