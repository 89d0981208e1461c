//! What a position sees of the land's lattice, in tiles.

use crate::erosion::spline::{BEFORE, TAPS};
use crate::real::each;
use crate::simd::{LANES, Lanes};

/// Lattice points that lie around a position.
pub const AROUND: usize = TAPS * TAPS;

/// Lattice points along the side of a tile: a tile is a block.
const SIDE: usize = 4;

/// The most tiles that a window reaches into along an axis.
const ACROSS: usize = (TAPS + SIDE - 2) / SIDE + 1;

/// The most tiles that a window reaches into.
pub const TILES: usize = ACROSS * ACROSS;

/// The length of a row of a window's tiles.
const STRIDE: usize = ACROSS * SIDE;

/// A tile of a lattice, by its place in tiles.
pub type Tile = [i64; 2];

/// A lattice point of a tile.
pub fn point_of(tile: Tile, lane: usize) -> [i64; 2] {
    let step = [lane % SIDE, lane / SIDE];
    each(|axis| tile[axis] * SIDE as i64 + step[axis] as i64)
}

/// The heights of the lattice around a position, in all tiles that they reach into.
#[derive(Clone, Copy)]
pub struct Window {
    heights: [f32; TILES * LANES],
    /// Where they begin.
    start: usize,
}

impl Default for Window {
    fn default() -> Self {
        Self { heights: [0.0; TILES * LANES], start: 0 }
    }
}

impl Window {
    /// A height by its row and column.
    #[inline(always)]
    pub fn at(&self, row: usize, column: usize) -> f32 {
        self.heights[self.start + row * STRIDE + column]
    }

    /// Sets a height.
    pub fn set(&mut self, row: usize, column: usize, height: f32) {
        self.heights[self.start + row * STRIDE + column] = height;
    }

    /// Copies a tile to its place, which counts from the first tile.
    #[inline(always)]
    pub fn copy(&mut self, [x, z]: [usize; 2], tile: &Lanes) {
        for (row, heights) in tile.0.as_chunks::<SIDE>().0.iter().enumerate() {
            let from = (z * SIDE + row) * STRIDE + x * SIDE;
            self.heights[from..from + SIDE].copy_from_slice(heights);
        }
    }
}

/// The tiles that a window reaches into.
#[derive(Clone, Copy)]
pub struct Reach {
    first: Tile,
    count: [usize; 2],
    start: usize,
}

impl Reach {
    /// Those of the positions in a cell of the lattice.
    pub fn new(cell: [i64; 2]) -> Self {
        let before = cell.map(|cell| cell - BEFORE);
        let [x, z] = before.map(|before| before.rem_euclid(SIDE as i64) as usize);
        Self {
            first: before.map(|before| before.div_euclid(SIDE as i64)),
            count: [x, z].map(|start| (start + TAPS).div_ceil(SIDE)),
            start: z * STRIDE + x,
        }
    }

    /// Has a window begin where it does in these tiles.
    pub fn place(self, window: &mut Window) {
        window.start = self.start;
    }

    /// All, with their places in the window.
    pub fn tiles(self) -> impl Iterator<Item = (Tile, [usize; 2])> {
        let [columns, rows] = self.count;
        let places = (0..rows).flat_map(move |z| (0..columns).map(move |x| [x, z]));
        places.map(move |place| (each(|axis| self.first[axis] + place[axis] as i64), place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_make_up_every_window() {
        let height = |[x, z]: [i64; 2]| (x * 100 + z) as f32;
        let mut most = 0;
        for x in -9..9 {
            for z in -5..5 {
                let (reach, mut window) = (Reach::new([x, z]), Window::default());
                reach.place(&mut window);
                for (tile, place) in reach.tiles() {
                    window.copy(place, &Lanes(each(|lane| height(point_of(tile, lane)))));
                }
                for (row, column) in (0..TAPS).flat_map(|row| (0..TAPS).map(move |column| (row, column))) {
                    let at = [x - BEFORE + column as i64, z - BEFORE + row as i64];
                    assert_eq!(window.at(row, column), height(at), "{x} {z}");
                }
                most = most.max(reach.tiles().count());
            }
        }
        assert_eq!(most, TILES);
    }
}
