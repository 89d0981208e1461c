//! Building a tree by methods.

mod sources;

pub use sources::{cellular, classic_perlin, constant, cubic_value, dunes, perlin, simplex, smoothed_value, value};

use crate::mapping::CurveEnds;
use crate::noise::{
    Abs, Add, AddAbove, Affine, Bias, Blend, Clamp, Curve, FixedSeed, Gain, Gullies, Max, Min, Mul, Noise, Power,
    Range, Shore, SmoothMax, SmoothMin, Strata, Swirl, Terrace, Transform, Warp,
};
use crate::params::ParamMut;

/// The methods that build a tree of nodes. Everything that is a noise has them.
///
/// A method that leaves parameters at their defaults returns the node itself, whose setters change them;
/// every other returns a [`Noise`].
///
/// ```
/// use terrain_noise::prelude::*;
/// let plains = perlin().fbm().feature_size(900.0).scale(20.0);
/// let peaks = perlin().ridged_multifractal().octaves(9).feature_size(1800.0).scale(450.0);
/// let where_peaks = simplex().feature_size(6000.0).range(-1.0, 2.0);
/// let world = plains.blend(peaks, where_peaks).warp(perlin().feature_size(700.0), 60.0);
/// assert!(world.validate().is_ok());
/// ```
pub trait Compose: Into<Noise> + Sized {
    /// `factor · self`.
    #[must_use]
    fn scale(self, factor: f64) -> Noise {
        Affine::new(self).factor(factor).into()
    }
    /// `self + offset`.
    #[must_use]
    fn offset(self, offset: f64) -> Noise {
        Affine::new(self).with_offset(offset).into()
    }
    /// Maps the bounds of this noise to `min ..= max`.
    #[must_use]
    fn range(self, min: f64, max: f64) -> Noise {
        Range::new(self).with_min(min).with_max(max).into()
    }
    /// Limits values to `min ..= max`.
    #[must_use]
    fn clamp(self, min: f64, max: f64) -> Noise {
        Clamp::new(self).with_min(min).with_max(max).into()
    }
    /// The absolute value.
    #[must_use]
    fn abs(self) -> Noise {
        Abs::new(self).into()
    }
    /// Perlin's bias between the bounds; 0.5 changes nothing.
    #[must_use]
    fn bias(self, amount: f64) -> Noise {
        Bias::new(self).amount(amount).into()
    }
    /// Perlin's gain between the bounds; 0.5 changes nothing.
    #[must_use]
    fn gain(self, amount: f64) -> Noise {
        Gain::new(self).amount(amount).into()
    }
    /// A power of the value, as a fraction of the way between the bounds.
    #[must_use]
    fn power(self, exponent: f64) -> Noise {
        Power::new(self).exponent(exponent).into()
    }
    /// Steps of equal height, in the unit of this noise; `sharpness` is 0 to 1.
    #[must_use]
    fn terrace(self, step: f64, sharpness: f64) -> Noise {
        Terrace::new(self).step(step).sharpness(sharpness).into()
    }
    /// Maps heights through a curve of (height, new height) points; beyond the ends it is level.
    #[must_use]
    fn curve(self, points: impl Into<Vec<[f64; 2]>>) -> Noise {
        Curve::new(self).points(points.into()).into()
    }
    /// As [`curve`](Self::curve), but beyond the ends it continues straight: two points make a line.
    #[must_use]
    fn through(self, points: impl Into<Vec<[f64; 2]>>) -> Noise {
        Curve::new(self).points(points.into()).ends(CurveEnds::Straight).into()
    }
    /// Scales heights above the water by `above` and depths below it by `below`.
    #[must_use]
    fn shore(self, level: f64, above: f64, below: f64) -> Noise {
        Shore::new(self).level(level).above(above).below(below).into()
    }
    /// Rotates the position about the origin by `degrees` per unit of another noise. Not for endless ground.
    #[must_use]
    fn swirl(self, by: impl Into<Noise>, degrees: f64) -> Noise {
        Swirl::new(self, by).angle(degrees).into()
    }
    /// Samples this noise at a position displaced by another: `amount` metres per unit.
    #[must_use]
    fn warp(self, by: impl Into<Noise>, amount: f64) -> Noise {
        Warp::new(self, by).amount(amount).into()
    }
    /// Makes features `factor` times as large.
    #[must_use]
    fn enlarge(self, factor: f64) -> Noise {
        Transform::new(self).scale_x(factor).scale_y(factor).scale_z(factor).into()
    }
    /// Stretches features along x and along z.
    #[must_use]
    fn stretch(self, x: f64, z: f64) -> Noise {
        Transform::new(self).scale_x(x).scale_z(z).into()
    }
    /// Rotates the noise about the vertical.
    #[must_use]
    fn rotate(self, degrees: f64) -> Noise {
        Transform::new(self).rotation(degrees).into()
    }
    /// Moves the noise along x and z, in metres.
    #[must_use]
    fn translate(self, x: f64, z: f64) -> Noise {
        Transform::new(self).move_x(x).move_z(z).into()
    }
    /// This noise as a world with this seed has it, whatever it is built with.
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let continents = || perlin().fbm().feature_size(9_000.0).fixed_seed(7);
    /// let [one, other] = [1, 2].map(|seed| continents().build(seed));
    /// assert_eq!(one?.sample([80.0, -20.0]), other?.sample([80.0, -20.0]));
    /// # Ok::<(), NoiseError>(())
    /// ```
    #[must_use]
    fn fixed_seed(self, seed: u64) -> Noise {
        FixedSeed::new(self).seed(seed).into()
    }
    /// The sum.
    #[must_use]
    fn add(self, other: impl Into<Noise>) -> Noise {
        Add::new(self, other).into()
    }
    /// The product.
    #[must_use]
    fn mul(self, other: impl Into<Noise>) -> Noise {
        Mul::new(self, other).into()
    }
    /// Steps in layers of rock of different hardness, lifted by another noise. The setters of [`Strata`]
    /// change the rest.
    #[must_use]
    fn strata(self, step: f64, sharpness: f64, lift: impl Into<Noise>) -> Strata {
        Strata::new(self, lift).step(step).sharpness(sharpness)
    }
    /// Gullies of a depth and a distance in metres, down the slopes of this land. The setters of
    /// [`Gullies`] change the rest.
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let range = perlin().ridged().octaves(3).feature_size(4000.0).scale(700.0);
    /// let eroded = range.gullies(90.0, 600.0).octaves(4).sharpness(0.2).offset(100.0);
    /// assert!(eroded.build(1)?.sample([120.0, 4.0]).is_finite());
    /// # Ok::<(), NoiseError>(())
    /// ```
    #[must_use]
    fn gullies(self, depth: f64, feature_size: f64) -> Gullies {
        Gullies::new(self).depth(depth).feature_size(feature_size)
    }
    /// The sum where this noise is above `high`, this noise alone where it is below `low`, a blend between.
    #[must_use]
    fn add_above(self, other: impl Into<Noise>, low: f64, high: f64) -> Noise {
        AddAbove::new(self, other).low(low).high(high).into()
    }
    /// The lower of the two.
    #[must_use]
    fn min(self, other: impl Into<Noise>) -> Noise {
        Min::new(self, other).into()
    }
    /// The higher of the two.
    #[must_use]
    fn max(self, other: impl Into<Noise>) -> Noise {
        Max::new(self, other).into()
    }
    /// The lower of the two, rounded off where they differ by less than `radius`.
    #[must_use]
    fn smooth_min(self, other: impl Into<Noise>, radius: f64) -> Noise {
        SmoothMin::new(self, other).radius(radius).into()
    }
    /// The higher of the two, rounded off where they differ by less than `radius`.
    #[must_use]
    fn smooth_max(self, other: impl Into<Noise>, radius: f64) -> Noise {
        SmoothMax::new(self, other).radius(radius).into()
    }
    /// Rounds off the creases of all ridged octaves and gullies in this noise over this many samples. Meshes
    /// need it: a sharp crest that runs askew to a mesh becomes a saw. Single points, which have no
    /// neighbouring samples, still see sharp creases.
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let range = perlin().ridged().feature_size(900.0).scale(300.0);
    /// let rounded = perlin().ridged().rounding(1.5).feature_size(900.0).scale(300.0);
    /// assert_eq!(range.gullies(30.0, 200.0).rounded(1.5), rounded.gullies(30.0, 200.0).rounding(1.5).into());
    /// ```
    #[must_use]
    fn rounded(self, samples: f64) -> Noise {
        let mut noise: Noise = self.into();
        let mut open = vec![&mut noise];
        while let Some(node) = open.pop() {
            node.edit_params(|info, param| {
                if let ("rounding", ParamMut::Number(rounding)) = (info.name, param) {
                    *rounding = samples;
                }
            });
            open.extend(node.operands_mut().into_iter().map(|(_, operand)| operand));
        }
        noise
    }
    /// This noise where the mask is 0, `other` where it is 1.
    #[must_use]
    fn blend(self, other: impl Into<Noise>, mask: impl Into<Noise>) -> Noise {
        Blend::new(self, other, mask).into()
    }
    /// Checks and compiles the tree. See [`Noise::build`].
    ///
    /// # Errors
    /// The first field that is not allowed, by its path.
    fn build(&self, seed: u64) -> Result<crate::Sampler, crate::NoiseError>
    where
        Self: Clone,
    {
        Noise::build(&self.clone().into(), seed)
    }
}

impl<T: Into<Noise>> Compose for T {}
