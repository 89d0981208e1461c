//! Decides which candidates of a kind become objects.

use crate::random::mix;
use std::ops::Range;

use super::lattice::Lattice;
use super::relief::{Relief, SampledGround};
use super::{Cell, Instance};
use crate::patches::{Mask, ramp};
use crate::scatter::settings::ScatterKind;
use crate::span::{span, within};

/// A kind, prepared for placement.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The kind's index in the settings.
    pub index: usize,
    kind: ScatterKind,
    /// Width of a cell in metres.
    pub width: f32,
    /// Width of a candidate's square in metres.
    pub square: f32,
    /// Probability of an object from a candidate in the best conditions.
    share: f32,
    pub lattice: Lattice,
    pub mask: Option<Mask>,
    habitat: Habitat,
}

/// Where a kind grows, prepared for processor and card.
#[derive(Clone, Copy, Debug)]
pub struct Habitat {
    /// Squares of the tangents of the least and greatest slope.
    pub slopes: [f32; 2],
    /// Spans as [`span`] makes them.
    pub moisture: [f32; 4],
    pub temperature: [f32; 4],
}

impl Rule {
    /// For the kind with this index in the settings, within its biome, in cells `width` metres wide, in blocks of at most `most` objects.
    pub fn new(index: usize, kind: &ScatterKind, width: f64, most: u32) -> Self {
        let slopes = [kind.min_slope, kind.max_slope].map(|slope| {
            // The tangent must have the same bits everywhere.
            let tangent = libm::tanf(slope);
            tangent * tangent
        });
        let mut kind = kind.clone();
        if kind.patches.is_some_and(|patches| patches.coverage <= 0.0) {
            kind.density = 0.0;
        }
        let mask = kind.patches.as_ref().and_then(Mask::new);
        let [moisture, temperature] = [kind.moisture, kind.temperature].map(|of| span(of, 0.0));
        let lattice = Lattice::new(kind.density, width, most);
        let width = width as f32;
        let square = width / lattice.candidates as f32;
        let share = kind.density * square * square;
        let habitat = Habitat { slopes, moisture, temperature };
        Self { index, kind, width, square, share, lattice, mask, habitat }
    }

    /// Objects per square metre in the best conditions.
    #[cfg(feature = "scatter")]
    pub fn density(&self) -> f32 {
        self.kind.density
    }

    /// Where the kind grows.
    #[cfg(feature = "scatter")]
    pub fn habitat(&self) -> &Habitat {
        &self.habitat
    }

    /// Whether the climate matters.
    pub fn follows_climate(&self) -> bool {
        self.kind.follows_climate()
    }

    /// Probability of an object on such ground.
    fn chance(&self, &Relief { height, slope, mask, climate }: &Relief) -> f32 {
        let (kind, Habitat { slopes, moisture, temperature }) = (&self.kind, &self.habitat);
        if !(kind.min_height..=kind.max_height).contains(&height) || !(slopes[0]..=slopes[1]).contains(&slope) {
            return 0.0;
        }
        let inside = (height - kind.min_height).min(kind.max_height - height);
        let by_height = if kind.height_fade > 0.0 { (inside / kind.height_fade).min(1.0) } else { 1.0 };
        // Rarer towards both limits of the slope.
        let steep = ramp(slopes[1], 0.6 * slopes[1], slope);
        let gentle = if slopes[0] > 0.0 { ramp(slopes[0], 1.5 * slopes[0], slope) } else { 1.0 };
        let by_climate = if self.follows_climate() {
            within(moisture, climate.moisture) * within(temperature, climate.temperature)
        } else {
            1.0
        };
        by_height * by_climate * steep * gentle * self.mask.as_ref().map_or(1.0, |used| used.cover(mask))
    }

    /// The objects of some columns and rows of a cell's candidates, with the candidates' numbers.
    pub fn objects(
        &self,
        cell: Cell,
        [columns, rows]: [Range<u32>; 2],
        ground: &SampledGround,
    ) -> impl Iterator<Item = (u32, Instance)> {
        let seed = self.seed(cell);
        let candidates = rows.flat_map(move |z| columns.clone().map(move |x| [x, z]));
        candidates.filter_map(move |at| self.object(seed, at, ground))
    }

    /// Metres from the cell's corner to a candidate, by its number.
    #[cfg(any(test, feature = "scatter"))]
    pub fn place(&self, cell: Cell, candidate: u32) -> [f32; 2] {
        let side = self.lattice.candidates;
        let at = [candidate % side, candidate / side];
        self.place_of(at, hash(self.seed(cell), at))
    }

    /// The object that grows from a candidate, if one does, and the candidate's number.
    fn object(&self, seed: u64, at: [u32; 2], ground: &SampledGround) -> Option<(u32, Instance)> {
        let hash = hash(seed, at);
        let place = self.place_of(at, hash);
        let chance = self.chance(&ground.at(place));
        let luck = ((hash >> 48) as f32 + 0.5) / 65_536.0;
        if luck >= self.share * chance || ground.is_cleared(place) {
            return None;
        }
        let bits = mix(hash);
        // Objects are smaller at the edge of a group.
        let size = (bits >> 16) as u16;
        let size = (f32::from(size) * (0.35 + 0.65 * chance)) as u16;
        let (yaw, rank, tint) = (bits as u16, (bits >> 32) as u16, (bits >> 48) as u16);
        Some((at[1] * self.lattice.candidates + at[0], Instance { place, yaw, size, rank, tint }))
    }

    fn seed(&self, cell: Cell) -> u64 {
        cell.iter().fold(self.kind.seed, |seed, &cell| mix(seed ^ (cell as u64)))
    }

    fn place_of(&self, at: [u32; 2], hash: u64) -> [f32; 2] {
        let jitter = [hash & 0xFF_FFFF, (hash >> 24) & 0xFF_FFFF].map(|bits| bits as f32 / 16_777_216.0);
        // Rounding must not move an object out of the cell.
        [0, 1].map(|axis| ((at[axis] as f32 + jitter[axis]) * self.square).min(self.width.next_down()))
    }
}

/// Everything about a candidate follows from this.
fn hash(seed: u64, at: [u32; 2]) -> u64 {
    mix(seed.wrapping_add(u64::from(at[0]) | u64::from(at[1]) << 32))
}
