//! What the points of a grid share in one octave of a lattice-aligned basis.
//!
//! Columns keep their place between two lattice points. For every strip of grid rows that lie
//! between the same two lattice rows, each column gets its cell: four numbers, from which every
//! sample of the strip follows. Only the cells need random numbers, and going down a strip the far
//! lattice row becomes the near one.

use super::fixed::FixedBlock;
use crate::basis::Curve;
use crate::basis::fixed::Shift;
use crate::basis::plane::Site;
use crate::basis::separable::{Between, Edge, Separable};
use crate::fractal::Round;
use crate::lattice::plane::Seeds;
use crate::lattice::repeat::Repeat;
use crate::simd::{Index, Isa, Kernel, LANES, Lanes, block_by_block, registers};

/// A block's numbers of cells, and of slopes along x.
pub(crate) type Cells = [Lanes; 4];

/// The places of grid columns side by side, in one octave.
#[derive(Clone, Copy, Debug, Default)]
struct Columns {
    f: Lanes,
    weight: Lanes,
    slope: Lanes,
}

/// The lattice columns left of grid columns.
#[derive(Clone, Copy, Debug, Default)]
struct Left {
    /// That of the first, counted from the row's first.
    first: usize,
    /// That of each, counted from `first`.
    index: Index,
}

/// A block's edges of the far lattice row of a strip, which is the next strip's near one. Apart
/// from the cells, which alone are looked at in every grid row.
type Far = [Lanes; 2];

/// One octave over the columns and rows of a grid.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    columns: Vec<Columns>,
    left: Vec<Left>,
    /// Whether columns are further apart than cells, so that each has two lattice columns of its own.
    sparse: bool,
    /// The seeds of all its lattice points.
    seeds: Seeds,
    /// How its lattice rows repeat.
    repeat: Repeat,
    /// The lattice columns that there are.
    reach: usize,
    /// The x part of the hash of every lattice column, in whole blocks.
    parts: Vec<u32>,
    /// What the lattice points of one lattice row hold.
    corners: [Vec<f32>; 2],
    /// The low word of the lattice row of each grid row, and its place: fraction, weight, slope.
    rows: Vec<[u32; LANES]>,
    places: Vec<[Lanes; 3]>,
    /// The lattice row above the strip, if there is a strip.
    strip: Option<u32>,
    values: Vec<Cells>,
    far: Vec<Far>,
    /// The same for slopes along x, if they were asked for.
    slopes: Vec<Cells>,
    far_slopes: Vec<Far>,
    /// Whether every block spans less than half a register of lattice columns.
    narrow: bool,
    /// The share of the octave that is visible at the footprint, 0 to 1.
    pub share: f32,
    /// How the octave is folded at the footprint, if the recipe folds it.
    pub fold: Round,
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

/// Places columns and rows in an octave.
pub(crate) struct Prepare<'a, C> {
    pub lines: &'a mut Lines,
    pub site: &'a Site,
    /// The seeds of all lattice points that the grid reaches.
    pub seeds: Seeds,
    /// How its lattice columns and rows repeat.
    pub repeats: [Repeat; 2],
    pub fade: C,
    /// Columns and rows, in the coordinates that the octave shares with others.
    pub fixed: [&'a [FixedBlock]; 2],
    /// Whether slopes will be asked for.
    pub slopes: bool,
}

/// Cells and places of a block of coordinates.
#[inline(always)]
fn place_block(
    shift: Shift,
    offset: u32,
    fade: impl Curve,
    slopes: bool,
    fixed: &FixedBlock,
) -> ([u32; LANES], [Lanes; 3]) {
    let mut cells = [0; LANES];
    let [mut f, mut weight, mut slope] = [Lanes::default(); 3];
    for lane in 0..LANES {
        (cells[lane], f.0[lane]) = shift.place(offset, fixed.cells[lane], fixed.fractions[lane]);
    }
    for lane in 0..LANES {
        weight.0[lane] = fade.weight(f.0[lane]);
    }
    if slopes {
        for lane in 0..LANES {
            slope.0[lane] = fade.slope(f.0[lane]);
        }
    }
    (cells, [f, weight, slope])
}

impl<C: Curve> Kernel for Prepare<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        let Self { lines, site, seeds, repeats: [repeat, rows], fade, fixed: [xs, zs], slopes } = self;
        let shift = Shift::new(site.shift);
        let blocks = xs.len();
        lines.strip = None;
        lines.seeds = seeds;
        lines.repeat = rows;
        lines.columns.resize(blocks, Columns::default());
        lines.left.resize(blocks, Left::default());
        lines.sparse = false;
        lines.narrow = true;
        lines.parts.clear();
        let (mut start, mut last) = (None, 0);
        for ((columns, left), xs) in lines.columns.iter_mut().zip(&mut lines.left).zip(xs) {
            block_by_block();
            let (cells, [f, weight, slope]) = place_block(shift, site.offset[0], fade, slopes, xs);
            let first = cells[0].wrapping_sub(*start.get_or_insert(cells[0])) as usize;
            let mut all = 0;
            let mut steps = [0; LANES];
            for lane in 0..LANES {
                steps[lane] = cells[lane].wrapping_sub(cells[0]);
                all |= steps[lane];
            }
            lines.narrow &= all < LANES as u32 / 2;
            // Also true of columns that do not rise.
            lines.sparse |= all >= LANES as u32 || first > LANES * LANES * blocks;
            last = last.max(first);
            *columns = Columns { f, weight, slope };
            *left = Left { first, index: Index::new(steps) };
        }
        if lines.sparse {
            for xs in xs {
                for lane in 0..LANES {
                    let (cell, _) = shift.place(site.offset[0], xs.cells[lane], xs.fractions[lane]);
                    let cell = repeat.wrapped(cell);
                    lines.parts.extend([seeds.x(cell), seeds.x(repeat.next(cell))]);
                }
            }
            lines.reach = lines.parts.len();
        } else {
            // A block reads all lattice columns that it might reach, and the ones to the right of them.
            lines.reach = match lines.left.last() {
                Some(left) if left.first == last => last + left.index.get(LANES - 1) + 2,
                _ => last + LANES + 1,
            };
            let count = lines.reach.next_multiple_of(LANES);
            // A grid of the same shape elsewhere may reach one further.
            if lines.parts.capacity() < count {
                lines.parts.reserve(count + LANES);
            }
            let start = start.unwrap_or(0);
            if repeat.is_some() {
                let mut cell = repeat.wrapped(start);
                for _ in 0..count {
                    lines.parts.push(seeds.x(cell));
                    cell = repeat.next(cell);
                }
            }
            for block in lines.parts.len() / LANES..count / LANES {
                block_by_block();
                let mut parts = [0; LANES];
                for i in 0..LANES {
                    parts[i] = seeds.x(start.wrapping_add((block * LANES + i) as u32));
                }
                lines.parts.extend_from_slice(&parts);
            }
        }
        for corners in &mut lines.corners {
            // What is left from another grid is not looked up.
            let count = lines.parts.len() + LANES;
            if corners.capacity() < count {
                corners.reserve(count + LANES - corners.len());
            }
            corners.resize(count, 0.0);
        }
        lines.rows.resize(zs.len(), Default::default());
        lines.places.resize(zs.len(), Default::default());
        for ((cells, places), zs) in lines.rows.iter_mut().zip(&mut lines.places).zip(zs) {
            block_by_block();
            (*cells, *places) = place_block(shift, site.offset[1], fade, slopes, zs);
        }
        lines.values.resize(blocks, Cells::default());
        lines.far.resize(blocks, Far::default());
        let blocks = if slopes { blocks } else { 0 };
        lines.slopes.resize(blocks, Cells::default());
        lines.far_slopes.resize(blocks, Far::default());
    }
}

/// Brings the strips of octaves to a grid row.
pub(crate) struct Advance<'a, S> {
    pub _basis: S,
    pub lines: &'a mut [Lines],
    pub row: usize,
    pub columns: usize,
}

impl<S: Separable> Kernel for Advance<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        for lines in self.lines {
            let cell = lines.rows[self.row / LANES][self.row % LANES];
            if lines.strip != Some(cell) {
                let next = lines.strip.is_some_and(|strip| strip.wrapping_add(1) == cell);
                for row in if next { 1..2 } else { 0..2 } {
                    let lattice = lines.seeds.z(lines.repeat.wrapped(cell.wrapping_add(row)));
                    lattice_row::<S, W>(isa, lines, lattice);
                    edges::<S, W>(isa, lines, self.columns);
                }
                lines.strip = Some(cell);
            }
        }
    }
}

/// What the lattice points of a row hold.
#[inline(always)]
fn lattice_row<S: Separable, const W: usize>(isa: impl Isa<W>, lines: &mut Lines, row: u32) {
    let registers = lines.reach.div_ceil(W);
    let [first, second] = &mut lines.corners;
    let (first, second) = (first.as_chunks_mut::<W>().0, second.as_chunks_mut::<W>().0);
    let parts = lines.parts.as_chunks::<W>().0;
    for ((parts, first), second) in parts.iter().zip(first).zip(second).take(registers) {
        let mut all = [0; W];
        for i in 0..W {
            all[i] = parts[i] ^ row;
        }
        [*first, *second] = S::held(isa, all);
    }
}

/// Makes a lattice row the far one of the strip.
#[inline(always)]
fn edges<S: Separable, const W: usize>(isa: impl Isa<W>, lines: &mut Lines, wanted: usize) {
    // Two loops, so that the common look-up does not pay for the other's arithmetic.
    if lines.sparse {
        edges_of::<S, W, true>(isa, lines, wanted);
    } else {
        edges_of::<S, W, false>(isa, lines, wanted);
    }
}

#[inline(always)]
fn edges_of<S: Separable, const W: usize, const SPARSE: bool>(isa: impl Isa<W>, lines: &mut Lines, wanted: usize) {
    let Lines { columns, left, narrow, corners: [a, b], values, far, slopes, far_slopes, .. } = lines;
    let blocks = columns.len();
    // Of one known length, so that a single bounds check suffices.
    let (columns, left) = (&columns[..blocks], &left[..blocks]);
    let (values, far) = (&mut values[..blocks], &mut far[..blocks]);
    let with_slopes = !slopes.is_empty();
    let reach = a.len();
    let (a, b) = (&a[..reach], &b[..reach]);
    let (whole, parts) = registers::<W>(wanted);
    for i in 0..blocks {
        let Left { first, index } = &left[i];
        let tables = if SPARSE {
            None
        } else {
            let (Some(a), Some(b)) = (a[*first..].first_chunk(), b[*first..].first_chunk()) else { continue };
            Some([a, b])
        };
        // One register at a time: a whole block does not fit the registers of the baseline.
        for part in 0..if i < whole { LANES / W } else { parts } {
            let ends = match tables {
                None => every_second([a, b], 2 * (i * LANES + part * W)),
                Some(tables) => isa.ends(tables, index, part, *narrow),
            };
            let Columns { f, weight, slope } = &columns[i];
            let x = [part_of(f, part), part_of(weight, part), part_of(slope, part)];
            next::<S, W>(&mut values[i], &mut far[i], part, edge(ends, x, S::edge));
            if with_slopes {
                next::<S, W>(&mut slopes[i], &mut far_slopes[i], part, edge(ends, x, S::edge_slope));
            }
        }
    }
}

#[inline(always)]
fn part_of<const W: usize>(block: &Lanes, part: usize) -> &[f32; W] {
    &block.0.as_chunks().0[part]
}

/// What [`Isa::ends`] gives, where every column has its own two lattice columns.
#[inline(always)]
fn every_second<const W: usize>(tables: [&[f32]; 2], from: usize) -> [[f32; W]; 4] {
    let mut ends = [[0.0; W]; 4];
    for (which, table) in tables.into_iter().enumerate() {
        for (lane, pair) in table[from..].as_chunks::<2>().0.iter().take(W).enumerate() {
            (ends[which][lane], ends[which + 2][lane]) = (pair[0], pair[1]);
        }
    }
    ends
}

/// The edges of columns at `x` (fraction, weight, slope), from what the lattice points left and right hold.
#[inline(always)]
fn edge<const W: usize>(
    ends: [[f32; W]; 4],
    x: [&[f32; W]; 3],
    edge: impl Fn([f32; 2], [f32; 2], Between) -> Edge,
) -> [[f32; W]; 2] {
    let mut edges = [[0.0; W]; 2];
    for lane in 0..W {
        let (left, right) = ([ends[0][lane], ends[1][lane]], [ends[2][lane], ends[3][lane]]);
        let x = Between { f: x[0][lane], weight: x[1][lane], slope: x[2][lane] };
        [edges[0][lane], edges[1][lane]] = edge(left, right, x);
    }
    edges
}

/// Goes down one lattice row.
#[inline(always)]
fn next<S: Separable, const W: usize>(all: &mut Cells, far: &mut Far, part: usize, edges: [[f32; W]; 2]) {
    // Into locals first, as the two may alias.
    let near: [[f32; W]; 2] = [*part_of(&far[0], part), *part_of(&far[1], part)];
    let mut cells = [[0.0; W]; 4];
    for lane in 0..W {
        let cell = S::cell([near[0][lane], near[1][lane]], [edges[0][lane], edges[1][lane]]);
        cells[0][lane] = cell[0];
        cells[1][lane] = cell[1];
        cells[2][lane] = cell[2];
        cells[3][lane] = cell[3];
    }
    for which in 0..2 {
        far[which].0.as_chunks_mut().0[part] = edges[which];
    }
    for which in 0..4 {
        all[which].0.as_chunks_mut().0[part] = cells[which];
    }
}
