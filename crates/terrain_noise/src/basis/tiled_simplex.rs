//! Simplex noise that repeats.
//!
//! The lattice of triangles that skewing gives lies along the diagonals, and there no whole number
//! of cells along an axis ever meets the same lattice again. Rotated, it does:
//!
//! - on the plane with an edge along x, after a [`COLUMN`] along x and two [`ROW`]s along z. Neither
//!   is whole, so the plane is stretched, very little for long periods and at most by √2 for a period of one
//!   cell, until a whole number of columns and of pairs of rows fills the period;
//! - in space along the cube of the body-centred lattice it is (as in Gustavson and McEwan's psrdnoise,
//!   2022), whose corners and middles repeat after every whole cell: nothing is stretched.
//!
//! So every period of whole cells is possible. Lattice points are hashed by their place in half
//! cells, which is what is wrapped.

use super::jet;
use super::perlin::{direction, space_gradient};
use super::simplex::{line, share, sum};
use crate::lattice::{Key, hash, split, unit};
use crate::real::Jet;

/// Edge of a triangle, √(2/3), and its height, √½: as large as those that do not repeat.
const COLUMN: f64 = 0.816_496_580_927_726;
const ROW: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// 1 / the largest sum over a triangle, 0.010 574 992 1, and over a tetrahedron, 0.009 755 469 3,
/// found numerically (see the tests); slightly less, for rounding.
const PLANE: f32 = 94.562_71 * (1.0 - 1.0 / 1_048_576.0);
const SPACE: f32 = 102.506_6 * (1.0 - 1.0 / 1_048_576.0);

/// Simplex noise with a period of whole cells along one axis or more.
#[derive(Clone, Debug)]
pub(crate) struct TiledSimplex {
    key: Key,
    /// Periods along x, y and z, in cells; 0 never repeats.
    period: [i64; 3],
    columns: Lines,
    rows: Lines,
}

/// Columns or rows of the plane.
#[derive(Clone, Debug)]
struct Lines {
    /// Their period in cells; 0 never repeats.
    period: i64,
    /// How many there are in a period.
    count: i64,
    /// How many there are in a cell.
    density: f64,
}

impl Lines {
    /// Lines about `size` cells apart, in groups that a period must not split.
    fn new(period: i64, size: f64, group: i64) -> Self {
        if period == 0 {
            return Self { period, count: 0, density: 1.0 / size };
        }
        let groups = libm::round(period as f64 / (size * group as f64)).max(1.0);
        let count = groups as i64 * group;
        Self { period, count, density: count as f64 / period as f64 }
    }

    /// The line before a coordinate, and how far it is to the next, in 0 ..= 1.
    fn place(&self, x: f64) -> (i64, f64) {
        if self.period == 0 {
            let (line, f) = split(x * self.density);
            return (line, f.into());
        }
        // In whole numbers, so that every period gives the very same bits, however many cells it has.
        let (cell, f) = split(x);
        let scaled = i128::from(cell.rem_euclid(self.period)) * i128::from(self.count);
        let period = i128::from(self.period);
        let rest = (scaled % period) as f64 / self.period as f64 + f64::from(f) * self.density;
        let whole = libm::floor(rest);
        ((scaled / period) as i64 + whole as i64, rest - whole)
    }
}

fn wrapped(place: i64, period: i64) -> i64 {
    if period == 0 { place } else { place.rem_euclid(period) }
}

impl TiledSimplex {
    pub fn new(seed: u64, period: [i64; 3]) -> Self {
        let (columns, rows) = (Lines::new(period[0], COLUMN, 1), Lines::new(period[2], ROW, 2));
        Self { key: Key::new(seed), period, columns, rows }
    }

    #[inline]
    pub fn at<const D: usize>(&self, at: [f64; D]) -> Jet<D> {
        match *at.as_slice() {
            [x] => line(x, |cell| hash(self.key.axis(0, wrapped(cell, self.period[0])))),
            [x, z] => self.plane(x, z),
            [x, y, z] => self.space(x, y, z),
            _ => Jet { value: 0.0, gradient: [0.0; D] },
        }
    }

    fn plane<const D: usize>(&self, x: f64, z: f64) -> Jet<D> {
        let (column, fx) = self.columns.place(x);
        let (row, fz) = self.rows.place(z);
        // Every second row begins half a column later, so a position moves half a column per row.
        let odd = row & 1;
        let along = fx - 0.5 * fz - 0.5 * odd as f64;
        let step = libm::floor(along);
        let fx = along - step;
        let first = 2 * (column + step as i64) + odd;
        // Columns and rows from the first point of the parallelogram, which two triangles fill.
        let corner = |i: i64, j: i64| {
            let column = wrapped(first + 2 * i + j, 2 * self.columns.count);
            let bits = hash(self.key.axis(0, column) ^ self.key.axis(1, wrapped(row + j, self.rows.count)));
            let (di, dj) = (fx - i as f64, fz - j as f64);
            share([((di + 0.5 * dj) * COLUMN) as f32, (dj * ROW) as f32], direction(unit(bits), 1.0))
        };
        let near = if fx + fz < 1.0 { corner(0, 0) } else { corner(1, 1) };
        let [value, dx, dz, _] = sum([near, corner(1, 0), corner(0, 1)], PLANE);
        let [sx, sz] = [self.columns.density * COLUMN, self.rows.density * ROW];
        jet(value, [dx * sx as f32, dz * sz as f32])
    }

    fn space<const D: usize>(&self, x: f64, y: f64, z: f64) -> Jet<D> {
        let parts = [split(x), split(y), split(z)];
        let (cells, f) = (parts.map(|part| part.0), parts.map(|part| part.1));
        // Along the edges of the lattice, which are the half diagonals of its cubes.
        let sums = [f[1] + f[2], f[2] + f[0], f[0] + f[1]];
        let steps = sums.map(|sum| i64::from(sum >= 1.0));
        let rests: [f32; 3] = std::array::from_fn(|axis| sums[axis] - steps[axis] as f32);
        // Rank of each edge: the largest rest is stepped first. Ties go to the earlier one.
        let rank = [
            i64::from(rests[0] >= rests[1]) + i64::from(rests[0] >= rests[2]),
            i64::from(rests[1] > rests[0]) + i64::from(rests[1] >= rests[2]),
            i64::from(rests[2] > rests[0]) + i64::from(rests[2] > rests[1]),
        ];
        let corner = |many: i64| {
            let edges: [i64; 3] = std::array::from_fn(|axis| steps[axis] + i64::from(rank[axis] + many >= 3));
            let all = edges[0] + edges[1] + edges[2];
            let mut bits = 0;
            let mut offset = [0.0; 3];
            for axis in 0..3 {
                // From the corner of the cube, in half cells.
                let halves = all - 2 * edges[axis];
                bits ^= self.key.axis(axis, wrapped(2 * cells[axis] + halves, 2 * self.period[axis]));
                offset[axis] = f[axis] - 0.5 * halves as f32;
            }
            share(offset, space_gradient(hash(bits), 1.0))
        };
        let [value, dx, dy, dz] = sum([corner(0), corner(1), corner(2), corner(3)], SPACE);
        jet(value, [dx, dy, dz])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basis::simplex::tests::most2;

    #[test]
    fn plane_range_is_exact() {
        // The worst slopes at every point of a triangle; the other one is its mirror image.
        let mut most = 0.0f64;
        for i in 0..=1000 {
            for j in 0..=1000 - i {
                let (fx, fz) = (f64::from(i) / 1000.0, f64::from(j) / 1000.0);
                let share = |i: f64, j: f64| {
                    let (x, z) = ((fx - i + 0.5 * (fz - j)) * COLUMN, (fz - j) * ROW);
                    (0.5 - x * x - z * z).max(0.0).powi(4) * most2(x, z)
                };
                most = most.max(share(0.0, 0.0) + share(1.0, 0.0) + share(0.0, 1.0));
            }
        }
        let reach = most * f64::from(PLANE);
        assert!(reach <= 1.0 && reach > 0.9999, "{reach}");
    }

    #[test]
    fn space_range_is_exact() {
        let mut most = 0.0f64;
        let n = 90;
        for which in 0..(n + 1) * (n + 1) * (n + 1) {
            let f = [which % (n + 1), which / (n + 1) % (n + 1), which / (n + 1) / (n + 1)]
                .map(|i| f64::from(i) / f64::from(n));
            let mut order = [0, 1, 2];
            order.sort_by(|&a, &b| f[b].total_cmp(&f[a]));
            let mut left = f;
            let mut sum = 0.0;
            for corner in 0..4 {
                if corner > 0 {
                    left[order[corner - 1]] -= 1.0;
                }
                let half = 0.5 * (left[0] + left[1] + left[2]);
                let d = left.map(|edge| half - edge);
                let squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                let along = (most2(d[0], d[1]).powi(2) + d[2] * d[2]).sqrt();
                sum += (0.5 - squared).max(0.0).powi(4) * along;
            }
            most = most.max(sum);
        }
        let reach = most * f64::from(SPACE);
        assert!(reach <= 1.0 && reach > 0.999, "{reach}");
    }

    #[test]
    fn every_period_repeats_to_the_bit_and_no_sooner() {
        for period in [1, 2, 3, 4, 5, 7, 100, 1_000_000, 300_000_000_000_000] {
            let tiled = TiledSimplex::new(3, [period, period + 2, period + 1]);
            let [mut line, mut x, mut y, mut z] = [false; 4];
            for k in 0..200 {
                let at = [0.37, 0.61, 0.83].map(|step| libm::floor(f64::from(k) * step * 64.0) / 64.0 - 30.0);
                let [px, py, pz] = [period, period + 2, period + 1].map(|cells| cells as f64);
                let check = |shift: [f64; 3]| {
                    // The coordinates keep their fraction where the sum has room for it.
                    let moved: [f64; 3] = std::array::from_fn(|axis| {
                        let moved = at[axis] + shift[axis];
                        if moved - shift[axis] == at[axis] { moved } else { at[axis] }
                    });
                    assert_eq!(tiled.at([at[0]]), tiled.at([moved[0]]), "{period} {at:?}");
                    assert_eq!(tiled.at([at[0], at[2]]), tiled.at([moved[0], moved[2]]), "{period} {at:?}");
                    assert_eq!(tiled.at(at), tiled.at(moved), "{period} {at:?}");
                };
                check([px, py, pz]);
                check([-3.0 * px, 2.0 * py, -pz]);
                // One cell less than the period is no period, if there is another cell at all.
                line |= tiled.at([at[0]]) != tiled.at([at[0] + px - 1.0]);
                x |= tiled.at(at) != tiled.at([at[0] + px - 1.0, at[1], at[2]]);
                y |= tiled.at(at) != tiled.at([at[0], at[1] + py - 1.0, at[2]]);
                z |= tiled.at([at[0], at[2]]) != tiled.at([at[0], at[2] + pz - 1.0]);
            }
            assert!((line && x || period == 1) && y && z, "{period}");
        }
    }

    #[test]
    fn there_is_no_seam_and_slopes_are_the_derivative() {
        for period in [[1, 1, 1], [3, 2, 5], [0, 4, 3], [5, 0, 0], [1000, 1, 7]] {
            let tiled = TiledSimplex::new(8, period);
            for k in 0..3000 {
                let at = [0.173, 0.311, 0.257].map(|step| f64::from(k) * step - 20.0);
                let h = 1e-3;
                check(&tiled, [at[0]], h);
                check(&tiled, [at[0], at[2]], h);
                check(&tiled, at, h);
            }
        }
        fn check<const D: usize>(tiled: &TiledSimplex, at: [f64; D], h: f64) {
            let jet = tiled.at(at);
            assert!(jet.value.abs() <= 1.0, "{at:?}");
            for axis in 0..D {
                let [a, b] = [-h, h].map(|h| {
                    let mut at = at;
                    at[axis] += h;
                    f64::from(tiled.at(at).value)
                });
                let found = f64::from(jet.gradient[axis]);
                assert!((found - (b - a) / (2.0 * h)).abs() < 2e-3, "{tiled:?} {at:?} {axis} {found} {a} {b}");
            }
        }
    }

    #[test]
    fn a_long_period_is_hardly_stretched() {
        let tiled = TiledSimplex::new(1, [1000, 0, 1000]);
        for (density, size) in [(tiled.columns.density, COLUMN), (tiled.rows.density, ROW)] {
            assert!((density * size - 1.0).abs() < 1e-3);
        }
        for period in 1..100 {
            let tiled = TiledSimplex::new(1, [period, 0, period]);
            for (density, size) in [(tiled.columns.density, COLUMN), (tiled.rows.density, ROW)] {
                assert!((0.7..=1.42).contains(&(density * size)), "{period} {}", density * size);
            }
        }
    }
}
