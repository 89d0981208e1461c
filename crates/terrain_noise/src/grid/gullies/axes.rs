//! A grid's columns and rows on a lattice that is fixed in the world, and how blocks of columns look it up.

use crate::simd::{Index, Isa, LANES, Lanes, Table};

/// Where the lattice columns of a block of grid columns begin.
#[derive(Clone, Copy, Debug, Default)]
pub struct Left {
    /// That of the first grid column.
    pub first: usize,
    /// That of each, counted from `first`.
    pub index: Index,
}

/// A grid's columns and rows on a lattice that is fixed in the world.
#[derive(Debug, Default)]
pub struct Axes {
    pub left: Vec<Left>,
    /// Whether every block of columns spans less than half a register of lattice columns.
    pub narrow: bool,
    /// The places of columns in their cells.
    pub columns: Vec<Lanes>,
    /// The lattice row of each grid row, and its place in it.
    pub rows: Vec<(usize, f32)>,
    /// The first cell along each axis.
    pub first: [i64; 2],
    /// The number of cells along each axis.
    pub count: [usize; 2],
}

impl Axes {
    /// Splits columns and rows. False if they are too far apart: then they share nothing worth keeping.
    #[inline(always)]
    pub fn split<const W: usize>(
        &mut self,
        isa: impl Isa<W>,
        [xs, zs]: [&[f64]; 2],
        coordinate: impl Fn(usize, f64) -> f64,
    ) -> bool {
        self.left.clear();
        self.columns.clear();
        self.rows.clear();
        self.narrow = true;
        let mut last = [0u64; 2];
        let all_columns = xs.len() as u64;
        for (block, xs) in xs.as_chunks::<LANES>().0.iter().enumerate() {
            let mut cells = [0; LANES];
            let mut fractions = Lanes::default();
            for lane in 0..LANES {
                (cells[lane], fractions.0[lane]) = isa.split(coordinate(0, xs[lane]));
            }
            if block == 0 {
                self.first[0] = cells[0];
            }
            let mut steps = [0; LANES];
            let mut all = 0;
            for lane in 0..LANES {
                let step = cells[lane].wrapping_sub(cells[0]) as u64;
                steps[lane] = step as u32;
                all |= step;
            }
            let first = cells[0].wrapping_sub(self.first[0]) as u64;
            // Also true of columns that do not rise.
            if all >= LANES as u64 || first > 2 * all_columns {
                return false;
            }
            self.narrow &= all < LANES as u64 / 2;
            last[0] = last[0].max(first + u64::from(steps[LANES - 1]));
            self.left.push(Left { first: first as usize, index: Index::new(steps) });
            self.columns.push(fractions);
        }
        for (row, &z) in zs.iter().enumerate() {
            let (cell, fraction) = isa.split(coordinate(1, z));
            if row == 0 {
                self.first[1] = cell;
            }
            let step = cell.wrapping_sub(self.first[1]) as u64;
            if step > 2 * (row as u64 + LANES as u64) {
                return false;
            }
            last[1] = last[1].max(step);
            self.rows.push((step as usize, fraction));
        }
        self.count = last.map(|last| last as usize + 1);
        true
    }
}

/// Rows are read a table at a time, from any column on.
pub fn padded(columns: usize) -> usize {
    columns.next_multiple_of(LANES) + 2 * LANES
}

/// What is read where there is no table: never, as rows are padded.
pub const NOTHING: Table = [0.0; LANES + 1];

/// Writes a register of a block.
#[inline(always)]
pub fn put<const W: usize>(block: &mut [f32; LANES], part: usize, register: [f32; W]) {
    block.as_chunks_mut().0[part] = register;
}
