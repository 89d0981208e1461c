//! The chunks of a generation in memory.

use bevy::platform::collections::HashMap;
use bevy::platform::time::Instant;
use bevy::prelude::*;

use crate::chunk::ChunkKey;
#[cfg(feature = "render")]
use crate::edits::ChunkHoles;
use crate::edits::ChunkPaint;
use crate::mesh::ChunkHeights;

/// Seconds in which a chunk's detail normals fade in.
pub const DETAIL_NORMALS_SECONDS: f32 = 0.4;

/// The state of a chunk's detail normals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DetailNormals {
    Missing,
    Since(Instant),
    /// The source panicked: not tried again.
    Failed,
}

/// A chunk in memory.
pub struct Loaded {
    pub entity: Entity,
    pub slot: u32,
    /// Is its entity visible?
    pub visible: bool,
    /// The last frame in which it was wanted.
    pub wanted: u64,
    pub detail_normals: DetailNormals,
    /// For jobs of its children, and for detail normals.
    pub heights: ChunkHeights,
    /// For the renderer.
    pub paint: Option<ChunkPaint>,
    /// For the renderer.
    #[cfg(feature = "render")]
    pub holes: Option<ChunkHoles>,
}

impl Loaded {
    /// How far a chunk's detail normals have faded in, from 0 to 1.
    #[cfg(feature = "render")]
    pub fn detail_normals_share(&self) -> f32 {
        match self.detail_normals {
            DetailNormals::Since(since) => (since.elapsed().as_secs_f32() / DETAIL_NORMALS_SECONDS).min(1.0),
            DetailNormals::Missing | DetailNormals::Failed => 0.0,
        }
    }
}

#[cfg(test)]
impl Loaded {
    /// A flat chunk that nobody has wanted yet.
    pub fn flat(slot: u32) -> Self {
        Self {
            entity: Entity::PLACEHOLDER,
            slot,
            visible: false,
            wanted: 0,
            detail_normals: DetailNormals::Missing,
            heights: ChunkHeights::flat(0.0),
            paint: None,
            #[cfg(feature = "render")]
            holes: None,
        }
    }
}

/// A chunk, and which of its children are in memory as well: a bit for each, in the order of [`ChunkKey::children`].
struct Node {
    chunk: Loaded,
    children: u8,
}

/// The chunks in memory by their keys.
#[derive(Default)]
pub struct LoadedChunks(HashMap<ChunkKey, Node>);

impl LoadedChunks {
    pub fn get(&self, key: ChunkKey) -> Option<&Loaded> {
        Some(&self.0.get(&key)?.chunk)
    }

    pub fn get_mut(&mut self, key: ChunkKey) -> Option<&mut Loaded> {
        Some(&mut self.0.get_mut(&key)?.chunk)
    }

    pub fn contains(&self, key: ChunkKey) -> bool {
        self.0.contains_key(&key)
    }

    /// Whether all children of a chunk are in memory: one look instead of four.
    pub fn has_children(&self, key: ChunkKey) -> bool {
        self.0.get(&key).is_some_and(|node| node.children == 0b1111)
    }

    /// Adds a chunk that is not in memory.
    pub fn insert(&mut self, key: ChunkKey, chunk: Loaded) {
        if let Some(parent) = self.0.get_mut(&key.parent()) {
            parent.children |= bit(key);
        }
        let children = key.children().into_iter().flatten().filter(|child| self.0.contains_key(child));
        let children = children.map(bit).sum();
        self.0.insert(key, Node { chunk, children });
    }

    pub fn remove(&mut self, key: ChunkKey) -> Option<Loaded> {
        let node = self.0.remove(&key)?;
        if let Some(parent) = self.0.get_mut(&key.parent()) {
            parent.children &= !bit(key);
        }
        Some(node.chunk)
    }

    pub fn iter(&self) -> impl Iterator<Item = (ChunkKey, &Loaded)> {
        self.0.iter().map(|(&key, node)| (key, &node.chunk))
    }

    #[cfg(feature = "render")]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (ChunkKey, &mut Loaded)> {
        self.0.iter_mut().map(|(&key, node)| (key, &mut node.chunk))
    }

    pub fn values(&self) -> impl Iterator<Item = &Loaded> {
        self.0.values().map(|node| &node.chunk)
    }

    pub fn keys(&self) -> impl Iterator<Item = ChunkKey> {
        self.0.keys().copied()
    }

    pub fn into_chunks(self) -> impl Iterator<Item = (ChunkKey, Loaded)> {
        self.0.into_iter().map(|(key, node)| (key, node.chunk))
    }
}

/// Which child of its parent a chunk is.
fn bit(key: ChunkKey) -> u8 {
    1 << ((key.x & 1) + 2 * (key.z & 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_chunk_knows_its_children_in_whatever_order_they_come_and_go(
            steps in prop::collection::vec((0u8..4, -2i64..2, -2i64..2, any::<bool>()), 1..120)
        ) {
            let mut chunks = LoadedChunks::default();
            let keys = || (0u8..4).flat_map(|level| (0..16).map(move |k| ChunkKey::new(level, k % 4 - 2, k / 4 - 2)));
            for (level, x, z, comes) in steps {
                let key = ChunkKey::new(level, x, z);
                match (comes, chunks.contains(key)) {
                    (true, false) => chunks.insert(key, Loaded::flat(0)),
                    (true, true) => {}
                    (false, was_there) => prop_assert_eq!(chunks.remove(key).is_some(), was_there),
                }
                for key in keys() {
                    let all = key.children().is_some_and(|children| children.iter().all(|&child| chunks.contains(child)));
                    prop_assert_eq!(chunks.has_children(key), all && chunks.contains(key), "{:?}", key);
                }
            }
        }
    }
}
