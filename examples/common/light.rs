//! Sun and lens: what every example's world is seen by.

use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;

/// A sun that follows the hour.
pub fn sun(mut commands: Commands) {
    commands.spawn((
        DirectionalLight { shadow_maps_enabled: true, shadow_depth_bias: 0.04, shadow_normal_bias: 2.2, ..default() },
        Sun::default(),
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
        AirView::default(),
    )
}
