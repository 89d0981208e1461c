//! One octave of noise: a function of position built on the lattice.

pub(crate) mod batch;
pub(crate) mod block;
pub(crate) mod cellular;
pub(crate) mod classic;
pub(crate) mod cubic;
pub(crate) mod directions;
pub(crate) mod fixed;
pub(crate) mod multilinear;
pub(crate) mod perlin;
pub(crate) mod plane;
#[cfg(test)]
mod precision;
pub(crate) mod separable;
pub(crate) mod simplex;
pub(crate) mod space;
pub(crate) mod tiled_simplex;
pub(crate) mod value;

use serde::{Deserialize, Serialize};

use crate::basis::cellular::CellOutput;
use crate::basis::classic::ClassicPerlin;
use crate::basis::plane::Planar;
use crate::basis::tiled_simplex::TiledSimplex;
use crate::interpolation::{Cubic, Fade};
use crate::lattice::{General, Key, Lattice, Permutation, derive};
use crate::real::{Jet, each};

/// What a single octave of noise looks like. Every basis stays inside [-1, 1].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bevy_reflect", derive(bevy_reflect::Reflect))]
pub enum Basis {
    /// Random values at lattice points, interpolated. Blocky, cheap. Reaches -1 and 1.
    Value {
        /// The curve between two lattice points.
        #[serde(default)]
        fade: Fade,
        /// Where the random values come from.
        #[serde(default)]
        lattice: Lattice,
    },
    /// Value noise whose lattice values are averaged with their neighbours first (Elias 1998): ½
    /// of the centre and ¼ of each side per axis. The bounds are reached where neighbours agree.
    SmoothedValue {
        /// The curve between two lattice points.
        #[serde(default)]
        fade: Fade,
        /// Where the random values come from.
        #[serde(default)]
        lattice: Lattice,
    },
    /// Value noise through four lattice points per axis, scaled so that no overshoot leaves [-1, 1].
    CubicValue {
        /// The curve through four lattice points.
        #[serde(default)]
        cubic: Cubic,
        /// Where the random values come from.
        #[serde(default)]
        lattice: Lattice,
    },
    /// Random slopes at lattice points, interpolated (Perlin 1985, 2002). Zero at every lattice
    /// point; the bounds -1 and 1 are approached in the middle of a cell.
    Perlin {
        /// The curve between two lattice points.
        #[serde(default)]
        fade: Fade,
        /// Where the random slopes come from.
        #[serde(default)]
        lattice: Lattice,
    },
    /// Perlin noise as blog posts implement it, from a table and with slopes along the diagonals, around 0.
    /// Repeats after 256 cells; kept for worlds that were made with it.
    ClassicPerlin,
    /// Random slopes on a lattice of triangles (Perlin 2001, Gustavson 2005). Fewer directional
    /// artefacts than Perlin noise. The bounds are approached in the middle of an edge. With a period,
    /// the lattice is rotated, and in 2D stretched a little, to fit any number of cells.
    Simplex,
    /// Distances to scattered points (Worley 1996). Reaches -1 at the points, or between plates.
    Cellular {
        /// What is measured.
        #[serde(default)]
        output: CellOutput,
        /// How far points stray from the middle of their cell: 0 a square pattern, 1 the whole cell.
        #[serde(default = "full")]
        jitter: f64,
    },
}

fn full() -> f64 {
    1.0
}

impl Default for Basis {
    fn default() -> Self {
        Self::Perlin { fade: Fade::Quintic, lattice: Lattice::Hashed }
    }
}

impl Basis {
    /// The lattice that the random values come from.
    fn lattice(self) -> Lattice {
        match self {
            Self::Value { lattice, .. }
            | Self::SmoothedValue { lattice, .. }
            | Self::CubicValue { lattice, .. }
            | Self::Perlin { lattice, .. } => lattice,
            _ => Lattice::Hashed,
        }
    }
}

impl Basis {
    pub(crate) fn with_fade(mut self, new: Fade) -> Self {
        if let Self::Value { fade, .. } | Self::SmoothedValue { fade, .. } | Self::Perlin { fade, .. } = &mut self {
            *fade = new;
        }
        self
    }

    pub(crate) fn with_lattice(mut self, new: Lattice) -> Self {
        if let Self::Value { lattice, .. }
        | Self::SmoothedValue { lattice, .. }
        | Self::CubicValue { lattice, .. }
        | Self::Perlin { lattice, .. } = &mut self
        {
            *lattice = new;
        }
        self
    }
}

/// The default fade as a type, so that kernels are compiled for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quintic;

/// A fade, known at compile time ([`Quintic`]) or not ([`Fade`]).
pub(crate) trait Curve: Copy {
    fn weight(self, t: f32) -> f32;
    fn slope(self, t: f32) -> f32;
}

impl Curve for Fade {
    #[inline(always)]
    fn weight(self, t: f32) -> f32 {
        Self::weight(self, t)
    }
    #[inline(always)]
    fn slope(self, t: f32) -> f32 {
        Self::slope(self, t)
    }
}

impl Curve for Quintic {
    #[inline(always)]
    fn weight(self, t: f32) -> f32 {
        Fade::Quintic.weight(t)
    }
    #[inline(always)]
    fn slope(self, t: f32) -> f32 {
        Fade::Quintic.slope(t)
    }
}

/// One octave, ready to evaluate.
#[derive(Clone, Debug)]
pub(crate) struct Octave {
    /// Cells per metre.
    pub frequency: f64,
    /// Where the lattice begins, in cells: keeps the zeros of several octaves apart.
    pub offset: [f64; 3],
    /// Cosine and sine of the octave's rotation about the vertical.
    pub turn: Option<[f64; 2]>,
    /// The octave's factor in the sum.
    pub amplitude: f32,
    pub random: Random,
    /// The octave on the plane, where it is hashed differently from a line and from space.
    pub plane: Option<Planar>,
}

/// The source of an octave's random numbers.
#[derive(Clone, Debug)]
pub(crate) enum Random {
    Hashed(Key),
    General(General),
    Classic(ClassicPerlin),
    Simplex(TiledSimplex),
}

/// Converts a coordinate from metres to cells, of which there are `frequency` per metre.
#[inline(always)]
pub(crate) fn coordinate(frequency: f64, offset: f64, metres: f64) -> f64 {
    metres * frequency + offset
}

impl Octave {
    /// An octave with its lattice at the origin.
    pub fn new(basis: Basis, seed: u64, frequency: f64, amplitude: f32, period: [i64; 3]) -> Self {
        let random = if matches!(basis, Basis::ClassicPerlin) {
            Random::Classic(ClassicPerlin::new(Permutation::classic(seed)))
        } else if matches!(basis, Basis::Simplex) && period != [0; 3] {
            Random::Simplex(TiledSimplex::new(seed, period))
        } else if basis.lattice() == Lattice::Hashed && period == [0; 3] {
            Random::Hashed(Key::new(seed))
        } else {
            Random::General(General::new(basis.lattice(), seed, period))
        };
        let plane = Planar::new(basis, seed, frequency, period);
        Self { frequency, offset: [0.0; 3], turn: None, amplitude, random, plane }
    }

    /// Moves the lattice by a fraction of a cell derived from the seed. On the plane its coordinates come from
    /// the octave `shift` before this one, all of lacunarity 2; 0 if it shares none.
    pub fn shifted(self, seed: u64, shift: u32) -> Self {
        let part = |axis| (derive(seed, axis) >> 12) as f64 / (1u64 << 52) as f64;
        let plane = self.plane.map(|plane| plane.shifted(seed, shift));
        Self { offset: [part(1), part(2), part(3)], plane, ..self }
    }

    /// Converts a coordinate from metres to cells of this octave.
    #[inline(always)]
    pub fn coordinate(&self, axis: usize, metres: f64) -> f64 {
        coordinate(self.frequency, self.offset[axis], metres)
    }

    /// The matrix that rotates the octave in the plane of the first and the last axis.
    #[inline(always)]
    pub fn turned<const D: usize>(&self) -> Option<[[f64; D]; D]> {
        let [c, s] = self.turn?;
        let last = D - 1;
        let mut matrix = [[0.0; D]; D];
        for axis in 0..D {
            matrix[axis][axis] = 1.0;
        }
        if D > 1 {
            (matrix[0][0], matrix[0][last]) = (c, s);
            (matrix[last][0], matrix[last][last]) = (-s, c);
        }
        Some(matrix)
    }

    /// The basis at a point in metres; derivatives are per cell.
    #[inline]
    pub fn at<const D: usize>(&self, basis: Basis, at: [f64; D]) -> Jet<D> {
        if let (Some(plane), &[x, z]) = (&self.plane, at.as_slice()) {
            let Jet { value, gradient } = plane.at(basis, [x, z]);
            return jet(value, gradient);
        }
        let at: [f64; D] = each(|axis| self.coordinate(axis, at[axis]));
        with_kernel!(self, basis, kernel => kernel(at))
    }
}

/// Runs the same code for the basis of an octave, compiled once for each; `$kernel` takes
/// coordinates in cells. Not for octaves of [`plane`] where they are on the plane.
macro_rules! with_kernel {
    ($octave:expr, $basis:expr, $kernel:ident => $body:expr) => {{
        use $crate::basis::{Basis, Quintic, Random, cellular, cubic, multilinear, perlin, simplex, value};
        use $crate::interpolation::Fade;
        match (&$octave.random, $basis) {
            (Random::Hashed(key), Basis::Perlin { fade: Fade::Quintic, .. }) => {
                let $kernel = |at| perlin::perlin(key, Quintic, at);
                $body
            }
            (Random::Hashed(key), Basis::Perlin { fade, .. }) => {
                let $kernel = |at| perlin::perlin(key, fade, at);
                $body
            }
            (Random::Hashed(key), Basis::Value { fade: Fade::Quintic, .. }) => {
                let $kernel = |at| value::value(key, Quintic, at);
                $body
            }
            (Random::Hashed(key), Basis::Value { fade, .. }) => {
                let $kernel = |at| value::value(key, fade, at);
                $body
            }
            (Random::Hashed(key), Basis::Simplex) => {
                let $kernel = |at| simplex::simplex(key, at);
                $body
            }
            (Random::Hashed(key), Basis::Cellular { output, jitter }) => {
                let $kernel = |at| cellular::cellular(key, output, jitter as f32, at);
                $body
            }
            (Random::Hashed(key), Basis::SmoothedValue { fade, .. }) => {
                let $kernel = |at| multilinear::smoothed(key, fade, at);
                $body
            }
            (Random::Hashed(key), Basis::CubicValue { cubic, .. }) => {
                let $kernel = |at| cubic::cubic(key, cubic, at);
                $body
            }
            (Random::General(source), Basis::Value { fade, .. }) => {
                let $kernel = |at| multilinear::value(source, fade, at);
                $body
            }
            (Random::General(source), Basis::SmoothedValue { fade, .. }) => {
                let $kernel = |at| multilinear::smoothed(source, fade, at);
                $body
            }
            (Random::General(source), Basis::CubicValue { cubic, .. }) => {
                let $kernel = |at| cubic::cubic(source, cubic, at);
                $body
            }
            (Random::General(source), Basis::Cellular { output, jitter }) => {
                let $kernel = |at| cellular::cellular(source, output, jitter as f32, at);
                $body
            }
            (Random::General(source), basis) => {
                let fade = if let Basis::Perlin { fade, .. } = basis { fade } else { Fade::Quintic };
                let $kernel = |at| multilinear::perlin(source, fade, at);
                $body
            }
            (Random::Classic(classic), _) => {
                let $kernel = |at| classic.jet(at);
                $body
            }
            (Random::Simplex(tiled), _) => {
                let $kernel = |at| tiled.at(at);
                $body
            }
            // This basis, and no other, gets a table above.
            (Random::Hashed(_), Basis::ClassicPerlin) => {
                let $kernel = |_| $crate::real::Jet::default();
                $body
            }
        }
    }};
}
pub(crate) use with_kernel;

#[inline(always)]
pub(crate) fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + t * (b - a)
}

/// Passes a kernel's jet, of a fixed dimension, on to a caller that is generic over the dimension.
#[inline(always)]
pub(crate) fn jet<const D: usize, const N: usize>(value: f32, gradient: [f32; N]) -> Jet<D> {
    debug_assert_eq!(D, N, "dimension of the kernel");
    Jet { value, gradient: each(|axis| if axis < N { gradient[axis] } else { 0.0 }) }
}
