//! The evaluation of a tree, one grid row after another.

use super::blocks::RowReal;
use super::dunes::DunesAt;
use super::scattered::BATCH;
use super::scratch::{Buffered, Scratch, give, give_spots, take, take_spots};
use super::steps::{Combine, Displace, Map, Mix, Move, Spots, swirl};
use crate::fractal::Fbm;
use crate::sampler::{Node, Sampler, Transform, warp_axis, with_recipe};
use crate::simd::{DetectedIsa, LANES};

/// A row of the grid as a node sees it, after the transforms above it; or several, one after another.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// The first row's index in the tile.
    pub row: usize,
    /// The number of rows.
    pub count: usize,
    /// The number of columns; the last block may not be full.
    pub columns: usize,
    /// Whether rows lie end to end; otherwise each begins with a block of its own. Only of several rows with
    /// columns that are no whole blocks, but fill one.
    pub packed: bool,
    pub footprint: f64,
    /// Metres at the node per metre of the grid, along x and z.
    pub scale: [f32; 2],
}

impl Row {
    /// Every row by itself, with its part of the blocks of all.
    fn each<B>(self, blocks: &mut [B]) -> impl Iterator<Item = (Self, &mut [B])> {
        let width = blocks.len() / self.count;
        (self.row..).map(move |row| Self { row, count: 1, ..self }).zip(blocks.chunks_mut(width))
    }

    fn below(self, transform: &Transform) -> Self {
        let (matrix, _) = transform.over::<2>();
        Self {
            footprint: transform.footprint(self.footprint),
            scale: [matrix[0][0] as f32 * self.scale[0], matrix[1][1] as f32 * self.scale[1]],
            ..self
        }
    }
}

/// Evaluates rows of the grid.
pub(super) fn row<R: Buffered>(sampler: &Sampler, at: Row, scratch: &mut Scratch, out: &mut [R::Block]) {
    let mut pass = Pass { set: sampler.instructions, scratch };
    pass.row::<R>(&sampler.root, at, out);
}

/// How many of these rows to evaluate at once: points cost less in larger batches. For rows on the lattice a few
/// are enough; with slopes their lattice fills the innermost cache.
pub(super) fn rows_together<R: RowReal>(node: &Node, columns: usize, rows: usize) -> usize {
    let blocks = match (node.has_points(), R::SLOPES) {
        (true, _) => BATCH,
        (false, false) => BATCH / 2,
        (false, true) => BATCH / 4,
    };
    (blocks * LANES / columns.max(LANES)).clamp(1, rows)
}

/// A walk through the tree.
pub(super) struct Pass<'a> {
    pub set: DetectedIsa,
    pub scratch: &'a mut Scratch,
}

impl Pass<'_> {
    /// Evaluates rows of the grid itself.
    pub fn row<R: Buffered>(&mut self, node: &Node, at: Row, out: &mut [R::Block]) {
        if at.packed && node.has_rows() {
            return self.pack_row::<R>(node, at, out);
        }
        match node {
            Node::Constant(value) => self.constant::<R>(*value, out),
            Node::Single { leaf, mean } => self.fractal_row::<R>(leaf, Fbm, *mean, at, out),
            Node::Fractal { leaf, recipe, mean } => {
                with_recipe!(*recipe, recipe => self.fractal_row::<R>(leaf, recipe, *mean, at, out));
            }
            Node::Damped { leaf, damped } => {
                for (at, out) in at.each(out) {
                    self.damped_row::<R>(leaf, damped, at, out);
                }
            }
            Node::Dunes { slot, .. } => {
                self.as_points::<R>(*slot, at, None, out, |pass, spots, out| {
                    pass.points::<R>(node, spots, at.footprint, out);
                });
            }
            Node::Gullies { source, gullies, slot } => {
                self.row::<R>(&source[0], at, out);
                for (at, out) in at.each(out) {
                    self.gullies_row::<R>(source, gullies, *slot, at, out);
                }
            }
            Node::Transform { source, transform, slot } => {
                if transform.keeps_axes() {
                    self.row::<R>(source, at.below(transform), out);
                } else {
                    self.turned_row::<R>(source, transform, *slot, at, out);
                }
            }
            Node::Warp { source, by, amount, slot } => {
                let packed = at.end_to_end();
                let [mut x, mut z] = self.rows::<R, 2>(packed.blocks());
                self.row::<R>(&by[warp_axis(2, 0)], packed, &mut x);
                self.row::<R>(&by[warp_axis(2, 1)], packed, &mut z);
                self.as_points::<R>(*slot, at, None, out, |pass, spots, out| {
                    pass.set.run(Displace::<R> { spots, by: [&x, &z], amount: *amount });
                    pass.give_rows::<R, 2>([x, z]);
                    pass.points::<R>(source, spots, at.footprint, out);
                });
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

    /// Evaluates rows of the grid that are turned against the axes of a node.
    fn turned_row<R: Buffered>(
        &mut self,
        node: &Node,
        transform: &Transform,
        slot: usize,
        at: Row,
        out: &mut [R::Block],
    ) {
        match node {
            Node::Single { leaf, mean } => {
                self.turned_fractal::<R>(leaf, Fbm, *mean, Some(transform), slot, at, out);
            }
            Node::Fractal { leaf, recipe, mean } => with_recipe!(*recipe, recipe => {
                self.turned_fractal::<R>(leaf, recipe, *mean, Some(transform), slot, at, out);
            }),
            Node::Map { source, mapping } => {
                self.turned_row::<R>(source, transform, slot, at, out);
                self.set.run(Map::<R> { mapping, out });
            }
            _ => self.as_points::<R>(slot, at, Some(transform), out, |pass, spots, out| {
                pass.points::<R>(node, spots, transform.footprint(at.footprint), out);
            }),
        }
    }

    /// Evaluates arbitrary points.
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
                self.damped_points::<R>(leaf, damped, footprint, spots, out);
            }
            Node::Dunes { dunes, .. } => self.set.run(DunesAt::<R> { dunes, footprint, spots, out }),
            Node::Gullies { source, gullies, .. } => {
                self.points::<R>(&source[0], spots, footprint, out);
                self.carve_points::<R>(&source[1], gullies, footprint, spots, out);
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

    /// The places of grid rows, as a node sees them.
    pub fn grid_spots<R: Buffered>(&mut self, slot: usize, at: Row) -> Vec<R::Spot> {
        let blocks = self.scratch.slots[slot].xs.len() / LANES;
        let mut spots = take_spots::<R>(self.scratch, at.count * blocks);
        let slot = &self.scratch.slots[slot];
        for (spots, &z) in spots.chunks_mut(blocks).zip(&slot.zs[at.row..]) {
            self.set.run(Spots::<R> { spots, xs: &slot.xs, z, scale: at.scale });
        }
        spots
    }
}
