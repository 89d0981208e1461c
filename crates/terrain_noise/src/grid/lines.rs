//! What the points of a grid share in one octave of a lattice-aligned basis.

use crate::basis::{Octave, perlin, value};
use crate::interpolation::Fade;
use crate::lattice::{Key, split};
use crate::real::Jet;

/// A lattice column, seen from one grid row: two numbers that the basis knows the meaning of.
type Column = [f32; 2];

/// A basis that interpolates along one axis and then along the other.
pub(crate) trait Separable {
    /// What a lattice point holds.
    type Corner: Copy + Default;
    fn corner(parts: u64) -> Self::Corner;
    fn column(near: Self::Corner, far: Self::Corner, f: f32, weight: f32) -> Column;
    fn slope(near: Self::Corner, far: Self::Corner, f: f32, weight: f32, slope: f32) -> Column;
    fn blend(left: Column, right: Column, f: f32, weight: f32) -> f32;
    fn gradient(columns: [Column; 2], slopes: [Column; 2], f: f32, weight: f32, slope: f32) -> Column;
}

#[derive(Debug)]
pub(crate) struct Perlin;

impl Separable for Perlin {
    type Corner = [f32; 2];
    #[inline(always)]
    fn corner(parts: u64) -> Self::Corner {
        perlin::lattice_gradient(parts)
    }
    #[inline(always)]
    fn column(near: Self::Corner, far: Self::Corner, f: f32, weight: f32) -> Column {
        perlin::column(near, far, f, weight)
    }
    #[inline(always)]
    fn slope(near: Self::Corner, far: Self::Corner, f: f32, weight: f32, slope: f32) -> Column {
        perlin::column_slope(near, far, f, weight, slope)
    }
    #[inline(always)]
    fn blend(left: Column, right: Column, f: f32, weight: f32) -> f32 {
        perlin::blend(left, right, f, weight)
    }
    #[inline(always)]
    fn gradient(columns: [Column; 2], slopes: [Column; 2], f: f32, weight: f32, slope: f32) -> [f32; 2] {
        perlin::gradient(columns, slopes, f, weight, slope)
    }
}

#[derive(Debug)]
pub(crate) struct Value;

impl Separable for Value {
    type Corner = f32;
    #[inline(always)]
    fn corner(parts: u64) -> Self::Corner {
        value::lattice_value(parts)
    }
    #[inline(always)]
    fn column(near: Self::Corner, far: Self::Corner, _f: f32, weight: f32) -> Column {
        [value::column(near, far, weight), 0.0]
    }
    #[inline(always)]
    fn slope(near: Self::Corner, far: Self::Corner, _f: f32, _weight: f32, slope: f32) -> Column {
        [value::column_slope(near, far, slope), 0.0]
    }
    #[inline(always)]
    fn blend(left: Column, right: Column, _f: f32, weight: f32) -> f32 {
        value::blend(left[0], right[0], weight)
    }
    #[inline(always)]
    fn gradient(columns: [Column; 2], slopes: [Column; 2], _f: f32, weight: f32, slope: f32) -> [f32; 2] {
        value::gradient(columns.map(|c| c[0]), slopes.map(|c| c[0]), weight, slope)
    }
}

/// Neighbouring samples of a row that lie in one lattice cell.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// One past the last sample.
    end: u32,
    /// The lattice column left of them; the next one is right of them.
    left: u32,
}

/// Runs shorter than this on average are not worth a loop of their own.
const SHORT: usize = 12;

/// Samples that are looked up together where runs are short.
const BLOCK: usize = 16;

/// One octave over the columns of a grid.
#[derive(Debug)]
pub(crate) struct Lines<S: Separable> {
    /// Place of each grid column in its cell, its weight, and the weight's slope.
    fractions: Vec<f32>,
    weights: Vec<f32>,
    slopes: Vec<f32>,
    /// The lattice column left of each grid column.
    lefts: Vec<u32>,
    runs: Vec<Run>,
    /// The x part of the hash of every lattice column.
    parts: Vec<u64>,
    /// The row of cells that the last grid row lay in, and its lattice points.
    cell: Option<i64>,
    near: Vec<S::Corner>,
    far: Vec<S::Corner>,
    columns: Vec<Column>,
    column_slopes: Vec<Column>,
}

impl<S: Separable> Default for Lines<S> {
    fn default() -> Self {
        Self {
            fractions: Vec::new(),
            weights: Vec::new(),
            slopes: Vec::new(),
            lefts: Vec::new(),
            runs: Vec::new(),
            parts: Vec::new(),
            cell: None,
            near: Vec::new(),
            far: Vec::new(),
            columns: Vec::new(),
            column_slopes: Vec::new(),
        }
    }
}

impl<S: Separable> Lines<S> {
    /// Splits the columns, given in metres.
    pub fn prepare(&mut self, octave: &Octave, key: &Key, fade: Fade, xs: &[f64]) {
        self.fractions.clear();
        self.lefts.clear();
        self.runs.clear();
        self.parts.clear();
        self.cell = None;
        self.reserve(octave, xs);
        let mut last = None;
        for (i, &x) in xs.iter().enumerate() {
            let (cell, f) = split(octave.coordinate(0, x));
            self.fractions.push(f);
            match (last, self.runs.last_mut()) {
                (Some(previous), Some(run)) if previous == cell => run.end = i as u32 + 1,
                (previous, _) => {
                    let follows = previous.is_some_and(|previous: i64| previous.wrapping_add(1) == cell);
                    if !follows {
                        self.parts.push(key.axis(0, cell));
                    }
                    self.runs.push(Run { end: i as u32 + 1, left: self.parts.len() as u32 - 1 });
                    self.parts.push(key.axis(0, cell.wrapping_add(1)));
                }
            }
            self.lefts.push(self.parts.len() as u32 - 2);
            last = Some(cell);
        }
        self.weights.clear();
        self.slopes.clear();
        self.weights.extend(self.fractions.iter().map(|&f| fade.weight(f)));
        self.slopes.extend(self.fractions.iter().map(|&f| fade.slope(f)));
    }

    /// Makes room for the most lattice columns that so many grid columns can meet wherever they lie,
    /// so that the next grid of this shape does not allocate.
    fn reserve(&mut self, octave: &Octave, xs: &[f64]) {
        let (Some(first), Some(last)) = (xs.first(), xs.last()) else {
            return;
        };
        let cells = ((last - first).abs() * octave.frequency) as usize;
        let most = cells.saturating_add(3).min(2 * xs.len());
        self.near.clear();
        self.far.clear();
        self.columns.clear();
        self.column_slopes.clear();
        self.runs.reserve(most);
        self.parts.reserve(most);
        self.near.reserve(most);
        self.far.reserve(most);
        self.columns.reserve(most);
        self.column_slopes.reserve(most);
    }

    #[inline(always)]
    fn corners(out: &mut Vec<S::Corner>, parts: &[u64], key: &Key, cell: i64) {
        let row = key.axis(1, cell);
        out.clear();
        out.extend(parts.iter().map(|&part| S::corner(part ^ row)));
    }

    /// Sees the lattice from a grid row.
    #[inline(always)]
    fn see(&mut self, octave: &Octave, key: &Key, fade: Fade, z: f64, gradient: bool) {
        let (cell, f) = split(octave.coordinate(1, z));
        if self.cell != Some(cell) {
            if self.cell.is_some_and(|last| last.wrapping_add(1) == cell) {
                std::mem::swap(&mut self.near, &mut self.far);
            } else {
                Self::corners(&mut self.near, &self.parts, key, cell);
            }
            Self::corners(&mut self.far, &self.parts, key, cell.wrapping_add(1));
            self.cell = Some(cell);
        }
        let (weight, slope) = (fade.weight(f), fade.slope(f));
        let pairs = || self.near.iter().zip(&self.far);
        self.columns.clear();
        self.columns.extend(pairs().map(|(&near, &far)| S::column(near, far, f, weight)));
        if gradient {
            self.column_slopes.clear();
            self.column_slopes.extend(pairs().map(|(&near, &far)| S::slope(near, far, f, weight, slope)));
        }
    }

    /// The values of a row.
    #[inline(always)]
    pub fn row(&mut self, octave: &Octave, key: &Key, fade: Fade, z: f64, out: &mut [f32]) {
        self.see(octave, key, fade, z, false);
        if out.len() < SHORT * self.runs.len() {
            self.short_runs(out);
            return;
        }
        let mut start = 0;
        for run in &self.runs {
            let (end, left) = (run.end as usize, run.left as usize);
            let (left, right) = (self.columns[left], self.columns[left + 1]);
            let samples = self.fractions[start..end].iter().zip(&self.weights[start..end]);
            for (out, (&f, &weight)) in out[start..end].iter_mut().zip(samples) {
                *out = S::blend(left, right, f, weight);
            }
            start = end;
        }
    }

    /// Looks the lattice columns up first, so that the arithmetic runs over whole blocks.
    #[inline(always)]
    fn short_runs(&self, out: &mut [f32]) {
        let mut start = 0;
        while let Some(out) = out.get_mut(start..).filter(|rest| !rest.is_empty()) {
            let here = start..start + out.len().min(BLOCK);
            let mut columns = [[0.0; BLOCK]; 4];
            for (lane, &left) in self.lefts[here.clone()].iter().enumerate() {
                let left = left as usize;
                // A lattice column is always followed by the one to its right.
                if let Some(&[[a, b], [c, d]]) = self.columns.get(left..left + 2).and_then(<[_]>::first_chunk) {
                    [columns[0][lane], columns[1][lane], columns[2][lane], columns[3][lane]] = [a, b, c, d];
                }
            }
            let [a, b, c, d] = &columns;
            let samples = self.fractions[here.clone()].iter().zip(&self.weights[here.clone()]);
            for (lane, (out, (&f, &weight))) in out.iter_mut().zip(samples).enumerate().take(BLOCK) {
                *out = S::blend([a[lane], b[lane]], [c[lane], d[lane]], f, weight);
            }
            start = here.end;
        }
    }

    /// The values of a row with their derivatives per cell, through `make`.
    #[inline(always)]
    pub fn row_with_gradient<R>(
        &mut self,
        octave: &Octave,
        key: &Key,
        fade: Fade,
        z: f64,
        out: &mut [R],
        make: impl Fn(Jet<2>) -> R,
    ) {
        self.see(octave, key, fade, z, true);
        let mut start = 0;
        for run in &self.runs {
            let (end, at) = (run.end as usize, run.left as usize);
            let columns = [self.columns[at], self.columns[at + 1]];
            let column_slopes = [self.column_slopes[at], self.column_slopes[at + 1]];
            let weights = self.weights[start..end].iter().zip(&self.slopes[start..end]);
            let samples = self.fractions[start..end].iter().zip(weights);
            for (out, (&f, (&weight, &slope))) in out[start..end].iter_mut().zip(samples) {
                let value = S::blend(columns[0], columns[1], f, weight);
                let gradient = S::gradient(columns, column_slopes, f, weight, slope);
                *out = make(Jet { value, gradient });
            }
            start = end;
        }
    }
}
