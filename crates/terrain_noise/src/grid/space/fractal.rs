//! Fractals in space: all octaves of a block before the next.

use super::blocks::SpaceReal;
use crate::basis::block::{InBlocks, Local};
use crate::basis::space::{PerlinSpace, SpaceBlock, Spatial, ValueSpace};
use crate::basis::{Basis, Curve, Octave, Quintic, Random, jet};
use crate::fractal::{Recipe, State};
use crate::interpolation::Fade;
use crate::sampler::{Leaf, faded};
use crate::simd::{DetectedIsa, Isa, Kernel, LANES, Wide};

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
    pub fn run(self, set: DetectedIsa) {
        let hashed = |octave: &Octave| matches!(octave.random, Random::Hashed(_));
        match self.leaf.basis {
            _ if !self.leaf.octaves.iter().all(hashed) => self.one_by_one(),
            Basis::Perlin { fade: Fade::Quintic, .. } => {
                set.run(Octaves { basis: PerlinSpace, fade: Quintic, of: self });
            }
            Basis::Perlin { fade, .. } => set.run(Octaves { basis: PerlinSpace, fade, of: self }),
            Basis::Value { fade: Fade::Quintic, .. } => set.run(Octaves { basis: ValueSpace, fade: Quintic, of: self }),
            Basis::Value { fade, .. } => set.run(Octaves { basis: ValueSpace, fade, of: self }),
            _ => self.one_by_one(),
        }
    }

    /// A basis that has no formula in lanes.
    fn one_by_one(self) {
        for (spot, out) in self.spots.iter().zip(&mut *self.out) {
            let mut sum = Sum::<R>::default();
            for octave in &self.leaf.octaves[..self.leaf.visible(self.footprint)] {
                let mut noise = R::Block::default();
                for lane in 0..LANES {
                    R::set(&mut noise, lane, self.leaf.noise::<3, R>(octave, &own::<R>(spot, lane)));
                }
                sum.add(self.leaf, self.recipe, self.mean, self.footprint, octave, &noise);
            }
            *out = carried::<R>(spot, sum.rest(self.leaf, self.recipe, self.mean));
        }
    }
}

/// The place of a lane, with slopes as if it did not move.
#[inline(always)]
fn own<R: SpaceReal>(spot: &R::Spot, lane: usize) -> R::Place {
    R::place(R::at(&R::place_of(spot, lane)))
}

/// Converts the slopes of a sum, from the coordinates of its places to the original position.
#[inline(always)]
fn carried<R: SpaceReal>(spot: &R::Spot, sum: R::Block) -> R::Block {
    let mut all = sum;
    if R::SLOPES {
        for lane in 0..LANES {
            let value = R::get(&all, lane).carried(1.0, &R::place_of(spot, lane));
            R::set(&mut all, lane, value);
        }
    }
    all
}

/// The sum of the octaves so far, and the weight of the next.
struct Sum<R: SpaceReal> {
    sum: R::Block,
    weight: R::Block,
    octaves: usize,
}

impl<R: SpaceReal> Default for Sum<R> {
    #[inline(always)]
    fn default() -> Self {
        Self { sum: R::Block::default(), weight: R::Block::default(), octaves: 0 }
    }
}

impl<R: SpaceReal> Sum<R> {
    #[inline(always)]
    fn add(&mut self, leaf: &Leaf, recipe: impl Recipe, mean: f32, footprint: f64, octave: &Octave, noise: &R::Block) {
        let (share, fold) = (leaf.share(octave, footprint), leaf.fold(octave, footprint));
        for lane in 0..LANES {
            let signal = faded(recipe.signal(R::get(noise, lane), fold), mean, share);
            let state = if self.octaves == 0 {
                recipe.begin(signal)
            } else {
                let state = State { sum: R::get(&self.sum, lane), weight: R::get(&self.weight, lane) };
                recipe.next(state, signal, octave.amplitude)
            };
            R::set(&mut self.sum, lane, state.sum);
            R::set(&mut self.weight, lane, state.weight);
        }
        self.octaves += 1;
    }

    /// Adds the octaves that are faded to their mean.
    #[inline(always)]
    fn rest(mut self, leaf: &Leaf, recipe: impl Recipe, mean: f32) -> R::Block {
        let rest = &leaf.octaves[self.octaves..];
        let begin = if self.octaves == 0 { rest.split_first() } else { None };
        let rest = begin.map_or(rest, |(_, rest)| rest);
        if begin.is_none() && rest.is_empty() {
            return self.sum;
        }
        for lane in 0..LANES {
            let state = match begin {
                Some(_) => recipe.begin(R::constant(mean)),
                None => State { sum: R::get(&self.sum, lane), weight: R::get(&self.weight, lane) },
            };
            R::set(&mut self.sum, lane, recipe.rest(state, mean, rest).sum);
        }
        self.sum
    }
}

struct Octaves<'a, B, F, C, R: SpaceReal> {
    basis: B,
    fade: F,
    of: Fractal<'a, C, R>,
}

impl<B: Spatial, F: Curve, C: Recipe, R: SpaceReal> Kernel for Octaves<'_, B, F, C, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        let Fractal { leaf, recipe, mean, footprint, spots, out } = self.of;
        let visible = leaf.visible(footprint);
        for (spot, out) in spots.iter().zip(out) {
            let mut sum = Sum::<R>::default();
            for octave in &leaf.octaves[..visible] {
                // None but hashed octaves come here.
                if let Random::Hashed(key) = &octave.random {
                    let mut basis = SpaceBlock { _basis: self.basis, fade: self.fade, key };
                    let noise = one::<R, W>(isa, &mut basis, octave, spot);
                    sum.add(leaf, recipe, mean, footprint, octave, &noise);
                }
            }
            *out = carried::<R>(spot, sum.rest(leaf, recipe, mean));
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
