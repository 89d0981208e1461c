//! Building a tree by methods.

mod sources;

pub use sources::{cellular, classic_perlin, constant, cubic_value, dunes, perlin, simplex, smoothed_value, value};

use crate::mapping::CurveEnds;
use crate::noise::{
    Abs, Add, AddAbove, Affine, Bias, Blend, Clamp, Curve, Gain, Gullies, Max, Min, Mul, Noise, Operand, Power, Range,
    Shore, SmoothMax, SmoothMin, Strata, Swirl, Terrace, Transform, Warp,
};

/// The methods by which nodes grow into a tree. Everything that is a noise has them.
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
        Affine { factor, offset: 0.0, source: Operand::new(self) }.into()
    }
    /// `self + offset`.
    #[must_use]
    fn offset(self, offset: f64) -> Noise {
        Affine { factor: 1.0, offset, source: Operand::new(self) }.into()
    }
    /// Maps the bounds to `min ..= max`.
    #[must_use]
    fn range(self, min: f64, max: f64) -> Noise {
        Range { min, max, source: Operand::new(self) }.into()
    }
    /// Cuts off what leaves `min ..= max`.
    #[must_use]
    fn clamp(self, min: f64, max: f64) -> Noise {
        Clamp { min, max, source: Operand::new(self) }.into()
    }
    /// The absolute value.
    #[must_use]
    fn abs(self) -> Noise {
        Abs { source: Operand::new(self) }.into()
    }
    /// Perlin's bias over the bounds; 0.5 changes nothing.
    #[must_use]
    fn bias(self, amount: f64) -> Noise {
        Bias { amount, source: Operand::new(self) }.into()
    }
    /// Perlin's gain over the bounds; 0.5 changes nothing.
    #[must_use]
    fn gain(self, amount: f64) -> Noise {
        Gain { amount, source: Operand::new(self) }.into()
    }
    /// A power of the fraction of the bounds.
    #[must_use]
    fn power(self, exponent: f64) -> Noise {
        Power { exponent, source: Operand::new(self) }.into()
    }
    /// Steps of equal height.
    #[must_use]
    fn terrace(self, step: f64, sharpness: f64) -> Noise {
        Terrace { step, sharpness, source: Operand::new(self) }.into()
    }
    /// Maps heights through a curve of (height, new height) points; beyond the ends it is level.
    #[must_use]
    fn curve(self, points: impl Into<Vec<[f64; 2]>>) -> Noise {
        Curve { points: points.into(), ends: CurveEnds::Level, source: Operand::new(self) }.into()
    }
    /// As [`curve`](Self::curve), but beyond its ends it goes straight on: two points make a line.
    #[must_use]
    fn through(self, points: impl Into<Vec<[f64; 2]>>) -> Noise {
        Curve { points: points.into(), ends: CurveEnds::Straight, source: Operand::new(self) }.into()
    }
    /// Scales heights above the water by `above` and depths below it by `below`.
    #[must_use]
    fn shore(self, level: f64, above: f64, below: f64) -> Noise {
        Shore { level, above, below, source: Operand::new(self) }.into()
    }
    /// Turns the place about the origin: `degrees` per unit of another noise. Not for endless ground.
    #[must_use]
    fn swirl(self, by: impl Into<Noise>, degrees: f64) -> Noise {
        Swirl { angle: degrees, source: Operand::new(self), by: Operand::new(by) }.into()
    }
    /// Displaces the place where this noise is looked up by another: `amount` metres per unit.
    #[must_use]
    fn warp(self, by: impl Into<Noise>, amount: f64) -> Noise {
        Warp { amount, source: Operand::new(self), by: Operand::new(by) }.into()
    }
    /// Makes features `factor` times as large.
    #[must_use]
    fn enlarge(self, factor: f64) -> Noise {
        let source = Operand::new(self);
        Transform { scale_x: factor, scale_y: factor, scale_z: factor, ..transform(source) }.into()
    }
    /// Stretches features along x and along z.
    #[must_use]
    fn stretch(self, x: f64, z: f64) -> Noise {
        Transform { scale_x: x, scale_z: z, ..transform(Operand::new(self)) }.into()
    }
    /// Turns the noise about the vertical.
    #[must_use]
    fn rotate(self, degrees: f64) -> Noise {
        Transform { rotation: degrees, ..transform(Operand::new(self)) }.into()
    }
    /// Moves the noise by metres along x and z.
    #[must_use]
    fn translate(self, x: f64, z: f64) -> Noise {
        Transform { move_x: x, move_z: z, ..transform(Operand::new(self)) }.into()
    }
    /// The sum.
    #[must_use]
    fn add(self, other: impl Into<Noise>) -> Noise {
        Add { a: Operand::new(self), b: Operand::new(other) }.into()
    }
    /// The product.
    #[must_use]
    fn mul(self, other: impl Into<Noise>) -> Noise {
        Mul { a: Operand::new(self), b: Operand::new(other) }.into()
    }
    /// Steps in layers of rock of different hardness, lifted by another noise.
    #[must_use]
    fn strata(self, step: f64, sharpness: f64, lift: impl Into<Noise>) -> Noise {
        let (source, lift) = (Operand::new(self), Operand::new(lift));
        Strata { step, sharpness, variety: 0.7, seed: 0, source, lift }.into()
    }
    /// Gullies so deep and so far apart, in metres, down the slopes of this land. See [`Gullies`] for
    /// what else they have.
    ///
    /// ```
    /// use terrain_noise::{Noise, prelude::*};
    /// let range = perlin().ridged().octaves(3).feature_size(4000.0).scale(700.0);
    /// let mut eroded = range.gullies(90.0, 600.0);
    /// if let Noise::Gullies(gullies) = &mut eroded {
    ///     gullies.octaves = 4;
    /// }
    /// assert!(eroded.build(1)?.sample([120.0, 4.0]).is_finite());
    /// # Ok::<(), NoiseError>(())
    /// ```
    #[must_use]
    fn gullies(self, depth: f64, feature_size: f64) -> Noise {
        Gullies { depth, feature_size, ..gullies(Operand::new(self)) }.into()
    }
    /// The sum, where this noise is above `high`; this noise alone where it is below `low`.
    #[must_use]
    fn add_above(self, other: impl Into<Noise>, low: f64, high: f64) -> Noise {
        AddAbove { low, high, a: Operand::new(self), b: Operand::new(other) }.into()
    }
    /// The lower of the two.
    #[must_use]
    fn min(self, other: impl Into<Noise>) -> Noise {
        Min { a: Operand::new(self), b: Operand::new(other) }.into()
    }
    /// The higher of the two.
    #[must_use]
    fn max(self, other: impl Into<Noise>) -> Noise {
        Max { a: Operand::new(self), b: Operand::new(other) }.into()
    }
    /// The lower of the two, rounded off where they differ by less than `radius`.
    #[must_use]
    fn smooth_min(self, other: impl Into<Noise>, radius: f64) -> Noise {
        SmoothMin { radius, a: Operand::new(self), b: Operand::new(other) }.into()
    }
    /// The higher of the two, rounded off where they differ by less than `radius`.
    #[must_use]
    fn smooth_max(self, other: impl Into<Noise>, radius: f64) -> Noise {
        SmoothMax { radius, a: Operand::new(self), b: Operand::new(other) }.into()
    }
    /// Rounds off the creases of all ridged octaves and gullies in this noise over so many samples, as
    /// meshes need it: a crest of no width that runs askew to a mesh becomes a saw.
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let range = perlin().ridged().feature_size(900.0).scale(300.0).gullies(30.0, 200.0);
    /// let rounded = range.clone().rounded(1.5);
    /// assert_eq!(rounded.name(), "Gullies");
    /// assert_ne!(rounded, range);
    /// ```
    #[must_use]
    fn rounded(self, samples: f64) -> Noise {
        let mut noise: Noise = self.into();
        let mut open = vec![&mut noise];
        while let Some(node) = open.pop() {
            match node {
                Noise::Fractal(node) => node.rounding = samples,
                Noise::Damped(node) => node.rounding = samples,
                Noise::Gullies(node) => node.rounding = samples,
                _ => {}
            }
            open.extend(node.operands_mut().into_iter().map(|(_, operand)| operand));
        }
        noise
    }
    /// This noise where the mask is 0, `other` where it is 1.
    #[must_use]
    fn blend(self, other: impl Into<Noise>, mask: impl Into<Noise>) -> Noise {
        Blend { a: Operand::new(self), b: Operand::new(other), mask: Operand::new(mask) }.into()
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

/// Gullies on a range of mountains.
fn gullies(source: Operand) -> Gullies {
    Gullies {
        depth: 60.0,
        feature_size: 500.0,
        octaves: 5,
        lacunarity: 2.0,
        persistence: 0.5,
        slope: 0.5,
        branching: 0.5,
        sharpness: 0.5,
        rounding: 0.0,
        low: 0.0,
        high: 1000.0,
        seed: 0,
        source,
    }
}

/// The transformation that changes nothing.
fn transform(source: Operand) -> Transform {
    Transform { scale_x: 1.0, scale_y: 1.0, scale_z: 1.0, rotation: 0.0, move_x: 0.0, move_y: 0.0, move_z: 0.0, source }
}
