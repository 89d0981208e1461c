//! Draws the terrain (feature `render`).
//!
//! All chunks are instances of one flat grid mesh, drawn with one material: Bevy batches them into one
//! draw call. Their heights and normals are stored in the *vertex pool*, a storage buffer with a fixed number of slots;
//! a chunk's [`MeshTag`](bevy::mesh::MeshTag) is its slot. A second storage buffer, the *frame buffer*, holds the
//! uniforms of the frame: viewers, ranges, the position of each slot on the plane. Both are written before
//! anything of a frame is drawn, so that vertices, ranges and visible entities always belong to the same frame.
//! What covers the ground is computed once for each chunk, into a page of a texture.
//! Chunks with holes have a material of their own, which leaves out what lies in them.
//! Streaming a chunk in is one copy of 67 kB: it touches no mesh asset, no allocator and no bind group.
//!
//! Land, water and plants need a device with eight storage buffers per shader stage, four of them for Bevy. With Bevy's
//! own [`Atmosphere`](bevy::light::Atmosphere) they need nine. Cameras with order-independent transparency need eleven, and
//! do not see them on lesser devices.

mod canopy_uniforms;
mod chunks;
mod ground_pages;
mod ground_uniforms;
mod hole_pipelines;
mod hole_table;
mod material;
mod page_table;
mod pool;
mod render_layers;
mod shadow_casters;
mod transparency;
mod uniforms;
mod volumes;

pub use crate::gpu::{NOISE_WGSL, NoiseUniform, SpaceNoiseUniform};
#[cfg(feature = "scatter")]
pub(crate) use canopy_uniforms::CanopyRecord;
pub(crate) use canopy_uniforms::CanopyUniforms;
pub(crate) use ground_pages::PageInputs;
pub(crate) use ground_uniforms::GroundUniforms;
pub use material::{OwnMaterial, TerrainBuffers, TerrainExtension, TerrainMaterial};
#[cfg(any(feature = "ground", feature = "scatter", feature = "water"))]
pub(crate) use pool::VertexPool;
#[cfg(any(feature = "scatter", feature = "water"))]
pub(crate) use render_layers::DrawnPart;

use bevy::camera::visibility::VisibilitySystems;
use bevy::light::SimulationLightSystems;
use bevy::pbr::{MaterialPlugin, check_entities_needing_specialization};
use bevy::prelude::*;
use bevy::render::RenderApp;
use bevy::render::renderer::RenderDevice;

use crate::streaming::SlotLimit;
use crate::terrain::{self, VERTEX_BYTES};
use crate::{TerrainSystems, gpu, quality};

/// Draws terrains. Part of [`NoiseTerrainPlugin`](crate::NoiseTerrainPlugin); idle without a renderer.
pub struct TerrainRenderPlugin;

/// Name in messages of the plugin that users add.
const TERRAIN_PLUGIN: &str = "NoiseTerrainPlugin";

impl Plugin for TerrainRenderPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<OwnMaterial>();
        terrain::require::<Visibility>(app);
        terrain::require::<GroundUniforms>(app);
        terrain::require::<CanopyUniforms>(app);
        terrain::require::<PageInputs>(app);
        quality::add(app);
        if !gpu::finds_renderer(app, TERRAIN_PLUGIN) {
            return;
        }
        gpu::add(app);
        gpu::embed_shaders!(
            app,
            "render/bindings.wesl",
            "render/fill_pages.wesl",
            "render/ground.wesl",
            "render/ground/canopy.wesl",
            "render/ground/climate.wesl",
            "render/ground/cover.wesl",
            "render/ground/layers.wesl",
            "render/ground/paint.wesl",
            "render/ground/patches.wesl",
            "render/ground/surface.wesl",
            "render/ground/tiling.wesl",
            "render/holes.wesl",
            "render/morph.wesl",
            "render/output.wesl",
            "render/pages.wesl",
            "render/pixel.wesl",
            "render/prepass.wesl",
            "render/terrain.wesl",
        );
        hole_pipelines::add(app);
        ground_pages::add(app);
        app.add_plugins(MaterialPlugin::<TerrainMaterial>::default())
            .add_systems(PostUpdate, (hole_pipelines::prepare, pool::open_pools).chain().in_set(TerrainSystems::Open))
            .add_systems(
                PostUpdate,
                volumes::draw
                    .in_set(TerrainSystems::Show)
                    .before(check_entities_needing_specialization::<TerrainMaterial>),
            )
            .add_systems(
                PostUpdate,
                (
                    chunks::follow_own_material,
                    chunks::add_render_components,
                    chunks::update_bounds,
                    chunks::update_materials,
                    chunks::update_meshes,
                    chunks::update_visibility,
                )
                    .chain()
                    .in_set(TerrainSystems::Show)
                    // Bevy looks for changed materials there: a chunk would be drawn with its old one for a frame.
                    .before(check_entities_needing_specialization::<TerrainMaterial>),
            )
            .add_systems(
                PostUpdate,
                render_layers::propagate_render_layers
                    .after(TerrainSystems::Report)
                    .before(VisibilitySystems::CheckVisibility),
            )
            .add_systems(PostUpdate, transparency::hide_from_cameras.after(VisibilitySystems::CheckVisibility))
            .add_systems(
                PostUpdate,
                shadow_casters::leave_out_unseen
                    .after(VisibilitySystems::CheckVisibility)
                    .after(SimulationLightSystems::CheckLightVisibility),
            )
            .add_systems(
                PostUpdate,
                pool::upload
                    .after(TransformSystems::Propagate)
                    // In between, only cameras have said what they see.
                    .after(VisibilitySystems::CheckVisibility)
                    .before(SimulationLightSystems::CheckLightVisibility),
            );
    }

    fn finish(&self, app: &mut App) {
        gpu::error_if_too_early(app, TERRAIN_PLUGIN);
        if app.get_sub_app(RenderApp).is_none() {
            return;
        }
        if let Some(device) = app.world().get_resource::<RenderDevice>() {
            let bytes = device.limits().max_storage_buffer_binding_size.min(device.limits().max_buffer_size);
            app.insert_resource(SlotLimit((bytes / VERTEX_BYTES as u64).try_into().unwrap_or(u32::MAX)));
        }
    }
}
