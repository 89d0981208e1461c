//! Draws objects: cells in pages of storage buffers, as described in [`scatter`](super).

mod bands;
mod batch_mesh;
mod blocks;
mod build_request;
mod canopy;
mod cells;
mod jobs;
mod material;
mod pages;
mod prepare;
mod removal;
mod render_assets;
mod shapes;
mod stream;
mod upload;

pub use cells::ScatterBlock;
use material::ScatterMaterial;
pub use stream::{ScatterState, ScatterStats};

use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;

use crate::{TerrainSystems, gpu};

/// Adds the systems; idle without a renderer.
pub fn add(app: &mut App) {
    app.register_type::<ScatterStats>();
    if !gpu::has_renderer(app) {
        return;
    }
    crate::wind::add(app);
    gpu::embed_shaders!(
        app,
        "scatter/draw/foliage.wesl",
        "scatter/draw/gaps.wesl",
        "scatter/draw/scatter.wesl",
        "scatter/draw/surface.wesl",
    );
    app.add_plugins(MaterialPlugin::<ScatterMaterial>::default()).add_observer(cells::on_lost_block).add_systems(
        PostUpdate,
        (stream::shift_origin, stream::stream_cells, upload::upload, stream::update_stats)
            .chain()
            .in_set(TerrainSystems::Show),
    );
}
