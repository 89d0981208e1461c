//! Sun, sky and air.

use bevy::asset::RenderAssetUsages;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::image::{Image, ImageSampler};
use bevy::light::{CascadeShadowConfigBuilder, DirectionalLightShadowMap, GlobalAmbientLight, Skybox};
use bevy::prelude::*;
use bevy::render::render_resource::{
    Extent3d, TextureDimension, TextureFormat, TextureViewDescriptor, TextureViewDimension,
};
use half::f16;

/// Where the sun stands.
const SUN: Vec3 = Vec3::new(0.25, 0.42, 0.87);

/// Linear colours of the air, at the horizon and overhead.
const HORIZON: Vec3 = Vec3::new(0.56, 0.68, 0.82);
const ZENITH: Vec3 = Vec3::new(0.10, 0.24, 0.52);
/// What the sun adds to the air around it.
const GLOW: Vec3 = Vec3::new(0.55, 0.42, 0.25);

/// Side of a face of the sky's cube map.
const SKY_SIZE: usize = 128;

/// Lights the world.
pub fn light(mut commands: Commands) {
    commands.insert_resource(GlobalAmbientLight {
        color: Color::srgb(0.72, 0.82, 1.0),
        brightness: 650.0,
        ..default()
    });
    commands.insert_resource(DirectionalLightShadowMap { size: 2048 });
    commands.spawn((
        DirectionalLight {
            color: Color::srgb(1.0, 0.94, 0.84),
            illuminance: 9_000.0,
            shadow_maps_enabled: true,
            shadow_depth_bias: 0.04,
            shadow_normal_bias: 2.2,
            ..default()
        },
        CascadeShadowConfigBuilder {
            num_cascades: 4,
            first_cascade_far_bound: 120.0,
            maximum_distance: 8_000.0,
            ..default()
        }
        .build(),
        Transform::from_translation(SUN).looking_at(Vec3::ZERO, Vec3::Y),
    ));
}

/// What every camera of this example has: sky, air and a lens.
pub fn camera(images: &mut Assets<Image>) -> impl Bundle + use<> {
    let air = Color::linear_rgb(HORIZON.x, HORIZON.y, HORIZON.z);
    (
        Camera3d::default(),
        Projection::Perspective(PerspectiveProjection {
            fov: 60f32.to_radians(),
            near: 0.5,
            far: 100_000.0,
            ..default()
        }),
        Tonemapping::AgX,
        Skybox { image: Some(images.add(sky())), brightness: 1_000.0, ..default() },
        DistanceFog {
            color: air,
            directional_light_color: Color::linear_rgba(GLOW.x, GLOW.y, GLOW.z, 0.6),
            directional_light_exponent: 12.0,
            falloff: FogFalloff::from_visibility_colors(38_000.0, Color::linear_rgb(0.46, 0.58, 0.78), air),
        },
    )
}

/// The colour of the sky in a direction.
fn sky_color(direction: Vec3) -> Vec3 {
    let up = direction.y.max(0.0);
    let air = HORIZON.lerp(ZENITH, 1.0 - (1.0 - up).powi(5));
    let toward_sun = direction.dot(SUN.normalize()).max(0.0);
    air + GLOW * (0.5 * toward_sun.powi(12) + 30.0 * toward_sun.powi(4_000))
}

/// A cube map of the sky.
fn sky() -> Image {
    let direction = |face: usize, u: f32, v: f32| match face {
        0 => Vec3::new(1.0, -v, -u),
        1 => Vec3::new(-1.0, -v, u),
        2 => Vec3::new(u, 1.0, v),
        3 => Vec3::new(u, -1.0, -v),
        4 => Vec3::new(u, -v, 1.0),
        _ => Vec3::new(-u, -v, -1.0),
    };
    let place = |index: usize| 2.0 * (index as f32 + 0.5) / SKY_SIZE as f32 - 1.0;
    let texel = |face, x, y| {
        // Left-handed, as cube maps are.
        let color = sky_color((direction(face, place(x), place(y)) * Vec3::new(1.0, 1.0, -1.0)).normalize());
        [color.x, color.y, color.z, 1.0].map(f16::from_f32)
    };
    let data = (0..6)
        .flat_map(|face| (0..SKY_SIZE).flat_map(move |y| (0..SKY_SIZE).flat_map(move |x| texel(face, x, y))))
        .flat_map(f16::to_le_bytes)
        .collect();
    let size = Extent3d { width: SKY_SIZE as u32, height: SKY_SIZE as u32, depth_or_array_layers: 6 };
    let mut image =
        Image::new(size, TextureDimension::D2, data, TextureFormat::Rgba16Float, RenderAssetUsages::RENDER_WORLD);
    image.texture_view_descriptor =
        Some(TextureViewDescriptor { dimension: Some(TextureViewDimension::Cube), ..default() });
    image.sampler = ImageSampler::linear();
    image
}
