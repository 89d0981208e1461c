//! The sky behind everything, and the clouds below those who fly above them.

use bevy::asset::{Asset, RenderAssetUsages, embedded_path};
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::math::DVec2;
use bevy::mesh::{MeshVertexBufferLayoutRef, PrimitiveTopology};
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::render::render_resource::{
    AsBindGroup, Buffer, Extent3d, RenderPipelineDescriptor, SpecializedMeshPipelineError, TextureDimension,
    TextureFormat,
};
use bevy::render::renderer::RenderDevice;
use bevy::shader::ShaderRef;

use super::deck::{self, CloudDeckMaterial};
use super::frame::{FRAME_BYTES, SkyFrame, table};
use super::view::AirView;
use super::{AirLight, AirSky, clouds};
use crate::render::upload::{Uploads, storage_buffer};
use crate::terrain::TerrainOrigin;

/// The material of the sky.
#[derive(Asset, AsBindGroup, TypePath, Clone, Debug)]
pub struct SkyMaterial {
    #[texture(0)]
    #[sampler(1)]
    patterns: Handle<Image>,
    #[storage(110, read_only, buffer, visibility(fragment))]
    frame: Buffer,
}

impl Material for SkyMaterial {
    fn vertex_shader() -> ShaderRef {
        shader()
    }

    fn fragment_shader() -> ShaderRef {
        shader()
    }

    // Drawn after the land, where there is none.
    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    // And before everything else that is transparent.
    fn depth_bias(&self) -> f32 {
        -1e9
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

fn shader() -> ShaderRef {
    ShaderRef::Path(bevy::asset::AssetPath::from_path_buf(embedded_path!("dome.wgsl")).with_source("embedded"))
}

/// What all drawing of the sky shares. The sea reflects it.
#[derive(Resource)]
pub(crate) struct SkyAssets {
    pub frame: Buffer,
    dome: (Handle<Mesh>, Handle<SkyMaterial>),
    deck: (Handle<Mesh>, Handle<CloudDeckMaterial>),
}

/// A part of the sky of a camera, its child: the dome, or the deck of clouds.
#[derive(Component)]
#[require(NoFrustumCulling, NotShadowCaster, NotShadowReceiver, Transform, Visibility)]
pub(super) struct Dome;

/// Makes the sky's assets when the first camera asks for them.
pub(super) fn prepare(
    mut commands: Commands,
    assets: Option<Res<SkyAssets>>,
    device: Option<Res<RenderDevice>>,
    views: Query<(), With<AirView>>,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<SkyMaterial>>,
    mut decks: ResMut<Assets<CloudDeckMaterial>>,
) {
    let (None, Some(device), false) = (assets, device, views.is_empty()) else { return };
    let patterns = clouds::pattern().unwrap_or_else(|error| {
        error!("no clouds: {error}");
        let size = Extent3d { width: 1, height: 1, depth_or_array_layers: 1 };
        let usage = RenderAssetUsages::RENDER_WORLD;
        Image::new(size, TextureDimension::D2, vec![0, 0], TextureFormat::Rg8Unorm, usage)
    });
    let frame = storage_buffer(&device, "sky", FRAME_BYTES);
    let patterns = images.add(patterns);
    let material = SkyMaterial { frame: frame.clone(), patterns: patterns.clone() };
    let deck = CloudDeckMaterial { frame: frame.clone(), patterns };
    // One triangle over the whole screen.
    let corners = vec![[-1.0, -1.0, 0.0], [3.0, -1.0, 0.0], [-1.0, 3.0, 0.0]];
    let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners);
    commands.insert_resource(SkyAssets {
        frame,
        dome: (meshes.add(mesh), materials.add(material)),
        deck: (meshes.add(deck::mesh()), decks.add(deck)),
    });
}

/// Hands this frame's numbers to the shaders.
pub(super) fn drift(
    assets: Option<Res<SkyAssets>>,
    light: Res<AirLight>,
    origins: Query<&TerrainOrigin>,
    time: Res<Time>,
    mut uploads: ResMut<Uploads>,
) {
    let Some(assets) = assets else { return };
    let origin = origins.iter().next().map_or(DVec2::ZERO, |origin| DVec2::new(origin.x, origin.z));
    let frame = SkyFrame::new(&light.air, &light.sky, origin, time.elapsed_secs_f64());
    uploads.write(&assets.frame, 0, bytemuck::bytes_of(&frame));
    if light.is_changed() || assets.is_added() {
        uploads.write(&assets.frame, size_of::<SkyFrame>(), bytemuck::cast_slice(&table(&light.sky)));
    }
}

/// Gives each camera that asks for it its sky, and takes it from those that do not any more.
pub(super) fn hang(
    mut commands: Commands,
    assets: Option<Res<SkyAssets>>,
    light: Res<AirLight>,
    views: Query<(Entity, &AirView, Option<&RenderLayers>)>,
    domes: Query<(Entity, &ChildOf, Option<&RenderLayers>), With<Dome>>,
) {
    let Some(assets) = assets else { return };
    let wants = |view: &AirView| view.sky && light.air.sky == AirSky::Analytic;
    for (camera, _, layers) in views.iter().filter(|(_, view, _)| wants(view)) {
        let mut bare = true;
        for (part, _, have) in domes.iter().filter(|(_, parent, _)| parent.parent() == camera) {
            bare = false;
            match layers {
                _ if have == layers => {}
                Some(layers) => drop(commands.entity(part).insert(layers.clone())),
                None => drop(commands.entity(part).remove::<RenderLayers>()),
            }
        }
        if bare {
            let (mesh, material) = assets.dome.clone();
            let dome = (Name::new("Sky"), Dome, Mesh3d(mesh), MeshMaterial3d(material), ChildOf(camera));
            let dome = commands.spawn(dome).id();
            let (mesh, material) = assets.deck.clone();
            let deck = (Name::new("Clouds"), Dome, Mesh3d(mesh), MeshMaterial3d(material), ChildOf(camera));
            let deck = commands.spawn(deck).id();
            for part in [dome, deck] {
                commands.entity(part).insert_if(layers.cloned().unwrap_or_default(), || layers.is_some());
            }
        }
    }
    for (dome, parent, _) in &domes {
        if !views.get(parent.parent()).is_ok_and(|(_, view, _)| wants(view)) {
            commands.entity(dome).despawn();
        }
    }
}
