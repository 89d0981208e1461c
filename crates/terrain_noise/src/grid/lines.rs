//! What the points of a grid share in one octave of a lattice-aligned basis.
//!
//! Columns keep their place between two lattice points. For every strip of grid rows that lie
//! between the same two lattice rows, each column gets its [`Cell`]: four numbers, from which every
//! sample of the strip follows. Only the cells need random numbers, and going down a strip the far
//! lattice row becomes the near one.

use crate::basis::separable::{Between, Cell, Separable};
use crate::basis::{Curve, Octave};
use crate::lattice::{Key, hash, split};
use crate::simd::{Isa, Kernel, LANES, Lanes};

/// A block's numbers of cells, and of slopes along x.
pub(crate) type Cells = [Lanes; 4];

/// One octave over the columns and rows of a grid.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// Place of each column in its cell, its weight, and the weight's slope.
    columns: Vec<[Lanes; 3]>,
    /// The lattice column left of each grid column, counted from the block's first, and that.
    left: Vec<[u32; LANES]>,
    first: Vec<usize>,
    /// Columns further apart than cells: every one has its own two lattice columns.
    sparse: bool,
    /// The x part of the hash of every lattice column.
    parts: Vec<u64>,
    /// What the lattice points of one lattice row hold.
    corners: [Vec<f32>; 2],
    /// Lattice row and place of each grid row.
    rows: Vec<(i64, Between)>,
    /// The strip that the cells are of.
    strip: Option<i64>,
    /// The far lattice row of the strip, and its slopes along x.
    far: Vec<[Lanes; 2]>,
    far_slopes: Vec<[Lanes; 2]>,
    cells: Vec<Cells>,
    slopes: Vec<Cells>,
    /// How much of the octave the footprint leaves.
    pub share: f32,
}

impl Lines {
    /// The cells of the strip, and their slopes along x if they were asked for.
    #[inline(always)]
    pub fn cells(&self) -> (&[Cells], &[Cells]) {
        (&self.cells, &self.slopes)
    }

    /// The place of a grid row in the strip.
    #[inline(always)]
    pub fn row(&self, row: usize) -> Between {
        self.rows[row].1
    }

    /// Bytes in use.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        fn of<T>(all: &Vec<T>) -> usize {
            all.capacity() * size_of::<T>()
        }
        let cells = of(&self.cells) + of(&self.slopes) + of(&self.far) + of(&self.far_slopes);
        let lattice = of(&self.parts) + of(&self.corners[0]) + of(&self.corners[1]);
        of(&self.columns) + of(&self.left) + of(&self.first) + of(&self.rows) + cells + lattice
    }
}

/// Splits columns and rows, given in metres; there are whole blocks of columns.
pub(crate) struct Prepare<'a, C> {
    pub lines: &'a mut Lines,
    pub octave: &'a Octave,
    pub key: &'a Key,
    pub fade: C,
    pub xs: &'a [f64],
    pub zs: &'a [f64],
    /// Whether slopes will be asked for.
    pub slopes: bool,
}

impl<C: Curve> Kernel for Prepare<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self, _isa: impl Isa) {
        let Self { lines, octave, key, fade, xs, zs, slopes } = self;
        let (blocks, _) = xs.as_chunks::<LANES>();
        lines.strip = None;
        lines.columns.clear();
        lines.left.clear();
        lines.first.clear();
        lines.sparse = false;
        let mut start = 0;
        let mut last = 0;
        for (i, xs) in blocks.iter().enumerate() {
            let mut cells = [0; LANES];
            let mut columns = [Lanes::default(); 3];
            for lane in 0..LANES {
                let (cell, f) = split(octave.coordinate(0, xs[lane]));
                cells[lane] = cell;
                columns[0].0[lane] = f;
            }
            for lane in 0..LANES {
                let f = columns[0].0[lane];
                columns[1].0[lane] = fade.weight(f);
                columns[2].0[lane] = if slopes { fade.slope(f) } else { 0.0 };
            }
            if i == 0 {
                start = cells[0];
            }
            let first = cells[0].wrapping_sub(start) as u64;
            let mut most = 0;
            let mut left = [0; LANES];
            for lane in 0..LANES {
                let step = cells[lane].wrapping_sub(cells[0]) as u64;
                left[lane] = step as u32;
                most |= step;
            }
            lines.sparse |= most >= LANES as u64 || first > (blocks.len() * LANES) as u64;
            last = last.max((first as usize).saturating_add(left[LANES - 1] as usize));
            lines.columns.push(columns);
            lines.left.push(left);
            lines.first.push(first as usize);
        }
        lines.parts.clear();
        if lines.sparse {
            for &x in xs {
                let (left, right) = key.pair(0, split(octave.coordinate(0, x)).0);
                lines.parts.extend([left, right]);
            }
        } else {
            let count = (last + 2).next_multiple_of(8);
            lines.parts.extend((0..count).map(|i| key.axis(0, start.wrapping_add(i as i64))));
        }
        for corners in &mut lines.corners {
            corners.clear();
            // A block looks at a whole register of them.
            corners.resize(lines.parts.len() + LANES, 0.0);
        }
        lines.rows.clear();
        lines.rows.extend(zs.iter().map(|&z| {
            let (cell, f) = split(octave.coordinate(1, z));
            (cell, Between::new(fade, f))
        }));
        lines.far.resize(blocks.len(), Default::default());
        lines.cells.resize(blocks.len(), Default::default());
        let blocks = if slopes { blocks.len() } else { 0 };
        lines.far_slopes.resize(blocks, Default::default());
        lines.slopes.resize(blocks, Default::default());
    }
}

/// Brings the cells of octaves to the strip that a grid row lies in.
pub(crate) struct Advance<'a, S> {
    pub _basis: S,
    pub lines: &'a mut [Lines],
    pub octaves: &'a [Octave],
    pub row: usize,
}

impl<S: Separable> Kernel for Advance<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self, isa: impl Isa) {
        for (lines, octave) in self.lines.iter_mut().zip(self.octaves) {
            let cell = lines.rows[self.row].0;
            if lines.strip == Some(cell) {
                continue;
            }
            let Some(key) = crate::basis::separable::aligned(octave) else {
                continue;
            };
            if lines.strip.is_none_or(|last| last.wrapping_add(1) != cell) {
                lattice_row::<S>(lines, key, cell);
                edges::<S>(isa, lines);
            }
            lattice_row::<S>(lines, key, cell.wrapping_add(1));
            edges::<S>(isa, lines);
            lines.strip = Some(cell);
        }
    }
}

/// What the lattice points of a row hold.
#[inline(always)]
fn lattice_row<S: Separable>(lines: &mut Lines, key: &Key, cell: i64) {
    let row = key.axis(1, cell);
    let [first, second] = &mut lines.corners;
    for ((part, first), second) in lines.parts.iter().zip(first).zip(second) {
        [*first, *second] = S::corner(hash(part ^ row));
    }
}

/// Makes a lattice row the far one of the strip.
#[inline(always)]
fn edges<S: Separable>(isa: impl Isa, lines: &mut Lines) {
    let blocks = lines.columns.len();
    for i in 0..blocks {
        // Lattice points left and right, two numbers each.
        let mut ends = [[[0.0; LANES]; 2]; 2];
        for (side, end) in ends.iter_mut().enumerate() {
            for (corners, numbers) in lines.corners.iter().zip(end) {
                if lines.sparse {
                    for (lane, number) in numbers.iter_mut().enumerate() {
                        *number = corners[2 * (i * LANES + lane) + side];
                    }
                } else if let Some(table) = corners[lines.first[i] + side..].first_chunk() {
                    *numbers = isa.pick(table, &lines.left[i]);
                }
            }
        }
        let [left, right] = ends;
        let [f, weight, slope] = &lines.columns[i];
        let (far, cells) = (&mut lines.far[i], &mut lines.cells[i]);
        for lane in 0..LANES {
            let x = Between { f: f.0[lane], weight: weight.0[lane], slope: slope.0[lane] };
            let left = [left[0][lane], left[1][lane]];
            let right = [right[0][lane], right[1][lane]];
            next::<S>(far, cells, lane, S::edge(left, right, x));
        }
        if let (Some(far), Some(cells)) = (lines.far_slopes.get_mut(i), lines.slopes.get_mut(i)) {
            for lane in 0..LANES {
                let x = Between { f: f.0[lane], weight: weight.0[lane], slope: slope.0[lane] };
                let left = [left[0][lane], left[1][lane]];
                let right = [right[0][lane], right[1][lane]];
                next::<S>(far, cells, lane, S::edge_slope(left, right, x));
            }
        }
    }
}

/// Goes down one lattice row.
#[inline(always)]
fn next<S: Separable>(far: &mut [Lanes; 2], cells: &mut Cells, lane: usize, edge: [f32; 2]) {
    let near = [far[0].0[lane], far[1].0[lane]];
    let cell: Cell = S::cell(near, edge);
    [far[0].0[lane], far[1].0[lane]] = edge;
    for (cells, number) in cells.iter_mut().zip(cell) {
        cells.0[lane] = number;
    }
}
