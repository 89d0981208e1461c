//! Bases that interpolate along x on two lattice rows, and then between the rows.
//!
//! What the two lattice rows give at a grid column, its [`Edge`]s, is shared by all grid rows
//! between them: from it a value takes three multiplications and three additions.

use crate::basis::{Curve, Octave};
use crate::lattice::{Key, hash};
use crate::real::{Jet, each};
use crate::simd::{Isa, Plain};

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
    /// What a lattice point holds, from its hash.
    fn corner(hash: u32) -> [f32; 2];
    /// From the lattice points left and right.
    fn edge(left: [f32; 2], right: [f32; 2], x: Between) -> Edge;
    /// How that changes along x.
    fn edge_slope(left: [f32; 2], right: [f32; 2], x: Between) -> Edge;
    fn cell(near: Edge, far: Edge) -> Cell;
    /// The value at a grid row; of cells made of slopes along x, the slope along x.
    fn value(cell: Cell, z: Between) -> f32;
    /// The slope along z.
    fn slope(cell: Cell, z: Between) -> f32;

    /// Value and slopes in a cell, from the hashes of its lattice points: near left, near right,
    /// far left, far right.
    #[inline(always)]
    fn jet(hashes: [u32; 4], x: Between, z: Between) -> Jet<2> {
        Self::between(each(|i| Self::corner(hashes[i])), x, z)
    }

    /// As [`jet`](Self::jet), from what the lattice points hold.
    #[inline(always)]
    fn between([a, b, c, d]: [[f32; 2]; 4], x: Between, z: Between) -> Jet<2> {
        let cell = Self::cell(Self::edge(a, b, x), Self::edge(c, d, x));
        let slopes = Self::cell(Self::edge_slope(a, b, x), Self::edge_slope(c, d, x));
        Jet { value: Self::value(cell, z), gradient: [Self::value(slopes, z), Self::slope(cell, z)] }
    }
}

/// The hashes of a cell's lattice points, as [`Separable::jet`] takes them, and the fractions.
#[inline(always)]
pub(crate) fn corners<const W: usize>(isa: impl Isa<W>, key: &Key, x: f64, z: f64) -> ([u32; 4], [f32; 2]) {
    let (cx, fx) = isa.split(x);
    let (cz, fz) = isa.split(z);
    let parts = key.corners([cx, cz]);
    (each(|i| hash(parts[i])), [fx, fz])
}

/// One octave on the plane.
#[inline(always)]
pub(crate) fn plane<S: Separable>(key: &Key, fade: impl Curve, x: f64, z: f64) -> Jet<2> {
    let (hashes, [fx, fz]) = corners(Plain, key, x, z);
    S::jet(hashes, Between::new(fade, fx), Between::new(fade, fz))
}

/// The fade and the key of an octave whose lattice runs along the axes.
pub(crate) fn aligned(octave: &Octave) -> Option<&Key> {
    match (&octave.random, octave.turn) {
        (crate::basis::Random::Hashed(key), None) => Some(key),
        _ => None,
    }
}
