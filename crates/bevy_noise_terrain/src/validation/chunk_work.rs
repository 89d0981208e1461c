//! What a chunk's jobs do, without the task pools.

use crate::chunk::ChunkKey;
use crate::mesh::{ChunkHeights, SampleScratch, Texel, Vertex, build, detail_normals};
use crate::source::HeightSource;

/// Does the work of a chunk's jobs on the calling thread, with nothing shared between chunks: for benches. Keeps its
/// buffers from chunk to chunk.
#[derive(Default)]
pub struct ChunkWork(SampleScratch);

impl ChunkWork {
    /// The vertices of a chunk. The finest ones of the terrain are `spacing` metres apart, its coarsest level is `top`.
    pub fn vertices(&mut self, source: &dyn HeightSource, key: ChunkKey, spacing: f64, top: u8) -> Vec<Vertex> {
        build(source, key, spacing, top, None, &mut self.0).0.vertices.into_vec()
    }

    /// The detail normals of a chunk of level 1 or coarser, as the shader gets them.
    pub fn detail_normals(&mut self, source: &dyn HeightSource, key: ChunkKey, spacing: f64) -> Vec<Texel> {
        let own = ChunkHeights::sample(source, key, spacing, &mut self.0);
        detail_normals(source, key, spacing, &own, None, &mut self.0).into_vec()
    }
}
