//! What a world is seen with: a lens, and as much shadow as the machine can draw.

use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use wgpu::DeviceType;

/// How far shadows reach where the processor draws them, in metres: over the whole view they would take seconds a frame.
const SOFTWARE_SHADOWS: f32 = 6_000.0;

/// Does the app draw without a graphics card?
pub fn is_software(adapter: Option<&RenderAdapterInfo>) -> bool {
    adapter.is_some_and(|adapter| adapter.device_type == DeviceType::Cpu)
}

/// How far the sun's shadows should reach: as far as `usual`, or less without a graphics card.
pub fn shadow_distance(adapter: Option<&RenderAdapterInfo>, usual: f32) -> f32 {
    if is_software(adapter) { usual.min(SOFTWARE_SHADOWS) } else { usual }
}

/// A lens that sees to the horizon.
pub fn lens() -> Projection {
    let perspective = PerspectiveProjection { fov: 60f32.to_radians(), near: 0.5, far: 100_000.0, ..default() };
    Projection::Perspective(perspective)
}
