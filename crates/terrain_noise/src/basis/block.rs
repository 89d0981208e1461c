//! Bases at a block of positions at once, for those that share nothing along the rows of a grid.
//!
//! Loops over lanes do as much as they can: the compiler would unroll a short one first, and then vectorise
//! over something else.

use crate::lattice::{Key, hash};
use crate::real::Jet;
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

impl<const D: usize> Local<D> {
    #[inline(always)]
    pub fn set(&mut self, lane: usize, jet: Jet<D>, slopes: bool) {
        self.value.0[lane] = jet.value;
        if slopes {
            for axis in 0..D {
                self.slopes[axis].0[lane] = jet.gradient[axis];
            }
        }
    }
}

/// A basis with its random numbers. Every lane gets the bits that its position gets alone.
pub(crate) trait InBlocks<const D: usize> {
    /// The basis at positions in cells. What neighbouring blocks share may be kept from call to call.
    fn at<const W: usize>(&mut self, isa: impl Isa<W>, at: &[Wide; D], slopes: bool) -> Local<D>;
}

/// The cells and fractions of a block of the plane.
#[inline(always)]
pub(crate) fn split_block<const W: usize>(isa: impl Isa<W>, at: &[Wide; 2]) -> ([[i64; LANES]; 2], [Lanes; 2]) {
    let (mut cells, mut fractions) = ([[0; LANES]; 2], [Lanes::default(); 2]);
    for lane in 0..LANES {
        for axis in 0..2 {
            (cells[axis][lane], fractions[axis].0[lane]) = isa.split(at[axis].0[lane]);
        }
    }
    (cells, fractions)
}

/// The hashes of the lattice points around the cells of a block of the plane, by row and column: from half of
/// them left of a cell's near end and on, `N` along each axis.
pub(crate) enum Around<const N: usize> {
    /// All lanes lie in one cell.
    Shared([[u32; N]; N]),
    Own([[[u32; LANES]; N]; N]),
}

impl<const N: usize> Around<N> {
    #[inline(always)]
    pub fn new(key: &Key, cells: &[[i64; LANES]; 2]) -> Self {
        let mut apart = 0;
        for lane in 0..LANES {
            apart |= (cells[0][lane] ^ cells[0][0]) | (cells[1][lane] ^ cells[1][0]);
        }
        if apart == 0 {
            let [x, z] = [first::<N>(cells[0][0]), first::<N>(cells[1][0])];
            let (x, z) = (key.run::<N>(0, x), key.run::<N>(1, z));
            let mut hashes = [[0; N]; N];
            for j in 0..N {
                for i in 0..N {
                    hashes[j][i] = hash(x[i] ^ z[j]);
                }
            }
            return Self::Shared(hashes);
        }
        let mut parts = [[[0; LANES]; N]; 2];
        for lane in 0..LANES {
            for axis in 0..2 {
                let run = key.run::<N>(axis, first::<N>(cells[axis][lane]));
                for step in 0..N {
                    parts[axis][step][lane] = run[step];
                }
            }
        }
        let mut hashes = [[[0; LANES]; N]; N];
        for lane in 0..LANES {
            for j in 0..N {
                for i in 0..N {
                    hashes[j][i][lane] = hash(parts[0][i][lane] ^ parts[1][j][lane]);
                }
            }
        }
        Self::Own(hashes)
    }
}

/// The first of `N` lattice points around a cell.
#[inline(always)]
fn first<const N: usize>(cell: i64) -> i64 {
    cell.wrapping_sub((N as i64 - 1) / 2)
}

/// The hashes of a lane.
#[inline(always)]
pub(crate) fn of_lane<const N: usize>(hashes: &[[[u32; LANES]; N]; N], lane: usize) -> [[u32; N]; N] {
    let mut own = [[0; N]; N];
    for j in 0..N {
        for i in 0..N {
            own[j][i] = hashes[j][i][lane];
        }
    }
    own
}
