//! Fades: how a fraction between two lattice points becomes a weight.

use serde::{Deserialize, Serialize};

/// The curve from one lattice point to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
