//! Normal and curvature of a vertex, packed in four bytes.

use bytemuck::{Pod, Zeroable};

/// Quantisation steps of a normal's x and z on either side of zero.
const NORMAL_STEPS: f32 = 2047.0;
/// Quantisation steps of the curvature on either side of zero.
const CURVATURE_STEPS: f32 = 127.0;

/// A unit normal, with 12 bits each for x and z, and a curvature of 8 bits. The normal's y follows from x and z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Shade(pub u32);

impl Shade {
    /// Packs the normal of a surface with gradient (∂x, ∂z), and its curvature, clamped to [−1, 1].
    #[inline(always)]
    pub fn new(gradient: [f32; 2], curvature: f32) -> Self {
        let [x, z] = horizontal_normal(gradient);
        let [x, z] = [signed(x, NORMAL_STEPS) & 0xFFF, signed(z, NORMAL_STEPS) & 0xFFF];
        Self(x | z << 12 | signed(curvature, CURVATURE_STEPS) << 24)
    }

    /// x and z of the unit normal.
    pub fn horizontal(self) -> [f32; 2] {
        [self.0 << 20, self.0 << 8].map(|bits| (bits as i32 >> 20) as f32 / NORMAL_STEPS)
    }

    /// The sum of the four slopes away from the vertex: positive in hollows, negative on crests.
    pub fn curvature(self) -> f32 {
        (self.0 as i32 >> 24) as f32 / CURVATURE_STEPS
    }
}

/// x and z of the unit normal of a surface with gradient (∂x, ∂z).
#[inline(always)]
pub fn horizontal_normal([dx, dz]: [f32; 2]) -> [f32; 2] {
    let length = (1.0 + dx * dx + dz * dz).sqrt();
    [-dx / length, -dz / length]
}

/// `value`, clamped to [−1, 1], in `steps`: the nearest whole number, ties to even, in the lowest 22 bits as two's
/// complement. What is above them is to be masked or shifted out. NaN gives 0.
#[inline(always)]
pub fn signed(value: f32, steps: f32) -> u32 {
    /// 1.5 · 2²³: numbers of this size have no fraction, so that adding it rounds. A conversion to an integer does the
    /// same, but the compiler does not turn it into vector instructions.
    const ROUND: f32 = 12_582_912.0;
    let value = if value.is_nan() { 0.0 } else { value };
    let value = if value < -1.0 { -1.0 } else { value };
    let value = if value > 1.0 { 1.0 } else { value };
    (value * steps + ROUND).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_values_are_restored() {
        for (gradient, curvature) in
            [([0.0, 0.0], 0.0), ([0.75, -1.0], 0.5), ([-3.0, 0.2], -1.0), ([1e6, 0.0], 1.0), ([0.01, -0.02], -0.02)]
        {
            let shade = Shade::new(gradient, curvature);
            for (found, expected) in shade.horizontal().into_iter().zip(horizontal_normal(gradient)) {
                assert!((found - expected).abs() <= 0.5 / NORMAL_STEPS + 1e-6);
            }
            assert!((shade.curvature() - curvature).abs() <= 0.5 / CURVATURE_STEPS + 1e-6);
        }
    }

    #[test]
    fn a_level_plane_is_zero() {
        assert_eq!(Shade::new([0.0, -0.0], 0.0), Shade::default());
    }
}
