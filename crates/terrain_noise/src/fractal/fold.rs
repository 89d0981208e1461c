//! The fold that ridged octaves have in common: the absolute value, sharp or rounded off.
//!
//! A crease is finer than any mesh: a mesh cuts its corners, and a crest that runs askew to the grid shows
//! teeth as high as it falls over half a sample. What samples can show is the mean around each of them.
//! The mean of `|n|` over `n ± reach` is a parabola within reach of the crease and `|n|` itself elsewhere.

use crate::real::Real;

/// One way to fold a number at 0.
pub(crate) trait Fold: Copy {
    fn apply<R: Real>(self, value: R) -> R;
}

/// The absolute value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sharp;

impl Fold for Sharp {
    #[inline(always)]
    fn apply<R: Real>(self, value: R) -> R {
        value.abs()
    }
}

/// The absolute value, averaged. With a reach of 0 its bits are those of [`Sharp`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Round {
    reach: f32,
    /// `½ / reach`.
    bend: f32,
}

impl Round {
    /// For an octave of `frequency` cells per metre, sampled every `footprint` metres; `samples` is the reach.
    /// Where noise is 0, it rises by about 1 per cell.
    #[inline(always)]
    pub fn new(samples: f64, frequency: f64, footprint: f64) -> Self {
        let reach = samples * frequency * footprint;
        // A smaller reach would change nothing but the bits, a larger one the bounds of the noise.
        if reach > 1e-6 {
            let reach = reach.min(1.0) as f32;
            Self { reach, bend: 0.5 / reach }
        } else {
            Self::default()
        }
    }

    pub fn is_sharp(self) -> bool {
        self.reach == 0.0
    }
}

impl Fold for Round {
    #[inline(always)]
    fn apply<R: Real>(self, value: R) -> R {
        let size = value.abs();
        let within = (size * -1.0 + self.reach).max(R::constant(0.0));
        size + within.squared() * self.bend
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_is_the_mean_of_sharp() {
        let fold = Round::new(2.0, 0.01, 10.0);
        for i in -100..=100 {
            let n = i as f32 * 0.005;
            let mean =
                (0..2000).map(|k| f64::from((n + 0.2 * (k as f32 - 999.5) / 1000.0).abs())).sum::<f64>() / 2000.0;
            assert!((f64::from(fold.apply(n)) - mean).abs() < 1e-5, "{n}: {} {mean}", fold.apply(n));
        }
    }

    #[test]
    fn without_reach_it_is_sharp() {
        for fold in [Round::new(0.0, 1.0, 1.0), Round::new(1.0, 1.0, 0.0), Round::new(1.0, 1.0, f64::NAN)] {
            for n in [0.0, -0.0, 1e-40, -1e-20, 0.3, -1.0f32] {
                assert_eq!(fold.apply(n).to_bits(), Sharp.apply(n).to_bits(), "{n}");
            }
        }
        // And never leaves what a noise can reach.
        for n in [0.0, 0.5, 1.0, -1.0f32] {
            assert!((0.0..=1.0).contains(&Round::new(8.0, 1e3, 1e9).apply(n)));
        }
    }
}
