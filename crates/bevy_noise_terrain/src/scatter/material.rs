//! The material of scattered objects: Bevy's standard one, with their placement before it.

use bevy::asset::{Asset, AssetPath, embedded_path};
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Buffer, RenderPipelineDescriptor, SpecializedMeshPipelineError};
use bevy::shader::ShaderRef;

use super::copies::{COARSE, LOOK};

/// The standard material of objects that stand on the drawn land. Lights, shadows and fog are Bevy's own.
pub type ScatterMaterial = ExtendedMaterial<StandardMaterial, ScatterExtension>;

/// What scattering adds to the standard material: the land's buffers and the objects'.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub struct ScatterExtension {
    #[storage(100, read_only, buffer, visibility(vertex))]
    pub(super) vertices: Buffer,
    #[storage(101, read_only, buffer, visibility(vertex))]
    pub(super) frame: Buffer,
    #[storage(120, read_only, buffer, visibility(vertex))]
    pub(super) instances: Buffer,
    #[storage(121, read_only, buffer, visibility(vertex))]
    pub(super) pages: Buffer,
}

fn shader() -> ShaderRef {
    ShaderRef::Path(AssetPath::from_path_buf(embedded_path!("scatter.wgsl")).with_source("embedded"))
}

impl MaterialExtension for ScatterExtension {
    fn vertex_shader() -> ShaderRef {
        shader()
    }

    fn prepass_vertex_shader() -> ShaderRef {
        shader()
    }

    fn deferred_vertex_shader() -> ShaderRef {
        shader()
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        _: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        let attributes =
            [Mesh::ATTRIBUTE_POSITION.at_shader_location(0), COARSE.at_shader_location(1), LOOK.at_shader_location(2)];
        descriptor.vertex.buffers = vec![layout.0.get_layout(&attributes)?];
        // The vertex shader hands on a colour that no attribute of the mesh holds.
        descriptor.vertex.shader_defs.push("VERTEX_COLORS".into());
        if let Some(fragment) = &mut descriptor.fragment {
            fragment.shader_defs.push("VERTEX_COLORS".into());
        }
        Ok(())
    }
}
