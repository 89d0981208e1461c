//! One octave of the bases that are evaluated in blocks, at arbitrary points.

use super::blocks::RowReal;
use super::octaves::Sink;
use super::scattered::turned;
use crate::basis::block::{InBlocks, Local};
use crate::basis::cellular::Cells;
use crate::basis::cubic::CubicBlock;
use crate::basis::multilinear::SmoothedBlock;
use crate::basis::{Basis, Octave, Quintic, Random, jet};
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
pub(super) fn octave<S: Sink, R: RowReal>(
    set: DetectedIsa,
    basis: Basis,
    octave: &Octave,
    sink: S,
    spots: &[R::Spot],
    out: &mut [R::Block],
) -> bool {
    match (basis, &octave.random) {
        (Basis::Cellular { output, jitter }, Random::Hashed(key)) => {
            set.run(Points::<_, _, R> { noise: Cells::new(key, output, jitter as f32), octave, sink, spots, out });
        }
        (Basis::CubicValue { cubic, .. }, Random::Hashed(key)) => {
            set.run(Points::<_, _, R> { noise: CubicBlock { key, cubic }, octave, sink, spots, out });
        }
        (Basis::SmoothedValue { fade, .. }, Random::Hashed(key)) => {
            with_fade!(fade => set.run(Points::<_, _, R> { noise: SmoothedBlock { key, fade }, octave, sink, spots, out }));
        }
        _ => return false,
    }
    true
}

struct Points<'a, B, S, R: RowReal> {
    noise: B,
    octave: &'a Octave,
    sink: S,
    spots: &'a [R::Spot],
    out: &'a mut [R::Block],
}

impl<B: InBlocks<2>, S: Sink, R: RowReal> Kernel for Points<'_, B, S, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        let Self { mut noise, octave, sink, spots, out } = self;
        for (out, spot) in out.iter_mut().zip(spots) {
            let mut at = [Wide::default(); 2];
            for lane in 0..LANES {
                let place = R::at(&turned::<R>(octave, spot, lane));
                for axis in 0..2 {
                    at[axis].0[lane] = octave.coordinate(axis, place[axis]);
                }
            }
            let Local { value, slopes } = noise.at(isa, &at, R::SLOPES);
            for lane in 0..LANES {
                let local = jet(value.0[lane], [slopes[0].0[lane], slopes[1].0[lane]]);
                let place = turned::<R>(octave, spot, lane);
                let found = R::lift(local, octave.frequency, &place);
                R::set(out, lane, sink.put(R::get(out, lane), found));
            }
        }
    }
}
