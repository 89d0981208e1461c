//! The primary call: fill a grid of heights.
//!
//! A grid is not a list of points. Its columns share their cells, fractions and half of the hash,
//! its rows the other half, so lattice-aligned noise costs a few operations per sample and octave.
//! Rows are evaluated one by one through the whole tree, so temporaries are a row long. Every value
//! has the bits that [`Sampler::sample_filtered`] gives at its position.

mod around;
mod bases;
mod between;
mod blocks;
mod damped;
mod dunes;
mod fill;
mod fixed;
mod fractals;
mod gullies;
mod leaf;
mod lines;
mod list;
mod octaves;
mod packed;
#[cfg(feature = "rayon")]
mod parallel;
mod positions;
mod prepare;
mod rows;
mod scattered;
mod scratch;
mod space;
mod steps;

pub(crate) use gullies::shape_at;
pub use scratch::Scratch;

use crate::bounds::Bounds;
use crate::sampler::Sampler;

/// Points of a square grid on the ground, x fastest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Column and row of the first point, in multiples of the spacing.
    pub start: [i64; 2],
    /// Distance between neighbouring points in metres.
    pub spacing: f64,
    /// Number of columns (along x) and rows (along z).
    pub size: [usize; 2],
    /// What the samples can show, in metres: octaves too fine for it are faded out. Usually the
    /// spacing; 0 keeps everything.
    pub footprint: f64,
}

impl Grid {
    /// A grid whose footprint is its spacing.
    #[must_use]
    pub fn new(start: [i64; 2], spacing: f64, size: [usize; 2]) -> Self {
        Self { start, spacing, size, footprint: spacing }
    }

    /// Number of points. Saturates at `usize::MAX`, which is longer than any slice.
    #[must_use]
    pub fn len(&self) -> usize {
        self.size[0].saturating_mul(self.size[1])
    }

    /// Whether there are no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.size.contains(&0)
    }

    /// The x coordinate of a column, in metres: `(start + column) · spacing`, rounded once, so that
    /// grids of half or double the spacing meet at the very same coordinates.
    #[must_use]
    pub fn x(&self, column: usize) -> f64 {
        self.start[0].wrapping_add(column as i64) as f64 * self.spacing
    }

    /// The z coordinate of a row, in metres.
    #[must_use]
    pub fn z(&self, row: usize) -> f64 {
        self.start[1].wrapping_add(row as i64) as f64 * self.spacing
    }
}

impl Sampler {
    /// Writes the heights of a grid, row by row (`heights[row * columns + column]`), and returns the
    /// lowest and the highest. An empty grid gives [`Bounds::EMPTY`].
    ///
    /// The scratch is grown by the first call of a shape; further calls do not allocate.
    ///
    /// # Panics
    /// If `heights` is not as long as the grid.
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let land = perlin().fbm().feature_size(500.0).scale(80.0).build(1)?;
    /// let grid = Grid::new([-32, 0], 2.0, [65, 65]);
    /// let mut heights = vec![0.0; grid.len()];
    /// let bounds = land.fill(&grid, &mut Scratch::default(), &mut heights);
    /// assert!(land.bounds().min <= bounds.min && bounds.max <= land.bounds().max);
    /// assert_eq!(heights[3 * 65 + 7], land.sample_filtered([-50.0, 6.0], 2.0));
    /// # Ok::<(), NoiseError>(())
    /// ```
    pub fn fill(&self, grid: &Grid, scratch: &mut Scratch, heights: &mut [f32]) -> Bounds {
        assert_eq!(heights.len(), grid.len(), "heights must have one place a grid point");
        if grid.is_empty() {
            return Bounds::EMPTY;
        }
        fill::fill(self, grid, scratch, heights)
    }

    /// As [`fill`](Self::fill), and the slopes along x and z, per metre.
    ///
    /// # Panics
    /// If a slice is not as long as the grid.
    pub fn fill_with_gradient(
        &self,
        grid: &Grid,
        scratch: &mut Scratch,
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
        fill::fill_with_gradient(self, grid, scratch, heights, dx, dz)
    }
}
