//! Rows of numbers and of places, in blocks of [`LANES`].
//!
//! The last block of a row is padded with copies of the last column. Fractals on the lattice compute only
//! as many registers of it as there are columns; the remaining lanes are unspecified.

use super::lines::Cells;
use crate::basis::separable::{Between, Separable};
use crate::real::{Field, Jet, Moving};
use crate::simd::{LANES, Lanes, Wide};

/// A number that rows consist of.
pub(super) trait RowReal: Field<2> + Default {
    /// Numbers side by side.
    type Block: Copy + Default + std::fmt::Debug;
    /// Places side by side.
    type Spot: Spot;

    fn get(block: &Self::Block, lane: usize) -> Self;
    /// The plain value, without slopes.
    fn value(self) -> f32;
    fn set(block: &mut Self::Block, lane: usize, value: Self);
    /// A value, and its slopes if there are any.
    fn with_slopes(value: f32, slopes: [f32; 2]) -> Self;
    /// Values, and slopes if there are any.
    fn numbers(block: &Self::Block) -> &[Lanes];
    fn numbers_mut(block: &mut Self::Block) -> &mut [Lanes];
    /// `V` lanes, as the first of a block.
    fn part_of<const V: usize>(block: &Self::Block, part: usize) -> Self::Block;
    /// Puts the first `V` lanes of a block where [`part_of`](Self::part_of) finds them.
    fn put_part<const V: usize>(block: &mut Self::Block, part: usize, from: &Self::Block);
    fn place_of(spot: &Self::Spot, lane: usize) -> Self::Place;
    fn put(spot: &mut Self::Spot, lane: usize, place: Self::Place);
    /// A place on a grid that is stretched along its axes.
    fn plane(at: [f64; 2], scale: [f32; 2]) -> Self::Place;
    /// The value in a cell, with its slopes converted from per cell to per metre.
    fn in_cell<S: Separable>(cells: &Cells, slopes: &Cells, lane: usize, row: &GridRow) -> Self;
}

/// Places side by side.
pub(super) trait Spot: Copy + Default + std::fmt::Debug {
    /// Where they are.
    fn at(&self) -> &[Wide; 2];
}

impl Spot for [Wide; 2] {
    #[inline(always)]
    fn at(&self) -> &[Wide; 2] {
        self
    }
}

impl Spot for MovingSpot {
    #[inline(always)]
    fn at(&self) -> &[Wide; 2] {
        &self.at
    }
}

/// One octave in a grid row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GridRow {
    pub at: Between,
    pub amplitude: f32,
    /// Cells per metre.
    pub frequency: f32,
}

/// `V` lanes of blocks, as the first of others.
///
/// A whole block is copied at once: its alignment is known then, and the baseline's instructions
/// take aligned numbers straight from memory.
#[inline(always)]
pub(super) fn part_of<const V: usize, const N: usize>(blocks: &[Lanes; N], part: usize) -> [Lanes; N] {
    if V == LANES {
        return *blocks;
    }
    let mut out = [Lanes::default(); N];
    for which in 0..N {
        for lane in 0..V {
            out[which].0[lane] = blocks[which].0[part * V + lane];
        }
    }
    out
}

#[inline(always)]
fn put_part<const V: usize, const N: usize>(blocks: &mut [Lanes; N], part: usize, from: &[Lanes; N]) {
    if V == LANES {
        *blocks = *from;
        return;
    }
    for which in 0..N {
        for lane in 0..V {
            blocks[which].0[part * V + lane] = from[which].0[lane];
        }
    }
}

#[inline(always)]
fn cell(cells: &Cells, lane: usize) -> [f32; 4] {
    [cells[0].0[lane], cells[1].0[lane], cells[2].0[lane], cells[3].0[lane]]
}

impl RowReal for f32 {
    type Block = Lanes;
    type Spot = [Wide; 2];

    #[inline(always)]
    fn get(block: &Lanes, lane: usize) -> Self {
        block.0[lane]
    }
    #[inline(always)]
    fn value(self) -> f32 {
        self
    }
    #[inline(always)]
    fn set(block: &mut Lanes, lane: usize, value: Self) {
        block.0[lane] = value;
    }
    #[inline(always)]
    fn with_slopes(value: f32, _slopes: [f32; 2]) -> Self {
        value
    }
    #[inline(always)]
    fn numbers(block: &Lanes) -> &[Lanes] {
        std::slice::from_ref(block)
    }
    #[inline(always)]
    fn numbers_mut(block: &mut Lanes) -> &mut [Lanes] {
        std::slice::from_mut(block)
    }
    #[inline(always)]
    fn part_of<const V: usize>(block: &Lanes, part: usize) -> Lanes {
        part_of::<V, 1>(std::array::from_ref(block), part)[0]
    }
    #[inline(always)]
    fn put_part<const V: usize>(block: &mut Lanes, part: usize, from: &Lanes) {
        put_part::<V, 1>(std::array::from_mut(block), part, std::array::from_ref(from));
    }
    #[inline(always)]
    fn place_of(spot: &Self::Spot, lane: usize) -> Self::Place {
        [spot[0].0[lane], spot[1].0[lane]]
    }
    #[inline(always)]
    fn put(spot: &mut Self::Spot, lane: usize, place: Self::Place) {
        [spot[0].0[lane], spot[1].0[lane]] = place;
    }
    #[inline(always)]
    fn plane(at: [f64; 2], _scale: [f32; 2]) -> Self::Place {
        at
    }
    #[inline(always)]
    fn in_cell<S: Separable>(cells: &Cells, _slopes: &Cells, lane: usize, row: &GridRow) -> Self {
        S::value(cell(cells, lane), row.at)
    }
}

/// Values, slopes along x, slopes along z.
pub(super) type JetBlock = [Lanes; 3];

/// Places with their derivatives: x, z, and the Jacobian.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MovingSpot {
    at: [Wide; 2],
    jacobian: [[Lanes; 2]; 2],
}

impl RowReal for Jet<2> {
    type Block = JetBlock;
    type Spot = MovingSpot;

    #[inline(always)]
    fn get(block: &JetBlock, lane: usize) -> Self {
        Self { value: block[0].0[lane], gradient: [block[1].0[lane], block[2].0[lane]] }
    }
    #[inline(always)]
    fn value(self) -> f32 {
        self.value
    }
    #[inline(always)]
    fn set(block: &mut JetBlock, lane: usize, value: Self) {
        block[0].0[lane] = value.value;
        block[1].0[lane] = value.gradient[0];
        block[2].0[lane] = value.gradient[1];
    }
    #[inline(always)]
    fn with_slopes(value: f32, slopes: [f32; 2]) -> Self {
        Self { value, gradient: slopes }
    }
    #[inline(always)]
    fn numbers(block: &JetBlock) -> &[Lanes] {
        block
    }
    #[inline(always)]
    fn numbers_mut(block: &mut JetBlock) -> &mut [Lanes] {
        block
    }
    #[inline(always)]
    fn part_of<const V: usize>(block: &JetBlock, part: usize) -> JetBlock {
        part_of::<V, 3>(block, part)
    }
    #[inline(always)]
    fn put_part<const V: usize>(block: &mut JetBlock, part: usize, from: &JetBlock) {
        put_part::<V, 3>(block, part, from);
    }
    #[inline(always)]
    fn place_of(spot: &MovingSpot, lane: usize) -> Self::Place {
        Moving {
            at: [spot.at[0].0[lane], spot.at[1].0[lane]],
            jacobian: [
                [spot.jacobian[0][0].0[lane], spot.jacobian[0][1].0[lane]],
                [spot.jacobian[1][0].0[lane], spot.jacobian[1][1].0[lane]],
            ],
        }
    }
    #[inline(always)]
    fn put(spot: &mut MovingSpot, lane: usize, place: Self::Place) {
        for i in 0..2 {
            spot.at[i].0[lane] = place.at[i];
            for j in 0..2 {
                spot.jacobian[i][j].0[lane] = place.jacobian[i][j];
            }
        }
    }
    #[inline(always)]
    fn plane(at: [f64; 2], scale: [f32; 2]) -> Self::Place {
        Moving::stretched(at, scale)
    }
    #[inline(always)]
    fn in_cell<S: Separable>(cells: &Cells, slopes: &Cells, lane: usize, row: &GridRow) -> Self {
        let here = cell(cells, lane);
        let dx = S::value(cell(slopes, lane), row.at);
        Self { value: S::value(here, row.at), gradient: [dx * row.frequency, S::slope(here, row.at) * row.frequency] }
    }
}

/// The number of blocks that hold this many columns.
pub(super) fn blocks(columns: usize) -> usize {
    columns.div_ceil(LANES)
}
