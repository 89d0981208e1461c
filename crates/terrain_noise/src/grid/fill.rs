//! A grid, tile by tile: what a tile needs stays in the nearest cache.

use super::Grid;
use super::blocks::{RowReal, blocks};
use super::rows::{self, Row};
use super::scratch::{Buffered, Scratch, give, take};
use crate::bounds::Bounds;
use crate::real::Jet;
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
    let mut extremes = Extremes::default();
    for tile in tiles(grid.size, [TILE[0] / 2, TILE[1]]) {
        each_row::<Jet<2>>(sampler, grid, tile, scratch, |blocks, places| {
            let out = [&mut heights[places.clone()], &mut dx[places.clone()], &mut dz[places]];
            sampler.instructions.run(StoreJets { blocks, out, extremes: &mut extremes });
        });
    }
    extremes.bounds()
}

/// Evaluates a tile, row by row, and tells where in the grid a row goes.
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
    xs.extend((0..blocks * LANES).map(|i| grid.x(tile.start[0] + i.min(columns - 1))));
    let whole = rows.next_multiple_of(LANES);
    zs.extend((0..whole).map(|j| grid.z(tile.start[1] + j.min(rows - 1))));
    rows::prepare::<R>(sampler, &xs, &zs, grid.footprint, scratch);
    scratch.give_coordinates(xs);
    scratch.give_coordinates(zs);
    let mut out = take::<R>(scratch, blocks);
    for row in 0..rows {
        let at = Row { row, footprint: grid.footprint, scale: [1.0, 1.0] };
        rows::row::<R>(sampler, at, scratch, &mut out);
        let start = (tile.start[1] + row) * grid.size[0] + tile.start[0];
        store(&out, start..start + columns);
    }
    give::<R>(scratch, out);
}

/// The lowest and the highest so far, lane by lane: their order does not matter.
struct Extremes {
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
            let value = block.0[lane];
            let (low, high) = (&mut self.low.0[lane], &mut self.high.0[lane]);
            *low = if value < *low { value } else { *low };
            *high = if value > *high { value } else { *high };
        }
    }
    fn bounds(&self) -> Bounds {
        Bounds {
            min: self.low.0.into_iter().fold(f32::INFINITY, f32::min),
            max: self.high.0.into_iter().fold(f32::NEG_INFINITY, f32::max),
        }
    }
}

#[inline(always)]
fn copy<'a>(blocks: impl Iterator<Item = &'a Lanes>, out: &mut [f32]) {
    for (block, out) in blocks.zip(out.chunks_mut(LANES)) {
        match out.as_chunks_mut::<LANES>().0 {
            [whole] => *whole = block.0,
            _ => out.copy_from_slice(&block.0[..out.len()]),
        }
    }
}

/// Hands out a row of heights.
struct Store<'a> {
    blocks: &'a [Lanes],
    heights: &'a mut [f32],
    extremes: &'a mut Extremes,
}

impl Kernel for Store<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, _isa: impl Isa) {
        self.blocks.iter().for_each(|block| self.extremes.include(block));
        copy(self.blocks.iter(), self.heights);
    }
}

/// Hands out a row of heights and slopes.
struct StoreJets<'a> {
    blocks: &'a [<Jet<2> as RowReal>::Block],
    out: [&'a mut [f32]; 3],
    extremes: &'a mut Extremes,
}

impl Kernel for StoreJets<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, _isa: impl Isa) {
        self.blocks.iter().for_each(|block| self.extremes.include(&block[0]));
        for (which, out) in self.out.into_iter().enumerate() {
            copy(self.blocks.iter().map(|block| &block[which]), out);
        }
    }
}
