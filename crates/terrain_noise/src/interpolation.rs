//! Fades: how a fraction between two lattice points becomes a weight.

use serde::{Deserialize, Serialize};

/// The curve from one lattice point to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub enum Fade {
    /// `t`. Creases at every lattice line.
    Linear,
    /// `(1 − cos πt) / 2`, the cosine from `libm` so that every machine gives the same bits.
    Cosine,
    /// `3t² − 2t³`: continuous slope.
    Smoothstep,
    /// `6t⁵ − 15t⁴ + 10t³`: continuous slope and curvature (Perlin 2002).
    #[default]
    Quintic,
}

impl Fade {
    /// The weight of the far lattice point at fraction `t` in 0 ..= 1.
    ///
    /// ```
    /// use terrain_noise::Fade;
    /// assert_eq!(Fade::Quintic.weight(0.5), 0.5);
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn weight(self, t: f32) -> f32 {
        match self {
            Self::Linear => t,
            Self::Cosine => (0.5 - 0.5 * libm::cos(std::f64::consts::PI * f64::from(t))) as f32,
            Self::Smoothstep => t * t * (3.0 - 2.0 * t),
            Self::Quintic => t * t * t * (t * (t * 6.0 - 15.0) + 10.0),
        }
    }

    /// The derivative of [`weight`](Self::weight).
    #[must_use]
    #[inline(always)]
    pub fn slope(self, t: f32) -> f32 {
        match self {
            Self::Linear => 1.0,
            Self::Cosine => {
                let pi = std::f64::consts::PI;
                (0.5 * pi * libm::sin(pi * f64::from(t))) as f32
            }
            Self::Smoothstep => 6.0 * t * (1.0 - t),
            Self::Quintic => 30.0 * t * t * (t * (t - 2.0) + 1.0),
        }
    }
}

/// A curve through four neighbouring lattice values, at -1, 0, 1 and 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub enum Cubic {
    /// The polynomial through all four: continuous, with creases at lattice points.
    Lagrange,
    /// Elias' cubic (1998): overshoots most.
    Elias,
    /// Catmull and Rom's spline (1974): continuous slope.
    #[default]
    CatmullRom,
}

impl Cubic {
    /// Coefficients `[a3, a2, a1]` for the four values; `a0` is the second value.
    #[inline(always)]
    pub(crate) const fn coefficients(self) -> [[f32; 4]; 3] {
        match self {
            Self::Lagrange => {
                [[-1.0 / 6.0, 0.5, -0.5, 1.0 / 6.0], [0.5, -1.0, 0.5, 0.0], [-1.0 / 3.0, -0.5, 1.0, -1.0 / 6.0]]
            }
            Self::Elias => [[-1.0, 1.0, -1.0, 1.0], [2.0, -2.0, 1.0, -1.0], [-1.0, 0.0, 1.0, 0.0]],
            Self::CatmullRom => [[-0.5, 1.5, -1.5, 0.5], [1.0, -2.5, 2.0, -0.5], [-0.5, 0.0, 0.5, 0.0]],
        }
    }

    /// The weights of the four values at fraction `t` between the second and the third.
    ///
    /// ```
    /// use terrain_noise::Cubic;
    /// assert_eq!(Cubic::CatmullRom.weights(0.0), [0.0, 1.0, 0.0, 0.0]);
    /// ```
    #[must_use]
    pub fn weights(self, t: f32) -> [f32; 4] {
        let coefficients = self.coefficients();
        std::array::from_fn(|i| Self::weight(&coefficients, i, t))
    }

    /// The derivatives of [`weights`](Self::weights).
    #[must_use]
    pub fn slopes(self, t: f32) -> [f32; 4] {
        let coefficients = self.coefficients();
        std::array::from_fn(|i| Self::slope(&coefficients, i, t))
    }

    /// One of the weights, from the coefficients.
    #[inline(always)]
    pub(crate) fn weight([a3, a2, a1]: &[[f32; 4]; 3], i: usize, t: f32) -> f32 {
        ((a3[i] * t + a2[i]) * t + a1[i]) * t + if i == 1 { 1.0 } else { 0.0 }
    }

    /// One of the slopes, from the coefficients.
    #[inline(always)]
    pub(crate) fn slope([a3, a2, a1]: &[[f32; 4]; 3], i: usize, t: f32) -> f32 {
        (3.0 * a3[i] * t + 2.0 * a2[i]) * t + a1[i]
    }

    /// The largest magnitude the curve can reach over values in [-1, 1]: half-way, for all three.
    #[must_use]
    pub const fn overshoot(self) -> f32 {
        match self {
            Self::Lagrange | Self::CatmullRom => 1.25,
            Self::Elias => 1.5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fades_run_from_0_to_1_and_know_their_slope() {
        for fade in [Fade::Linear, Fade::Cosine, Fade::Smoothstep, Fade::Quintic] {
            assert_eq!((fade.weight(0.0), fade.weight(0.5), fade.weight(1.0)), (0.0, 0.5, 1.0), "{fade:?}");
            for i in 1..100 {
                let t = i as f32 / 100.0;
                let slope = (fade.weight(t + 1e-3) - fade.weight(t - 1e-3)) / 2e-3;
                assert!((slope - fade.slope(t)).abs() < 1e-3, "{fade:?} {t}");
            }
        }
        assert_eq!(Fade::Quintic.slope(0.0), 0.0);
        assert_eq!(Fade::Quintic.slope(1.0), 0.0);
    }

    #[test]
    fn cubics_meet_their_points_and_overshoot_as_told() {
        for cubic in [Cubic::Lagrange, Cubic::Elias, Cubic::CatmullRom] {
            let mut most = 0.0f32;
            for i in 0..=1000 {
                let t = i as f32 / 1000.0;
                let weights = cubic.weights(t);
                assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{cubic:?} keeps constants");
                most = most.max(weights.iter().map(|w| w.abs()).sum());
                let (low, high, slopes) = (cubic.weights(t - 1e-2), cubic.weights(t + 1e-2), cubic.slopes(t));
                for k in 0..4 {
                    assert!(((high[k] - low[k]) / 2e-2 - slopes[k]).abs() < 1e-3, "{cubic:?} {t}");
                }
            }
            assert!((most - cubic.overshoot()).abs() < 1e-5, "{cubic:?} {most}");
            for (end, expected) in [(0.0, [0.0, 1.0, 0.0, 0.0]), (1.0, [0.0, 0.0, 1.0, 0.0])] {
                let weights = cubic.weights(end);
                assert!(weights.iter().zip(expected).all(|(a, b): (&f32, f32)| (a - b).abs() < 1e-6), "{cubic:?}");
            }
        }
        // A straight line stays one through Lagrange's and Catmull and Rom's curves.
        for cubic in [Cubic::Lagrange, Cubic::CatmullRom] {
            let line: f32 = cubic.weights(0.3).iter().zip([-1.0, 0.0, 1.0, 2.0]).map(|(w, y)| w * y).sum();
            assert!((line - 0.3).abs() < 1e-6);
        }
    }
}
