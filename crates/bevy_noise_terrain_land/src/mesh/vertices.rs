//! From heights to the vertices of a chunk.

use super::instructions::Kernel;
use super::morph_targets::MorphTargets;
use super::rows::{ROW, Samples, SurfaceRow};
use super::{ChunkMesh, PooledVec, Vertex};
use crate::chunk::CHUNK_VERTICES;

/// The mesh of a chunk with heights `own`; `parent` is the part of its parent that it covers. A chunk without one is its
/// own morph target.
pub struct Vertices<'a> {
    pub own: &'a Samples<'a>,
    pub parent: Option<&'a Samples<'a>>,
    /// For the vertices; empty.
    pub buffer: PooledVec<Vertex>,
}

impl Kernel for Vertices<'_> {
    type Output = ChunkMesh;

    #[inline(always)]
    fn run(self) -> ChunkMesh {
        const COUNT: usize = CHUNK_VERTICES;
        let mut vertices = self.buffer;
        vertices.reserve(COUNT * COUNT);
        let mut bounds = Bounds { min: [f32::INFINITY; ROW], max: [f32::NEG_INFINITY; ROW], nothing: [0.0; ROW] };
        let mut targets = self.parent.map(MorphTargets::new);
        for j in 0..COUNT {
            let own = SurfaceRow::<ROW>::new::<COUNT>(self.own, j);
            let target = match &mut targets {
                Some(targets) => targets.row(j),
                None => own,
            };
            bounds.add(&own.height);
            bounds.add(&target.height);
            let (shade, parent_shade) = (own.shades(), target.shades());
            let mut row = [Vertex::default(); COUNT];
            for i in 0..COUNT {
                row[i] = Vertex {
                    height: own.height[i],
                    parent_height: target.height[i],
                    shade: shade[i],
                    parent_shade: parent_shade[i],
                };
            }
            vertices.extend_from_slice(&row);
        }
        let min_height = bounds.min.into_iter().fold(f32::INFINITY, f32::min);
        let max_height = bounds.max.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let is_finite = bounds.nothing.into_iter().sum::<f32>() == 0.0;
        ChunkMesh { vertices, min_height, max_height, is_finite }
    }
}

/// Bounds of heights, lane by lane.
struct Bounds {
    min: [f32; ROW],
    max: [f32; ROW],
    /// 0, or NaN once a height was not finite.
    nothing: [f32; ROW],
}

impl Bounds {
    #[inline(always)]
    fn add(&mut self, heights: &[f32; ROW]) {
        for (i, &height) in heights.iter().enumerate() {
            self.min[i] = if height < self.min[i] { height } else { self.min[i] };
            self.max[i] = if height > self.max[i] { height } else { self.max[i] };
            // Infinities and NaN times zero are NaN, and so is the sum.
            self.nothing[i] += 0.0 * height;
        }
    }
}
