//! The material of the sky's layers: unlit, without shadows and prepass.

// `AsBindGroup` generates code that is conditional on one of Bevy's features.
#![allow(unexpected_cfgs)]

use std::fmt::Debug;
use std::marker::PhantomData;

use bevy::asset::Asset;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::wireframe::NoWireframe;
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{AsBindGroup, Buffer, RenderPipelineDescriptor, SpecializedMeshPipelineError};
use bevy::shader::ShaderRef;

use crate::gpu::{name_pipeline, shader};

/// A layer of the sky with its own shader: [`SkyDome`](super::SkyDome) or [`CloudDeck`](super::CloudDeck).
pub trait SkyLayer: TypePath + Clone + Debug + Send + Sync {
    /// What its pipelines are called.
    const NAME: &'static str;
    /// Path of its shader below `src`.
    const SHADER: &'static str;
    /// Its order among transparent objects: greater values are drawn later.
    const DEPTH_BIAS: f32;
}

/// The material of a layer of the sky.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub struct SkyMaterial<P: SkyLayer> {
    #[texture(0)]
    #[sampler(1)]
    patterns: Handle<Image>,
    #[storage(110, read_only, buffer, visibility(all))]
    uniforms: Buffer,
    layer: PhantomData<P>,
}

impl<P: SkyLayer> SkyMaterial<P> {
    pub(super) fn new(uniforms: &Buffer, patterns: &Handle<Image>) -> Self {
        Self { uniforms: uniforms.clone(), patterns: patterns.clone(), layer: PhantomData }
    }
}

impl<P: SkyLayer> Material for SkyMaterial<P> {
    fn vertex_shader() -> ShaderRef {
        shader(P::SHADER)
    }

    fn fragment_shader() -> ShaderRef {
        shader(P::SHADER)
    }

    // Drawn after opaque objects, and hidden by them.
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

    // The sky is behind everything, and clouds have a depth of their own.
    fn enable_oit() -> bool {
        false
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        _: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        name_pipeline(descriptor, P::NAME);
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

/// A layer of a camera's sky, a child of the camera.
#[derive(Component, Clone, Copy, PartialEq)]
#[require(NoFrustumCulling, NoWireframe, NotShadowCaster, NotShadowReceiver, Transform, Visibility)]
pub(super) enum SkyMesh {
    Dome,
    Clouds,
}
