//! Uniforms of the noises that decide where the ground's layers lie. `bindings.wgsl` declares the same layout.

use bytemuck::{Pod, Zeroable};

use crate::terrain::TerrainOrigin;

/// Noises in use.
pub const PATCHES: usize = 9;

/// Width of a noise's cells.
enum Size {
    /// In metres.
    Metres(f64),
    /// As a fraction of the width of wet and dry regions.
    Moisture(f64),
}

/// In the order of `layers.wgsl`, with whether the grid is rotated: noises that are summed are rotated against each
/// other, so that no grid shows.
const NOISES: [(Size, bool); PATCHES] = [
    (Size::Moisture(1.0), true),
    (Size::Moisture(0.3), false),
    (Size::Metres(41.0), true),
    (Size::Metres(11.0), false),
    (Size::Metres(2.7), true),
    (Size::Moisture(1.7), false),
    (Size::Moisture(0.19), true),
    (Size::Metres(23.0), false),
    (Size::Metres(7.0), true),
];

/// A noise of the ground. The shader gets a cell and a position within it, so that the noise does not depend on the
/// terrain's origin, up to rounding.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
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
    /// Every noise, for a terrain with this origin.
    pub fn all(origin: &TerrainOrigin, moisture_size: f32) -> [Self; PATCHES] {
        NOISES.each_ref().map(|(size, is_turned)| {
            let scale = match size {
                Size::Metres(metres) => *metres,
                Size::Moisture(share) => share * f64::from(moisture_size),
            };
            let [x, z] = if *is_turned { [0.8, -0.6] } else { [1.0, 0.0] };
            let turned = [x * origin.x + z * origin.z, x * origin.z - z * origin.x].map(|metres| metres / scale);
            let cell = turned.map(f64::floor);
            Self {
                axis: [x as f32, z as f32],
                place: [0, 1].map(|axis| (turned[axis] - cell[axis]) as f32),
                cell: cell.map(|cell| cell as i64 as u32),
                scale: scale as f32,
                padding: 0,
            }
        })
    }
}

impl PatchesRecord {
    /// The noise at the terrain's origin, in [−1, 1], as `layers.wgsl` computes it for a pixel of no width.
    pub fn at_origin(&self) -> f32 {
        let hash = |x: u32, z: u32| {
            let n = x.wrapping_mul(0x9E37_79B1) ^ z.wrapping_mul(0x85EB_CA77);
            let n = (n ^ (n >> 15)).wrapping_mul(0x2C1B_3C6D);
            let n = (n ^ (n >> 12)).wrapping_mul(0x297A_2D39);
            ((n ^ (n >> 15)) & 0xFFFF) as f32 / 65_535.0
        };
        let [x, z] = self.cell;
        let (right, far) = (x.wrapping_add(1), z.wrapping_add(1));
        let [u, v] = self.place.map(|f| f * f * f * (f * (f * 6.0 - 15.0) + 10.0));
        let mix = |a: f32, b: f32, t: f32| a + t * (b - a);
        let (low, high) = (mix(hash(x, z), hash(right, z), u), mix(hash(x, far), hash(right, far), u));
        2.0 * mix(low, high, v) - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cell of a position and fraction within it, as the shader computes them.
    fn place(record: &PatchesRecord, local: [f32; 2]) -> ([u32; 2], [f32; 2]) {
        let [x, z] = record.axis;
        let turned = [x * local[0] + z * local[1], x * local[1] - z * local[0]];
        let p = [0, 1].map(|axis| turned[axis] / record.scale + record.place[axis]);
        let cell = [0, 1].map(|axis| (p[axis].floor() as i32 as u32).wrapping_add(record.cell[axis]));
        (cell, p.map(|p| p - p.floor()))
    }

    #[test]
    fn noises_stay_where_they_are_when_the_origin_moves() {
        for far in [0.0, -8_192.0, 65_536.0, -3.3e5, 1e9] {
            let before = TerrainOrigin { x: far, z: -0.5 * far };
            for shift in [-8_192.0, -100.0, 4_096.5] {
                let after = TerrainOrigin { x: before.x + shift, z: before.z + 0.25 * shift };
                let records = PatchesRecord::all(&before, 900.0).into_iter().zip(PatchesRecord::all(&after, 900.0));
                for (old, new) in records {
                    for local in [[3.0, -40.0], [900.25, 77.0], [-1_234.0, 0.5]] {
                        let moved = [local[0] - shift as f32, local[1] - 0.25 * shift as f32];
                        let ((a, p), (b, q)) = (place(&old, local), place(&new, moved));
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
        assert!(include_str!("../render/bindings.wgsl").contains(&format!("patches: array<Patches, {PATCHES}>")));
    }
}
