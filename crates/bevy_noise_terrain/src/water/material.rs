//! The water's material: Bevy's standard one, lying on the chunks' grids.

use bevy::asset::Asset;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Buffer, RenderPipelineDescriptor, SpecializedMeshPipelineError};
use bevy::shader::ShaderRef;

use crate::gpu::shader;

/// The standard material as water.
pub type WaterMaterial = ExtendedMaterial<StandardMaterial, WaterExtension>;

/// What the sea adds to the standard material.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub struct WaterExtension {
    #[storage(100, read_only, buffer, visibility(vertex, fragment))]
    pub(super) vertices: Buffer,
    #[storage(101, read_only, buffer, visibility(vertex, fragment))]
    pub(super) frame: Buffer,
    #[storage(110, read_only, buffer, visibility(fragment))]
    pub(super) sky: Buffer,
    #[storage(111, read_only, buffer, visibility(vertex, fragment))]
    pub(super) uniforms: Buffer,
    #[texture(112)]
    #[sampler(113)]
    pub(super) patches: Handle<Image>,
}

impl MaterialExtension for WaterExtension {
    fn vertex_shader() -> ShaderRef {
        shader("water/water.wgsl")
    }

    fn fragment_shader() -> ShaderRef {
        shader("water/water.wgsl")
    }

    fn alpha_mode() -> Option<AlphaMode> {
        Some(AlphaMode::Blend)
    }

    // What has no depth of water has none in the prepass either: its depth is the land's, and so are shadows.
    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        _: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        // Seen from beneath as well; and the far sides of waves must not shine through the near ones.
        descriptor.primitive.cull_mode = None;
        if let Some(depth) = &mut descriptor.depth_stencil {
            depth.depth_write_enabled = Some(true);
        }
        Ok(())
    }
}
