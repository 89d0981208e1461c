//! Rows of fractals: on the lattice where their octaves run along the grid, otherwise point by point.

use super::fixed::FixedBlock;
use super::leaf::{Carry, CarryAlike, OnGrid, Rest, Step};
use super::lines::Advance;
use super::octaves::Sink;
use super::positions::Places;
use super::rows::{Pass, Row};
use super::scattered::{BATCH, Points};
use super::scratch::{Buffered, give, take};
use crate::basis::separable::Separable;
use crate::basis::{Basis, perlin::Perlin, value::Value};
use crate::fractal::Recipe;
use crate::sampler::{Leaf, Transform};
use crate::simd::Held;

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
            _ => self.turned_fractal::<R>(leaf, recipe, mean, None, leaf.slot, at, out),
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
        let mut weights = take::<R>(self.scratch, blocks);
        let lines = &mut self.scratch.slots[leaf.slot].lines;
        let lines = &mut lines[..visible];
        let octaves = &*leaf.octaves;
        let whole = lines.iter().take_while(|lines| lines.share == 1.0).count();
        for (row, out) in (at.row..).zip(out.chunks_mut(blocks)) {
            self.set.run(Advance { _basis: basis, lines, row, columns: at.columns });
            self.set.run(OnGrid::<_, _, R> {
                _basis: basis,
                recipe,
                mean,
                lines,
                octaves,
                whole,
                row,
                columns: at.columns,
                out,
                weights: &mut weights,
            });
        }
        if R::SLOPES && at.scale != [1.0; 2] {
            self.set.run(CarryAlike::<R> { place: R::plane([0.0; 2], at.scale), out });
        }
        give::<R>(self.scratch, weights);
    }

    /// Rows of the grid whose octaves do not run along it; `transform` turns its places, which are in a slot.
    pub fn turned_fractal<R: Buffered>(
        &mut self,
        leaf: &Leaf,
        recipe: impl Recipe,
        mean: f32,
        transform: Option<&Transform>,
        slot: usize,
        at: Row,
        out: &mut [R::Block],
    ) {
        let footprint = transform.map_or(at.footprint, |transform| transform.footprint(at.footprint));
        if leaf.is_on_plane() {
            self.as_positions::<R>(slot, at, transform, out, |pass, positions, out| {
                pass.octaves::<R, _, _>(leaf, recipe, mean, footprint, positions, out);
            });
        } else {
            self.as_points::<R>(slot, at, transform, out, |pass, spots, out| {
                pass.fractal_points::<R>(leaf, recipe, mean, footprint, spots, out);
            });
        }
    }

    /// A fractal at points.
    pub fn fractal_points<R: Buffered>(
        &mut self,
        leaf: &Leaf,
        recipe: impl Recipe,
        mean: f32,
        footprint: f64,
        spots: &[R::Spot],
        out: &mut [R::Block],
    ) {
        self.octaves::<R, _, _>(leaf, recipe, mean, footprint, spots, out);
        if R::SLOPES {
            self.set.run(Carry::<R> { spots, out });
        }
    }

    /// The octaves of a fractal at points. Slopes are by the coordinates of the places.
    fn octaves<R: Buffered, C: Recipe, P: Places<R>>(
        &mut self,
        leaf: &Leaf,
        recipe: C,
        mean: f32,
        footprint: f64,
        places: P,
        out: &mut [R::Block],
    ) {
        let [mut noise, mut weights] = self.rows::<R, 2>(out.len().min(BATCH));
        let visible = leaf.visible(footprint);
        let mut fixed = std::mem::take(&mut self.scratch.fixed);
        let mut held = std::mem::take(&mut self.scratch.held);
        if leaf.is_on_plane() {
            held.resize_with(1, Held::default);
        }
        fixed.iter_mut().for_each(|fixed| fixed.resize(BATCH.max(fixed.len()), FixedBlock::default()));
        for (batch, out) in out.chunks_mut(BATCH).enumerate() {
            let (noise, weights) = (&mut noise[..out.len()], &mut weights[..out.len()]);
            let fixed = fixed.each_mut().map(|fixed| &mut fixed[..out.len()]);
            let places = places.skip(batch * BATCH);
            let mut points = Points::<_, R>::new(self.set, leaf, places, fixed, held.first_mut());
            for (k, octave) in leaf.octaves[..visible].iter().enumerate() {
                let share = leaf.share(octave, footprint);
                // A plain sum needs no step of its own.
                let is_plain = C::PLAIN && share == 1.0;
                if is_plain && k == 0 {
                    points.store(octave, out);
                } else if is_plain
                    && octave.turn.is_none()
                    && let Some(plane) = &octave.plane
                {
                    points.on_plane(plane, octave, Sink::Add(octave.amplitude), out);
                } else {
                    points.store(octave, noise);
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
            let (begin, octaves) = (visible == 0, &leaf.octaves[visible..]);
            self.set.run(Rest::<_, R> { recipe, mean, begin, octaves, out, weights });
        }
        (self.scratch.fixed, self.scratch.held) = (fixed, held);
        self.give_rows::<R, 2>([noise, weights]);
    }
}
