//! Bases at a block of positions at once, for those that share nothing along the rows of a grid.

use crate::lattice::{Key, hash, unit};
use crate::simd::{Isa, LANES, Lanes, Wide};

/// Values and their slopes, per cell; unspecified slopes if they were not asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local<const D: usize> {
    pub value: Lanes,
    pub slopes: [Lanes; D],
}

impl<const D: usize> Default for Local<D> {
    #[inline(always)]
    fn default() -> Self {
        Self { value: Lanes::default(), slopes: [Lanes::default(); D] }
    }
}

/// A basis with its random numbers. Every lane gets the bits that its position gets alone.
pub(crate) trait InBlocks<const D: usize> {
    /// The basis at positions in cells. What neighbouring blocks share may be kept from call to call.
    fn at<const W: usize>(&mut self, isa: impl Isa<W>, at: &[Wide; D], slopes: bool) -> Local<D>;
}

/// The cells and fractions of a block of coordinates.
#[inline(always)]
pub(crate) fn split_block<const W: usize>(isa: impl Isa<W>, coordinates: &Wide) -> ([i64; LANES], Lanes) {
    let (mut cells, mut fractions) = ([0; LANES], Lanes::default());
    for lane in 0..LANES {
        (cells[lane], fractions.0[lane]) = isa.split(coordinates.0[lane]);
    }
    (cells, fractions)
}

/// An axis' parts of the hashes of the `N` lattice points around each lane's cell: half of them up to its near
/// end, half from its far end on.
#[inline(always)]
pub(crate) fn window<const N: usize>(key: &Key, axis: usize, cells: &[i64; LANES]) -> [[u64; LANES]; N] {
    let mut parts = [[0; LANES]; N];
    for lane in 0..LANES {
        let run = key.run::<N>(axis, cells[lane].wrapping_sub((N as i64 - 1) / 2));
        for step in 0..N {
            parts[step][lane] = run[step];
        }
    }
    parts
}

/// The values at lattice points.
#[inline(always)]
pub(crate) fn values(x: &[u64; LANES], z: &[u64; LANES]) -> Lanes {
    let (mut hashes, mut values) = ([0; LANES], Lanes::default());
    for lane in 0..LANES {
        hashes[lane] = hash(x[lane] ^ z[lane]);
    }
    for lane in 0..LANES {
        values.0[lane] = unit(hashes[lane]);
    }
    values
}
