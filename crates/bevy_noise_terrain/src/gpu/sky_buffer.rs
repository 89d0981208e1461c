//! The sky's light and clouds, where land, water and plants read them. `sky.wgsl` declares the same.

use bevy::prelude::Resource;
use bevy::render::render_resource::Buffer;
use bevy::render::renderer::RenderDevice;
use bytemuck::{Pod, Zeroable};

use super::storage_buffer;

/// Columns of the table of the sky's radiance.
pub const AZIMUTHS: usize = 24;
/// Its rows.
pub const ELEVATIONS: usize = 40;
/// Texels along a side of the pattern that clouds cast shadows by. They are soft.
pub const SHADE_SIDE: usize = 128;

/// All zeros as long as there is no sky.
#[derive(Resource, Clone)]
pub(crate) struct SkyBuffer(pub Buffer);

/// Everything about the sky but its tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SkyUniforms {
    /// Towards the sun; 1, or 0 without a sky.
    pub sun: [f32; 4],
    /// Radiance of the sun's disc; cosine of its radius.
    pub disc: [f32; 4],
    /// Sunlight on clouds in lux; optical depth of the haze over a metre at sea level.
    pub sunlight: [f32; 4],
    /// Mean radiance of the sky; height over which haze thins out, in metres.
    pub ambient: [f32; 4],
    /// Cover, height, thickness, repeats a metre.
    pub cloud: [f32; 4],
    /// Where two layers of the pattern stand, 0 to 1.
    pub drift: [f32; 4],
    /// Part of the sunlight that clouds take from what is under them; metres to the end of the land, before which it
    /// dissolves in the air, or 0; nothing else yet.
    pub shade: [f32; 4],
}

/// Where the table begins in the buffer, in bytes.
pub const TABLE_OFFSET: usize = size_of::<SkyUniforms>();
/// Where the clouds' pattern for shadows begins.
pub const SHADE_OFFSET: usize = TABLE_OFFSET + 2 * AZIMUTHS * ELEVATIONS * size_of::<[f32; 4]>();
/// Bytes of all of it.
const SKY_BYTES: usize = SHADE_OFFSET + SHADE_SIDE * SHADE_SIDE * size_of::<u32>();

impl SkyBuffer {
    pub(super) fn new(device: &RenderDevice) -> Self {
        Self(storage_buffer(device, "sky", SKY_BYTES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_has_the_same_sizes() {
        let shader = include_str!("sky.wgsl");
        assert!(shader.contains(&format!("AZIMUTHS: u32 = {AZIMUTHS}u")));
        assert!(shader.contains(&format!("ELEVATIONS: u32 = {ELEVATIONS}u")));
        assert!(shader.contains(&format!("TABLE: u32 = {}u;", 2 * AZIMUTHS * ELEVATIONS)));
        assert!(shader.contains(&format!("SHADE_SIDE: u32 = {SHADE_SIDE}u;")));
        assert!(shader.contains(&format!("SHADE_TEXELS: u32 = {}u;", SHADE_SIDE * SHADE_SIDE)));
        assert_eq!(size_of::<SkyUniforms>(), 112);
    }
}
