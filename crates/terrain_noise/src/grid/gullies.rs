//! Gullies over a grid: the land on a lattice, the points of all stripes once a grid, and what is carved.
//!
//! - [`axes`]: columns and rows on a lattice.
//! - [`land`] and [`points`]: what is sampled once a grid: the smoothed land, and the middles of waves.
//! - [`mod@carve`]: the octaves of a block.
//! - [`lone`]: the same at points that share no grid: each has a [`window`] of the land's lattice, from [`tiles`] of it.
//! - [`tail`]: columns at the end of rows that would fill little of a block.

mod axes;
mod carve;
mod land;
mod lone;
mod points;
mod tail;
mod tiles;
mod window;

use super::blocks::RowReal;
use super::rows::{Pass, Row};
use super::scratch::{Buffered, give_spots};
use crate::erosion::gullies::{Gullies, STATE, SampledGully};
use crate::erosion::spline::{ORDERS, TAPS, weights};
use crate::sampler::Node;
use crate::simd::{Isa, Kernel, LANES, Lanes};
use carve::{OnGrid, States, add, begin, carve};
use land::Land;
pub(crate) use lone::shape_at;
use points::Points;
use tail::Tail;
pub(super) use window::AROUND;

/// What gullies keep from row to row.
#[derive(Debug, Default)]
pub(super) struct Carved {
    land: Land,
    stripes: Vec<Points>,
    /// The octaves at the footprint.
    octaves: Vec<SampledGully>,
    tail: Tail,
}

/// Splits the coordinates of a grid on the lattices of gullies.
struct PrepareAxes<'a> {
    carved: &'a mut Carved,
    gullies: &'a Gullies,
    footprint: f64,
    axes: [&'a [f64]; 2],
}

impl Kernel for PrepareAxes<'_> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        let Self { carved: Carved { land, stripes, octaves, .. }, gullies, footprint, axes } = self;
        let per_metre = 1.0 / gullies.spacing(footprint);
        land.per_metre = per_metre as f32;
        land.known = land.axes.split(isa, axes, |_, metres| metres * per_metre);
        land.weights.clear();
        for fractions in &land.axes.columns {
            let mut all = [[Lanes::default(); TAPS]; ORDERS];
            for lane in 0..LANES {
                let one = weights(fractions.0[lane]);
                for order in 0..ORDERS {
                    for tap in 0..TAPS {
                        all[order][tap].0[lane] = one[order][tap];
                    }
                }
            }
            land.weights.push(all);
        }
        let (all, count) = gullies.sampled(footprint);
        octaves.clear();
        octaves.extend_from_slice(&all[..count]);
        if stripes.len() < count {
            stripes.resize_with(count, Points::default);
        }
        for ((one, octave), points) in gullies.stripes().zip(octaves).zip(stripes) {
            points.known =
                octave.is_visible() && points.axes.split(isa, axes, |axis, metres| one.coordinate(axis, metres));
            if points.known {
                points.fill(one);
            }
        }
    }
}

/// The orders of derivatives that are needed.
fn orders<R: RowReal>() -> usize {
    if R::SLOPES { ORDERS } else { ORDERS - 1 }
}

/// Carves a row of the grid.
struct CarveRow<'a, R: RowReal> {
    gullies: &'a Gullies,
    carved: &'a mut Carved,
    row: usize,
    xs: &'a [f64],
    z: f64,
    spots: &'a [R::Spot],
    out: &'a mut [R::Block],
}

impl<R: RowReal> Kernel for CarveRow<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        let Self { gullies, carved, row, xs, z, spots, out } = self;
        carved.land.sum(row, orders::<R>());
        let last = carved.tail.block::<R>(row);
        let (out, rest) = out.split_at_mut(out.len() - usize::from(last.is_some()));
        if let (Some(last), [out_last]) = (last, rest) {
            add::<R>(out_last, &last, &spots[out.len()]);
        }
        let Carved { land, stripes, octaves, .. } = carved;
        let (xs, spots) = (xs.as_chunks::<LANES>().0, &spots[..out.len()]);
        let row = BlocksOfRow { isa, gullies, land, stripes, octaves, row, xs, z, spots };
        let mut block = 0;
        while block + 2 <= out.len() {
            row.carve::<R, W, 2>(block, out);
            block += 2;
        }
        if block < out.len() {
            row.carve::<R, W, 1>(block, out);
        }
    }
}

/// What the blocks of a row share.
struct BlocksOfRow<'a, I, S> {
    isa: I,
    gullies: &'a Gullies,
    land: &'a Land,
    stripes: &'a [Points],
    octaves: &'a [SampledGully],
    row: usize,
    xs: &'a [[f64; LANES]],
    z: f64,
    spots: &'a [S],
}

impl<I, S> BlocksOfRow<'_, I, S> {
    /// `N` blocks from one on.
    #[inline(always)]
    fn carve<R: RowReal<Spot = S>, const W: usize, const N: usize>(&self, block: usize, out: &mut [R::Block])
    where
        I: Isa<W>,
    {
        let Self { isa, gullies, land, stripes: points, octaves, row, xs, z, spots } = *self;
        let mut states: [States<R>; N] = [[R::Block::default(); STATE]; N];
        for n in 0..N {
            let columns = land.columns(isa, block + n, orders::<R>());
            states[n] = begin::<R>(gullies, &land.weights[block + n], &columns, land.per_metre);
        }
        let waves = OnGrid { isa, gullies, points, block, row, xs, z };
        let carved = carve::<R, W, N>(gullies, octaves, states, &waves);
        for n in 0..N {
            add::<R>(&mut out[block + n], &carved[n], &spots[block + n]);
        }
    }
}

impl Pass<'_> {
    /// The land is sampled on the grid itself, and on its lattice.
    pub fn prepare_gullies<R: RowReal>(
        &mut self,
        [land, smooth]: &[Node; 2],
        gullies: &Gullies,
        slot: usize,
        [xs, zs]: [&[f64]; 2],
        footprint: f64,
    ) {
        self.prepare_node::<R>(land, xs, zs, footprint);
        let mut carved = std::mem::take(&mut self.scratch.slots[slot].carved);
        self.set.run(PrepareAxes { carved: &mut carved, gullies, footprint, axes: [xs, zs] });
        if carved.land.known {
            self.sample_lattice(smooth, gullies, &mut carved.land, footprint);
            self.carve_tail::<R>(gullies, &mut carved, [xs, zs], footprint);
        }
        self.scratch.slots[slot].carved = carved;
    }

    /// Adds gullies to a row of the land.
    pub fn gullies_row<R: Buffered>(
        &mut self,
        source: &[Node; 2],
        gullies: &Gullies,
        slot: usize,
        at: Row,
        out: &mut [R::Block],
    ) {
        let spots = self.grid_spots::<R>(slot, at);
        if self.scratch.slots[slot].carved.land.known {
            let slot = &mut self.scratch.slots[slot];
            let (carved, z) = (&mut slot.carved, slot.zs[at.row]);
            self.set.run(CarveRow::<R> { gullies, carved, row: at.row, xs: &slot.xs, z, spots: &spots, out });
        } else {
            self.carve_points::<R>(&source[1], gullies, at.footprint, &spots, out);
        }
        give_spots::<R>(self.scratch, spots);
    }
}
