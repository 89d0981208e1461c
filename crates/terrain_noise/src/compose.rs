//! Building a tree by methods.

use crate::basis::Basis;
use crate::basis::cellular::CellOutput;
use crate::fractal::FractalKind;
use crate::interpolation::{Cubic, Fade};
use crate::lattice::Lattice;
use crate::mapping::CurveEnds;
use crate::noise::{
    Abs, Add, AddAbove, Affine, Bias, Blend, Clamp, Curve, Damped, Dunes, Fractal, Gain, Gullies, Max, Min, Mul, Noise,
    Operand, Power, Range, Shore, Single, SmoothMax, SmoothMin, Strata, Swirl, Terrace, Transform, Warp,
};

/// Perlin noise: smooth hills of one size, in -1 ..= 1.
///
/// ```
/// use terrain_noise::prelude::*;
/// let hills = perlin().feature_size(250.0).build(7)?;
/// assert!(hills.sample([100.0, 30.0]).abs() <= 1.0);
/// # Ok::<(), NoiseError>(())
/// ```
#[must_use]
pub fn perlin() -> Single {
    Single { basis: Basis::default(), ..Single::default() }
}

/// Value noise: random heights on a square lattice, interpolated, in -1 ..= 1.
#[must_use]
pub fn value() -> Single {
    Single { basis: Basis::Value { fade: Fade::Quintic, lattice: Lattice::Hashed }, ..Single::default() }
}

/// Value noise from averaged lattice values (Elias): softer.
#[must_use]
pub fn smoothed_value() -> Single {
    Single { basis: Basis::SmoothedValue { fade: Fade::Quintic, lattice: Lattice::Hashed }, ..Single::default() }
}

/// Value noise through four lattice points an axis.
#[must_use]
pub fn cubic_value(cubic: Cubic) -> Single {
    Single { basis: Basis::CubicValue { cubic, lattice: Lattice::Hashed }, ..Single::default() }
}

/// Perlin noise from the table of 256 values that blogs use.
#[must_use]
pub fn classic_perlin() -> Single {
    Single { basis: Basis::ClassicPerlin, ..Single::default() }
}

/// Cellular noise: distances to scattered points, in -1 ..= 1.
#[must_use]
pub fn cellular(output: CellOutput) -> Single {
    Single { basis: Basis::Cellular { output, jitter: 1.0 }, ..Single::default() }
}

/// Simplex noise: like Perlin noise, on a lattice of triangles, in -1 ..= 1.
#[must_use]
pub fn simplex() -> Single {
    Single { basis: Basis::Simplex, ..Single::default() }
}

/// Dunes from 0 to 1, so far apart in metres.
///
/// ```
/// use terrain_noise::prelude::*;
/// let desert = dunes(220.0).warp(perlin().feature_size(700.0), 90.0).scale(30.0).build(7)?;
/// assert!((0.0..=30.0).contains(&desert.sample([100.0, 30.0])));
/// # Ok::<(), NoiseError>(())
/// ```
#[must_use]
pub fn dunes(metres: f64) -> Dunes {
    Dunes { feature_size: metres, ..Dunes::default() }
}

/// The same value everywhere.
#[must_use]
pub fn constant(value: f64) -> Noise {
    value.into()
}

impl Single {
    /// Sets the wavelength in metres.
    #[must_use]
    pub fn feature_size(self, metres: f64) -> Self {
        Self { feature_size: metres, ..self }
    }
    /// Sets the curve between lattice points, if the basis has one.
    #[must_use]
    pub fn fade(self, fade: Fade) -> Self {
        Self { basis: self.basis.with_fade(fade), ..self }
    }
    /// Sets where the random values come from, if the basis has a choice.
    #[must_use]
    pub fn lattice(self, lattice: Lattice) -> Self {
        Self { basis: self.basis.with_lattice(lattice), ..self }
    }
    /// Repeats the noise along x and z after so many cells of the first octave; 0 for never.
    #[must_use]
    pub fn period(self, x: u32, z: u32) -> Self {
        Self { period_x: x, period_z: z, ..self }
    }
    /// Repeats the noise along x, y and z after so many cells of the first octave; 0 for never.
    #[must_use]
    pub fn period_3d(self, [x, y, z]: [u32; 3]) -> Self {
        Self { period_x: x, period_y: y, period_z: z, ..self }
    }
    /// Tells this noise from others of the same tree.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
    fn fractal(self, kind: FractalKind, offset: f64, gain: f64) -> Fractal {
        let Self { basis, feature_size, period_x, period_y, period_z, seed } = self;
        let fractal = Fractal { basis, kind, feature_size, seed, offset, gain, ..Fractal::default() };
        Fractal { period_x, period_y, period_z, ..fractal }
    }
    /// Fractional Brownian motion: `Σ a·n`.
    #[must_use]
    pub fn fbm(self) -> Fractal {
        self.fractal(FractalKind::Fbm, 1.0, 2.0)
    }
    /// Octaves that fade where the sum so far is steep.
    #[must_use]
    pub fn damped(self) -> Damped {
        let Self { basis, feature_size, seed, .. } = self;
        Damped { basis, feature_size, seed, ..Damped::default() }
    }
    /// `Σ a·(2·|n| − 1)`.
    #[must_use]
    pub fn billow(self) -> Fractal {
        self.fractal(FractalKind::Billow, 1.0, 2.0)
    }
    /// `Σ a·(1 − |n|)`.
    #[must_use]
    pub fn ridged(self) -> Fractal {
        self.fractal(FractalKind::Ridged, 1.0, 2.0)
    }
    /// Musgrave's multifractal, `Π (a·n + 1)`.
    #[must_use]
    pub fn multifractal(self) -> Fractal {
        self.fractal(FractalKind::Multifractal, 1.0, 2.0)
    }
    /// The product `Π a·(n + 1)` as often printed; it collapses to 0 as octaves grow.
    #[must_use]
    pub fn printed_multifractal(self) -> Fractal {
        self.fractal(FractalKind::PrintedMultifractal, 1.0, 2.0)
    }
    /// The product `Π a·(1 − |n + offset|)` as printed, offset 0.
    #[must_use]
    pub fn printed_ridged_multifractal(self) -> Fractal {
        self.fractal(FractalKind::PrintedRidgedMultifractal, 0.0, 2.0)
    }
    /// Musgrave's ridged multifractal, offset 1, gain 2.
    #[must_use]
    pub fn ridged_multifractal(self) -> Fractal {
        self.fractal(FractalKind::RidgedMultifractal, 1.0, 2.0)
    }
    /// Musgrave's hybrid multifractal, with his offset 0.7, gain 1 and Hurst exponent ¼. The product
    /// of amplitudes makes detail fade fast: at persistence ½ hardly any is left.
    #[must_use]
    pub fn hybrid_multifractal(self) -> Fractal {
        self.fractal(FractalKind::HybridMultifractal, 0.7, 1.0).hurst(0.25)
    }
}

impl Fractal {
    /// Turns each octave against the one before, in degrees.
    #[must_use]
    pub fn octave_rotation(self, degrees: f64) -> Self {
        Self { rotation: degrees, ..self }
    }
    /// Sets the number of octaves.
    #[must_use]
    pub fn octaves(self, octaves: u32) -> Self {
        Self { octaves, ..self }
    }
    /// Sets the wavelength of the first octave, in metres.
    #[must_use]
    pub fn feature_size(self, metres: f64) -> Self {
        Self { feature_size: metres, ..self }
    }
    /// Sets the factor of the frequency from one octave to the next.
    #[must_use]
    pub fn lacunarity(self, lacunarity: f64) -> Self {
        Self { lacunarity, ..self }
    }
    /// Sets the factor of the amplitude from one octave to the next.
    #[must_use]
    pub fn persistence(self, persistence: f64) -> Self {
        Self { persistence, ..self }
    }
    /// Sets the persistence from a Hurst exponent: `lacunarity^-hurst`, at the present lacunarity.
    #[must_use]
    pub fn hurst(self, hurst: f64) -> Self {
        Self { persistence: libm::pow(self.lacunarity, -hurst), ..self }
    }
    /// Sets over how many samples creases are rounded off. Points that nothing is said of but where they
    /// are have no samples beside them: they see sharp creases.
    #[must_use]
    pub fn rounding(self, samples: f64) -> Self {
        Self { rounding: samples, ..self }
    }
    /// Sets what is added to the octaves of the multifractals.
    #[must_use]
    pub fn octave_offset(self, offset: f64) -> Self {
        Self { offset, ..self }
    }
    /// Sets how much one octave of a multifractal weighs on the next.
    #[must_use]
    pub fn octave_gain(self, gain: f64) -> Self {
        Self { gain, ..self }
    }
    /// Sets the curve between lattice points, if the basis has one.
    #[must_use]
    pub fn fade(self, fade: Fade) -> Self {
        Self { basis: self.basis.with_fade(fade), ..self }
    }
    /// Sets where the random values come from, if the basis has a choice.
    #[must_use]
    pub fn lattice(self, lattice: Lattice) -> Self {
        Self { basis: self.basis.with_lattice(lattice), ..self }
    }
    /// Repeats the noise along x and z after so many cells of the first octave; 0 for never.
    #[must_use]
    pub fn period(self, x: u32, z: u32) -> Self {
        Self { period_x: x, period_z: z, ..self }
    }
    /// Repeats the noise along x, y and z after so many cells of the first octave; 0 for never.
    #[must_use]
    pub fn period_3d(self, [x, y, z]: [u32; 3]) -> Self {
        Self { period_x: x, period_y: y, period_z: z, ..self }
    }
    /// Tells this noise from others of the same tree.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
}

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
        branching: 1.5,
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
