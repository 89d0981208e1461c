//! Nodes that are a noise of their own.

use crate::basis::Basis;
use crate::fractal::FractalKind;
use crate::params::node;

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
        /// Tells this noise from others of the same tree. Those with the same seed differ from it all the same.
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
        /// Tells this noise from others of the same tree. Those with the same seed differ from it all the same.
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
        /// Tells this noise from others of the same tree. Those with the same seed differ from it all the same.
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
        /// Tells this noise from others of the same tree. Those with the same seed differ from it all the same.
        seed: u64 = 0, [any];
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
