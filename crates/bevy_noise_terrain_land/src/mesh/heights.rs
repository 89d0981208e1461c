//! The heights that chunks are built from. Those of one chunk serve several: its children morph to its surface, and the
//! detail normals of its parent are its own.

use std::sync::Arc;

use terrain_noise::{Grid, Scratch};

use super::rows::Samples;
use super::vec_pool::VecPool;
use super::{Texel, Vertex};
use crate::chunk::{CHUNK_QUADS, CHUNK_VERTICES, ChunkKey};
use crate::source::HeightSource;

/// Samples along one side of a chunk, with a border of one sample.
pub const OWN: usize = CHUNK_VERTICES + 2;
/// Samples along one side of the part of its parent that a chunk covers, with the border.
pub const PARENT: usize = CHUNK_QUADS / 2 + 3;
/// Samples along one side of a chunk at twice its resolution, with the border.
pub const FINE: usize = 2 * CHUNK_QUADS + 3;

/// The heights of a chunk's vertices and of one more around them: 18 KB, shared by all clones. They are the bits that the
/// source gives, so that it makes no difference who samples them.
#[derive(Clone)]
pub struct ChunkHeights(Arc<[f32]>);

impl ChunkHeights {
    /// The same height everywhere.
    #[cfg(test)]
    pub fn flat(height: f32) -> Self {
        Self(vec![height; OWN * OWN].into())
    }

    /// Samples a chunk.
    pub fn sample(source: &dyn HeightSource, key: ChunkKey, spacing: f64, scratch: &mut SampleScratch) -> Self {
        let quads = CHUNK_QUADS as i64;
        let samples = scratch.sample(source, [key.x * quads, key.z * quads], key.vertex_spacing(spacing), OWN);
        Self(samples.heights.into())
    }

    /// All of chunk `key`.
    pub fn samples(&self, key: ChunkKey, spacing: f64) -> Samples<'_> {
        Samples { heights: &self.0, stride: OWN, spacing: key.vertex_spacing(spacing) }
    }

    /// Height of vertex (`x`, `z`), from −1 to [`CHUNK_QUADS`] + 1 each.
    pub fn vertex(&self, x: i32, z: i32) -> Option<f32> {
        let index = |n: i32| usize::try_from(n + 1).ok().filter(|&index| index < OWN);
        self.0.get(index(z)? * OWN + index(x)?).copied()
    }

    /// The rows of its vertices along x, in the order of z, without the border.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.0.chunks_exact(OWN).skip(1).take(CHUNK_VERTICES).map(|row| &row[1..=CHUNK_VERTICES])
    }

    /// Whether no height is infinite or NaN.
    pub fn is_finite(&self) -> bool {
        self.0.iter().all(|height| height.is_finite())
    }

    /// The part of a chunk that its child `child` covers.
    pub fn under_child(&self, child: ChunkKey, spacing: f64) -> Samples<'_> {
        let [x, z] = [child.x, child.z].map(|cell| if cell & 1 == 1 { CHUNK_QUADS / 2 } else { 0 });
        let all = self.samples(child.parent(), spacing);
        Samples { heights: &all.heights[z * OWN + x..], ..all }
    }
}

/// Buffers for samples that nobody keeps, and for what is made of them.
#[derive(Default)]
pub struct SampleScratch {
    noise: Scratch,
    heights: Vec<f32>,
    pub vertices: VecPool<Vertex>,
    pub texels: VecPool<Texel>,
}

impl SampleScratch {
    /// Samples the part of its parent that `key` covers.
    pub fn sample_parent(&mut self, source: &dyn HeightSource, key: ChunkKey, spacing: f64) -> Samples<'_> {
        let half = (CHUNK_QUADS / 2) as i64;
        self.sample(source, [key.x * half, key.z * half], key.parent().vertex_spacing(spacing), PARENT)
    }

    /// Samples `key` at twice its resolution.
    pub fn sample_fine(&mut self, source: &dyn HeightSource, key: ChunkKey, spacing: f64) -> Samples<'_> {
        let quads = 2 * CHUNK_QUADS as i64;
        self.sample(source, [key.x * quads, key.z * quads], 0.5 * key.vertex_spacing(spacing), FINE)
    }

    /// The same as [`sample_fine`](Self::sample_fine), put together from the chunk's children.
    pub fn join_children(&mut self, children: &[ChunkHeights; 4], key: ChunkKey, spacing: f64) -> Samples<'_> {
        self.heights.resize(FINE * FINE, 0.0);
        for (index, child) in children.iter().enumerate() {
            let [x, z] = [index % 2 * CHUNK_QUADS, index / 2 * CHUNK_QUADS];
            for (j, row) in child.0.chunks_exact(OWN).enumerate() {
                self.heights[(z + j) * FINE + x..][..OWN].copy_from_slice(row);
            }
        }
        Samples { heights: &self.heights, stride: FINE, spacing: 0.5 * key.vertex_spacing(spacing) }
    }

    /// `side`² samples that begin one sample before vertex (`x`, `z`).
    fn sample(&mut self, source: &dyn HeightSource, [x, z]: [i64; 2], spacing: f64, side: usize) -> Samples<'_> {
        let grid = Grid::new([x - 1, z - 1], spacing, [side, side]);
        self.heights.resize(side * side, 0.0);
        source.fill(&grid, &mut self.noise, &mut self.heights);
        Samples { heights: &self.heights, stride: side, spacing }
    }
}
