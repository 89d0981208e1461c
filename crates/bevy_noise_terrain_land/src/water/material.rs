//! The water's material: extends Bevy's standard one, drawn with the chunks' grids.

use bevy::asset::Asset;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Buffer, RenderPipelineDescriptor, SpecializedMeshPipelineError};
use bevy::shader::ShaderRef;

use crate::gpu::{name_pipeline, shader};

/// The standard material as water.
pub type WaterMaterial = ExtendedMaterial<StandardMaterial, WaterExtension>;

/// The water's extension of the standard material.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub struct WaterExtension {
    #[storage(100, read_only, buffer, visibility(vertex, fragment))]
    pub(super) vertices: Buffer,
    #[storage(101, read_only, buffer, visibility(vertex, fragment))]
    pub(super) terrain: Buffer,
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
        shader("water/water.wesl")
    }

    fn fragment_shader() -> ShaderRef {
        shader("water/water.wesl")
    }

    fn alpha_mode() -> Option<AlphaMode> {
        Some(AlphaMode::Blend)
    }

    // In the prepass and in shadow maps the land stands for the water.
    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    // It writes its depth, and hides what lies behind it: nothing is left to sort.
    fn enable_oit() -> bool {
        false
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        _: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        name_pipeline(descriptor, "water");
        // Water is visible from below too; with depth writes the far sides of waves do not show through the near ones.
        descriptor.primitive.cull_mode = None;
        if let Some(depth) = &mut descriptor.depth_stencil {
            depth.depth_write_enabled = Some(true);
        }
        Ok(())
    }
}
