//! Division of the plane into cells, the blocks of a cell and the candidates of a block.

#[cfg(feature = "scatter")]
use std::ops::Range;

use crate::chunk::CHUNK_QUADS;
#[cfg(feature = "scatter")]
use crate::lod::TerrainLod;

/// Cells are at most this wide, in metres, if the spacing allows it.
const MAX_CELL: f64 = 96.0;
/// Maximum number of candidates along one side of a cell.
const MAX_SIDE: f64 = 2_048.0;

/// Division of a cell for one kind.
///
/// Where candidates are does not depend on the blocks: objects are the same whatever mesh draws them, and on a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lattice {
    /// Candidates along one side of the cell.
    pub candidates: u32,
    /// Candidates along one side of a block; the last blocks may have fewer.
    pub side: u32,
}

impl Lattice {
    /// For `density` objects per square metre in cells `width` metres wide, in blocks of at most `most` candidates.
    pub fn new(density: f32, width: f64, most: u32) -> Self {
        // A multiple of four: most divisions into blocks come out even.
        let candidates = (0.25 * f64::from(density).sqrt() * width).ceil().clamp(1.0, 0.25 * MAX_SIDE) as u32 * 4;
        let blocks = candidates.div_ceil(most.max(1).isqrt());
        Self { candidates, side: candidates.div_ceil(blocks) }
    }

    /// The greatest number of objects in a block.
    #[cfg(feature = "scatter")]
    pub fn capacity(&self) -> u32 {
        self.side * self.side
    }

    /// Blocks along one side of the cell.
    #[cfg(feature = "scatter")]
    pub fn blocks(&self) -> u32 {
        self.candidates.div_ceil(self.side)
    }

    /// The candidates along one axis of a block.
    #[cfg(feature = "scatter")]
    pub fn block(&self, index: u32) -> Range<u32> {
        index * self.side..self.candidates.min((index + 1) * self.side)
    }

    /// Width of a block in a cell `width` metres wide.
    #[cfg(feature = "scatter")]
    pub fn block_width(&self, width: f64) -> f64 {
        width * f64::from(self.side) / f64::from(self.candidates)
    }
}

/// The width of a cell in quads of level 0: that of a chunk, or a power-of-two fraction of it where quads are wide.
pub fn cell_quads(spacing: f64) -> u32 {
    let mut quads = CHUNK_QUADS as u32;
    while quads > 1 && f64::from(quads) * spacing > MAX_CELL {
        quads /= 2;
    }
    quads
}

/// The width in quads of level 0 of far cells, which are visible from `from` metres on: that of the widest chunk that
/// is never split there, so that a visible cell lies on a single drawn chunk.
#[cfg(feature = "scatter")]
pub fn far_quads(lod: &TerrainLod, from: f64) -> u32 {
    const WIDEST: u8 = 3;
    let width = |level: u8| lod.spacing * (CHUNK_QUADS as f64) * f64::from(1u32 << level);
    let is_whole = |&level: &u8| {
        level <= lod.top_level() && lod.full_range(level - 1) + std::f64::consts::SQRT_2 * width(level) <= from
    };
    let level = (1..=WIDEST).rev().find(is_whole).unwrap_or(0);
    (CHUNK_QUADS as u32) << level
}

#[cfg(all(test, feature = "scatter"))]
mod tests {
    use super::*;

    #[test]
    fn candidates_do_not_depend_on_blocks() {
        for (density, most) in [(5.0, 900), (0.02, 30), (64.0, 7), (1.0, 1), (0.0, 0)] {
            let lattice = Lattice::new(density, 64.0, most);
            assert_eq!(lattice.candidates, Lattice::new(density, 64.0, u32::MAX).candidates);
            assert!(lattice.capacity() <= most.max(1));
            let covered: Vec<u32> = (0..lattice.blocks()).flat_map(|index| lattice.block(index)).collect();
            assert!(covered.into_iter().eq(0..lattice.candidates), "every candidate is in one block");
            assert!(f64::from(lattice.blocks()) * lattice.block_width(64.0) >= 64.0);
        }
    }

    #[test]
    fn wide_cells_are_whole_where_they_are_seen() {
        assert_eq!(far_quads(&TerrainLod::default(), 900.0), 256);
        for (spacing, detail, from) in [(1.0, 4.0, 900.0), (0.5, 4.0, 900.0), (1.0, 9.0, 900.0), (8.0, 4.0, 5e3)] {
            let lod = TerrainLod { spacing, detail, ..TerrainLod::default() };
            let quads = far_quads(&lod, from);
            let level = (quads / CHUNK_QUADS as u32).ilog2() as u8;
            let reach = if level == 0 { 0.0 } else { lod.full_range(level - 1) };
            assert!(level == 0 || reach + 1.414 * f64::from(quads) * spacing <= from, "{quads} quads at {spacing} m");
        }
    }
}
