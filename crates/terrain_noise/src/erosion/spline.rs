//! Quintic B-splines over a square lattice: the land, smoothed, with slopes and curvatures that have no
//! kinks where lattice lines are crossed. (A cubic spline's curvatures have them, and gullies show them as creases.)

use crate::basis::jet;
use crate::real::{Field, each};

/// Lattice points along an axis that a position sees.
pub(crate) const TAPS: usize = 6;
/// How many of them lie before the cell of the position.
pub(crate) const BEFORE: i64 = 2;
/// Orders of derivatives: the value, and up to the slopes of curvatures.
pub(crate) const ORDERS: usize = 4;

/// The coefficients of the powers of a position in its cell, for every tap, times 120.
const SPLINE: [[f32; TAPS]; TAPS] = [
    [1.0, 26.0, 66.0, 26.0, 1.0, 0.0],
    [-5.0, -50.0, 0.0, 50.0, 5.0, 0.0],
    [10.0, 20.0, -60.0, 20.0, 10.0, 0.0],
    [-10.0, 20.0, 0.0, -20.0, 10.0, 0.0],
    [5.0, -20.0, 30.0, -20.0, 5.0, 0.0],
    [-1.0, 5.0, -10.0, 10.0, -5.0, 1.0],
];

/// The weights of the taps for a derivative.
pub(crate) type Weights = [f32; TAPS];

/// The weights at `u` in a cell for the value and its first three derivatives, per cell.
#[inline(always)]
pub(crate) fn weights(u: f32) -> [Weights; ORDERS] {
    let mut all = [[0.0; TAPS]; ORDERS];
    for tap in 0..TAPS {
        let k: [f32; TAPS] = each(|power| SPLINE[power][tap] * (1.0 / 120.0));
        all[0][tap] = k[0] + u * (k[1] + u * (k[2] + u * (k[3] + u * (k[4] + u * k[5]))));
        all[1][tap] = k[1] + u * (2.0 * k[2] + u * (3.0 * k[3] + u * (4.0 * k[4] + u * (5.0 * k[5]))));
        all[2][tap] = 2.0 * k[2] + u * (6.0 * k[3] + u * (12.0 * k[4] + u * (20.0 * k[5])));
        all[3][tap] = 6.0 * k[3] + u * (24.0 * k[4] + u * (60.0 * k[5]));
    }
    all
}

/// The weighted sum of taps.
#[inline(always)]
pub(crate) fn weighed(weights: Weights, taps: [f32; TAPS]) -> f32 {
    let mut sum = weights[0] * taps[0];
    for i in 1..TAPS {
        sum += weights[i] * taps[i];
    }
    sum
}

/// The shape of the smoothed land at a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape<R> {
    pub height: R,
    /// Along x and z.
    pub slope: [R; 2],
    /// Second derivatives: along x, mixed, along z.
    pub bend: [R; 3],
}

/// The shape from the weights along x and, for every order of derivative along z, the six columns that the lattice
/// rows sum up to. `per_metre` is cells per metre.
#[inline(always)]
pub(crate) fn shape<R: Field<2>>(along: [Weights; ORDERS], columns: [[f32; TAPS]; ORDERS], per_metre: f32) -> Shape<R> {
    let square = per_metre * per_metre;
    let scales = [1.0, per_metre, square, square * per_metre];
    let derivative = |x: usize, z: usize| weighed(along[x], columns[z]) * scales[x + z];
    let number = |x: usize, z: usize| {
        let slopes = if R::SLOPES { [derivative(x + 1, z), derivative(x, z + 1)] } else { [0.0; 2] };
        R::local(jet(derivative(x, z), slopes))
    };
    Shape {
        height: number(0, 0),
        slope: [number(1, 0), number(0, 1)],
        bend: [number(2, 0), number(1, 1), number(0, 2)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::real::Jet;

    /// A surface whose derivatives a quintic spline repeats: a polynomial of the third degree, up to a constant.
    fn surface(x: f64, z: f64) -> f64 {
        0.3 * x * x * x - 0.2 * x * x * z + 0.5 * x * z * z - 0.7 * z * z * z + 0.4 * x * z + 2.0 * x - 3.0 * z
    }

    fn at(x: f64, z: f64) -> Shape<Jet<2>> {
        let (cell, u) = ([x.floor(), z.floor()], [(x - x.floor()) as f32, (z - z.floor()) as f32]);
        let (along, across) = (weights(u[0]), weights(u[1]));
        let columns = each::<_, ORDERS>(|order| {
            each(|i| {
                weighed(across[order], each(|j| surface(cell[0] + i as f64 - 2.0, cell[1] + j as f64 - 2.0) as f32))
            })
        });
        shape(along, columns, 1.0)
    }

    #[test]
    fn derivatives_are_those_of_the_surface() {
        for i in 0..50 {
            let (x, z) = (f64::from(i % 7) * 0.31 - 1.0, f64::from(i / 7) * 0.27 - 0.9);
            let shape = at(x, z);
            let expected_bend = [1.8 * x - 0.4 * z, -0.4 * x + z + 0.4, x - 4.2 * z];
            for (found, expected) in shape.bend.iter().zip(expected_bend) {
                assert!((f64::from(found.value) - expected).abs() < 1e-4, "{found:?} {expected}");
            }
            // Slopes of a number are the next numbers, and those of curvatures the third derivatives.
            assert_eq!(shape.height.gradient, shape.slope.map(|slope| slope.value));
            assert_eq!(shape.slope[0].gradient, [shape.bend[0].value, shape.bend[1].value]);
            let third = [shape.bend[0].gradient, shape.bend[2].gradient];
            for (found, expected) in third.as_flattened().iter().zip([1.8, -0.4, 1.0, -4.2]) {
                assert!((found - expected).abs() < 1e-3, "{found} {expected}");
            }
        }
    }

    #[test]
    fn cells_meet_without_a_step_in_any_derivative() {
        for i in 0..20 {
            let z = f64::from(i) * 0.17;
            let (before, after) = (at(1.0 - 1e-7, z), at(1.0, z));
            for (a, b) in before.bend.iter().zip(after.bend) {
                assert!(
                    (a.value - b.value).abs() < 1e-4 && (a.gradient[0] - b.gradient[0]).abs() < 1e-3,
                    "{a:?} {b:?}"
                );
            }
        }
    }
}
