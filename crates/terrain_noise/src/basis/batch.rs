//! Batches of octaves at one point: a single point has nothing else to vectorise over.

use super::perlin::Perlin;
use super::separable::{Between, Separable, aligned};
use super::value::Value;
use super::{Basis, Curve, Octave, Quintic};
use crate::interpolation::Fade;
use crate::lattice::{hash, pair};
use crate::simd::{DetectedIsa, Isa, Kernel};

/// Octaves in a batch.
pub(crate) const EIGHT: usize = 8;

/// What tells up to eight octaves of a lattice-aligned basis apart; unused entries are 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    frequency: [f64; EIGHT],
    offset: [[f64; EIGHT]; 2],
    seeds: [[u64; EIGHT]; 2],
}

impl Batch {
    /// Batches of all octaves; none if their lattices do not run along the axes.
    pub fn all(basis: Basis, octaves: &[Octave]) -> Vec<Self> {
        let separable = matches!(basis, Basis::Perlin { .. } | Basis::Value { .. });
        if !separable || octaves.iter().any(|octave| aligned(octave).is_none()) {
            return Vec::new();
        }
        let table = |octaves: &[Octave]| {
            let mut table = Self::default();
            for (n, octave) in octaves.iter().enumerate() {
                table.frequency[n] = octave.frequency;
                for axis in 0..2 {
                    table.offset[axis][n] = octave.offset[axis];
                    table.seeds[axis][n] = aligned(octave).map_or(0, |key| key.seed(axis));
                }
            }
            table
        };
        octaves.chunks(EIGHT).map(table).collect()
    }

    /// Values and, if they are wanted, slopes along x and z, per cell.
    #[inline(always)]
    pub fn at<const D: usize>(&self, set: DetectedIsa, basis: Basis, slopes: bool, at: [f64; D]) -> [[f32; EIGHT]; 3] {
        let at = [at[0], at[D - 1]];
        let table = self;
        match basis {
            Basis::Perlin { fade: Fade::Quintic, .. } => {
                set.run(Point { _basis: Perlin, fade: Quintic, slopes, table, at })
            }
            Basis::Perlin { fade, .. } => set.run(Point { _basis: Perlin, fade, slopes, table, at }),
            Basis::Value { fade, .. } => set.run(Point { _basis: Value, fade, slopes, table, at }),
            _ => [[0.0; EIGHT]; 3],
        }
    }
}

struct Point<'a, S, C> {
    _basis: S,
    fade: C,
    slopes: bool,
    table: &'a Batch,
    at: [f64; 2],
}

impl<S: Separable, C: Curve> Kernel for Point<'_, S, C> {
    type Output = [[f32; EIGHT]; 3];

    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) -> Self::Output {
        let Self { fade, slopes, table, at, .. } = self;
        let mut cells = [[0; EIGHT]; 2];
        let mut fractions = [[0.0; EIGHT]; 2];
        for axis in 0..2 {
            for n in 0..EIGHT {
                let coordinate = at[axis] * table.frequency[n] + table.offset[axis][n];
                (cells[axis][n], fractions[axis][n]) = isa.split(coordinate);
            }
        }
        let mut hashes = [[0; EIGHT]; 4];
        for n in 0..EIGHT {
            let (left, right) = pair(table.seeds[0][n], 0, cells[0][n]);
            let (near, far) = pair(table.seeds[1][n], 1, cells[1][n]);
            hashes[0][n] = hash(left ^ near);
            hashes[1][n] = hash(right ^ near);
            hashes[2][n] = hash(left ^ far);
            hashes[3][n] = hash(right ^ far);
        }
        let mut corners = [[[0.0; EIGHT]; 2]; 4];
        for corner in 0..4 {
            for n in 0..EIGHT {
                let [a, b] = S::corner(hashes[corner][n]);
                corners[corner][0][n] = a;
                corners[corner][1][n] = b;
            }
        }
        let mut out = [[0.0; EIGHT]; 3];
        for n in 0..EIGHT {
            let (x, z) = (Between::new(fade, fractions[0][n]), Between::new(fade, fractions[1][n]));
            let corner = |which: usize| [corners[which][0][n], corners[which][1][n]];
            let near = S::edge(corner(0), corner(1), x);
            let far = S::edge(corner(2), corner(3), x);
            let cell = S::cell(near, far);
            out[0][n] = S::value(cell, z);
            if slopes {
                let near = S::edge_slope(corner(0), corner(1), x);
                let far = S::edge_slope(corner(2), corner(3), x);
                out[1][n] = S::value(S::cell(near, far), z);
                out[2][n] = S::slope(cell, z);
            }
        }
        out
    }
}
