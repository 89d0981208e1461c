//! Value noises of climate and ground. `gpu/value_noise.wgsl` declares the same record and computes the same values.

use bytemuck::{Pod, Zeroable};

/// Noises in use, without those of plants.
pub const NOISES: usize = 10;

/// Where each noise is in the list of all, in the order of `climate.wgsl`.
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

/// A value noise. The shader gets a cell and a position within it, so that the noise does not depend on the terrain's
/// origin, up to rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct PatchesRecord {
    /// x and z of the grid's first axis in the terrain's space.
    axis: [f32; 2],
    /// Position of the origin within its cell, each 0 to 1.
    place: [f32; 2],
    /// The cell of the origin, counted from the absolute origin: the lowest 32 bits.
    cell: [u32; 2],
    /// Width of a cell in metres.
    scale: f32,
    /// Pads the size to a multiple of 8 bytes.
    padding: u32,
}

impl PatchesRecord {
    /// Every noise around an origin, absolute x and z, with regions so many metres wide.
    pub fn all(origin: [f64; 2], region: f64) -> [Self; NOISES] {
        ALL.each_ref().map(|(size, is_turned)| {
            let scale = match size {
                Size::Metres(metres) => *metres,
                Size::Region(share) => share * region,
            };
            Self::new(origin, scale, *is_turned, [0; 2])
        })
    }

    /// Wet and dry regions alone.
    #[cfg(feature = "sky")]
    pub fn regions(origin: [f64; 2], region: f64) -> Self {
        Self::all(origin, region)[noise::WET]
    }

    /// A noise with cells `scale` metres wide, whose grid is rotated or not. Cells are counted from `first`.
    pub fn new([east, south]: [f64; 2], scale: f64, is_turned: bool, first: [u32; 2]) -> Self {
        let [x, z] = if is_turned { [0.8, -0.6] } else { [1.0, 0.0] };
        let turned = [x * east + z * south, x * south - z * east].map(|metres| metres / scale);
        let cell = turned.map(f64::floor);
        Self {
            axis: [x as f32, z as f32],
            place: [0, 1].map(|axis| (turned[axis] - cell[axis]) as f32),
            cell: [0, 1].map(|axis| (cell[axis] as i64 as u32).wrapping_add(first[axis])),
            scale: scale as f32,
            padding: 0,
        }
    }
}

/// A value noise that is asked for many places, one near the other: most lie in the cell of the one before.
#[derive(Clone, Copy, Debug)]
pub struct ValueNoise {
    record: PatchesRecord,
    cell: [u32; 2],
    /// The values at that cell's corners, in [0, 1]: left and right, first those with the lesser z.
    corners: [f32; 4],
}

impl From<PatchesRecord> for ValueNoise {
    fn from(record: PatchesRecord) -> Self {
        Self { record, cell: record.cell, corners: corners(record.cell) }
    }
}

impl ValueNoise {
    /// The noise at x and z from the origin, in [−1, 1], as `value_noise.wgsl` computes it for a pixel of no width.
    pub fn at(&mut self, local: [f32; 2]) -> f32 {
        let (cell, place) = self.record.cell_of(local);
        if cell != self.cell {
            (self.cell, self.corners) = (cell, corners(cell));
        }
        let [u, v] = place.map(|f| f * f * f * (f * (f * 6.0 - 15.0) + 10.0));
        let mix = |a: f32, b: f32, t: f32| a + t * (b - a);
        let [a, b, c, d] = self.corners;
        2.0 * mix(mix(a, b, u), mix(c, d, u), v) - 1.0
    }
}

fn corners([x, z]: [u32; 2]) -> [f32; 4] {
    let hash = |x: u32, z: u32| {
        let n = x.wrapping_mul(0x9E37_79B1) ^ z.wrapping_mul(0x85EB_CA77);
        let n = (n ^ (n >> 15)).wrapping_mul(0x2C1B_3C6D);
        let n = (n ^ (n >> 12)).wrapping_mul(0x297A_2D39);
        ((n ^ (n >> 15)) & 0xFFFF) as f32 / 65_535.0
    };
    let (right, far) = (x.wrapping_add(1), z.wrapping_add(1));
    [hash(x, z), hash(right, z), hash(x, far), hash(right, far)]
}

impl PatchesRecord {
    /// Cell of a position and place within it.
    fn cell_of(&self, local: [f32; 2]) -> ([u32; 2], [f32; 2]) {
        let [x, z] = self.axis;
        let turned = [x * local[0] + z * local[1], x * local[1] - z * local[0]];
        let p = [0, 1].map(|axis| turned[axis] / self.scale + self.place[axis]);
        // `floor` is a call where the processor may be any.
        let floor = p.map(|p| {
            let whole = p as i32;
            whole - i32::from(whole as f32 > p)
        });
        let cell = [0, 1].map(|axis| (floor[axis] as u32).wrapping_add(self.cell[axis]));
        (cell, [0, 1].map(|axis| p[axis] - floor[axis] as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noises_stay_where_they_are_when_the_origin_moves() {
        for far in [0.0, -8_192.0, 65_536.0, -3.3e5, 1e9] {
            let before = [far, -0.5 * far];
            for shift in [-8_192.0, -100.0, 4_096.5] {
                let after = [before[0] + shift, before[1] + 0.25 * shift];
                let records = PatchesRecord::all(before, 900.0).into_iter().zip(PatchesRecord::all(after, 900.0));
                for (old, new) in records {
                    for local in [[3.0, -40.0], [900.25, 77.0], [-1_234.0, 0.5]] {
                        let moved = [local[0] - shift as f32, local[1] - 0.25 * shift as f32];
                        let ((a, p), (b, q)) = (old.cell_of(local), new.cell_of(moved));
                        // Cells and fractions together, as fractions may round up to the next cell.
                        for axis in 0..2 {
                            let cells = f64::from(a[axis].wrapping_sub(b[axis]) as i32);
                            let off = (cells + f64::from(p[axis]) - f64::from(q[axis])) * f64::from(old.scale);
                            assert!(off.abs() < 4e-3, "{far} {shift} {local:?}: {off} m");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn records_are_laid_out_as_the_shader_declares() {
        assert_eq!(size_of::<PatchesRecord>(), 32);
        assert!(include_str!("../render/bindings.wgsl").contains(&format!("patches: array<Patches, {NOISES}>")));
    }
}
