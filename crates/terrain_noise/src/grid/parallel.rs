//! Large grids on several threads, in bands of rows.

use std::cell::RefCell;

use rayon::prelude::*;

use super::{Grid, Scratch};
use crate::bounds::Bounds;
use crate::sampler::Sampler;

thread_local! {
    /// A worker's scratch outlives the call, so that the next one does not allocate.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Rows that one task takes: enough to share a lattice row, few enough to spread evenly.
fn band_rows(grid: &Grid) -> usize {
    grid.size[1].div_ceil(4 * rayon::current_num_threads()).max(8)
}

/// The part of a grid that a band covers.
fn band(grid: &Grid, index: usize, rows: usize) -> Grid {
    let first = index * rows;
    let start = [grid.start[0], grid.start[1].wrapping_add(first as i64)];
    Grid { start, size: [grid.size[0], rows.min(grid.size[1] - first)], ..*grid }
}

impl Sampler {
    /// As [`fill`](Self::fill), on rayon's threads. The heights have the same bits.
    ///
    /// # Panics
    /// If `heights` is not as long as the grid.
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let land = perlin().fbm().feature_size(500.0).build(1)?;
    /// let grid = Grid::new([0, 0], 1.0, [300, 200]);
    /// let (mut one, mut many) = (vec![0.0; grid.len()], vec![0.0; grid.len()]);
    /// let bounds = land.fill(&grid, &mut Scratch::default(), &mut one);
    /// assert_eq!(land.fill_parallel(&grid, &mut many), bounds);
    /// assert_eq!(one, many);
    /// # Ok::<(), NoiseError>(())
    /// ```
    pub fn fill_parallel(&self, grid: &Grid, heights: &mut [f32]) -> Bounds {
        assert_eq!(heights.len(), grid.len(), "heights must have one place a grid point");
        if grid.is_empty() {
            return Bounds::EMPTY;
        }
        let rows = band_rows(grid);
        let bands = heights.par_chunks_mut(rows * grid.size[0]).enumerate();
        bands
            .map(|(index, heights)| {
                SCRATCH.with_borrow_mut(|scratch| self.fill(&band(grid, index, rows), scratch, heights))
            })
            .reduce(|| Bounds::EMPTY, Bounds::union)
    }

    /// As [`fill_with_gradient`](Self::fill_with_gradient), on rayon's threads.
    ///
    /// # Panics
    /// If a slice is not as long as the grid.
    pub fn fill_with_gradient_parallel(
        &self,
        grid: &Grid,
        heights: &mut [f32],
        dx: &mut [f32],
        dz: &mut [f32],
    ) -> Bounds {
        for slice in [heights.len(), dx.len(), dz.len()] {
            assert_eq!(slice, grid.len(), "every slice must have one place a grid point");
        }
        if grid.is_empty() {
            return Bounds::EMPTY;
        }
        let rows = band_rows(grid);
        let length = rows * grid.size[0];
        let slopes = dx.par_chunks_mut(length).zip(dz.par_chunks_mut(length));
        let bands = heights.par_chunks_mut(length).zip(slopes).enumerate();
        bands
            .map(|(index, (heights, (dx, dz)))| {
                let band = band(grid, index, rows);
                SCRATCH.with_borrow_mut(|scratch| self.fill_with_gradient(&band, scratch, heights, dx, dz))
            })
            .reduce(|| Bounds::EMPTY, Bounds::union)
    }
}
