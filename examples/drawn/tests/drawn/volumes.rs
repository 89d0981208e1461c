//! Volumes meet the land at every level of detail: from no eye is the background seen through the seam.

use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::prelude::*;
use bevy_noise_terrain::volumes::{TerrainVolume, TerrainVolumes, VolumeKind, VolumeScatter, VolumeShape};
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
        noise: perlin().fbm().octaves(6).feature_size(80.0).range(-30.0, 30.0),
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
    /// Land without volumes.
    fn new() -> Self {
        let (mut app, canvas) = offscreen::app(SIZE[0], SIZE[1]);
        app.add_plugins(NoiseTerrainPlugin).insert_resource(ClearColor(Color::srgb_u8(255, 0, 255)));
        let terrain = app.world_mut().spawn((land(), TerrainVolumes::default())).id();
        app.world_mut().spawn((DirectionalLight::default(), Transform::default().looking_to(Vec3::NEG_ONE, Vec3::Y)));
        let target = RenderTarget::Image(canvas.clone().into());
        let camera = (Camera3d::default(), Msaa::Off, Tonemapping::Linear, target, TerrainViewer);
        let camera = app.world_mut().spawn(camera).id();
        offscreen::finish(&mut app);
        let mut stage = Self { app, canvas, camera, terrain };
        stage.use_lens(0.8);
        stage
    }

    fn volumes(&mut self) -> Mut<'_, TerrainVolumes> {
        self.app.world_mut().get_mut(self.terrain).unwrap()
    }

    /// Sets the vertical field of view, in radians.
    fn use_lens(&mut self, fov: f32) {
        let lens = Projection::Perspective(PerspectiveProjection { fov, ..default() });
        self.app.world_mut().entity_mut(self.camera).insert(lens);
    }

    /// Moves the camera, and waits until land and volumes are there.
    fn go(&mut self, eye: Transform) {
        *self.app.world_mut().get_mut::<Transform>(self.camera).unwrap() = eye;
        settle(&mut self.app).unwrap();
    }

    fn picture(&mut self, eye: Transform) -> RgbImage {
        self.go(eye);
        offscreen::picture(&mut self.app, &self.canvas, offscreen::update).expect("no picture came")
    }
}

fn background(picture: &RgbImage) -> usize {
    picture.pixels().filter(|pixel| pixel.0 == BACKGROUND).count()
}

/// By how much the colours of two pictures differ, on average, of 255.
fn difference(a: &RgbImage, b: &RgbImage) -> f64 {
    let parts = a.as_raw().iter().zip(b.as_raw()).map(|(&a, &b)| f64::from(a.abs_diff(b)));
    parts.sum::<f64>() / a.as_raw().len() as f64
}

#[test]
fn no_background_is_seen_through_the_seam_and_land_without_a_volume_is_as_it_was() {
    let mut stage = Stage::new();
    let surface = land().surface().unwrap();
    let ground = |x: f64, z: f64| surface.height(x, z) as f32;
    let above = |x: f32, up: f32, z: f32| Vec3::new(x, ground(x.into(), z.into()) + up, z);
    let over = Transform::from_translation(above(0.0, 40.0, 0.0)).looking_to(Vec3::NEG_Y, Vec3::X);
    let before = stage.picture(over);
    let id = stage.volumes().apply(volume()).unwrap();
    let with = stage.picture(over);
    // From near, and from afar with long lenses, where the land has morphed: a gap of a hand's breadth is a pixel wide.
    let middle_of_box = above(0.0, 0.0, 0.0);
    let mut holes = Vec::new();
    for (index, (eye, lens)) in [
        (above(60.0, 15.0, 52.0), 0.8),
        (above(-49.0, 15.0, 30.0), 0.8),
        (above(300.0, 90.0, 200.0), 0.25),
        (above(-300.0, 70.0, 380.0), 0.2),
        (above(-900.0, 250.0, 500.0), 0.1),
        (above(150.0, 200.0, -1_500.0), 0.07),
    ]
    .into_iter()
    .enumerate()
    {
        stage.use_lens(lens);
        // Steeply enough that there is no sky in the lower half.
        let eye = Transform::from_translation(eye).looking_at(middle_of_box, Vec3::Y);
        let picture = stage.picture(eye);
        let is_low = |y: u32| y > SIZE[1] / 2 || lens < 0.5;
        holes.push(picture.enumerate_pixels().filter(|(_, y, pixel)| is_low(*y) && pixel.0 == BACKGROUND).count());
        picture.save(std::env::temp_dir().join(format!("terrain_volume_{index}.png"))).unwrap();
    }
    assert_eq!(holes, [0; 6], "pixels of background in each view");
    stage.use_lens(0.8);
    // From the bottom of the shaft, the sky and nothing else is seen through its mouth.
    let bottom = above(0.0, -13.0, 0.0);
    let up = stage.picture(Transform::from_translation(bottom).looking_to(Vec3::Y, Vec3::X));
    let share = background(&up) as f64 / f64::from(SIZE[0] * SIZE[1]);
    assert!((0.02..0.6).contains(&share), "{share}");
    let sideways = stage.picture(Transform::from_translation(bottom).looking_to(Vec3::X, Vec3::Y));
    assert_eq!(background(&sideways), 0, "walls have no gaps");
    // Taken away, it leaves the land as it was before.
    stage.volumes().undo(id);
    let after = stage.picture(over);
    for (picture, name) in [(&before, "before"), (&with, "with"), (&after, "after")] {
        picture.save(std::env::temp_dir().join(format!("terrain_volume_{name}.png"))).unwrap();
    }
    assert!(difference(&with, &before) > 5.0, "{}", difference(&with, &before));
    assert!(difference(&after, &before) < 0.5, "{}", difference(&after, &before));
}

#[test]
fn nothing_jumps_where_levels_of_detail_change() {
    let mut stage = Stage::new();
    stage.volumes().apply(volume()).unwrap();
    // The eye stays where it is while a viewer goes away, until the volume is one of the next level.
    stage.app.world_mut().entity_mut(stage.camera).remove::<TerrainViewer>();
    let viewer = stage.app.world_mut().spawn((Transform::default(), TerrainViewer)).id();
    let surface = land().surface().unwrap();
    let eye = Vec3::new(50.0, surface.height(0.0, 0.0) as f32 + 90.0, 40.0);
    let eye = Transform::from_translation(eye).looking_at(Vec3::new(0.0, eye.y - 90.0, 0.0), Vec3::Y);
    let mut pictures = Vec::new();
    for step in 0..12 {
        let x = 260.0 + 14.0 * f64::from(step);
        let at = Vec3::new(x as f32, surface.height(x, 0.0) as f32 + 2.0, 0.0);
        *stage.app.world_mut().get_mut::<Transform>(viewer).unwrap() = Transform::from_translation(at);
        let picture = stage.picture(eye);
        assert_eq!(background(&picture), 0, "at {x}");
        pictures.push(picture);
    }
    let steps: Vec<_> = pictures.windows(2).map(|pair| difference(&pair[0], &pair[1])).collect();
    let whole = difference(&pictures[0], &pictures[11]);
    let most = steps.iter().copied().fold(0.0, f64::max);
    // Levels that change at once make a jump of 5.
    assert!(whole > 4.0 && most < 3.0, "{steps:.2?} of {whole:.2}");
}

#[test]
fn scattered_caves_are_there_wherever_one_goes() {
    let kind = VolumeKind { spacing: 960.0, share: 1.0, ..VolumeKind::caves() };
    let caves = VolumeScatter { kinds: vec![kind] };
    let surface = land().surface().unwrap().with_volume_scatter(&caves).unwrap();
    let mut stage = Stage::new();
    // Over a place where the ground is open, far from where it began.
    let open = |from: f64| {
        let volumes: Vec<_> = surface.volumes_within([from; 2], [from + 4_800.0; 2]).collect();
        assert!(volumes.len() > 12, "{}", volumes.len());
        let places = volumes.iter().flat_map(|cave| {
            let [x, z] = cave.center;
            (0..400).map(move |k| [x + 4.0 * f64::from(k % 20 - 10), z + 4.0 * f64::from(k / 20 - 10)])
        });
        let mut open = places.filter(|&[x, z]| {
            let from = DVec3::new(x, surface.height(x, z) + 5.0, z);
            surface.raycast(from, DVec3::NEG_Y, 60.0).is_some_and(|hit| hit.distance > 9.0)
        });
        open.next().expect("no cave comes to light")
    };
    let [x, z] = open(40_000.0);
    let ground = surface.height(x, z) as f32;
    let eye = |up: f32| {
        let eye = Vec3::new(x as f32, ground + up, z as f32);
        Transform::from_translation(eye).looking_to(Vec3::NEG_Y, Vec3::X)
    };
    let heights = [300.0, 35.0];
    let bare = heights.map(|up| stage.picture(eye(up)));
    // They come far from there.
    stage.app.world_mut().entity_mut(stage.terrain).insert(caves);
    stage.go(Transform::default());
    for ((up, least), without) in heights.into_iter().zip([0.15, 2.0]).zip(&bare) {
        let with = stage.picture(eye(up));
        with.save(std::env::temp_dir().join(format!("terrain_scattered_caves_{up}.png"))).unwrap();
        assert_eq!((background(&with), background(without)), (0, 0), "at {x}, {z}, {up} m up");
        let difference = difference(&with, without);
        assert!(difference > least, "{difference} at {x}, {z}, {up} m up");
    }
    // They go when they are taken away.
    stage.app.world_mut().entity_mut(stage.terrain).remove::<VolumeScatter>();
    let gone = difference(&stage.picture(eye(300.0)), &bare[0]);
    assert!(gone < 0.5, "{gone}");
}
