//! Where the points of a block lie between lattice points, and how far their weights have faded over.

use crate::basis::separable::Between;
use crate::basis::{Curve, Quintic};
use crate::simd::{LANES, Lanes};

/// A [`Between`] for each lane, along one axis.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BetweenLanes {
    f: Lanes,
    weight: Lanes,
    slope: Lanes,
}

impl BetweenLanes {
    /// From the places in their cells, 0 to 1.
    #[inline(always)]
    pub fn new(places: &[f32; LANES]) -> Self {
        let [mut weight, mut slope] = [Lanes::default(); 2];
        for lane in 0..LANES {
            weight.0[lane] = Quintic.weight(places[lane]);
            slope.0[lane] = Quintic.slope(places[lane]);
        }
        Self { f: Lanes(*places), weight, slope }
    }

    #[inline(always)]
    pub fn lane(&self, lane: usize) -> Between {
        Between { f: self.f.0[lane], weight: self.weight.0[lane], slope: self.slope.0[lane] }
    }
}
