//! Rows of the nodes whose formulas already contain slopes: heights from kernels of their own, slopes from
//! differences of heights.

use super::blocks::RowReal;
use super::rows::Pass;
use super::scratch::{Buffered, give_spots, take_spots};
use crate::basis::jet;
use crate::erosion::differences::slope;
use crate::erosion::plane::Plane;
use crate::real::Field;
use crate::simd::{Isa, Kernel, LANES, Lanes, Wide};

/// Places of plain heights.
pub(super) type Plain = [Wide; 2];

impl Pass<'_> {
    /// A field at points, with its slopes if they are wanted. Not inlined, for the reason `carve_points` is not.
    #[inline(never)]
    pub fn by_differences<R: Buffered>(
        &mut self,
        spots: &[R::Spot],
        step: f64,
        out: &mut [R::Block],
        mut heights: impl FnMut(&mut Self, &[Plain], &mut [Lanes]),
    ) {
        let mut here = take_spots::<f32>(self.scratch, spots.len());
        let [mut middle] = self.rows::<f32, 1>(out.len());
        let zero = [0.0; 2];
        self.set.run(OffsetPlaces::<R> { spots, by: zero, out: &mut here });
        heights(self, &here, &mut middle);
        if R::SLOPES {
            let mut ends = self.rows::<f32, 4>(out.len());
            for (end, by) in ends.iter_mut().zip([[-step, 0.0], [step, 0.0], [0.0, -step], [0.0, step]]) {
                self.set.run(OffsetPlaces::<R> { spots, by, out: &mut here });
                heights(self, &here, end);
            }
            self.set.run(StoreHeights::<R> {
                spots,
                middle: &middle,
                ends: ends.each_ref().map(|end| &**end),
                step,
                out,
            });
            self.give_rows::<f32, 4>(ends);
        } else {
            self.set.run(StoreHeights::<R> { spots, middle: &middle, ends: [&[]; 4], step, out });
        }
        self.give_rows::<f32, 1>([middle]);
        give_spots::<f32>(self.scratch, here);
    }

    pub fn plane_points(&mut self, plane: &Plane, footprint: f64, spots: &[Plain], out: &mut [Lanes]) {
        self.set.run(HeightsOf { plane, footprint, spots, out });
    }
}

/// The heights of a noise of the plane.
struct HeightsOf<'a> {
    plane: &'a Plane,
    footprint: f64,
    spots: &'a [Plain],
    out: &'a mut [Lanes],
}

impl Kernel for HeightsOf<'_> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        let Self { plane, footprint, spots, out } = self;
        // Wide registers are taken two at a time, so that one's latency hides behind the other's work.
        let pairs = if W == LANES { out.len().min(spots.len()) / 2 } else { 0 };
        let (paired, single) = out.split_at_mut(2 * pairs);
        for (out, [a, b]) in paired.as_chunks_mut::<2>().0.iter_mut().zip(spots.as_chunks::<2>().0) {
            let mut places = [[0.0; 2 * LANES]; 2];
            for axis in 0..2 {
                for lane in 0..LANES {
                    places[axis][lane] = a[axis].0[lane];
                    places[axis][LANES + lane] = b[axis].0[lane];
                }
            }
            let heights = plane.heights(isa, [&places[0], &places[1]], footprint);
            out[0].0.copy_from_slice(&heights[..LANES]);
            out[1].0.copy_from_slice(&heights[LANES..]);
        }
        for (out, [x, z]) in single.iter_mut().zip(&spots[2 * pairs..]) {
            out.0 = plane.heights(isa, [&x.0, &z.0], footprint);
        }
    }
}

/// The places of spots, moved.
pub(super) struct OffsetPlaces<'a, R: RowReal> {
    pub spots: &'a [R::Spot],
    pub by: [f64; 2],
    pub out: &'a mut [Plain],
}

impl<R: RowReal> Kernel for OffsetPlaces<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        for (spot, out) in self.spots.iter().zip(self.out) {
            for lane in 0..LANES {
                let [x, z] = <R as Field<2>>::at(&R::place_of(spot, lane));
                out[0].0[lane] = x + self.by[0];
                out[1].0[lane] = z + self.by[1];
            }
        }
    }
}

/// Writes heights with slopes from differences, if there are any, converted to the original position.
struct StoreHeights<'a, R: RowReal> {
    spots: &'a [R::Spot],
    middle: &'a [Lanes],
    ends: [&'a [Lanes]; 4],
    step: f64,
    out: &'a mut [R::Block],
}

impl<R: RowReal> Kernel for StoreHeights<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        for (i, (spot, out)) in self.spots.iter().zip(self.out).enumerate() {
            for lane in 0..LANES {
                let mut gradient = [0.0; 2];
                if R::SLOPES {
                    let [left, right, near, far] = self.ends.map(|end| end[i].0[lane]);
                    gradient = [slope(left, right, self.step), slope(near, far, self.step)];
                }
                let local = jet(self.middle[i].0[lane], gradient);
                R::set(out, lane, R::lift(local, 1.0, &R::place_of(spot, lane)));
            }
        }
    }
}
