//! Compares drawn frames of a flight with a ray-marched reference: no background below the horizon, no land above.

use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::light::GlobalAmbientLight;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::Surface;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::prelude::*;
use examples_common::{offscreen, settle};
use image::RgbImage;

const WIDTH: u32 = 320;
const HEIGHT: u32 = 180;
/// Vertical field of view in radians.
const FIELD_OF_VIEW: f32 = 1.0;
/// Colour of the background; no ground has it.
const BACKGROUND: [u8; 3] = [255, 0, 255];
/// Rows by which coarse land may differ from the finest at the horizon.
const TOLERANCE: u32 = 5;
/// View distance in metres.
const VIEW: f64 = 30_000.0;

struct Stage {
    app: App,
    canvas: Handle<Image>,
    camera: Entity,
    terrain: Entity,
}

impl Stage {
    fn new(settings: NoiseTerrain) -> Self {
        let (mut app, canvas) = offscreen::app(WIDTH, HEIGHT);
        app.add_plugins(NoiseTerrainPlugin)
            .insert_resource(ClearColor(Color::srgb_u8(BACKGROUND[0], BACKGROUND[1], BACKGROUND[2])))
            .insert_resource(GlobalAmbientLight { brightness: 900.0, ..default() });
        let terrain = app.world_mut().spawn(settings).id();
        let projection = PerspectiveProjection { fov: FIELD_OF_VIEW, far: 100_000.0, ..default() };
        let camera = app
            .world_mut()
            .spawn((
                Camera3d::default(),
                Projection::Perspective(projection),
                Msaa::Off,
                Tonemapping::Linear,
                RenderTarget::Image(canvas.clone().into()),
                TerrainViewer,
            ))
            .id();
        offscreen::finish(&mut app);
        Self { app, canvas, camera, terrain }
    }

    fn update(&mut self) {
        offscreen::update(&mut self.app);
    }

    fn stats(&self) -> &TerrainStats {
        self.app.world().get(self.terrain).unwrap()
    }

    fn place(&mut self, eye: Transform) {
        *self.app.world_mut().get_mut::<Transform>(self.camera).unwrap() = eye;
    }

    /// A picture from `eye`, with the detail that is loaded.
    fn picture(&mut self, eye: Transform) -> RgbImage {
        self.place(eye);
        offscreen::picture(&mut self.app, &self.canvas, offscreen::update)
            .expect("no picture came: the renderer has stopped")
    }
}

/// The highest row in a column whose ray hits land within `reach`; the camera is level.
fn horizon(surface: &Surface, eye: &Transform, column: u32, reach: f64) -> u32 {
    let meets = |row: u32| {
        let half = f64::from(FIELD_OF_VIEW / 2.0).tan();
        let x =
            (2.0 * (f64::from(column) + 0.5) / f64::from(WIDTH) - 1.0) * half * f64::from(WIDTH) / f64::from(HEIGHT);
        let y = (1.0 - 2.0 * (f64::from(row) + 0.5) / f64::from(HEIGHT)) * half;
        let direction = eye.rotation.as_dquat() * DVec3::new(x, y, -1.0);
        surface.raycast(eye.translation.as_dvec3(), direction, reach).is_some()
    };
    // If a ray hits land, so do all lower ones of its column.
    let (mut low, mut high) = (0, HEIGHT);
    while low < high {
        let middle = u32::midpoint(low, high);
        if meets(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

fn fail(picture: &RgbImage, words: &str) -> ! {
    let file = std::env::temp_dir().join("terrain_picture.png");
    picture.save(&file).unwrap();
    panic!("{words}; see {}", file.display());
}

/// Checks that below the first land of a column there is land all the way down.
fn check_closed(picture: &RgbImage, what: &str) {
    for column in 0..WIDTH {
        let background = (0..HEIGHT).map(|row| picture.get_pixel(column, row).0 == BACKGROUND);
        let holes = background.skip_while(|&is| is).filter(|&is| is).count();
        if holes > 0 {
            fail(picture, &format!("{what}, column {column}: {holes} pixels of background below the horizon"));
        }
    }
}

/// Checks that the drawn horizon is that of the heights, or lies between those of `surfaces`, in every sixteenth column.
/// Returns the number of columns in which the horizon is visible.
fn check_horizon(picture: &RgbImage, surfaces: &[Surface], eye: &Transform, what: &str) -> u32 {
    let mut horizons = 0;
    for column in (8..WIDTH).step_by(16) {
        let drawn = (0..HEIGHT).take_while(|&row| picture.get_pixel(column, row).0 == BACKGROUND).count() as u32;
        // Chunks are drawn completely: some land beyond the view distance may be visible.
        let rows = |reach: f64| surfaces.iter().map(move |surface| horizon(surface, eye, column, reach));
        let (surely, perhaps) = (rows(VIEW).max().unwrap(), rows(1.5 * VIEW).min().unwrap());
        if drawn > surely + TOLERANCE || drawn + TOLERANCE < perhaps {
            fail(
                picture,
                &format!("{what}, column {column}: horizon in row {drawn}, expected from {perhaps} to {surely}"),
            );
        }
        horizons += u32::from(surely > TOLERANCE && surely < HEIGHT - TOLERANCE);
    }
    horizons
}

#[test]
fn the_drawn_horizon_is_that_of_the_heights() {
    // Land whose silhouette differs only by a few pixels between levels.
    let hills = perlin().fbm().octaves(11).persistence(0.5).feature_size(2_400.0).seed(1).scale(150.0);
    let ridges = perlin().ridged_multifractal().octaves(12).persistence(0.5).feature_size(4_800.0).seed(2);
    let bends = perlin().fbm().octaves(3).feature_size(3_000.0).seed(4);
    let ranges = perlin().fbm().octaves(3).feature_size(16_000.0).seed(3).scale(1.3).offset(0.5).clamp(0.0, 1.0);
    let noise = hills.offset(260.0).add(ridges.warp(bends, 450.0).scale(1_450.0).mul(ranges));
    let mut settings = NoiseTerrain { noise, ..default() };
    let mut surface = settings.surface().unwrap();
    let mut stage = Stage::new(settings.clone());
    let pose = |x: f32, z: f32, turn: f32, surface: &Surface| {
        let ground = surface.height(f64::from(x), f64::from(z)) as f32;
        Transform::from_xyz(x, ground + 60.0, z).with_rotation(Quat::from_rotation_y(turn))
    };
    // Start elsewhere, until Bevy has loaded the shaders.
    let elsewhere = pose(2e5, -2e5, 0.0, &surface);
    stage.place(elsewhere);
    settle(&mut stage.app).unwrap();
    drop(stage.picture(elsewhere));
    let mut horizons = 0;
    // A teleport, then a fast flight while chunks are still loading: what is drawn are any of the levels, as the land is sharp
    // enough that one between the finest and the coarsest may be lower than both. Half meshes draw the coarsest with half of its
    // vertices.
    let level = |level: usize| {
        let lod = TerrainLod { spacing: settings.lod.spacing * 2f64.powi(level as i32), ..settings.lod };
        NoiseTerrain { lod, ..settings.clone() }.surface().unwrap()
    };
    let surfaces: Vec<_> = (0..=stage.stats().ranges.len()).map(level).collect();
    for step in 0..4 {
        let eye = pose(400.0 * step as f32, -150.0 * step as f32, 0.9 * step as f32, &surface);
        let what = format!("picture {step} of the flight");
        let picture = stage.picture(eye);
        check_closed(&picture, &what);
        horizons += check_horizon(&picture, &surfaces, &eye, &what);
    }
    // Another seed: without holes from its first frame, and soon at full detail.
    settings.seed = 5;
    *stage.app.world_mut().get_mut::<NoiseTerrain>(stage.terrain).unwrap() = settings.clone();
    surface = settings.surface().unwrap();
    while stage.stats().generation < 2 {
        stage.update();
    }
    let eye = pose(2_000.0, -750.0, 0.3, &surface);
    check_closed(&stage.picture(eye), "a new seed");
    settle(&mut stage.app).unwrap();
    let picture = stage.picture(eye);
    check_closed(&picture, "a new seed, settled");
    horizons += check_horizon(&picture, &[surface], &eye, "a new seed, settled");
    assert!(horizons > 50, "hardly any horizon was in sight: {horizons} columns");
}
