//! Grass, rocks and trees on the land: insert a [`TerrainScatter`] into a terrain's entity.
//!
//! The plane is divided into cells as wide as the finest chunks. The objects of a cell are a pure function of settings,
//! height source and cell, the same on every machine. [`ScatterQuery`] tells what stands where, with a renderer or without;
//! [`RemovedScatter`] takes objects away and puts them back by their [identities](ScatterId).
//!
//! # How they are drawn (feature `scatter`)
//!
//! Objects are placed on the task pools and stored in *blocks*: each is one page of a storage buffer with a fixed number of
//! pages, and one entity that draws a shared mesh with many copies of the shape. Bevy batches all blocks of a kind.
//!
//! The land under an object morphs with distance. The vertex shader knows the drawn chunk beneath each cell and takes
//! height and normal from the drawn triangle: nothing floats or sinks at any level of detail. With distance near shapes
//! turn into far ones and objects become rarer in a fixed order, each shrinking before it disappears. Trees that are
//! visible for kilometres are placed a second time, more sparsely in wide cells, as a few triangles each.
//!
//! Models, meshes and rules are built on the task pools; the main thread's work per frame has a budget.

#[cfg(feature = "scatter")]
mod draw;
mod id;
mod map;
mod placement;
mod query;
mod removed;
mod settings;
mod shape;
mod solids;
mod temperate;

#[cfg(feature = "scatter")]
pub use draw::{ScatterBlock, ScatterState, ScatterStats};
pub use id::ScatterId;
pub use map::{ScatterMap, ScatterObject};
pub use query::ScatterQuery;
pub use removed::{RemovedChanges, RemovedScatter};
pub use settings::{ScatterKind, TerrainScatter};
pub use shape::ScatterShape;
pub use solids::ScatterSolid;

use bevy::prelude::*;

use crate::TerrainSystems;

/// Places objects on terrains with a [`TerrainScatter`], and draws them (feature `scatter`). Part of
/// [`NoiseTerrainPlugin`](crate::NoiseTerrainPlugin).
pub struct TerrainScatterPlugin;

impl Plugin for TerrainScatterPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<TerrainScatter>()
            .register_type::<RemovedScatter>()
            .add_systems(PostUpdate, query::prepare.in_set(TerrainSystems::Apply));
        #[cfg(feature = "scatter")]
        draw::add(app);
    }
}
