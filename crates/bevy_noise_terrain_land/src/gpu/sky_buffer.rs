//! The buffer with the sky's light and clouds, for land, water and plants. `sky.wesl` declares the same layout.

use bevy::prelude::Resource;
use bevy::render::render_resource::Buffer;
use bevy::render::renderer::RenderDevice;
use bytemuck::{Pod, Zeroable};

use super::storage_buffer;
use crate::climate::ValueNoiseRecord;

/// Columns of the table of the sky's radiance.
pub const AZIMUTHS: usize = 24;
/// Rows of the table of the sky's radiance.
pub const ELEVATIONS: usize = 40;
/// Texels along a side of the pattern for cloud shadows; coarse, because they are soft.
pub const SHADE_SIDE: usize = 128;

/// The sky's buffer: all zeros as long as there is no sky.
#[derive(Resource, Clone)]
pub(crate) struct SkyBuffer(pub Buffer);

/// The head of the buffer; the tables follow it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SkyUniforms {
    /// Direction towards the sun; 1, or 0 without a sky.
    pub sun: [f32; 4],
    /// Radiance of the sun's disc; cosine of its radius.
    pub disc: [f32; 4],
    /// Sunlight on clouds in lux; scattering coefficient of the haze per metre at sea level.
    pub sunlight: [f32; 4],
    /// Mean radiance of the sky; height in metres over which haze thins out to 1/e.
    pub ambient: [f32; 4],
    /// Cover; height and thickness in metres; repeats per metre.
    pub cloud: [f32; 4],
    /// Offsets of the pattern's two layers, 0 to 1.
    pub drift: [f32; 4],
    /// Strength of cloud shadows; metres to the end of the land, before which it fades out, or 0; amount of cirrus; 1 for
    /// clouds with a body, 0 for flat ones.
    pub shade: [f32; 4],
    /// By how much the cover over the wettest regions is greater than its mean; 0.
    pub climate: [f32; 4],
    /// Wet and dry regions.
    pub regions: ValueNoiseRecord,
}

/// Byte offset of the table in the buffer.
pub const TABLE_OFFSET: usize = size_of::<SkyUniforms>();
/// Byte offset of the pattern for cloud shadows.
pub const SHADE_OFFSET: usize = TABLE_OFFSET + 2 * AZIMUTHS * ELEVATIONS * size_of::<[f32; 4]>();
/// Size of the buffer in bytes.
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
        let shader = include_str!("sky.wesl");
        assert!(shader.contains(&format!("AZIMUTHS: u32 = {AZIMUTHS}u")));
        assert!(shader.contains(&format!("ELEVATIONS: u32 = {ELEVATIONS}u")));
        assert!(shader.contains(&format!("TABLE: u32 = {}u;", 2 * AZIMUTHS * ELEVATIONS)));
        assert!(shader.contains(&format!("SHADE_SIDE: u32 = {SHADE_SIDE}u;")));
        assert!(shader.contains(&format!("SHADE_TEXELS: u32 = {}u;", SHADE_SIDE * SHADE_SIDE)));
        assert_eq!(size_of::<SkyUniforms>(), 192);
    }
}
