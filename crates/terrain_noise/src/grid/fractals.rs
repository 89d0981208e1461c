//! Rows of fractals: on the lattice where their octaves run along the grid, otherwise point by point.

use super::leaf::{OnGrid, Rest, Step};
use super::lines::Advance;
use super::rows::{Pass, Row};
use super::scattered;
use super::scratch::{Buffered, give, give_spots, take};
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
                let spots = self.grid_spots::<R>(leaf.slot, at);
                self.fractal_points::<R>(leaf, recipe, mean, at.footprint, &spots, out);
                give_spots::<R>(self.scratch, spots);
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
        let mut weights = take::<R>(self.scratch, out.len());
        let lines = &mut self.scratch.slots[leaf.slot].lines;
        let lines = &mut lines[..visible];
        let octaves = &*leaf.octaves;
        self.set.run(Advance { _basis: basis, lines, octaves, row: at.row, columns: at.columns });
        self.set.run(OnGrid::<_, _, R> {
            _basis: basis,
            recipe,
            mean,
            lines,
            octaves,
            row: at.row,
            columns: at.columns,
            scale: at.scale,
            out,
            weights: &mut weights,
        });
        give::<R>(self.scratch, weights);
    }

    pub fn fractal_points<R: Buffered>(
        &mut self,
        leaf: &Leaf,
        recipe: impl Recipe,
        mean: f32,
        footprint: f64,
        spots: &[R::Spot],
        out: &mut [R::Block],
    ) {
        let [mut noise, mut weights] = self.rows::<R, 2>(out.len());
        let visible = leaf.visible(footprint);
        for (k, octave) in leaf.octaves[..visible].iter().enumerate() {
            scattered::octave::<R>(self.set, leaf, octave, spots, &mut noise);
            self.set.run(Step::<_, R> {
                recipe,
                mean,
                share: leaf.share(octave, footprint),
                fold: leaf.fold(octave, footprint),
                amplitude: (k > 0).then_some(octave.amplitude),
                noise: &noise,
                out,
                weights: &mut weights,
            });
        }
        let (begin, octaves) = (visible == 0, &leaf.octaves[visible..]);
        self.set.run(Rest::<_, R> { recipe, mean, begin, octaves, out, weights: &mut weights });
        self.give_rows::<R, 2>([noise, weights]);
    }
}
