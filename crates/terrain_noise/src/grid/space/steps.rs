//! Kernels between the leaves of a tree, over blocks of positions in space.

use super::blocks::SpaceReal;
use crate::combine::{Combination, blend};
use crate::grid::steps::{each_lane, with_combination, with_mapping};
use crate::mapping::Mapping;
use crate::sampler::Transform;
use crate::simd::{Isa, Kernel, LANES};

/// Moves positions by three rows of numbers.
pub(super) struct Displace<'a, R: SpaceReal> {
    pub spots: &'a mut [R::Spot],
    pub by: [&'a [R::Block]; 3],
    pub amount: f32,
}

impl<R: SpaceReal> Kernel for Displace<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let [x, y, z] = self.by;
        for (((spot, x), y), z) in self.spots.iter_mut().zip(x).zip(y).zip(z) {
            for lane in 0..LANES {
                let by = [R::get(x, lane), R::get(y, lane), R::get(z, lane)];
                let by = [by[0] * self.amount, by[1] * self.amount, by[2] * self.amount];
                R::put(spot, lane, R::displaced(&R::place_of(spot, lane), by));
            }
        }
    }
}

/// Moves positions by an affine change of coordinates.
pub(super) struct Move<'a, R: SpaceReal> {
    pub spots: &'a mut [R::Spot],
    pub transform: &'a Transform,
}

impl<R: SpaceReal> Kernel for Move<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let (matrix, offset) = self.transform.over::<3>();
        for spot in self.spots {
            for lane in 0..LANES {
                R::put(spot, lane, R::moved(&R::place_of(spot, lane), &matrix, &offset));
            }
        }
    }
}

/// A range mapping of a row.
pub(super) struct Map<'a, R: SpaceReal> {
    pub mapping: &'a Mapping,
    pub out: &'a mut [R::Block],
}

impl<R: SpaceReal> Kernel for Map<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let out = self.out;
        with_mapping!(self.mapping, mapping => each_lane!(out, x => mapping.apply(x)));
    }
}

/// A row combined with another.
pub(super) struct Combine<'a, R: SpaceReal> {
    pub combination: Combination,
    pub out: &'a mut [R::Block],
    pub other: &'a [R::Block],
}

impl<R: SpaceReal> Kernel for Combine<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let (out, other) = (self.out, self.other);
        with_combination!(self.combination, known => each_lane!(out, other, a, b => known.apply(a, b)));
    }
}

/// A row blended with another by a mask.
pub(super) struct Mix<'a, R: SpaceReal> {
    pub out: &'a mut [R::Block],
    pub other: &'a [R::Block],
    pub mask: &'a [R::Block],
}

impl<R: SpaceReal> Kernel for Mix<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        for ((block, other), mask) in self.out.iter_mut().zip(self.other).zip(self.mask) {
            let (mut all, other, mask) = (*block, *other, *mask);
            for lane in 0..LANES {
                let blended = blend(R::get(&all, lane), R::get(&other, lane), R::get(&mask, lane));
                R::set(&mut all, lane, blended);
            }
            *block = all;
        }
    }
}
