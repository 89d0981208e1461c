//! Batches of octaves at one point: a single point has nothing else to vectorise over.

use super::fixed::{Shift, fixed, low};
use super::plane::{Planar, PlaneBasis, Site, with_plane_basis};
use super::{Basis, Octave};
use crate::lattice::plane::Seeds;
use crate::real::each;
use crate::simd::{DetectedIsa, Isa, Kernel};

/// Octaves in a batch.
pub(crate) const EIGHT: usize = 8;

/// Lattice points of a batch: the first of all octaves, the second, and so on.
const POINTS: usize = 4 * EIGHT;

/// What tells up to eight octaves of the plane apart.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    octaves: Vec<Planar>,
    sites: [Site; EIGHT],
    /// Whether all take their coordinates from the first.
    shared: bool,
    /// The seeds around the origin.
    seeds: [Seeds; EIGHT],
}

impl Batch {
    /// Batches of all octaves; none if they are turned, repeat, or have a lattice that is not hashed on the plane.
    pub fn all(octaves: &[Octave]) -> Vec<Self> {
        let plane = |octave: &Octave| octave.plane.filter(|plane| octave.turn.is_none() && plane.site.period == [0; 2]);
        let Some(all) = octaves.iter().map(plane).collect::<Option<Vec<_>>>() else { return Vec::new() };
        let table = |octaves: &[Planar]| {
            let mut sites = [octaves[0].site; EIGHT];
            let mut seeds = [Seeds::default(); EIGHT];
            for (n, octave) in octaves.iter().enumerate() {
                sites[n] = octave.site;
                seeds[n] = octave.key.seeds([0; 2]);
            }
            let shared = octaves.iter().all(|octave| octave.site.base == octaves[0].site.base);
            Self { octaves: octaves.to_vec(), sites, shared, seeds }
        };
        all.chunks(EIGHT).map(table).collect()
    }

    /// Values and, if they are wanted, slopes along x and z, per cell.
    #[inline(always)]
    pub fn at<const D: usize>(&self, set: DetectedIsa, basis: Basis, slopes: bool, at: [f64; D]) -> [[f32; EIGHT]; 3] {
        let at = [at[0], at[D - 1]];
        with_plane_basis!(
            basis,
            basis => set.run_inline(Point { basis, slopes, table: self, at }),
            else [[0.0; EIGHT]; 3]
        )
    }
}

struct Point<'a, B> {
    basis: B,
    slopes: bool,
    table: &'a Batch,
    at: [f64; 2],
}

impl<B: PlaneBasis> Kernel for Point<'_, B> {
    type Output = [[f32; EIGHT]; 3];

    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) -> Self::Output {
        let Self { basis, slopes, table, at } = self;
        let (mut cells, mut fractions) = ([[0.0; EIGHT]; 2], [[0; EIGHT]; 2]);
        if table.shared {
            let place = table.sites[0].coordinates(at);
            for axis in 0..2 {
                let (cell, fraction) = fixed(isa, place[axis]);
                (cells[axis], fractions[axis]) = ([cell; EIGHT], [fraction; EIGHT]);
            }
        } else {
            for n in 0..EIGHT {
                let place = table.sites[n].coordinates(at);
                for axis in 0..2 {
                    (cells[axis][n], fractions[axis][n]) = fixed(isa, place[axis]);
                }
            }
        }
        let mut parts = [0; POINTS];
        let mut f = [[0.0; EIGHT]; 2];
        let mut far = false;
        for n in 0..EIGHT {
            let site = &table.sites[n];
            let shift = Shift::new(site.shift);
            let (x, fx) = shift.place(site.offset[0], low(cells[0][n]), fractions[0][n]);
            let (z, fz) = shift.place(site.offset[1], low(cells[1][n]), fractions[1][n]);
            (f[0][n], f[1][n]) = (fx, fz);
            far |= shift.is_far(cells[0][n]) | shift.is_far(cells[1][n]);
            let corners = B::chosen(table.seeds[n].corners([x, z]), [fx, fz]);
            for point in 0..4 {
                parts[EIGHT * point + n] = corners[point];
            }
        }
        if far {
            far_parts::<B>(table, cells, fractions, &mut parts);
        }
        let mut held = [[0.0; POINTS]; 2];
        for register in 0..(B::POINTS * EIGHT).div_ceil(W) {
            let [a, b] = B::held(isa, parts.as_chunks::<W>().0[register]);
            held[0].as_chunks_mut().0[register] = a;
            held[1].as_chunks_mut().0[register] = b;
        }
        let mut out = [[0.0; EIGHT]; 3];
        for n in 0..EIGHT {
            let held = each(|point| [held[0][EIGHT * point + n], held[1][EIGHT * point + n]]);
            let jet = basis.jet(held, [f[0][n], f[1][n]]);
            out[0][n] = jet.value;
            if slopes {
                [out[1][n], out[2][n]] = jet.gradient;
            }
        }
        out
    }
}

/// The parts of the hashes where some octave is not in the window around the origin.
#[inline(never)]
fn far_parts<B: PlaneBasis>(
    table: &Batch,
    cells: [[f64; EIGHT]; 2],
    fractions: [[u32; EIGHT]; 2],
    parts: &mut [u32; POINTS],
) {
    for (n, octave) in table.octaves.iter().enumerate() {
        let shift = Shift::new(octave.site.shift);
        let place = |axis: usize| shift.whole(octave.site.offset[axis], cells[axis][n], fractions[axis][n]);
        let ((x, fx), (z, fz)) = (place(0), place(1));
        let corners = B::chosen(octave.key.corners([x, z]), [fx, fz]);
        for point in 0..4 {
            parts[EIGHT * point + n] = corners[point];
        }
    }
}
