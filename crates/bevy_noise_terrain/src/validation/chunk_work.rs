//! What a chunk's jobs do, without the task pools.

use terrain_noise::Scratch;

use crate::chunk::ChunkKey;
use crate::mesh::{MeshScratch, ReliefScratch, Texel, Vertex, build, relief};
use crate::source::HeightSource;

/// Does the work of a chunk's jobs on the thread that asks: for benches. Keeps its buffers from chunk to chunk.
#[derive(Default)]
pub struct ChunkWork {
    mesh: MeshScratch,
    noise: Scratch,
    relief: ReliefScratch,
}

impl ChunkWork {
    /// The vertices of a chunk. The finest ones of the terrain are `spacing` metres apart, its coarsest level is `top`.
    pub fn vertices(&mut self, source: &dyn HeightSource, key: ChunkKey, spacing: f64, top: u8) -> Vec<Vertex> {
        build(source, key, spacing, top, &mut self.mesh).vertices
    }

    /// The detail normals of a chunk of level 1 or coarser, as the shader gets them.
    pub fn detail_normals(&mut self, source: &dyn HeightSource, key: ChunkKey, spacing: f64) -> Vec<Texel> {
        relief(source, key, spacing, &mut self.noise, &mut self.relief)
    }
}
