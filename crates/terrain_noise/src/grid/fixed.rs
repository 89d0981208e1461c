//! Coordinates in fixed point, side by side: see [`crate::basis::fixed`].

use crate::basis::fixed::{clamped, fixed, fixed_near, low};
use crate::lattice::floor;
use crate::simd::{Isa, Kernel, LANES, block_by_block};

/// The low words of cells, and the fractions, of a block of coordinates along one axis.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct FixedBlock {
    pub cells: [u32; LANES],
    pub fractions: [u32; LANES],
}

impl Default for FixedBlock {
    fn default() -> Self {
        Self { cells: [0; LANES], fractions: [0; LANES] }
    }
}

/// The least and the greatest cell so far, lane by lane: their order does not matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    least: [f64; LANES],
    most: [f64; LANES],
}

impl Default for Range {
    fn default() -> Self {
        Self { least: [f64::INFINITY; LANES], most: [f64::NEG_INFINITY; LANES] }
    }
}

impl Range {
    #[inline(always)]
    pub fn include(&mut self, all: &[f64; LANES]) {
        for lane in 0..LANES {
            let (least, most, x) = (self.least[lane], self.most[lane], all[lane]);
            self.least[lane] = if x < least { x } else { least };
            self.most[lane] = if x > most { x } else { most };
        }
    }

    /// The least and the greatest of all.
    pub fn ends(&self) -> [f64; 2] {
        let least = self.least.into_iter().fold(f64::INFINITY, f64::min);
        [least, self.most.into_iter().fold(f64::NEG_INFINITY, f64::max)]
    }
}

/// Converts coordinates in cells that are known to be near: below 2^50.
#[inline(always)]
pub(crate) fn convert_near<const W: usize>(isa: impl Isa<W>, coordinates: &[f64; LANES]) -> FixedBlock {
    let mut out = FixedBlock::default();
    for lane in 0..LANES {
        let (floor, fraction) = fixed_near(isa, coordinates[lane]);
        (out.cells[lane], out.fractions[lane]) = (low(floor), fraction);
    }
    out
}

/// Converts coordinates in cells, and includes them in a range.
#[inline(always)]
pub(crate) fn convert<const W: usize>(isa: impl Isa<W>, coordinates: &[f64; LANES], range: &mut Range) -> FixedBlock {
    let mut out = FixedBlock::default();
    let [mut near, mut floors] = [[0.0; LANES]; 2];
    for lane in 0..LANES {
        near[lane] = clamped(coordinates[lane]);
        (floors[lane], out.fractions[lane]) = fixed_near(isa, near[lane]);
    }
    for lane in 0..LANES {
        out.cells[lane] = low(floors[lane]);
    }
    range.include(&near);
    out
}

/// As [`convert`], where cells repeat: `wrapped` brings them to the first period. The range is that of these cells.
#[inline(always)]
pub(crate) fn convert_wrapped<const W: usize>(
    isa: impl Isa<W>,
    coordinates: &[f64; LANES],
    range: &mut Range,
    wrapped: impl Fn(f64) -> f64,
) -> FixedBlock {
    let mut out = FixedBlock::default();
    let mut floors = [0.0; LANES];
    for lane in 0..LANES {
        (floors[lane], out.fractions[lane]) = fixed(isa, coordinates[lane]);
    }
    for lane in 0..LANES {
        floors[lane] = wrapped(floors[lane]);
    }
    for lane in 0..LANES {
        out.cells[lane] = low(floors[lane]);
    }
    range.include(&floors);
    out
}

/// The columns or the rows of a grid.
#[derive(Debug, Default)]
pub(crate) struct FixedLine {
    pub blocks: Vec<FixedBlock>,
    /// The least and the greatest cell.
    pub ends: [f64; 2],
}

/// Converts columns or rows, given in metres; there are whole blocks.
pub(crate) struct ConvertLine<'a> {
    pub metres: &'a [f64],
    /// Cells per metre.
    pub base: f64,
    pub line: &'a mut FixedLine,
}

impl Kernel for ConvertLine<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        let (metres, _) = self.metres.as_chunks::<LANES>();
        let mut range = Range::default();
        self.line.blocks.resize(metres.len(), FixedBlock::default());
        for (metres, out) in metres.iter().zip(&mut self.line.blocks) {
            block_by_block();
            let mut coordinates = [0.0; LANES];
            for lane in 0..LANES {
                coordinates[lane] = metres[lane] * self.base;
            }
            *out = convert(isa, &coordinates, &mut range);
        }
        self.line.ends = range.ends().map(floor);
    }
}
