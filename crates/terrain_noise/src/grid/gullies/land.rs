//! The land on its lattice, around a grid: summed up along z for each grid row, then along x for each column.

use super::axes::{Axes, Left, NOTHING, padded, put};
use crate::erosion::gullies::Gullies;
use crate::erosion::spline::{BEFORE, ORDERS, TAPS, weighed, weights};
use crate::grid::rows::{Pass, Row, rows_together};
use crate::grid::scattered::BATCH;
use crate::real::each;
use crate::sampler::Node;
use crate::simd::{Isa, LANES, Lanes};

/// The land on its lattice, around a grid.
#[derive(Debug, Default)]
pub struct Land {
    pub axes: Axes,
    /// Whether it was worth it.
    pub known: bool,
    /// The weights of the taps of every column.
    pub weights: Vec<[[Lanes; TAPS]; ORDERS]>,
    pub heights: Vec<f32>,
    pub stride: usize,
    /// Blocks of a lattice row that hold heights; what follows is 0.
    blocks: usize,
    pub per_metre: f32,
    /// What the lattice rows sum up to in the grid row at hand, for every order of derivative along z.
    pub sums: [Vec<f32>; ORDERS],
}

impl Land {
    /// Sums up the lattice rows for a grid row.
    #[inline(always)]
    pub fn sum(&mut self, row: usize, orders: usize) {
        let (cell, place) = self.axes.rows[row];
        let across = weights(place);
        let stride = self.stride;
        let rows = &self.heights[cell * stride..][..TAPS * stride];
        for order in 0..orders {
            let sums = &mut self.sums[order];
            sums.resize(stride, 0.0);
            for (i, sums) in sums.as_chunks_mut::<LANES>().0.iter_mut().take(self.blocks).enumerate() {
                let mut taps = [[0.0; LANES]; TAPS];
                for j in 0..TAPS {
                    if let Some(heights) = rows[j * stride + i * LANES..].first_chunk() {
                        taps[j] = *heights;
                    }
                }
                for lane in 0..LANES {
                    sums[lane] = weighed(across[order], each(|j| taps[j][lane]));
                }
            }
        }
    }

    /// Where in the lattice its heights around a grid point begin: a column of a block, and a row.
    pub fn start(&self, block: usize, column: usize, row: usize) -> usize {
        let Left { first, index } = &self.axes.left[block];
        self.axes.rows[row].0 * self.stride + first + index.get(column)
    }

    /// The heights of the lattice from there on, row by row.
    pub fn around(&self, start: usize) -> [[f32; TAPS]; TAPS] {
        each(|j| self.heights[start + j * self.stride..].first_chunk().copied().unwrap_or_default())
    }

    /// The lattice columns around a block of grid columns, for every order of derivative along z.
    #[inline(always)]
    pub fn columns<const W: usize>(
        &self,
        isa: impl Isa<W>,
        block: usize,
        orders: usize,
    ) -> [[[f32; LANES]; TAPS]; ORDERS] {
        let mut all = [[[0.0; LANES]; TAPS]; ORDERS];
        let Left { first, index } = &self.axes.left[block];
        for order in 0..orders {
            for tap in 0..TAPS / 2 {
                let table = self.sums[order][first + 2 * tap..].first_chunk().unwrap_or(&NOTHING);
                for part in 0..LANES / W {
                    let ends = isa.ends([table, table], index, part, self.axes.narrow);
                    for side in 0..2 {
                        put(&mut all[order][2 * tap + side], part, ends[2 * side]);
                    }
                }
            }
        }
        all
    }
}

/// The coordinate of a lattice line, in metres.
pub fn line(which: i64, spacing: f64) -> f64 {
    which as f64 * spacing
}

impl Pass<'_> {
    /// Samples the smoothed land on its lattice.
    pub fn sample_lattice(&mut self, smooth: &Node, gullies: &Gullies, land: &mut Land, footprint: f64) {
        let (spacing, coarse) = (gullies.spacing(footprint), gullies.footprint(footprint));
        let Axes { first, count, .. } = land.axes;
        let [columns, rows] = count.map(|count| count + TAPS - 1);
        let mut lines = [self.scratch.take_coordinates(), self.scratch.take_coordinates()];
        for (axis, lines) in lines.iter_mut().enumerate() {
            let (before, points) = (first[axis] - BEFORE, count[axis] + TAPS - 1);
            // A grid of the same shape elsewhere may reach one further.
            lines.reserve((points + 1).next_multiple_of(LANES));
            lines.extend((0..points.next_multiple_of(LANES)).map(|i| line(before + i.min(points - 1) as i64, spacing)));
        }
        self.prepare_node::<f32>(smooth, &lines[0], &lines[1], coarse);
        lines.into_iter().for_each(|lines| self.scratch.give_coordinates(lines));
        land.stride = padded(columns);
        if land.heights.capacity() < land.stride * rows {
            land.heights.reserve(padded(columns + 1) * (rows + 1));
        }
        land.heights.clear();
        land.heights.resize(land.stride * rows, 0.0);
        let blocks = columns.div_ceil(LANES);
        land.blocks = blocks;
        let together = rows_together::<f32>(smooth, columns, rows);
        // As many as another grid of the same shape may need.
        let [mut out] = self.rows::<f32, 1>((together * blocks).max(2 * BATCH));
        for row in (0..rows).step_by(together) {
            let count = together.min(rows - row);
            let at = Row { row, count, columns, packed: false, footprint: coarse, scale: [1.0, 1.0] };
            self.row::<f32>(smooth, at, &mut out[..count * blocks]);
            let heights = land.heights[row * land.stride..].chunks_mut(land.stride);
            for (heights, out) in heights.zip(out.chunks(blocks)).take(count) {
                for (heights, block) in heights.as_chunks_mut::<LANES>().0.iter_mut().zip(out) {
                    *heights = block.0;
                }
                // The remaining lanes are unspecified.
                heights[columns..].fill(0.0);
            }
        }
        self.give_rows::<f32, 1>([out]);
    }
}
