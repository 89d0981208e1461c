//! Cellular noise: distances to scattered points, one per cell (Worley 1996).

mod block;

pub(crate) use block::Cells;
use serde::{Deserialize, Serialize};

use crate::lattice::{Source, mix, split, unit};
use crate::real::Jet;

/// What cellular noise measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub enum CellOutput {
    /// Distance to the nearest point: dimples.
    #[default]
    F1,
    /// Distance to the second nearest point.
    F2,
    /// The difference of the two: plates with valleys between them.
    F2MinusF1,
    /// A random value for each cell: flat plates.
    CellValue,
}

impl CellOutput {
    /// The largest value, in cells, for points that stray `jitter / 2` from the middle of their cell.
    fn most(self, dimensions: usize, jitter: f32) -> f32 {
        let (d, h) = (dimensions as f32, 0.5 * jitter);
        // Half-way between cells' middles every near point may lie in its far corner.
        let corner = (d).sqrt() * (0.5 + h);
        // In the middle of a cell only its own point is near.
        let middle = ((1.0 + h) * (1.0 + h) + (d - 1.0) * h * h).sqrt();
        match self {
            Self::F1 => corner,
            Self::F2 => middle.max(corner),
            Self::F2MinusF1 => middle.max(jitter * d.sqrt()),
            Self::CellValue => 1.0,
        }
    }
}

/// The random bits of a point's position.
#[inline(always)]
fn bits(hash: u32) -> u64 {
    mix(u64::from(hash) | 1 << 40)
}

/// Where a point lies in its cell along an axis: 21 of its bits.
#[inline(always)]
fn position(bits: u64, axis: usize, jitter: f32) -> f32 {
    let random = (bits >> (21 * axis)) as u32 & 0x1F_FFFF;
    0.5 + jitter * (random as i32 as f32 * (1.0 / 2_097_152.0) - 0.5)
}

/// What distances are multiplied by, so that values reach from -1 to 1.
pub(crate) fn scale(output: CellOutput, dimensions: usize, jitter: f32) -> f32 {
    2.0 / output.most(dimensions, jitter) * (1.0 - 1.0 / 1_048_576.0)
}

/// A point of the pattern, relative to the sampled position.
#[derive(Clone, Copy)]
struct Near<const D: usize> {
    squared: f32,
    /// From the point to the position.
    offset: [f32; D],
    hash: u32,
}

/// Cellular noise, mapped to [-1, 1]. Exact for every jitter: cells further out are searched where
/// the nearest ring could hide a nearer point.
#[inline]
pub(crate) fn cellular<const D: usize>(source: &impl Source, output: CellOutput, jitter: f32, at: [f64; D]) -> Jet<D> {
    let parts = at.map(split);
    let none = Near { squared: f32::INFINITY, offset: [0.0; D], hash: 0 };
    let mut nearest = [none; 2];
    for ring in 1..=2 {
        visit(ring, |step: [i64; D]| {
            let cells: [i64; D] = std::array::from_fn(|axis| parts[axis].0.wrapping_add(step[axis]));
            let hash = source.hash(cells);
            let bits = bits(hash);
            let mut squared = 0.0;
            let offset = std::array::from_fn(|axis| {
                let offset = parts[axis].1 - step[axis] as f32 - position(bits, axis, jitter);
                squared += offset * offset;
                offset
            });
            let near = Near { squared, offset, hash };
            if squared < nearest[0].squared {
                nearest = [near, nearest[0]];
            } else if squared < nearest[1].squared {
                nearest[1] = near;
            }
        });
        // Nothing outside the ring is nearer than this.
        let mut border = f32::INFINITY;
        for (_, f) in parts {
            border = border.min(f).min(1.0 - f);
        }
        border += ring as f32 + 0.5 * (1.0 - jitter);
        let needed = match output {
            CellOutput::F1 | CellOutput::CellValue => nearest[0].squared,
            CellOutput::F2 | CellOutput::F2MinusF1 => nearest[1].squared,
        };
        if needed <= border * border {
            break;
        }
    }
    measure(output, jitter, nearest)
}

/// The cells of a ring: the 3^D around the middle, or those of the 5^D that are not among them.
#[inline(always)]
fn visit<const D: usize>(ring: i64, mut each: impl FnMut([i64; D])) {
    let side = 2 * ring + 1;
    for which in 0..side.pow(D as u32) {
        let mut rest = which;
        let step: [i64; D] = std::array::from_fn(|_| {
            let step = rest % side - ring;
            rest /= side;
            step
        });
        if ring == 1 || step.iter().any(|step| step.abs() == ring) {
            each(step);
        }
    }
}

fn measure<const D: usize>(output: CellOutput, jitter: f32, nearest: [Near<D>; 2]) -> Jet<D> {
    let [first, second] = nearest.map(|near| {
        let distance = near.squared.sqrt();
        // The tip of the cone has no slope.
        let inverse = if distance > 0.0 { 1.0 / distance } else { 0.0 };
        Jet { value: distance, gradient: near.offset.map(|x| x * inverse) }
    });
    let scale = scale(output, D, jitter);
    let mapped = |value: f32, gradient: [f32; D]| Jet {
        value: value * scale - 1.0,
        gradient: gradient.map(|slope| slope * scale),
    };
    match output {
        CellOutput::F1 => mapped(first.value, first.gradient),
        CellOutput::F2 => mapped(second.value, second.gradient),
        CellOutput::F2MinusF1 => {
            mapped(second.value - first.value, std::array::from_fn(|axis| second.gradient[axis] - first.gradient[axis]))
        }
        CellOutput::CellValue => Jet { value: unit(nearest[0].hash), gradient: [0.0; D] },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::Key;

    /// Distances to all points of 7^D cells.
    fn distances<const D: usize>(key: &Key, jitter: f32, at: [f64; D]) -> Vec<f32> {
        let parts = at.map(split);
        let mut all = Vec::new();
        for which in 0..7i64.pow(D as u32) {
            let step: [i64; D] = std::array::from_fn(|axis| which / 7i64.pow(axis as u32) % 7 - 3);
            let hash = key.hash::<D>(std::array::from_fn(|axis| parts[axis].0 + step[axis]));
            let place = mix(u64::from(hash) | 1 << 40);
            let mut squared = 0.0;
            for axis in 0..D {
                let random = ((place >> (21 * axis)) & 0x1F_FFFF) as f32 / 2_097_152.0 - 0.5;
                let offset = parts[axis].1 - step[axis] as f32 - (0.5 + jitter * random);
                squared += offset * offset;
            }
            all.push(squared.sqrt());
        }
        all.sort_by(f32::total_cmp);
        all
    }

    fn exact_in<const D: usize>() {
        let key = Key::new(9);
        for jitter in [0.3, 1.0] {
            for k in 0..40_000 {
                let at: [f64; D] = std::array::from_fn(|axis| f64::from(k) * [0.37, 0.91, 0.173][axis]);
                let all = distances(&key, jitter, at);
                for (output, expected) in [(CellOutput::F1, all[0]), (CellOutput::F2, all[1])] {
                    let found = (cellular(&key, output, jitter, at).value + 1.0) * 0.5 * output.most(D, jitter);
                    assert!((found - expected).abs() < 1e-5, "{output:?} {at:?}: {found} {expected}");
                }
            }
        }
    }

    #[test]
    fn finds_the_nearest_points() {
        exact_in::<1>();
        exact_in::<2>();
        exact_in::<3>();
    }
}
