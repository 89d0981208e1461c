//! What the lattice points around points hold: from their hashes, or, where points lie many to a cell, from a table.

use crate::basis::plane::{Corners, PlaneBasis};
use crate::lattice::plane::Seeds;
use crate::lattice::repeat::wrapped_near;
use crate::real::each;
use crate::simd::{Held, Isa, NUMBERS, PAIRS, Scalar, block_by_block};

/// Where the numbers of lattice points come from.
pub(super) trait Around<B>: Copy {
    /// What lattice points around cells hold, as `B` chooses them.
    fn held<const W: usize, const L: usize>(
        self,
        isa: impl Isa<W>,
        cells: [&[u32; L]; 2],
        f: [&[f32; L]; 2],
    ) -> [[[f32; L]; 2]; 4];
}

/// From their hashes.
#[derive(Clone, Copy)]
pub(super) struct Hashed {
    pub seeds: Seeds,
}

/// From their hashes, and lattice points repeat.
#[derive(Clone, Copy)]
pub(super) struct Periodic {
    pub seeds: Seeds,
    pub period: [u32; 2],
}

/// From a table that is made once for many points.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    held: &'a Held,
    /// The length of its rows, and the place of the cell at the origin.
    stride: usize,
    origin: u32,
}

/// All points lie in one cell.
#[derive(Clone, Copy)]
pub(super) struct OneCell([[f32; 2]; 4]);

impl<B: PlaneBasis> Around<B> for Hashed {
    #[inline(always)]
    fn held<const W: usize, const L: usize>(
        self,
        isa: impl Isa<W>,
        [x, z]: [&[u32; L]; 2],
        [fx, fz]: [&[f32; L]; 2],
    ) -> [[[f32; L]; 2]; 4] {
        let mut parts = [[0; L]; 4];
        for lane in 0..L {
            let all = B::chosen(self.seeds.corners([x[lane], z[lane]]), [fx[lane], fz[lane]]);
            parts[0][lane] = all[0];
            parts[1][lane] = all[1];
            parts[2][lane] = all[2];
            parts[3][lane] = all[3];
        }
        of_parts::<B, W, L>(isa, &parts)
    }
}

impl<B: PlaneBasis> Around<B> for Periodic {
    #[inline(always)]
    fn held<const W: usize, const L: usize>(
        self,
        isa: impl Isa<W>,
        [x, z]: [&[u32; L]; 2],
        [fx, fz]: [&[f32; L]; 2],
    ) -> [[[f32; L]; 2]; 4] {
        let mut parts = [[0; L]; 4];
        for lane in 0..L {
            let all = B::chosen(self.corners([x[lane], z[lane]]), [fx[lane], fz[lane]]);
            parts[0][lane] = all[0];
            parts[1][lane] = all[1];
            parts[2][lane] = all[2];
            parts[3][lane] = all[3];
        }
        of_parts::<B, W, L>(isa, &parts)
    }
}

impl Periodic {
    /// The parts of the hashes of the lattice points around a cell of the first period, or of the next.
    #[inline(always)]
    fn corners(self, cell: [u32; 2]) -> [u32; 4] {
        let wrapped = |axis: usize, cell: u32| match self.period[axis] {
            0 => cell,
            period => wrapped_near(cell, period),
        };
        let near = each::<_, 2>(|axis| wrapped(axis, cell[axis]));
        let far = each::<_, 2>(|axis| wrapped(axis, cell[axis].wrapping_add(1)));
        self.seeds.parts_around(near, far)
    }
}

/// What lattice points hold, from the parts of their hashes.
#[inline(always)]
fn of_parts<B: PlaneBasis, const W: usize, const L: usize>(
    isa: impl Isa<W>,
    parts: &[[u32; L]; 4],
) -> [[[f32; L]; 2]; 4] {
    let mut held = [[[0.0; L]; 2]; 4];
    for point in 0..B::POINTS {
        for register in 0..L / W {
            let [a, b] = B::held(isa, parts[point].as_chunks::<W>().0[register]);
            held[point][0].as_chunks_mut().0[register] = a;
            held[point][1].as_chunks_mut().0[register] = b;
        }
    }
    held
}

impl OneCell {
    /// None if the lattice points around the points are more than four.
    #[inline(always)]
    pub fn new<B: PlaneBasis>(seeds: Seeds, corners: Corners) -> Option<Self> {
        let held = |parts| B::held(Scalar, [parts]).map(|[number]| number);
        (corners.count == [2, 2]).then(|| Self(seeds.corners(corners.first).map(held)))
    }
}

impl<B: PlaneBasis> Around<B> for OneCell {
    #[inline(always)]
    fn held<const W: usize, const L: usize>(
        self,
        _isa: impl Isa<W>,
        _cells: [&[u32; L]; 2],
        f: [&[f32; L]; 2],
    ) -> [[[f32; L]; 2]; 4] {
        B::in_cell(self.0, f)
    }
}

impl<'a> Table<'a> {
    /// None if there are too many lattice points for the set, or for so few samples.
    #[inline(always)]
    pub fn new<B: PlaneBasis, I: Isa<W>, const W: usize>(
        isa: I,
        seeds: Seeds,
        corners: Corners,
        held: &'a mut Held,
        samples: usize,
    ) -> Option<Self> {
        let Corners { first: [x, z], count: [columns, rows] } = corners;
        // The baseline loads pairs; its rows are whole registers, as they are written a register at a time.
        let in_memory = W == 4;
        let stride = if in_memory { columns.next_multiple_of(W) } else { columns };
        // The near left lattice point of the last cell. The baseline's index may also be that of the far one.
        let last = (rows - if in_memory { 1 } else { 2 }) * stride + columns - 2;
        if last >= I::TABLE || columns * rows > samples {
            return None;
        }
        if in_memory {
            for from in (0..columns).step_by(W) {
                let mut parts = [0; W];
                for i in 0..W {
                    parts[i] = seeds.x(x.wrapping_add((from + i) as u32));
                }
                for row in 0..rows {
                    block_by_block();
                    let across = seeds.z(z.wrapping_add(row as u32));
                    let [a, b] = B::held::<W>(isa, each(|i| parts[i] ^ across));
                    let start = (row * stride + from).min(2 * PAIRS - W);
                    for i in 0..W {
                        held.pairs[start + i] = [a[i], b[i]];
                    }
                }
            }
        } else {
            let mut parts = [0; NUMBERS];
            for row in 0..rows {
                let across = seeds.z(z.wrapping_add(row as u32));
                for column in 0..columns {
                    parts[(row * columns + column) % NUMBERS] = seeds.x(x.wrapping_add(column as u32)) ^ across;
                }
            }
            for register in 0..(rows * columns).div_ceil(W).min(NUMBERS / W) {
                let [a, b] = B::held::<W>(isa, parts.as_chunks().0[register]);
                held.numbers[0].as_chunks_mut().0[register] = a;
                held.numbers[1].as_chunks_mut().0[register] = b;
            }
        }
        let origin = 0u32.wrapping_sub(z.wrapping_mul(stride as u32)).wrapping_sub(x);
        Some(Self { held, stride, origin })
    }
}

impl<B: PlaneBasis> Around<B> for Table<'_> {
    #[inline(always)]
    fn held<const W: usize, const L: usize>(
        self,
        isa: impl Isa<W>,
        [x, z]: [&[u32; L]; 2],
        f: [&[f32; L]; 2],
    ) -> [[[f32; L]; 2]; 4] {
        let mut index = [0; L];
        for lane in 0..L {
            // A place in the table has few bits, so factors of as many do. The baseline has an instruction for these.
            let [z, stride] =
                if W == 4 { [z[lane] & 0x7FFF, self.stride as u32 & 0x7FFF] } else { [z[lane], self.stride as u32] };
            index[lane] = z.wrapping_mul(stride).wrapping_add(x[lane]).wrapping_add(self.origin);
        }
        let mut held = [[[0.0; L]; 2]; 4];
        for register in 0..L / W {
            let f = f.map(|f| &f.as_chunks().0[register]);
            let found = B::look_up::<W>(isa, self.held, index.as_chunks().0[register], self.stride, f);
            for point in 0..B::POINTS {
                for which in 0..2 {
                    held[point][which].as_chunks_mut().0[register] = found[point][which];
                }
            }
        }
        held
    }
}
