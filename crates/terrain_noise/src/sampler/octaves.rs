//! The octaves of a fractal, their bounds and their means.

use super::leaf::Leaf;
use super::node::{AnyRecipe, Node, with_recipe};
use crate::basis::fixed::SHARED;
use crate::basis::{Basis, Octave};
use crate::bounds::Interval;
use crate::fractal::{
    Fbm, Folded, FractalKind, Hybrid, Multifractal, PrintedRidgedMultifractal, Recipe, RidgedMultifractal, Sharp,
};
use crate::lattice::derive;
use crate::noise;

/// Octaves fainter than this do not change a 32-bit height.
const FAINTEST: f64 = 1e-9;

pub(super) fn compile_fractal(node: &noise::Fractal, seed: u64, slot: usize) -> (Node, Interval) {
    let (offset, gain) = (node.offset as f32, node.gain as f32);
    let recipe = match node.kind {
        FractalKind::Fbm => AnyRecipe::Fbm(Fbm),
        FractalKind::Billow => AnyRecipe::Billow(Folded::BILLOW),
        FractalKind::Ridged => AnyRecipe::Ridged(Folded::RIDGED),
        FractalKind::Multifractal => AnyRecipe::Multifractal(Multifractal::musgrave(offset)),
        FractalKind::PrintedMultifractal => AnyRecipe::PrintedMultifractal(Multifractal::printed(offset)),
        FractalKind::RidgedMultifractal => AnyRecipe::RidgedMultifractal(RidgedMultifractal { offset, gain }),
        FractalKind::PrintedRidgedMultifractal => {
            AnyRecipe::PrintedRidgedMultifractal(PrintedRidgedMultifractal { offset })
        }
        FractalKind::HybridMultifractal => AnyRecipe::Hybrid(Hybrid { offset, gain }),
    };
    let leaf = Leaf::new(node.basis, octaves(node, seed), slot, node.rounding);
    with_recipe!(recipe, known => {
        let interval = fractal_interval(&leaf, known);
        let mean = mean_signal(&leaf, known);
        (Node::Fractal { leaf, recipe, mean }, interval)
    })
}

/// The fractal with the same octaves as a damped one.
pub(super) fn damped_octaves(node: &noise::Damped) -> noise::Fractal {
    let noise::Damped { basis, octaves, feature_size, lacunarity, persistence, rotation, .. } = *node;
    noise::Fractal { basis, octaves, feature_size, lacunarity, persistence, rotation, ..noise::Fractal::default() }
}

pub(super) fn octaves(node: &noise::Fractal, seed: u64) -> Vec<Octave> {
    let mut octaves = Vec::with_capacity(node.octaves as usize);
    let (mut frequency, mut amplitude) = (1.0 / node.feature_size, 1.0);
    let mut period = node.periods().map(i64::from);
    for k in 0..node.octaves {
        if k > 0 && amplitude < FAINTEST && matches!(node.kind, FractalKind::Fbm | FractalKind::Billow) {
            break;
        }
        let seed = derive(seed, 1 + u64::from(k));
        let shift = if node.lacunarity == 2.0 && node.rotation == 0.0 { k % SHARED } else { 0 };
        let mut octave = Octave::new(node.basis, seed, frequency, amplitude as f32, period).shifted(seed, shift);
        if node.rotation != 0.0 && k > 0 {
            let radians = (node.rotation * f64::from(k)).to_radians();
            octave.turn = Some([libm::cos(radians), libm::sin(radians)]);
        }
        octaves.push(octave);
        // Validated: a whole number, and no period beyond what an f64 counts exactly.
        period = period.map(|cells| cells * node.lacunarity as i64);
        frequency *= node.lacunarity;
        amplitude *= node.persistence;
    }
    octaves
}

fn fractal_interval(leaf: &Leaf, recipe: impl Recipe) -> Interval {
    let signal = recipe.signal(Interval::new(-1.0, 1.0), Sharp);
    let mut state = recipe.begin(signal);
    for octave in leaf.octaves.iter().skip(1) {
        state = recipe.next(state, signal, octave.amplitude);
    }
    state.sum
}

/// The mean contribution of an octave, measured on a fixed area.
pub(super) fn mean_signal(leaf: &Leaf, recipe: impl Recipe) -> f32 {
    const SIDE: u32 = 64;
    let octave = Octave::new(leaf.basis, derive(0, 0), 1.0, 1.0, [0; 3]).shifted(derive(0, 0), 0);
    let mut sum = 0.0;
    for j in 0..SIDE {
        for i in 0..SIDE {
            // A little more than a third of a cell: all parts of cells are sampled, in many cells.
            let at = [f64::from(i) * 0.383, f64::from(j) * 0.383];
            let noise = octave.at(leaf.basis, at).value;
            // Every other basis is symmetric around 0: taking both signs makes the mean of a plain sum
            // exactly 0.
            let mirrored = if matches!(leaf.basis, Basis::Cellular { .. }) { noise } else { -noise };
            sum += 0.5 * (f64::from(recipe.signal(noise, Sharp)) + f64::from(recipe.signal(mirrored, Sharp)));
        }
    }
    (sum / f64::from(SIDE * SIDE)) as f32
}
