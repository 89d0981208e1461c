//! The set of chunks that are drawn in a frame.

use super::{Ranges, TerrainLod, Viewer, distance};
use crate::chunk::ChunkKey;

/// Fills `drawn` with chunks that cover `roots`, each point of the plane exactly once.
///
/// `ranges` must not reach further than the loaded chunks allow ([`Ranges::reachable`]).
pub fn drawn(lod: &TerrainLod, viewers: &[Viewer], roots: &[ChunkKey], ranges: &Ranges, drawn: &mut Vec<ChunkKey>) {
    drawn.clear();
    let mut open = roots.to_vec();
    while let Some(key) = open.pop() {
        match key.children() {
            Some(children) if ranges.splits(key, distance(viewers, &key.square(lod.spacing))) => {
                open.extend(children);
            }
            _ => drawn.push(key),
        }
    }
}
