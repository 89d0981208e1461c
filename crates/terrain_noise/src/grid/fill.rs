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
    whole_blocks(&mut xs, (0..columns).map(|i| grid.x(start_x + i)));
    whole_blocks(&mut zs, (0..rows).map(|j| grid.z(start_z + j)));
    prepare::<R>(sampler, &xs, &zs, grid.footprint, scratch);
    scratch.give_coordinates(xs);
    scratch.give_coordinates(zs);
    let together = rows_together::<R>(&sampler.root, columns, rows);
    let mut out = take::<R>(scratch, together * blocks);
    // Rows that lie end to end in the caller's slice may do so from the beginning.
    let end_to_end = columns == grid.size[0] && sampler.root.has_only_points();
    for row in (0..rows).step_by(together) {
        let count = together.min(rows - row);
        let at = Row { row, count, columns, packed: false, footprint: grid.footprint, scale: [1.0, 1.0] };
        let at = if end_to_end { at.end_to_end() } else { at };
        let out = &mut out[..at.blocks()];
        rows::row::<R>(sampler, at, scratch, out);
        let start = (tile.start[1] + row) * grid.size[0] + tile.start[0];
        if at.packed {
            store(out, start..start + count * columns);
        } else {
            for (row, out) in out.chunks(blocks).enumerate() {
                let start = start + row * grid.size[0];
                store(out, start..start + columns);
            }
        }
    }
    give::<R>(scratch, out);
}

/// What is kept of all numbers of a grid.
trait Summary: Copy {
    fn include(&mut self, block: &Lanes);
}

/// Fills a list with the coordinates of columns or rows, and the last block of it with copies of the last.
fn whole_blocks(list: &mut Vec<f64>, coordinates: impl ExactSizeIterator<Item = f64>) {
    let count = coordinates.len().next_multiple_of(LANES);
    list.reserve(count);
    list.extend(coordinates.map(|x| {
        let [x] = reachable([x]);
        x
    }));
    list.resize(count, list.last().copied().unwrap_or_default());
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

impl Summary for Extremes {
    #[inline(always)]
    fn include(&mut self, block: &Lanes) {
        for lane in 0..LANES {
            let (low, high, value) = (&mut self.low.0[lane], &mut self.high.0[lane], block.0[lane]);
            *low = if value < *low { value } else { *low };
            *high = if value > *high { value } else { *high };
        }
    }
}

impl Extremes {
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

impl Summary for NonFinite {
    #[inline(always)]
    fn include(&mut self, slopes: &Lanes) {
        for lane in 0..LANES {
            // Only an exponent of all ones carries into the sign bit: cheaper than a comparison.
            self.0[lane] |= (slopes.0[lane].to_bits() & 0x7FFF_FFFF) + 0x0080_0000;
        }
    }
}

impl NonFinite {
    pub fn any(self) -> bool {
        self.0.into_iter().any(|bits| bits >> 31 == 1)
    }
}

/// The first lanes of a block, the first one again in place of the others.
#[inline(always)]
fn first_lanes(block: &Lanes, count: usize) -> Lanes {
    let mut out = *block;
    for lane in 0..LANES {
        out.0[lane] = if lane < count { block.0[lane] } else { block.0[0] };
    }
    out
}

/// Copies a row, and includes it in a summary; of the last block, as many numbers as fit. Summaries get whole
/// blocks: were single lanes of them written, the next row's registers would wait for that.
#[inline(always)]
fn copy<'a, S: Summary>(mut blocks: impl Iterator<Item = &'a Lanes>, out: &mut [f32], summary: &mut S) {
    let (whole, rest) = out.as_chunks_mut::<LANES>();
    let mut all = *summary;
    for (out, block) in whole.iter_mut().zip(blocks.by_ref()) {
        let block = *block;
        all.include(&block);
        *out = block.0;
    }
    if let (Some(block), 1..) = (blocks.next(), rest.len()) {
        all.include(&first_lanes(block, rest.len()));
        for (out, value) in rest.iter_mut().zip(&block.0) {
            *out = *value;
        }
    }
    *summary = all;
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
        copy(self.blocks.iter(), self.heights, self.extremes);
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
        copy(self.blocks.iter().map(|block| &block[0]), heights, self.extremes);
        copy(self.blocks.iter().map(|block| &block[1]), dx, self.non_finite);
        copy(self.blocks.iter().map(|block| &block[2]), dz, self.non_finite);
    }
}
