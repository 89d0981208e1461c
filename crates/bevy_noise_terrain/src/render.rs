//! Draws the terrain (feature `render`).
//!
//! All chunks are instances of one flat grid mesh, drawn with one material: Bevy batches them into one
//! draw. Their heights and normals lie in the *vertex pool*, a storage buffer with a fixed number of slots;
//! a chunk's [`MeshTag`](bevy::mesh::MeshTag) is its slot. The *frame buffer* beside it holds what the
//! morph needs: viewers, ranges, the place of each slot on the plane. Both are written in the render world,
//! so that the vertices, the ranges and the set of visible entities of a frame always belong together.
//! Streaming a chunk in is one copy of 67 kB: no mesh asset, no allocator, no bind group is touched.
//!
//! Land, water and plants need a device with eight storage buffers a shader stage, four of them for Bevy. Under Bevy's
//! own [`Atmosphere`](bevy::light::Atmosphere) it is nine, with order-independent transparency eleven.

mod chunks;
mod ground;
mod limits;
mod material;
pub(crate) mod pattern;
pub(crate) mod pool;
mod render_layers;
mod uniforms;
pub(crate) mod upload;

pub use ground::{
    GroundError, GroundHeader, GroundLayer, GroundRejected, LayerRecord, LayerSpan, MAX_LAYERS, PatchesRecord,
    TerrainGround,
};
pub(crate) use limits::{ATMOSPHERE_STORAGE_BUFFERS, too_few_storage_buffers};
pub use material::{OwnMaterial, TerrainBuffers, TerrainExtension, TerrainMaterial};
pub(crate) use pool::VertexPool;
pub use uniforms::TerrainUniforms;

use bevy::asset::embedded_asset;
use bevy::camera::visibility::VisibilitySystems;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy::render::renderer::RenderDevice;
use bevy::render::{Render, RenderApp, RenderSystems};
use bevy::shader::load_shader_library;

use crate::TerrainSystems;
use crate::sky::{SKY_BYTES, SkyBuffer};
use crate::streaming::{SlotLimit, VERTEX_BYTES};

/// Draws terrains. Part of [`NoiseTerrainPlugin`](crate::NoiseTerrainPlugin); idle without a renderer.
pub struct TerrainRenderPlugin;

/// The plugin that users add, by name.
const TERRAIN_PLUGIN: &str = "NoiseTerrainPlugin";

/// What land, water, plants and sky share.
struct SharedPlugin;

impl Plugin for SharedPlugin {
    fn build(&self, app: &mut App) {
        load_shader_library!(app, "render/bounce.wgsl");
        load_shader_library!(app, "render/fog.wgsl");
        load_shader_library!(app, "sky/sky.wgsl");
        load_shader_library!(app, "sky/shadow.wgsl");
        app.add_plugins(upload::UploadPlugin);
    }

    fn finish(&self, app: &mut App) {
        if let Some(device) = app.world().get_resource::<RenderDevice>() {
            let buffer = SkyBuffer(upload::storage_buffer(device, "sky", SKY_BYTES));
            app.insert_resource(buffer);
        }
    }
}

/// Plugins of this crate that found a renderer when they were added.
#[derive(Resource, Default)]
pub(crate) struct FoundRenderer(Vec<&'static str>);

/// Is there a renderer yet, for the plugin of this name? If it comes later, [`tell_if_too_early`] says so.
pub(crate) fn finds_renderer(app: &mut App, plugin: &'static str) -> bool {
    let found = app.get_sub_app(RenderApp).is_some();
    if found {
        app.world_mut().get_resource_or_init::<FoundRenderer>().0.push(plugin);
    }
    found
}

/// A plugin that was added before the renderer draws nothing, and must not do so without a word.
pub(crate) fn tell_if_too_early(app: &App, plugin: &'static str) {
    if let Some(words) = too_early(app, plugin) {
        error!("{words}");
    }
}

fn too_early(app: &App, plugin: &str) -> Option<String> {
    let found = app.world().get_resource::<FoundRenderer>().is_some_and(|found| found.0.contains(&plugin));
    (app.get_sub_app(RenderApp).is_some() && !found)
        .then(|| format!("{plugin} was added before the renderer and draws nothing: add it after DefaultPlugins"))
}

/// Adds what land, water, plants and sky share, once.
pub(crate) fn add_shared(app: &mut App) {
    if !app.is_plugin_added::<SharedPlugin>() {
        app.add_plugins(SharedPlugin);
    }
}

impl Plugin for TerrainRenderPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<TerrainGround>()
            .register_type::<OwnMaterial>()
            .register_type::<crate::water::TerrainWater>();
        if !finds_renderer(app, TERRAIN_PLUGIN) {
            return;
        }
        load_shader_library!(app, "render/bindings.wgsl");
        load_shader_library!(app, "render/morph.wgsl");
        load_shader_library!(app, "render/output.wgsl");
        load_shader_library!(app, "render/pixel.wgsl");
        load_shader_library!(app, "render/ground/surface.wgsl");
        load_shader_library!(app, "render/ground/layers.wgsl");
        load_shader_library!(app, "render/ground/tiling.wgsl");
        embedded_asset!(app, "render/terrain.wgsl");
        embedded_asset!(app, "render/ground.wgsl");
        ground::embed(app);
        add_shared(app);
        crate::water::add(app);
        app.add_plugins(MaterialPlugin::<TerrainMaterial>::default())
            .add_systems(PostUpdate, ground::prepare_ground.in_set(TerrainSystems::Apply))
            .add_systems(PostUpdate, (pool::open_pools, ground::load_textures).chain().in_set(TerrainSystems::Open))
            .add_systems(PostUpdate, limits::warn_of_transparency)
            .add_systems(
                PostUpdate,
                (chunks::add_render_components, chunks::update_visibility).chain().in_set(TerrainSystems::Show),
            )
            .add_systems(
                PostUpdate,
                render_layers::propagate_render_layers
                    .after(TerrainSystems::Report)
                    .before(VisibilitySystems::CheckVisibility),
            );
    }

    fn finish(&self, app: &mut App) {
        tell_if_too_early(app, TERRAIN_PLUGIN);
        let Some(render_app) = app.get_sub_app_mut(RenderApp) else { return };
        render_app
            .init_resource::<pool::Writes>()
            .add_systems(ExtractSchedule, pool::extract)
            .add_systems(Render, pool::write.in_set(RenderSystems::PrepareResources));
        if let Some(device) = app.world().get_resource::<RenderDevice>() {
            let bytes = device.limits().max_storage_buffer_binding_size.min(device.limits().max_buffer_size);
            app.insert_resource(SlotLimit((bytes / VERTEX_BYTES as u64).try_into().unwrap_or(u32::MAX)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoiseTerrainPlugin;
    use bevy::app::SubApp;

    #[test]
    fn a_plugin_that_was_added_too_early_says_so() {
        let mut early = App::new();
        early.add_plugins((MinimalPlugins, NoiseTerrainPlugin));
        assert_eq!(too_early(&early, TERRAIN_PLUGIN), None, "there need be no renderer at all");
        early.insert_sub_app(RenderApp, SubApp::new());
        assert!(too_early(&early, TERRAIN_PLUGIN).unwrap().contains("after DefaultPlugins"));
    }
}
