//! One octave of noise: a function of position built on the lattice.

pub(crate) mod perlin;
pub(crate) mod simplex;
pub(crate) mod value;

use serde::{Deserialize, Serialize};

use crate::interpolation::Fade;
use crate::lattice::{Key, derive};
use crate::real::Jet;

/// What a single octave of noise looks like. Every basis stays inside [-1, 1].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Basis {
    /// Random values at lattice points, interpolated. Blocky, cheap. Reaches -1 and 1.
    Value,
    /// Random slopes at lattice points, interpolated (Perlin 1985, 2002). Zero at every lattice
    /// point; the bounds -1 and 1 are approached in the middle of a cell.
    #[default]
    Perlin,
    /// Random slopes on a lattice of triangles (Perlin 2001, Gustavson 2005). Fewer directional
    /// artefacts than Perlin noise. The bounds are approached in the middle of an edge.
    Simplex,
}

/// One octave, ready to evaluate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Octave {
    /// Cells per metre.
    pub frequency: f64,
    /// Where the lattice begins, in cells: keeps the zeros of several octaves apart.
    pub offset: [f64; 3],
    pub key: Key,
    /// Factor of this octave in the sum.
    pub amplitude: f32,
}

impl Octave {
    pub fn new(seed: u64, frequency: f64, amplitude: f32, shifted: bool) -> Self {
        let part = |axis| if shifted { (derive(seed, axis) >> 12) as f64 / (1u64 << 52) as f64 } else { 0.0 };
        Self { frequency, offset: [part(1), part(2), part(3)], key: Key::new(seed), amplitude }
    }

    /// A coordinate in metres, in cells of this octave.
    #[inline(always)]
    pub fn coordinate(&self, axis: usize, metres: f64) -> f64 {
        metres * self.frequency + self.offset[axis]
    }

    /// The basis at a point given in metres; derivatives are per cell.
    #[inline(always)]
    pub fn at<const D: usize>(&self, basis: Basis, fade: Fade, at: [f64; D]) -> Jet<D> {
        let at: [f64; D] = std::array::from_fn(|axis| self.coordinate(axis, at[axis]));
        match basis {
            Basis::Value => value::value(&self.key, fade, at),
            Basis::Perlin => perlin::perlin(&self.key, fade, at),
            Basis::Simplex => simplex::simplex(&self.key, at),
        }
    }
}

#[inline(always)]
pub(crate) fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + t * (b - a)
}

/// Widens or narrows a jet of known dimension to the generic one of the caller.
#[inline(always)]
pub(crate) fn jet<const D: usize, const N: usize>(value: f32, gradient: [f32; N]) -> Jet<D> {
    debug_assert_eq!(D, N, "dimension of the kernel");
    Jet { value, gradient: std::array::from_fn(|axis| if axis < N { gradient[axis] } else { 0.0 }) }
}
