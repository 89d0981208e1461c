//! An octave as words. The structs `Octave` and `SpaceOctave` of the shader have the same layout.

use super::{PLANE_OCTAVE_WORDS, SPACE_OCTAVE_WORDS, ShaderNoise};
use crate::basis::fixed::{Shift, fixed};
use crate::basis::simplex::SKEW2;
use crate::basis::{Basis, Octave, Random};
use crate::lattice::plane::window;
use crate::lattice::{FURTHEST_CELL, Key, floor};
use crate::real::{Field, each};
use crate::simd::Scalar;

/// Bits of a number of cells in a metre after the point.
const BITS: u32 = 56;

type Matrix<const D: usize> = [[f64; D]; D];

impl ShaderNoise {
    /// Where the transforms take a place, by the operations of the sampler.
    pub(super) fn transformed<const D: usize>(&self, mut place: [f64; D]) -> [f64; D] {
        for transform in &self.transforms {
            let (matrix, offset) = transform.over::<D>();
            place = f32::moved(&place, &matrix, &offset);
        }
        place
    }

    /// What transforms make of a step.
    fn stretched<const D: usize>(&self) -> Matrix<D> {
        self.transforms.iter().fold(one(), |all, transform| product(&transform.over::<D>().0, &all))
    }

    /// What transforms make of a distance between samples.
    fn frequency(&self, octave: &Octave) -> f64 {
        octave.frequency * self.transforms.iter().fold(1.0, |all, transform| transform.footprint(all))
    }
}

/// Cells per metre along each axis of an octave's lattice, row by row.
pub(super) fn cells<const D: usize>(noise: &ShaderNoise, k: usize) -> Matrix<D> {
    let octave = &noise.octaves[k];
    let turned = product(&octave.turned().unwrap_or_else(one), &noise.stretched());
    let skew = match (noise.basis, D) {
        (Basis::Simplex, 2) => SKEW2,
        (Basis::Simplex, 3) => 1.0 / 3.0,
        _ => 0.0,
    };
    let skewed = each2(|i, j| skew + if i == j { 1.0 } else { 0.0 });
    product(&skewed, &turned).map(|row| row.map(|x| x * octave.frequency))
}

/// Derivatives of an octave's coordinates, before they are skewed.
fn slopes<const D: usize>(noise: &ShaderNoise, octave: &Octave) -> [[u32; D]; D] {
    let turned = product(&octave.turned().unwrap_or_else(one), &noise.stretched());
    turned.map(|row| row.map(|x| ((x * octave.frequency) as f32).to_bits()))
}

/// The first of the octaves that share coordinates has no doublings.
pub(super) fn plane_words(noise: &ShaderNoise, k: usize, place: [f64; 2]) -> [u32; PLANE_OCTAVE_WORDS] {
    let octave = &noise.octaves[k];
    let place = turned(octave, place);
    let ([x, z], fractions, seed, seeds) = match &octave.plane {
        Some(plane) => {
            let (shift, at) = (Shift::new(plane.site.shift), plane.site.coordinates(place));
            let [x, z] = [0, 1].map(|axis| {
                let (cell, fraction) = fixed(Scalar, at[axis]);
                shift.whole_fixed(plane.site.offset[axis], cell, fraction)
            });
            let seeds = plane.key.seeds([window(x.0), window(z.0)]);
            ([x.0 as u64, z.0 as u64], [x.1, z.1], plane.key.seed(), seeds.words())
        }
        None => {
            let (spreads, fractions) = spread(octave, place);
            (spreads, fractions, 0, [0; 2])
        }
    };
    let (first, doublings) = noise.shared(k);
    let cells = cells::<2>(noise, first).map(|row| row.map(fixed_cells));
    let [[xx, xz], [zx, zz]] = cells;
    let mut words = Words::default();
    words.wide(x).wide(z).all(&fractions).wide(seed).all(&seeds).all(&[doublings, octave.amplitude.to_bits()]);
    words.all(slopes::<2>(noise, octave).as_flattened());
    words.wide(xx).wide(xz).wide(zx).wide(zz);
    words.all(&[(noise.frequency(octave) as f32).to_bits(), u32::from(xz == 0 && zx == 0)]);
    words.padded()
}

pub(super) fn space_words(noise: &ShaderNoise, k: usize, place: [f64; 3]) -> [u32; SPACE_OCTAVE_WORDS] {
    let octave = &noise.octaves[k];
    let place = turned(octave, place);
    let at: [f64; 3] = each(|axis| octave.coordinate(axis, place[axis]));
    let skew = if matches!(noise.basis, Basis::Simplex) { (at[0] + at[1] + at[2]) / 3.0 } else { 0.0 };
    let (spreads, fractions) = split_all(octave, at.map(|x| x + skew));
    let (first, doublings) = noise.shared(k);
    let [x, y, z] = cells::<3>(noise, first).map(|row| row.map(fixed_cells));
    let is_diagonal = [x[1], x[2], y[0], y[2], z[0], z[1]] == [0; 6];
    let mut words = Words::default();
    words.wide(spreads[0]).wide(spreads[1]).wide(spreads[2]).all(&[doublings, octave.amplitude.to_bits()]);
    words.all(&fractions).all(&[(noise.frequency(octave) as f32).to_bits()]);
    for row in [x, y, z] {
        words.wide(row[0]).wide(row[1]);
    }
    words.wide(x[2]).wide(y[2]).wide(z[2]).all(&[u32::from(is_diagonal), 0]);
    for row in slopes::<3>(noise, octave) {
        words.all(&row).all(&[0]);
    }
    words.padded()
}

/// The place as an octave's rotation takes it.
pub(super) fn turned<const D: usize>(octave: &Octave, place: [f64; D]) -> [f64; D] {
    octave.turned().map_or(place, |matrix| f32::moved(&place, &matrix, &[0.0; D]))
}

/// The spread cells and the fractions of a place, of an octave that is hashed 64 bits at a time.
fn spread<const D: usize>(octave: &Octave, place: [f64; D]) -> ([u64; D], [u32; D]) {
    split_all(octave, each(|axis| octave.coordinate(axis, place[axis])))
}

fn split_all<const D: usize>(octave: &Octave, at: [f64; D]) -> ([u64; D], [u32; D]) {
    let key = match octave.random {
        Random::Hashed(key) => key,
        // Refused before.
        _ => Key::new(0),
    };
    let split = at.map(split);
    (each(|axis| key.spread(axis, split[axis].0)), each(|axis| split[axis].1))
}

/// The cell, and 32 bits of the fraction in it.
#[expect(clippy::manual_clamp, reason = "`clamp` keeps NaN")]
fn split(coordinate: f64) -> (i64, u32) {
    let x = coordinate.max(-FURTHEST_CELL).min(FURTHEST_CELL);
    let whole = floor(x);
    let fraction = ((x - whole) * 4_294_967_296.0) as u64;
    // The fraction may have been rounded up to 1.
    (whole as i64 + (fraction >> 32) as i64, fraction as u32)
}

/// Fixed point; the numbers are small enough: see `MOST_CELLS`.
fn fixed_cells(cells: f64) -> u64 {
    (cells * (1u64 << BITS) as f64) as i64 as u64
}

fn one<const D: usize>() -> Matrix<D> {
    each2(|i, j| if i == j { 1.0 } else { 0.0 })
}

fn product<const D: usize>(a: &Matrix<D>, b: &Matrix<D>) -> Matrix<D> {
    each2(|i, j| (0..D).map(|k| a[i][k] * b[k][j]).sum())
}

fn each2<const D: usize>(f: impl Fn(usize, usize) -> f64) -> Matrix<D> {
    std::array::from_fn(|i| std::array::from_fn(|j| f(i, j)))
}

/// Words one after the other.
#[derive(Default)]
struct Words(Vec<u32>);

impl Words {
    fn all(&mut self, words: &[u32]) -> &mut Self {
        self.0.extend_from_slice(words);
        self
    }
    /// 64 bits, low word first.
    fn wide(&mut self, number: u64) -> &mut Self {
        self.all(&[number as u32, (number >> 32) as u32])
    }
    fn padded<const N: usize>(&self) -> [u32; N] {
        debug_assert!(self.0.len() <= N, "{} words", self.0.len());
        std::array::from_fn(|i| self.0.get(i).copied().unwrap_or(0))
    }
}
