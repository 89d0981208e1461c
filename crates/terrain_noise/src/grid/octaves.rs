//! An octave on the plane at arbitrary points: nothing is shared, so the hashes are vectorised too.

use super::around::{Around, Hashed, OneCell, Periodic, Table};
use super::blocks::RowReal;
use super::fixed::{FixedBlock, Range, convert, convert_near, convert_wrapped};
use super::positions::Positions;
use crate::basis::fixed::Shift;
use crate::basis::plane::{Corners, PlaneBasis, Site};
use crate::lattice::plane::Seeds;
use crate::lattice::repeat::folded;
use crate::real::{Field, each};
use crate::simd::{Held, Isa, Kernel, LANES, Wide, block_by_block};

/// Converts the coordinates of points to fixed point. Gives the least and the greatest, per axis.
pub(super) struct Convert<'a, P> {
    pub positions: P,
    pub site: &'a Site,
    /// The matrix of the octave's rotation.
    pub turn: Option<[[f64; 2]; 2]>,
    pub fixed: [&'a mut [FixedBlock]; 2],
}

impl<P: Positions> Kernel for Convert<'_, P> {
    type Output = [[f64; 2]; 2];

    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) -> [[f64; 2]; 2] {
        // One loop for each, so that the common one does not pay for what is rare.
        let turned = |turn| move |at| <f32 as Field<2>>::moved(&at, &turn, &[0.0; 2]);
        if let (None, [0, 0]) = (self.turn, self.site.period)
            && let Some(range) = self.positions.range(self.site)
        {
            if self.site.skewed {
                self.near::<W>(isa, true);
            } else {
                self.near::<W>(isa, false);
            }
            return range;
        }
        match (self.turn, self.site.skewed) {
            // What repeats is neither turned nor skewed.
            (None, false) if self.site.period != [0; 2] => {
                let periods = self.site.period.map(|cells| f64::from(cells >> self.site.shift));
                let wrapped = |axis: usize, cell: f64| match periods[axis] {
                    0.0 => cell,
                    period => folded(cell, period, 1.0 / period),
                };
                self.all::<W, true>(isa, |at| at, false, wrapped)
            }
            (None, false) => self.all::<W, false>(isa, |at| at, false, |_, cell| cell),
            (None, true) => self.all::<W, false>(isa, |at| at, true, |_, cell| cell),
            (Some(turn), skewed) => self.all::<W, false>(isa, turned(turn), skewed, |_, cell| cell),
        }
    }
}

impl<P: Positions> Convert<'_, P> {
    /// Positions whose range is known, and not far.
    #[inline(always)]
    fn near<const W: usize>(self, isa: impl Isa<W>, skewed: bool) {
        let Self { mut positions, site, fixed: [xs, zs], .. } = self;
        let site = Site { skewed, ..*site };
        for (x, z) in xs.iter_mut().zip(zs) {
            block_by_block();
            let coordinates = coordinates(&site, positions.next(), |at| at);
            *x = convert_near(isa, &coordinates[0]);
            *z = convert_near(isa, &coordinates[1]);
        }
    }

    #[inline(always)]
    fn all<const W: usize, const REPEATS: bool>(
        self,
        isa: impl Isa<W>,
        turned: impl Fn([f64; 2]) -> [f64; 2],
        skewed: bool,
        wrapped: impl Fn(usize, f64) -> f64,
    ) -> [[f64; 2]; 2] {
        let Self { mut positions, site, fixed: [xs, zs], .. } = self;
        let site = Site { skewed, ..*site };
        let mut ranges = [Range::default(); 2];
        for (x, z) in xs.iter_mut().zip(zs) {
            block_by_block();
            let coordinates = coordinates(&site, positions.next(), &turned);
            if REPEATS {
                *x = convert_wrapped(isa, &coordinates[0], &mut ranges[0], |cell| wrapped(0, cell));
                *z = convert_wrapped(isa, &coordinates[1], &mut ranges[1], |cell| wrapped(1, cell));
            } else {
                *x = convert(isa, &coordinates[0], &mut ranges[0]);
                *z = convert(isa, &coordinates[1], &mut ranges[1]);
            }
        }
        [ranges[0].ends(), ranges[1].ends()]
    }
}

/// The coordinates of a block of positions in cells.
#[inline(always)]
fn coordinates(site: &Site, [xs, zs]: [Wide; 2], turned: impl Fn([f64; 2]) -> [f64; 2]) -> [[f64; LANES]; 2] {
    let mut coordinates = [[0.0; LANES]; 2];
    for lane in 0..LANES {
        let at = site.coordinates(turned([xs.0[lane], zs.0[lane]]));
        [coordinates[0][lane], coordinates[1][lane]] = at;
    }
    coordinates
}

/// What becomes of an octave's numbers. A branch for every block costs less than compiling every kernel twice.
#[derive(Clone, Copy)]
pub(super) enum Sink {
    /// They are the result.
    Store,
    /// They are added with an amplitude.
    Add(f32),
}

impl Sink {
    #[inline(always)]
    pub fn put<R: RowReal>(self, sum: R, noise: R) -> R {
        match self {
            Self::Store => noise,
            Self::Add(amplitude) => sum + noise * amplitude,
        }
    }
}

/// One octave at points that lie in one window of its lattice.
pub(super) struct AtPoints<'a, B, R: RowReal> {
    pub basis: B,
    pub sink: Sink,
    pub site: &'a Site,
    pub seeds: Seeds,
    /// The lattice points around them, and room for what these hold.
    pub held: Option<(Corners, &'a mut Held)>,
    /// Cells per metre.
    pub frequency: f32,
    pub fixed: [&'a [FixedBlock]; 2],
    pub out: &'a mut [R::Block],
}

impl<B: PlaneBasis, R: RowReal> Kernel for AtPoints<'_, B, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, isa: impl Isa<W>) {
        let Self { basis, sink, site, seeds, held, frequency, fixed: [xs, zs], out } = self;
        let blocks = out.len().min(xs.len()).min(zs.len());
        let (xs, zs, out) = (&xs[..blocks], &zs[..blocks], &mut out[..blocks]);
        let (shift, offset, period) = (Shift::new(site.shift), site.offset, site.period);
        let octave = Octave { basis, sink, shift, offset, frequency };
        if period != [0; 2] {
            let around = Periodic { seeds, period };
            for ((out, x), z) in out.iter_mut().zip(xs).zip(zs) {
                for part in 0..LANES / W {
                    let cells = [x.cells.as_chunks().0[part], z.cells.as_chunks().0[part]];
                    let fractions = [x.fractions.as_chunks().0[part], z.fractions.as_chunks().0[part]];
                    let noise = octave.at::<R, W, W, _>(isa, around, cells, fractions);
                    octave.put::<R, W, _>(out, part, &noise, 0);
                }
            }
            return;
        }
        if let Some((corners, _)) = held
            && let Some(cell) = OneCell::new::<B>(seeds, corners)
        {
            return octave.all::<R, W, _>(isa, cell, [xs, zs], out);
        }
        if let Some((corners, held)) = held
            && let Some(table) = Table::new::<B, _, W>(isa, seeds, corners, held, blocks * LANES)
        {
            octave.all::<R, W, _>(isa, table, [xs, zs], out);
        } else {
            octave.all::<R, W, _>(isa, Hashed { seeds }, [xs, zs], out);
        }
    }
}

/// A number of two blocks, side by side.
#[inline(always)]
fn both(blocks: &[FixedBlock; 2], number: impl Fn(&FixedBlock) -> &[u32; LANES]) -> [u32; 2 * LANES] {
    let mut out = [0; 2 * LANES];
    for half in 0..2 {
        let from = number(&blocks[half]);
        for lane in 0..LANES {
            out[half * LANES + lane] = from[lane];
        }
    }
    out
}

/// Copies of what an octave needs: through references they would be read again for every block.
#[derive(Clone, Copy)]
struct Octave<B> {
    basis: B,
    sink: Sink,
    shift: Shift,
    offset: [u32; 2],
    frequency: f32,
}

impl<B: PlaneBasis> Octave<B> {
    /// All points.
    #[inline(always)]
    fn all<R: RowReal, const W: usize, A: Around<B>>(
        &self,
        isa: impl Isa<W>,
        around: A,
        [xs, zs]: [&[FixedBlock]; 2],
        out: &mut [R::Block],
    ) {
        // Registers are taken two at a time where there are enough of them, so that one's latency hides behind
        // the other's work.
        if W == LANES {
            let pairs = out.as_chunks_mut::<2>();
            for ((out, x), z) in pairs.0.iter_mut().zip(xs.as_chunks::<2>().0).zip(zs.as_chunks::<2>().0) {
                let (cells, fractions) = (
                    [both(x, |x| &x.cells), both(z, |z| &z.cells)],
                    [both(x, |x| &x.fractions), both(z, |z| &z.fractions)],
                );
                let noise = self.at::<R, W, { 2 * LANES }, _>(isa, around, cells, fractions);
                for half in 0..2 {
                    self.put::<R, LANES, _>(&mut out[half], 0, &noise, half * LANES);
                }
            }
            if let ([out], [.., x], [.., z]) = (pairs.1, xs, zs) {
                let noise = self.at::<R, W, LANES, _>(isa, around, [x.cells, z.cells], [x.fractions, z.fractions]);
                self.put::<R, LANES, _>(out, 0, &noise, 0);
            }
        } else if W == LANES / 2 {
            for ((out, x), z) in out.iter_mut().zip(xs).zip(zs) {
                let noise = self.at::<R, W, LANES, _>(isa, around, [x.cells, z.cells], [x.fractions, z.fractions]);
                self.put::<R, LANES, _>(out, 0, &noise, 0);
            }
        } else {
            for ((out, x), z) in out.iter_mut().zip(xs).zip(zs) {
                for part in 0..LANES / W {
                    let cells = [x.cells.as_chunks().0[part], z.cells.as_chunks().0[part]];
                    let fractions = [x.fractions.as_chunks().0[part], z.fractions.as_chunks().0[part]];
                    let noise = self.at::<R, W, W, _>(isa, around, cells, fractions);
                    self.put::<R, W, _>(out, part, &noise, 0);
                }
            }
        }
    }

    /// Values and slopes at `L` points, whole registers of them.
    #[inline(always)]
    fn at<R: RowReal, const W: usize, const L: usize, A: Around<B>>(
        &self,
        isa: impl Isa<W>,
        around: A,
        cells: [[u32; L]; 2],
        fractions: [[u32; L]; 2],
    ) -> [[f32; L]; 3] {
        let mut f = [[0.0; L]; 2];
        let mut own = [[0; L]; 2];
        for lane in 0..L {
            let (x, fx) = self.shift.place(self.offset[0], cells[0][lane], fractions[0][lane]);
            let (z, fz) = self.shift.place(self.offset[1], cells[1][lane], fractions[1][lane]);
            (f[0][lane], f[1][lane]) = (fx, fz);
            (own[0][lane], own[1][lane]) = (x, z);
        }
        let held = around.held::<W, L>(isa, [&own[0], &own[1]], [&f[0], &f[1]]);
        let mut out = [[0.0; L]; 3];
        for lane in 0..L {
            let held = each(|point| [held[point][0][lane], held[point][1][lane]]);
            let jet = self.basis.jet(held, [f[0][lane], f[1][lane]]);
            out[0][lane] = jet.value;
            if R::SLOPES {
                out[1][lane] = jet.gradient[0] * self.frequency;
                out[2][lane] = jet.gradient[1] * self.frequency;
            }
        }
        out
    }

    /// Puts `V` numbers, from the `from`-th on, where the `part`-th of a block belong.
    #[inline(always)]
    fn put<R: RowReal, const V: usize, const L: usize>(
        &self,
        out: &mut R::Block,
        part: usize,
        noise: &[[f32; L]; 3],
        from: usize,
    ) {
        let mut after = R::Block::default();
        for lane in 0..V {
            let [value, dx, dz] = each(|which| noise[which][from + lane]);
            R::set(&mut after, lane, R::with_slopes(value, [dx, dz]));
        }
        if let Sink::Add(_) = self.sink {
            let before = R::part_of::<V>(out, part);
            for lane in 0..V {
                let sum = self.sink.put(R::get(&before, lane), R::get(&after, lane));
                R::set(&mut after, lane, sum);
            }
        }
        R::put_part::<V>(out, part, &after);
    }
}

/// Converts slopes of numbers that are per cell of an octave.
pub(super) struct TurnBack<'a, R: RowReal> {
    pub frequency: f64,
    /// A place as the octave sees it.
    pub place: R::Place,
    pub out: &'a mut [R::Block],
}

impl<R: RowReal> Kernel for TurnBack<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<const W: usize>(self, _isa: impl Isa<W>) {
        for out in self.out {
            block_by_block();
            let mut all = *out;
            for lane in 0..LANES {
                let value = R::get(&all, lane).carried(self.frequency, &self.place);
                R::set(&mut all, lane, value);
            }
            *out = all;
        }
    }
}
