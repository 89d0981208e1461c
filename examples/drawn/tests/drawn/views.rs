//! A coast looks the same under another camera on top, beside another camera in the same place, on a map from any height, and on a
//! device with low limits, even beside a camera that this device cannot serve; and the origin moves without motion blur.
//!
//! One app draws on a device with all limits, and one on a small device.

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{Hdr, RenderTarget};
use bevy::core_pipeline::oit::OrderIndependentTransparencySettings;
use bevy::core_pipeline::tonemapping::{DebandDither, Tonemapping};
use bevy::math::DVec2;
use bevy::post_process::motion_blur::MotionBlur;
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use bevy::render::settings::{WgpuLimits, WgpuSettings};
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::prelude::*;
use examples_common::{offscreen, settle};
use image::RgbImage;

/// A coast with plants, clouds and shadows, and a camera above it.
struct Coast {
    app: App,
    canvas: Handle<Image>,
    terrain: Entity,
    camera: Entity,
}

impl Coast {
    fn new(settings: WgpuSettings) -> Self {
        let (mut app, canvas) = offscreen::app_with(160, 90, settings);
        app.add_plugins((NoiseTerrainPlugin, TerrainSkyPlugin))
            // Neither wind nor waves move.
            .insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::ZERO))
            .insert_resource(TerrainSky { cloud_cover: 0.6, cloud_height: 500.0, ..default() });
        let land = NoiseTerrain { lod: TerrainLod { view_distance: 3_000.0, ..default() }, ..default() };
        let ground = land.surface().unwrap().height(0.0, 0.0) as f32;
        let water = TerrainWater { level: ground + 10.0, ..default() };
        // Few plants: what they look like is for other tests.
        let near = |kind: ScatterKind| ScatterKind { distance: 0.2 * kind.distance, ..kind };
        let plants = TerrainScatter::temperate();
        let plants = TerrainScatter { kinds: plants.kinds.into_iter().map(near).collect(), ..plants };
        let terrain = app.world_mut().spawn((land, water, plants)).id();
        app.world_mut().spawn(TerrainSun::default());
        let eye = Vec3::new(0.0, ground + 120.0, 0.0);
        let eye = Transform::from_translation(eye).looking_to(Vec3::new(0.5, -0.2, -0.8), Vec3::Y);
        let target = RenderTarget::Image(canvas.clone().into());
        let camera = app.world_mut().spawn((TerrainSkyView::default(), Msaa::Off, target, TerrainViewer, eye)).id();
        offscreen::finish(&mut app);
        Self { app, canvas, terrain, camera }
    }

    /// The picture once everything is loaded.
    fn settled(&mut self) -> RgbImage {
        settle(&mut self.app).unwrap();
        self.picture()
    }

    /// The picture of the next frame.
    fn picture(&mut self) -> RgbImage {
        let picture = offscreen::picture(&mut self.app, &self.canvas, offscreen::update).expect("a picture");
        if let Ok(folder) = std::env::var("PICTURES") {
            static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
            let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            picture.save(format!("{folder}/views{count}.png")).unwrap();
        }
        let colours: std::collections::HashSet<_> =
            picture.pixels().map(|pixel| pixel.0.map(|byte| byte / 8)).collect();
        assert!(colours.len() > 40, "there is something to see: {} colours", colours.len());
        picture
    }

    /// Another camera, which draws into an image of its own.
    fn beside(&mut self, camera: impl Bundle) -> Entity {
        let image = Image::new_target_texture(64, 64, TextureFormat::Rgba8UnormSrgb, None);
        let image = self.app.world_mut().resource_mut::<Assets<Image>>().add(image);
        self.app.world_mut().spawn((camera, Msaa::Off, RenderTarget::Image(image.into()))).id()
    }

    fn eye(&mut self) -> Mut<'_, Transform> {
        self.app.world_mut().get_mut(self.camera).unwrap()
    }
}

/// The mean difference of two pictures, of 255.
pub fn difference(a: &RgbImage, b: &RgbImage) -> f32 {
    let sum: u32 = a.as_raw().iter().zip(b.as_raw()).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
    sum as f32 / a.as_raw().len() as f32
}

/// The coast, as another camera draws a mark over it: the land stays in sight.
fn a_camera_on_top_leaves_the_land_in_sight(coast: &mut Coast, alone: &RgbImage) {
    const MARK: u32 = 20;
    let layer = RenderLayers::layer(5);
    let world = coast.app.world_mut();
    let mark = world.resource_mut::<Assets<Mesh>>().add(Rectangle::from_length(0.2));
    let red = StandardMaterial { base_color: Color::srgb(1.0, 0.0, 0.0), unlit: true, ..default() };
    let red = world.resource_mut::<Assets<StandardMaterial>>().add(red);
    let mark = (Mesh3d(mark), MeshMaterial3d(red), Transform::from_xyz(0.0, 0.0, -1.0), layer.clone());
    let mark = world.spawn(mark).id();
    // An HDR camera draws into what the land's camera has drawn, and must not map its tones again. Any other is blended over it.
    for is_hdr in [true, false] {
        let camera = Camera { order: 1, clear_color: ClearColorConfig::None, ..default() };
        let target = RenderTarget::Image(coast.canvas.clone().into());
        let top = (Camera3d::default(), camera, Tonemapping::None, DebandDither::Disabled, Msaa::Off, target);
        let top = coast.app.world_mut().spawn((top, layer.clone())).id();
        if is_hdr {
            coast.app.world_mut().entity_mut(top).insert(Hdr);
        }
        let mut both = coast.picture();
        coast.app.world_mut().despawn(top);
        let middle = *both.get_pixel(80, 45);
        assert!(middle[0] > 150 && middle[1] < 80, "{middle:?} is not the mark, HDR {is_hdr}");
        for (x, y) in (80 - MARK..80 + MARK).flat_map(|x| (45 - MARK..45 + MARK).map(move |y| (x, y))) {
            both.put_pixel(x, y, *alone.get_pixel(x, y));
        }
        let found = difference(alone, &both);
        assert!(found < 0.1, "a camera on top, HDR {is_hdr}, changes the land by {found} of 255");
    }
    coast.app.world_mut().despawn(mark);
}

fn cameras_in_one_place_draw_one_sky_each(coast: &mut Coast) {
    let before = *coast.eye();
    coast.eye().translation.y += 1_500.0;
    coast.eye().look_to(Vec3::new(0.5, -0.3, -0.8), Vec3::Y);
    let alone = coast.settled();
    let eye = *coast.eye();
    let other = coast.beside((TerrainSkyView::default(), eye));
    let together = coast.picture();
    coast.app.world_mut().despawn(other);
    // The clouds are visible in the picture: fewer of them change it.
    coast.app.world_mut().resource_mut::<TerrainSky>().cloud_cover = 0.3;
    let clear = coast.picture();
    coast.app.world_mut().resource_mut::<TerrainSky>().cloud_cover = 0.6;
    *coast.eye() = before;
    let [together, clear] = [together, clear].map(|picture| difference(&alone, &picture));
    println!("together {together:.2}, fewer clouds {clear:.2}");
    assert!(together < 0.1, "a second camera in one place changes the sky by {together} of 255");
    assert!(clear > 2.0, "no clouds are in sight: {clear} of 255");
}

fn a_move_of_the_origin_causes_no_motion_blur(coast: &mut Coast) {
    let blur = MotionBlur { shutter_angle: 1.0, samples: 4 };
    coast.app.world_mut().entity_mut(coast.camera).insert(blur);
    let still = coast.settled();
    // The origin and the camera are shifted in the same frame.
    let shift = DVec2::new(-1_024.0, 2_048.0);
    let origin = TerrainOrigin { x: shift.x, z: shift.y };
    coast.app.world_mut().entity_mut(coast.terrain).insert(origin);
    coast.eye().translation -= Vec3::new(shift.x as f32, 0.0, shift.y as f32);
    let shifted = difference(&still, &coast.picture());
    // Motion of the camera alone is visible in the picture.
    coast.eye().rotate_y(0.1);
    let turning = coast.picture();
    let calm = coast.picture();
    println!("shifted {shifted:.2}, turning {:.2}", difference(&turning, &calm));
    assert!(shifted < 0.5, "a shift of the origin blurs the land: {shifted} of 255");
    assert!(difference(&turning, &calm) > 1.0, "a turning camera is blurred");
}

/// Clouds and haze are not between a map and its land.
fn a_map_is_the_same_from_any_height(coast: &mut Coast) {
    let before = *coast.eye();
    let lens = OrthographicProjection {
        scaling_mode: bevy::camera::ScalingMode::FixedVertical { viewport_height: 300.0 },
        far: 10_000.0,
        ..OrthographicProjection::default_3d()
    };
    let normal = coast.app.world().get::<Projection>(coast.camera).unwrap().clone();
    coast.app.world_mut().entity_mut(coast.camera).insert(Projection::Orthographic(lens));
    coast.eye().look_to(Vec3::new(0.3, -1.0, -0.5), Vec3::Y);
    let low = coast.settled();
    let back = 1_500.0 * coast.eye().back();
    coast.eye().translation += back;
    let high = coast.settled();
    coast.app.world_mut().entity_mut(coast.camera).insert(normal);
    *coast.eye() = before;
    let found = difference(&low, &high);
    println!("a map from low and high {found:.2}");
    assert!(found < 2.0, "a map from 1500 m higher differs by {found} of 255");
}

#[test]
fn a_coast_looks_the_same_beside_other_cameras_after_a_shift_and_on_a_small_device() {
    let mut coast = Coast::new(WgpuSettings::default());
    let alone = coast.settled();
    a_camera_on_top_leaves_the_land_in_sight(&mut coast, &alone);
    cameras_in_one_place_draw_one_sky_each(&mut coast);
    a_map_is_the_same_from_any_height(&mut coast);
    a_move_of_the_origin_causes_no_motion_blur(&mut coast);
    drop(coast);

    // A device with eight storage buffers per stage draws everything.
    let limits = WgpuLimits { max_storage_buffers_per_shader_stage: 8, ..default() };
    let mut coast = Coast::new(WgpuSettings { constrained_limits: Some(limits), ..default() });
    let small = coast.settled();
    let device = coast.app.world().resource::<bevy::render::renderer::RenderDevice>();
    assert_eq!(device.limits().max_storage_buffers_per_shader_stage, 8);
    let found = difference(&alone, &small);
    println!("small device {found:.2}");
    assert!(found < 1.0, "a small device draws another picture: {found} of 255");
    // A camera that it cannot serve leaves the others alone.
    let eye = *coast.eye();
    coast.beside((TerrainSkyView::default(), OrderIndependentTransparencySettings::default(), eye));
    let found = difference(&small, &coast.settled());
    println!("beside a camera that cannot draw {found:.2}");
    assert!(found < 0.1, "a camera that cannot draw changes another one's picture by {found} of 255");
}
