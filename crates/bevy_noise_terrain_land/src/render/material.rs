//! The terrain's material: extends Bevy's standard one by morphing vertices and layered ground.

use bevy::asset::Asset;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{ExtendedMaterial, MaterialExtension, MaterialExtensionKey, MaterialExtensionPipeline};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Buffer, RenderPipelineDescriptor, SpecializedMeshPipelineError};
use bevy::shader::ShaderRef;

use crate::gpu::{name_pipeline, shader};
use crate::volumes::{LAND_FAR, LAND_NEAR, TARGET, TARGET_SHADE};

/// Defined in shaders of chunks with holes.
pub(super) const HOLES: &str = "TERRAIN_HOLES";
/// Defined in shaders of volumes.
pub(super) const VOLUME: &str = "TERRAIN_VOLUME";

/// The standard material with [`TerrainExtension`]. Lights, shadows, fog and ambient occlusion are Bevy's own.
pub type TerrainMaterial = ExtendedMaterial<StandardMaterial, TerrainExtension>;

/// The terrain's extension of the standard material: vertices from the pool, and layers of ground.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
#[bind_group_data(TerrainExtensionKey)]
pub struct TerrainExtension {
    #[storage(100, read_only, buffer, visibility(vertex, fragment))]
    pub(super) vertices: Buffer,
    #[storage(101, read_only, buffer, visibility(vertex, fragment))]
    pub(super) uniforms: Buffer,
    #[storage(102, read_only, buffer, visibility(fragment))]
    pub(super) detail_normals: Buffer,
    #[texture(103, dimension = "2d_array")]
    #[sampler(104)]
    pub(crate) albedo: Option<Handle<Image>>,
    #[texture(105, dimension = "2d_array")]
    pub(crate) normal: Option<Handle<Image>>,
    /// See `ground_pages`.
    #[texture(106, dimension = "2d_array")]
    #[sampler(107)]
    pub(super) pages: Option<Handle<Image>>,
    #[storage(110, read_only, buffer, visibility(fragment))]
    pub(super) sky: Buffer,
    /// Whether pixels in holes are left out.
    pub(super) has_holes: bool,
    /// Whether it is a mesh of a volume, not chunks.
    pub(super) is_volume: bool,
}

/// What decides how the shaders are compiled.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct TerrainExtensionKey {
    has_holes: bool,
    is_volume: bool,
}

impl From<&TerrainExtension> for TerrainExtensionKey {
    fn from(extension: &TerrainExtension) -> Self {
        Self { has_holes: extension.has_holes, is_volume: extension.is_volume }
    }
}

/// On a terrain: this crate inserts no material into its chunks. Insert your own as chunks arrive, with the terrain's
/// [`TerrainBuffers`]; `examples/own_material.rs` shows how.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
pub struct OwnMaterial;

/// The buffers that hold a terrain's vertices and uniforms. They are replaced when
/// [`memory_mb`](crate::TerrainStreaming::memory_mb) changes: rebuild your material when this component changes.
///
/// Bind `vertices` and `uniforms` at 100 and 101 of your material's bind group, visible to the vertex and fragment stages,
/// and use [`TerrainExtension`]'s vertex shaders. The fragment shader can then import from `bevy_noise_terrain::render` the modules
/// `bindings`, `morph` and `pixel` (the footprint of a pixel on the land); `ground::surface` too with `detail_normals` at 102, and
/// `bevy_noise_terrain::gpu::cloud_shadow` with `sky` at 110. To leave out the land's [holes](crate::edits::TerrainHoles), discard
/// where `render::holes::is_hole` says so, with `detail_normals` at 102 and an alpha mode that masks.
#[derive(Component, Clone, Debug)]
pub struct TerrainBuffers {
    /// Heights and normals of all chunks.
    pub vertices: Buffer,
    /// Viewers, ranges, the ground's layers, the position of each chunk.
    pub uniforms: Buffer,
    /// Normals finer than the vertices, and what is painted.
    pub detail_normals: Buffer,
    /// The sky's light and clouds; zeros without [`TerrainSkyPlugin`](crate::sky::TerrainSkyPlugin).
    pub sky: Buffer,
}

impl MaterialExtension for TerrainExtension {
    fn vertex_shader() -> ShaderRef {
        shader("render/terrain.wesl")
    }

    fn prepass_vertex_shader() -> ShaderRef {
        shader("render/terrain.wesl")
    }

    fn deferred_vertex_shader() -> ShaderRef {
        shader("render/terrain.wesl")
    }

    fn prepass_fragment_shader() -> ShaderRef {
        shader("render/prepass.wesl")
    }

    fn fragment_shader() -> ShaderRef {
        shader("render/ground.wesl")
    }

    fn deferred_fragment_shader() -> ShaderRef {
        shader("render/ground.wesl")
    }

    fn specialize(
        _: &MaterialExtensionPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        key: MaterialExtensionKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        let TerrainExtensionKey { has_holes, is_volume } = key.bind_group_data;
        name_pipeline(
            descriptor,
            if is_volume {
                "volumes"
            } else if has_holes {
                "land with holes"
            } else {
                "land"
            },
        );
        if has_holes && let Some(fragment) = &mut descriptor.fragment {
            fragment.shader_defs.push(HOLES.into());
        }
        if is_volume {
            descriptor.vertex.shader_defs.push(VOLUME.into());
            if let Some(fragment) = &mut descriptor.fragment {
                fragment.shader_defs.push(VOLUME.into());
            }
            // The same in every pass.
            descriptor.vertex.buffers = vec![layout.0.get_layout(&[
                Mesh::ATTRIBUTE_POSITION.at_shader_location(0),
                Mesh::ATTRIBUTE_NORMAL.at_shader_location(1),
                Mesh::ATTRIBUTE_UV_0.at_shader_location(2),
                LAND_NEAR.at_shader_location(8),
                LAND_FAR.at_shader_location(9),
                TARGET.at_shader_location(10),
                TARGET_SHADE.at_shader_location(11),
            ])?];
        }
        Ok(())
    }
}
