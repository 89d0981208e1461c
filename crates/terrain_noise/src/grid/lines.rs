//! What the points of a grid share in one octave of a lattice-aligned basis.
//!
//! Columns keep their place between two lattice points. For every strip of grid rows that lie
//! between the same two lattice rows, each column gets its cell: four numbers, from which every
//! sample of the strip follows. Only the cells need random numbers, and going down a strip the far
//! lattice row becomes the near one.

use crate::basis::separable::{Between, Separable, aligned};
use crate::basis::{Curve, Octave};
use crate::lattice::{Key, hash, split};
use crate::simd::{Isa, Kernel, LANES, Lanes};

/// A block's numbers of cells, and of slopes along x.
pub(crate) type Cells = [Lanes; 4];

/// Grid columns side by side, in one octave.
#[derive(Clone, Copy, Debug, Default)]
struct Columns {
    f: Lanes,
    weight: Lanes,
    slope: Lanes,
    /// The lattice column left of each, counted from `first`.
    left: [u32; LANES],
    /// The lattice column left of the first.
    first: usize,
}

impl Columns {
    #[inline(always)]
    fn lane(&self, lane: usize) -> Between {
        Between { f: self.f.0[lane], weight: self.weight.0[lane], slope: self.slope.0[lane] }
    }
}

/// A block's edges of the far lattice row of a strip, which is the next strip's near one. Apart
/// from the cells, which alone are looked at in every grid row.
type Far = [Lanes; 2];

/// Lattice columns whose corners are made together.
const CORNERS: usize = 8;

/// One octave over the columns and rows of a grid.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    columns: Vec<Columns>,
    /// Columns further apart than cells: every one has its own two lattice columns.
    sparse: bool,
    /// The x part of the hash of every lattice column.
    parts: Vec<[u64; CORNERS]>,
    /// What the lattice points of one lattice row hold.
    corners: [Vec<f32>; 2],
    /// Lattice row of each grid row, and its place: fraction, weight, slope.
    rows: Vec<i64>,
    places: Vec<[Lanes; 3]>,
    /// The lattice row above the strip.
    strip: Option<i64>,
    values: Vec<Cells>,
    far: Vec<Far>,
    /// The same for slopes along x, if they were asked for.
    slopes: Vec<Cells>,
    far_slopes: Vec<Far>,
    /// No block reaches more than half a register of lattice columns.
    narrow: bool,
    /// How much of the octave the footprint leaves.
    pub share: f32,
}

impl Lines {
    /// The strip's cells, and their slopes along x if they were asked for.
    #[inline(always)]
    pub fn strips(&self) -> (&[Cells], &[Cells]) {
        (&self.values, &self.slopes)
    }

    /// The place of a grid row in the strip.
    #[inline(always)]
    pub fn row(&self, row: usize) -> Between {
        let [f, weight, slope] = &self.places[row / LANES];
        let lane = row % LANES;
        Between { f: f.0[lane], weight: weight.0[lane], slope: slope.0[lane] }
    }
}

/// Splits columns and rows, given in metres; there are whole blocks of both.
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

/// Cells and places of a block of coordinates.
#[inline(always)]
fn split_block(
    isa: impl Isa,
    octave: &Octave,
    axis: usize,
    fade: impl Curve,
    metres: &[f64; LANES],
) -> ([i64; LANES], [Lanes; 3]) {
    let mut cells = [0; LANES];
    let [mut f, mut weight, mut slope] = [Lanes::default(); 3];
    for lane in 0..LANES {
        (cells[lane], f.0[lane]) = isa.split(octave.coordinate(axis, metres[lane]));
    }
    for lane in 0..LANES {
        weight.0[lane] = fade.weight(f.0[lane]);
    }
    for lane in 0..LANES {
        slope.0[lane] = fade.slope(f.0[lane]);
    }
    (cells, [f, weight, slope])
}

impl<C: Curve> Kernel for Prepare<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self, isa: impl Isa) {
        let Self { lines, octave, key, fade, xs, zs, slopes } = self;
        let (blocks, _) = xs.as_chunks::<LANES>();
        lines.strip = None;
        lines.columns.resize(blocks.len(), Columns::default());
        lines.sparse = false;
        lines.narrow = true;
        let (mut start, mut last) = (None, 0);
        for (columns, xs) in lines.columns.iter_mut().zip(blocks) {
            let (cells, [f, weight, slope]) = split_block(isa, octave, 0, fade, xs);
            let first = cells[0].wrapping_sub(*start.get_or_insert(cells[0])) as u64;
            let mut steps = 0;
            let mut left = [0; LANES];
            for lane in 0..LANES {
                let step = cells[lane].wrapping_sub(cells[0]) as u64;
                left[lane] = step as u32;
                steps |= step;
            }
            lines.narrow &= steps < LANES as u64 / 2;
            // Also if they do not rise.
            lines.sparse |= steps >= LANES as u64 || first > xs.len() as u64 * blocks.len() as u64;
            last = last.max(first as usize);
            *columns = Columns { f, weight, slope, left, first: first as usize };
        }
        lines.parts.clear();
        if lines.sparse {
            for xs in xs.as_chunks::<{ CORNERS / 2 }>().0 {
                let mut parts = [0; CORNERS];
                for (ends, &x) in parts.as_chunks_mut::<2>().0.iter_mut().zip(xs) {
                    let (left, right) = key.pair(0, split(octave.coordinate(0, x)).0);
                    *ends = [left, right];
                }
                lines.parts.push(parts);
            }
        } else {
            // A block looks at all lattice columns that it might reach, and those right of them.
            let reach = match lines.columns.last() {
                Some(columns) if columns.first == last => last + columns.left[LANES - 1] as usize + 2,
                _ => last + LANES + 1,
            };
            let mut cell = start.unwrap_or(0);
            let count = reach.div_ceil(CORNERS);
            // Another place of the same shape may reach one further.
            if lines.parts.capacity() < count {
                lines.parts.reserve(count + 1);
            }
            for _ in 0..count {
                let mut parts = [0; CORNERS];
                for (i, part) in parts.iter_mut().enumerate() {
                    *part = key.axis(0, cell.wrapping_add(i as i64));
                }
                cell = cell.wrapping_add(CORNERS as i64);
                lines.parts.push(parts);
            }
        }
        for corners in &mut lines.corners {
            corners.clear();
            let count = lines.parts.len() * CORNERS + LANES;
            if corners.capacity() < count {
                corners.reserve(count + CORNERS);
            }
            corners.resize(count, 0.0);
        }
        lines.rows.clear();
        lines.places.clear();
        for zs in zs.as_chunks::<LANES>().0 {
            let (rows, places) = split_block(isa, octave, 1, fade, zs);
            lines.rows.extend_from_slice(&rows);
            lines.places.push(places);
        }
        lines.values.resize(blocks.len(), Cells::default());
        lines.far.resize(blocks.len(), Far::default());
        let blocks = if slopes { blocks.len() } else { 0 };
        lines.slopes.resize(blocks, Cells::default());
        lines.far_slopes.resize(blocks, Far::default());
    }
}

/// Brings the strips of octaves to a grid row.
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
            let cell = lines.rows[self.row];
            if lines.strip != Some(cell)
                && let Some(key) = aligned(octave)
            {
                let follows = lines.strip.is_some_and(|last| last.wrapping_add(1) == cell);
                for row in if follows { 1..2 } else { 0..2 } {
                    lattice_row::<S>(lines, key.axis(1, cell.wrapping_add(row)));
                    edges::<S>(isa, lines);
                }
                lines.strip = Some(cell);
            }
        }
    }
}

/// What the lattice points of a row hold.
#[inline(always)]
fn lattice_row<S: Separable>(lines: &mut Lines, row: u64) {
    let [first, second] = &mut lines.corners;
    let (first, second) = (first.as_chunks_mut::<CORNERS>().0, second.as_chunks_mut::<CORNERS>().0);
    for ((parts, first), second) in lines.parts.iter().zip(first).zip(second) {
        // Step by step: the compiler would unroll one long loop before it vectorises it.
        let mut hashes = [0; CORNERS];
        for i in 0..CORNERS {
            hashes[i] = hash(parts[i] ^ row);
        }
        for i in 0..CORNERS {
            first[i] = S::corner(hashes[i])[0];
        }
        for i in 0..CORNERS {
            second[i] = S::corner(hashes[i])[1];
        }
    }
}

/// Makes a lattice row the far one of the strip.
#[inline(always)]
fn edges<S: Separable>(isa: impl Isa, lines: &mut Lines) {
    let Lines { columns, sparse, narrow, corners, values, far, slopes, far_slopes, .. } = lines;
    let mut slopes = slopes.iter_mut().zip(far_slopes);
    for (i, ((columns, values), far)) in columns.iter().zip(values).zip(far).enumerate() {
        let [a, b] = [&*corners[0], &*corners[1]];
        let [left_a, left_b, right_a, right_b] = if *sparse {
            let from = 2 * i * LANES;
            let (next_a, next_b) = (&a[from + 1..], &b[from + 1..]);
            [&a[from..], &b[from..], next_a, next_b].map(every_second)
        } else {
            match (a[columns.first..].first_chunk(), b[columns.first..].first_chunk()) {
                (Some(a), Some(b)) => isa.ends([a, b], &columns.left, *narrow),
                _ => [[0.0; LANES]; 4],
            }
        };
        // Into numbers of its own first: what is behind two references might be the same.
        let [mut edge_a, mut edge_b] = [[0.0; LANES]; 2];
        for lane in 0..LANES {
            let (left, right) = ([left_a[lane], left_b[lane]], [right_a[lane], right_b[lane]]);
            [edge_a[lane], edge_b[lane]] = S::edge(left, right, columns.lane(lane));
        }
        next::<S>(values, far, [edge_a, edge_b]);
        if let Some((slopes, far)) = slopes.next() {
            for lane in 0..LANES {
                let (left, right) = ([left_a[lane], left_b[lane]], [right_a[lane], right_b[lane]]);
                [edge_a[lane], edge_b[lane]] = S::edge_slope(left, right, columns.lane(lane));
            }
            next::<S>(slopes, far, [edge_a, edge_b]);
        }
    }
}

#[inline(always)]
fn every_second(table: &[f32]) -> [f32; LANES] {
    let mut out = [0.0; LANES];
    for (out, pair) in out.iter_mut().zip(table.chunks(2)) {
        *out = pair[0];
    }
    out
}

/// Goes down one lattice row.
#[inline(always)]
fn next<S: Separable>(all: &mut Cells, near: &mut Far, far: [[f32; LANES]; 2]) {
    let mut cells = [[0.0; LANES]; 4];
    for lane in 0..LANES {
        let near = [near[0].0[lane], near[1].0[lane]];
        let cell = S::cell(near, [far[0][lane], far[1][lane]]);
        cells[0][lane] = cell[0];
        cells[1][lane] = cell[1];
        cells[2][lane] = cell[2];
        cells[3][lane] = cell[3];
    }
    *near = [Lanes(far[0]), Lanes(far[1])];
    *all = [Lanes(cells[0]), Lanes(cells[1]), Lanes(cells[2]), Lanes(cells[3])];
}
