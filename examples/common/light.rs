//! Sun and lens: what every example's world is seen by.

use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy_noise_terrain::prelude::*;
use wgpu::DeviceType;

/// A sun that follows the hour.
pub fn sun(mut commands: Commands, adapter: Option<Res<RenderAdapterInfo>>) {
    // Without a graphics card, shadows over the whole view take seconds a frame.
    let software = adapter.is_some_and(|adapter| adapter.device_type == DeviceType::Cpu);
    commands.spawn(if software { TerrainSun { shadow_distance: 6_000.0, ..default() } } else { TerrainSun::default() });
}

/// A camera in the air.
pub fn lens() -> impl Bundle + use<> {
    let projection = PerspectiveProjection { fov: 60f32.to_radians(), near: 0.5, far: 100_000.0, ..default() };
    (TerrainSkyView::default(), Projection::Perspective(projection))
}
