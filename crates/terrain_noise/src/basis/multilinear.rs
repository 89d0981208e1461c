//! Interpolation over the 2^D corners of a cell, for lattices other than the plain hash.
//!
//! Written for any dimension; the plain hash has kernels of its own that share work on a grid.

mod block;

pub(crate) use block::SmoothedBlock;

use super::perlin::{direction, space_gradient};
use super::value::INSIDE;
use crate::interpolation::Fade;
use crate::lattice::{Source, split};
use crate::real::Jet;

/// The cell of a point, the fraction within it, and the weights of the near and far ends per axis.
struct Cell<const D: usize> {
    cells: [i64; D],
    fractions: [f32; D],
    weights: [f32; D],
    slopes: [f32; D],
}

impl<const D: usize> Cell<D> {
    fn new(fade: Fade, at: [f64; D]) -> Self {
        let parts = at.map(split);
        let fractions = parts.map(|(_, f)| f);
        Self {
            cells: parts.map(|(cell, _)| cell),
            fractions,
            weights: fractions.map(|f| fade.weight(f)),
            slopes: fractions.map(|f| fade.slope(f)),
        }
    }

    /// Sums the contributions of all corners: a value and its slopes.
    fn sum(&self, corner: impl Fn([i64; D], [f32; D]) -> (f32, [f32; D])) -> Jet<D> {
        let mut total = Jet::default();
        for which in 0..1usize << D {
            let far: [bool; D] = std::array::from_fn(|axis| which >> axis & 1 == 1);
            let cells = std::array::from_fn(|axis| self.cells[axis].wrapping_add(i64::from(far[axis])));
            let offset =
                std::array::from_fn(|axis| if far[axis] { self.fractions[axis] - 1.0 } else { self.fractions[axis] });
            let weight = |axis: usize| {
                if far[axis] { self.weights[axis] } else { 1.0 - self.weights[axis] }
            };
            let slope = |axis: usize| {
                if far[axis] { self.slopes[axis] } else { -self.slopes[axis] }
            };
            let mut product = 1.0;
            for axis in 0..D {
                product *= weight(axis);
            }
            let (value, gradient) = corner(cells, offset);
            total.value += product * value;
            for axis in 0..D {
                let mut along = slope(axis);
                for other in (0..D).filter(|&other| other != axis) {
                    along *= weight(other);
                }
                total.gradient[axis] += along * value + product * gradient[axis];
            }
        }
        total
    }
}

/// Value noise over any lattice.
pub(crate) fn value<const D: usize>(source: &impl Source, fade: Fade, at: [f64; D]) -> Jet<D> {
    Cell::new(fade, at).sum(|cells, _| (source.value(cells) * INSIDE, [0.0; D]))
}

/// Value noise whose lattice values are averaged with their neighbours first (Elias 1998): per axis
/// a half of the centre and a quarter of each side.
pub(crate) fn smoothed<const D: usize>(source: &impl Source, fade: Fade, at: [f64; D]) -> Jet<D> {
    Cell::new(fade, at).sum(|cells, _| {
        let mut sum = 0.0;
        for which in 0..3usize.pow(D as u32) {
            let mut rest = which;
            let mut weight = INSIDE;
            let near: [i64; D] = std::array::from_fn(|axis| {
                let step = (rest % 3) as i64 - 1;
                rest /= 3;
                weight *= if step == 0 { 0.5 } else { 0.25 };
                cells[axis].wrapping_add(step)
            });
            sum += weight * source.value(near);
        }
        (sum, [0.0; D])
    })
}

/// Perlin noise over any lattice.
pub(crate) fn perlin<const D: usize>(source: &impl Source, fade: Fade, at: [f64; D]) -> Jet<D> {
    Cell::new(fade, at).sum(|cells, offset| {
        let gradient = gradient(source, cells);
        let mut value = 0.0;
        for axis in 0..D {
            value += gradient[axis] * offset[axis];
        }
        (value, gradient)
    })
}

/// The slope at a lattice point, of the same length as in the kernels for the plain hash.
fn gradient<const D: usize>(source: &impl Source, cells: [i64; D]) -> [f32; D] {
    let long: [f32; 3] = match D {
        1 => [2.0 * INSIDE * source.value(cells), 0.0, 0.0],
        2 => {
            let [x, z] = direction(source.value(cells), INSIDE / 0.75);
            [x, z, 0.0]
        }
        _ => space_gradient(source.hash(cells), INSIDE * super::perlin::SPACE),
    };
    std::array::from_fn(|axis| long[axis])
}
