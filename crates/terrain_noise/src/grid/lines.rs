//! What the points of a grid share in one octave of a lattice-aligned basis.

use crate::basis::{Octave, perlin, value};
use crate::interpolation::Fade;
use crate::lattice::{Key, split};
use crate::real::Jet;

/// A basis that interpolates along one axis and then along the other.
pub(crate) trait Separable {
    /// What a lattice point holds.
    type Corner: Copy + Default;
    /// A lattice column, seen from one grid row.
    type Column: Copy + Default;
    fn corner(parts: u64) -> Self::Corner;
    fn column(
        near: Self::Corner,
        far: Self::Corner,
        f: f32,
        weight: f32,
        slope: f32,
    ) -> Self::Column;
    fn blend(
        left: Self::Column,
        right: Self::Column,
        f: f32,
        weight: f32,
        slope: f32,
    ) -> (f32, f32, f32);
}

#[derive(Debug)]
pub(crate) struct Perlin;

impl Separable for Perlin {
    type Corner = [f32; 2];
    type Column = perlin::Column;
    #[inline(always)]
    fn corner(parts: u64) -> Self::Corner {
        perlin::lattice_gradient(parts)
    }
    #[inline(always)]
    fn column(
        near: Self::Corner,
        far: Self::Corner,
        f: f32,
        weight: f32,
        slope: f32,
    ) -> Self::Column {
        perlin::Column::new(near, far, f, weight, slope)
    }
    #[inline(always)]
    fn blend(
        left: Self::Column,
        right: Self::Column,
        f: f32,
        weight: f32,
        slope: f32,
    ) -> (f32, f32, f32) {
        perlin::blend(left, right, f, weight, slope)
    }
}

#[derive(Debug)]
pub(crate) struct Value;

impl Separable for Value {
    type Corner = f32;
    type Column = value::Column;
    #[inline(always)]
    fn corner(parts: u64) -> Self::Corner {
        value::lattice_value(parts)
    }
    #[inline(always)]
    fn column(
        near: Self::Corner,
        far: Self::Corner,
        _f: f32,
        weight: f32,
        slope: f32,
    ) -> Self::Column {
        value::Column::new(near, far, weight, slope)
    }
    #[inline(always)]
    fn blend(
        left: Self::Column,
        right: Self::Column,
        _f: f32,
        weight: f32,
        slope: f32,
    ) -> (f32, f32, f32) {
        value::blend(left, right, weight, slope)
    }
}

/// Neighbouring samples of a row that lie in one lattice cell.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// One past the last sample.
    end: usize,
    /// The lattice column left of them; the next one is right of them.
    left: usize,
}

/// One octave over the columns of a grid.
#[derive(Debug)]
pub(crate) struct Lines<S: Separable> {
    /// Place of each grid column in its cell, its weight, and the weight's slope.
    samples: Vec<[f32; 3]>,
    runs: Vec<Run>,
    /// The x part of the hash of every lattice column.
    parts: Vec<u64>,
    /// Lattice points of the row of cells that the last grid row lay in.
    cell: Option<i64>,
    near: Vec<S::Corner>,
    far: Vec<S::Corner>,
    columns: Vec<S::Column>,
}

impl<S: Separable> Default for Lines<S> {
    fn default() -> Self {
        Self {
            samples: Vec::new(),
            runs: Vec::new(),
            parts: Vec::new(),
            cell: None,
            near: Vec::new(),
            far: Vec::new(),
            columns: Vec::new(),
        }
    }
}

impl<S: Separable> Lines<S> {
    /// Splits the columns, given in metres.
    pub fn prepare(&mut self, octave: &Octave, key: &Key, fade: Fade, xs: &[f64]) {
        self.samples.clear();
        self.runs.clear();
        self.parts.clear();
        self.cell = None;
        let mut last = None;
        for (i, &x) in xs.iter().enumerate() {
            let (cell, f) = split(octave.coordinate(0, x));
            self.samples.push([f, fade.weight(f), fade.slope(f)]);
            match (last, self.runs.last_mut()) {
                (Some(previous), Some(run)) if previous == cell => run.end = i + 1,
                (previous, _) => {
                    let follows =
                        previous.is_some_and(|previous: i64| previous.wrapping_add(1) == cell);
                    if !follows {
                        self.parts.push(key.axis(0, cell));
                    }
                    self.runs.push(Run {
                        end: i + 1,
                        left: self.parts.len() - 1,
                    });
                    self.parts.push(key.axis(0, cell.wrapping_add(1)));
                }
            }
            last = Some(cell);
        }
    }

    fn corners(out: &mut Vec<S::Corner>, parts: &[u64], key: &Key, cell: i64) {
        let row = key.axis(1, cell);
        out.clear();
        out.extend(parts.iter().map(|&part| S::corner(part ^ row)));
    }

    /// Evaluates a row; `make` gets the value and its derivatives per cell.
    #[inline(always)]
    pub fn row<R>(
        &mut self,
        octave: &Octave,
        key: &Key,
        fade: Fade,
        z: f64,
        out: &mut [R],
        make: impl Fn(Jet<2>) -> R,
    ) {
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
        self.columns.clear();
        let pairs = self.near.iter().zip(&self.far);
        self.columns
            .extend(pairs.map(|(&near, &far)| S::column(near, far, f, weight, slope)));

        let mut start = 0;
        for run in &self.runs {
            let (left, right) = (self.columns[run.left], self.columns[run.left + 1]);
            for (out, &[f, weight, slope]) in out[start..run.end]
                .iter_mut()
                .zip(&self.samples[start..run.end])
            {
                let (value, dx, dz) = S::blend(left, right, f, weight, slope);
                *out = make(Jet {
                    value,
                    gradient: [dx, dz],
                });
            }
            start = run.end;
        }
    }
}
