//! The drawn set, for others to build on.

use bevy::prelude::*;

use crate::chunk::ChunkKey;

/// The chunks of a terrain that are drawn in this frame, without a hole and without an overlap. Updated in
/// [`TerrainSystems::Select`](crate::TerrainSystems::Select), for others to read.
#[derive(Component, Clone, Debug, Default)]
pub struct DrawnChunks {
    pub(super) keys: Vec<ChunkKey>,
    pub(super) appearing: Vec<Entity>,
    pub(super) vanishing: Vec<Entity>,
}

impl DrawnChunks {
    /// The drawn chunks, in no particular order.
    pub fn keys(&self) -> &[ChunkKey] {
        &self.keys
    }

    /// Entities of chunks that are drawn from this frame on.
    pub fn appearing(&self) -> &[Entity] {
        &self.appearing
    }

    /// Entities of chunks that were drawn until the frame before; some of them have been despawned.
    pub fn vanishing(&self) -> &[Entity] {
        &self.vanishing
    }
}
