//! Device limits that land, water and plants need.

use bevy::render::renderer::RenderDevice;

/// Storage buffers per shader stage with Bevy's own atmosphere: the land's four, Bevy's four, one for the atmosphere.
#[cfg(feature = "sky")]
pub const ATMOSPHERE_STORAGE_BUFFERS: u32 = 9;

/// The device's limit of storage buffers per shader stage, if it is less than `needed`.
pub fn too_few_storage_buffers(device: &RenderDevice, needed: u32) -> Option<u32> {
    Some(device.limits().max_storage_buffers_per_shader_stage).filter(|&found| found < needed)
}
