//! The hashed lattice of the plane with periods, a block of cells at a time.

use super::{General, Key, SPREAD, Values, clamped, fold};
use crate::simd::Isa;

/// A hashed lattice that repeats on the plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repeating<'a> {
    key: &'a Key,
    /// Along x and z, in cells; 0 never repeats.
    period: [i64; 2],
    per_cell: [f64; 2],
    /// The last cell of a period; none is so far out where there is no period.
    last: [i64; 2],
}

impl General {
    /// The lattice on the plane, if it is hashed.
    pub fn repeating(&self) -> Option<Repeating<'_>> {
        match &self.values {
            Values::Hashed(key) => {
                let period = [self.period[0], self.period[2]];
                let per_cell = period.map(|cells| if cells == 0 { 0.0 } else { 1.0 / cells as f64 });
                let last = period.map(|cells| if cells == 0 { i64::MAX } else { cells - 1 });
                Some(Repeating { key, period, per_cell, last })
            }
            _ => None,
        }
    }
}

impl Repeating<'_> {
    /// An axis' parts of the hashes of a coordinate's cell and of the next, and the fraction in the cell.
    #[inline(always)]
    pub fn ends<const W: usize>(&self, isa: impl Isa<W>, axis: usize, coordinate: f64) -> ((u64, u64), f32) {
        let (period, seed) = (self.period[axis], self.key.0[axis]);
        let (cell, f) = isa.split(coordinate);
        let (times, _) = isa.split(clamped(coordinate) * self.per_cell[axis]);
        // Off by one where the quotient is rounded to the other side of a whole number.
        let rest = cell.wrapping_sub(times.wrapping_mul(period));
        let rest = if rest < 0 && period != 0 { rest + period } else { rest };
        let rest = if rest >= period && period != 0 { rest - period } else { rest };
        let spread = (rest as u64).wrapping_mul(SPREAD[axis]).wrapping_add(seed);
        let next = if rest == self.last[axis] { seed } else { spread.wrapping_add(SPREAD[axis]) };
        ((fold(spread), fold(next)), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::{FURTHEST_CELL, Lattice, split};
    use crate::simd::Plain;

    #[test]
    fn cells_wrap_as_single_ones_do() {
        for period in [0, 1, 2, 3, 7, 256, 1_000_003, 1 << 40] {
            let general = General::new(Lattice::Hashed, 5, [period, 0, period]);
            let Some(repeating) = general.repeating() else { panic!("hashed") };
            let mut coordinates = vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, FURTHEST_CELL, -FURTHEST_CELL];
            for k in [-1_000_000_007i64, -3, -1, 0, 1, 2, 9, 1 << 49] {
                // Just below, on, and above the multiples of the period.
                let edge = (k.saturating_mul(period.max(1)).clamp(-(1 << 50), 1 << 50)) as f64;
                coordinates.extend([edge.next_down(), edge, edge.next_up(), edge - 0.5, edge + 0.5, edge - 1.0]);
            }
            for coordinate in coordinates {
                let ((near, far), f) = repeating.ends(Plain, 0, coordinate);
                let (cell, expected_f) = split(coordinate);
                let key = Key::new(5);
                let expected = [cell, cell + 1].map(|cell| key.axis(0, general.wrapped([cell])[0]));
                assert_eq!(([near, far], f), (expected, expected_f), "{period} {coordinate}");
            }
        }
    }
}
