//! Lists of positions in space: a walk through the tree for a few blocks of them at a time.

pub(super) mod blocks;
mod fractal;
mod steps;

use self::blocks::SpaceReal;
use self::fractal::Fractal;
use self::steps::{Combine, Displace, Map, Mix, Move};
use super::rows::Pass;
use super::scratch::Scratch;
use crate::fractal::Fbm;
use crate::real::{Jet, reachable};
use crate::sampler::{AnyRecipe, Leaf, Node, Sampler, warp_axis, with_recipe};
use crate::simd::LANES;

/// Blocks that go through the tree together: their numbers stay in the innermost cache.
const BLOCKS: usize = 8;

impl Sampler {
    /// Writes the values at a list of positions in space, in metres, x, y up, z: each has the bits of
    /// [`sample_3d`](Self::sample_3d) where the footprint is 0, and otherwise of the value that
    /// [`sample_jet`](Self::sample_jet) gives there. `footprint` is what the samples can show, in metres; 0
    /// keeps all octaves.
    ///
    /// Perlin and value noise take a fraction of the time of single calls. The scratch is grown by the first
    /// call; further calls do not allocate.
    ///
    /// # Panics
    /// If `heights` is not as long as the list.
    ///
    /// ```
    /// use terrain_noise::prelude::*;
    /// let rock = perlin().fbm().feature_size(30.0).build(1)?;
    /// let positions = [[10.0, -4.0, 2.0], [1e9, 0.5, -3.0]];
    /// let mut density = [0.0; 2];
    /// rock.fill_points_3d(&positions, 0.0, &mut Scratch::default(), &mut density);
    /// assert_eq!(density[1], rock.sample_3d(positions[1]));
    /// # Ok::<(), NoiseError>(())
    /// ```
    pub fn fill_points_3d(&self, points: &[[f64; 3]], footprint: f64, scratch: &mut Scratch, heights: &mut [f32]) {
        assert_eq!(heights.len(), points.len(), "heights must have one place a point");
        self.space_blocks::<f32>(points, footprint, scratch, |i, height| heights[i] = height);
    }

    /// As [`fill_points_3d`](Self::fill_points_3d), and the slopes along x, y and z, per metre: the bits of
    /// [`sample_jet`](Self::sample_jet).
    ///
    /// # Panics
    /// If a slice is not as long as the list.
    pub fn fill_points_3d_with_gradient(
        &self,
        points: &[[f64; 3]],
        footprint: f64,
        scratch: &mut Scratch,
        heights: &mut [f32],
        dx: &mut [f32],
        dy: &mut [f32],
        dz: &mut [f32],
    ) {
        for slice in [heights.len(), dx.len(), dy.len(), dz.len()] {
            assert_eq!(slice, points.len(), "every slice must have one place a point");
        }
        self.space_blocks::<Jet<3>>(points, footprint, scratch, |i, jet| {
            let slopes = if jet.gradient.iter().all(|slope| slope.is_finite()) {
                jet.gradient
            } else {
                self.slopes_by_differences(points[i], footprint)
            };
            heights[i] = jet.value;
            [dx[i], dy[i], dz[i]] = slopes;
        });
    }

    /// Evaluates a list; `store` gets each position's index and number.
    fn space_blocks<R: SpaceReal>(
        &self,
        points: &[[f64; 3]],
        footprint: f64,
        scratch: &mut Scratch,
        mut store: impl FnMut(usize, R),
    ) {
        let mut pass = Pass { set: self.instructions, scratch };
        for (chunk, points) in points.chunks(BLOCKS * LANES).enumerate() {
            let blocks = points.len().div_ceil(LANES);
            let (mut spots, mut out) = (pass.take_spots::<R>(blocks), pass.take_blocks::<R>(blocks));
            for i in 0..blocks * LANES {
                // The last block is padded with copies of the last position.
                let place = R::place(reachable(points[i.min(points.len() - 1)]));
                R::put(&mut spots[i / LANES], i % LANES, place);
            }
            pass.space::<R>(&self.root, &spots, footprint, &mut out);
            for i in 0..points.len() {
                store(chunk * BLOCKS * LANES + i, R::get(&out[i / LANES], i % LANES));
            }
            pass.give_blocks::<R>(out);
            pass.give_spots::<R>(spots);
        }
    }
}

impl Pass<'_> {
    fn take_blocks<R: SpaceReal>(&mut self, blocks: usize) -> Vec<R::Block> {
        let mut row = R::buffers(self.scratch).blocks.pop().unwrap_or_default();
        row.resize(blocks, R::Block::default());
        row
    }

    fn give_blocks<R: SpaceReal>(&mut self, row: Vec<R::Block>) {
        R::buffers(self.scratch).blocks.push(row);
    }

    fn take_spots<R: SpaceReal>(&mut self, blocks: usize) -> Vec<R::Spot> {
        let mut spots = R::buffers(self.scratch).spots.pop().unwrap_or_default();
        spots.resize(blocks, R::Spot::default());
        spots
    }

    fn give_spots<R: SpaceReal>(&mut self, spots: Vec<R::Spot>) {
        R::buffers(self.scratch).spots.push(spots);
    }

    /// A copy of positions, to be moved.
    fn copy_of<R: SpaceReal>(&mut self, spots: &[R::Spot]) -> Vec<R::Spot> {
        let mut moved = self.take_spots::<R>(spots.len());
        moved.copy_from_slice(spots);
        moved
    }

    fn space_fractal<R: SpaceReal>(
        &mut self,
        leaf: &Leaf,
        recipe: AnyRecipe,
        mean: f32,
        spots: &[R::Spot],
        footprint: f64,
        out: &mut [R::Block],
    ) {
        let mut noise = self.take_blocks::<R>(out.len());
        let mut weights = self.take_blocks::<R>(out.len());
        with_recipe!(recipe, recipe => {
            let fractal = Fractal::<_, R> { leaf, recipe, mean, footprint, spots, out };
            fractal.run(self.set, &mut noise, &mut weights);
        });
        self.give_blocks::<R>(noise);
        self.give_blocks::<R>(weights);
    }

    /// Evaluates a node at positions in space.
    fn space<R: SpaceReal>(&mut self, node: &Node, spots: &[R::Spot], footprint: f64, out: &mut [R::Block]) {
        match node {
            Node::Constant(value) => {
                for block in out {
                    (0..LANES).for_each(|lane| R::set(block, lane, R::constant(*value)));
                }
            }
            Node::Single { leaf, mean } => {
                self.space_fractal::<R>(leaf, AnyRecipe::Fbm(Fbm), *mean, spots, footprint, out);
            }
            Node::Fractal { leaf, recipe, mean } => {
                self.space_fractal::<R>(leaf, *recipe, *mean, spots, footprint, out);
            }
            Node::Damped { .. } | Node::Dunes { .. } => {
                for (spot, block) in spots.iter().zip(out) {
                    for lane in 0..LANES {
                        R::set(block, lane, node.at::<3, R>(&R::place_of(spot, lane), footprint, self.set));
                    }
                }
            }
            // Water runs down the plane: in space there is the land alone.
            Node::Gullies { source, .. } => self.space::<R>(&source[0], spots, footprint, out),
            Node::Transform { source, transform, .. } => {
                let mut moved = self.copy_of::<R>(spots);
                self.set.run(Move::<R> { spots: &mut moved, transform });
                self.space::<R>(source, &moved, transform.footprint(footprint), out);
                self.give_spots::<R>(moved);
            }
            Node::Warp { source, by, amount, .. } => {
                let mut axes = [0; 3].map(|_| self.take_blocks::<R>(out.len()));
                for (axis, row) in axes.iter_mut().enumerate() {
                    self.space::<R>(&by[warp_axis(3, axis)], spots, footprint, row);
                }
                let mut moved = self.copy_of::<R>(spots);
                let [x, y, z] = &axes;
                self.set.run(Displace::<R> { spots: &mut moved, by: [x, y, z], amount: *amount });
                axes.into_iter().for_each(|row| self.give_blocks::<R>(row));
                self.space::<R>(source, &moved, footprint, out);
                self.give_spots::<R>(moved);
            }
            Node::Swirl { source, by, angle, .. } => {
                let mut angles = self.take_blocks::<R>(out.len());
                self.space::<R>(by, spots, footprint, &mut angles);
                let mut turned = self.copy_of::<R>(spots);
                for (spot, angles) in turned.iter_mut().zip(&angles) {
                    for lane in 0..LANES {
                        let place = R::swirled(&R::place_of(spot, lane), R::get(angles, lane) * *angle);
                        R::put(spot, lane, place);
                    }
                }
                self.give_blocks::<R>(angles);
                self.space::<R>(source, &turned, footprint, out);
                self.give_spots::<R>(turned);
            }
            Node::Map { source, mapping } => {
                self.space::<R>(source, spots, footprint, out);
                self.set.run(Map::<R> { mapping, out });
            }
            Node::Pair { operands, combination } => {
                let mut other = self.take_blocks::<R>(out.len());
                self.space::<R>(&operands[0], spots, footprint, out);
                self.space::<R>(&operands[1], spots, footprint, &mut other);
                self.set.run(Combine::<R> { combination: *combination, out, other: &other });
                self.give_blocks::<R>(other);
            }
            Node::Blend { operands } => {
                let [mut other, mut mask] = [self.take_blocks::<R>(out.len()), self.take_blocks::<R>(out.len())];
                self.space::<R>(&operands[0], spots, footprint, out);
                self.space::<R>(&operands[1], spots, footprint, &mut other);
                self.space::<R>(&operands[2], spots, footprint, &mut mask);
                self.set.run(Mix::<R> { out, other: &other, mask: &mask });
                self.give_blocks::<R>(other);
                self.give_blocks::<R>(mask);
            }
        }
    }
}
