//! How the plane is cut: cells, the blocks of a cell, the candidates of a block.

use crate::chunk::CHUNK_QUADS;

/// Cells are at most this wide, in metres, if the spacing allows it.
const MAX_CELL: f64 = 96.0;
/// Most candidates along one side of a cell.
const MAX_SIDE: f64 = 2_048.0;

/// How a cell is cut for one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lattice {
    /// Blocks along one side of the cell.
    pub blocks: u32,
    /// Candidates along one side of a block.
    pub side: u32,
}

impl Lattice {
    /// For `density` objects per square metre in cells `width` metres wide, blocks of at most `most` candidates.
    pub fn new(density: f32, width: f64, most: u32) -> Self {
        let all = (f64::from(density).sqrt() * width).ceil().clamp(1.0, MAX_SIDE) as u32;
        let longest = most.max(1).isqrt();
        let blocks = all.div_ceil(longest);
        Self { blocks, side: all.div_ceil(blocks) }
    }

    /// Most objects of a block.
    pub fn capacity(&self) -> u32 {
        self.side * self.side
    }

    pub fn candidates(&self) -> u32 {
        self.blocks * self.side
    }
}

/// The width of a cell in quads of level 0: that of a chunk, or an even part of it where quads are wide.
pub fn cell_quads(spacing: f64) -> u32 {
    let mut quads = CHUNK_QUADS as u32;
    while quads > 1 && f64::from(quads) * spacing > MAX_CELL {
        quads /= 2;
    }
    quads
}
