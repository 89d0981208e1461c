//! Rows of the nodes whose formulas already contain slopes: heights from kernels of their own, slopes from
//! differences of heights.

use super::blocks::RowReal;
use super::rows::{Pass, Row};
use super::scratch::{Buffered, give_spots, take_spots};
use super::steps::Combine;
use crate::basis::jet;
use crate::combine::Combination;
use crate::erosion::differences::slope;
use crate::erosion::gullies::{AROUND, Carve, Gullies};
use crate::erosion::plane::{Heights, Plane};
use crate::real::Field;
use crate::sampler::Node;
use crate::simd::{Isa, Kernel, LANES, Lanes, Wide};

/// Places of plain heights.
pub(super) type Plain = [Wide; 2];

impl Pass<'_> {
    /// A field at points, with its slopes if they are wanted. Not inlined, for the reason `gullies_points` is not.
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
        for ([x, z], out) in spots.iter().zip(out) {
            out.0 = self.set.run(Heights { plane, places: [&x.0, &z.0], footprint });
        }
    }

    /// The land is sampled on the grid itself, its surroundings on displaced copies of the grid.
    pub fn prepare_gullies<R: RowReal>(
        &mut self,
        source: &[Node; 1 + AROUND],
        gullies: &Gullies,
        xs: &[f64],
        zs: &[f64],
        footprint: f64,
    ) {
        self.prepare_node::<R>(&source[0], xs, zs, footprint);
        if R::SLOPES {
            return;
        }
        for (node, by) in source[1..].iter().zip(gullies.places()) {
            let mut moved = [self.scratch.take_coordinates(), self.scratch.take_coordinates()];
            for (axis, metres) in [xs, zs].into_iter().enumerate() {
                moved[axis].extend(metres.iter().map(|metres| metres + by[axis]));
            }
            self.prepare_node::<f32>(node, &moved[0], &moved[1], gullies.footprint(footprint));
            moved.into_iter().for_each(|moved| self.scratch.give_coordinates(moved));
        }
    }

    /// Adds gullies to a row of the land.
    pub fn gullies_row<R: Buffered>(
        &mut self,
        source: &[Node; 1 + AROUND],
        gullies: &Gullies,
        slot: usize,
        at: Row,
        out: &mut [R::Block],
    ) {
        let spots = self.grid_spots::<R>(slot, at);
        if R::SLOPES {
            self.gullies_points::<R>(source, gullies, at.footprint, &spots, out);
        } else {
            let [mut carved] = self.rows::<R, 1>(out.len());
            self.by_differences::<R>(&spots, 1.0, &mut carved, |pass, spots, out| {
                let mut around = pass.rows::<f32, AROUND>(out.len());
                let below = Row { footprint: gullies.footprint(at.footprint), ..at };
                for (node, around) in source[1..].iter().zip(&mut around) {
                    pass.row::<f32>(node, below, around);
                }
                pass.carve(gullies, at.footprint, spots, around.each_ref().map(|row| &**row), out);
                pass.give_rows::<f32, AROUND>(around);
            });
            self.set.run(Combine::<R> { combination: Combination::Add, out, other: &carved });
            self.give_rows::<R, 1>([carved]);
        }
        give_spots::<R>(self.scratch, spots);
    }

    /// Adds gullies to the land at points. Not inlined: the recursion through all nodes should not reserve
    /// stack for it.
    #[inline(never)]
    pub fn gullies_points<R: Buffered>(
        &mut self,
        source: &[Node; 1 + AROUND],
        gullies: &Gullies,
        footprint: f64,
        spots: &[R::Spot],
        out: &mut [R::Block],
    ) {
        let [mut carved] = self.rows::<R, 1>(out.len());
        self.by_differences::<R>(spots, gullies.step(footprint), &mut carved, |pass, spots, out| {
            let mut around = pass.rows::<f32, AROUND>(out.len());
            let mut moved = take_spots::<f32>(pass.scratch, spots.len());
            let places = source[1..].iter().zip(gullies.places());
            for ((node, by), around) in places.zip(&mut around) {
                pass.set.run(OffsetPlaces::<f32> { spots, by, out: &mut moved });
                pass.points::<f32>(node, &moved, gullies.footprint(footprint), around);
            }
            give_spots::<f32>(pass.scratch, moved);
            pass.carve(gullies, footprint, spots, around.each_ref().map(|row| &**row), out);
            pass.give_rows::<f32, AROUND>(around);
        });
        self.set.run(Combine::<R> { combination: Combination::Add, out, other: &carved });
        self.give_rows::<R, 1>([carved]);
    }

    fn carve(&self, gullies: &Gullies, footprint: f64, spots: &[Plain], around: [&[Lanes]; AROUND], out: &mut [Lanes]) {
        for (i, ([x, z], out)) in spots.iter().zip(out).enumerate() {
            let around = around.map(|row| &row[i].0);
            out.0 = self.set.run(Carve { gullies, places: [&x.0, &z.0], around, footprint });
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
