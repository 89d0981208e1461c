//! The lattice points of stripes around a grid.

use super::axes::{Axes, Left, NOTHING, padded, put};
use crate::erosion::stripes::Stripes;
use crate::simd::{Isa, LANES};

/// The lattice points of stripes around a grid.
#[derive(Debug, Default)]
pub struct Points {
    pub axes: Axes,
    pub known: bool,
    pub stride: usize,
    /// The middles of their waves.
    pub middles: [Vec<f32>; 3],
}

impl Points {
    #[inline(always)]
    pub fn fill(&mut self, stripes: &Stripes) {
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
    pub fn around<const W: usize>(&self, isa: impl Isa<W>, block: usize, row: usize) -> [[[f32; LANES]; 3]; 4] {
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
