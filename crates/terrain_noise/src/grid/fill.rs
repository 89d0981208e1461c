//! A grid, tile by tile: a tile's data stays in the innermost cache.

use super::Grid;
use super::blocks::{RowReal, blocks};
use super::prepare::prepare;
use super::rows::{self, Row, rows_together};
use super::scratch::{Buffered, Scratch, give, take};
use crate::bounds::Bounds;
use crate::real::{Jet, reachable};
use crate::sampler::Sampler;
use crate::simd::{Isa, Kernel, LANES, Lanes};

/// Columns and rows of a tile.
const TILE: [usize; 2] = [256, 512];

/// A part of a grid: where it starts and its size.
#[derive(Clone, Copy)]
struct Tile {
    start: [usize; 2],
    size: [usize; 2],
}

/// The tiles of a grid.
fn tiles(size: [usize; 2], most: [usize; 2]) -> impl Iterator<Item = Tile> {
    let along = move |axis: usize| {
        (0..size[axis]).step_by(most[axis]).map(move |start| (start, most[axis].min(size[axis] - start)))
    };
    along(1).flat_map(move |(z, rows)| along(0).map(move |(x, columns)| Tile { start: [x, z], size: [columns, rows] }))
}

pub(super) fn fill(sampler: &Sampler, grid: &Grid, scratch: &mut Scratch, heights: &mut [f32]) -> Bounds {
    let mut extremes = Extremes::default();
    for tile in tiles(grid.size, TILE) {
        each_row::<f32>(sampler, grid, tile, scratch, |blocks, places| {
            let heights = &mut heights[places];
            sampler.instructions.run(Store { blocks, heights, extremes: &mut extremes });
        });
    }
    extremes.bounds()
}

pub(super) fn fill_with_gradient(
    sampler: &Sampler,
    grid: &Grid,
    scratch: &mut Scratch,
    heights: &mut [f32],
    dx: &mut [f32],
    dz: &mut [f32],
) -> Bounds {
    let (mut extremes, mut non_finite) = (Extremes::default(), NonFinite::default());
    for tile in tiles(grid.size, [TILE[0] / 2, TILE[1]]) {
        each_row::<Jet<2>>(sampler, grid, tile, scratch, |blocks, places| {
            let out = [&mut heights[places.clone()], &mut dx[places.clone()], &mut dz[places]];
            sampler.instructions.run(StoreJets { blocks, out, extremes: &mut extremes, non_finite: &mut non_finite });
        });
    }
    if non_finite.any() {
        let at = |i: usize| [grid.x(i % grid.size[0]), grid.z(i / grid.size[0])];
        replace_non_finite(sampler, at, grid.footprint, dx, dz);
    }
    extremes.bounds()
}

/// Replaces slopes that are not finite, as single points do.
#[cold]
pub(super) fn replace_non_finite(
    sampler: &Sampler,
    position: impl Fn(usize) -> [f64; 2],
    footprint: f64,
    dx: &mut [f32],
    dz: &mut [f32],
) {
    for (i, (dx, dz)) in dx.iter_mut().zip(dz).enumerate() {
        if !(dx.is_finite() && dz.is_finite()) {
            [*dx, *dz] = sampler.slopes_by_differences(position(i), footprint);
        }
    }
}

/// Evaluates a tile row by row; `store` gets each row and its range of indices in the grid.
fn each_row<R: Buffered>(
    sampler: &Sampler,
    grid: &Grid,
    tile: Tile,
    scratch: &mut Scratch,
    mut store: impl FnMut(&[R::Block], std::ops::Range<usize>),
) {
    let [columns, rows] = tile.size;
    let blocks = blocks(columns);
    let (mut xs, mut zs) = (scratch.take_coordinates(), scratch.take_coordinates());
    let [start_x, start_z] = tile.start;
    xs.extend((0..blocks * LANES).flat_map(|i| reachable([grid.x(start_x + i.min(columns - 1))])));
    let whole = rows.next_multiple_of(LANES);
    zs.extend((0..whole).flat_map(|j| reachable([grid.z(start_z + j.min(rows - 1))])));
    prepare::<R>(sampler, &xs, &zs, grid.footprint, scratch);
    scratch.give_coordinates(xs);
    scratch.give_coordinates(zs);
    let together = rows_together(&sampler.root, blocks, rows);
    let mut out = take::<R>(scratch, together * blocks);
    for row in (0..rows).step_by(together) {
        let count = together.min(rows - row);
        let at = Row { row, count, columns, footprint: grid.footprint, scale: [1.0, 1.0] };
        rows::row::<R>(sampler, at, scratch, &mut out[..count * blocks]);
        for (row, out) in (row..).zip(out[..count * blocks].chunks(blocks)) {
            let start = (tile.start[1] + row) * grid.size[0] + tile.start[0];
            store(out, start..start + columns);
        }
    }
    give::<R>(scratch, out);
}

/// The lowest and the highest so far, lane by lane: their order does not matter.
#[derive(Clone, Copy)]
pub(super) struct Extremes {
    low: Lanes,
    high: Lanes,
}

impl Default for Extremes {
    fn default() -> Self {
        Self { low: Lanes([f32::INFINITY; LANES]), high: Lanes([f32::NEG_INFINITY; LANES]) }
    }
}

impl Extremes {
    #[inline(always)]
    fn include(&mut self, block: &Lanes) {
        for lane in 0..LANES {
            self.include_one(lane, block.0[lane]);
        }
    }
    #[inline(always)]
    fn include_one(&mut self, lane: usize, value: f32) {
        let (low, high) = (&mut self.low.0[lane], &mut self.high.0[lane]);
        *low = if value < *low { value } else { *low };
        *high = if value > *high { value } else { *high };
    }
    pub fn bounds(&self) -> Bounds {
        Bounds {
            min: self.low.0.into_iter().fold(f32::INFINITY, f32::min),
            max: self.high.0.into_iter().fold(f32::NEG_INFINITY, f32::max),
        }
    }
}

/// Whether any slope so far is not finite, lane by lane.
#[derive(Clone, Copy, Default)]
pub(super) struct NonFinite([u32; LANES]);

impl NonFinite {
    #[inline(always)]
    fn include(&mut self, lane: usize, slope: f32) {
        // Only an exponent of all ones carries into the sign bit: cheaper than a comparison.
        self.0[lane] |= (slope.to_bits() & 0x7FFF_FFFF) + 0x0080_0000;
    }
    pub fn any(self) -> bool {
        self.0.into_iter().any(|bits| bits >> 31 == 1)
    }
}

/// Copies a row of slopes; of the last block, as many as fit.
#[inline(always)]
fn copy_slopes<'a>(mut blocks: impl Iterator<Item = &'a Lanes>, out: &mut [f32], non_finite: &mut NonFinite) {
    let (whole, rest) = out.as_chunks_mut::<LANES>();
    let mut all = *non_finite;
    for (out, block) in whole.iter_mut().zip(blocks.by_ref()) {
        let block = *block;
        for lane in 0..LANES {
            all.include(lane, block.0[lane]);
        }
        *out = block.0;
    }
    *non_finite = all;
    if let Some(block) = blocks.next() {
        for (lane, out) in rest.iter_mut().enumerate() {
            *out = block.0[lane];
            non_finite.include(lane, *out);
        }
    }
}

/// As [`copy_slopes`], for heights, which it includes in the extremes.
#[inline(always)]
fn copy_heights<'a>(mut blocks: impl Iterator<Item = &'a Lanes>, out: &mut [f32], extremes: &mut Extremes) {
    let (whole, rest) = out.as_chunks_mut::<LANES>();
    let mut all = *extremes;
    for (out, block) in whole.iter_mut().zip(blocks.by_ref()) {
        let block = *block;
        all.include(&block);
        *out = block.0;
    }
    *extremes = all;
    if let Some(block) = blocks.next() {
        for (lane, out) in rest.iter_mut().enumerate() {
            *out = block.0[lane];
            extremes.include_one(lane, *out);
        }
    }
}

/// Copies a row of heights to the caller's slice.
pub(super) struct Store<'a> {
    pub blocks: &'a [Lanes],
    pub heights: &'a mut [f32],
    pub extremes: &'a mut Extremes,
}

impl Kernel for Store<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        copy_heights(self.blocks.iter(), self.heights, self.extremes);
    }
}

/// Copies a row of heights and slopes to the caller's slices.
pub(super) struct StoreJets<'a> {
    pub blocks: &'a [<Jet<2> as RowReal>::Block],
    pub out: [&'a mut [f32]; 3],
    pub extremes: &'a mut Extremes,
    pub non_finite: &'a mut NonFinite,
}

impl Kernel for StoreJets<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let [heights, dx, dz] = self.out;
        copy_heights(self.blocks.iter().map(|block| &block[0]), heights, self.extremes);
        copy_slopes(self.blocks.iter().map(|block| &block[1]), dx, self.non_finite);
        copy_slopes(self.blocks.iter().map(|block| &block[2]), dz, self.non_finite);
    }
}
