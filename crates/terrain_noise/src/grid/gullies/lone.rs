//! Gullies at points that share no grid: each has the lattice of the land around it sampled for itself, or for its block.

use super::carve::{Scattered, add, begin, carve};
use super::land::line;
use crate::erosion::gullies::{Gullies, SampledGully};
use crate::erosion::spline::{ORDERS, Shape, TAPS, shape, weighed, weights};
use crate::grid::blocks::{RowReal, Spot};
use crate::grid::rows::Pass;
use crate::grid::scratch::{Buffered, Scratch, give_spots, take_spots};
use crate::lattice::split;
use crate::real::{Field, each};
use crate::sampler::Node;
use crate::simd::{DetectedIsa, Isa, Kernel, LANES, Lanes};

/// Lattice points that lie around a position.
pub const AROUND: usize = TAPS * TAPS;

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
        let spacing = gullies.spacing(footprint);
        let per_metre = 1.0 / spacing;
        let cells = places.map(|at| at.map(|metres| split(metres * per_metre).0));
        let low = cells.iter().fold([i64::MAX; 2], |low, cell| [low[0].min(cell[0]), low[1].min(cell[1])]);
        let high = cells.iter().fold([i64::MIN; 2], |high, cell| [high[0].max(cell[0]), high[1].max(cell[1])]);
        let span: [usize; 2] = each(|axis| (high[axis].wrapping_sub(low[axis]) as u64).min(1 << 20) as usize + TAPS);
        // Positions that lie together share their lattice points.
        let together = span[0] * span[1] <= AROUND * LANES / 2;
        let count = if together { span[0] * span[1] } else { AROUND * LANES };
        let blocks = count.div_ceil(LANES);
        let mut spots = take_spots::<f32>(self.scratch, blocks);
        let [mut heights] = self.rows::<f32, 1>(blocks);
        for k in 0..blocks * LANES {
            let k_within = k.min(count - 1);
            let (cell, i, j) = if together {
                (low, k_within % span[0], k_within / span[0])
            } else {
                (cells[k_within / AROUND], k_within % TAPS, k_within / TAPS % TAPS)
            };
            spots[k / LANES][0].0[k % LANES] = line(cell[0], i, spacing);
            spots[k / LANES][1].0[k % LANES] = line(cell[1], j, spacing);
        }
        self.points::<f32>(smooth, &spots, gullies.footprint(footprint), &mut heights);
        for (lane, cell) in cells.iter().enumerate() {
            for (k, out) in out.iter_mut().enumerate() {
                let (i, j) = (k % TAPS, k / TAPS);
                let from = if together {
                    let steps: [usize; 2] = each(|axis| cell[axis].wrapping_sub(low[axis]) as usize);
                    (steps[1] + j) * span[0] + steps[0] + i
                } else {
                    lane * AROUND + k
                };
                out.0[lane] = heights[from / LANES].0[from % LANES];
            }
        }
        self.give_rows::<f32, 1>([heights]);
        give_spots::<f32>(self.scratch, spots);
    }
}

thread_local! {
    /// For single points: a thread's scratch outlives the call, so that the next one does not allocate.
    static SCRATCH: std::cell::Cell<Option<Box<Scratch>>> = const { std::cell::Cell::new(None) };
}

/// The smoothed land around a position.
pub(crate) fn shape_at<R: Field<2>>(
    smooth: &Node,
    gullies: &Gullies,
    at: [f64; 2],
    footprint: f64,
    set: DetectedIsa,
) -> Shape<R> {
    let mut scratch = SCRATCH.take().unwrap_or_default();
    let mut heights = [Lanes::default(); AROUND];
    let mut pass = Pass { set, scratch: &mut scratch };
    pass.heights_around(smooth, gullies, footprint, &[at; LANES], &mut heights);
    SCRATCH.set(Some(scratch));
    let per_metre = 1.0 / gullies.spacing(footprint);
    let [along, across] = at.map(|metres| weights(split(metres * per_metre).1));
    let columns = each::<_, ORDERS>(|order| each(|i| weighed(across[order], each(|j| heights[j * TAPS + i].0[0]))));
    shape(along, columns, per_metre as f32)
}
