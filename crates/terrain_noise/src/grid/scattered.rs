//! One octave at arbitrary points: nothing is shared, so the hashes are vectorised too.

use super::bases;
use super::blocks::RowReal;
use crate::basis::perlin::Perlin;
use crate::basis::separable::{Between, Separable, corners};
use crate::basis::value::Value;
use crate::basis::{Basis, Curve, Octave, Quintic, Random, with_kernel};
use crate::lattice::{Key, hash};
use crate::real::each;
use crate::sampler::Leaf;
use crate::simd::{DetectedIsa, Isa, Kernel, LANES};

pub(super) fn octave<R: RowReal>(
    set: DetectedIsa,
    leaf: &Leaf,
    octave: &Octave,
    spots: &[R::Spot],
    out: &mut [R::Block],
) {
    use crate::interpolation::Fade;
    match (leaf.basis, &octave.random) {
        (Basis::Perlin { fade: Fade::Quintic, .. }, Random::Hashed(key)) => {
            separable::<_, _, R>(set, Perlin, Quintic, key, octave, spots, out);
        }
        (Basis::Perlin { fade, .. }, Random::Hashed(key)) => {
            separable::<_, _, R>(set, Perlin, fade, key, octave, spots, out);
        }
        (Basis::Value { fade: Fade::Quintic, .. }, Random::Hashed(key)) => {
            separable::<_, _, R>(set, Value, Quintic, key, octave, spots, out);
        }
        (Basis::Value { fade, .. }, Random::Hashed(key)) => {
            separable::<_, _, R>(set, Value, fade, key, octave, spots, out);
        }
        _ if bases::octave::<R>(set, leaf.basis, octave, spots, out) => {}
        _ => with_kernel!(octave, leaf.basis, kernel => {
            for (out, spot) in out.iter_mut().zip(spots) {
                for lane in 0..LANES {
                    let place = turned::<R>(octave, spot, lane);
                    let [x, z] = R::at(&place);
                    let local = kernel([octave.coordinate(0, x), octave.coordinate(1, z)]);
                    R::set(out, lane, R::lift(local, octave.frequency, &place));
                }
            }
        }),
    }
}

fn separable<S: Separable, C: Curve, R: RowReal>(
    set: DetectedIsa,
    basis: S,
    fade: C,
    key: &Key,
    octave: &Octave,
    spots: &[R::Spot],
    out: &mut [R::Block],
) {
    set.run(Points::<S, C, R> { _basis: basis, fade, key, octave, spots, out });
}

/// A place in the octave's own coordinates.
#[inline(always)]
pub(super) fn turned<R: RowReal>(octave: &Octave, spot: &R::Spot, lane: usize) -> R::Place {
    let place = R::place_of(spot, lane);
    match octave.turned::<2>() {
        None => place,
        Some(matrix) => R::moved(&place, &matrix, &[0.0; 2]),
    }
}

struct Points<'a, S, C, R: RowReal> {
    _basis: S,
    fade: C,
    key: &'a Key,
    octave: &'a Octave,
    spots: &'a [R::Spot],
    out: &'a mut [R::Block],
}

impl<S: Separable, C: Curve, R: RowReal> Kernel for Points<'_, S, C, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        // With wide registers, hashing all corners is faster than finding out which are shared.
        if W == 4 { self.sharing(isa) } else { self.apart(isa) }
    }
}

impl<S: Separable, C: Curve, R: RowReal> Points<'_, S, C, R> {
    /// Every point computes its own corners.
    #[inline(always)]
    fn apart<const W: usize>(self, isa: impl Isa<W>) {
        let Self { _basis, fade, key, octave, spots, out } = self;
        for (out, spot) in out.iter_mut().zip(spots) {
            // In two steps: the first works on 64-bit numbers, half as many of which fit a register.
            let mut hashes = [[0; LANES]; 4];
            let mut fractions = [[0.0; LANES]; 2];
            for lane in 0..LANES {
                let [x, z] = R::at(&turned::<R>(octave, spot, lane));
                let (x, z) = (octave.coordinate(0, x), octave.coordinate(1, z));
                let (hash, f) = corners(isa, key, x, z);
                for corner in 0..4 {
                    hashes[corner][lane] = hash[corner];
                }
                [fractions[0][lane], fractions[1][lane]] = f;
            }
            for lane in 0..LANES {
                let [x, z] = [fractions[0][lane], fractions[1][lane]];
                let (x, z) = (Between::new(fade, x), Between::new(fade, z));
                let local = S::jet(each(|corner| hashes[corner][lane]), x, z);
                let place = turned::<R>(octave, spot, lane);
                R::set(out, lane, R::lift(local, octave.frequency, &place));
            }
        }
    }

    /// Neighbours that lie in one cell share its corners.
    #[inline(always)]
    fn sharing<const W: usize>(self, isa: impl Isa<W>) {
        let Self { _basis, fade, key, octave, spots, out } = self;
        let mut last = Last { cell: NOWHERE, corners: [[0.0; 2]; 4] };
        for (out, spot) in out.iter_mut().zip(spots) {
            let mut cells = [[0; LANES]; 2];
            let mut fractions = [[0.0; LANES]; 2];
            for lane in 0..LANES {
                let [x, z] = R::at(&turned::<R>(octave, spot, lane));
                (cells[0][lane], fractions[0][lane]) = isa.split(octave.coordinate(0, x));
                (cells[1][lane], fractions[1][lane]) = isa.split(octave.coordinate(1, z));
            }
            let mut corners = [[[0.0; LANES]; 2]; 4];
            for part in 0..LANES / W {
                corners_of::<S, W>(key, &cells, part, &mut last, &mut corners);
            }
            for lane in 0..LANES {
                let [x, z] = [fractions[0][lane], fractions[1][lane]];
                let (x, z) = (Between::new(fade, x), Between::new(fade, z));
                let local = S::between(each(|i| [corners[i][0][lane], corners[i][1][lane]]), x, z);
                let place = turned::<R>(octave, spot, lane);
                R::set(out, lane, R::lift(local, octave.frequency, &place));
            }
        }
    }
}

/// A cell that several points share, and the values of the lattice points around it.
struct Last {
    cell: [i64; 2],
    corners: [[f32; 2]; 4],
}

/// Further out than any cell.
const NOWHERE: [i64; 2] = [i64::MIN; 2];

/// The values of the lattice points around the cells of a register of points. Neighbours mostly share a
/// cell, often the previous one.
#[inline(always)]
fn corners_of<S: Separable, const W: usize>(
    key: &Key,
    cells: &[[i64; LANES]; 2],
    part: usize,
    last: &mut Last,
    out: &mut [[[f32; LANES]; 2]; 4],
) {
    let [x, z]: [[i64; W]; 2] = [cells[0].as_chunks().0[part], cells[1].as_chunks().0[part]];
    let mut apart = 0;
    for lane in 1..W {
        apart |= (x[lane] ^ x[0]) | (z[lane] ^ z[0]);
    }
    let from = part * W;
    if apart == 0 {
        if last.cell != [x[0], z[0]] {
            last.cell = [x[0], z[0]];
            let parts = key.corners(last.cell);
            last.corners = each(|corner| S::corner(hash(parts[corner])));
        }
        for corner in 0..4 {
            for which in 0..2 {
                for lane in 0..W {
                    out[corner][which][from + lane] = last.corners[corner][which];
                }
            }
        }
    } else {
        let mut hashes = [[0; W]; 4];
        for lane in 0..W {
            let parts = key.corners([x[lane], z[lane]]);
            for corner in 0..4 {
                hashes[corner][lane] = hash(parts[corner]);
            }
        }
        for corner in 0..4 {
            for lane in 0..W {
                [out[corner][0][from + lane], out[corner][1][from + lane]] = S::corner(hashes[corner][lane]);
            }
        }
    }
}
