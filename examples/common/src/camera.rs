//! What a world is seen with.

use bevy::prelude::*;

/// A lens that sees to the horizon.
pub fn lens() -> Projection {
    let perspective = PerspectiveProjection { fov: 60f32.to_radians(), near: 0.5, far: 100_000.0, ..default() };
    Projection::Perspective(perspective)
}
