//! The parent's surface at a chunk's vertices: what they morph to.

use super::rows::{HALF_ROW, ROW, Samples, SurfaceRow};
use crate::chunk::CHUNK_QUADS;

/// Vertices of the parent along one side of a chunk.
const COUNT: usize = CHUNK_QUADS / 2 + 1;

/// The morph targets of a chunk, row by row.
pub struct MorphTargets<'a> {
    parent: &'a Samples<'a>,
    /// The rows of the parent before and after the current row of vertices; both are the one that it lies on.
    low: SurfaceRow<HALF_ROW>,
    high: SurfaceRow<HALF_ROW>,
}

impl<'a> MorphTargets<'a> {
    /// For the part of the parent that the chunk covers.
    #[inline(always)]
    pub fn new(parent: &'a Samples<'a>) -> Self {
        let first = SurfaceRow::new::<COUNT>(parent, 0);
        Self { parent, low: first, high: first }
    }

    /// Row `j`. Ask for one after the other.
    #[inline(always)]
    pub fn row(&mut self, j: usize) -> SurfaceRow<ROW> {
        if j % 2 == 1 {
            self.high = SurfaceRow::new::<COUNT>(self.parent, j / 2 + 1);
        } else {
            self.low = self.high;
        }
        SurfaceRow::between(&self.low, &self.high)
    }
}
