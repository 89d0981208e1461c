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

use bevy::asset::embedded_asset;
use bevy::pbr::MaterialPlugin;
use bevy::prelude::*;
use bevy::shader::load_shader_library;

use crate::{TerrainSystems, gpu};

/// Adds the systems; idle without a renderer.
pub fn add(app: &mut App) {
    app.register_type::<ScatterStats>();
    if !gpu::has_renderer(app) {
        return;
    }
    crate::wind::add(app);
    load_shader_library!(app, "draw/foliage.wgsl");
    embedded_asset!(app, "draw/scatter.wgsl");
    embedded_asset!(app, "draw/surface.wgsl");
    embedded_asset!(app, "draw/gaps.wgsl");
    app.add_plugins(MaterialPlugin::<ScatterMaterial>::default()).add_systems(
        PostUpdate,
        (stream::shift_origin, stream::stream_cells, upload::upload, stream::update_stats)
            .chain()
            .in_set(TerrainSystems::Show),
    );
}
