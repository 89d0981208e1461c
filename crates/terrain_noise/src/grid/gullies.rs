//! Rows of gullies: the land on a lattice, the points of all stripes once a grid, and what is carved.

use super::blocks::RowReal;
use super::rows::{Pass, Row, rows_together};
use super::scratch::{Buffered, Scratch, give_spots, take_spots};
use crate::basis::separable::Between;
use crate::basis::{Curve, Quintic};
use crate::erosion::gullies::{Course, Gullies, STATE, SampledGully, State};
use crate::erosion::spline::{BEFORE, ORDERS, Shape, TAPS, shape, weighed, weights};
use crate::erosion::stripes::Stripes;
use crate::lattice::split;
use crate::real::{Field, each};
use crate::sampler::Node;
use crate::simd::{DetectedIsa, Index, Isa, Kernel, LANES, Lanes, Table};

/// Lattice points that lie around a position.
const AROUND: usize = TAPS * TAPS;

/// What gullies keep from row to row.
#[derive(Debug, Default)]
pub(super) struct Carved {
    land: Land,
    stripes: Vec<Points>,
}

/// Where the lattice columns of a block of grid columns begin.
#[derive(Clone, Copy, Debug, Default)]
struct Left {
    /// That of the first grid column.
    first: usize,
    /// That of each, counted from `first`.
    index: Index,
}

/// A grid's columns and rows on a lattice that is fixed in the world.
#[derive(Debug, Default)]
struct Axes {
    left: Vec<Left>,
    /// Whether every block of columns spans less than half a register of lattice columns.
    narrow: bool,
    /// The places of columns in their cells.
    columns: Vec<Lanes>,
    /// The lattice row of each grid row, and its place in it.
    rows: Vec<(usize, f32)>,
    /// The first cell along each axis.
    first: [i64; 2],
    /// The number of cells along each axis.
    count: [usize; 2],
}

impl Axes {
    /// Splits columns and rows. False if they are too far apart: then they share nothing worth keeping.
    #[inline(always)]
    fn split<const W: usize>(
        &mut self,
        isa: impl Isa<W>,
        [xs, zs]: [&[f64]; 2],
        coordinate: impl Fn(usize, f64) -> f64,
    ) -> bool {
        self.left.clear();
        self.columns.clear();
        self.rows.clear();
        self.narrow = true;
        let mut last = [0u64; 2];
        let all_columns = xs.len() as u64;
        for (block, xs) in xs.as_chunks::<LANES>().0.iter().enumerate() {
            let mut cells = [0; LANES];
            let mut fractions = Lanes::default();
            for lane in 0..LANES {
                (cells[lane], fractions.0[lane]) = isa.split(coordinate(0, xs[lane]));
            }
            if block == 0 {
                self.first[0] = cells[0];
            }
            let mut steps = [0; LANES];
            let mut all = 0;
            for lane in 0..LANES {
                let step = cells[lane].wrapping_sub(cells[0]) as u64;
                steps[lane] = step as u32;
                all |= step;
            }
            let first = cells[0].wrapping_sub(self.first[0]) as u64;
            // Also true of columns that do not rise.
            if all >= LANES as u64 || first > 2 * all_columns {
                return false;
            }
            self.narrow &= all < LANES as u64 / 2;
            last[0] = last[0].max(first + u64::from(steps[LANES - 1]));
            self.left.push(Left { first: first as usize, index: Index::new(steps) });
            self.columns.push(fractions);
        }
        for (row, &z) in zs.iter().enumerate() {
            let (cell, fraction) = isa.split(coordinate(1, z));
            if row == 0 {
                self.first[1] = cell;
            }
            let step = cell.wrapping_sub(self.first[1]) as u64;
            if step > 2 * (row as u64 + LANES as u64) {
                return false;
            }
            last[1] = last[1].max(step);
            self.rows.push((step as usize, fraction));
        }
        self.count = last.map(|last| last as usize + 1);
        true
    }
}

/// Rows are read a table at a time, from any column on.
fn padded(columns: usize) -> usize {
    columns.next_multiple_of(LANES) + 2 * LANES
}

/// What is read where there is no table: never, as rows are padded.
const NOTHING: Table = [0.0; LANES + 1];

/// Writes a register of a block.
#[inline(always)]
fn put<const W: usize>(block: &mut [f32; LANES], part: usize, register: [f32; W]) {
    block.as_chunks_mut().0[part] = register;
}

/// The land on its lattice, around a grid.
#[derive(Debug, Default)]
struct Land {
    axes: Axes,
    /// Whether it was worth it.
    known: bool,
    /// The weights of the taps of every column.
    weights: Vec<[[Lanes; TAPS]; ORDERS]>,
    heights: Vec<f32>,
    stride: usize,
    per_metre: f32,
    /// What the lattice rows sum up to in the grid row at hand, for every order of derivative along z.
    sums: [Vec<f32>; ORDERS],
}

/// The lattice points of stripes around a grid.
#[derive(Debug, Default)]
struct Points {
    axes: Axes,
    known: bool,
    stride: usize,
    /// The middles of their waves.
    middles: [Vec<f32>; 3],
}

/// Splits the coordinates of a grid on the lattices of gullies.
struct PrepareAxes<'a> {
    carved: &'a mut Carved,
    gullies: &'a Gullies,
    footprint: f64,
    axes: [&'a [f64]; 2],
}

impl Kernel for PrepareAxes<'_> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        let Self { carved: Carved { land, stripes }, gullies, footprint, axes } = self;
        let per_metre = 1.0 / gullies.spacing(footprint);
        land.per_metre = per_metre as f32;
        land.known = land.axes.split(isa, axes, |_, metres| metres * per_metre);
        land.weights.clear();
        for fractions in &land.axes.columns {
            let mut all = [[Lanes::default(); TAPS]; ORDERS];
            for lane in 0..LANES {
                let one = weights(fractions.0[lane]);
                for order in 0..ORDERS {
                    for tap in 0..TAPS {
                        all[order][tap].0[lane] = one[order][tap];
                    }
                }
            }
            land.weights.push(all);
        }
        let (octaves, count) = gullies.sampled(footprint);
        if stripes.len() < count {
            stripes.resize_with(count, Points::default);
        }
        for ((one, octave), points) in gullies.stripes().zip(octaves).zip(stripes) {
            points.known =
                octave.is_visible() && points.axes.split(isa, axes, |axis, metres| one.coordinate(axis, metres));
            if points.known {
                points.fill(one);
            }
        }
    }
}

impl Points {
    #[inline(always)]
    fn fill(&mut self, stripes: &Stripes) {
        let [columns, rows] = self.axes.count.map(|count| count + 1);
        self.stride = padded(columns);
        for part in &mut self.middles {
            part.clear();
            // A grid of the same shape elsewhere may reach one further.
            if part.capacity() < self.stride * rows {
                part.reserve(padded(columns + 1) * (rows + 1));
            }
            part.resize(self.stride * rows, 0.0);
        }
        for j in 0..rows {
            let row = stripes.part(1, self.axes.first[1].wrapping_add(j as i64));
            for i in 0..columns {
                let middle = Stripes::middle(row ^ stripes.part(0, self.axes.first[0].wrapping_add(i as i64)));
                for (part, middle) in self.middles.iter_mut().zip(middle) {
                    part[j * self.stride + i] = middle;
                }
            }
        }
    }

    /// The middles of the waves around a block of a grid row.
    #[inline(always)]
    fn around<const W: usize>(&self, isa: impl Isa<W>, block: usize, row: usize) -> [[[f32; LANES]; 3]; 4] {
        let mut all = [[[0.0; LANES]; 3]; 4];
        let Left { first, index } = &self.axes.left[block];
        for j in 0..2 {
            let from = (row + j) * self.stride + first;
            let [x, z, phase] = [0, 1, 2].map(|part| self.middles[part][from..].first_chunk().unwrap_or(&NOTHING));
            for part in 0..LANES / W {
                let strays = isa.ends([x, z], index, part, self.axes.narrow);
                let phases = isa.ends([phase, phase], index, part, self.axes.narrow);
                for side in 0..2 {
                    let [x, z, phase] = &mut all[2 * j + side];
                    put(x, part, strays[2 * side]);
                    put(z, part, strays[2 * side + 1]);
                    put(phase, part, phases[2 * side]);
                }
            }
        }
        all
    }
}

impl Land {
    /// Sums up the lattice rows for a grid row.
    #[inline(always)]
    fn sum(&mut self, row: usize, orders: usize) {
        let (cell, place) = self.axes.rows[row];
        let across = weights(place);
        let stride = self.stride;
        let rows = &self.heights[cell * stride..][..TAPS * stride];
        for order in 0..orders {
            let sums = &mut self.sums[order];
            sums.resize(stride, 0.0);
            for (i, sums) in sums.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                let mut taps = [[0.0; LANES]; TAPS];
                for j in 0..TAPS {
                    if let Some(heights) = rows[j * stride + i * LANES..].first_chunk() {
                        taps[j] = *heights;
                    }
                }
                for lane in 0..LANES {
                    sums[lane] = weighed(across[order], each(|j| taps[j][lane]));
                }
            }
        }
    }

    /// The lattice columns around a block of grid columns, for every order of derivative along z.
    #[inline(always)]
    fn columns<const W: usize>(&self, isa: impl Isa<W>, block: usize, orders: usize) -> [[[f32; LANES]; TAPS]; ORDERS] {
        let mut all = [[[0.0; LANES]; TAPS]; ORDERS];
        let Left { first, index } = &self.axes.left[block];
        for order in 0..orders {
            for tap in 0..TAPS / 2 {
                let table = self.sums[order][first + 2 * tap..].first_chunk().unwrap_or(&NOTHING);
                for part in 0..LANES / W {
                    let ends = isa.ends([table, table], index, part, self.axes.narrow);
                    for side in 0..2 {
                        put(&mut all[order][2 * tap + side], part, ends[2 * side]);
                    }
                }
            }
        }
        all
    }
}

/// The orders of derivatives that are needed.
fn orders<R: RowReal>() -> usize {
    if R::SLOPES { ORDERS } else { ORDERS - 1 }
}

/// Numbers of the states of a block.
type States<R> = [<R as RowReal>::Block; STATE];

#[inline(always)]
fn state_of<R: RowReal>(states: &States<R>, lane: usize) -> State<R> {
    let mut all = [R::default(); STATE];
    for i in 0..STATE {
        all[i] = R::get(&states[i], lane);
    }
    State::of(all)
}

#[inline(always)]
fn set_state<R: RowReal>(states: &mut States<R>, lane: usize, state: State<R>) {
    for (block, number) in states.iter_mut().zip(state.numbers()) {
        R::set(block, lane, number);
    }
}

/// Where a block finds the waves around it.
trait Waves<const W: usize> {
    /// The middles of the waves of an octave, and the places of columns and rows in their cells.
    fn around(&self, octave: usize) -> ([[[f32; LANES]; 3]; 4], [[Lanes; 3]; 2]);
}

#[inline(always)]
fn place_in([f, weight, slope]: &[Lanes; 3], lane: usize) -> Between {
    Between { f: f.0[lane], weight: weight.0[lane], slope: slope.0[lane] }
}

/// All octaves of a block: what is added to the land.
#[inline(always)]
fn carve<R: RowReal, const W: usize>(
    gullies: &Gullies,
    octaves: &[SampledGully],
    mut states: States<R>,
    waves: &impl Waves<W>,
) -> R::Block {
    for (k, octave) in octaves.iter().enumerate() {
        // In steps: the compiler would unroll one long loop before vectorising it.
        let [mut across_x, mut across_z, mut steady] = [R::Block::default(); 3];
        for lane in 0..LANES {
            let course = Gullies::course(&state_of::<R>(&states, lane), octave);
            R::set(&mut across_x, lane, course.across[0]);
            R::set(&mut across_z, lane, course.across[1]);
            R::set(&mut steady, lane, course.steady);
        }
        if octave.is_visible() {
            let (middles, places) = waves.around(k);
            let Some(stripes) = gullies.stripe(k) else { continue };
            let [mut cos, mut sin] = [R::Block::default(); 2];
            for (corner, [x, z, phase]) in middles.iter().enumerate() {
                for lane in 0..LANES {
                    let at = [place_in(&places[0], lane), place_in(&places[1], lane)];
                    let across = [R::get(&across_x, lane), R::get(&across_z, lane)];
                    let [c, s] = stripes.share::<R>(at, corner, [x[lane], z[lane], phase[lane]], across);
                    let sums = (R::get(&cos, lane) + c, R::get(&sin, lane) + s);
                    R::set(&mut cos, lane, sums.0);
                    R::set(&mut sin, lane, sums.1);
                }
            }
            for lane in 0..LANES {
                let [c, s] = Stripes::stretched([R::get(&cos, lane), R::get(&sin, lane)]);
                R::set(&mut cos, lane, c);
                R::set(&mut sin, lane, s);
            }
            for lane in 0..LANES {
                let course = Course {
                    across: [R::get(&across_x, lane), R::get(&across_z, lane)],
                    steady: R::get(&steady, lane),
                };
                let wave = [R::get(&cos, lane), R::get(&sin, lane)];
                let next = gullies.next(state_of::<R>(&states, lane), course, wave, octave);
                set_state::<R>(&mut states, lane, next);
            }
        } else {
            for lane in 0..LANES {
                let course = Course {
                    across: [R::get(&across_x, lane), R::get(&across_z, lane)],
                    steady: R::get(&steady, lane),
                };
                let next = Gullies::rest(state_of::<R>(&states, lane), course, octave);
                set_state::<R>(&mut states, lane, next);
            }
        }
    }
    states[0]
}

/// The states of a block before the first octave.
#[inline(always)]
fn begin<R: RowReal>(
    gullies: &Gullies,
    along: &[[Lanes; TAPS]; ORDERS],
    columns: &[[[f32; LANES]; TAPS]; ORDERS],
    per_metre: f32,
) -> States<R> {
    let mut states = [R::Block::default(); STATE];
    for lane in 0..LANES {
        let mut x = [[0.0; TAPS]; ORDERS];
        let mut z = [[0.0; TAPS]; ORDERS];
        for order in 0..ORDERS {
            for tap in 0..TAPS {
                x[order][tap] = along[order][tap].0[lane];
                z[order][tap] = columns[order][tap][lane];
            }
        }
        set_state::<R>(&mut states, lane, gullies.begin(shape(x, z, per_metre)));
    }
    states
}

/// Adds what is carved to a block of the land.
#[inline(always)]
fn add<R: RowReal>(out: &mut R::Block, carved: &R::Block, spot: &R::Spot) {
    let mut sum = *out;
    for lane in 0..LANES {
        let carved = R::get(carved, lane).carried(1.0, &R::place_of(spot, lane));
        let land = R::get(&sum, lane);
        R::set(&mut sum, lane, land + carved);
    }
    *out = sum;
}

/// Weight and slope of the fade, with the place itself.
#[inline(always)]
fn faded(places: &[f32; LANES]) -> [Lanes; 3] {
    let [mut weight, mut slope] = [Lanes::default(); 2];
    for lane in 0..LANES {
        weight.0[lane] = Quintic.weight(places[lane]);
        slope.0[lane] = Quintic.slope(places[lane]);
    }
    [Lanes(*places), weight, slope]
}

/// Carves a row of the grid.
struct CarveRow<'a, R: RowReal> {
    gullies: &'a Gullies,
    carved: &'a mut Carved,
    row: usize,
    footprint: f64,
    xs: &'a [f64],
    z: f64,
    spots: &'a [R::Spot],
    out: &'a mut [R::Block],
}

/// The waves around a block of a grid row.
struct OnGrid<'a, I> {
    isa: I,
    gullies: &'a Gullies,
    points: &'a [Points],
    block: usize,
    row: usize,
    xs: &'a [f64; LANES],
    z: f64,
}

impl<I: Isa<W>, const W: usize> Waves<W> for OnGrid<'_, I> {
    #[inline(always)]
    fn around(&self, octave: usize) -> ([[[f32; LANES]; 3]; 4], [[Lanes; 3]; 2]) {
        let points = &self.points[octave];
        if points.known {
            let (row, place) = points.axes.rows[self.row];
            let middles = points.around(self.isa, self.block, row);
            (middles, [faded(&points.axes.columns[self.block].0), faded(&[place; LANES])])
        } else {
            Scattered { isa: self.isa, gullies: self.gullies, places: [self.xs, &[self.z; LANES]] }.around(octave)
        }
    }
}

/// The waves around any points.
struct Scattered<'a, I> {
    isa: I,
    gullies: &'a Gullies,
    places: [&'a [f64; LANES]; 2],
}

impl<I: Isa<W>, const W: usize> Waves<W> for Scattered<'_, I> {
    #[inline(always)]
    fn around(&self, octave: usize) -> ([[[f32; LANES]; 3]; 4], [[Lanes; 3]; 2]) {
        let Some(stripes) = self.gullies.stripe(octave) else { return Default::default() };
        let (middles, [x, z]) = stripes.around(self.isa, self.places);
        (middles, [faded(&x), faded(&z)])
    }
}

impl<R: RowReal> Kernel for CarveRow<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        let Self { gullies, carved: Carved { land, stripes }, row, footprint, xs, z, spots, out } = self;
        let (octaves, count) = gullies.sampled(footprint);
        land.sum(row, orders::<R>());
        for (block, (out, xs)) in out.iter_mut().zip(xs.as_chunks::<LANES>().0).enumerate() {
            let columns = land.columns(isa, block, orders::<R>());
            let states = begin::<R>(gullies, &land.weights[block], &columns, land.per_metre);
            let waves = OnGrid { isa, gullies, points: stripes, block, row, xs, z };
            let carved = carve::<R, W>(gullies, &octaves[..count], states, &waves);
            add::<R>(out, &carved, &spots[block]);
        }
    }
}

/// Carves a block of points; `heights` are those of the lattice around each.
struct CarvePoints<'a, R: RowReal> {
    gullies: &'a Gullies,
    footprint: f64,
    heights: &'a [Lanes; AROUND],
    spot: &'a R::Spot,
    out: &'a mut R::Block,
}

impl<R: RowReal> Kernel for CarvePoints<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        let Self { gullies, footprint, heights, spot, out } = self;
        let (octaves, count) = gullies.sampled(footprint);
        let per_metre = 1.0 / gullies.spacing(footprint);
        let mut places = [[0.0; LANES]; 2];
        for lane in 0..LANES {
            [places[0][lane], places[1][lane]] = <R as Field<2>>::at(&R::place_of(spot, lane));
        }
        let mut along = [[Lanes::default(); TAPS]; ORDERS];
        let mut columns = [[[0.0; LANES]; TAPS]; ORDERS];
        for lane in 0..LANES {
            let one = weights(isa.split(places[0][lane] * per_metre).1);
            let across = weights(isa.split(places[1][lane] * per_metre).1);
            for order in 0..ORDERS {
                for tap in 0..TAPS {
                    along[order][tap].0[lane] = one[order][tap];
                    columns[order][tap][lane] = weighed(across[order], each(|j| heights[j * TAPS + tap].0[lane]));
                }
            }
        }
        let states = begin::<R>(gullies, &along, &columns, per_metre as f32);
        let waves = Scattered { isa, gullies, places: [&places[0], &places[1]] };
        let carved = carve::<R, W>(gullies, &octaves[..count], states, &waves);
        add::<R>(out, &carved, spot);
    }
}

/// The coordinate of a lattice line, in metres.
fn line(cell: i64, tap: usize, spacing: f64) -> f64 {
    cell.wrapping_add(tap as i64 - BEFORE) as f64 * spacing
}

impl Pass<'_> {
    /// The land is sampled on the grid itself, and on its lattice.
    pub fn prepare_gullies<R: RowReal>(
        &mut self,
        [land, smooth]: &[Node; 2],
        gullies: &Gullies,
        slot: usize,
        [xs, zs]: [&[f64]; 2],
        footprint: f64,
    ) {
        self.prepare_node::<R>(land, xs, zs, footprint);
        let mut carved = std::mem::take(&mut self.scratch.slots[slot].carved);
        self.set.run(PrepareAxes { carved: &mut carved, gullies, footprint, axes: [xs, zs] });
        if carved.land.known {
            self.sample_lattice(smooth, gullies, &mut carved.land, footprint);
        }
        self.scratch.slots[slot].carved = carved;
    }

    fn sample_lattice(&mut self, smooth: &Node, gullies: &Gullies, land: &mut Land, footprint: f64) {
        let (spacing, coarse) = (gullies.spacing(footprint), gullies.footprint(footprint));
        let Axes { first, count, .. } = land.axes;
        let [columns, rows] = count.map(|count| count + TAPS - 1);
        let mut lines = [self.scratch.take_coordinates(), self.scratch.take_coordinates()];
        for (axis, lines) in lines.iter_mut().enumerate() {
            let points = count[axis] + TAPS - 1;
            // A grid of the same shape elsewhere may reach one further.
            lines.reserve((points + 1).next_multiple_of(LANES));
            lines.extend((0..points.next_multiple_of(LANES)).map(|i| line(first[axis], i.min(points - 1), spacing)));
        }
        self.prepare_node::<f32>(smooth, &lines[0], &lines[1], coarse);
        lines.into_iter().for_each(|lines| self.scratch.give_coordinates(lines));
        land.stride = padded(columns);
        if land.heights.capacity() < land.stride * rows {
            land.heights.reserve(padded(columns + 1) * (rows + 1));
        }
        land.heights.clear();
        land.heights.resize(land.stride * rows, 0.0);
        let blocks = columns.div_ceil(LANES);
        let together = rows_together(smooth, blocks, rows);
        let [mut out] = self.rows::<f32, 1>(together * blocks);
        for row in (0..rows).step_by(together) {
            let count = together.min(rows - row);
            let at = Row { row, count, columns, footprint: coarse, scale: [1.0, 1.0] };
            self.row::<f32>(smooth, at, &mut out[..count * blocks]);
            let heights = land.heights[row * land.stride..].chunks_mut(land.stride);
            for (heights, out) in heights.zip(out.chunks(blocks)).take(count) {
                for (heights, block) in heights.as_chunks_mut::<LANES>().0.iter_mut().zip(out) {
                    *heights = block.0;
                }
                // The remaining lanes are unspecified.
                heights[columns..].fill(0.0);
            }
        }
        self.give_rows::<f32, 1>([out]);
    }

    /// Adds gullies to a row of the land.
    pub fn gullies_row<R: Buffered>(
        &mut self,
        source: &[Node; 2],
        gullies: &Gullies,
        slot: usize,
        at: Row,
        out: &mut [R::Block],
    ) {
        let spots = self.grid_spots::<R>(slot, at);
        if self.scratch.slots[slot].carved.land.known {
            let slot = &mut self.scratch.slots[slot];
            let (carved, z) = (&mut slot.carved, slot.zs[at.row]);
            let (row, footprint, xs, spots) = (at.row, at.footprint, &slot.xs, &spots);
            self.set.run(CarveRow::<R> { gullies, carved, row, footprint, xs, z, spots, out });
        } else {
            self.carve_points::<R>(&source[1], gullies, at.footprint, &spots, out);
        }
        give_spots::<R>(self.scratch, spots);
    }

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
        for (spot, out) in spots.iter().zip(out) {
            let places: [[f64; 2]; LANES] = each(|lane| <R as Field<2>>::at(&R::place_of(spot, lane)));
            self.heights_around(smooth, gullies, footprint, &places, &mut heights);
            self.set.run(CarvePoints::<R> { gullies, footprint, heights: &heights, spot, out });
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
