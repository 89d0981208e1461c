//! Kernels between the leaves of a tree, over whole rows: places are moved, numbers are mapped and
//! combined.

use super::blocks::RowReal;
use crate::combine::{Combination, blend};
use crate::mapping::Mapping;
use crate::real::each;
use crate::sampler::Transform;
use crate::simd::{Isa, Kernel, LANES, block_by_block};

/// Rotates places about the origin. Not a kernel: `libm`'s cosine and sine cannot be vectorised.
pub(super) fn swirl<R: RowReal>(spots: &mut [R::Spot], angles: &[R::Block], angle: f32) {
    for (spot, angles) in spots.iter_mut().zip(angles) {
        for lane in 0..LANES {
            let turned = R::swirled(&R::place_of(spot, lane), R::get(angles, lane) * angle);
            R::put(spot, lane, turned);
        }
    }
}

/// The places of a grid row.
pub(super) struct Spots<'a, R: RowReal> {
    pub spots: &'a mut [R::Spot],
    pub xs: &'a [f64],
    pub z: f64,
    pub scale: [f32; 2],
}

impl<R: RowReal> Kernel for Spots<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        for (spot, xs) in self.spots.iter_mut().zip(self.xs.as_chunks::<LANES>().0) {
            block_by_block();
            let mut all = R::Spot::default();
            for lane in 0..LANES {
                R::put(&mut all, lane, R::plane([xs[lane], self.z], self.scale));
            }
            *spot = all;
        }
    }
}

/// Moves places by two rows of numbers.
pub(super) struct Displace<'a, R: RowReal> {
    pub spots: &'a mut [R::Spot],
    pub by: [&'a [R::Block]; 2],
    pub amount: f32,
}

impl<R: RowReal> Kernel for Displace<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let [x, z] = self.by;
        for ((spot, x), z) in self.spots.iter_mut().zip(x).zip(z) {
            block_by_block();
            let (mut all, x, z) = (*spot, *x, *z);
            for lane in 0..LANES {
                let by = [R::get(&x, lane) * self.amount, R::get(&z, lane) * self.amount];
                let place = R::displaced(&R::place_of(&all, lane), by);
                R::put(&mut all, lane, place);
            }
            *spot = all;
        }
    }
}

/// Moves places by an affine change of coordinates.
pub(super) struct Move<'a, R: RowReal> {
    pub spots: &'a mut [R::Spot],
    pub transform: &'a Transform,
}

impl<R: RowReal> Kernel for Move<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let (matrix, offset) = self.transform.over::<2>();
        for spot in self.spots {
            block_by_block();
            let mut all = *spot;
            for lane in 0..LANES {
                let place = R::moved(&R::place_of(&all, lane), &matrix, &offset);
                R::put(&mut all, lane, place);
            }
            *spot = all;
        }
    }
}

/// A range mapping of a row.
pub(super) struct Map<'a, R: RowReal> {
    pub mapping: &'a Mapping,
    pub out: &'a mut [R::Block],
}

impl<R: RowReal> Kernel for Map<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        if let Mapping::Curve(curve) = self.mapping {
            for block in self.out {
                let [values, slopes] = curve.all::<LANES>(each(|lane| R::get(block, lane).value()));
                for lane in 0..LANES {
                    R::set(block, lane, R::get(block, lane).map_increasing(|_| (values[lane], slopes[lane])));
                }
            }
            return;
        }
        for block in self.out {
            for lane in 0..LANES {
                R::set(block, lane, self.mapping.apply(R::get(block, lane)));
            }
        }
    }
}

/// A row combined with another.
pub(super) struct Combine<'a, R: RowReal> {
    pub combination: Combination,
    pub out: &'a mut [R::Block],
    pub other: &'a [R::Block],
}

impl<R: RowReal> Kernel for Combine<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        for (block, other) in self.out.iter_mut().zip(self.other) {
            for lane in 0..LANES {
                R::set(block, lane, self.combination.apply(R::get(block, lane), R::get(other, lane)));
            }
        }
    }
}

/// A row blended with another by a mask.
pub(super) struct Mix<'a, R: RowReal> {
    pub out: &'a mut [R::Block],
    pub other: &'a [R::Block],
    pub mask: &'a [R::Block],
}

impl<R: RowReal> Kernel for Mix<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        for ((block, other), mask) in self.out.iter_mut().zip(self.other).zip(self.mask) {
            for lane in 0..LANES {
                R::set(block, lane, blend(R::get(block, lane), R::get(other, lane), R::get(mask, lane)));
            }
        }
    }
}
