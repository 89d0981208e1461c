//! Working memory of the grid calls.

use super::blocks::{JetBlock, MovingSpot, RowReal};
use super::fixed::{FixedBlock, FixedLine};
use super::gullies::{AROUND, Carved};
use super::lines::Lines;
use super::space::blocks::{MovingSpace, SpaceJets};
use crate::real::Jet;
use crate::simd::{Held, Lanes, Wide};

/// Working memory of the grid calls: keep one per thread and pass it to every call.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) slots: Vec<Slot>,
    plain: Buffers<Lanes, [Wide; 2]>,
    jets: Buffers<JetBlock, MovingSpot>,
    pub(super) space: Buffers<Lanes, [Wide; 3]>,
    pub(super) space_jets: Buffers<SpaceJets, MovingSpace>,
    coordinates: Vec<Vec<f64>>,
    /// Coordinates of points in fixed point, per axis.
    pub(super) fixed: [Vec<FixedBlock>; 2],
    /// What lattice points around points hold: one, once there are any.
    pub(super) held: Vec<Held>,
}

/// What a node that is sampled on the grid itself, not at displaced points, keeps from row to row.
#[derive(Debug, Default)]
pub(super) struct Slot {
    /// The coordinates of columns and rows, as the node sees them.
    pub xs: Vec<f64>,
    pub zs: Vec<f64>,
    pub lines: Vec<Lines>,
    /// The coordinates in fixed point, as some of the octaves share them.
    pub fixed: [FixedLine; 2],
    /// The number of visible octaves, if their lattices run along the grid.
    pub on_lattice: Option<usize>,
    pub carved: Carved,
}

/// A pool of rows.
#[derive(Debug)]
pub(super) struct Buffers<B, S> {
    pub blocks: Vec<Vec<B>>,
    pub spots: Vec<Vec<S>>,
}

impl<B, S> Default for Buffers<B, S> {
    fn default() -> Self {
        Self { blocks: Vec::new(), spots: Vec::new() }
    }
}

/// A number with a pool of rows.
pub(super) trait Buffered: RowReal {
    /// The fewest blocks that there is room for.
    const LEAST: usize = 0;
    fn buffers(scratch: &mut Scratch) -> &mut Buffers<Self::Block, Self::Spot>;
}

impl Buffered for f32 {
    /// As many blocks as gullies may sample of the land at once: their number differs from call to call.
    const LEAST: usize = AROUND;
    fn buffers(scratch: &mut Scratch) -> &mut Buffers<Self::Block, Self::Spot> {
        &mut scratch.plain
    }
}

impl Buffered for Jet<2> {
    fn buffers(scratch: &mut Scratch) -> &mut Buffers<Self::Block, Self::Spot> {
        &mut scratch.jets
    }
}

/// A row with unspecified contents.
pub(super) fn take<R: Buffered>(scratch: &mut Scratch, blocks: usize) -> Vec<R::Block> {
    let mut row = buffer(&mut R::buffers(scratch).blocks, blocks, R::LEAST);
    row.resize(blocks, R::Block::default());
    row
}

/// The smallest buffer of a pool that is large enough. Rows, batches of points and lists need different sizes: if
/// just any were taken, small ones would grow call after call until all are large.
fn buffer<T>(pool: &mut Vec<Vec<T>>, blocks: usize, least: usize) -> Vec<T> {
    let fitting = pool.iter().enumerate().filter(|(_, buffer)| buffer.capacity() >= blocks);
    match fitting.min_by_key(|(_, buffer)| buffer.capacity()) {
        Some((which, _)) => pool.swap_remove(which),
        None => {
            let mut buffer = pool.pop().unwrap_or_default();
            buffer.clear();
            buffer.reserve(blocks.max(least));
            buffer
        }
    }
}

pub(super) fn give<R: Buffered>(scratch: &mut Scratch, row: Vec<R::Block>) {
    R::buffers(scratch).blocks.push(row);
}

/// A row of unspecified places.
pub(super) fn take_spots<R: Buffered>(scratch: &mut Scratch, blocks: usize) -> Vec<R::Spot> {
    let mut spots = buffer(&mut R::buffers(scratch).spots, blocks, R::LEAST);
    spots.resize(blocks, R::Spot::default());
    spots
}

pub(super) fn give_spots<R: Buffered>(scratch: &mut Scratch, spots: Vec<R::Spot>) {
    R::buffers(scratch).spots.push(spots);
}

impl Scratch {
    /// An empty list of coordinates.
    pub(super) fn take_coordinates(&mut self) -> Vec<f64> {
        let mut all = self.coordinates.pop().unwrap_or_default();
        all.clear();
        all
    }

    pub(super) fn give_coordinates(&mut self, all: Vec<f64>) {
        self.coordinates.push(all);
    }
}
