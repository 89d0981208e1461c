//! Several grid rows end to end. Rows begin with a block each, so the last block of each is rarely full; where
//! points are expensive, those of several rows are packed together first.

use super::blocks::{RowReal, blocks};
use super::rows::{Pass, Row};
use super::scratch::{Buffered, give, give_spots, take, take_spots};
use crate::simd::{Isa, Kernel, LANES, Lanes, block_by_block};

impl Row {
    /// Whether its rows need no packing.
    fn fits(self) -> bool {
        self.count == 1 || self.columns < LANES || self.columns.is_multiple_of(LANES)
    }

    /// The number of blocks that hold its points.
    fn packed_blocks(self) -> usize {
        if self.fits() { self.count * blocks(self.columns) } else { blocks(self.count * self.columns) }
    }
}

impl Pass<'_> {
    /// Evaluates rows of the grid as points: `evaluate` gets their places, which it may move.
    pub fn as_points<R: Buffered>(
        &mut self,
        slot: usize,
        at: Row,
        out: &mut [R::Block],
        evaluate: impl FnOnce(&mut Self, &mut [R::Spot], &mut [R::Block]),
    ) {
        if at.fits() {
            let mut spots = self.grid_spots::<R>(slot, at);
            evaluate(self, &mut spots, out);
            give_spots::<R>(self.scratch, spots);
            return;
        }
        let blocks = at.packed_blocks();
        let mut spots = take_spots::<R>(self.scratch, blocks);
        let slot = &self.scratch.slots[slot];
        let zs = &slot.zs[at.row..at.row + at.count];
        self.set.run(Spots::<R> { spots: &mut spots, xs: &slot.xs[..at.columns], zs, scale: at.scale });
        let mut packed = take::<R>(self.scratch, blocks);
        evaluate(self, &mut spots, &mut packed);
        self.set.run(Unpack::<R> { columns: at.columns, packed: &packed, out });
        give::<R>(self.scratch, packed);
        give_spots::<R>(self.scratch, spots);
    }

    /// Packs rows as [`as_points`](Self::as_points) does.
    pub fn packed<R: Buffered>(&mut self, at: Row, rows: Vec<R::Block>) -> Vec<R::Block> {
        if at.fits() {
            return rows;
        }
        let mut out = take::<R>(self.scratch, at.packed_blocks());
        self.set.run(Pack::<R> { columns: at.columns, rows: &rows, out: &mut out });
        give::<R>(self.scratch, rows);
        out
    }
}

/// The places of packed rows.
struct Spots<'a, R: RowReal> {
    spots: &'a mut [R::Spot],
    /// At least [`LANES`].
    xs: &'a [f64],
    zs: &'a [f64],
    scale: [f32; 2],
}

impl<R: RowReal> Kernel for Spots<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let Self { spots, xs, zs, scale } = self;
        let (mut row, mut column) = (0, 0);
        for spot in spots {
            let last = zs.len() - 1;
            let (here, next) = (zs[row.min(last)], zs[(row + 1).min(last)]);
            let rest = xs.len() - column;
            let (mut x, mut z) = ([0.0; LANES], [here; LANES]);
            if let Some(all) = xs[column..].first_chunk::<LANES>() {
                x = *all;
            } else {
                x[..rest].copy_from_slice(&xs[column..]);
                x[rest..].copy_from_slice(&xs[..LANES - rest]);
                z[rest..].fill(next);
            }
            block_by_block();
            let mut all = R::Spot::default();
            for lane in 0..LANES {
                R::put(&mut all, lane, R::plane([x[lane], z[lane]], scale));
            }
            *spot = all;
            column += LANES;
            if column >= xs.len() {
                column -= xs.len();
                row += 1;
            }
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
                let (xs, zs): (Vec<_>, Vec<_>) =
                    ((0..columns).map(|x| x as f64).collect(), (0..count).map(|z| z as f64).collect());
                let mut spots = vec![Default::default(); packed.len()];
                set.run(Spots::<f32> { spots: &mut spots, xs: &xs, zs: &zs, scale: [1.0; 2] });
                for i in 0..count * columns {
                    let place = <f32 as RowReal>::place_of(&spots[i / LANES], i % LANES);
                    assert_eq!(place, [(i % columns) as f64, (i / columns) as f64], "{columns} × {count}");
                }
            }
        }
    }
}
