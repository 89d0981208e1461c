//! One octave of the bases that are evaluated in blocks, at arbitrary points.

use super::blocks::RowReal;
use super::scattered::{turn_back, turned};
use crate::basis::block::{InBlocks, Local};
use crate::basis::cellular::Cells;
use crate::basis::cubic::CubicBlock;
use crate::basis::multilinear::SmoothedBlock;
use crate::basis::{Basis, Octave, Quintic, Random, coordinate};
use crate::interpolation::Fade;
use crate::simd::{DetectedIsa, Isa, Kernel, LANES, Wide};

/// Runs the same code for a fade, compiled once for the default and once for the others.
macro_rules! with_fade {
    ($fade:ident => $body:expr) => {
        match $fade {
            Fade::Quintic => {
                let $fade = Quintic;
                $body
            }
            $fade => $body,
        }
    };
}

/// Evaluates an octave, if its basis is one of these.
pub(super) fn octave<R: RowReal>(
    set: DetectedIsa,
    basis: Basis,
    octave: &Octave,
    spots: &[R::Spot],
    out: &mut [R::Block],
) -> bool {
    match (basis, &octave.random) {
        (Basis::Cellular { output, jitter }, Random::Hashed(key)) => {
            set.run_inline(Points::<_, R> { noise: Cells::new(key, output, jitter as f32), octave, spots, out });
        }
        (Basis::CubicValue { cubic, .. }, Random::Hashed(key)) => {
            set.run_inline(Points::<_, R> { noise: CubicBlock { key, cubic }, octave, spots, out });
        }
        (Basis::SmoothedValue { fade, .. }, Random::Hashed(key)) => {
            with_fade!(fade => set.run_inline(Points::<_, R> { noise: SmoothedBlock { key, fade }, octave, spots, out }));
        }
        _ => return false,
    }
    turn_back::<R>(set, octave, out);
    true
}

struct Points<'a, B, R: RowReal> {
    noise: B,
    octave: &'a Octave,
    spots: &'a [R::Spot],
    out: &'a mut [R::Block],
}

impl<B: InBlocks<2>, R: RowReal> Kernel for Points<'_, B, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        let Self { mut noise, octave, spots, out } = self;
        // Copies: through references they would be read again for every block.
        let (turn, frequency, offset) = (octave.turned::<2>(), octave.frequency, octave.offset);
        // Slopes are turned back afterwards, and converted then.
        let per_metre = if turn.is_some() { 1.0 } else { frequency as f32 };
        for (out, spot) in out.iter_mut().zip(spots) {
            let mut at = [Wide::default(); 2];
            for lane in 0..LANES {
                let place = R::at(&turned::<R>(&turn, spot, lane));
                for axis in 0..2 {
                    at[axis].0[lane] = coordinate(frequency, offset[axis], place[axis]);
                }
            }
            let Local { value, slopes } = noise.at(isa, &at, R::SLOPES);
            let mut found = R::Block::default();
            for lane in 0..LANES {
                let slopes = [slopes[0].0[lane] * per_metre, slopes[1].0[lane] * per_metre];
                R::set(&mut found, lane, R::with_slopes(value.0[lane], slopes));
            }
            *out = found;
        }
    }
}
