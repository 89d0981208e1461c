//! Perlin noise as blog posts implement it, in `f64`, bit for bit.

use std::sync::Arc;

use crate::lattice::Permutation;
use crate::real::Jet;

/// Perlin noise from a table of 256 bytes: slopes `table/256·2 − 1` on a line, the four diagonals
/// on the plane, eight diagonals in space. Repeats after 256 cells.
///
/// Sources give its range as 0 to 1. It is −½ to 1½:
///
/// ```
/// use terrain_noise::{ClassicPerlin, Permutation};
/// let noise = ClassicPerlin::new(Permutation::classic(1));
/// assert_eq!(noise.sample([-1.75, 2.5]), 1.22412109375);
/// ```
#[derive(Clone, Debug)]
pub struct ClassicPerlin(Arc<Permutation>);

impl ClassicPerlin {
    /// Noise over a table.
    #[must_use]
    pub fn new(table: Permutation) -> Self {
        Self(Arc::new(table))
    }

    /// The noise in one, two or three dimensions, around ½. Other dimensions are not supported: they give ½.
    /// A coordinate that is infinite or NaN counts as 0.
    #[must_use]
    pub fn sample<const D: usize>(&self, at: [f64; D]) -> f64 {
        0.5 + self.centred(at).0
    }

    /// `octaves` octaves of lacunarity 2, each from the same table, divided by their amplitudes' sum.
    ///
    /// Without octaves the result is ½, their mean. As in a tree, octaves after the 32nd are left out, and
    /// persistence is clamped to 0 ..= 2; NaN counts as 0.
    #[must_use]
    pub fn octaves<const D: usize>(&self, at: [f64; D], octaves: u32, persistence: f64) -> f64 {
        if octaves == 0 {
            return 0.5;
        }
        #[expect(clippy::manual_clamp, reason = "`clamp` keeps NaN")]
        let persistence = persistence.max(0.0).min(2.0);
        let (mut sum, mut norm, mut frequency, mut amplitude) = (0.0, 0.0, 1.0, 1.0);
        for _ in 0..octaves.min(32) {
            sum += amplitude * self.sample(at.map(|x| x * frequency));
            norm += amplitude;
            frequency *= 2.0;
            amplitude *= persistence;
        }
        sum / norm
    }

    /// The noise around 0, in [-1, 1], with its slopes.
    pub(crate) fn jet<const D: usize>(&self, at: [f64; D]) -> Jet<D> {
        let (value, gradient) = self.centred(at);
        // On a line the slopes reach ±1, so the noise reaches ±½.
        let scale = if D == 1 { 2.0 } else { 1.0 / (D as f64 * 0.5) };
        Jet { value: (value * scale) as f32, gradient: gradient.map(|slope| (slope * scale) as f32) }
    }

    fn centred<const D: usize>(&self, at: [f64; D]) -> (f64, [f64; D]) {
        if D == 0 || D > 3 {
            return (0.0, [0.0; D]);
        }
        // As everywhere else, NaN is treated as a position.
        let at = at.map(|x| if x.is_finite() { x } else { 0.0 });
        // As the original does, so that values agree bit for bit: fold into one period first.
        let folded = at.map(|x| if x >= 0.0 { x % 256.0 } else { 256.0 - x.abs() % 256.0 });
        let cells = folded.map(libm::floor);
        let f: [f64; D] = std::array::from_fn(|axis| folded[axis] - cells[axis]);
        let weight = f.map(|t| t * t * t * (t * (t * 6.0 - 15.0) + 10.0));
        let slope = f.map(|t| 30.0 * t * t * (t * (t - 2.0) + 1.0));
        let corner = |which: usize| {
            let near: [i64; D] = std::array::from_fn(|axis| cells[axis] as i64 + (which >> axis & 1) as i64);
            let hash = self.0.look_up(&near);
            let gradient: [f64; D] = std::array::from_fn(|axis| match D {
                1 => f64::from(hash) / 256.0 * 2.0 - 1.0,
                _ if hash >> axis & 1 == 1 => -1.0,
                _ => 1.0,
            });
            let mut value = 0.0;
            for axis in 0..D {
                value += gradient[axis] * (f[axis] - (which >> axis & 1) as f64);
            }
            (value, gradient)
        };
        // Along the first axis first, like the original.
        let mut ends: [(f64, [f64; D]); 8] = [(0.0, [0.0; D]); 8];
        for (which, end) in ends.iter_mut().enumerate().take(1 << D) {
            *end = corner(which);
        }
        for axis in 0..D {
            for pair in 0..1 << (D - axis - 1) {
                let (near, far) = (ends[2 * pair], ends[2 * pair + 1]);
                let u = weight[axis];
                let mix = |a: f64, b: f64| (1.0 - u) * a + u * b;
                let mut gradient: [f64; D] = std::array::from_fn(|along| mix(near.1[along], far.1[along]));
                gradient[axis] += slope[axis] * (far.0 - near.0);
                ends[pair] = (mix(near.0, far.0), gradient);
            }
        }
        ends[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        let noise = ClassicPerlin::new(Permutation::classic(123_456));
        let near = |value: f64, expected: f64| {
            assert!((value - expected).abs() < 1e-15, "{value} {expected}");
        };
        assert!((noise.sample([0.16]) - 0.663_825_479_552).abs() < 1e-12);
        near(noise.sample([-1.75]), 0.449_829_101_562_5);
        near(noise.octaves([3.25], 4, 0.5), 0.424_550_374_348_958_3);
        near(noise.sample([3.25, 7.75]), 0.964_315_414_428_710_9);
        near(noise.octaves([100.1, 200.2], 6, 0.5), 0.726_547_351_161_889_8);
        near(ClassicPerlin::new(Permutation::classic(1)).sample([-1.75, 2.5]), 1.224_121_093_75);
    }
}
