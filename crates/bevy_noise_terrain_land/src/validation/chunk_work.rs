//! What a chunk's jobs do, without the task pools.

use crate::chunk::ChunkKey;
use crate::mesh::{ChunkHeights, PooledVec, SampleScratch, Texel, Vertex, build, detail_normals};
use crate::source::HeightSource;

/// Does the work of a chunk's jobs on the calling thread, with nothing shared between chunks: for benches. Keeps its
/// buffers from chunk to chunk.
#[derive(Default)]
pub struct ChunkWork {
    scratch: SampleScratch,
    vertices: PooledVec<Vertex>,
    texels: PooledVec<Texel>,
}

impl ChunkWork {
    /// The vertices of a chunk, until the next one is built. The finest ones of the terrain are `spacing` metres apart, its
    /// coarsest level is `top`.
    pub fn vertices(&mut self, source: &dyn HeightSource, key: ChunkKey, spacing: f64, top: u8) -> &[Vertex] {
        self.vertices = build(source, key, spacing, top, None, &mut self.scratch).0.vertices;
        &self.vertices
    }

    /// The detail normals of a chunk of level 1 or coarser, as the shader gets them, until the next ones are built.
    pub fn detail_normals(&mut self, source: &dyn HeightSource, key: ChunkKey, spacing: f64) -> &[Texel] {
        let own = ChunkHeights::sample(source, key, spacing, &mut self.scratch);
        self.texels = detail_normals(source, key, spacing, &own, None, &mut self.scratch);
        &self.texels
    }
}
