//! Noises of the plane that have no octaves of a basis: heights from kernels of their own, slopes from
//! differences of heights.

use super::dunes::Dunes;
use crate::simd::{Isa, Kernel};

/// A compiled noise of the plane. Every kind makes its heights in [`heights`](Self::heights) and says how
/// far apart they have to be for slopes; grids and points do the rest.
#[derive(Clone, Debug)]
pub(crate) enum Plane {
    Dunes(Dunes),
}

impl Plane {
    /// Heights at positions, as samples `footprint` metres apart can show them.
    #[inline(always)]
    pub fn heights<const N: usize, const W: usize>(
        &self,
        isa: impl Isa<W>,
        places: [&[f64; N]; 2],
        footprint: f64,
    ) -> [f32; N] {
        match self {
            Self::Dunes(dunes) => dunes.filtered(isa, places, footprint),
        }
    }

    /// A step for differences, small compared with every feature.
    pub fn step(&self) -> f64 {
        match self {
            Self::Dunes(dunes) => dunes.step(),
        }
    }
}

/// The heights of a noise of the plane at several positions.
pub(crate) struct Heights<'a, const N: usize> {
    pub plane: &'a Plane,
    pub places: [&'a [f64; N]; 2],
    pub footprint: f64,
}

impl<const N: usize> Kernel for Heights<'_, N> {
    type Output = [f32; N];
    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) -> [f32; N] {
        self.plane.heights(isa, self.places, self.footprint)
    }
}
