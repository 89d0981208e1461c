//! Bases that interpolate along x on two lattice rows, and then between the rows.
//!
//! What the two lattice rows give at a grid column, its [`Edge`]s, is shared by all grid rows
//! between them: from it a value takes three multiplications and three additions.

use crate::basis::plane::Planar;
use crate::basis::{Curve, Octave};
use crate::real::Jet;
use crate::simd::Isa;

/// A position between two lattice points of an axis: the fraction, its weight and the weight's slope.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Between {
    pub f: f32,
    pub weight: f32,
    pub slope: f32,
}

impl Between {
    #[inline(always)]
    pub fn new(fade: impl Curve, f: f32) -> Self {
        Self { f, weight: fade.weight(f), slope: fade.slope(f) }
    }
}

/// A lattice row seen from a grid column, as far as the basis uses it: `[a, b]` of `a + b·fz`.
pub(crate) type Edge = [f32; 2];

/// Both lattice rows seen from a grid column, `[a, b, c, d]` of `a + b·fz + w·(c + d·fz)`.
pub(crate) type Cell = [f32; 4];

pub(crate) trait Separable: Copy {
    /// What lattice points hold, from the parts of their hashes.
    fn held<const W: usize>(isa: impl Isa<W>, parts: [u32; W]) -> [[f32; W]; 2];
    /// From the lattice points left and right.
    fn edge(left: [f32; 2], right: [f32; 2], x: Between) -> Edge;
    /// How that changes along x.
    fn edge_slope(left: [f32; 2], right: [f32; 2], x: Between) -> Edge;
    fn cell(near: Edge, far: Edge) -> Cell;
    /// The value at a grid row; of cells made of slopes along x, the slope along x.
    fn value(cell: Cell, z: Between) -> f32;
    /// The slope along z.
    fn slope(cell: Cell, z: Between) -> f32;

    /// Value and slopes in a cell, from what its lattice points hold: near left, near right, far left, far right.
    #[inline(always)]
    fn between([a, b, c, d]: [[f32; 2]; 4], x: Between, z: Between) -> Jet<2> {
        let cell = Self::cell(Self::edge(a, b, x), Self::edge(c, d, x));
        let slopes = Self::cell(Self::edge_slope(a, b, x), Self::edge_slope(c, d, x));
        Jet { value: Self::value(cell, z), gradient: [Self::value(slopes, z), Self::slope(cell, z)] }
    }
}

/// An octave whose lattice runs along the axes.
pub(crate) fn aligned(octave: &Octave) -> Option<&Planar> {
    octave.plane.as_ref().filter(|plane| octave.turn.is_none() && !plane.site.skewed)
}
