//! Nodes that are a noise of their own.

use super::node;
use crate::basis::Basis;
use crate::error::{NoiseError, join};
use crate::fractal::FractalKind;
use crate::params::whole;

node! {
    /// The same value everywhere.
    Constant: Source {
        /// The value, everywhere.
        value: f64 = 0.0, [-1e9..=1e9];
    }
}
node! {
    /// One octave of a basis: hills of one size, in -1 ..= 1.
    ///
    /// Its lattice starts at the origin.
    Single: Source {
        /// What the octave looks like.
        basis: Basis = Basis::default(), [any];
        /// Size of a lattice cell: the wavelength.
        feature_size: f64 = 1000.0, [0.001..=1e9, "m"];
        /// Period along x, in cells; 0 never repeats. Classic Perlin: multiples of 256.
        #[serde(deserialize_with = "whole")]
        period_x: u32 = 0, [0..=1_000_000];
        /// Period along y (3D only), in cells; 0 never repeats. Classic Perlin: multiples of 256.
        #[serde(deserialize_with = "whole")]
        period_y: u32 = 0, [0..=1_000_000];
        /// Period along z, in cells; 0 never repeats. Classic Perlin: multiples of 256.
        #[serde(deserialize_with = "whole")]
        period_z: u32 = 0, [0..=1_000_000];
        /// Selects this noise among others of the same tree; even with equal seeds no two are alike.
        seed: u64 = 0, [any];
    }
    rules {
        fn check_combination(&self, path: &str) -> Result<(), NoiseError> {
            check_period(self.basis, self.periods(), path)
        }
    }
}
node! {
    /// Octaves of a basis, combined: land.
    ///
    /// Each octave has a seed and a lattice origin of its own.
    Fractal: Source {
        /// What a single octave looks like.
        basis: Basis = Basis::default(), [any];
        /// How the octaves are combined.
        kind: FractalKind = FractalKind::Fbm, [any];
        /// Number of octaves.
        #[serde(deserialize_with = "whole")]
        octaves: u32 = 8, [1..=32];
        /// Wavelength of the first octave.
        feature_size: f64 = 1000.0, [0.001..=1e9, "m"];
        /// Factor of the frequency from one octave to the next.
        lacunarity: f64 = 2.0, [1.01..=16.0];
        /// Factor of the amplitude from one octave to the next.
        persistence: f64 = 0.5, [0.0..=2.0];
        /// Added to the octaves of the multifractals.
        offset: f64 = 1.0, [-4.0..=4.0] => octave_offset;
        /// How much one octave of a ridged or hybrid multifractal weighs on the next.
        gain: f64 = 2.0, [0.0..=16.0] => octave_gain;
        /// Rotates each octave against the one before: hides the lattice, but grids can no longer share work along it.
        rotation: f64 = 0.0, [-360.0..=360.0, "°"] => octave_rotation;
        /// Rounds creases off over this many samples to either side, so that meshes show no teeth; 0 leaves them sharp.
        rounding: f64 = 0.0, [0.0..=8.0];
        /// Period along x, in cells of the first octave; 0 never repeats. Classic Perlin: multiples of 256.
        #[serde(deserialize_with = "whole")]
        period_x: u32 = 0, [0..=1_000_000];
        /// Period along y (3D only), in cells of the first octave; 0 never repeats. Classic Perlin: multiples of 256.
        #[serde(deserialize_with = "whole")]
        period_y: u32 = 0, [0..=1_000_000];
        /// Period along z, in cells of the first octave; 0 never repeats. Classic Perlin: multiples of 256.
        #[serde(deserialize_with = "whole")]
        period_z: u32 = 0, [0..=1_000_000];
        /// Selects this noise among others of the same tree; even with equal seeds no two are alike.
        seed: u64 = 0, [any];
    }
    rules {
        fn check_combination(&self, path: &str) -> Result<(), NoiseError> {
            self.check_tiling(path)
        }
        fn octaves(&self) -> usize {
            self.octaves as usize
        }
    }
}
node! {
    /// Octaves that fade where it is steep: smooth slopes, rough heights and hollows.
    ///
    /// Fractional Brownian motion damped by the slope of the sum so far (Quilez 2008); with ridged octaves and
    /// a warp down the slope, de Carpentier's "Swiss turbulence" (2011). About -1 to 1.
    Damped: Source {
        /// What a single octave looks like.
        basis: Basis = Basis::default(), [any];
        /// Number of octaves.
        #[serde(deserialize_with = "whole")]
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
        warp: f64 = 0.0, [-1.0..=1.0] => octave_warp;
        /// Rotates each octave against the one before: hides the lattice, and takes several times as long.
        rotation: f64 = 0.0, [-360.0..=360.0, "°"] => octave_rotation;
        /// Rounds creases off over this many samples to either side, so that meshes show no teeth; 0 leaves them sharp.
        rounding: f64 = 0.0, [0.0..=8.0];
        /// Selects this noise among others of the same tree; even with equal seeds no two are alike.
        seed: u64 = 0, [any];
    }
    rules {
        fn octaves(&self) -> usize {
            self.octaves as usize
        }
    }
}
node! {
    /// Dunes: ridges across the wind, from 0 in the hollows to 1 on the crests.
    ///
    /// They fork and end. Warp them for winding crests, multiply them for their height. On the ground (2D)
    /// only: 0 in other dimensions.
    Dunes: Source {
        /// From crest to crest.
        feature_size: f64 = 200.0, [0.001..=1e9, "m"];
        /// Part of that which the steep lee side takes up.
        slip: f64 = 0.22, [0.05..=0.95];
        /// Where the wind blows to: 0 along x, 90 along z.
        wind: f64 = 30.0, [-360.0..=360.0, "°"];
        /// Selects this noise among others of the same tree; even with equal seeds no two are alike.
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

    /// Octaves tile together only if their periods are whole numbers of cells.
    fn check_tiling(&self, path: &str) -> Result<(), NoiseError> {
        if self.periods() == [0; 3] {
            return Ok(());
        }
        check_period(self.basis, self.periods(), path)?;
        if self.lacunarity.fract() != 0.0 {
            let found = format!("{} with a period", self.lacunarity);
            return Err(NoiseError::new(&join(path, "lacunarity"), found, "a whole number where there is a period"));
        }
        if self.rotation != 0.0 {
            let found = format!("{} with a period", self.rotation);
            return Err(NoiseError::new(&join(path, "rotation"), found, "0 where there is a period"));
        }
        let finest = libm::pow(self.lacunarity, f64::from(self.octaves - 1));
        if finest * f64::from(self.periods().into_iter().fold(0, u32::max)) > 1e15 {
            let found = format!("{} with a period", self.octaves);
            return Err(NoiseError::new(&join(path, "octaves"), found, "a period of at most 1e15 cells in the last"));
        }
        Ok(())
    }
}

fn check_period(basis: Basis, periods: [u32; 3], path: &str) -> Result<(), NoiseError> {
    if basis != Basis::ClassicPerlin {
        return Ok(());
    }
    for (name, period) in ["period_x", "period_y", "period_z"].into_iter().zip(periods) {
        if period % 256 != 0 {
            let words = "0 or a multiple of 256, the size of the table of ClassicPerlin";
            return Err(NoiseError::new(&join(path, name), period, words));
        }
    }
    Ok(())
}
