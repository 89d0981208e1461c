//! Decides which candidates of a kind become objects.

use terrain_noise::NoiseError;

use super::lattice::Lattice;
use super::mask::{Mask, ramp};
use super::relief::SampledGround;
use super::{Block, Cell, Instance};
use crate::scatter::settings::ScatterKind;

/// A kind, prepared for placement.
#[derive(Clone, Debug)]
pub struct Rule {
    kind: ScatterKind,
    pub lattice: Lattice,
    pub mask: Option<Mask>,
    /// Squares of the tangents of the least and greatest slope.
    slopes: [f32; 2],
}

impl Rule {
    /// For cells `width` metres wide, in blocks of at most `most` objects.
    ///
    /// # Errors
    /// If the noise of the patches is invalid.
    pub fn new(kind: &ScatterKind, width: f64, most: u32) -> Result<Self, NoiseError> {
        let slopes = [kind.min_slope, kind.max_slope].map(|slope| {
            // The tangent must have the same bits everywhere.
            let tangent = libm::tanf(slope);
            tangent * tangent
        });
        let mut kind = kind.clone();
        let grouped = match kind.patches.take() {
            Some(patches) if patches.coverage <= 0.0 => {
                kind.density = 0.0;
                None
            }
            patches => patches.filter(|patches| patches.coverage < 1.0),
        };
        let mask = grouped.as_ref().map(Mask::new).transpose()?;
        Ok(Self { lattice: Lattice::new(kind.density, width, most), kind, mask, slopes })
    }

    /// Probability of an object on ground of this height, slope (the tangent squared) and mask value.
    fn chance(&self, height: f32, slope: f32, mask: f32) -> f32 {
        let kind = &self.kind;
        if !(kind.min_height..=kind.max_height).contains(&height) || !(self.slopes[0]..=self.slopes[1]).contains(&slope)
        {
            return 0.0;
        }
        let inside = (height - kind.min_height).min(kind.max_height - height);
        let by_height = if kind.height_fade > 0.0 { (inside / kind.height_fade).min(1.0) } else { 1.0 };
        // Rarer towards both limits of the slope.
        let steep = ramp(self.slopes[1], 0.6 * self.slopes[1], slope);
        let gentle = if self.slopes[0] > 0.0 { ramp(self.slopes[0], 1.5 * self.slopes[0], slope) } else { 1.0 };
        by_height * steep * gentle * self.mask.as_ref().map_or(1.0, |used| ramp(used.none, used.all, mask))
    }

    /// The non-empty blocks of a cell.
    pub fn fill(&self, cell: Cell, width: f32, ground: &SampledGround) -> Vec<Block> {
        let Lattice { blocks, side } = self.lattice;
        let square = width / self.lattice.candidates() as f32;
        let share = self.kind.density * square * square;
        let seed = cell.iter().fold(self.kind.seed, |seed, &cell| mix(seed ^ (cell as u64)));
        let mut filled = Vec::new();
        for index in (0..blocks).flat_map(|z| (0..blocks).map(move |x| [x, z])) {
            let mut instances = Vec::new();
            for [i, j] in (0..side).flat_map(|j| (0..side).map(move |i| [i, j])) {
                let at = [index[0] * side + i, index[1] * side + j];
                let hash = mix(seed.wrapping_add(u64::from(at[0]) | u64::from(at[1]) << 32));
                let jitter = [hash & 0xFF_FFFF, (hash >> 24) & 0xFF_FFFF].map(|bits| bits as f32 / 16_777_216.0);
                // Rounding must not move an object out of the cell.
                let place = [0, 1].map(|axis| ((at[axis] as f32 + jitter[axis]) * square).min(width.next_down()));
                let (height, slope, mask) = ground.at(place);
                let chance = self.chance(height, slope, mask);
                let luck = ((hash >> 48) as f32 + 0.5) / 65_536.0;
                if luck >= share * chance {
                    continue;
                }
                let bits = mix(hash);
                // Objects are smaller at the edge of a group.
                let size = (bits >> 16) as u16;
                let size = (f32::from(size) * (0.35 + 0.65 * chance)) as u16;
                let (yaw, rank, tint) = (bits as u16, (bits >> 32) as u16, (bits >> 48) as u16);
                instances.push(Instance { place, yaw, size, rank, tint });
            }
            if !instances.is_empty() {
                instances.sort_by_key(|instance| instance.rank);
                filled.push(Block { index: index.map(|index| index as u16), instances });
            }
        }
        filled
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014), after its increment.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
