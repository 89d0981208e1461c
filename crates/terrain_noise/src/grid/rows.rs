//! One grid row after another through the whole tree.

use super::Grid;
use super::lines::{Lines, Perlin, Value};
use crate::basis::{Basis, Octave, Random, with_kernel};
use crate::bounds::Bounds;
use crate::combine::blend;
use crate::fractal::{Recipe, State};
use crate::interpolation::Fade;
use crate::lattice::Key;
use crate::real::{Field, Jet, Moving};
use crate::sampler::{Leaf, Node, Sampler, Transform, faded, warp_axis, with_recipe};

/// Working memory of the grid calls: keep one per thread and hand it to every call.
#[derive(Debug, Default)]
pub struct Scratch {
    slots: Vec<Slot>,
    plain: Buffers<f32, [f64; 2]>,
    jets: Buffers<Jet<2>, Moving<2>>,
}

/// What a part of the tree that sees the grid itself, not displaced points, keeps from row to row.
#[derive(Debug, Default)]
struct Slot {
    /// The x coordinates of the columns, as this part sees them.
    xs: Vec<f64>,
    perlin: Vec<Lines<Perlin>>,
    value: Vec<Lines<Value>>,
}

/// Rows that are handed out and taken back.
#[derive(Debug)]
struct Buffers<R, P> {
    values: Vec<Vec<R>>,
    places: Vec<Vec<P>>,
}

impl<R, P> Default for Buffers<R, P> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            places: Vec::new(),
        }
    }
}

/// A number that rows can be made of.
trait RowReal: Field<2, Place = Self::At> + Default {
    type At: Copy;
    fn buffers(scratch: &mut Scratch) -> &mut Buffers<Self, Self::At>;
    /// Takes derivatives per cell of a grid stretched along its axes to metres.
    fn stretched(local: Jet<2>, frequency: f64, scale: [f32; 2]) -> Self;
    fn plane(at: [f64; 2], scale: [f32; 2]) -> Self::At;
}

impl RowReal for f32 {
    type At = [f64; 2];
    fn buffers(scratch: &mut Scratch) -> &mut Buffers<Self, Self::At> {
        &mut scratch.plain
    }
    #[inline(always)]
    fn stretched(local: Jet<2>, _frequency: f64, _scale: [f32; 2]) -> Self {
        local.value
    }
    #[inline(always)]
    fn plane(at: [f64; 2], _scale: [f32; 2]) -> Self::At {
        at
    }
}

impl RowReal for Jet<2> {
    type At = Moving<2>;
    fn buffers(scratch: &mut Scratch) -> &mut Buffers<Self, Self::At> {
        &mut scratch.jets
    }
    #[inline(always)]
    fn stretched(local: Jet<2>, frequency: f64, scale: [f32; 2]) -> Self {
        let [dx, dz] = local.gradient.map(|d| d * frequency as f32);
        Self {
            value: local.value,
            gradient: [dx * scale[0], dz * scale[1]],
        }
    }
    #[inline(always)]
    fn plane(at: [f64; 2], scale: [f32; 2]) -> Self::At {
        Moving::stretched(at, scale)
    }
}

fn take<R: RowReal>(scratch: &mut Scratch, length: usize) -> Vec<R> {
    let mut row = R::buffers(scratch).values.pop().unwrap_or_default();
    row.clear();
    row.resize(length, R::default());
    row
}

fn give<R: RowReal>(scratch: &mut Scratch, row: Vec<R>) {
    R::buffers(scratch).values.push(row);
}

fn take_places<R: RowReal>(scratch: &mut Scratch) -> Vec<R::At> {
    let mut places = R::buffers(scratch).places.pop().unwrap_or_default();
    places.clear();
    places
}

fn give_places<R: RowReal>(scratch: &mut Scratch, places: Vec<R::At>) {
    R::buffers(scratch).places.push(places);
}

/// A row of the grid as a part of the tree sees it.
#[derive(Clone, Copy)]
struct Row {
    z: f64,
    footprint: f64,
    /// Metres here per metre of the grid, along x and z.
    scale: [f32; 2],
}

impl Row {
    fn below(self, transform: &Transform) -> Self {
        let (matrix, offset) = transform.over::<2>();
        Self {
            z: matrix[1][1] * self.z + offset[1],
            footprint: transform.footprint(self.footprint),
            scale: [
                matrix[0][0] as f32 * self.scale[0],
                matrix[1][1] as f32 * self.scale[1],
            ],
        }
    }
}

pub(super) fn fill(
    sampler: &Sampler,
    grid: &Grid,
    scratch: &mut Scratch,
    heights: &mut [f32],
) -> Bounds {
    prepare_all(sampler, grid, scratch);
    let mut bounds = Bounds::EMPTY;
    for (j, out) in heights.chunks_exact_mut(grid.size[0]).enumerate() {
        row(&sampler.root, first(grid, j), scratch, out);
        bounds = bounds.union(extremes(out));
    }
    bounds
}

pub(super) fn fill_with_gradient(
    sampler: &Sampler,
    grid: &Grid,
    scratch: &mut Scratch,
    heights: &mut [f32],
    dx: &mut [f32],
    dz: &mut [f32],
) -> Bounds {
    prepare_all(sampler, grid, scratch);
    let mut bounds = Bounds::EMPTY;
    let columns = grid.size[0];
    let mut jets = take::<Jet<2>>(scratch, columns);
    let slopes = dx
        .chunks_exact_mut(columns)
        .zip(dz.chunks_exact_mut(columns));
    for (j, (out, (dx, dz))) in heights.chunks_exact_mut(columns).zip(slopes).enumerate() {
        row(&sampler.root, first(grid, j), scratch, &mut jets);
        for (((jet, height), dx), dz) in jets.iter().zip(&mut *out).zip(dx).zip(dz) {
            *height = jet.value;
            [*dx, *dz] = jet.gradient;
        }
        bounds = bounds.union(extremes(out));
    }
    give(scratch, jets);
    bounds
}

fn first(grid: &Grid, j: usize) -> Row {
    Row {
        z: grid.z(j),
        footprint: grid.footprint,
        scale: [1.0, 1.0],
    }
}

/// The lowest and highest of a row. Comparison in blocks leaves the order free, so it vectorises;
/// minimum and maximum do not depend on it.
fn extremes(row: &[f32]) -> Bounds {
    let mut low = [f32::INFINITY; 16];
    let mut high = [f32::NEG_INFINITY; 16];
    let blocks = row.chunks_exact(16);
    for (lane, &value) in blocks.remainder().iter().enumerate() {
        low[lane] = value;
        high[lane] = value;
    }
    for block in blocks {
        for lane in 0..16 {
            low[lane] = if block[lane] < low[lane] {
                block[lane]
            } else {
                low[lane]
            };
            high[lane] = if block[lane] > high[lane] {
                block[lane]
            } else {
                high[lane]
            };
        }
    }
    Bounds {
        min: low.into_iter().fold(f32::INFINITY, f32::min),
        max: high.into_iter().fold(f32::NEG_INFINITY, f32::max),
    }
}

fn prepare_all(sampler: &Sampler, grid: &Grid, scratch: &mut Scratch) {
    if scratch.slots.len() < sampler.slots {
        scratch.slots.resize_with(sampler.slots, Slot::default);
    }
    let mut places = take_places::<f32>(scratch);
    places.extend((0..grid.size[0]).map(|i| [grid.x(i), 0.0]));
    prepare(&sampler.root, &places, grid.footprint, scratch);
    give_places::<f32>(scratch, places);
}

/// Sets up the slots of everything that sees the grid itself.
fn prepare(node: &Node, xs: &[[f64; 2]], footprint: f64, scratch: &mut Scratch) {
    let remember = |slot: &mut Slot| {
        slot.xs.clear();
        slot.xs.extend(xs.iter().map(|at| at[0]));
    };
    match node {
        Node::Constant(_) => {}
        Node::Single { leaf, .. } | Node::Fractal { leaf, .. } => {
            let slot = &mut scratch.slots[leaf.slot];
            remember(slot);
            for (k, octave) in leaf.octaves.iter().enumerate() {
                if leaf.share(octave, footprint) > 0.0 {
                    match aligned(leaf.basis, octave) {
                        Some(Aligned::Perlin(key, fade)) => {
                            nth(&mut slot.perlin, k).prepare(octave, key, fade, &slot.xs)
                        }
                        Some(Aligned::Value(key, fade)) => {
                            nth(&mut slot.value, k).prepare(octave, key, fade, &slot.xs)
                        }
                        None => {}
                    }
                }
            }
        }
        Node::Transform {
            source,
            transform,
            slot,
        } => {
            remember(&mut scratch.slots[*slot]);
            if transform.keeps_axes() {
                let (matrix, offset) = transform.over::<2>();
                let mut below = take_places::<f32>(scratch);
                below.extend(xs.iter().map(|at| [matrix[0][0] * at[0] + offset[0], 0.0]));
                prepare(source, &below, transform.footprint(footprint), scratch);
                give_places::<f32>(scratch, below);
            }
        }
        Node::Warp { by, slot, .. } => {
            remember(&mut scratch.slots[*slot]);
            for axis in 0..2 {
                prepare(&by[warp_axis(2, axis)], xs, footprint, scratch);
            }
        }
        Node::Swirl { by, slot, .. } => {
            remember(&mut scratch.slots[*slot]);
            prepare(by, xs, footprint, scratch);
        }
        Node::Map { source, .. } => prepare(source, xs, footprint, scratch),
        Node::Pair { operands, .. } => operands
            .iter()
            .for_each(|node| prepare(node, xs, footprint, scratch)),
        Node::Blend { operands } => operands
            .iter()
            .for_each(|node| prepare(node, xs, footprint, scratch)),
    }
}

/// Evaluates a row of the grid itself.
fn row<R: RowReal>(node: &Node, at: Row, scratch: &mut Scratch, out: &mut [R]) {
    match node {
        Node::Constant(value) => out.fill(R::constant(*value)),
        Node::Single { leaf, mean } => {
            let mut slot = std::mem::take(&mut scratch.slots[leaf.slot]);
            single(leaf, *mean, at.footprint, out, |octave, out| {
                grid_octave(leaf, &mut slot, 0, octave, at, out);
            });
            scratch.slots[leaf.slot] = slot;
        }
        Node::Fractal { leaf, recipe, mean } => {
            let mut slot = std::mem::take(&mut scratch.slots[leaf.slot]);
            with_recipe!(*recipe, recipe => fractal(leaf, recipe, *mean, at.footprint, scratch, out, |k, octave, out| {
                grid_octave(leaf, &mut slot, k, octave, at, out);
            }));
            scratch.slots[leaf.slot] = slot;
        }
        Node::Transform {
            source,
            transform,
            slot,
        } => {
            if transform.keeps_axes() {
                row(source, at.below(transform), scratch, out);
            } else {
                let places = grid_places::<R>(scratch, *slot, at);
                points(node, &places, at.footprint, scratch, out);
                give_places::<R>(scratch, places);
            }
        }
        Node::Warp {
            source,
            by,
            amount,
            slot,
        } => {
            let mut places = grid_places::<R>(scratch, *slot, at);
            let [mut x, mut z] = [take::<R>(scratch, out.len()), take::<R>(scratch, out.len())];
            row(&by[warp_axis(2, 0)], at, scratch, &mut x);
            row(&by[warp_axis(2, 1)], at, scratch, &mut z);
            displace(&mut places, &x, &z, *amount);
            give(scratch, x);
            give(scratch, z);
            points(source, &places, at.footprint, scratch, out);
            give_places::<R>(scratch, places);
        }
        Node::Swirl {
            source,
            by,
            angle,
            slot,
        } => {
            let mut angles = take::<R>(scratch, out.len());
            row(by, at, scratch, &mut angles);
            let mut places = grid_places::<R>(scratch, *slot, at);
            swirl(&mut places, &angles, *angle);
            give(scratch, angles);
            points(source, &places, at.footprint, scratch, out);
            give_places::<R>(scratch, places);
        }
        Node::Map { source, mapping } => {
            row(source, at, scratch, out);
            out.iter_mut()
                .for_each(|value| *value = mapping.apply(*value));
        }
        Node::Pair {
            operands,
            combination,
        } => {
            let [a, b] = &**operands;
            let mut other = take::<R>(scratch, out.len());
            row(a, at, scratch, out);
            row(b, at, scratch, &mut other);
            out.iter_mut()
                .zip(&other)
                .for_each(|(a, b)| *a = combination.apply(*a, *b));
            give(scratch, other);
        }
        Node::Blend { operands } => {
            let [a, b, mask] = &**operands;
            let [mut other, mut weight] =
                [take::<R>(scratch, out.len()), take::<R>(scratch, out.len())];
            row(a, at, scratch, out);
            row(b, at, scratch, &mut other);
            row(mask, at, scratch, &mut weight);
            out.iter_mut()
                .zip(&other)
                .zip(&weight)
                .for_each(|((a, b), mask)| *a = blend(*a, *b, *mask));
            give(scratch, other);
            give(scratch, weight);
        }
    }
}

/// Evaluates points that lie anywhere.
fn points<R: RowReal>(
    node: &Node,
    places: &[R::At],
    footprint: f64,
    scratch: &mut Scratch,
    out: &mut [R],
) {
    match node {
        Node::Constant(value) => out.fill(R::constant(*value)),
        Node::Single { leaf, mean } => {
            single(leaf, *mean, footprint, out, |octave, out| {
                point_octave(leaf, octave, places, out);
            });
        }
        Node::Fractal { leaf, recipe, mean } => {
            with_recipe!(*recipe, recipe => fractal(leaf, recipe, *mean, footprint, scratch, out, |_, octave, out| {
                point_octave(leaf, octave, places, out);
            }));
        }
        Node::Transform {
            source, transform, ..
        } => {
            let (matrix, offset) = transform.over::<2>();
            let mut moved = take_places::<R>(scratch);
            moved.extend(places.iter().map(|place| R::moved(place, &matrix, &offset)));
            points(source, &moved, transform.footprint(footprint), scratch, out);
            give_places::<R>(scratch, moved);
        }
        Node::Warp {
            source, by, amount, ..
        } => {
            let [mut x, mut z] = [take::<R>(scratch, out.len()), take::<R>(scratch, out.len())];
            points(&by[warp_axis(2, 0)], places, footprint, scratch, &mut x);
            points(&by[warp_axis(2, 1)], places, footprint, scratch, &mut z);
            let mut moved = take_places::<R>(scratch);
            moved.extend_from_slice(places);
            displace(&mut moved, &x, &z, *amount);
            give(scratch, x);
            give(scratch, z);
            points(source, &moved, footprint, scratch, out);
            give_places::<R>(scratch, moved);
        }
        Node::Swirl {
            source, by, angle, ..
        } => {
            let mut angles = take::<R>(scratch, out.len());
            points(by, places, footprint, scratch, &mut angles);
            let mut turned = take_places::<R>(scratch);
            turned.extend_from_slice(places);
            swirl(&mut turned, &angles, *angle);
            give(scratch, angles);
            points(source, &turned, footprint, scratch, out);
            give_places::<R>(scratch, turned);
        }
        Node::Map { source, mapping } => {
            points(source, places, footprint, scratch, out);
            out.iter_mut()
                .for_each(|value| *value = mapping.apply(*value));
        }
        Node::Pair {
            operands,
            combination,
        } => {
            let [a, b] = &**operands;
            let mut other = take::<R>(scratch, out.len());
            points(a, places, footprint, scratch, out);
            points(b, places, footprint, scratch, &mut other);
            out.iter_mut()
                .zip(&other)
                .for_each(|(a, b)| *a = combination.apply(*a, *b));
            give(scratch, other);
        }
        Node::Blend { operands } => {
            let [a, b, mask] = &**operands;
            let [mut other, mut weight] =
                [take::<R>(scratch, out.len()), take::<R>(scratch, out.len())];
            points(a, places, footprint, scratch, out);
            points(b, places, footprint, scratch, &mut other);
            points(mask, places, footprint, scratch, &mut weight);
            out.iter_mut()
                .zip(&other)
                .zip(&weight)
                .for_each(|((a, b), mask)| *a = blend(*a, *b, *mask));
            give(scratch, other);
            give(scratch, weight);
        }
    }
}

/// The places of a grid row, as a part of the tree sees them.
fn grid_places<R: RowReal>(scratch: &mut Scratch, slot: usize, at: Row) -> Vec<R::At> {
    let mut places = take_places::<R>(scratch);
    places.extend(
        scratch.slots[slot]
            .xs
            .iter()
            .map(|&x| R::plane([x, at.z], at.scale)),
    );
    places
}

fn displace<R: RowReal>(places: &mut [R::At], x: &[R], z: &[R], amount: f32) {
    for ((place, x), z) in places.iter_mut().zip(x).zip(z) {
        *place = R::displaced(place, [x.scaled(amount), z.scaled(amount)]);
    }
}

fn swirl<R: RowReal>(places: &mut [R::At], angles: &[R], angle: f32) {
    for (place, by) in places.iter_mut().zip(angles) {
        *place = R::swirled(place, by.scaled(angle));
    }
}

/// An octave whose lattice runs along the grid.
enum Aligned<'a> {
    Perlin(&'a Key, Fade),
    Value(&'a Key, Fade),
}

fn aligned(basis: Basis, octave: &Octave) -> Option<Aligned<'_>> {
    match (basis, &octave.random, octave.turn) {
        (Basis::Perlin { fade, .. }, Random::Hashed(key), None) => Some(Aligned::Perlin(key, fade)),
        (Basis::Value { fade, .. }, Random::Hashed(key), None) => Some(Aligned::Value(key, fade)),
        _ => None,
    }
}

/// The k-th of what is made when it is first asked for.
fn nth<T: Default>(all: &mut Vec<T>, k: usize) -> &mut T {
    if all.len() <= k {
        all.resize_with(k + 1, T::default);
    }
    &mut all[k]
}

/// One octave over a row of the grid itself.
fn grid_octave<R: RowReal>(
    leaf: &Leaf,
    slot: &mut Slot,
    k: usize,
    octave: &Octave,
    row: Row,
    out: &mut [R],
) {
    let make = |local| R::stretched(local, octave.frequency, row.scale);
    match aligned(leaf.basis, octave) {
        Some(Aligned::Perlin(key, fade)) => slot.perlin[k].row(octave, key, fade, row.z, out, make),
        Some(Aligned::Value(key, fade)) => slot.value[k].row(octave, key, fade, row.z, out, make),
        None if octave.turn.is_some() => {
            for (out, &x) in out.iter_mut().zip(&slot.xs) {
                *out = leaf.noise::<2, R>(octave, &R::plane([x, row.z], row.scale));
            }
        }
        None => with_kernel!(octave, leaf.basis, kernel => {
            let z = octave.coordinate(1, row.z);
            for (out, &x) in out.iter_mut().zip(&slot.xs) {
                *out = make(kernel([octave.coordinate(0, x), z]));
            }
        }),
    }
}

/// One octave over points that lie anywhere.
fn point_octave<R: RowReal>(leaf: &Leaf, octave: &Octave, places: &[R::At], out: &mut [R]) {
    if octave.turn.is_some() {
        for (out, place) in out.iter_mut().zip(places) {
            *out = leaf.noise::<2, R>(octave, place);
        }
        return;
    }
    with_kernel!(octave, leaf.basis, kernel => {
        for (out, place) in out.iter_mut().zip(places) {
            let [x, z] = R::at(place);
            let local = kernel([octave.coordinate(0, x), octave.coordinate(1, z)]);
            *out = R::lift(local, octave.frequency, place);
        }
    });
}

fn single<R: RowReal>(
    leaf: &Leaf,
    mean: f32,
    footprint: f64,
    out: &mut [R],
    mut noise: impl FnMut(&Octave, &mut [R]),
) {
    let share = leaf
        .octaves
        .first()
        .map_or(0.0, |octave| leaf.share(octave, footprint));
    match leaf.octaves.first() {
        Some(octave) if share > 0.0 => {
            noise(octave, out);
            out.iter_mut()
                .for_each(|value| *value = faded(*value, mean, share));
        }
        _ => out.fill(R::constant(mean)),
    }
}

fn fractal<R: RowReal>(
    leaf: &Leaf,
    recipe: impl Recipe,
    mean: f32,
    footprint: f64,
    scratch: &mut Scratch,
    out: &mut [R],
    mut noise: impl FnMut(usize, &Octave, &mut [R]),
) {
    let [mut octave_row, mut weights] =
        [take::<R>(scratch, out.len()), take::<R>(scratch, out.len())];
    for (k, octave) in leaf.octaves.iter().enumerate() {
        let share = leaf.share(octave, footprint);
        if share > 0.0 {
            noise(k, octave, &mut octave_row);
            octave_row
                .iter_mut()
                .for_each(|n| *n = faded(recipe.signal(*n), mean, share));
        } else {
            octave_row.fill(R::constant(mean));
        }
        let states = out.iter_mut().zip(&mut weights).zip(&octave_row);
        if k == 0 {
            states.for_each(|((sum, weight), &signal)| {
                let state = recipe.begin(signal);
                (*sum, *weight) = (state.sum, state.weight);
            });
        } else {
            let amplitude = octave.amplitude;
            states.for_each(|((sum, weight), &signal)| {
                let state = recipe.next(
                    State {
                        sum: *sum,
                        weight: *weight,
                    },
                    signal,
                    amplitude,
                );
                (*sum, *weight) = (state.sum, state.weight);
            });
        }
    }
    give(scratch, octave_row);
    give(scratch, weights);
}
