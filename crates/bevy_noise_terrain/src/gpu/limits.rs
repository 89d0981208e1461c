//! Device limits that land, water and plants need.

use bevy::core_pipeline::oit::OrderIndependentTransparencySettings;
use bevy::prelude::*;
use bevy::render::renderer::RenderDevice;

/// Storage buffers per shader stage with Bevy's own atmosphere: the land's four, Bevy's four, one for the atmosphere.
#[cfg(feature = "sky")]
pub const ATMOSPHERE_STORAGE_BUFFERS: u32 = 9;
/// The same with order-independent transparency, which takes three.
const TRANSPARENCY_STORAGE_BUFFERS: u32 = 11;

/// The device's limit of storage buffers per shader stage, if it is less than `needed`.
pub fn too_few_storage_buffers(device: &RenderDevice, needed: u32) -> Option<u32> {
    Some(device.limits().max_storage_buffers_per_shader_stage).filter(|&found| found < needed)
}

/// Logs why a camera with order-independent transparency cannot draw the land.
pub fn warn_of_transparency(
    cameras: Query<(), Added<OrderIndependentTransparencySettings>>,
    device: Option<Res<RenderDevice>>,
) {
    if cameras.is_empty() {
        return;
    }
    if let Some(found) = device.and_then(|device| too_few_storage_buffers(&device, TRANSPARENCY_STORAGE_BUFFERS)) {
        error_once!(
            "terrain under a camera with order-independent transparency needs {TRANSPARENCY_STORAGE_BUFFERS} storage \
             buffers per shader stage, but this device has {found}: the land cannot be drawn there"
        );
    }
}
