//! Where trees begin: bases, and their octaves.

use crate::basis::Basis;
use crate::basis::cellular::CellOutput;
use crate::fractal::FractalKind;
use crate::interpolation::{Cubic, Fade};
use crate::lattice::Lattice;
use crate::noise::{Damped, Dunes, Fractal, Noise, Single};

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
    Dunes::default().feature_size(metres)
}

/// The same value everywhere.
#[must_use]
pub fn constant(value: f64) -> Noise {
    value.into()
}

impl Single {
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
        Damped::default().basis(basis).feature_size(feature_size).seed(seed)
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
    /// Sets the persistence from a Hurst exponent: `lacunarity^-hurst`, at the present lacunarity.
    #[must_use]
    pub fn hurst(self, hurst: f64) -> Self {
        Self { persistence: libm::pow(self.lacunarity, -hurst), ..self }
    }
}

/// Setters that reach into the basis of a node.
macro_rules! basis_setters {
    ($($node:ident),*) => { $(
        impl $node {
            /// Sets the curve between lattice points, if the basis has one.
            #[must_use]
            pub fn fade(self, fade: Fade) -> Self {
                let basis = self.basis.with_fade(fade);
                self.basis(basis)
            }
            /// Sets the source of the lattice's random values, if the basis has a choice.
            #[must_use]
            pub fn lattice(self, lattice: Lattice) -> Self {
                let basis = self.basis.with_lattice(lattice);
                self.basis(basis)
            }
        }
    )* };
}
basis_setters!(Single, Fractal, Damped);

/// Setters of all periods at once.
macro_rules! period_setters {
    ($($node:ident),*) => { $(
        impl $node {
            /// Repeats the noise along x and z after this many cells (of the first octave); 0 never repeats.
            #[must_use]
            pub fn period(self, x: u32, z: u32) -> Self {
                self.period_x(x).period_z(z)
            }
            /// Repeats the noise along x, y and z after this many cells (of the first octave); 0 never repeats.
            #[must_use]
            pub fn period_3d(self, [x, y, z]: [u32; 3]) -> Self {
                self.period_x(x).period_y(y).period_z(z)
            }
        }
    )* };
}
period_setters!(Single, Fractal);
