//! Sun and lens: what every example's world is seen by.

use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::render::view::{ColorGrading, ColorGradingGlobal};
use bevy_noise_terrain::prelude::*;
use wgpu::DeviceType;

/// A sun that follows the hour.
pub fn sun(mut commands: Commands, adapter: Option<Res<RenderAdapterInfo>>) {
    // Without a graphics card, shadows over the whole view take seconds a frame.
    let software = adapter.is_some_and(|adapter| adapter.device_type == DeviceType::Cpu);
    let sun = if software { Sun { shadow_distance: 6_000.0, ..default() } } else { Sun::default() };
    commands.spawn((
        DirectionalLight { shadow_maps_enabled: true, shadow_depth_bias: 0.04, shadow_normal_bias: 2.2, ..default() },
        sun,
    ));
}

/// A camera in the air.
pub fn lens() -> impl Bundle + use<> {
    (
        Camera3d::default(),
        Projection::Perspective(PerspectiveProjection {
            fov: 60f32.to_radians(),
            near: 0.5,
            far: 100_000.0,
            ..default()
        }),
        Tonemapping::AgX,
        // It takes colour out of bright skies; some of that is given back.
        ColorGrading { global: ColorGradingGlobal { post_saturation: 1.2, ..default() }, ..default() },
        AirView::default(),
    )
}
