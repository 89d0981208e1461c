//! Grass, rocks and trees on the land (feature `scatter`).
//!
//! Put a [`TerrainScatter`] on a terrain's entity. The plane is cut in cells as wide as the finest chunks; what stands in
//! a cell is a pure function of settings, height source and cell, found on the task pools and the same on every
//! machine. A cell's objects come in *blocks*: one page of a storage buffer with a fixed number of pages, and one
//! entity that draws a shared mesh holding the shape many times over. Bevy batches all blocks of a kind.
//!
//! The land under an object morphs with distance. The vertex shader knows the drawn chunk beneath each cell and takes
//! height and normal from the very triangle that is drawn: nothing floats or sinks at any level of detail.
//! With distance near shapes turn into far ones, objects grow rarer in an order of their own, each shrinking
//! away before it vanishes. Trees that are seen for kilometres are placed a second time, rarer and in wide cells, and
//! stand there as a few triangles each.
//!
//! Models, meshes and rules are made on the task pools; what the main thread does in a frame has a budget.

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

/// Scatters objects over terrains that ask for it. Part of [`NoiseTerrainPlugin`](crate::NoiseTerrainPlugin); idle
/// without a renderer and without a [`TerrainScatter`].
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
