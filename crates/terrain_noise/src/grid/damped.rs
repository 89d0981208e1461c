//! Rows of damped octaves: heights, and the derivatives of each octave's state.

use super::blocks::{JetBlock, RowReal};
use super::erosion::{OffsetPlaces, Plain};
use super::rows::Pass;
use super::scattered;
use super::scratch::{Buffered, give_spots, take_spots};
use crate::erosion::damped::{Damped, SampledOctave, State};
use crate::real::{Jet, Moving};
use crate::sampler::Leaf;
use crate::simd::{Isa, Kernel, LANES};

impl Pass<'_> {
    /// Damped octaves at points. Not inlined: the recursion through all nodes should not reserve stack for it.
    #[inline(never)]
    pub fn damped_points<R: Buffered>(
        &mut self,
        leaf: &Leaf,
        damped: &Damped,
        footprint: f64,
        spots: &[R::Spot],
        out: &mut [R::Block],
    ) {
        let mut plain = take_spots::<f32>(self.scratch, spots.len());
        self.set.run(OffsetPlaces::<R> { spots, by: [0.0; 2], out: &mut plain });
        let [mut noise, mut state] = self.rows::<Jet<2>, 2>(out.len());
        state.fill(Default::default());
        let mut moved = take_spots::<Jet<2>>(self.scratch, spots.len());
        // What only slopes need.
        let (mut next_to, mut more) = <(Vec<_>, [Vec<_>; 4])>::default();
        if R::SLOPES {
            next_to = take_spots::<Jet<2>>(self.scratch, spots.len());
            more = self.rows::<Jet<2>, 4>(out.len());
        }
        let [mut right, mut far, mut along_x, mut along_z] = more;
        along_x.fill(Default::default());
        along_z.fill(Default::default());
        for octave in &leaf.octaves[..leaf.visible(footprint)] {
            let seen = leaf.seen(octave, footprint);
            self.set.run(MoveDownSlope {
                damped,
                frequency: octave.frequency,
                spots: &plain,
                state: &state,
                out: &mut moved,
            });
            scattered::octave::<Jet<2>>(self.set, leaf, octave, &moved, &mut noise);
            if R::SLOPES {
                for (by, beside) in [([seen.step(), 0.0], &mut right), ([0.0, seen.step()], &mut far)] {
                    self.set.run(StepAside { spots: &moved, by, out: &mut next_to });
                    scattered::octave::<Jet<2>>(self.set, leaf, octave, &next_to, beside);
                }
                let changes = [&mut *along_x, &mut *along_z];
                self.set.run(Differentiate {
                    damped,
                    seen,
                    state: &state,
                    noise: &noise,
                    beside: [&right, &far],
                    changes,
                });
            }
            self.set.run(AddOctave { damped, seen, noise: &noise, state: &mut state });
        }
        self.set.run(StoreSums::<R> { spots, state: &state, changes: [&along_x, &along_z], out });
        if R::SLOPES {
            self.give_rows::<Jet<2>, 4>([right, far, along_x, along_z]);
            give_spots::<Jet<2>>(self.scratch, next_to);
        }
        self.give_rows::<Jet<2>, 2>([noise, state]);
        give_spots::<Jet<2>>(self.scratch, moved);
        give_spots::<f32>(self.scratch, plain);
    }
}

/// Moves places down the slope of the sum so far.
struct MoveDownSlope<'a> {
    damped: &'a Damped,
    frequency: f64,
    spots: &'a [Plain],
    state: &'a [JetBlock],
    out: &'a mut [<Jet<2> as RowReal>::Spot],
}

/// Reads a state that is stored as a number with slopes.
#[inline(always)]
fn state_of(block: &JetBlock, lane: usize) -> State<2> {
    let Jet { value, gradient } = <Jet<2> as RowReal>::get(block, lane);
    State { sum: value, slope: gradient }
}

#[inline(always)]
fn set_state(block: &mut JetBlock, lane: usize, state: State<2>) {
    <Jet<2> as RowReal>::set(block, lane, Jet { value: state.sum, gradient: state.slope });
}

impl Kernel for MoveDownSlope<'_> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        for ((spot, state), out) in self.spots.iter().zip(self.state).zip(self.out) {
            for lane in 0..LANES {
                let [x, z] = self.damped.moved(state_of(state, lane), self.frequency);
                let at = [spot[0].0[lane] + f64::from(x), spot[1].0[lane] + f64::from(z)];
                <Jet<2> as RowReal>::put(out, lane, Moving::stretched(at, [1.0, 1.0]));
            }
        }
    }
}

/// Places a step away from others.
struct StepAside<'a> {
    spots: &'a [<Jet<2> as RowReal>::Spot],
    by: [f64; 2],
    out: &'a mut [<Jet<2> as RowReal>::Spot],
}

impl Kernel for StepAside<'_> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        for (spot, out) in self.spots.iter().zip(self.out) {
            for lane in 0..LANES {
                let [x, z] = <Jet<2> as RowReal>::place_of(spot, lane).at;
                let at = [x + self.by[0], z + self.by[1]];
                <Jet<2> as RowReal>::put(out, lane, Moving::stretched(at, [1.0, 1.0]));
            }
        }
    }
}

/// Updates the derivatives of the states along x and z by an octave.
struct Differentiate<'a> {
    damped: &'a Damped,
    seen: SampledOctave,
    state: &'a [JetBlock],
    noise: &'a [JetBlock],
    beside: [&'a [JetBlock]; 2],
    changes: [&'a mut [JetBlock]; 2],
}

impl Kernel for Differentiate<'_> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let Self { damped, seen, state, noise, beside: [right, far], changes: [along_x, along_z] } = self;
        let beside = right.iter().zip(far);
        let changes = along_x.iter_mut().zip(along_z);
        for (((state, noise), (right, far)), (x, z)) in state.iter().zip(noise).zip(beside).zip(changes) {
            // Copies, as the references may alias.
            let (mut along_x, mut along_z) = (*x, *z);
            for lane in 0..LANES {
                let jet = |block| <Jet<2> as RowReal>::get(block, lane);
                let changes = [state_of(&along_x, lane), state_of(&along_z, lane)];
                let [x, z] = damped.changes(state_of(state, lane), changes, jet(noise), [jet(right), jet(far)], &seen);
                set_state(&mut along_x, lane, x);
                set_state(&mut along_z, lane, z);
            }
            (*x, *z) = (along_x, along_z);
        }
    }
}

/// Adds an octave.
struct AddOctave<'a> {
    damped: &'a Damped,
    seen: SampledOctave,
    noise: &'a [JetBlock],
    state: &'a mut [JetBlock],
}

impl Kernel for AddOctave<'_> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        for (noise, state) in self.noise.iter().zip(self.state) {
            for lane in 0..LANES {
                let noise = <Jet<2> as RowReal>::get(noise, lane);
                set_state(state, lane, self.damped.next(state_of(state, lane), noise, &self.seen));
            }
        }
    }
}

/// Writes the sums with their slopes, converted to the original position.
struct StoreSums<'a, R: RowReal> {
    spots: &'a [R::Spot],
    state: &'a [JetBlock],
    changes: [&'a [JetBlock]; 2],
    out: &'a mut [R::Block],
}

impl<R: RowReal> Kernel for StoreSums<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        for (i, (spot, out)) in self.spots.iter().zip(self.out).enumerate() {
            for lane in 0..LANES {
                let gradient = if R::SLOPES { self.changes.map(|along| along[i][0].0[lane]) } else { [0.0; 2] };
                let local = Jet { value: self.state[i][0].0[lane], gradient };
                R::set(out, lane, R::lift(local, 1.0, &R::place_of(spot, lane)));
            }
        }
    }
}
