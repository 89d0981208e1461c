//! The terrain's material: extends Bevy's standard one by morphing vertices and layered ground.

use bevy::asset::Asset;
use bevy::pbr::{ExtendedMaterial, MaterialExtension};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Buffer};
use bevy::shader::ShaderRef;

use crate::gpu::shader;

/// The standard material with [`TerrainExtension`]. Lights, shadows, fog and ambient occlusion are Bevy's own.
pub type TerrainMaterial = ExtendedMaterial<StandardMaterial, TerrainExtension>;

/// The terrain's extension of the standard material: vertices from the pool, and layers of ground.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
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
    #[storage(110, read_only, buffer, visibility(fragment))]
    pub(super) sky: Buffer,
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
/// and use [`TerrainExtension`]'s vertex shaders. The fragment shader can then import `bevy_noise_terrain::bindings`,
/// `morph` and `pixel` (the footprint of a pixel on the land); `surface` too with `detail_normals` at 102, and `cloud_shadow`
/// with `sky` at 110.
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
        shader("render/terrain.wgsl")
    }

    fn prepass_vertex_shader() -> ShaderRef {
        shader("render/terrain.wgsl")
    }

    fn deferred_vertex_shader() -> ShaderRef {
        shader("render/terrain.wgsl")
    }

    fn fragment_shader() -> ShaderRef {
        shader("render/ground.wgsl")
    }

    fn deferred_fragment_shader() -> ShaderRef {
        shader("render/ground.wgsl")
    }
}
