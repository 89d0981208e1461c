//! Device limits that land, water, plants and sky need.

use bevy::render::renderer::RenderDevice;
use wgpu_types::{DownlevelFlags, Limits};

/// Storage buffers per shader stage: the land's four, and Bevy's four.
pub const STORAGE_BUFFERS: u32 = 8;

/// Storage buffers per shader stage with Bevy's own atmosphere: the land's four, Bevy's four, one for the atmosphere.
#[cfg(feature = "sky")]
pub const ATMOSPHERE_STORAGE_BUFFERS: u32 = 9;

/// What else a shader stage binds at most, with what Bevy binds for every mesh: `examples/drawn/tests/drawn/portable.rs` counts it.
const SAMPLED_TEXTURES: u32 = 15;
const SAMPLERS: u32 = 11;
const UNIFORM_BUFFERS: u32 = 6;
const BIND_GROUPS: u32 = 4;

/// The least of a pool that land of any kind takes: that of the least memory, with a viewer.
const STORAGE_BUFFER_BYTES: u64 = 16 << 20;

/// The device's limit of storage buffers per shader stage, if it is less than `needed`.
pub fn too_few_storage_buffers(device: &RenderDevice, needed: u32) -> Option<u32> {
    Some(device.limits().max_storage_buffers_per_shader_stage).filter(|&found| found < needed)
}

/// What a device lacks to draw anything of this crate, in words.
pub fn lacking(limits: &Limits, downlevel: DownlevelFlags) -> Option<String> {
    if !downlevel.contains(DownlevelFlags::VERTEX_STORAGE) {
        return Some("storage buffers in vertex shaders, and this device has none".into());
    }
    if !downlevel.contains(DownlevelFlags::COMPUTE_SHADERS) {
        return Some("compute shaders, and this device has none".into());
    }
    let needs = [
        ("storage buffers per shader stage", STORAGE_BUFFERS, limits.max_storage_buffers_per_shader_stage),
        ("sampled textures per shader stage", SAMPLED_TEXTURES, limits.max_sampled_textures_per_shader_stage),
        ("samplers per shader stage", SAMPLERS, limits.max_samplers_per_shader_stage),
        ("uniform buffers per shader stage", UNIFORM_BUFFERS, limits.max_uniform_buffers_per_shader_stage),
        ("bind groups", BIND_GROUPS, limits.max_bind_groups),
    ];
    if let Some((what, needed, found)) = needs.into_iter().find(|(_, needed, found)| found < needed) {
        return Some(format!("{needed} {what}, and this device has {found}"));
    }
    let found = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    (found < STORAGE_BUFFER_BYTES).then(|| {
        format!("storage buffers of {STORAGE_BUFFER_BYTES} bytes, and those of this device have {found} at most")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn webgpu_suffices_and_webgl_does_not() {
        assert_eq!(lacking(&Limits::default(), DownlevelFlags::all()), None);
        let webgl = lacking(&Limits::downlevel_webgl2_defaults(), DownlevelFlags::empty()).unwrap();
        assert_eq!(webgl, "storage buffers in vertex shaders, and this device has none");
        let downlevel = lacking(&Limits::downlevel_defaults(), DownlevelFlags::all()).unwrap();
        assert_eq!(downlevel, "8 storage buffers per shader stage, and this device has 4");
        let small = Limits { max_buffer_size: 1 << 20, ..Limits::default() };
        let small = lacking(&small, DownlevelFlags::all()).unwrap();
        assert!(small.contains("16777216 bytes") && small.contains("1048576"), "{small}");
    }

    #[test]
    fn the_guide_has_the_same_limits() {
        let page = include_str!("../../../bevy_noise_terrain/src/guide/platforms.md");
        for (name, needed) in [
            ("storage buffers in a shader stage", STORAGE_BUFFERS),
            ("uniform buffers in a shader stage", UNIFORM_BUFFERS),
            ("sampled textures in a shader stage", SAMPLED_TEXTURES),
            ("samplers in a shader stage", SAMPLERS),
            ("bind groups", BIND_GROUPS),
        ] {
            assert!(page.contains(&format!("| {name} | {needed} |")), "{name}");
        }
        assert!(page.contains(&format!("| {} MiB |", STORAGE_BUFFER_BYTES >> 20)));
    }
}
