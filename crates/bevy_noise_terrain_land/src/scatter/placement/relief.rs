//! Samples of the ground under a cell.

use crate::climate::Climate;
use crate::edits::Clearings;

/// Samples over a cell with a border of one.
pub struct SampledGround<'a> {
    pub heights: &'a [f32],
    pub mask: &'a [f32],
    /// Empty if no rule asks for it.
    pub climate: &'a [Climate],
    pub side: usize,
    pub step: f32,
    /// Where edits have taken plants away, and the cell's corner.
    pub clearings: Option<(&'a Clearings, [f64; 2])>,
}

/// What decides whether an object grows.
pub struct Relief {
    pub height: f32,
    /// The squared tangent of the slope.
    pub slope: f32,
    pub mask: f32,
    pub climate: Climate,
}

impl SampledGround<'_> {
    /// Whether an edit has taken away what stands at a position.
    pub fn is_cleared(&self, [x, z]: [f32; 2]) -> bool {
        let absolute = |corner: [f64; 2]| [corner[0] + f64::from(x), corner[1] + f64::from(z)];
        self.clearings.is_some_and(|(clearings, corner)| clearings.contains(absolute(corner)))
    }

    /// The ground at a position, interpolated bilinearly.
    pub fn at(&self, [x, z]: [f32; 2]) -> Relief {
        let (x, z) = (x / self.step, z / self.step);
        let cell = |v: f32| (v as usize).min(self.side - 4);
        let (i, j) = (cell(x), cell(z));
        let (u, v) = (x - i as f32, z - j as f32);
        let blend = |values: [f32; 4]| {
            let low = values[0] + u * (values[1] - values[0]);
            let high = values[2] + u * (values[3] - values[2]);
            low + v * (high - low)
        };
        let corners = [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)].map(|(i, j)| (j + 1) * self.side + i + 1);
        let scale = 0.5 / self.step;
        let dx = blend(corners.map(|at| (self.heights[at + 1] - self.heights[at - 1]) * scale));
        let dz = blend(corners.map(|at| (self.heights[at + self.side] - self.heights[at - self.side]) * scale));
        let mask = if self.mask.is_empty() { 0.0 } else { blend(corners.map(|at| self.mask[at])) };
        let climate = if self.climate.is_empty() {
            Climate::default()
        } else {
            Climate {
                temperature: blend(corners.map(|at| self.climate[at].temperature)),
                moisture: blend(corners.map(|at| self.climate[at].moisture)),
            }
        };
        Relief { height: blend(corners.map(|at| self.heights[at])), slope: dx * dx + dz * dz, mask, climate }
    }
}
