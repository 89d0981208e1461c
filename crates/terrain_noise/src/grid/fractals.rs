//! Rows of fractals: on the lattice where their octaves run along the grid, otherwise point by point.

use super::fixed::FixedBlock;
use super::leaf::{Carry, OnGrid, Rest, Step, Stretch};
use super::lines::Advance;
use super::octaves::{Add, Store};
use super::rows::{Pass, Row};
use super::scattered::{BATCH, Points};
use super::scratch::{Buffered, give, take};
use crate::basis::separable::Separable;
use crate::basis::{Basis, perlin::Perlin, value::Value};
use crate::fractal::Recipe;
use crate::sampler::Leaf;

impl Pass<'_> {
    pub fn fractal_row<R: Buffered>(
        &mut self,
        leaf: &Leaf,
        recipe: impl Recipe,
        mean: f32,
        at: Row,
        out: &mut [R::Block],
    ) {
        match (leaf.basis, self.scratch.slots[leaf.slot].on_lattice) {
            (Basis::Perlin { .. }, Some(visible)) => {
                self.lattice_row::<R>(Perlin, leaf, recipe, mean, at, visible, out);
            }
            (Basis::Value { .. }, Some(visible)) => {
                self.lattice_row::<R>(Value, leaf, recipe, mean, at, visible, out);
            }
            _ => {
                self.as_points::<R>(leaf.slot, at, out, |pass, spots, out| {
                    pass.fractal_points::<R, _>(leaf, recipe, mean, at.footprint, spots, out);
                });
            }
        }
    }

    fn lattice_row<R: Buffered>(
        &mut self,
        basis: impl Separable,
        leaf: &Leaf,
        recipe: impl Recipe,
        mean: f32,
        at: Row,
        visible: usize,
        out: &mut [R::Block],
    ) {
        let blocks = out.len() / at.count;
        let mut weights = take::<R>(self.scratch, out.len());
        let lines = &mut self.scratch.slots[leaf.slot].lines;
        let lines = &mut lines[..visible];
        let octaves = &*leaf.octaves;
        for (row, out) in (at.row..).zip(out.chunks_mut(blocks)) {
            self.set.run(Advance { _basis: basis, lines, row, columns: at.columns });
            self.set.run(OnGrid::<_, _, R> {
                _basis: basis,
                recipe,
                mean,
                lines,
                octaves,
                row,
                columns: at.columns,
                out,
                weights: &mut weights[..blocks],
            });
        }
        if R::SLOPES && at.scale != [1.0; 2] {
            self.set.run(Stretch::<R> { scale: at.scale, out });
        }
        give::<R>(self.scratch, weights);
    }

    pub fn fractal_points<R: Buffered, C: Recipe>(
        &mut self,
        leaf: &Leaf,
        recipe: C,
        mean: f32,
        footprint: f64,
        spots: &[R::Spot],
        out: &mut [R::Block],
    ) {
        let [mut noise, mut weights] = self.rows::<R, 2>(out.len().min(BATCH));
        let visible = leaf.visible(footprint);
        let mut fixed = std::mem::take(&mut self.scratch.fixed);
        fixed.iter_mut().for_each(|fixed| fixed.resize(BATCH.max(fixed.len()), FixedBlock::default()));
        for (spots, out) in spots.chunks(BATCH).zip(out.chunks_mut(BATCH)) {
            let (noise, weights) = (&mut noise[..out.len()], &mut weights[..out.len()]);
            let mut points = Points::<R>::new(self.set, leaf, spots, fixed.each_mut().map(|fixed| &mut **fixed));
            for (k, octave) in leaf.octaves[..visible].iter().enumerate() {
                let share = leaf.share(octave, footprint);
                // A plain sum needs no step of its own.
                match k {
                    0 if C::PLAIN && share == 1.0 => points.octave(octave, Store, out),
                    _ if C::PLAIN && share == 1.0 && octave.turn.is_none() => {
                        points.octave(octave, Add(octave.amplitude), out);
                    }
                    _ => {
                        points.octave(octave, Store, noise);
                        self.set.run(Step::<_, R> {
                            recipe,
                            mean,
                            share,
                            fold: leaf.fold(octave, footprint),
                            amplitude: (k > 0).then_some(octave.amplitude),
                            noise,
                            out,
                            weights,
                        });
                    }
                }
            }
            let (begin, octaves) = (visible == 0, &leaf.octaves[visible..]);
            self.set.run(Rest::<_, R> { recipe, mean, begin, octaves, out, weights });
            if R::SLOPES {
                self.set.run(Carry::<R> { spots, out });
            }
        }
        self.scratch.fixed = fixed;
        self.give_rows::<R, 2>([noise, weights]);
    }
}
