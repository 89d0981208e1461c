//! The tree: a noise is one value, written by hand, by an editor or in a file.

mod choices;
mod operand;
mod validate;

#[cfg(feature = "bevy_reflect")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize, std_traits::ReflectDefault};
pub use operand::Operand;
use serde::{Deserialize, Serialize};
pub use validate::{MAX_DEPTH, MAX_NODES, MAX_OCTAVES};

use crate::basis::Basis;
use crate::fractal::FractalKind;
use crate::mapping::CurveEnds;
use crate::params::{ParamInfo, ParamMut, Parameters, node};

node! {
    /// The same value everywhere.
    Constant {
        /// The value, everywhere.
        value: f64 = 0.0, [-1e9..=1e9];
    }
}
node! {
    /// One octave of a basis, in -1 ..= 1. Its lattice starts at the origin.
    Single {
        /// What the octave looks like.
        basis: Basis = Basis::default(), [any];
        /// Size of a lattice cell: the wavelength.
        feature_size: f64 = 1000.0, [0.001..=1e9, "m"];
        /// Cells after which the noise repeats along x; 0 for never. Classic Perlin: multiples of 256.
        period_x: u32 = 0, [0..=1_000_000];
        /// Cells after which the noise repeats along y (3D only); 0 for never. Classic Perlin: multiples of 256.
        period_y: u32 = 0, [0..=1_000_000];
        /// Cells after which the noise repeats along z; 0 for never. Classic Perlin: multiples of 256.
        period_z: u32 = 0, [0..=1_000_000];
        /// Tells this noise from others of the same tree.
        seed: u64 = 0, [any];
    }
}
node! {
    /// Octaves of a basis, combined. Each octave has a seed and a lattice origin of its own.
    Fractal {
        /// What a single octave looks like.
        basis: Basis = Basis::default(), [any];
        /// How the octaves are combined.
        kind: FractalKind = FractalKind::Fbm, [any];
        /// Number of octaves.
        octaves: u32 = 8, [1..=32];
        /// Wavelength of the first octave.
        feature_size: f64 = 1000.0, [0.001..=1e9, "m"];
        /// Factor of the frequency from one octave to the next.
        lacunarity: f64 = 2.0, [1.01..=16.0];
        /// Factor of the amplitude from one octave to the next.
        persistence: f64 = 0.5, [0.0..=2.0];
        /// Added to the octaves of the multifractals.
        offset: f64 = 1.0, [-4.0..=4.0];
        /// How much one octave of a ridged or hybrid multifractal weighs on the next.
        gain: f64 = 2.0, [0.0..=16.0];
        /// Turns each octave against the one before: hides the lattice, costs the grid's short cuts.
        rotation: f64 = 0.0, [-360.0..=360.0, "°"];
        /// Rounds creases off over so many samples either way, lest meshes show teeth; 0 leaves them sharp.
        rounding: f64 = 0.0, [0.0..=8.0];
        /// Cells of the first octave after which the noise repeats along x; 0 for never. Classic Perlin: multiples of 256.
        period_x: u32 = 0, [0..=1_000_000];
        /// Cells of the first octave after which the noise repeats along y (3D only); 0 for never. Classic Perlin: multiples of 256.
        period_y: u32 = 0, [0..=1_000_000];
        /// Cells of the first octave after which the noise repeats along z; 0 for never. Classic Perlin: multiples of 256.
        period_z: u32 = 0, [0..=1_000_000];
        /// Tells this noise from others of the same tree.
        seed: u64 = 0, [any];
    }
}
node! {
    /// Fractional Brownian motion that erodes itself: octaves fade where the sum so far is steep, so that
    /// slopes are smooth and heights and hollows rough (Quilez 2008); with ridged octaves and a warp down
    /// the slope, de Carpentier's "Swiss turbulence" (2011). About -1 to 1.
    Damped {
        /// What a single octave looks like.
        basis: Basis = Basis::default(), [any];
        /// Number of octaves.
        octaves: u32 = 9, [1..=24];
        /// Wavelength of the first octave.
        feature_size: f64 = 1000.0, [0.001..=1e9, "m"];
        /// Factor of the frequency from one octave to the next.
        lacunarity: f64 = 2.0, [1.01..=16.0];
        /// Factor of the amplitude from one octave to the next.
        persistence: f64 = 0.5, [0.0..=2.0];
        /// How fast octaves fade with the slope; 0 is plain fBm.
        damping: f64 = 0.3, [0.0..=100.0];
        /// 0 for rolling octaves, 1 for ridged ones.
        ridges: f64 = 0.0, [0.0..=1.0];
        /// Moves finer octaves along the slope of coarser ones, in their wavelengths: draws them out along it.
        warp: f64 = 0.0, [-1.0..=1.0];
        /// Turns each octave against the one before: hides the lattice.
        rotation: f64 = 37.0, [-360.0..=360.0, "°"];
        /// Rounds creases off over so many samples either way, lest meshes show teeth; 0 leaves them sharp.
        rounding: f64 = 0.0, [0.0..=8.0];
        /// Tells this noise from others of the same tree.
        seed: u64 = 0, [any];
    }
}
node! {
    /// Dunes: ridges across the wind that fork and end, from 0 in the hollows to 1 on the crests. Warp
    /// them for winding crests, multiply them for their height. On the ground only, elsewhere 0.
    Dunes {
        /// From crest to crest.
        feature_size: f64 = 200.0, [0.001..=1e9, "m"];
        /// Part of that which the steep lee side takes.
        slip: f64 = 0.22, [0.05..=0.95];
        /// Where the wind blows to: 0 along x, 90 along z.
        wind: f64 = 30.0, [-360.0..=360.0, "°"];
        /// Tells this noise from others of the same tree.
        seed: u64 = 0, [any];
    }
}
node! {
    /// What running water leaves: gullies down the slopes of a land, smaller ones down the sides of
    /// these, and so on. They end on flat ground and give way to crests and beds. The slope is taken
    /// from three more places, a fifth of a feature away, where the source is sampled that coarsely; so
    /// the source should be smooth at that size. On the ground only, elsewhere the source alone.
    Gullies {
        /// From bed to crest of the first octave, on steep ground.
        depth: f64 = 60.0, [0.0..=1e6, "m"];
        /// From one gully to the next.
        feature_size: f64 = 500.0, [0.001..=1e9, "m"];
        /// Number of octaves.
        octaves: u32 = 5, [1..=16];
        /// Factor of the frequency from one octave to the next.
        lacunarity: f64 = 2.0, [1.01..=16.0];
        /// Factor of the depth from one octave to the next.
        persistence: f64 = 0.5, [0.0..=2.0];
        /// The slope, rise over run, from which on gullies are as deep as they get.
        slope: f64 = 0.5, [0.001..=100.0];
        /// How much gullies turn the smaller ones on their sides; 0 leaves all parallel.
        branching: f64 = 1.5, [0.0..=16.0];
        /// Creases the crests (up to 1) or the beds (down to -1).
        sharpness: f64 = 0.5, [-1.0..=1.0];
        /// Rounds creases off over so many samples either way, lest meshes show teeth; 0 leaves them sharp.
        #[serde(default)]
        rounding: f64 = 0.0, [0.0..=8.0];
        /// Flat ground here or below lies at the height of the beds.
        low: f64 = 0.0, [-1e9..=1e9, "m"];
        /// Flat ground here or above lies at the height of the crests.
        high: f64 = 1000.0, [-1e9..=1e9, "m"];
        /// Tells these gullies from others of the same tree.
        seed: u64 = 0, [any];
    }
    operands {
        /// The land that is carved.
        source,
    }
}
node! {
    /// Turns, moves and stretches the ground under a noise.
    Transform {
        /// Makes features this many times as long along x.
        scale_x: f64 = 1.0, [1e-6..=1e6];
        /// Makes features this many times as long along y (3D only).
        scale_y: f64 = 1.0, [1e-6..=1e6];
        /// Makes features this many times as long along z.
        scale_z: f64 = 1.0, [1e-6..=1e6];
        /// Turns the noise about the vertical.
        rotation: f64 = 0.0, [-360.0..=360.0, "°"];
        /// Moves the noise along x.
        move_x: f64 = 0.0, [-1e12..=1e12, "m"];
        /// Moves the noise along y (3D only).
        move_y: f64 = 0.0, [-1e12..=1e12, "m"];
        /// Moves the noise along z.
        move_z: f64 = 0.0, [-1e12..=1e12, "m"];
    }
    operands {
        /// What is transformed.
        source,
    }
}
node! {
    /// Domain warp: looks the source up at a place displaced by another noise (Quilez 2002). Each
    /// axis gets a noise of its own from the same tree.
    Warp {
        /// Displacement per unit of the warping noise.
        amount: f64 = 100.0, [-1e6..=1e6, "m"];
    }
    operands {
        /// What is warped.
        source,
        /// The warping noise.
        by,
    }
}
node! {
    /// Turns the place about the origin by an angle that follows another noise. It winds up with the
    /// distance from the origin: for pictures and bounded islands, not for endless ground.
    Swirl {
        /// Angle per unit of the turning noise.
        angle: f64 = 0.0, [-36000.0..=36000.0, "°"];
    }
    operands {
        /// What is turned.
        source,
        /// The turning noise.
        by,
    }
}
node! {
    /// `factor · source + offset`.
    Affine {
        /// Multiplies the source.
        factor: f64 = 1.0, [-1e9..=1e9];
        /// Added to the product.
        offset: f64 = 0.0, [-1e9..=1e9];
    }
    operands {
        /// What is changed.
        source,
    }
}
node! {
    /// Maps the bounds of the source to a range. The bounds are what the source could reach at
    /// most; most fractals stay well inside them.
    Range {
        /// Where the lower bound goes.
        min: f64 = 0.0, [-1e9..=1e9];
        /// Where the upper bound goes.
        max: f64 = 1.0, [-1e9..=1e9];
    }
    operands {
        /// What is mapped.
        source,
    }
}
node! {
    /// Cuts off what leaves a range.
    Clamp {
        /// The lowest value let through.
        min: f64 = -1.0, [-1e9..=1e9];
        /// The highest value let through.
        max: f64 = 1.0, [-1e9..=1e9];
    }
    operands {
        /// What is cut.
        source,
    }
}
node! {
    /// The absolute value: folds valleys into creases.
    Abs {}
    operands {
        /// What is folded.
        source,
    }
}
node! {
    /// Perlin's bias: pushes the middle of the source's bounds to `amount` of the way. The bounds stay.
    Bias {
        /// Where the middle goes; 0.5 changes nothing.
        amount: f64 = 0.5, [0.01..=0.99];
    }
    operands {
        /// What is pushed.
        source,
    }
}
node! {
    /// Perlin's gain: pulls the source towards the ends of its bounds (amount above a half) or
    /// towards their middle (below). The bounds stay.
    Gain {
        /// How steep the middle is; 0.5 changes nothing.
        amount: f64 = 0.5, [0.01..=0.99];
    }
    operands {
        /// What is pulled.
        source,
    }
}
node! {
    /// Raises the source, as a fraction of its bounds, to a power. The bounds stay.
    Power {
        /// The exponent; above 1 it flattens the low ground.
        exponent: f64 = 1.0, [0.05..=20.0];
    }
    operands {
        /// What is raised.
        source,
    }
}
node! {
    /// Steps of equal height.
    Terrace {
        /// Height of a step, in the unit of the source.
        step: f64 = 40.0, [1e-6..=1e9];
        /// 0 leaves the slope as it is, 1 makes the treads flat.
        sharpness: f64 = 0.8, [0.0..=1.0];
    }
    operands {
        /// What is stepped.
        source,
    }
}
node! {
    /// A curve through points: maps heights to heights, never outside the values of the two points it
    /// runs between.
    Curve {
        /// The points, source value and result, with rising source values.
        points: Vec<[f64; 2]> = vec![[-1.0, -1.0], [1.0, 1.0]], [-1e9..=1e9];
        /// How it goes on beyond the first and the last point.
        #[serde(default)]
        ends: CurveEnds = CurveEnds::Level, [any];
    }
    operands {
        /// What is mapped.
        source,
    }
}
node! {
    /// Different scales above and below a level: flat beaches, deep seas.
    Shore {
        /// The height of the water.
        level: f64 = 0.0, [-1e9..=1e9];
        /// Multiplies heights above the level, counted from there.
        above: f64 = 1.0, [0.0..=1e6];
        /// Multiplies depths below the level, counted from there.
        below: f64 = 1.0, [0.0..=1e6];
    }
    operands {
        /// What is scaled.
        source,
    }
}
node! {
    /// The sum of two noises.
    Add {}
    operands {
        /// One term.
        a,
        /// The other term.
        b,
    }
}
node! {
    /// The product of two noises.
    Mul {}
    operands {
        /// One factor.
        a,
        /// The other factor.
        b,
    }
}
node! {
    /// The lower of two noises.
    Min {}
    operands {
        /// One noise.
        a,
        /// The other noise.
        b,
    }
}
node! {
    /// The higher of two noises.
    Max {}
    operands {
        /// One noise.
        a,
        /// The other noise.
        b,
    }
}
node! {
    /// The lower of two noises, with the crease rounded off (Quilez's polynomial minimum).
    SmoothMin {
        /// Values that differ by less than this are blended.
        radius: f64 = 1.0, [1e-6..=1e9];
    }
    operands {
        /// One noise.
        a,
        /// The other noise.
        b,
    }
}
node! {
    /// The higher of two noises, with the crease rounded off.
    SmoothMax {
        /// Values that differ by less than this are blended.
        radius: f64 = 1.0, [1e-6..=1e9];
    }
    operands {
        /// One noise.
        a,
        /// The other noise.
        b,
    }
}
node! {
    /// Steps in layers of rock: as `Terrace`, but another noise lifts the layers, and they differ in how
    /// hard they are.
    Strata {
        /// Height of a layer, in the unit of the source.
        step: f64 = 40.0, [1e-6..=1e9];
        /// 0 leaves the slope as it is, 1 makes the treads of the hardest layers flat.
        sharpness: f64 = 0.8, [0.0..=1.0];
        /// How much softer than the hardest a layer can be.
        variety: f64 = 0.7, [0.0..=1.0];
        /// Tells these layers from others of the same tree.
        seed: u64 = 0, [any];
    }
    operands {
        /// What is stepped.
        source,
        /// By how much the layers are lifted, in the unit of the source.
        lift,
    }
}
node! {
    /// `a`, and `b` on top of it where `a` is high: hills inland, roughness on heights.
    AddAbove {
        /// Where `a` is as low as this, nothing is added.
        low: f64 = 0.0, [-1e9..=1e9];
        /// Where `a` is as high as this, all of `b` is added.
        high: f64 = 1.0, [-1e9..=1e9];
    }
    operands {
        /// The ground, which also decides.
        a,
        /// What is added.
        b,
    }
}
node! {
    /// `a` where the mask is 0, `b` where it is 1, a blend between; the mask is clamped to 0 ..= 1.
    Blend {}
    operands {
        /// Where the mask is 0.
        a,
        /// Where the mask is 1.
        b,
        /// Which of the two, and how much.
        mask,
    }
}

/// Declares the enum over all nodes, and what is the same for each of them.
macro_rules! tree {
    ($( #[doc = $help:literal] $variant:ident, )*) => {
        /// A noise: a tree of nodes that gives a value at every position.
        ///
        /// Build it with [`perlin`](crate::perlin) and its sisters and the methods of
        /// [`Compose`](crate::Compose), or read it from a file; then [`build`](Self::build) it.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
        #[cfg_attr(feature = "bevy_reflect", reflect(Clone, Debug, PartialEq, Default, Serialize, Deserialize))]
        #[serde(deny_unknown_fields)]
        pub enum Noise {
            $( #[doc = $help] $variant($variant), )*
        }
        impl Noise {
            pub(crate) fn node(&self) -> &dyn Parameters {
                match self { $( Self::$variant(node) => node, )* }
            }
            fn node_mut(&mut self) -> &mut dyn Parameters {
                match self { $( Self::$variant(node) => node, )* }
            }
            /// The name of the node at the root, as in a file.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self { $( Self::$variant(_) => stringify!($variant), )* }
            }
        }
        $( impl From<$variant> for Noise {
            fn from(node: $variant) -> Self {
                Self::$variant(node)
            }
        } )*
    };
}

tree! {
    /// The same value everywhere.
    Constant,
    /// One octave of a basis.
    Single,
    /// Octaves of a basis, combined.
    Fractal,
    /// Octaves that fade where the sum so far is steep.
    Damped,
    /// Ridges across the wind.
    Dunes,
    /// What running water leaves on a land.
    Gullies,
    /// Turns, moves and stretches the ground under a noise.
    Transform,
    /// Looks a noise up at a place displaced by another.
    Warp,
    /// Turns the place by an angle that follows another noise.
    Swirl,
    /// `factor · source + offset`.
    Affine,
    /// Maps the bounds of the source to a range.
    Range,
    /// Cuts off what leaves a range.
    Clamp,
    /// The absolute value.
    Abs,
    /// Moves the middle of the range.
    Bias,
    /// Steepens or flattens the middle of the range.
    Gain,
    /// A power of the fraction of the range.
    Power,
    /// Steps of equal height.
    Terrace,
    /// A curve through points.
    Curve,
    /// Different scales above and below a level.
    Shore,
    /// The sum of two noises.
    Add,
    /// The product of two noises.
    Mul,
    /// The lower of two noises.
    Min,
    /// The higher of two noises.
    Max,
    /// The lower of two noises, rounded off.
    SmoothMin,
    /// The higher of two noises, rounded off.
    SmoothMax,
    /// Steps in layers of rock.
    Strata,
    /// One noise on top of another where that is high.
    AddAbove,
    /// One noise or another, by a mask.
    Blend,
}

impl From<f64> for Noise {
    fn from(value: f64) -> Self {
        Self::Constant(Constant { value })
    }
}

impl Default for Noise {
    fn default() -> Self {
        Self::Fractal(Fractal::default())
    }
}

impl Single {
    pub(crate) fn periods(&self) -> [u32; 3] {
        [self.period_x, self.period_y, self.period_z]
    }
}

impl Fractal {
    pub(crate) fn periods(&self) -> [u32; 3] {
        [self.period_x, self.period_y, self.period_z]
    }
}

impl Noise {
    /// Visits the parameters of the root node, for an editor. What it writes is checked by
    /// [`validate`](Self::validate), not here.
    pub fn edit_params(&mut self, mut visit: impl FnMut(&ParamInfo, ParamMut<'_>)) {
        self.node_mut().edit(&mut visit);
    }

    /// The nodes directly below this one, by field name.
    #[must_use]
    pub fn operands(&self) -> Vec<(&'static str, &Noise)> {
        self.node().operands()
    }

    /// The nodes directly below this one, by field name, to be changed.
    pub fn operands_mut(&mut self) -> Vec<(&'static str, &mut Noise)> {
        self.node_mut().operands_mut()
    }
}
