//! The lattice of the plane with a period.
//!
//! Cells are wrapped into one period before they are hashed. On a grid that is done once for each lattice column and
//! row, so that a period costs next to nothing there.

/// The longest period of an octave, in cells: all of it lies in the window around the origin, see
/// [`plane`](super::plane).
pub(crate) const LONGEST: u32 = 1 << 23;

/// A cell in its period, which 0 says there is none.
#[inline(always)]
pub(crate) fn wrapped(cell: i64, period: u32) -> i64 {
    if period == 0 { cell } else { cell.rem_euclid(i64::from(period)) }
}

/// The cell after a wrapped one.
#[inline(always)]
pub(crate) fn next(cell: i64, period: u32) -> i64 {
    let next = cell.wrapping_add(1);
    if period != 0 && next == i64::from(period) { 0 } else { next }
}

/// As [`wrapped`], for whole numbers in `f64` below 2^50: lanes of these are cheap to divide.
#[inline(always)]
pub(crate) fn folded(cell: f64, period: f64, per_cell: f64) -> f64 {
    // Exact: a quotient is off by at most one, and its product with the period is a whole number below 2^53.
    let rest = cell - super::floor(cell * per_cell) * period;
    let rest = if rest < 0.0 { rest + period } else { rest };
    if rest >= period { rest - period } else { rest }
}

/// As [`wrapped`], for a cell less than two periods beyond the first one.
#[inline(always)]
pub(crate) fn wrapped_near(cell: u32, period: u32) -> u32 {
    // Twice, as the cell after the last may be a second period ahead where a period is a single cell.
    let once = cell.wrapping_sub(if cell >= period { period } else { 0 });
    once.wrapping_sub(if once >= period { period } else { 0 })
}

/// How the cells of an axis repeat, known by their low words.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Repeat {
    period: u32,
    /// The low word of the first cell, and its place in the period.
    first: u32,
    place: u32,
}

impl Repeat {
    /// For cells from `least` to `most`; none if that is too far.
    pub fn new(period: u32, least: i64, most: i64) -> Option<Self> {
        // Those that are looked up may lie a little beyond.
        let near = period == 0 || most.wrapping_sub(least) < 1 << 31;
        near.then(|| Self { period, first: least as u32, place: wrapped(least, period) as u32 })
    }

    /// The low word of the cell in its period.
    #[inline(always)]
    pub fn wrapped(self, cell: u32) -> u32 {
        if self.period == 0 {
            return cell;
        }
        let ahead = u64::from(self.place) + u64::from(cell.wrapping_sub(self.first));
        (ahead % u64::from(self.period)) as u32
    }

    /// The one after a wrapped cell.
    #[inline(always)]
    pub fn next(self, cell: u32) -> u32 {
        let next = cell.wrapping_add(1);
        if self.period != 0 && next == self.period { 0 } else { next }
    }

    /// Whether anything repeats.
    #[inline(always)]
    pub fn is_some(self) -> bool {
        self.period != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_wrap_alike() {
        for period in [1, 2, 3, 7, 256, 1_000_003, LONGEST] {
            let period_i64 = i64::from(period);
            for k in [-1_000_000_007i64, -3, -1, 0, 1, 2, 9, 1 << 26] {
                for step in [-2, -1, 0, 1, 2, 5] {
                    let cell = k * period_i64 + step;
                    let expected = wrapped(cell, period);
                    assert!((0..period_i64).contains(&expected), "{cell} {period}");
                    assert_eq!((cell - expected) % period_i64, 0, "{cell} {period}");
                    let per_cell = 1.0 / f64::from(period);
                    assert_eq!(folded(cell as f64, f64::from(period), per_cell), expected as f64, "{cell} {period}");
                    assert_eq!(next(expected, period), wrapped(cell + 1, period), "{cell} {period}");
                    for before in [0, 1, 77, 1 << 20] {
                        let Some(repeat) = Repeat::new(period, cell - before, cell + 9) else { panic!("near") };
                        assert_eq!(i64::from(repeat.wrapped(cell as u32)), expected, "{cell} {period}");
                        let after = repeat.next(repeat.wrapped(cell as u32));
                        assert_eq!(i64::from(after), wrapped(cell + 1, period), "{cell} {period}");
                    }
                    let ahead = expected as u32 + 1 + u32::from(period == 1);
                    assert_eq!(i64::from(wrapped_near(ahead, period)), wrapped(i64::from(ahead), period), "{period}");
                }
            }
        }
    }
}
