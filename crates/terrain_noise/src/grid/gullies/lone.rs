//! Gullies at points that share no grid.

use std::cell::Cell;

use super::carve::{Scattered, add, begin, carve};
use super::window::{AROUND, Window};
use crate::erosion::gullies::{Gullies, SampledGully};
use crate::erosion::spline::{ORDERS, Shape, TAPS, shape, weighed, weights};
use crate::grid::blocks::{RowReal, Spot};
use crate::grid::rows::Pass;
use crate::grid::scratch::{Buffered, Scratch};
use crate::lattice::split;
use crate::real::{Field, each};
use crate::sampler::Node;
use crate::simd::{DetectedIsa, Isa, Kernel, LANES, Lanes};

/// What is carved at a block of points, with slopes by their own coordinates.
pub struct CarvePoints<'a, R: RowReal> {
    pub gullies: &'a Gullies,
    pub octaves: &'a [SampledGully],
    /// Cells of the lattice.
    pub per_metre: f64,
    /// The heights of the lattice around each point, row by row.
    pub heights: &'a [Lanes; AROUND],
    pub places: [&'a [f64; LANES]; 2],
    pub carved: &'a mut R::Block,
}

impl<R: RowReal> Kernel for CarvePoints<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        let Self { gullies, octaves, per_metre, heights, places, carved } = self;
        let mut fractions = [[0.0; LANES]; 2];
        for axis in 0..2 {
            for lane in 0..LANES {
                fractions[axis][lane] = isa.split(places[axis][lane] * per_metre).1;
            }
        }
        let [along, across] = [weights_of(&fractions[0]), weights_of(&fractions[1])];
        let mut columns = [[[0.0; LANES]; TAPS]; ORDERS];
        for order in 0..ORDERS {
            for tap in 0..TAPS {
                for lane in 0..LANES {
                    let weights = each(|j| across[order][j].0[lane]);
                    columns[order][tap][lane] = weighed(weights, each(|j| heights[j * TAPS + tap].0[lane]));
                }
            }
        }
        let states = begin::<R>(gullies, &along, &columns, per_metre as f32);
        let waves = Scattered { isa, gullies, places };
        [*carved] = carve::<R, W, 1>(gullies, octaves, [states], &waves);
    }
}

/// The weights of the taps for a block of fractions.
#[inline(always)]
fn weights_of(fractions: &[f32; LANES]) -> [[Lanes; TAPS]; ORDERS] {
    let mut all = [[Lanes::default(); TAPS]; ORDERS];
    for lane in 0..LANES {
        let one = weights(fractions[lane]);
        for order in 0..ORDERS {
            for tap in 0..TAPS {
                all[order][tap].0[lane] = one[order][tap];
            }
        }
    }
    all
}

/// Adds what is carved to a block of the land.
struct AddCarved<'a, R: RowReal> {
    carved: &'a R::Block,
    spot: &'a R::Spot,
    out: &'a mut R::Block,
}

impl<R: RowReal> Kernel for AddCarved<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        add::<R>(self.out, self.carved, self.spot);
    }
}

impl Pass<'_> {
    /// Adds gullies to the land at points. Not inlined: the recursion through all nodes should not reserve
    /// stack for it.
    #[inline(never)]
    pub fn carve_points<R: Buffered>(
        &mut self,
        smooth: &Node,
        gullies: &Gullies,
        footprint: f64,
        spots: &[R::Spot],
        out: &mut [R::Block],
    ) {
        let mut heights = [Lanes::default(); AROUND];
        let (octaves, count) = gullies.sampled(footprint);
        let per_metre = 1.0 / gullies.spacing(footprint);
        for (spot, out) in spots.iter().zip(out) {
            let [x, z] = spot.at();
            let places: [[f64; 2]; LANES] = each(|lane| [x.0[lane], z.0[lane]]);
            self.heights_around(smooth, gullies, footprint, &places, &mut heights);
            let (octaves, heights) = (&octaves[..count], &heights);
            let mut carved = R::Block::default();
            let places = [&x.0, &z.0];
            self.set.run(CarvePoints::<R> { gullies, octaves, per_metre, heights, places, carved: &mut carved });
            self.set.run(AddCarved::<R> { carved: &carved, spot, out });
        }
    }

    /// The heights of the lattice points around every position of a block.
    fn heights_around(
        &mut self,
        smooth: &Node,
        gullies: &Gullies,
        footprint: f64,
        places: &[[f64; 2]; LANES],
        out: &mut [Lanes; AROUND],
    ) {
        let per_metre = 1.0 / gullies.spacing(footprint);
        let mut cells = [[0; 2]; LANES];
        let mut which = [0; LANES];
        let mut count = 0;
        for (at, which) in places.iter().zip(&mut which) {
            let cell = at.map(|metres| split(metres * per_metre).0);
            *which = cells[..count].iter().position(|&known| known == cell).unwrap_or(count);
            cells[*which] = cell;
            count = count.max(*which + 1);
        }
        let mut windows = [Window::default(); LANES];
        self.windows(smooth, gullies, footprint, &cells[..count], &mut windows[..count]);
        for (k, out) in out.iter_mut().enumerate() {
            *out = Lanes(which.map(|which| windows[which].at(k / TAPS, k % TAPS)));
        }
    }
}

thread_local! {
    /// For single points: a thread's scratch outlives the call, so that the next one does not allocate.
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// The smoothed land around a position.
pub(crate) fn shape_at<R: Field<2>>(
    smooth: &Node,
    gullies: &Gullies,
    at: [f64; 2],
    footprint: f64,
    set: DetectedIsa,
) -> Shape<R> {
    // Without one where the thread ends.
    let mut scratch = SCRATCH.try_with(Cell::take).ok().flatten().unwrap_or_default();
    let per_metre = 1.0 / gullies.spacing(footprint);
    let [x, z] = at.map(|metres| split(metres * per_metre));
    let mut window = Window::default();
    let windows = std::slice::from_mut(&mut window);
    Pass { set, scratch: &mut scratch }.windows(smooth, gullies, footprint, &[[x.0, z.0]], windows);
    let _ = SCRATCH.try_with(|kept| kept.set(Some(scratch)));
    let [along, across] = [x.1, z.1].map(weights);
    let columns = each::<_, ORDERS>(|order| each(|i| weighed(across[order], each(|j| window.at(j, i)))));
    shape(along, columns, per_metre as f32)
}
