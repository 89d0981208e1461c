//! Kernels between the leaves of a tree, over whole rows: places are moved, numbers are mapped and
//! combined.

use super::blocks::RowReal;
use crate::combine::{Combination, blend};
use crate::mapping::Mapping;
use crate::real::each;
use crate::sampler::Transform;
use crate::simd::{Isa, Kernel, LANES, block_by_block};

/// Replaces the numbers of a row, or those of a row joined with another. A macro, as a closure is not always
/// compiled for the set of the kernel that calls it.
macro_rules! each_lane {
    ($out:expr, $x:ident => $value:expr) => {
        for block in $out {
            // A copy, as the references may alias.
            let mut all = *block;
            for lane in 0..LANES {
                let $x = R::get(&all, lane);
                R::set(&mut all, lane, $value);
            }
            *block = all;
        }
    };
    ($out:expr, $other:expr, $a:ident, $b:ident => $value:expr) => {
        for (block, other) in $out.iter_mut().zip($other) {
            let (mut all, other) = (*block, *other);
            for lane in 0..LANES {
                let ($a, $b) = (R::get(&all, lane), R::get(&other, lane));
                R::set(&mut all, lane, $value);
            }
            *block = all;
        }
    };
}

pub(super) use each_lane;

/// Runs the same code for a mapping of any kind, compiled once for each: matched inside of a loop over lanes,
/// the kinds would keep it from being vectorised. So would a destructor: it refers to the mapping, whose kind is then
/// read again for every lane.
macro_rules! with_mapping {
    ($any:expr, $mapping:ident => $body:expr) => {{
        use std::mem::ManuallyDrop;
        use $crate::mapping::{Mapping, Shape};
        match *$any {
            Mapping::Affine { factor, offset } => {
                let $mapping = ManuallyDrop::new(Mapping::Affine { factor, offset });
                $body
            }
            Mapping::Clamp { min, max } => {
                let $mapping = ManuallyDrop::new(Mapping::Clamp { min, max });
                $body
            }
            Mapping::Abs => {
                let $mapping = ManuallyDrop::new(Mapping::Abs);
                $body
            }
            Mapping::Shape { low, size, shape: Shape::Power { exponent } } => {
                let $mapping = ManuallyDrop::new(Mapping::Shape { low, size, shape: Shape::Power { exponent } });
                $body
            }
            Mapping::Shape { low, size, shape: Shape::Gain { exponent } } => {
                let $mapping = ManuallyDrop::new(Mapping::Shape { low, size, shape: Shape::Gain { exponent } });
                $body
            }
            Mapping::Terrace { step, sharpness } => {
                let $mapping = ManuallyDrop::new(Mapping::Terrace { step, sharpness });
                $body
            }
            Mapping::Shore { level, above, below } => {
                let $mapping = ManuallyDrop::new(Mapping::Shore { level, above, below });
                $body
            }
            ref $mapping @ Mapping::Curve(_) => $body,
        }
    }};
}
pub(super) use with_mapping;

/// As [`with_mapping`], for combinations.
macro_rules! with_combination {
    ($any:expr, $known:ident => $body:expr) => {{
        use $crate::combine::Combination;
        match $any {
            Combination::Add => {
                let $known = Combination::Add;
                $body
            }
            Combination::Mul => {
                let $known = Combination::Mul;
                $body
            }
            Combination::Min => {
                let $known = Combination::Min;
                $body
            }
            Combination::Max => {
                let $known = Combination::Max;
                $body
            }
            Combination::SmoothMin { radius } => {
                let $known = Combination::SmoothMin { radius };
                $body
            }
            Combination::SmoothMax { radius } => {
                let $known = Combination::SmoothMax { radius };
                $body
            }
            Combination::Strata { step, sharpness, variety, seed } => {
                let $known = Combination::Strata { step, sharpness, variety, seed };
                $body
            }
            Combination::AddAbove { low, range } => {
                let $known = Combination::AddAbove { low, range };
                $body
            }
        }
    }};
}
pub(super) use with_combination;

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
        let out = self.out;
        with_mapping!(self.mapping, mapping => each_lane!(out, x => mapping.apply(x)));
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
        let (out, other) = (self.out, self.other);
        with_combination!(self.combination, known => each_lane!(out, other, a, b => known.apply(a, b)));
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
            let (mut all, other, mask) = (*block, *other, *mask);
            for lane in 0..LANES {
                let blended = blend(R::get(&all, lane), R::get(&other, lane), R::get(&mask, lane));
                R::set(&mut all, lane, blended);
            }
            *block = all;
        }
    }
}
