//! A basis with its octaves, and the fractals of it at one position.

use crate::basis::batch::{Batch, EIGHT};
use crate::basis::separable::aligned;
use crate::basis::{Basis, Octave, jet};
use crate::erosion::damped::{Damped, SampledOctave, State};
use crate::fractal::{Recipe, Round};
use crate::real::{Field, Jet, Real, each};
use crate::simd::DetectedIsa;

/// A basis with its octaves.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub basis: Basis,
    pub octaves: Vec<Octave>,
    pub slot: usize,
    /// Samples over which creases are rounded off.
    rounding: f64,
    /// The octaves in batches, if points can be evaluated that way.
    batches: Vec<Batch>,
}

impl Leaf {
    pub fn new(basis: Basis, octaves: Vec<Octave>, slot: usize, rounding: f64) -> Self {
        let batches = Batch::all(&octaves);
        Self { basis, octaves, slot, rounding, batches }
    }

    /// Samples over which creases are rounded off.
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// Whether the lattices of all octaves run along the axes and are hashed.
    pub fn is_aligned(&self) -> bool {
        self.octaves.iter().all(|octave| aligned(octave).is_some())
    }

    /// Whether all octaves are on the plane, hashed.
    pub fn is_on_plane(&self) -> bool {
        self.octaves.iter().all(|octave| octave.plane.is_some())
    }

    /// How an octave is folded where samples are `footprint` metres apart.
    #[inline(always)]
    pub fn fold(&self, octave: &Octave, footprint: f64) -> Round {
        Round::new(self.rounding, octave.frequency, footprint)
    }

    /// The share of an octave that samples `footprint` metres apart can show, 0 to 1.
    #[inline(always)]
    pub fn share(&self, octave: &Octave, footprint: f64) -> f32 {
        if footprint > 0.0 { (0.5 / (octave.frequency * footprint) - 1.0).clamp(0.0, 1.0) as f32 } else { 1.0 }
    }

    /// An octave as sampled every `footprint` metres.
    #[inline(always)]
    pub fn seen(&self, octave: &Octave, footprint: f64) -> SampledOctave {
        let Octave { frequency, amplitude, .. } = *octave;
        SampledOctave { frequency, amplitude, fold: self.fold(octave, footprint), share: self.share(octave, footprint) }
    }

    /// The number of octaves that are not faded out: frequencies rise, so these are the first.
    #[inline(always)]
    pub fn visible(&self, footprint: f64) -> usize {
        let left = |octave: &&Octave| self.share(octave, footprint) > 0.0;
        self.octaves.iter().take_while(left).count()
    }

    /// One octave at one position.
    pub fn noise<const D: usize, R: Field<D>>(&self, octave: &Octave, place: &R::Place) -> R {
        match octave.turned::<D>() {
            None => R::lift(octave.at(self.basis, R::at(place)), octave.frequency, place),
            Some(matrix) => {
                let place = R::moved(place, &matrix, &[0.0; D]);
                R::lift(octave.at(self.basis, R::at(&place)), octave.frequency, &place)
            }
        }
    }
}

/// All octaves of a damped fractal at one position.
pub(super) fn damped<const D: usize, R: Field<D>>(leaf: &Leaf, damped: &Damped, place: &R::Place, footprint: f64) -> R {
    let at = R::at(place);
    let (mut state, mut changes) = (State::default(), [State::default(); D]);
    for octave in &leaf.octaves[..leaf.visible(footprint)] {
        let moved = damped.moved(state, octave.frequency);
        let there: [f64; D] = each(|axis| at[axis] + f64::from(moved[axis]));
        let noise = leaf.noise::<D, Jet<D>>(octave, &Jet::place(there));
        let seen = leaf.seen(octave, footprint);
        if R::SLOPES {
            let beside = each(|axis| {
                let mut there = there;
                there[axis] += seen.step();
                leaf.noise::<D, Jet<D>>(octave, &Jet::place(there))
            });
            changes = damped.changes(state, changes, noise, beside, &seen);
        }
        state = damped.next(state, noise, &seen);
    }
    R::lift(Jet { value: state.sum, gradient: each(|axis| changes[axis].sum) }, 1.0, place)
}

/// What an octave contributes when only `share` of it is visible: the rest is its mean.
#[inline(always)]
pub(crate) fn faded<R: Real>(signal: R, mean: f32, share: f32) -> R {
    if share < 1.0 { (signal - mean) * share + mean } else { signal }
}

/// All octaves of a fractal at one position.
#[inline(always)]
pub(super) fn fractal<const D: usize, R: Field<D>>(
    leaf: &Leaf,
    recipe: impl Recipe,
    mean: f32,
    place: &R::Place,
    footprint: f64,
    set: DetectedIsa,
) -> R {
    // Slopes are those of a place that does not move, until the last line.
    let (own, whole) = (R::place(R::at(place)), leaf.visible(footprint));
    let signal = |octave: &Octave, noise| {
        faded(recipe.signal(noise, leaf.fold(octave, footprint)), mean, leaf.share(octave, footprint))
    };
    let (seen, unseen) = leaf.octaves.split_at(whole);
    let mut state = None;
    let mut add = |octave: &Octave, noise| {
        let signal = signal(octave, noise);
        state = Some(match state {
            None => recipe.begin(signal),
            Some(state) => recipe.next(state, signal, octave.amplitude),
        });
    };
    if D == 2 && !leaf.batches.is_empty() {
        for (octaves, batch) in seen.chunks(EIGHT).zip(&leaf.batches) {
            let locals = batch.at(set, leaf.basis, R::SLOPES, R::at(place));
            for (n, octave) in octaves.iter().enumerate() {
                let local = jet(locals[0][n], [locals[1][n], locals[2][n]]);
                add(octave, R::lift(local, octave.frequency, &own));
            }
        }
    } else {
        for octave in seen {
            add(octave, leaf.noise::<D, R>(octave, &own));
        }
    }
    let (state, unseen) = match (state, unseen.split_first()) {
        (Some(state), _) => (state, unseen),
        (None, Some((_, rest))) => (recipe.begin(R::constant(mean)), rest),
        (None, None) => return R::constant(0.0),
    };
    recipe.rest(state, mean, unseen).sum.carried(1.0, place)
}
