//! Placement of objects: a pure function of settings, source and cell, the same on every machine.
//!
//! A cell is divided into n × n equal squares with one randomly placed candidate each: this gives the wanted density
//! without rows and without clumps. Everything about a candidate follows from a hash of the seed and its index.
//! The ground's height and slope and the patches are sampled on a grid over the cell.

mod lattice;
mod relief;
mod rule;
#[cfg(test)]
mod tests;

pub use lattice::cell_quads;
#[cfg(feature = "scatter")]
pub use lattice::{Lattice, far_quads};
pub use relief::SampledGround;
pub use rule::Rule;

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use terrain_noise::{Grid, Scratch};

use crate::climate::{Climate, ClimateField, Site, TerrainClimate};
use crate::edits::{Clearings, Rect};
use crate::source::HeightSource;

/// Maximum number of samples of the ground along one side of a cell.
const SAMPLES: u32 = 32;

/// A square of the plane, [`PlacementContext::quads`] quads of level 0 wide.
pub type Cell = [i64; 2];

/// One object: 16 bytes, as the shader reads them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Instance {
    /// Metres from the cell's corner with the least x and z.
    pub place: [f32; 2],
    /// Rotation about the vertical, in 1/65 536 of a full turn.
    pub yaw: u16,
    /// 0 is the kind's least size, 65 535 its greatest.
    pub size: u16,
    /// The order in which objects disappear with distance: the greatest first.
    pub rank: u16,
    /// Picks the colour.
    pub tint: u16,
}

/// The ground and the rules of a terrain.
#[derive(Clone)]
pub struct PlacementContext {
    pub source: Arc<dyn HeightSource>,
    pub climate: Arc<TerrainClimate>,
    /// Metres between vertices of level 0.
    pub spacing: f64,
    /// Width of a cell in quads of level 0.
    pub quads: u32,
    pub rules: Arc<[Rule]>,
}

/// Buffers that are reused from cell to cell.
#[derive(Default)]
pub struct PlaceScratch {
    noise: Scratch,
    heights: Vec<f32>,
    mask: Vec<f32>,
    climate: Vec<Climate>,
}

impl PlacementContext {
    /// Width of a cell in metres.
    pub fn width(&self) -> f64 {
        f64::from(self.quads) * self.spacing
    }

    /// Calls `each` with the ground of a cell and with each rule whose bit is set in `kinds`, by its position among the
    /// rules. Returns the lowest and the highest ground.
    pub fn visit(
        &self,
        cell: Cell,
        kinds: u32,
        scratch: &mut PlaceScratch,
        mut each: impl FnMut(usize, &Rule, &SampledGround),
    ) -> [f32; 2] {
        let quads = self.quads;
        let step = quads.div_ceil(SAMPLES);
        let along = quads / step;
        let side = along as usize + 3;
        let start = cell.map(|cell| cell.wrapping_mul(i64::from(along)).wrapping_sub(1));
        let grid = Grid::new(start, self.spacing * f64::from(step), [side, side]);
        let PlaceScratch { noise, heights, mask, climate } = scratch;
        heights.resize(grid.len(), 0.0);
        self.source.fill(&grid, noise, heights);
        let corner = cell.map(|cell| cell as f64 * self.width());
        let square = Rect { min: corner, max: corner.map(|metres| metres + self.width()) };
        let clearings = Clearings::within(self.source.as_ref(), &square);
        let clearings = clearings.as_ref().map(|clearings| (clearings, corner));
        let wanted = || self.rules.iter().enumerate().filter(|(index, _)| kinds & (1 << index) != 0);
        let step = grid.spacing as f32;
        let place = |index: usize| [index % side, index / side].map(|steps| (steps as f32 - 1.0) * step);
        climate.clear();
        if wanted().any(|(_, rule)| rule.follows_climate()) {
            let mut field = ClimateField::new(&self.climate, corner);
            climate.extend((0..heights.len()).map(|index| {
                // The border is not looked at, but for the slope.
                let [above, below] = [index.saturating_sub(side), (index + side).min(heights.len() - 1)];
                let [left, right] = [index.saturating_sub(1), (index + 1).min(heights.len() - 1)];
                let slope = |low: usize, high: usize| (heights[high] - heights[low]) / (2.0 * step);
                let (dx, dz) = (slope(left, right), slope(above, below));
                let site = Site { height: heights[index], facing: -dz / (1.0 + dx * dx + dz * dz).sqrt() };
                let place = place(index);
                let local = field.local(place);
                field.at(place[1], site, local)
            }));
        }
        for (index, rule) in wanted() {
            mask.clear();
            if let Some(used) = &rule.mask {
                let mut noise = used.around(corner);
                mask.extend((0..heights.len()).map(|index| noise.at(place(index))));
            }
            each(index, rule, &SampledGround { heights, mask, climate, side, step, clearings });
        }
        heights
            .iter()
            .fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], &height| [low.min(height), high.max(height)])
    }
}
