//! Rows of dunes.

use super::between::BetweenLanes;
use super::blocks::{RowReal, Spot};
use crate::erosion::dunes::Dunes;
use crate::erosion::stripes::Stripes;
use crate::simd::{Isa, Kernel, LANES};

/// Dunes at points.
pub(super) struct DunesAt<'a, R: RowReal> {
    pub dunes: &'a Dunes,
    pub footprint: f64,
    pub spots: &'a [R::Spot],
    pub out: &'a mut [R::Block],
}

impl<R: RowReal> Kernel for DunesAt<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        let Self { dunes, footprint, spots, out } = self;
        let share = dunes.share(footprint);
        if share == 0.0 {
            // Too fine to be seen: far away that is most of them.
            for block in out {
                for lane in 0..LANES {
                    R::set(block, lane, R::constant(dunes.mean()));
                }
            }
            return;
        }
        // Wide registers are taken two at a time, so that one's latency hides behind the other's work.
        let pairs = if W == LANES { out.len().min(spots.len()) / 2 } else { 0 };
        let (paired, single) = out.split_at_mut(2 * pairs);
        for (out, spots) in paired.as_chunks_mut().0.iter_mut().zip(spots.as_chunks().0) {
            blocks::<R, W, 2>(isa, dunes, share, spots, out);
        }
        for (out, spots) in single.as_chunks_mut().0.iter_mut().zip(spots[2 * pairs..].as_chunks().0) {
            blocks::<R, W, 1>(isa, dunes, share, spots, out);
        }
    }
}

#[inline(always)]
fn blocks<R: RowReal, const W: usize, const N: usize>(
    isa: impl Isa<W>,
    dunes: &Dunes,
    share: f32,
    spots: &[R::Spot; N],
    out: &mut [R::Block; N],
) {
    let (stripes, wind) = (dunes.stripes(), dunes.wind());
    let [mut cos, mut sin] = [[R::Block::default(); N]; 2];
    // The lanes inside, or the loops are not vectorised.
    for n in 0..N {
        let [x, z] = spots[n].at();
        let (middles, [u, v]) = stripes.around(isa, [&x.0, &z.0]);
        let places = [BetweenLanes::new(&u), BetweenLanes::new(&v)];
        for (corner, [x, z, phase]) in middles.iter().enumerate() {
            for lane in 0..LANES {
                let at = [places[0].lane(lane), places[1].lane(lane)];
                let [c, s] = stripes.straight_share::<R>(at, corner, [x[lane], z[lane], phase[lane]], wind);
                let sums = (R::get(&cos[n], lane) + c, R::get(&sin[n], lane) + s);
                R::set(&mut cos[n], lane, sums.0);
                R::set(&mut sin[n], lane, sums.1);
            }
        }
    }
    for n in 0..N {
        for lane in 0..LANES {
            let wave = Stripes::stretched([R::get(&cos[n], lane), R::get(&sin[n], lane)]);
            let height = dunes.height(wave, share);
            R::set(&mut out[n], lane, height.carried(1.0, &R::place_of(&spots[n], lane)));
        }
    }
}
