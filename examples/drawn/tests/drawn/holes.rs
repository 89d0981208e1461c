//! Holes are drawn along their outlines, at every distance, in every pass, and from one frame to the next.

use std::time::{Duration, Instant};

use bevy::camera::RenderTarget;
use bevy::core_pipeline::prepass::{DeferredPrepass, DepthPrepass, MotionVectorPrepass, NormalPrepass};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::light::{CascadeShadowConfigBuilder, DirectionalLightShadowMap, GlobalAmbientLight};
use bevy::math::DVec3;
use bevy::pbr::DefaultOpaqueRendererMethod;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::pipelined_rendering::PipelinedRenderingPlugin;
use bevy::render::render_resource::TextureFormat;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_noise_terrain::Surface;
use bevy_noise_terrain::edits::{Hole, TerrainHoles};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::constant;
use examples_common::{offscreen, settle};
use image::RgbImage;

const WIDTH: u32 = 160;
const HEIGHT: u32 = 120;
/// Vertical field of view in radians.
const FIELD_OF_VIEW: f32 = 0.4;
/// View distance in metres, where nothing far away is in sight.
const NEAR: f64 = 1_000.0;
/// Colour of the background; no ground has it.
const BACKGROUND: [u8; 3] = [255, 0, 255];

struct Stage {
    app: App,
    canvas: Handle<Image>,
    camera: Entity,
    terrain: Entity,
}

impl Stage {
    fn new(land: impl Bundle, more: impl FnOnce(&mut App)) -> Self {
        let (app, canvas) = offscreen::app(WIDTH, HEIGHT);
        Self::with(app, canvas, land, more)
    }

    fn with(mut app: App, canvas: Handle<Image>, land: impl Bundle, more: impl FnOnce(&mut App)) -> Self {
        app.add_plugins(NoiseTerrainPlugin)
            .insert_resource(ClearColor(Color::srgb_u8(BACKGROUND[0], BACKGROUND[1], BACKGROUND[2])))
            .insert_resource(GlobalAmbientLight { brightness: 900.0, ..default() });
        more(&mut app);
        let terrain = app.world_mut().spawn(land).id();
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

    fn place(&mut self, eye: Transform) {
        *self.app.world_mut().get_mut::<Transform>(self.camera).unwrap() = eye;
    }

    fn holes(&mut self) -> Mut<'_, TerrainHoles> {
        self.app.world_mut().get_mut(self.terrain).unwrap()
    }

    fn settle(&mut self) {
        settle(&mut self.app).unwrap();
    }

    fn picture(&mut self, eye: Transform) -> RgbImage {
        self.place(eye);
        self.settle();
        offscreen::picture(&mut self.app, &self.canvas, offscreen::update)
            .expect("no picture came: the renderer has stopped")
    }
}

fn is_background(picture: &RgbImage, x: u32, y: u32) -> bool {
    picture.get_pixel(x, y).0 == BACKGROUND
}

fn fail(picture: &RgbImage, name: &str, words: &str) -> ! {
    let file = std::env::temp_dir().join(format!("terrain_hole_{name}.png"));
    picture.save(&file).unwrap();
    panic!("{words}; see {}", file.display());
}

/// The direction of a pixel's ray.
fn ray(eye: &Transform, x: u32, y: u32) -> DVec3 {
    let half = f64::from(FIELD_OF_VIEW / 2.0).tan();
    let across = (2.0 * (f64::from(x) + 0.5) / f64::from(WIDTH) - 1.0) * half * f64::from(WIDTH) / f64::from(HEIGHT);
    let up = (1.0 - 2.0 * (f64::from(y) + 0.5) / f64::from(HEIGHT)) * half;
    eye.rotation.as_dquat() * DVec3::new(across, up, -1.0)
}

/// What rays find for each pixel.
struct Expected(Vec<bool>);

impl Expected {
    fn of(land: &Surface, eye: &Transform) -> Self {
        let whole = land.with_holes(&TerrainHoles::default());
        let hole = |x: u32, y: u32| {
            let hit = whole.raycast(eye.translation.as_dvec3(), ray(eye, x, y), 1e5).expect("land is everywhere");
            land.is_hole(hit.position.x, hit.position.z)
        };
        Self((0..WIDTH * HEIGHT).map(|index| hole(index % WIDTH, index / WIDTH)).collect())
    }

    fn at(&self, x: i32, y: i32) -> bool {
        let (x, y) = (x.clamp(0, WIDTH as i32 - 1), y.clamp(0, HEIGHT as i32 - 1));
        self.0[(y * WIDTH as i32 + x) as usize]
    }

    /// Compares it with a picture: background in holes, and nowhere else. Within two pixels of an outline, it may be either.
    /// Returns how many pixels of holes there are.
    fn check(&self, picture: &RgbImage, name: &str) -> u32 {
        let mut holes = 0;
        for y in 0..HEIGHT as i32 {
            for x in 0..WIDTH as i32 {
                let own = self.at(x, y);
                let is_on_rim = (-2..=2).any(|dy| (-2..=2).any(|dx| self.at(x + dx, y + dy) != own));
                if !is_on_rim && is_background(picture, x as u32, y as u32) != own {
                    fail(picture, name, &format!("{name}: pixel {x} {y} should be a hole: {own}"));
                }
                holes += u32::from(own && !is_on_rim);
            }
        }
        holes
    }
}

fn land(view_distance: f64) -> NoiseTerrain {
    NoiseTerrain { lod: TerrainLod { view_distance, ..default() }, ..default() }
}

/// Around a place: a small disc, a turned rectangle, a star, and others large enough to be seen from far above.
fn some_holes(x: f64, z: f64) -> TerrainHoles {
    let at = |dx: f64, dz: f64| DVec3::new(x + dx, 0.0, z + dz);
    let mut holes = TerrainHoles::default();
    holes.apply(Hole::disc(at(-7.0, 1.3), 2.5)).unwrap();
    holes.apply(Hole::rectangle(at(4.0, -3.0), [9.0, 3.0], 0.5)).unwrap();
    let point = |k: i32| {
        let angle = f64::from(k) * std::f64::consts::PI / 5.0;
        let radius = if k % 2 == 0 { 5.0 } else { 1.8 };
        at(3.0 + radius * angle.cos(), 7.0 + radius * angle.sin())
    };
    holes.apply(Hole::polygon((0..10).map(point))).unwrap();
    holes.apply(Hole::disc(at(-400.0, 120.0), 150.0)).unwrap();
    holes.apply(Hole::rectangle(at(150.0, -300.0), [500.0, 90.0], -0.4)).unwrap();
    holes
}

/// Eyes above a place, straight down and aslant, from near to far.
fn eyes(x: f64, z: f64) -> Vec<(String, Transform)> {
    let ground = land(NEAR).surface().unwrap().height(x, z) as f32;
    let target = Vec3::new(x as f32, ground, z as f32);
    let poses = [(30.0, 0.0), (60.0, 20.0), (1_400.0, 0.0), (3_000.0, 400.0)];
    let pose = |(up, aside): (f32, f32)| {
        let eye = Transform::from_translation(target + Vec3::new(aside, up, 0.3 * aside)).looking_at(target, Vec3::Z);
        (format!("from {up} m"), eye)
    };
    poses.map(pose).into()
}

#[test]
fn holes_end_along_their_outlines_at_every_distance() {
    let (x, z) = (310.0, -150.0);
    let mut stage = Stage::new((land(8_000.0), some_holes(x, z)), |_| {});
    let surface = land(NEAR).surface().unwrap().with_holes(&some_holes(x, z));
    for (name, eye) in eyes(x, z) {
        let picture = stage.picture(eye);
        if let Ok(folder) = std::env::var("TERRAIN_PICTURES") {
            picture.save(format!("{folder}/hole {name}.png")).unwrap();
        }
        let found = Expected::of(&surface, &eye).check(&picture, &name);
        assert!(found > 60, "{name}: {found} pixels of holes");
    }
}

#[test]
fn prepasses_and_deferred_shading_have_the_same_holes() {
    let (x, z) = (310.0, -150.0);
    let surface = land(NEAR).surface().unwrap().with_holes(&some_holes(x, z));
    let (name, eye) = eyes(x, z).swap_remove(1);
    let expected = Expected::of(&surface, &eye);
    for is_deferred in [false, true] {
        let mut stage = Stage::new((land(NEAR), some_holes(x, z)), |app| {
            if is_deferred {
                app.insert_resource(DefaultOpaqueRendererMethod::deferred());
            }
        });
        let mut camera = stage.app.world_mut().entity_mut(stage.camera);
        camera.insert((DepthPrepass, MotionVectorPrepass));
        if is_deferred {
            camera.insert(DeferredPrepass);
        } else {
            camera.insert(NormalPrepass);
        }
        let picture = stage.picture(eye);
        let name = format!("{name}, deferred {is_deferred}");
        assert!(expected.check(&picture, &name) > 60, "{name}");
    }
}

#[test]
fn light_falls_through_a_hole() {
    let flat =
        NoiseTerrain { noise: constant(0.0), lod: TerrainLod { view_distance: 1_000.0, ..default() }, ..default() };
    let mut holes = TerrainHoles::default();
    holes.apply(Hole::rectangle(DVec3::ZERO, [6.0, 4.0], 0.0)).unwrap();
    let mut stage = Stage::new((flat, holes), |app| {
        app.insert_resource(DirectionalLightShadowMap { size: 2_048 })
            .insert_resource(GlobalAmbientLight { brightness: 20.0, ..default() });
        let sun = DirectionalLight { illuminance: 20_000.0, shadow_maps_enabled: true, ..default() };
        let cascades = CascadeShadowConfigBuilder { num_cascades: 1, maximum_distance: 60.0, ..default() }.build();
        // Ten metres lower it has gone five aside.
        app.world_mut().spawn((sun, cascades, Transform::default().looking_to(Vec3::new(0.5, -1.0, 0.0), Vec3::Z)));
        let floor = app.world_mut().resource_mut::<Assets<Mesh>>().add(Plane3d::default().mesh().size(100.0, 100.0));
        let white = StandardMaterial { perceptual_roughness: 1.0, reflectance: 0.0, ..default() };
        let white = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(white);
        app.world_mut().spawn((Mesh3d(floor), MeshMaterial3d(white), Transform::from_xyz(0.0, -10.0, 0.0)));
    });
    // Under the land, which is seen from above alone.
    let eye = Transform::from_xyz(5.0, 25.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let below = Transform::from_xyz(5.0, -1.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    drop(stage.picture(eye));
    let Projection::Perspective(lens) = &mut *stage.app.world_mut().get_mut::<Projection>(stage.camera).unwrap() else {
        panic!("a perspective camera");
    };
    lens.fov = 1.4;
    let picture = stage.picture(below);
    if let Ok(folder) = std::env::var("TERRAIN_PICTURES") {
        picture.save(format!("{folder}/light through a hole.png")).unwrap();
    }
    // Nine metres below the eye, at the floor: metres to pixels.
    let scale = f64::from(HEIGHT) / (2.0 * 9.0 * (0.7f64).tan());
    let brightness = |x: f64, z: f64| {
        let [column, row] = [f64::from(WIDTH) / 2.0 + (x - 5.0) * scale, f64::from(HEIGHT) / 2.0 + z * scale];
        picture.get_pixel(column as u32, row as u32).0[1]
    };
    // The spot is the hole, five metres aside.
    let (lit, dark) = (brightness(5.0, 0.0), brightness(10.5, 0.0));
    assert!(lit > 2 * dark.max(20), "{lit} in the light, {dark} beside it");
    for (x, z) in [(2.5, 0.0), (7.5, 0.0), (5.0, 1.5), (5.0, -1.5)] {
        let found = brightness(x, z);
        assert!(found > lit / 2, "{found} at {x} {z}, {lit} in the middle");
    }
    // Shadows are a little smaller than what casts them, so that it does not shade itself.
    for (x, z) in [(1.0, 0.0), (9.0, 0.0), (5.0, 3.0), (5.0, -3.0)] {
        let found = brightness(x, z);
        assert!(found < lit / 2, "{found} at {x} {z}, {lit} in the middle");
    }
}

/// An app whose pipelines are compiled while it goes on, as in games.
fn unhurried() -> (App, Handle<Image>) {
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() })
            .set(examples_common::assets())
            .set(RenderPlugin { synchronous_pipeline_compilation: false, ..default() })
            .disable::<WinitPlugin>()
            .disable::<PipelinedRenderingPlugin>(),
    );
    let image = Image::new_target_texture(WIDTH, HEIGHT, TextureFormat::Rgba8UnormSrgb, None);
    let canvas = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    (app, canvas)
}

/// Pictures of frames, in their order.
#[derive(Resource, Default)]
struct Film(Vec<RgbImage>);

/// Pictures of the next frames.
fn film(stage: &mut Stage, frames: u32) -> Vec<RgbImage> {
    for _ in 0..frames {
        let keep = |captured: On<ScreenshotCaptured>, mut film: ResMut<Film>| {
            film.0.push(captured.image.clone().try_into_dynamic().unwrap().to_rgb8());
        };
        stage.app.world_mut().spawn(Screenshot::image(stage.canvas.clone())).observe(keep);
        offscreen::update(&mut stage.app);
        std::thread::sleep(Duration::from_millis(5));
    }
    // They come some frames later, by tasks that may have to wait for others.
    let begun = Instant::now();
    while stage.app.world().resource::<Film>().0.len() < frames as usize {
        offscreen::update(&mut stage.app);
        assert!(begun.elapsed() < offscreen::PATIENCE, "no picture came: the renderer has stopped");
    }
    std::mem::take(&mut stage.app.world_mut().resource_mut::<Film>().0)
}

fn is_whole(picture: &RgbImage) -> bool {
    picture.pixels().all(|pixel| pixel.0 != BACKGROUND)
}

#[test]
fn a_hole_appears_in_one_frame_and_no_frame_lacks_its_chunk() {
    let (x, z) = (310.0, -150.0);
    let (app, canvas) = unhurried();
    let mut stage = Stage::with(app, canvas, (land(NEAR), TerrainHoles::default()), |app| {
        app.init_resource::<Film>();
    });
    let surface = land(NEAR).surface().unwrap();
    let (_, eye) = eyes(x, z).swap_remove(1);
    stage.place(eye);
    // Until Bevy has compiled what draws the land.
    stage.settle();
    while !film(&mut stage, 1).iter().all(is_whole) {}
    let id = stage.holes().apply(Hole::disc(DVec3::new(x, 0.0, z), 6.0)).unwrap();
    let mut holed = TerrainHoles::default();
    holed.insert(id, Hole::disc(DVec3::new(x, 0.0, z), 6.0)).unwrap();
    let with_hole = Expected::of(&surface.with_holes(&holed), &eye);
    let mut frames = Vec::new();
    while frames.last().is_none_or(is_whole) {
        frames.extend(film(&mut stage, 20));
        assert!(frames.len() < 2_000, "the hole never came");
    }
    // All or nothing.
    let first = frames.iter().position(|picture| !is_whole(picture)).unwrap();
    println!("the hole came after {first} of {} frames", frames.len());
    for (index, picture) in frames.iter().enumerate().skip(first) {
        with_hole.check(picture, &format!("frame {index}"));
    }
    // Another one comes in the very next frame, and both go in one.
    let other = stage.holes().apply(Hole::disc(DVec3::new(x + 9.0, 0.0, z), 2.0)).unwrap();
    holed.insert(other, Hole::disc(DVec3::new(x + 9.0, 0.0, z), 2.0)).unwrap();
    let with_both = Expected::of(&surface.with_holes(&holed), &eye);
    for (index, picture) in film(&mut stage, 4).iter().enumerate() {
        with_both.check(picture, &format!("frame {index} with both"));
    }
    stage.holes().clear();
    for (index, picture) in film(&mut stage, 4).iter().enumerate() {
        if !is_whole(picture) {
            fail(picture, "filled", &format!("frame {index} after the holes were filled has some"));
        }
    }
}
