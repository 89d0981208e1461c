//! What the parts of the sky share: their material, which no light, shadow or depth pass knows of.

// What `AsBindGroup` derives for vertex shaders asks for a feature of Bevy's.
#![allow(unexpected_cfgs)]

use std::fmt::Debug;
use std::marker::PhantomData;

use bevy::asset::Asset;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Buffer, RenderPipelineDescriptor, SpecializedMeshPipelineError};
use bevy::shader::ShaderRef;

use crate::gpu::shader;

/// Something of the sky with a shader of its own: [`SkyDome`](super::SkyDome) or [`CloudDeck`](super::CloudDeck).
pub trait SkyLayer: TypePath + Clone + Debug + Send + Sync {
    /// Path of its shader below `src`.
    const SHADER: &'static str;
    /// Its place among what is transparent: with more, it is drawn later.
    const DEPTH_BIAS: f32;
}

/// The material of a part of the sky.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub struct SkyMaterial<P: SkyLayer> {
    #[texture(0)]
    #[sampler(1)]
    patterns: Handle<Image>,
    #[storage(110, read_only, buffer, visibility(all))]
    frame: Buffer,
    part: PhantomData<P>,
}

impl<P: SkyLayer> SkyMaterial<P> {
    pub(super) fn new(frame: &Buffer, patterns: &Handle<Image>) -> Self {
        Self { frame: frame.clone(), patterns: patterns.clone(), part: PhantomData }
    }
}

impl<P: SkyLayer> Material for SkyMaterial<P> {
    fn vertex_shader() -> ShaderRef {
        shader(P::SHADER)
    }

    fn fragment_shader() -> ShaderRef {
        shader(P::SHADER)
    }

    // Drawn after all that is opaque, and hidden by it.
    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    fn depth_bias(&self) -> f32 {
        P::DEPTH_BIAS
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        _: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

/// A part of the sky of a camera, its child.
#[derive(Component)]
#[require(NoFrustumCulling, NotShadowCaster, NotShadowReceiver, Transform, Visibility)]
pub(super) struct SkyMesh;
