//! One grid row after another through the whole tree.

use super::blocks::RowReal;
use super::leaf::{OnGrid, Rest, Step};
use super::lines::{Advance, Lines, Prepare};
use super::scattered;
use super::scratch::{Buffered, Scratch, Slot, give, give_spots, take, take_spots};
use super::steps::{Combine, Displace, Map, Mix, Move, Spots, swirl};
use crate::basis::separable::{Separable, aligned};
use crate::basis::{Basis, Curve, Quintic, perlin::Perlin, value::Value};
use crate::fractal::{Fbm, Recipe};
use crate::interpolation::Fade;
use crate::sampler::{Leaf, Node, Sampler, Transform, warp_axis, with_recipe};
use crate::simd::{Checked, LANES};

/// A row of the grid as a part of the tree sees it.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// Which row of the tile.
    pub row: usize,
    /// How many columns there are; the last block may hold fewer than it could.
    pub columns: usize,
    pub footprint: f64,
    /// Metres here per metre of the grid, along x and z.
    pub scale: [f32; 2],
}

impl Row {
    fn below(self, transform: &Transform) -> Self {
        let (matrix, _) = transform.over::<2>();
        Self {
            row: self.row,
            columns: self.columns,
            footprint: transform.footprint(self.footprint),
            scale: [matrix[0][0] as f32 * self.scale[0], matrix[1][1] as f32 * self.scale[1]],
        }
    }
}

/// Sets up the slots of everything that sees the grid itself; there are whole blocks of columns.
pub(super) fn prepare<R: RowReal>(sampler: &Sampler, xs: &[f64], zs: &[f64], footprint: f64, scratch: &mut Scratch) {
    if scratch.slots.len() < sampler.slots {
        scratch.slots.resize_with(sampler.slots, Slot::default);
    }
    let pass = Pass { set: sampler.instructions, scratch };
    pass.prepare::<R>(&sampler.root, xs, zs, footprint);
}

/// Evaluates a row of the grid.
pub(super) fn row<R: Buffered>(sampler: &Sampler, at: Row, scratch: &mut Scratch, out: &mut [R::Block]) {
    let mut pass = Pass { set: sampler.instructions, scratch };
    pass.row::<R>(&sampler.root, at, out);
}

/// An aligned basis and its fade, known when the kernel is compiled.
macro_rules! with_separable {
    ($leaf:expr, $basis:ident, $fade:ident => $body:expr, else $other:expr) => {
        match $leaf.basis {
            Basis::Perlin { fade: Fade::Quintic, .. } => {
                let ($basis, $fade) = (Perlin, Quintic);
                $body
            }
            Basis::Perlin { fade: $fade, .. } => {
                let $basis = Perlin;
                $body
            }
            Basis::Value { fade: Fade::Quintic, .. } => {
                let ($basis, $fade) = (Value, Quintic);
                $body
            }
            Basis::Value { fade: $fade, .. } => {
                let $basis = Value;
                $body
            }
            _ => $other,
        }
    };
}

fn prepare_lines<C: Curve, R: RowReal>(set: Checked, leaf: &Leaf, fade: C, footprint: f64, slot: &mut Slot) {
    let visible = leaf.visible(footprint);
    slot.on_lattice = Some(visible);
    let octaves = &leaf.octaves[..visible];
    if slot.lines.len() < octaves.len() {
        slot.lines.resize_with(octaves.len(), Lines::default);
    }
    for (octave, lines) in octaves.iter().zip(&mut slot.lines) {
        lines.share = leaf.share(octave, footprint);
        lines.fold = leaf.fold(octave, footprint);
        if let Some(key) = aligned(octave) {
            let (xs, zs) = (&*slot.xs, &*slot.zs);
            set.run(Prepare { lines, octave, key, fade, xs, zs, slopes: R::SLOPES });
        }
    }
}

/// A walk through the tree.
pub(super) struct Pass<'a> {
    pub set: Checked,
    pub scratch: &'a mut Scratch,
}

impl Pass<'_> {
    fn prepare<R: RowReal>(mut self, node: &Node, xs: &[f64], zs: &[f64], footprint: f64) {
        self.prepare_node::<R>(node, xs, zs, footprint);
    }

    pub fn remember(&mut self, slot: usize, xs: &[f64], zs: &[f64]) -> &mut Slot {
        let slot = &mut self.scratch.slots[slot];
        slot.xs.clear();
        slot.xs.extend_from_slice(xs);
        slot.zs.clear();
        slot.zs.extend_from_slice(zs);
        slot
    }

    pub fn prepare_node<R: RowReal>(&mut self, node: &Node, xs: &[f64], zs: &[f64], footprint: f64) {
        match node {
            Node::Constant(_) => {}
            Node::Single { leaf, .. } | Node::Fractal { leaf, .. } => {
                let set = self.set;
                let slot = self.remember(leaf.slot, xs, zs);
                slot.on_lattice = None;
                if leaf.octaves.iter().any(|octave| aligned(octave).is_none()) {
                    return;
                }
                with_separable!(leaf, _basis, fade => prepare_lines::<_, R>(set, leaf, fade, footprint, slot), else {});
            }
            Node::Damped { leaf, .. } => {
                self.remember(leaf.slot, xs, zs);
            }
            Node::Dunes { slot, .. } => {
                self.remember(*slot, xs, zs);
            }
            Node::Gullies { source, gullies, slot } => {
                self.remember(*slot, xs, zs);
                self.prepare_gullies::<R>(source, gullies, xs, zs, footprint);
            }
            Node::Transform { source, transform, slot } => {
                self.remember(*slot, xs, zs);
                if transform.keeps_axes() {
                    let (matrix, offset) = transform.over::<2>();
                    let mut below = [self.scratch.take_coordinates(), self.scratch.take_coordinates()];
                    for (axis, metres) in [xs, zs].into_iter().enumerate() {
                        below[axis].extend(metres.iter().map(|x| matrix[axis][axis] * x + offset[axis]));
                    }
                    self.prepare_node::<R>(source, &below[0], &below[1], transform.footprint(footprint));
                    below.into_iter().for_each(|below| self.scratch.give_coordinates(below));
                }
            }
            Node::Warp { by, slot, .. } => {
                self.remember(*slot, xs, zs);
                for axis in 0..2 {
                    self.prepare_node::<R>(&by[warp_axis(2, axis)], xs, zs, footprint);
                }
            }
            Node::Swirl { by, slot, .. } => {
                self.remember(*slot, xs, zs);
                self.prepare_node::<R>(by, xs, zs, footprint);
            }
            Node::Map { source, .. } => self.prepare_node::<R>(source, xs, zs, footprint),
            Node::Pair { operands, .. } => {
                operands.iter().for_each(|node| self.prepare_node::<R>(node, xs, zs, footprint));
            }
            Node::Blend { operands } => {
                operands.iter().for_each(|node| self.prepare_node::<R>(node, xs, zs, footprint));
            }
        }
    }

    /// Evaluates a row of the grid itself.
    pub fn row<R: Buffered>(&mut self, node: &Node, at: Row, out: &mut [R::Block]) {
        match node {
            Node::Constant(value) => self.constant::<R>(*value, out),
            Node::Single { leaf, mean } => self.fractal_row::<R>(leaf, Fbm, *mean, at, out),
            Node::Fractal { leaf, recipe, mean } => {
                with_recipe!(*recipe, recipe => self.fractal_row::<R>(leaf, recipe, *mean, at, out));
            }
            Node::Damped { leaf: Leaf { slot, .. }, .. } | Node::Dunes { slot, .. } => {
                let spots = self.grid_spots::<R>(*slot, at);
                self.points::<R>(node, &spots, at.footprint, out);
                give_spots::<R>(self.scratch, spots);
            }
            Node::Gullies { source, gullies, slot } => {
                self.row::<R>(&source[0], at, out);
                self.gullies_row::<R>(source, gullies, *slot, at, out);
            }
            Node::Transform { source, transform, slot } => {
                if transform.keeps_axes() {
                    self.row::<R>(source, at.below(transform), out);
                } else {
                    let spots = self.grid_spots::<R>(*slot, at);
                    self.points::<R>(node, &spots, at.footprint, out);
                    give_spots::<R>(self.scratch, spots);
                }
            }
            Node::Warp { source, by, amount, slot } => {
                let mut spots = self.grid_spots::<R>(*slot, at);
                let [mut x, mut z] = self.rows::<R, 2>(out.len());
                self.row::<R>(&by[warp_axis(2, 0)], at, &mut x);
                self.row::<R>(&by[warp_axis(2, 1)], at, &mut z);
                self.set.run(Displace::<R> { spots: &mut spots, by: [&x, &z], amount: *amount });
                self.give_rows::<R, 2>([x, z]);
                self.points::<R>(source, &spots, at.footprint, out);
                give_spots::<R>(self.scratch, spots);
            }
            Node::Swirl { source, by, angle, slot } => {
                let [mut angles] = self.rows::<R, 1>(out.len());
                self.row::<R>(by, at, &mut angles);
                let mut spots = self.grid_spots::<R>(*slot, at);
                swirl::<R>(&mut spots, &angles, *angle);
                self.give_rows::<R, 1>([angles]);
                self.points::<R>(source, &spots, at.footprint, out);
                give_spots::<R>(self.scratch, spots);
            }
            Node::Map { source, mapping } => {
                self.row::<R>(source, at, out);
                self.set.run(Map::<R> { mapping, out });
            }
            Node::Pair { operands, combination } => {
                let [mut other] = self.rows::<R, 1>(out.len());
                self.row::<R>(&operands[0], at, out);
                self.row::<R>(&operands[1], at, &mut other);
                self.set.run(Combine::<R> { combination: *combination, out, other: &other });
                self.give_rows::<R, 1>([other]);
            }
            Node::Blend { operands } => {
                let [mut other, mut mask] = self.rows::<R, 2>(out.len());
                self.row::<R>(&operands[0], at, out);
                self.row::<R>(&operands[1], at, &mut other);
                self.row::<R>(&operands[2], at, &mut mask);
                self.set.run(Mix::<R> { out, other: &other, mask: &mask });
                self.give_rows::<R, 2>([other, mask]);
            }
        }
    }

    /// Evaluates points that lie anywhere.
    pub fn points<R: Buffered>(&mut self, node: &Node, spots: &[R::Spot], footprint: f64, out: &mut [R::Block]) {
        match node {
            Node::Constant(value) => self.constant::<R>(*value, out),
            Node::Single { leaf, mean } => self.fractal_points::<R>(leaf, Fbm, *mean, footprint, spots, out),
            Node::Fractal { leaf, recipe, mean } => {
                with_recipe!(*recipe, recipe => {
                    self.fractal_points::<R>(leaf, recipe, *mean, footprint, spots, out);
                });
            }
            Node::Damped { leaf, damped } => {
                let step = damped.step(leaf, footprint);
                self.by_differences::<R>(spots, step, out, |pass, spots, out| {
                    pass.damped_points(leaf, damped, footprint, spots, out);
                });
            }
            Node::Dunes { dunes, .. } => {
                self.by_differences::<R>(spots, dunes.step(), out, |pass, spots, out| {
                    pass.dunes_points(dunes, footprint, spots, out);
                });
            }
            Node::Gullies { source, gullies, .. } => {
                self.points::<R>(&source[0], spots, footprint, out);
                self.gullies_points::<R>(source, gullies, footprint, spots, out);
            }
            Node::Transform { source, transform, .. } => {
                let mut moved = take_spots::<R>(self.scratch, spots.len());
                moved.copy_from_slice(spots);
                self.set.run(Move::<R> { spots: &mut moved, transform });
                self.points::<R>(source, &moved, transform.footprint(footprint), out);
                give_spots::<R>(self.scratch, moved);
            }
            Node::Warp { source, by, amount, .. } => {
                let [mut x, mut z] = self.rows::<R, 2>(out.len());
                self.points::<R>(&by[warp_axis(2, 0)], spots, footprint, &mut x);
                self.points::<R>(&by[warp_axis(2, 1)], spots, footprint, &mut z);
                let mut moved = take_spots::<R>(self.scratch, spots.len());
                moved.copy_from_slice(spots);
                self.set.run(Displace::<R> { spots: &mut moved, by: [&x, &z], amount: *amount });
                self.give_rows::<R, 2>([x, z]);
                self.points::<R>(source, &moved, footprint, out);
                give_spots::<R>(self.scratch, moved);
            }
            Node::Swirl { source, by, angle, .. } => {
                let [mut angles] = self.rows::<R, 1>(out.len());
                self.points::<R>(by, spots, footprint, &mut angles);
                let mut turned = take_spots::<R>(self.scratch, spots.len());
                turned.copy_from_slice(spots);
                swirl::<R>(&mut turned, &angles, *angle);
                self.give_rows::<R, 1>([angles]);
                self.points::<R>(source, &turned, footprint, out);
                give_spots::<R>(self.scratch, turned);
            }
            Node::Map { source, mapping } => {
                self.points::<R>(source, spots, footprint, out);
                self.set.run(Map::<R> { mapping, out });
            }
            Node::Pair { operands, combination } => {
                let [mut other] = self.rows::<R, 1>(out.len());
                self.points::<R>(&operands[0], spots, footprint, out);
                self.points::<R>(&operands[1], spots, footprint, &mut other);
                self.set.run(Combine::<R> { combination: *combination, out, other: &other });
                self.give_rows::<R, 1>([other]);
            }
            Node::Blend { operands } => {
                let [mut other, mut mask] = self.rows::<R, 2>(out.len());
                self.points::<R>(&operands[0], spots, footprint, out);
                self.points::<R>(&operands[1], spots, footprint, &mut other);
                self.points::<R>(&operands[2], spots, footprint, &mut mask);
                self.set.run(Mix::<R> { out, other: &other, mask: &mask });
                self.give_rows::<R, 2>([other, mask]);
            }
        }
    }

    fn constant<R: RowReal>(&self, value: f32, out: &mut [R::Block]) {
        for block in out {
            (0..LANES).for_each(|lane| R::set(block, lane, R::constant(value)));
        }
    }

    pub fn rows<R: Buffered, const N: usize>(&mut self, blocks: usize) -> [Vec<R::Block>; N] {
        std::array::from_fn(|_| take::<R>(self.scratch, blocks))
    }

    pub fn give_rows<R: Buffered, const N: usize>(&mut self, rows: [Vec<R::Block>; N]) {
        rows.into_iter().for_each(|row| give::<R>(self.scratch, row));
    }

    /// The places of a grid row, as a part of the tree sees them.
    pub fn grid_spots<R: Buffered>(&mut self, slot: usize, at: Row) -> Vec<R::Spot> {
        let blocks = self.scratch.slots[slot].xs.len() / LANES;
        let mut spots = take_spots::<R>(self.scratch, blocks);
        let slot = &self.scratch.slots[slot];
        let z = slot.zs[at.row];
        self.set.run(Spots::<R> { spots: &mut spots, xs: &slot.xs, z, scale: at.scale });
        spots
    }

    fn fractal_row<R: Buffered>(&mut self, leaf: &Leaf, recipe: impl Recipe, mean: f32, at: Row, out: &mut [R::Block]) {
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

    fn fractal_points<R: Buffered>(
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
