//! Where points lie: in memory, or on a grid, where they follow from columns and rows.

use super::blocks::{RowReal, Spot};
use super::fixed::Range;
use crate::basis::plane::Site;
use crate::real::{Field, each};
use crate::simd::{LANES, Wide};

/// Positions in blocks, one after another.
pub(super) trait Positions: Copy {
    /// Those after some blocks.
    fn skip(self, blocks: usize) -> Self;
    /// The next block.
    fn next(&mut self) -> [Wide; 2];
    /// Coordinates, in cells of the first of the octaves that share them, between which all positions lie, per axis;
    /// none if that takes a look at each.
    fn range(&self, site: &Site) -> Option<[[f64; 2]; 2]>;
}

/// Positions of the points of a row.
pub(super) trait Places<R: RowReal>: Positions {
    /// The places, if they are in memory.
    fn stored(&self) -> Option<&[R::Spot]>;
}

impl<S: Spot> Positions for &[S] {
    #[inline(always)]
    fn skip(self, blocks: usize) -> Self {
        self.get(blocks..).unwrap_or_default()
    }
    #[inline(always)]
    fn next(&mut self) -> [Wide; 2] {
        let Some((first, rest)) = self.split_first() else { return Default::default() };
        *self = rest;
        *first.at()
    }
    #[inline(always)]
    fn range(&self, _site: &Site) -> Option<[[f64; 2]; 2]> {
        None
    }
}

impl<R: RowReal> Places<R> for &[R::Spot] {
    fn stored(&self) -> Option<&[R::Spot]> {
        Some(self)
    }
}

/// An affine change of coordinates: matrix and offset.
pub(super) type Affine = ([[f64; 2]; 2], [f64; 2]);

/// Rows of a grid end to end, under an affine change of coordinates.
#[derive(Clone, Copy)]
pub(super) struct GridPositions<'a> {
    xs: &'a [f64],
    zs: &'a [f64],
    columns: usize,
    affine: Option<Affine>,
    row: usize,
    column: usize,
}

impl<'a> GridPositions<'a> {
    /// `xs` holds the columns, at least [`LANES`], and then the first [`LANES`] of them once more.
    pub fn new(xs: &'a [f64], zs: &'a [f64], affine: Option<Affine>) -> Self {
        Self { xs, zs, columns: xs.len() - LANES, affine, row: 0, column: 0 }
    }

    #[inline(always)]
    fn moved(&self, at: [f64; 2]) -> [f64; 2] {
        match &self.affine {
            None => at,
            Some((matrix, offset)) => <f32 as Field<2>>::moved(&at, matrix, offset),
        }
    }
}

/// The least and the greatest.
#[inline(always)]
fn extremes(all: &[f64]) -> [f64; 2] {
    let (whole, rest) = all.as_chunks::<LANES>();
    let mut range = Range::default();
    for all in whole {
        range.include(all);
    }
    let [mut least, mut most] = range.ends();
    for &x in rest {
        least = if x < least { x } else { least };
        most = if x > most { x } else { most };
    }
    [least, most]
}

impl Positions for GridPositions<'_> {
    fn skip(self, blocks: usize) -> Self {
        let at = self.row * self.columns + self.column + blocks * LANES;
        Self { row: at / self.columns, column: at % self.columns, ..self }
    }

    #[inline(always)]
    fn next(&mut self) -> [Wide; 2] {
        let last = self.zs.len() - 1;
        let (here, next) = (self.zs[self.row.min(last)], self.zs[(self.row + 1).min(last)]);
        // The columns that are left in this row.
        let rest = self.columns - self.column;
        let [mut x, mut z] = [Wide::default(); 2];
        x.0 = self.xs[self.column..].first_chunk().copied().unwrap_or_default();
        for lane in 0..LANES {
            z.0[lane] = if lane < rest { here } else { next };
        }
        self.column += LANES;
        if self.column >= self.columns {
            self.column -= self.columns;
            self.row += 1;
        }
        let (xs, zs) = (x, z);
        for lane in 0..LANES {
            [x.0[lane], z.0[lane]] = self.moved([xs.0[lane], zs.0[lane]]);
        }
        [x, z]
    }

    #[inline(always)]
    fn range(&self, site: &Site) -> Option<[[f64; 2]; 2]> {
        // Below this rounding is less than a cell, however often.
        const NEAR: f64 = (1u64 << 40) as f64;
        let [xs, zs] = [extremes(self.xs), extremes(self.zs)];
        let [x, z] = [xs, zs].map(|[least, most]| if -least > most { -least } else { most });
        let identity = ([[1.0, 0.0], [0.0, 1.0]], [0.0; 2]);
        let (matrix, offset) = self.affine.unwrap_or(identity);
        let mut largest = 1.0;
        for axis in 0..2 {
            let size = matrix[axis][0].abs() * x + matrix[axis][1].abs() * z + offset[axis].abs();
            let size = size * site.base;
            // Nor is what is not a number.
            let is_near = size < NEAR;
            if !is_near {
                return None;
            }
            largest = if size > largest { size } else { largest };
        }
        // More than a few roundings.
        let margin = largest / (1u64 << 46) as f64;
        let corners = each::<_, 4>(|corner| site.coordinates(self.moved([xs[corner & 1], zs[corner >> 1]])));
        Some(each(|axis| {
            let all = corners.map(|corner| corner[axis]);
            let [least, most] = extremes(&all);
            [least - margin, most + margin]
        }))
    }
}

impl<R: RowReal> Places<R> for GridPositions<'_> {
    fn stored(&self) -> Option<&[R::Spot]> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(skewed: bool) -> Site {
        Site { base: 0.37, shift: 0, offset: [0; 2], skewed, period: [0; 2] }
    }

    /// The positions of a grid by the book.
    fn positions(xs: &[f64], zs: &[f64], affine: Option<Affine>) -> Vec<[f64; 2]> {
        let moved = |at: [f64; 2]| affine.map_or(at, |(m, o)| <f32 as Field<2>>::moved(&at, &m, &o));
        zs.iter().flat_map(|&z| xs.iter().map(move |&x| moved([x, z]))).collect()
    }

    #[test]
    fn rows_lie_end_to_end_and_in_their_range() {
        let turned = Some(([[0.8, 0.6], [-0.6, 0.8]], [17.0, -3.5]));
        for (columns, rows, affine) in
            [(16, 3, None), (17, 9, turned), (65, 12, turned), (31, 1, None), (80, 5, turned)]
        {
            for start in [-40.0, 1e6, -1e9] {
                let xs: Vec<_> = (0..columns).map(|i| start + f64::from(i) * 0.7).collect();
                let zs: Vec<_> = (0..rows).map(|i| 3.0 * start + f64::from(i) * 0.7).collect();
                let around = [&xs[..], &xs[..LANES]].concat();
                let expected = positions(&xs, &zs, affine);
                let all = GridPositions::new(&around, &zs, affine);
                for from in 0..expected.len() / LANES {
                    let [x, z] = all.skip(from).next();
                    let found = x.0.into_iter().zip(z.0).map(|(x, z)| [x, z]);
                    assert!(found.zip(&expected[from * LANES..]).all(|(a, &b)| a == b), "{columns} × {rows}: {from}");
                }
                for skewed in [false, true] {
                    let range = all.range(&site(skewed)).unwrap();
                    for at in expected.iter().map(|&at| site(skewed).coordinates(at)) {
                        for axis in 0..2 {
                            let [least, most] = range[axis];
                            assert!(least <= at[axis] && at[axis] <= most, "{at:?} {range:?}");
                            assert!(most - least < 200.0, "{range:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn far_positions_are_looked_at_one_by_one() {
        let xs = [1e13; 2 * LANES];
        assert_eq!(GridPositions::new(&xs, &[0.0], None).range(&site(false)), None);
        let affine = Some(([[f64::INFINITY, 0.0], [0.0, 1.0]], [0.0; 2]));
        assert_eq!(GridPositions::new(&[0.0; 2 * LANES], &[0.0], affine).range(&site(false)), None);
    }
}
