//! Fractals in space: an octave of all blocks before the next.

use super::blocks::SpaceReal;
use crate::basis::block::{InBlocks, Local};
use crate::basis::space::{PerlinSpace, SpaceBlock, ValueSpace};
use crate::basis::{Basis, Octave, Quintic, Random, jet};
use crate::erosion::damped::SampledOctave;
use crate::fractal::{Recipe, State};
use crate::interpolation::Fade;
use crate::sampler::{Leaf, faded};
use crate::simd::{DetectedIsa, Isa, Kernel, LANES, Wide, block_by_block};

/// A fractal at blocks of positions.
pub(super) struct Fractal<'a, C, R: SpaceReal> {
    pub leaf: &'a Leaf,
    pub recipe: C,
    pub mean: f32,
    pub footprint: f64,
    pub spots: &'a [R::Spot],
    pub out: &'a mut [R::Block],
}

impl<C: Recipe, R: SpaceReal> Fractal<'_, C, R> {
    /// `noise` and `weights` are for what happens between two octaves, and as long as the blocks.
    ///
    /// The noise and the sum are kernels of their own: every basis with every recipe would be eight times as much code.
    pub fn run(self, set: DetectedIsa, noise: &mut [R::Block], weights: &mut [R::Block]) {
        let Self { leaf, recipe, mean, footprint, spots, out } = self;
        let visible = leaf.visible(footprint);
        for (index, octave) in leaf.octaves[..visible].iter().enumerate() {
            octave_at::<R>(set, leaf, octave, spots, noise);
            let (octave, is_first) = (leaf.seen(octave, footprint), index == 0);
            set.run(Add::<_, R> { recipe, mean, octave, is_first, noise, sums: out, weights });
        }
        set.run(Finish::<_, R> { recipe, mean, octaves: &leaf.octaves, visible, spots, sums: out, weights });
    }
}

/// Writes an octave's noise at blocks of positions.
fn octave_at<R: SpaceReal>(set: DetectedIsa, leaf: &Leaf, octave: &Octave, spots: &[R::Spot], noise: &mut [R::Block]) {
    match (&octave.random, leaf.basis) {
        (Random::Hashed(key), Basis::Perlin { fade: Fade::Quintic, .. }) => {
            let basis = SpaceBlock { _basis: PerlinSpace, fade: Quintic, key };
            set.run(InLanes::<_, R> { basis, octave, spots, noise });
        }
        (Random::Hashed(key), Basis::Perlin { fade, .. }) => {
            set.run(InLanes::<_, R> { basis: SpaceBlock { _basis: PerlinSpace, fade, key }, octave, spots, noise });
        }
        (Random::Hashed(key), Basis::Value { fade: Fade::Quintic, .. }) => {
            let basis = SpaceBlock { _basis: ValueSpace, fade: Quintic, key };
            set.run(InLanes::<_, R> { basis, octave, spots, noise });
        }
        (Random::Hashed(key), Basis::Value { fade, .. }) => {
            set.run(InLanes::<_, R> { basis: SpaceBlock { _basis: ValueSpace, fade, key }, octave, spots, noise });
        }
        // There is no formula in lanes.
        _ => {
            for (spot, noise) in spots.iter().zip(noise) {
                for lane in 0..LANES {
                    R::set(noise, lane, leaf.noise::<3, R>(octave, &own::<R>(spot, lane)));
                }
            }
        }
    }
}

/// The place of a lane, with slopes as if it did not move.
#[inline(always)]
fn own<R: SpaceReal>(spot: &R::Spot, lane: usize) -> R::Place {
    R::place(R::at(&R::place_of(spot, lane)))
}

/// The sum of the octaves so far, and the weight of the next.
#[inline(always)]
fn held<C: Recipe, R: SpaceReal>(sum: &R::Block, weight: &R::Block, lane: usize) -> State<R> {
    State { sum: R::get(sum, lane), weight: if C::WEIGHTED { R::get(weight, lane) } else { R::constant(1.0) } }
}

/// Adds an octave to the sums of those before.
struct Add<'a, C, R: SpaceReal> {
    recipe: C,
    mean: f32,
    octave: SampledOctave,
    is_first: bool,
    noise: &'a [R::Block],
    sums: &'a mut [R::Block],
    weights: &'a mut [R::Block],
}

impl<C: Recipe, R: SpaceReal> Kernel for Add<'_, C, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _: impl Isa<W>) {
        let Self { recipe, mean, is_first, .. } = self;
        let SampledOctave { amplitude, fold, share, .. } = self.octave;
        for ((noise, out), weights) in self.noise.iter().zip(self.sums).zip(self.weights) {
            block_by_block();
            // Copies, as the references may alias; and loops without branches, which every set can vectorise.
            let (noise, mut sum) = (*noise, *out);
            let mut weight = if C::WEIGHTED { *weights } else { R::Block::default() };
            let mut signals = R::Block::default();
            for lane in 0..LANES {
                R::set(&mut signals, lane, recipe.signal(R::get(&noise, lane), fold));
            }
            if share < 1.0 {
                for lane in 0..LANES {
                    let signal = faded(R::get(&signals, lane), mean, share);
                    R::set(&mut signals, lane, signal);
                }
            }
            if is_first {
                for lane in 0..LANES {
                    let state = recipe.begin(R::get(&signals, lane));
                    R::set(&mut sum, lane, state.sum);
                    if C::WEIGHTED {
                        R::set(&mut weight, lane, state.weight);
                    }
                }
            } else {
                for lane in 0..LANES {
                    let state = recipe.next(held::<C, R>(&sum, &weight, lane), R::get(&signals, lane), amplitude);
                    R::set(&mut sum, lane, state.sum);
                    if C::WEIGHTED {
                        R::set(&mut weight, lane, state.weight);
                    }
                }
            }
            *out = sum;
            if C::WEIGHTED {
                *weights = weight;
            }
        }
    }
}

/// Adds the octaves that are faded to their mean, and converts slopes from the coordinates of the places to the original
/// position.
struct Finish<'a, C, R: SpaceReal> {
    recipe: C,
    mean: f32,
    octaves: &'a [Octave],
    visible: usize,
    spots: &'a [R::Spot],
    sums: &'a mut [R::Block],
    weights: &'a [R::Block],
}

impl<C: Recipe, R: SpaceReal> Kernel for Finish<'_, C, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _: impl Isa<W>) {
        let Self { recipe, mean, visible, .. } = self;
        let rest = self.octaves.get(visible.max(1)..).unwrap_or_default();
        for ((spot, out), weight) in self.spots.iter().zip(self.sums).zip(self.weights) {
            block_by_block();
            let mut sum = *out;
            for lane in 0..LANES {
                let state =
                    if visible == 0 { recipe.begin(R::constant(mean)) } else { held::<C, R>(&sum, weight, lane) };
                let mut value = recipe.rest(state, mean, rest).sum;
                if R::SLOPES {
                    value = value.carried(1.0, &R::place_of(spot, lane));
                }
                R::set(&mut sum, lane, value);
            }
            *out = sum;
        }
    }
}

/// An octave of a basis that has a formula in lanes.
struct InLanes<'a, B, R: SpaceReal> {
    basis: B,
    octave: &'a Octave,
    spots: &'a [R::Spot],
    noise: &'a mut [R::Block],
}

impl<B: InBlocks<3>, R: SpaceReal> Kernel for InLanes<'_, B, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(mut self, isa: impl Isa<W>) {
        for (spot, noise) in self.spots.iter().zip(self.noise) {
            *noise = one::<R, W>(isa, &mut self.basis, self.octave, spot);
        }
    }
}

/// One octave of a block.
#[inline(always)]
fn one<R: SpaceReal, const W: usize>(
    isa: impl Isa<W>,
    basis: &mut impl InBlocks<3>,
    octave: &Octave,
    spot: &R::Spot,
) -> R::Block {
    let turn = octave.turned::<3>();
    let mut at = [Wide::default(); 3];
    for lane in 0..LANES {
        let place = turned::<R>(turn.as_ref(), spot, lane);
        let place = R::at(&place);
        for axis in 0..3 {
            at[axis].0[lane] = octave.coordinate(axis, place[axis]);
        }
    }
    let Local { value, slopes } = basis.at(isa, &at, R::SLOPES);
    let mut out = R::Block::default();
    for lane in 0..LANES {
        let local = jet(value.0[lane], [slopes[0].0[lane], slopes[1].0[lane], slopes[2].0[lane]]);
        R::set(&mut out, lane, R::lift(local, octave.frequency, &turned::<R>(turn.as_ref(), spot, lane)));
    }
    out
}

/// A place in the octave's own coordinates.
#[inline(always)]
fn turned<R: SpaceReal>(turn: Option<&[[f64; 3]; 3]>, spot: &R::Spot, lane: usize) -> R::Place {
    let place = own::<R>(spot, lane);
    match turn {
        None => place,
        Some(matrix) => R::moved(&place, matrix, &[0.0; 3]),
    }
}
