//! Cellular noise on the plane, a block of positions at a time.
//!
//! Neighbours lie in few cells, so their points are computed once and each is compared with all lanes. Where
//! a block spans many cells, and in the outer ring, every lane has its own points.

use super::{CellOutput, bits, position, scale};
use crate::basis::block::{InBlocks, Local, split_block};
use crate::lattice::{Key, hash, unit};
use crate::simd::{Isa, LANES, Lanes, Wide};

/// The most cells along an axis whose points a block shares: those of its lanes and one more on each side.
const SHARED: usize = 8;

/// Cellular noise and its random numbers.
pub(crate) struct Cells<'a> {
    key: &'a Key,
    output: CellOutput,
    jitter: f32,
    scale: f32,
    shared: Shared,
}

/// The points of a rectangle of cells.
struct Shared {
    /// The first cell, and the number of cells.
    low: [i64; 2],
    size: [usize; 2],
    /// Positions in their cells, and hashes, by row and column.
    positions: [[[f32; SHARED]; SHARED]; 2],
    hashes: [[u32; SHARED]; SHARED],
}

/// The cells and fractions of a block of positions.
struct Places {
    cells: [[i64; LANES]; 2],
    fractions: [Lanes; 2],
}

/// What the formula needs beside the distance of the nearest point.
#[derive(Clone, Copy)]
struct Needs {
    second: bool,
    offsets: bool,
    hash: bool,
}

/// The nearest and the second nearest points so far.
struct Nearest {
    squared: [Lanes; 2],
    /// From the point to the position.
    offsets: [[Lanes; 2]; 2],
    hash: [u32; LANES],
}

impl<'a> Cells<'a> {
    pub fn new(key: &'a Key, output: CellOutput, jitter: f32) -> Self {
        let shared = Shared {
            low: [0; 2],
            size: [0; 2],
            positions: [[[0.0; SHARED]; SHARED]; 2],
            hashes: [[0; SHARED]; SHARED],
        };
        Self { key, output, jitter, scale: scale(output, 2, jitter), shared }
    }

    /// Includes the points that all lanes share.
    #[inline(always)]
    fn include_shared(&mut self, places: &Places, low: [i64; 2], span: [usize; 2], needs: Needs, near: &mut Nearest) {
        let first = [low[0].wrapping_sub(1), low[1].wrapping_sub(1)];
        let size = [span[0] + 3, span[1] + 3];
        if self.shared.low != first || self.shared.size != size {
            self.shared.fill(self.key, self.jitter, first, size);
        }
        // From the corners of the cells to the positions; out of reach where a single position would not look:
        // it stays within the cells next to its own.
        let mut corners = [[Lanes::default(); SHARED]; 2];
        for axis in 0..2 {
            let mut steps = Lanes::default();
            for lane in 0..LANES {
                steps.0[lane] = places.cells[axis][lane].wrapping_sub(first[axis]) as i32 as f32;
            }
            for i in 0..size[axis] {
                for lane in 0..LANES {
                    let step = i as f32 - steps.0[lane];
                    let offset = places.fractions[axis].0[lane] - step;
                    corners[axis][i].0[lane] = if step.abs() <= 1.0 { offset } else { f32::INFINITY };
                }
            }
        }
        let Shared { positions: [px, pz], hashes, .. } = &self.shared;
        for j in 0..size[1] {
            for i in 0..size[0] {
                let (px, pz, hash) = (px[j][i], pz[j][i], hashes[j][i]);
                let [mut x, mut z] = [Lanes::default(); 2];
                for lane in 0..LANES {
                    x.0[lane] = corners[0][i].0[lane] - px;
                }
                for lane in 0..LANES {
                    z.0[lane] = corners[1][j].0[lane] - pz;
                }
                near.include(&x, &z, &[hash; LANES], needs);
            }
        }
    }

    /// Includes a cell of its own for each lane; lanes of which nothing is `wanted` are left out.
    #[inline(always)]
    fn include_own(
        &self,
        places: &Places,
        parts: [&[u64; LANES]; 2],
        step: [i64; 2],
        wanted: Option<&[u32; LANES]>,
        needs: Needs,
        near: &mut Nearest,
    ) {
        let mut hashes = [0; LANES];
        let mut random = [0; LANES];
        for lane in 0..LANES {
            hashes[lane] = hash(parts[0][lane] ^ parts[1][lane]);
        }
        for lane in 0..LANES {
            random[lane] = bits(hashes[lane]);
        }
        let mut offsets = [Lanes::default(); 2];
        for axis in 0..2 {
            for lane in 0..LANES {
                let f = places.fractions[axis].0[lane];
                offsets[axis].0[lane] = f - step[axis] as f32 - position(random[lane], axis, self.jitter);
            }
        }
        if let Some(wanted) = wanted {
            for lane in 0..LANES {
                offsets[0].0[lane] = if wanted[lane] != 0 { offsets[0].0[lane] } else { f32::INFINITY };
            }
        }
        near.include(&offsets[0], &offsets[1], &hashes, needs);
    }

    /// The cells two away, where some lanes might find a nearer point.
    #[inline(never)]
    fn include_outer(&self, places: &Places, wanted: &[u32; LANES], needs: Needs, near: &mut Nearest) {
        let parts = self.parts::<5>(places);
        for j in -2..=2i64 {
            for i in -2..=2i64 {
                if i.abs() == 2 || j.abs() == 2 {
                    let parts = [&parts[0][(i + 2) as usize], &parts[1][(j + 2) as usize]];
                    self.include_own(places, parts, [i, j], Some(wanted), needs, near);
                }
            }
        }
    }

    /// The axes' parts of the hashes of the `N` cells around each lane's own.
    #[inline(always)]
    fn parts<const N: usize>(&self, places: &Places) -> [[[u64; LANES]; N]; 2] {
        let mut parts = [[[0; LANES]; N]; 2];
        for lane in 0..LANES {
            for axis in 0..2 {
                let run = self.key.run::<N>(axis, places.cells[axis][lane].wrapping_sub(N as i64 / 2));
                for step in 0..N {
                    parts[axis][step][lane] = run[step];
                }
            }
        }
        parts
    }

    #[inline(always)]
    fn measure(&self, near: &Nearest, slopes: bool) -> Local<2> {
        let mut out = Local::default();
        match self.output {
            CellOutput::F1 => self.cone(near, 0, slopes, &mut out),
            CellOutput::F2 => self.cone(near, 1, slopes, &mut out),
            CellOutput::F2MinusF1 => {
                for lane in 0..LANES {
                    let [first, second] = [near.squared[0].0[lane].sqrt(), near.squared[1].0[lane].sqrt()];
                    out.value.0[lane] = (second - first) * self.scale - 1.0;
                }
                for axis in 0..if slopes { 2 } else { 0 } {
                    for lane in 0..LANES {
                        let [first, second] = [near.slope(0, axis, lane), near.slope(1, axis, lane)];
                        out.slopes[axis].0[lane] = (second - first) * self.scale;
                    }
                }
            }
            CellOutput::CellValue => {
                for lane in 0..LANES {
                    out.value.0[lane] = unit(near.hash[lane]);
                }
            }
        }
        out
    }

    #[inline(always)]
    fn cone(&self, near: &Nearest, which: usize, slopes: bool, out: &mut Local<2>) {
        for lane in 0..LANES {
            out.value.0[lane] = near.squared[which].0[lane].sqrt() * self.scale - 1.0;
        }
        for axis in 0..if slopes { 2 } else { 0 } {
            for lane in 0..LANES {
                out.slopes[axis].0[lane] = near.slope(which, axis, lane) * self.scale;
            }
        }
    }
}

impl InBlocks<2> for Cells<'_> {
    #[inline(always)]
    fn at<const W: usize>(&mut self, isa: impl Isa<W>, at: &[Wide; 2], slopes: bool) -> Local<2> {
        let (cells, fractions) = split_block(isa, at);
        let places = Places { cells, fractions };
        let needs = Needs {
            second: matches!(self.output, CellOutput::F2 | CellOutput::F2MinusF1),
            offsets: slopes,
            hash: matches!(self.output, CellOutput::CellValue),
        };
        let mut near = Nearest {
            squared: [Lanes([f32::INFINITY; LANES]); 2],
            offsets: [[Lanes::default(); 2]; 2],
            hash: [0; LANES],
        };
        if let [Some((left, width)), Some((first, depth))] = [span(&places.cells[0]), span(&places.cells[1])] {
            self.include_shared(&places, [left, first], [width, depth], needs, &mut near);
        } else {
            let parts = self.parts::<3>(&places);
            for j in 0..3 {
                for i in 0..3 {
                    let step = [i as i64 - 1, j as i64 - 1];
                    self.include_own(&places, [&parts[0][i], &parts[1][j]], step, None, needs, &mut near);
                }
            }
        }
        // Nothing outside the cells so far is nearer than this.
        let ring = 1.0 + 0.5 * (1.0 - self.jitter);
        let needed = near.squared[usize::from(needs.second)];
        let mut further = [0; LANES];
        let mut any = 0;
        for lane in 0..LANES {
            let [x, z] = [places.fractions[0].0[lane], places.fractions[1].0[lane]];
            let a = if x < 1.0 - x { x } else { 1.0 - x };
            let b = if z < 1.0 - z { z } else { 1.0 - z };
            let border = if a < b { a } else { b } + ring;
            further[lane] = u32::from(needed.0[lane] > border * border);
        }
        for lane in 0..LANES {
            any |= further[lane];
        }
        if any != 0 {
            self.include_outer(&places, &further, needs, &mut near);
        }
        self.measure(&near, slopes)
    }
}

/// The lowest cell of a block and how far the highest lies from it, if their points can be shared.
#[inline(always)]
fn span(cells: &[i64; LANES]) -> Option<(i64, usize)> {
    let mut steps = [0; LANES];
    let mut far = 0;
    for lane in 0..LANES {
        let step = cells[lane].wrapping_sub(cells[0]);
        far |= step.wrapping_add(SHARED as i64) as u64 / (2 * SHARED as u64);
        steps[lane] = step as i32;
    }
    let [mut low, mut high] = [0; 2];
    for lane in 0..LANES {
        low = if steps[lane] < low { steps[lane] } else { low };
        high = if steps[lane] > high { steps[lane] } else { high };
    }
    let width = high.wrapping_sub(low) as usize;
    (far == 0 && width <= SHARED - 3).then(|| (cells[0].wrapping_add(low.into()), width))
}

impl Shared {
    #[inline(always)]
    fn fill(&mut self, key: &Key, jitter: f32, low: [i64; 2], size: [usize; 2]) {
        (self.low, self.size) = (low, size);
        let parts = key.run::<SHARED>(0, low[0]);
        for j in 0..size[1] {
            let row = key.axis(1, low[1].wrapping_add(j as i64));
            let mut random = [0; SHARED];
            for i in 0..SHARED {
                self.hashes[j][i] = hash(parts[i] ^ row);
            }
            for i in 0..SHARED {
                random[i] = bits(self.hashes[j][i]);
            }
            for axis in 0..2 {
                for i in 0..SHARED {
                    self.positions[axis][j][i] = position(random[i], axis, jitter);
                }
            }
        }
    }
}

impl Nearest {
    /// The first of several points at one distance stays, as for single positions.
    #[inline(always)]
    fn include(&mut self, x: &Lanes, z: &Lanes, hashes: &[u32; LANES], needs: Needs) {
        let mut squared = Lanes::default();
        for lane in 0..LANES {
            squared.0[lane] = x.0[lane] * x.0[lane] + z.0[lane] * z.0[lane];
        }
        let [first, second] = self.squared;
        if needs.offsets {
            for (axis, offset) in [x, z].into_iter().enumerate() {
                let [before, behind] = [self.offsets[0][axis], self.offsets[1][axis]];
                for lane in 0..LANES {
                    let nearest = squared.0[lane] < first.0[lane];
                    let next = if squared.0[lane] < second.0[lane] { offset.0[lane] } else { behind.0[lane] };
                    self.offsets[0][axis].0[lane] = if nearest { offset.0[lane] } else { before.0[lane] };
                    self.offsets[1][axis].0[lane] = if nearest { before.0[lane] } else { next };
                }
            }
        }
        if needs.hash {
            for lane in 0..LANES {
                self.hash[lane] = if squared.0[lane] < first.0[lane] { hashes[lane] } else { self.hash[lane] };
            }
        }
        if needs.second {
            for lane in 0..LANES {
                let (s, first) = (squared.0[lane], first.0[lane]);
                let further = if s < first { first } else { s };
                self.squared[1].0[lane] = if further < second.0[lane] { further } else { second.0[lane] };
            }
        }
        for lane in 0..LANES {
            self.squared[0].0[lane] = if squared.0[lane] < first.0[lane] { squared.0[lane] } else { first.0[lane] };
        }
    }

    /// How the distance of a point changes along an axis. The tip of the cone has no slope.
    #[inline(always)]
    fn slope(&self, which: usize, axis: usize, lane: usize) -> f32 {
        let distance = self.squared[which].0[lane].sqrt();
        let inverse = if distance > 0.0 { 1.0 / distance } else { 0.0 };
        self.offsets[which][axis].0[lane] * inverse
    }
}
