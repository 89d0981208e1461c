//! Value noise through four lattice points per axis.

mod block;

pub(crate) use block::CubicBlock;

use super::value::INSIDE;
use crate::interpolation::Cubic;
use crate::lattice::{Source, split};
use crate::real::Jet;

/// Interpolates `4^D` lattice values, scaled so that no overshoot leaves [-1, 1].
pub(crate) fn cubic<const D: usize>(source: &impl Source, cubic: Cubic, at: [f64; D]) -> Jet<D> {
    let parts = at.map(split);
    let weights = parts.map(|(_, f)| cubic.weights(f));
    let slopes = parts.map(|(_, f)| cubic.slopes(f));
    let mut total = Jet::default();
    for which in 0..4usize.pow(D as u32) {
        let step: [usize; D] = std::array::from_fn(|axis| which >> (2 * axis) & 3);
        let cells: [i64; D] = std::array::from_fn(|axis| parts[axis].0.wrapping_add(step[axis] as i64 - 1));
        let value = source.value(cells);
        let mut product = 1.0;
        for axis in 0..D {
            product *= weights[axis][step[axis]];
        }
        total.value += product * value;
        for axis in 0..D {
            let mut along = slopes[axis][step[axis]];
            for other in (0..D).filter(|&other| other != axis) {
                along *= weights[other][step[other]];
            }
            total.gradient[axis] += along * value;
        }
    }
    let scale = scaled::<D>(cubic);
    Jet { value: total.value * scale, gradient: total.gradient.map(|slope| slope * scale) }
}

/// What sums are multiplied by, so that no overshoot leaves [-1, 1].
fn scaled<const D: usize>(cubic: Cubic) -> f32 {
    (0..D).fold(INSIDE, |scale, _| scale / cubic.overshoot())
}
