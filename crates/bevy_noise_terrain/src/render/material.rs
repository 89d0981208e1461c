//! The terrain's material: Bevy's standard one, with the morph before it and the ground's colours in it.

use bevy::asset::Asset;
use bevy::pbr::{ExtendedMaterial, MaterialExtension};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Buffer};
use bevy::shader::ShaderRef;

use crate::gpu::shader;

/// The standard material, morphed and coloured. Lights, shadows, fog and ambient occlusion are Bevy's own.
pub type TerrainMaterial = ExtendedMaterial<StandardMaterial, TerrainExtension>;

/// What the terrain adds to the standard material: where its vertices come from, and its layers.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub struct TerrainExtension {
    #[storage(100, read_only, buffer, visibility(vertex, fragment))]
    pub(super) vertices: Buffer,
    #[storage(101, read_only, buffer, visibility(vertex, fragment))]
    pub(super) frame: Buffer,
    #[storage(102, read_only, buffer, visibility(fragment))]
    pub(super) relief: Buffer,
    #[texture(103, dimension = "2d_array")]
    #[sampler(104)]
    pub(crate) albedo: Option<Handle<Image>>,
    #[texture(105, dimension = "2d_array")]
    pub(crate) normal: Option<Handle<Image>>,
    #[storage(110, read_only, buffer, visibility(fragment))]
    pub(super) sky: Buffer,
}

/// On a terrain: its chunks get no material from this crate. Give them yours as they arrive, with the
/// terrain's [`TerrainBuffers`] in it; `examples/own_material.rs` shows how.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
pub struct OwnMaterial;

/// The buffers that a terrain's vertices come from. They are replaced when
/// [`memory_mb`](crate::StreamingSettings::memory_mb) changes: make your material anew when this component does.
///
/// Bind `vertices` and `frame` at 100 and 101 of your material's group, visible to the vertex and the fragment stage, and
/// use [`TerrainExtension`]'s vertex shaders; the fragment shader then may import `bevy_noise_terrain::bindings`,
/// `morph`, `pixel` (what a pixel covers of the land), with `relief` at 102 `surface`, and with `sky` at 110
/// `cloud_shadow`.
#[derive(Component, Clone, Debug)]
pub struct TerrainBuffers {
    /// Heights and normals of all chunks.
    pub vertices: Buffer,
    /// Viewers, ranges, the ground's layers, the place of each chunk.
    pub frame: Buffer,
    /// Normals finer than the vertices.
    pub relief: Buffer,
    /// The sky's light and its clouds, with [`TerrainSkyPlugin`](crate::sky::TerrainSkyPlugin); zeros without.
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
