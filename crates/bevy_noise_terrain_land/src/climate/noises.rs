//! Value noises of climate and ground. `gpu/value_noise.wesl` declares the same record and computes the same values.

use bytemuck::{Pod, Zeroable};
use terrain_noise::shader::PlaneLattice;
use terrain_noise::{Compose, Noise};

use super::TerrainClimate;
use crate::random::mix;

/// Noises in use, without those of plants.
pub const NOISES: usize = 10;

/// Where each noise is in the list of all, in the order of `climate.wesl`.
pub mod noise {
    pub const WET: usize = 0;
    pub const WET_FINE: usize = 1;
    pub const ROUGH: usize = 2;
    pub const ROUGH_FINE: usize = 3;
    pub const ROUGH_FINEST: usize = 4;
    pub const WARM: usize = 5;
    pub const WARM_FINE: usize = 6;
    pub const WET_FINER: usize = 9;
}

/// Width of a noise's cells.
enum Size {
    /// In metres.
    Metres(f64),
    /// As a fraction of the width of wet and dry regions.
    Region(f64),
}

impl Size {
    fn metres(&self, climate: &TerrainClimate) -> f64 {
        match self {
            Self::Metres(metres) => *metres,
            Self::Region(share) => share * f64::from(climate.feature_size),
        }
    }
}

/// In the order of [`noise`], with whether the grid is rotated: noises that are summed are rotated against each other, so
/// that no grid shows. The eighth and the ninth turn textures.
const ALL: [(Size, bool); NOISES] = [
    (Size::Region(1.0), true),
    (Size::Region(0.3), false),
    (Size::Metres(41.0), true),
    (Size::Metres(11.0), false),
    (Size::Metres(2.7), true),
    (Size::Region(1.7), false),
    (Size::Region(0.19), true),
    (Size::Metres(23.0), false),
    (Size::Metres(7.0), true),
    (Size::Region(0.11), true),
];

/// By how much turned grids are turned about the vertical, in degrees: their first axis is (0.8, −0.6).
const TURN: f64 = -36.869_897_645_844_02;

/// A noise of a climate as a part of a tree: what [`ValueNoiseRecord`] computes, up to rounding.
pub fn tree(climate: &TerrainClimate, which: usize) -> Noise {
    let (size, is_turned) = &ALL[which];
    let octave = terrain_noise::value().feature_size(size.metres(climate));
    let octave = if *is_turned { octave.rotate(TURN) } else { octave.into() };
    octave.fixed_seed(seed(climate, which))
}

fn seed(climate: &TerrainClimate, which: usize) -> u64 {
    mix(climate.seed ^ (which as u64) << 56)
}

/// An octave of value noise. The shader gets a cell and a position within it, so that the noise does not depend on the
/// terrain's origin, up to rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ValueNoiseRecord {
    /// Words of the [`PlaneLattice`] around the cell of the origin.
    lattice: [u32; 10],
    /// x and z of the grid's first axis in the terrain's space.
    axis: [f32; 2],
    /// Position of the origin within its cell, each 0 to 1.
    place: [f32; 2],
    /// Width of a cell in metres.
    scale: f32,
    /// Pads the size to a multiple of 16 bytes.
    padding: u32,
}

impl ValueNoiseRecord {
    /// Every noise of a climate around an origin, absolute x and z.
    pub fn all(climate: &TerrainClimate, origin: [f64; 2]) -> [Self; NOISES] {
        std::array::from_fn(|which| Self::of(climate, origin, which))
    }

    /// Wet and dry regions alone.
    #[cfg(feature = "sky")]
    pub fn regions(climate: &TerrainClimate, origin: [f64; 2]) -> Self {
        Self::of(climate, origin, noise::WET)
    }

    fn of(climate: &TerrainClimate, origin: [f64; 2], which: usize) -> Self {
        let (size, is_turned) = &ALL[which];
        Self::new(origin, size.metres(climate), *is_turned, seed(climate, which))
    }

    /// A noise with cells `scale` metres wide, whose grid is rotated or not.
    pub fn new([east, south]: [f64; 2], scale: f64, is_turned: bool, seed: u64) -> Self {
        let [x, z] = if is_turned { [0.8, -0.6] } else { [1.0, 0.0] };
        let turned = [x * east + z * south, x * south - z * east].map(|metres| metres / scale);
        let cell = turned.map(f64::floor);
        Self {
            lattice: PlaneLattice::new(seed, cell.map(|cell| cell as i64)).words(),
            axis: [x as f32, z as f32],
            place: [0, 1].map(|axis| (turned[axis] - cell[axis]) as f32),
            scale: scale as f32,
            padding: 0,
        }
    }
}

/// A value noise that is asked for many places, one near the other: most lie in the cell of the one before.
#[derive(Clone, Copy, Debug)]
pub struct ValueNoise {
    record: ValueNoiseRecord,
    /// Counted from that of the origin.
    cell: [i32; 2],
    /// The values at that cell's corners, in [−1, 1]: left and right, first those with the lesser z.
    corners: [f32; 4],
}

impl From<ValueNoiseRecord> for ValueNoise {
    fn from(record: ValueNoiseRecord) -> Self {
        Self { record, cell: [0; 2], corners: record.corners([0; 2]) }
    }
}

impl ValueNoise {
    /// The noise at x and z from the origin, in [−1, 1], as `value_noise.wesl` computes it for a pixel of no width.
    pub fn at(&mut self, local: [f32; 2]) -> f32 {
        let (cell, place) = self.record.cell_of(local);
        if cell != self.cell {
            (self.cell, self.corners) = (cell, self.record.corners(cell));
        }
        let [u, v] = place.map(|f| f * f * f * (f * (f * 6.0 - 15.0) + 10.0));
        let mix = |a: f32, b: f32, t: f32| a + t * (b - a);
        let [a, b, c, d] = self.corners;
        mix(mix(a, b, u), mix(c, d, u), v)
    }
}

impl ValueNoiseRecord {
    fn corners(&self, cell: [i32; 2]) -> [f32; 4] {
        PlaneLattice::from_words(self.lattice).corners(cell)
    }

    /// Cell of a position, counted from that of the origin, and place within it.
    fn cell_of(&self, local: [f32; 2]) -> ([i32; 2], [f32; 2]) {
        let [x, z] = self.axis;
        let turned = [x * local[0] + z * local[1], x * local[1] - z * local[0]];
        let p = [0, 1].map(|axis| turned[axis] / self.scale + self.place[axis]);
        // `floor` is a call where the processor may be any.
        let floor = p.map(|p| {
            let whole = p as i32;
            whole - i32::from(whole as f32 > p)
        });
        (floor, [0, 1].map(|axis| p[axis] - floor[axis] as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_value_noises_of_the_core_wherever_the_origin_is() {
        let climate = TerrainClimate { seed: 5, ..TerrainClimate::default() };
        for far in [0.0, -8_192.0, 65_536.0, -3.3e5, 1e9] {
            for origin in [[far, -0.5 * far], [far - 4_096.5, 100.0]] {
                for (which, record) in ValueNoiseRecord::all(&climate, origin).into_iter().enumerate() {
                    let seed = mix(5 ^ (which as u64) << 56);
                    let (size, is_turned) = &ALL[which];
                    let [x, z] = if *is_turned { [0.8, -0.6] } else { [1.0, 0.0] };
                    let noise = terrain_noise::value().feature_size(1.0).build(seed).unwrap();
                    let mut own = ValueNoise::from(record);
                    for local in [[3.0, -40.0], [900.25, 77.0], [-1_234.0, 0.5], [-4.0, 2_000.0]] {
                        let at = [0, 1].map(|axis| origin[axis] + f64::from(local[axis]));
                        let turned = [x * at[0] + z * at[1], x * at[1] - z * at[0]];
                        let expected = noise.sample(turned.map(|metres| metres / size.metres(&climate)));
                        assert!((own.at(local) - expected).abs() < 4e-3, "{far} {which} {local:?}: {expected}");
                    }
                }
            }
        }
    }

    #[test]
    fn records_are_laid_out_as_the_shader_declares() {
        assert_eq!(size_of::<ValueNoiseRecord>(), 64);
        assert!(include_str!("../render/bindings.wesl").contains(&format!("noises: array<ValueNoise, {NOISES}>")));
    }
}
