//! Rows of damped octaves: heights, and the derivatives of each octave's state.

use super::blocks::{GridRow, JetBlock, RowReal, Spot};
use super::fixed::ConvertLine;
use super::lines::{Advance, Lines, Prepare};
use super::positions::{Places, Positions};
use super::prepare::with_separable;
use super::rows::{Pass, Row};
use super::scattered;
use super::scratch::{Buffered, give_spots, take_spots};
use crate::basis::plane::Site;
use crate::basis::separable::{Separable, aligned};
use crate::basis::{Basis, Octave, perlin::Perlin, value::Value};
use crate::erosion::damped::{Damped, SampledOctave, State};
use crate::real::{Jet, Moving};
use crate::sampler::Leaf;
use crate::simd::{Isa, Kernel, LANES, Wide};

/// What a damped octave is sampled for: its value, and its slopes a step further along x and z.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sample {
    Here,
    Right,
    Far,
}

impl Sample {
    const ALL: [Self; 3] = [Self::Here, Self::Right, Self::Far];

    /// Those that are needed for a number.
    fn of<R: RowReal>() -> &'static [Self] {
        if R::SLOPES { &Self::ALL } else { &Self::ALL[..1] }
    }

    fn offset(self, step: f64) -> [f64; 2] {
        match self {
            Self::Here => [0.0; 2],
            Self::Right => [step, 0.0],
            Self::Far => [0.0, step],
        }
    }
}

impl Pass<'_> {
    /// Damped octaves that run along the grid and are not warped lie on lattices as plain octaves do.
    pub fn prepare_damped<R: RowReal>(&mut self, leaf: &Leaf, damped: &Damped, [xs, zs]: [&[f64]; 2], footprint: f64) {
        self.store_coordinates(leaf.slot, xs, zs).on_lattice = None;
        if !damped.stays() || leaf.octaves.iter().any(|octave| aligned(octave).is_none()) {
            return;
        }
        let visible = leaf.visible(footprint);
        let samples = Sample::of::<R>();
        let mut lines = std::mem::take(&mut self.scratch.slots[leaf.slot].lines);
        if lines.len() < visible * samples.len() {
            lines.resize_with(visible * samples.len(), Lines::default);
        }
        let [mut right, mut far] = [self.scratch.take_coordinates(), self.scratch.take_coordinates()];
        let set = self.set;
        let fixed = &mut self.scratch.slots[leaf.slot].fixed;
        let mut on_lattice = None;
        with_separable!(leaf, _basis, fade => {
            on_lattice = Some(visible);
            for (sample, lines) in samples.iter().zip(lines.chunks_mut(visible.max(1))) {
                for (octave, lines) in leaf.octaves[..visible].iter().zip(lines) {
                    let [x, z] = sample.offset(leaf.seen(octave, footprint).step());
                    right.clear();
                    right.extend(xs.iter().map(|metres| metres + x));
                    far.clear();
                    far.extend(zs.iter().map(|metres| metres + z));
                    let placed = aligned(octave).and_then(|plane| {
                        for (metres, line) in [&right, &far].into_iter().zip(&mut *fixed) {
                            set.run(ConvertLine { metres, base: plane.site.base, line });
                        }
                        Some((&plane.site, plane.seeds_over(fixed.each_ref().map(|line| line.ends))?))
                    });
                    // What spans several windows of the lattice is sampled point by point.
                    let Some((site, seeds)) = placed else {
                        on_lattice = None;
                        break;
                    };
                    let fixed = fixed.each_ref().map(|line| &*line.blocks);
                    set.run(Prepare { lines, site, seeds, repeats: Default::default(), fade, fixed, slopes: true });
                }
            }
        }, else {});
        self.scratch.give_coordinates(right);
        self.scratch.give_coordinates(far);
        let slot = &mut self.scratch.slots[leaf.slot];
        (slot.lines, slot.on_lattice) = (lines, on_lattice);
    }

    /// Damped octaves over a row of the grid.
    pub fn damped_row<R: Buffered>(&mut self, leaf: &Leaf, damped: &Damped, at: Row, out: &mut [R::Block]) {
        let spots = self.grid_spots::<R>(leaf.slot, at);
        match (leaf.basis, self.scratch.slots[leaf.slot].on_lattice) {
            (Basis::Perlin { .. }, Some(visible)) => {
                self.damped_lattice::<R>(Perlin, leaf, damped, at, visible, &spots, out);
            }
            (Basis::Value { .. }, Some(visible)) => {
                self.damped_lattice::<R>(Value, leaf, damped, at, visible, &spots, out);
            }
            _ => self.damped_points::<R>(leaf, damped, at.footprint, &spots, out),
        }
        give_spots::<R>(self.scratch, spots);
    }

    fn damped_lattice<R: Buffered>(
        &mut self,
        basis: impl Separable,
        leaf: &Leaf,
        damped: &Damped,
        at: Row,
        visible: usize,
        spots: &[R::Spot],
        out: &mut [R::Block],
    ) {
        self.damped_octaves::<R>(leaf, damped, at.footprint, spots, out, |pass, k, _, sample, out| {
            let lines = &mut pass.scratch.slots[leaf.slot].lines[sample as usize * visible + k..][..1];
            let octaves = &leaf.octaves[k..=k];
            pass.set.run(Advance { _basis: basis, lines, row: at.row, columns: at.columns });
            pass.set.run(NoiseRow { _basis: basis, lines: &lines[0], octave: &octaves[0], row: at.row, out });
        });
    }

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
        let is_stored = leaf.octaves.iter().any(|octave| octave.plane.is_none());
        let mut moved = take_spots::<Jet<2>>(self.scratch, if is_stored { spots.len() } else { 0 });
        self.damped_octaves::<R>(leaf, damped, footprint, spots, out, |pass, k, state, sample, out| {
            let octave = &leaf.octaves[k];
            let by = sample.offset(leaf.seen(octave, footprint).step());
            let places = DownSlope { damped, frequency: octave.frequency, spots, state, by };
            if is_stored {
                pass.set.run(Place { places, out: &mut moved });
                scattered::octave::<_, Jet<2>>(pass.set, leaf, octave, &moved[..], out);
            } else {
                scattered::octave::<_, Jet<2>>(pass.set, leaf, octave, places, out);
            }
        });
        give_spots::<Jet<2>>(self.scratch, moved);
    }

    /// Sums damped octaves. `sample` writes the noise of an octave, displaced by the state so far.
    fn damped_octaves<R: Buffered>(
        &mut self,
        leaf: &Leaf,
        damped: &Damped,
        footprint: f64,
        spots: &[R::Spot],
        out: &mut [R::Block],
        mut sample: impl FnMut(&mut Self, usize, &[JetBlock], Sample, &mut [JetBlock]),
    ) {
        let [mut noise, mut state] = self.rows::<Jet<2>, 2>(out.len());
        state.fill(Default::default());
        // What only slopes need.
        let mut more = if R::SLOPES { self.rows::<Jet<2>, 4>(out.len()) } else { Default::default() };
        let [right, far, along_x, along_z] = &mut more;
        along_x.fill(Default::default());
        along_z.fill(Default::default());
        for (k, octave) in leaf.octaves[..leaf.visible(footprint)].iter().enumerate() {
            let seen = leaf.seen(octave, footprint);
            sample(self, k, &state, Sample::Here, &mut noise);
            if R::SLOPES {
                sample(self, k, &state, Sample::Right, right);
                sample(self, k, &state, Sample::Far, far);
                let changes = [&mut **along_x, &mut **along_z];
                let beside = [&**right, &**far];
                self.set.run(Differentiate { damped, seen, state: &state, noise: &noise, beside, changes });
            }
            self.set.run(AddOctave { damped, seen, noise: &noise, state: &mut state });
        }
        self.set.run(StoreSums::<R> { spots, state: &state, changes: [along_x, along_z], out });
        if R::SLOPES {
            self.give_rows::<Jet<2>, 4>(more);
        }
        self.give_rows::<Jet<2>, 2>([noise, state]);
    }
}

/// An octave over a row of the grid itself.
struct NoiseRow<'a, S> {
    _basis: S,
    lines: &'a Lines,
    octave: &'a Octave,
    row: usize,
    out: &'a mut [JetBlock],
}

impl<S: Separable> Kernel for NoiseRow<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let Self { lines, octave, row, out, .. } = self;
        let frequency = octave.frequency as f32;
        let row = GridRow { at: lines.row(row), amplitude: octave.amplitude, frequency };
        let (cells, slopes) = lines.strips();
        for ((out, cells), slopes) in out.iter_mut().zip(cells).zip(slopes) {
            for lane in 0..LANES {
                let noise = <Jet<2> as RowReal>::in_cell::<S>(cells, slopes, lane, &row);
                <Jet<2> as RowReal>::set(out, lane, noise);
            }
        }
    }
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

/// Places moved down the slopes of the sums so far, and from there to a side.
struct DownSlope<'a, S> {
    damped: &'a Damped,
    frequency: f64,
    spots: &'a [S],
    state: &'a [JetBlock],
    by: [f64; 2],
}

impl<S> Clone for DownSlope<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for DownSlope<'_, S> {}

impl<S: Spot> Positions for DownSlope<'_, S> {
    #[inline(always)]
    fn skip(self, blocks: usize) -> Self {
        let (spots, state) = (self.spots.get(blocks..), self.state.get(blocks..));
        Self { spots: spots.unwrap_or_default(), state: state.unwrap_or_default(), ..self }
    }

    #[inline(always)]
    fn next(&mut self) -> [Wide; 2] {
        let (Some((spot, spots)), Some((state, states))) = (self.spots.split_first(), self.state.split_first()) else {
            return Default::default();
        };
        (self.spots, self.state) = (spots, states);
        let mut out = [Wide::default(); 2];
        for lane in 0..LANES {
            let down = self.damped.moved(state_of(state, lane), self.frequency);
            for axis in 0..2 {
                out[axis].0[lane] = spot.at()[axis].0[lane] + f64::from(down[axis]) + self.by[axis];
            }
        }
        out
    }

    fn range(&self, _site: &Site) -> Option<[[f64; 2]; 2]> {
        None
    }
}

impl<S: Spot> Places<Jet<2>> for DownSlope<'_, S> {
    fn stored(&self) -> Option<&[<Jet<2> as RowReal>::Spot]> {
        None
    }
}

/// Writes places to memory.
struct Place<'a, P> {
    places: P,
    out: &'a mut [<Jet<2> as RowReal>::Spot],
}

impl<P: Positions> Kernel for Place<'_, P> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let Self { mut places, out } = self;
        for out in out {
            let [x, z] = places.next();
            for lane in 0..LANES {
                <Jet<2> as RowReal>::put(out, lane, Moving::stretched([x.0[lane], z.0[lane]], [1.0, 1.0]));
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
