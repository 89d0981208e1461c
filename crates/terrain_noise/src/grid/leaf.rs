//! Kernels for a row of a fractal: on the grid itself, and at arbitrary points.

use super::blocks::{GridRow, RowReal, part_of};
use super::lines::{Cells, Lines};
use crate::basis::Octave;
use crate::basis::separable::Separable;
use crate::fractal::{Recipe, Round, Sharp, State};
use crate::sampler::faded;
use crate::simd::{Isa, Kernel, LANES, block_by_block, registers};

/// All octaves of a fractal over a row of the grid itself; cells are those of the row's strip.
pub(super) struct OnGrid<'a, S, C, R: RowReal> {
    pub _basis: S,
    pub recipe: C,
    pub mean: f32,
    /// The visible octaves; `octaves` holds these first, then those that are faded out.
    pub lines: &'a [Lines],
    pub octaves: &'a [Octave],
    /// How many of the first octaves are not fading: only the last ones can be.
    pub whole: usize,
    pub row: usize,
    pub columns: usize,
    pub out: &'a mut [R::Block],
    pub weights: &'a mut [R::Block],
}

impl<S: Separable, C: Recipe, R: RowReal> Kernel for OnGrid<'_, S, C, R> {
    type Output = ();

    /// Sums several octaves before storing the result: as many as there are registers for.
    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        if !R::SLOPES && many_registers(isa) {
            self.groups::<4, W>();
        } else {
            self.groups::<2, W>();
        }
    }
}

fn many_registers<I: Isa<W>, const W: usize>(_isa: I) -> bool {
    I::MANY_REGISTERS
}

impl<S: Separable, C: Recipe, R: RowReal> OnGrid<'_, S, C, R> {
    /// All octaves, `N` at a time where none of them is fading.
    #[inline(always)]
    fn groups<const N: usize, const W: usize>(mut self) {
        let (whole, mut k) = (self.whole, 0);
        if N > 1 && whole >= N {
            self.group::<N, W, true>(0);
            k = N;
            while k + N <= whole {
                self.group::<N, W, false>(k);
                k += N;
            }
        } else if !self.lines.is_empty() {
            self.group::<1, W, true>(0);
            k = 1;
        }
        while k < self.lines.len() {
            self.group::<1, W, false>(k);
            k += 1;
        }
        let rest = &self.octaves[k..];
        finish::<C, R>(self.recipe, self.mean, k == 0, rest, self.out, self.weights);
    }
}

impl<S: Separable, C: Recipe, R: RowReal> OnGrid<'_, S, C, R> {
    /// `N` octaves from the `k`-th on; the first of all begins the sum.
    #[inline(always)]
    fn group<const N: usize, const W: usize, const FIRST: bool>(&mut self, k: usize) {
        let blocks = self.out.len();
        let mut rows = [GridRow::default(); N];
        let [mut cells, mut slopes]: [[&[Cells]; N]; 2] = [[&[]; N]; 2];
        for n in 0..N {
            let (lines, octave) = (&self.lines[k + n], &self.octaves[k + n]);
            rows[n] =
                GridRow { at: lines.row(self.row), amplitude: octave.amplitude, frequency: octave.frequency as f32 };
            (cells[n], slopes[n]) = lines.strips();
            cells[n] = &cells[n][..blocks];
            slopes[n] = &slopes[n][..if R::SLOPES { blocks } else { 0 }];
        }
        // None of a group of several is fading.
        let share = if N == 1 { self.lines[k].share } else { 1.0 };
        let mut folds = [Round::default(); N];
        for n in 0..N {
            folds[n] = self.lines[k + n].fold;
        }
        let group = Group { recipe: self.recipe, mean: self.mean, share, folds, rows, cells, slopes };
        let out = &mut self.out[..blocks];
        let weights = &mut self.weights[..if C::WEIGHTED { blocks } else { 0 }];
        // Most creases are sharp and should not pay for the rounding.
        if C::FOLDED && folds.iter().any(|fold| !fold.is_sharp()) {
            group.row::<S, R, FIRST, true, W>(self.columns, out, weights);
        } else {
            group.row::<S, R, FIRST, false, W>(self.columns, out, weights);
        }
    }
}

/// Octaves that are summed before the result is stored.
struct Group<'a, C, const N: usize> {
    recipe: C,
    mean: f32,
    share: f32,
    folds: [Round; N],
    rows: [GridRow; N],
    cells: [&'a [Cells]; N],
    slopes: [&'a [Cells]; N],
}

impl<C: Recipe, const N: usize> Group<'_, C, N> {
    #[inline(always)]
    fn row<S: Separable, R: RowReal, const FIRST: bool, const ROUND: bool, const W: usize>(
        &self,
        columns: usize,
        out: &mut [R::Block],
        weights: &mut [R::Block],
    ) {
        let (whole, parts) = registers::<W>(columns);
        for i in 0..whole.min(out.len()) {
            self.add::<S, R, FIRST, ROUND, LANES>(i, 0, out, weights);
        }
        if whole < out.len() {
            for part in 0..parts {
                self.add::<S, R, FIRST, ROUND, W>(whole, part, out, weights);
            }
        }
    }

    /// `V` lanes of block `i`: all, or those of a register.
    #[inline(always)]
    fn add<S: Separable, R: RowReal, const FIRST: bool, const ROUND: bool, const V: usize>(
        &self,
        i: usize,
        part: usize,
        out: &mut [R::Block],
        weights: &mut [R::Block],
    ) {
        let [mut here, mut along] = [[Cells::default(); N]; 2];
        for n in 0..N {
            here[n] = part_of::<V, 4>(&self.cells[n][i], part);
            if R::SLOPES {
                along[n] = part_of::<V, 4>(&self.slopes[n][i], part);
            }
        }
        let mut sum = if FIRST { R::Block::default() } else { R::part_of::<V>(&out[i], part) };
        let mut weight = if C::WEIGHTED && !FIRST { R::part_of::<V>(&weights[i], part) } else { R::Block::default() };
        for lane in 0..V {
            let mut state = State {
                sum: R::get(&sum, lane),
                weight: if C::WEIGHTED { R::get(&weight, lane) } else { R::constant(1.0) },
            };
            for n in 0..N {
                let noise = R::in_cell::<S>(&here[n], &along[n], lane, &self.rows[n]);
                let signal =
                    if ROUND { self.recipe.signal(noise, self.folds[n]) } else { self.recipe.signal(noise, Sharp) };
                let signal = faded(signal, self.mean, self.share);
                state = if FIRST && n == 0 {
                    self.recipe.begin(signal)
                } else {
                    self.recipe.next(state, signal, self.rows[n].amplitude)
                };
            }
            R::set(&mut sum, lane, state.sum);
            if C::WEIGHTED {
                R::set(&mut weight, lane, state.weight);
            }
        }
        R::put_part::<V>(&mut out[i], part, &sum);
        if C::WEIGHTED {
            R::put_part::<V>(&mut weights[i], part, &weight);
        }
    }
}

/// Octaves faded to their mean.
#[inline(always)]
fn finish<C: Recipe, R: RowReal>(
    recipe: C,
    mean: f32,
    begin: bool,
    octaves: &[Octave],
    out: &mut [R::Block],
    weights: &mut [R::Block],
) {
    if octaves.is_empty() {
        return;
    }
    let begin_with = if begin { octaves.split_first() } else { None };
    let octaves = begin_with.map_or(octaves, |(_, rest)| rest);
    if !begin && recipe.ends(mean) {
        return;
    }
    for (out, weight) in out.iter_mut().zip(weights) {
        for lane in 0..LANES {
            let state = if begin {
                recipe.begin(R::constant(mean))
            } else {
                State {
                    sum: R::get(out, lane),
                    weight: if C::WEIGHTED { R::get(weight, lane) } else { R::constant(1.0) },
                }
            };
            R::set(out, lane, recipe.rest(state, mean, octaves).sum);
        }
    }
}

/// Converts the slopes of numbers, from the coordinates of their places to the original position.
pub(super) struct Carry<'a, R: RowReal> {
    pub spots: &'a [R::Spot],
    pub out: &'a mut [R::Block],
}

impl<R: RowReal> Kernel for Carry<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        for (out, spot) in self.out.iter_mut().zip(self.spots) {
            block_by_block();
            let mut all = *out;
            for lane in 0..LANES {
                let value = R::get(&all, lane).carried(1.0, &R::place_of(spot, lane));
                R::set(&mut all, lane, value);
            }
            *out = all;
        }
    }
}

/// As [`Carry`], where all places move alike: those of a grid under an affine change of coordinates.
pub(super) struct CarryAlike<'a, R: RowReal> {
    pub place: R::Place,
    pub out: &'a mut [R::Block],
}

impl<R: RowReal> Kernel for CarryAlike<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let Self { place, out } = self;
        for out in out {
            block_by_block();
            let mut all = *out;
            for lane in 0..LANES {
                let value = R::get(&all, lane).carried(1.0, &place);
                R::set(&mut all, lane, value);
            }
            *out = all;
        }
    }
}

/// Adds the signal of an octave to a row.
pub(super) struct Step<'a, C, R: RowReal> {
    pub recipe: C,
    pub mean: f32,
    pub share: f32,
    pub fold: Round,
    /// The octave's amplitude; none for the first octave.
    pub amplitude: Option<f32>,
    pub noise: &'a [R::Block],
    pub out: &'a mut [R::Block],
    pub weights: &'a mut [R::Block],
}

impl<C: Recipe, R: RowReal> Kernel for Step<'_, C, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let Self { recipe, mean, share, fold, amplitude, noise, out, weights } = self;
        for ((out, weight), noise) in out.iter_mut().zip(weights).zip(noise) {
            block_by_block();
            // Copies, as the references may alias; and loops without branches, which every set can vectorise.
            let (noise, mut sum) = (*noise, *out);
            let mut weights = if C::WEIGHTED { *weight } else { R::Block::default() };
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
            if let Some(amplitude) = amplitude {
                for lane in 0..LANES {
                    let weight = if C::WEIGHTED { R::get(&weights, lane) } else { R::constant(1.0) };
                    let state = State { sum: R::get(&sum, lane), weight };
                    let state = recipe.next(state, R::get(&signals, lane), amplitude);
                    R::set(&mut sum, lane, state.sum);
                    if C::WEIGHTED {
                        R::set(&mut weights, lane, state.weight);
                    }
                }
            } else {
                for lane in 0..LANES {
                    let state = recipe.begin(R::get(&signals, lane));
                    R::set(&mut sum, lane, state.sum);
                    if C::WEIGHTED {
                        R::set(&mut weights, lane, state.weight);
                    }
                }
            }
            *out = sum;
            if C::WEIGHTED {
                *weight = weights;
            }
        }
    }
}

/// The octaves of a row that are faded to their mean.
pub(super) struct Rest<'a, C, R: RowReal> {
    pub recipe: C,
    pub mean: f32,
    /// Whether no octave came before them.
    pub begin: bool,
    pub octaves: &'a [Octave],
    pub out: &'a mut [R::Block],
    pub weights: &'a mut [R::Block],
}

impl<C: Recipe, R: RowReal> Kernel for Rest<'_, C, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        finish::<C, R>(self.recipe, self.mean, self.begin, self.octaves, self.out, self.weights);
    }
}
