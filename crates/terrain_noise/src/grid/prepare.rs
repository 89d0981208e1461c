//! Preparation before the first row: coordinates and lattice data of every node that is sampled on the
//! grid itself.

use super::blocks::RowReal;
use super::fixed::ConvertLine;
use super::lines::{Lines, Prepare};
use super::rows::Pass;
use super::scratch::{Scratch, Slot};
use crate::basis::Curve;
use crate::basis::separable::aligned;
use crate::sampler::{Leaf, Node, Sampler, warp_axis};
use crate::simd::DetectedIsa;

/// Sets up the slots of all nodes that are sampled on the grid itself; `xs` holds whole blocks.
pub(super) fn prepare<R: RowReal>(sampler: &Sampler, xs: &[f64], zs: &[f64], footprint: f64, scratch: &mut Scratch) {
    if scratch.slots.len() < sampler.slots {
        scratch.slots.reserve_exact(sampler.slots - scratch.slots.len());
        scratch.slots.resize_with(sampler.slots, Slot::default);
    }
    let mut pass = Pass { set: sampler.instructions, scratch };
    pass.prepare_node::<R>(&sampler.root, xs, zs, footprint);
}

/// Runs the same code for an aligned basis and its fade, compiled once for each.
macro_rules! with_separable {
    ($leaf:expr, $basis:ident, $fade:ident => $body:expr, else $other:expr) => {
        match $leaf.basis {
            $crate::basis::Basis::Perlin { fade: $crate::interpolation::Fade::Quintic, .. } => {
                let ($basis, $fade) = ($crate::basis::perlin::Perlin, $crate::basis::Quintic);
                $body
            }
            $crate::basis::Basis::Perlin { fade: $fade, .. } => {
                let $basis = $crate::basis::perlin::Perlin;
                $body
            }
            $crate::basis::Basis::Value { fade: $crate::interpolation::Fade::Quintic, .. } => {
                let ($basis, $fade) = ($crate::basis::value::Value, $crate::basis::Quintic);
                $body
            }
            $crate::basis::Basis::Value { fade: $fade, .. } => {
                let $basis = $crate::basis::value::Value;
                $body
            }
            _ => $other,
        }
    };
}

pub(super) use with_separable;

fn prepare_lines<C: Curve, R: RowReal>(set: DetectedIsa, leaf: &Leaf, fade: C, footprint: f64, slot: &mut Slot) {
    let visible = leaf.visible(footprint);
    let octaves = &leaf.octaves[..visible];
    if slot.lines.len() < octaves.len() {
        slot.lines.resize_with(octaves.len(), Lines::default);
    }
    let mut base = None;
    for (octave, lines) in octaves.iter().zip(&mut slot.lines) {
        lines.share = leaf.share(octave, footprint);
        lines.fold = leaf.fold(octave, footprint);
        let Some(plane) = aligned(octave) else { return };
        if base != Some(plane.site.base) {
            base = Some(plane.site.base);
            for (metres, line) in [&slot.xs, &slot.zs].into_iter().zip(&mut slot.fixed) {
                set.run(ConvertLine { metres, base: plane.site.base, line });
            }
        }
        // What spans several windows of the lattice is sampled point by point.
        let ends = slot.fixed.each_ref().map(|line| line.ends);
        let (Some(seeds), Some(repeats)) = (plane.seeds_over(ends), plane.repeats_over(ends)) else { return };
        let fixed = slot.fixed.each_ref().map(|line| &*line.blocks);
        set.run(Prepare { lines, site: &plane.site, seeds, repeats, fade, fixed, slopes: R::SLOPES });
    }
    slot.on_lattice = Some(visible);
}

impl Pass<'_> {
    pub fn store_coordinates(&mut self, slot: usize, xs: &[f64], zs: &[f64]) -> &mut Slot {
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
                let slot = self.store_coordinates(leaf.slot, xs, zs);
                slot.on_lattice = None;
                if !leaf.is_aligned() {
                    return;
                }
                with_separable!(leaf, _basis, fade => prepare_lines::<_, R>(set, leaf, fade, footprint, slot), else {});
            }
            Node::Damped { leaf, damped } => self.prepare_damped::<R>(leaf, damped, [xs, zs], footprint),
            Node::Dunes { slot, .. } => {
                self.store_coordinates(*slot, xs, zs);
            }
            Node::Gullies { source, gullies, slot } => {
                self.store_coordinates(*slot, xs, zs);
                self.prepare_gullies::<R>(source, gullies, *slot, [xs, zs], footprint);
            }
            Node::Transform { source, transform, slot } => {
                self.store_coordinates(*slot, xs, zs);
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
                self.store_coordinates(*slot, xs, zs);
                for axis in 0..2 {
                    self.prepare_node::<R>(&by[warp_axis(2, axis)], xs, zs, footprint);
                }
            }
            Node::Swirl { by, slot, .. } => {
                self.store_coordinates(*slot, xs, zs);
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
}
