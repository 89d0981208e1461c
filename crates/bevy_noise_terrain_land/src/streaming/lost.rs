//! Chunks whose entities the app takes away come back.

use bevy::prelude::*;

use super::TerrainState;
use crate::chunk::{ChunkKey, TerrainChunk};
use crate::terrain::ChunkRemoved;

/// Forgets a chunk whose entity the app despawns, or strips of its component: it is built again.
pub(crate) fn on_lost_chunk(
    removed: On<Remove<TerrainChunk>>,
    chunks: Query<&TerrainChunk>,
    mut states: Query<&mut TerrainState>,
    mut commands: Commands,
) {
    let entity = removed.entity;
    let Ok(&TerrainChunk { key, .. }) = chunks.get(entity) else { return };
    // Those that the streaming has unloaded are in no generation any more.
    if states.iter_mut().any(|mut state| state.forget(key, entity)) {
        commands.trigger(ChunkRemoved { entity, key });
        commands.entity(entity).try_despawn();
    }
}

impl TerrainState {
    /// Forgets a chunk if it is this entity.
    fn forget(&mut self, key: ChunkKey, entity: Entity) -> bool {
        for generation in [&mut self.shown, &mut self.pending].into_iter().flatten() {
            if generation.chunks.get(key).is_some_and(|chunk| chunk.entity == entity)
                && let Some(chunk) = generation.chunks.remove(key)
            {
                self.slots.give(chunk.slot);
                // Its successor appears.
                self.drawn.retain(|drawn| *drawn != key);
                self.evictable = default();
                return true;
            }
        }
        false
    }
}
