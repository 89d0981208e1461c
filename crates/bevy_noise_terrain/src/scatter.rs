//! Grass, rocks and trees on the land (feature `scatter`).
//!
//! Insert a [`TerrainScatter`] into a terrain's entity. The plane is divided into cells as wide as the finest chunks.
//! The objects of a cell are a pure function of settings, height source and cell, computed on the task pools and the
//! same on every machine. They are stored in *blocks*: each is one page of a storage buffer with a fixed number of
//! pages, and one entity that draws a shared mesh with many copies of the shape. Bevy batches all blocks of a kind.
//!
//! The land under an object morphs with distance. The vertex shader knows the drawn chunk beneath each cell and takes
//! height and normal from the drawn triangle: nothing floats or sinks at any level of detail. With distance near shapes
//! turn into far ones and objects become rarer in a fixed order, each shrinking before it disappears. Trees that are
//! visible for kilometres are placed a second time, more sparsely in wide cells, as a few triangles each.
//!
//! Models, meshes and rules are built on the task pools; the main thread's work per frame has a budget.

mod bands;
mod batch_mesh;
mod build_request;
mod cells;
mod jobs;
mod material;
mod pages;
mod placement;
mod prepare;
mod render_assets;
mod settings;
mod shapes;
mod stream;
mod temperate;
mod upload;

pub use cells::ScatterBlock;
use material::ScatterMaterial;
pub use settings::{ScatterKind, ScatterPatches, ScatterShape, TerrainScatter};
pub use stream::{ScatterState, ScatterStats};

use bevy::asset::embedded_asset;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy::shader::load_shader_library;

use crate::{TerrainSystems, gpu};

/// Scatters objects over terrains with a [`TerrainScatter`]. Part of [`NoiseTerrainPlugin`](crate::NoiseTerrainPlugin);
/// idle without a renderer.
pub struct TerrainScatterPlugin;

impl Plugin for TerrainScatterPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<TerrainScatter>().register_type::<ScatterStats>();
        if !gpu::has_renderer(app) {
            return;
        }
        load_shader_library!(app, "scatter/foliage.wgsl");
        embedded_asset!(app, "scatter/scatter.wgsl");
        embedded_asset!(app, "scatter/surface.wgsl");
        embedded_asset!(app, "scatter/gaps.wgsl");
        app.add_plugins(MaterialPlugin::<ScatterMaterial>::default()).add_systems(
            PostUpdate,
            (stream::shift_origin, stream::stream_cells, upload::upload, stream::update_stats)
                .chain()
                .in_set(TerrainSystems::Show),
        );
    }
}
