//! Several grid rows end to end. Where rows begin with a block each, the last block of each is rarely full; where
//! points are expensive, those of several rows are packed together.

use super::blocks::{RowReal, blocks};
use super::leaf::CarryAlike;
use super::positions::{GridPositions, Positions};
use super::rows::{Pass, Row};
use super::scratch::{Buffered, give, give_spots, take, take_spots};
use super::steps::Move;
use crate::sampler::{Node, Transform};
use crate::simd::{Isa, Kernel, LANES, Lanes, block_by_block};

impl Row {
    /// Whether its rows need no packing.
    pub fn fits(self) -> bool {
        self.count == 1 || self.columns < LANES || self.columns.is_multiple_of(LANES)
    }

    /// The number of blocks that hold its points.
    pub fn blocks(self) -> usize {
        if self.packed { blocks(self.count * self.columns) } else { self.count * blocks(self.columns) }
    }

    /// The same rows packed, unless that is what they are anyway.
    pub fn end_to_end(self) -> Self {
        Self { packed: !self.fits(), ..self }
    }

    pub fn with_blocks_of_their_own(self) -> Self {
        Self { packed: false, ..self }
    }
}

impl Pass<'_> {
    /// Evaluates rows of the grid as points: `evaluate` gets their places, which it may move.
    pub fn as_points<R: Buffered>(
        &mut self,
        slot: usize,
        at: Row,
        transform: Option<&Transform>,
        out: &mut [R::Block],
        evaluate: impl FnOnce(&mut Self, &mut [R::Spot], &mut [R::Block]),
    ) {
        self.on_grid::<R>(slot, at, out, |pass, xs, zs, out| {
            let mut spots = take_spots::<R>(pass.scratch, out.len());
            let positions = GridPositions::new(xs, zs, None);
            pass.set.run(Spots::<R> { spots: &mut spots, positions, scale: at.scale });
            if let Some(transform) = transform {
                pass.set.run(Move::<R> { spots: &mut spots, transform });
            }
            evaluate(pass, &mut spots, out);
            give_spots::<R>(pass.scratch, spots);
        });
    }

    /// As [`as_points`](Self::as_points), without places in memory: slopes that `evaluate` gives are by the
    /// transformed coordinates.
    pub fn as_positions<R: Buffered>(
        &mut self,
        slot: usize,
        at: Row,
        transform: Option<&Transform>,
        out: &mut [R::Block],
        evaluate: impl FnOnce(&mut Self, GridPositions, &mut [R::Block]),
    ) {
        self.on_grid::<R>(slot, at, out, |pass, xs, zs, out| {
            let affine = transform.map(Transform::over::<2>);
            evaluate(pass, GridPositions::new(xs, zs, affine), out);
            if R::SLOPES {
                let place = R::plane([0.0; 2], at.scale);
                let place = affine.map_or(place, |(matrix, offset)| R::moved(&place, &matrix, &offset));
                pass.set.run(CarryAlike::<R> { place, out });
            }
        });
    }

    /// Gives `evaluate` columns and rows, as [`GridPositions`] take them, and blocks for all points.
    fn on_grid<R: Buffered>(
        &mut self,
        slot: usize,
        at: Row,
        out: &mut [R::Block],
        evaluate: impl FnOnce(&mut Self, &[f64], &[f64], &mut [R::Block]),
    ) {
        let [mut xs, mut zs] = [self.scratch.take_coordinates(), self.scratch.take_coordinates()];
        let slot = &self.scratch.slots[slot];
        // A grid of the same shape elsewhere may reach one further.
        if xs.capacity() < at.columns + LANES {
            xs.reserve((at.columns + 1).next_multiple_of(LANES) + LANES);
        }
        if zs.capacity() < at.count {
            zs.reserve(at.count + LANES);
        }
        xs.extend_from_slice(if at.fits() { &slot.xs[..] } else { &slot.xs[..at.columns] });
        xs.extend_from_slice(&slot.xs[..LANES]);
        zs.extend_from_slice(&slot.zs[at.row..at.row + at.count]);
        if at.packed || at.fits() {
            evaluate(self, &xs, &zs, out);
        } else {
            let mut packed = take::<R>(self.scratch, at.end_to_end().blocks());
            evaluate(self, &xs, &zs, &mut packed);
            self.set.run(Unpack::<R> { columns: at.columns, packed: &packed, out });
            give::<R>(self.scratch, packed);
        }
        [xs, zs].into_iter().for_each(|line| self.scratch.give_coordinates(line));
    }

    /// Evaluates a node whose rows have blocks of their own, and packs them.
    pub fn pack_row<R: Buffered>(&mut self, node: &Node, at: Row, out: &mut [R::Block]) {
        let at = at.with_blocks_of_their_own();
        let mut rows = take::<R>(self.scratch, at.blocks());
        self.row::<R>(node, at, &mut rows);
        self.set.run(Pack::<R> { columns: at.columns, rows: &rows, out });
        give::<R>(self.scratch, rows);
    }
}

/// The places of rows end to end.
struct Spots<'a, R: RowReal> {
    spots: &'a mut [R::Spot],
    positions: GridPositions<'a>,
    scale: [f32; 2],
}

impl<R: RowReal> Kernel for Spots<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let Self { spots, mut positions, scale } = self;
        for spot in spots {
            block_by_block();
            let [x, z] = positions.next();
            let mut all = R::Spot::default();
            for lane in 0..LANES {
                R::put(&mut all, lane, R::plane([x.0[lane], z.0[lane]], scale));
            }
            *spot = all;
        }
    }
}

/// Sixteen numbers that begin within the first of two blocks.
#[inline(always)]
fn taken(blocks: [&Lanes; 2], from: usize) -> Lanes {
    let mut both = [0.0; 2 * LANES];
    both[..LANES].copy_from_slice(&blocks[0].0);
    both[LANES..].copy_from_slice(&blocks[1].0);
    both[from % LANES..].first_chunk().map_or_else(Lanes::default, |&all| Lanes(all))
}

/// Gives every row blocks of its own.
struct Unpack<'a, R: RowReal> {
    columns: usize,
    packed: &'a [R::Block],
    out: &'a mut [R::Block],
}

impl<R: RowReal> Kernel for Unpack<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let Self { columns, packed, out } = self;
        let last = packed.len() - 1;
        for (row, out) in out.chunks_mut(blocks(columns)).enumerate() {
            for (block, out) in out.iter_mut().enumerate() {
                let from = row * columns + block * LANES;
                let (first, second) = ((from / LANES).min(last), (from / LANES + 1).min(last));
                let (first, second) = (R::numbers(&packed[first]), R::numbers(&packed[second]));
                for (out, both) in R::numbers_mut(out).iter_mut().zip(first.iter().zip(second)) {
                    *out = taken([both.0, both.1], from);
                }
            }
        }
    }
}

/// Puts rows end to end.
struct Pack<'a, R: RowReal> {
    columns: usize,
    rows: &'a [R::Block],
    out: &'a mut [R::Block],
}

impl<R: RowReal> Kernel for Pack<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let Self { columns, rows, out } = self;
        let each = blocks(columns);
        let rows_of = |row: usize| &rows[row * each..(row + 1) * each];
        let (mut row, mut column) = (0, 0);
        let count = rows.len() / each;
        for out in out {
            // Of this row, and from where it ends, of the next one.
            let (here, next) = (rows_of(row), rows_of((row + 1).min(count - 1)));
            let (first, second) = (column / LANES, (column / LANES + 1).min(each - 1));
            let (a, b, c) = (R::numbers(&here[first]), R::numbers(&here[second]), R::numbers(&next[0]));
            let rest = columns - column;
            for (which, out) in R::numbers_mut(out).iter_mut().enumerate() {
                let mut all = taken([&a[which], &b[which]], column);
                if rest < LANES {
                    all.0[rest..].copy_from_slice(&c[which].0[..LANES - rest]);
                }
                *out = all;
            }
            column += LANES;
            if column >= columns {
                column -= columns;
                row = (row + 1).min(count - 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{DetectedIsa, Instructions};

    #[test]
    fn packed_rows_come_back() {
        let set = DetectedIsa::new(Instructions::best());
        for columns in 16..80 {
            for count in 1..9 {
                let each = blocks(columns);
                let number = |row: usize, column: usize| (row * 100 + column) as f32;
                let mut rows = vec![Lanes::default(); count * each];
                for row in 0..count {
                    for column in 0..columns {
                        rows[row * each + column / LANES].0[column % LANES] = number(row, column);
                    }
                }
                let mut packed = vec![Lanes::default(); blocks(count * columns)];
                set.run(Pack::<f32> { columns, rows: &rows, out: &mut packed });
                let flat: Vec<_> = packed.iter().flat_map(|block| block.0).collect();
                let expected = (0..count).flat_map(|row| (0..columns).map(move |column| number(row, column)));
                assert!(expected.clone().eq(flat[..count * columns].iter().copied()), "{columns} × {count}");
                let mut again = vec![Lanes::default(); count * each];
                set.run(Unpack::<f32> { columns, packed: &packed, out: &mut again });
                for row in 0..count {
                    for column in 0..columns {
                        let found = again[row * each + column / LANES].0[column % LANES];
                        assert_eq!(found, number(row, column), "{columns} × {count}");
                    }
                }
            }
        }
    }
}
