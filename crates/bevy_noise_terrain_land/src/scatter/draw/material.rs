//! The material of scattered objects: extends Bevy's standard one by their placement on the land.

use bevy::asset::Asset;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Buffer, RenderPipelineDescriptor, SpecializedMeshPipelineError};
use bevy::shader::ShaderRef;

use super::batch_mesh::WHICH;
use crate::gpu::{name_pipeline, shader};

/// The standard material with [`ScatterExtension`]. Lights, shadows and fog are Bevy's own.
pub type ScatterMaterial = ExtendedMaterial<StandardMaterial, ScatterExtension>;

/// Scattering's extension of the standard material: the buffers of the land and of the objects.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub struct ScatterExtension {
    #[storage(100, read_only, buffer, visibility(vertex))]
    pub(super) vertices: Buffer,
    #[storage(101, read_only, buffer, visibility(vertex))]
    pub(super) terrain: Buffer,
    #[storage(110, read_only, buffer, visibility(fragment))]
    pub(super) sky: Buffer,
    #[storage(120, read_only, buffer, visibility(vertex))]
    pub(super) instances: Buffer,
    #[storage(121, read_only, buffer, visibility(vertex))]
    pub(super) pages: Buffer,
    #[storage(122, read_only, buffer, visibility(vertex))]
    pub(super) corners: Buffer,
}

impl MaterialExtension for ScatterExtension {
    fn vertex_shader() -> ShaderRef {
        shader("scatter/draw/scatter.wesl")
    }

    fn prepass_vertex_shader() -> ShaderRef {
        shader("scatter/draw/scatter.wesl")
    }

    fn deferred_vertex_shader() -> ShaderRef {
        shader("scatter/draw/scatter.wesl")
    }

    fn fragment_shader() -> ShaderRef {
        shader("scatter/draw/surface.wesl")
    }

    fn prepass_fragment_shader() -> ShaderRef {
        shader("scatter/draw/gaps.wesl")
    }

    fn deferred_fragment_shader() -> ShaderRef {
        shader("scatter/draw/surface.wesl")
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        _: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        name_pipeline(descriptor, "plants");
        descriptor.vertex.buffers = vec![layout.0.get_layout(&[WHICH.at_shader_location(0)])?];
        // The vertex shader outputs colours and UVs, although the mesh has no such attributes.
        let fragment = descriptor.fragment.as_mut().map(|fragment| &mut fragment.shader_defs);
        for defs in [Some(&mut descriptor.vertex.shader_defs), fragment].into_iter().flatten() {
            defs.extend(["VERTEX_COLORS".into(), "VERTEX_UVS_A".into()]);
        }
        Ok(())
    }
}
