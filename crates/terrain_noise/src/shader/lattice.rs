//! The random numbers of value noise, without what lies between them.

use crate::basis::value::INSIDE;
use crate::lattice::plane::{PlaneKey, Seeds, scattered, window};
use crate::lattice::{derive, unit};

/// Lattice points of value noise on the plane around a cell: for those who interpolate between them themselves, out of
/// shaders and in them. The struct `PlaneLattice` of the shader library has the same words.
///
/// The numbers are those of `value().build(seed)`.
///
/// ```
/// use terrain_noise::prelude::*;
/// use terrain_noise::shader::PlaneLattice;
///
/// let noise = value().feature_size(10.0).build(7)?;
/// let [near_left, near_right, ..] = PlaneLattice::new(7, [3, -20]).corners([1, 0]);
/// assert_eq!(noise.sample([40.0, -200.0]), near_left);
/// assert_eq!(noise.sample([50.0, -200.0]), near_right);
/// # Ok::<(), NoiseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneLattice {
    /// x and z, each the low word first.
    cell: [u32; 4],
    seed: [u32; 2],
    /// Seeds of the window that the cell lies in.
    window: [u32; 2],
}

impl PlaneLattice {
    /// Around a cell, of the lattice of `value().build(seed)`.
    #[must_use]
    pub fn new(seed: u64, cell: [i64; 2]) -> Self {
        // As of a tree that is this noise alone.
        let key = PlaneKey::new(derive(derive(seed, 0), 0x1_0000_0000));
        let [[a, b], [c, d]] = cell.map(|cell| split(cell as u64));
        Self { cell: [a, b, c, d], seed: split(key.seed()), window: key.seeds(cell.map(window)).words() }
    }

    /// The numbers at the corners of the cell so many columns and rows further, in −1 to 1: at the lesser z those at the
    /// lesser and the greater x, then those at the greater z.
    #[must_use]
    pub fn corners(&self, step: [i32; 2]) -> [f32; 4] {
        let [a, b, c, d] = self.cell;
        let here = [join([a, b]), join([c, d])].map(|cell| cell as i64);
        let there = [0, 1].map(|axis| here[axis].wrapping_add(step[axis].into()));
        let last = there.map(|cell| cell.wrapping_add(1));
        let home = here.map(window);
        let corners = if there.map(window) == home && last.map(window) == home {
            Seeds::from_words(self.window).corners(there.map(|cell| cell as u32))
        } else {
            PlaneKey::new(join(self.seed)).corners(there)
        };
        corners.map(|parts| INSIDE * unit(scattered(parts)))
    }

    /// For a shader.
    #[must_use]
    pub fn words(&self) -> [u32; 8] {
        let ([a, b, c, d], [e, f], [g, h]) = (self.cell, self.seed, self.window);
        [a, b, c, d, e, f, g, h]
    }

    /// The lattice of these [`words`](Self::words).
    #[must_use]
    pub fn from_words([a, b, c, d, e, f, g, h]: [u32; 8]) -> Self {
        Self { cell: [a, b, c, d], seed: [e, f], window: [g, h] }
    }
}

fn split(wide: u64) -> [u32; 2] {
    [wide as u32, (wide >> 32) as u32]
}

fn join([low, high]: [u32; 2]) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn its_numbers_are_those_of_value_noise_everywhere() {
        // Near, at the ends of windows, and far out.
        for base in [0, -1, (1 << 23) - 2, -(1 << 23), 1 << 24, 123_456_789_012, -(1 << 40)] {
            for seed in [0, 1, u64::MAX] {
                let noise = value().feature_size(1.0).build(seed).unwrap();
                let lattice = PlaneLattice::new(seed, [base, -base]);
                assert_eq!(PlaneLattice::from_words(lattice.words()), lattice);
                for step in [[0, 0], [1, 0], [2, -3], [-5, 900_000]] {
                    let [x, z] = [base + i64::from(step[0]), i64::from(step[1]) - base];
                    let corners = [[x, z], [x + 1, z], [x, z + 1], [x + 1, z + 1]];
                    let expected = corners.map(|[x, z]| noise.sample([x as f64, z as f64]));
                    assert_eq!(lattice.corners(step), expected, "{base} {seed} {step:?}");
                }
            }
        }
    }
}
