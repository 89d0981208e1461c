//! What is carved into a block of the land, octave by octave.

use super::points::Points;
use crate::erosion::gullies::{Course, Gullies, STATE, SampledGully, State};
use crate::erosion::spline::{ORDERS, TAPS, shape};
use crate::erosion::stripes::Stripes;
use crate::grid::between::BetweenLanes;
use crate::grid::blocks::RowReal;
use crate::simd::{Isa, LANES, Lanes};

/// Numbers of the states of a block.
pub type States<R> = [<R as RowReal>::Block; STATE];

#[inline(always)]
pub fn state_of<R: RowReal>(states: &States<R>, lane: usize) -> State<R> {
    let mut all = [R::default(); STATE];
    for i in 0..STATE {
        all[i] = R::get(&states[i], lane);
    }
    State::of(all)
}

#[inline(always)]
pub fn set_state<R: RowReal>(states: &mut States<R>, lane: usize, state: State<R>) {
    for (block, number) in states.iter_mut().zip(state.numbers()) {
        R::set(block, lane, number);
    }
}

/// Where blocks find the waves around them.
pub trait Waves<const W: usize> {
    /// The middles of the waves of an octave around the `n`-th block, and where columns and rows lie between them.
    fn around(&self, n: usize, octave: usize) -> ([[[f32; LANES]; 3]; 4], [BetweenLanes; 2]);
}

/// All octaves of `N` blocks: what is added to the land. Every octave has to wait for the roots and divisions of the
/// one before; those of several blocks, step by step, hide behind each other.
#[inline(always)]
pub fn carve<R: RowReal, const W: usize, const N: usize>(
    gullies: &Gullies,
    octaves: &[SampledGully],
    mut states: [States<R>; N],
    waves: &impl Waves<W>,
) -> [R::Block; N] {
    let sharpness = gullies.sharpness();
    for (k, octave) in octaves.iter().enumerate() {
        // A copy: what is behind a reference may alias the states.
        let octave = *octave;
        // In steps: the compiler would unroll one long loop before vectorising it.
        let [mut across_x, mut across_z, mut steady] = [[R::Block::default(); N]; 3];
        for n in 0..N {
            for lane in 0..LANES {
                let course = Gullies::course(&state_of::<R>(&states[n], lane), &octave);
                R::set(&mut across_x[n], lane, course.across[0]);
                R::set(&mut across_z[n], lane, course.across[1]);
                R::set(&mut steady[n], lane, course.steady);
            }
        }
        if octave.is_visible() {
            let Some(stripes) = gullies.stripe(k) else { continue };
            let [mut cos, mut sin] = [[R::Block::default(); N]; 2];
            for n in 0..N {
                let (middles, places) = waves.around(n, k);
                for (corner, [x, z, phase]) in middles.iter().enumerate() {
                    for lane in 0..LANES {
                        let at = [places[0].lane(lane), places[1].lane(lane)];
                        let across = [R::get(&across_x[n], lane), R::get(&across_z[n], lane)];
                        let [c, s] = stripes.share::<R>(at, corner, [x[lane], z[lane], phase[lane]], across);
                        let sums = (R::get(&cos[n], lane) + c, R::get(&sin[n], lane) + s);
                        R::set(&mut cos[n], lane, sums.0);
                        R::set(&mut sin[n], lane, sums.1);
                    }
                }
            }
            for n in 0..N {
                for lane in 0..LANES {
                    let [c, s] = Stripes::stretched([R::get(&cos[n], lane), R::get(&sin[n], lane)]);
                    R::set(&mut cos[n], lane, c);
                    R::set(&mut sin[n], lane, s);
                }
            }
            for n in 0..N {
                for lane in 0..LANES {
                    let course = Course {
                        across: [R::get(&across_x[n], lane), R::get(&across_z[n], lane)],
                        steady: R::get(&steady[n], lane),
                    };
                    let wave = [R::get(&cos[n], lane), R::get(&sin[n], lane)];
                    let state = state_of::<R>(&states[n], lane);
                    let next = Gullies::next(sharpness, state, course, wave, &octave);
                    set_state::<R>(&mut states[n], lane, next);
                }
            }
        } else {
            for n in 0..N {
                for lane in 0..LANES {
                    let course = Course {
                        across: [R::get(&across_x[n], lane), R::get(&across_z[n], lane)],
                        steady: R::get(&steady[n], lane),
                    };
                    let next = Gullies::rest(state_of::<R>(&states[n], lane), course, &octave);
                    set_state::<R>(&mut states[n], lane, next);
                }
            }
        }
    }
    let mut carved = [R::Block::default(); N];
    for n in 0..N {
        carved[n] = states[n][0];
    }
    carved
}

/// The states of a block before the first octave.
#[inline(always)]
pub fn begin<R: RowReal>(
    gullies: &Gullies,
    along: &[[Lanes; TAPS]; ORDERS],
    columns: &[[[f32; LANES]; TAPS]; ORDERS],
    per_metre: f32,
) -> States<R> {
    let mut states = [R::Block::default(); STATE];
    for lane in 0..LANES {
        let mut x = [[0.0; TAPS]; ORDERS];
        let mut z = [[0.0; TAPS]; ORDERS];
        for order in 0..ORDERS {
            for tap in 0..TAPS {
                x[order][tap] = along[order][tap].0[lane];
                z[order][tap] = columns[order][tap][lane];
            }
        }
        set_state::<R>(&mut states, lane, gullies.begin(shape(x, z, per_metre)));
    }
    states
}

/// Adds what is carved to a block of the land.
#[inline(always)]
pub fn add<R: RowReal>(out: &mut R::Block, carved: &R::Block, spot: &R::Spot) {
    let mut sum = *out;
    for lane in 0..LANES {
        let carved = R::get(carved, lane).carried(1.0, &R::place_of(spot, lane));
        let land = R::get(&sum, lane);
        R::set(&mut sum, lane, land + carved);
    }
    *out = sum;
}

/// The waves around blocks of a grid row.
pub struct OnGrid<'a, I> {
    pub isa: I,
    pub gullies: &'a Gullies,
    pub points: &'a [Points],
    /// The first of the blocks.
    pub block: usize,
    pub row: usize,
    pub xs: &'a [[f64; LANES]],
    pub z: f64,
}

impl<I: Isa<W>, const W: usize> Waves<W> for OnGrid<'_, I> {
    #[inline(always)]
    fn around(&self, n: usize, octave: usize) -> ([[[f32; LANES]; 3]; 4], [BetweenLanes; 2]) {
        let block = self.block + n;
        let points = &self.points[octave];
        if points.known {
            let (row, place) = points.axes.rows[self.row];
            let middles = points.around(self.isa, block, row);
            (middles, [BetweenLanes::new(&points.axes.columns[block].0), BetweenLanes::new(&[place; LANES])])
        } else {
            let places = [&self.xs[block], &[self.z; LANES]];
            Scattered { isa: self.isa, gullies: self.gullies, places }.around(0, octave)
        }
    }
}

/// The waves around any points.
pub struct Scattered<'a, I> {
    pub isa: I,
    pub gullies: &'a Gullies,
    pub places: [&'a [f64; LANES]; 2],
}

impl<I: Isa<W>, const W: usize> Waves<W> for Scattered<'_, I> {
    #[inline(always)]
    fn around(&self, _n: usize, octave: usize) -> ([[[f32; LANES]; 3]; 4], [BetweenLanes; 2]) {
        let Some(stripes) = self.gullies.stripe(octave) else { return Default::default() };
        let (middles, [x, z]) = stripes.around(self.isa, self.places);
        (middles, [BetweenLanes::new(&x), BetweenLanes::new(&z)])
    }
}
