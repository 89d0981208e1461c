//! The last columns of a grid, where they fill little of a block: those of several rows share one.

use super::Carved;
use super::land::Land;
use super::lone::CarvePoints;
use super::window::AROUND;
use crate::erosion::gullies::Gullies;
use crate::erosion::spline::TAPS;
use crate::grid::blocks::{RowReal, blocks};
use crate::grid::rows::Pass;
use crate::simd::{LANES, Lanes};

/// The most columns that are kept: each point costs more than in a block of its row.
const MOST: usize = LANES / 3;

/// What is carved at the last columns of a grid.
#[derive(Debug, Default)]
pub struct Tail {
    /// The number of columns. Lanes after them repeat the last one.
    columns: usize,
    /// Values, and slopes if there are any, block after block: point after point, row after row. None if the
    /// columns are carved with their rows.
    numbers: Vec<Lanes>,
}

/// How many coordinates there are before they repeat the last one.
fn distinct(all: &[f64]) -> usize {
    all.iter().rposition(|x| Some(x) != all.last()).map_or(1, |before| before + 2)
}

impl Tail {
    /// What is carved at the last block of a grid row.
    #[inline(always)]
    pub fn block<R: RowReal>(&self, row: usize) -> Option<R::Block> {
        let mut out = R::Block::default();
        let each = R::numbers(&out).len();
        for lane in 0..LANES {
            let point = row * self.columns + lane.min(self.columns.saturating_sub(1));
            let from = self.numbers.get(point / LANES * each..)?.get(..each)?;
            for (out, from) in R::numbers_mut(&mut out).iter_mut().zip(from) {
                out.0[lane] = from.0[point % LANES];
            }
        }
        Some(out)
    }
}

/// Points around which the lattice is known.
struct Points<'a> {
    land: &'a Land,
    axes: [&'a [f64]; 2],
    columns: usize,
    count: usize,
}

impl Points<'_> {
    /// The heights around a block of them, and their places.
    fn gather(&self, block: usize, heights: &mut [Lanes; AROUND], places: &mut [[f64; LANES]; 2]) {
        let [xs, zs] = self.axes;
        let last = xs.len() / LANES - 1;
        let mut starts = [0; LANES];
        for lane in 0..LANES {
            let point = (block * LANES + lane).min(self.count - 1);
            let (row, column) = (point / self.columns, point % self.columns);
            [places[0][lane], places[1][lane]] = [xs[last * LANES + column], zs[row]];
            starts[lane] = self.land.start(last, column, row);
        }
        // A lattice is wide: most points of a block have the same heights around them.
        if starts == [starts[0]; LANES] {
            for (heights, row) in heights.chunks_mut(TAPS).zip(self.land.around(starts[0])) {
                for (heights, height) in heights.iter_mut().zip(row) {
                    *heights = Lanes([height; LANES]);
                }
            }
            return;
        }
        for (lane, start) in starts.into_iter().enumerate() {
            let rows = heights.chunks_mut(TAPS).zip(self.land.around(start));
            for (heights, height) in rows.flat_map(|(all, row)| all.iter_mut().zip(row)) {
                heights.0[lane] = height;
            }
        }
    }
}

impl Pass<'_> {
    /// Carves the last columns of all rows.
    pub fn carve_tail<R: RowReal>(
        &mut self,
        gullies: &Gullies,
        carved: &mut Carved,
        axes: [&[f64]; 2],
        footprint: f64,
    ) {
        let Carved { land, octaves, tail, .. } = carved;
        let [xs, zs] = axes;
        let Some(last) = xs.last_chunk::<LANES>() else { return };
        let (columns, rows) = (distinct(last), distinct(zs));
        tail.numbers.clear();
        if columns > MOST || rows < LANES {
            return;
        }
        tail.columns = columns;
        let points = Points { land, axes, columns, count: columns * rows };
        let (mut heights, mut places) = ([Lanes::default(); AROUND], [[0.0; LANES]; 2]);
        let per_metre = 1.0 / gullies.spacing(footprint);
        for block in 0..blocks(points.count) {
            points.gather(block, &mut heights, &mut places);
            let mut carved = R::Block::default();
            self.set.run(CarvePoints::<R> {
                gullies,
                octaves,
                per_metre,
                heights: &heights,
                places: places.each_ref(),
                carved: &mut carved,
            });
            tail.numbers.extend_from_slice(R::numbers(&carved));
        }
    }
}
