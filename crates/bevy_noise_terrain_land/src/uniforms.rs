//! The uniforms of the morph. `bindings.wesl` declares the same layout.

use bytemuck::{Pod, Zeroable};

use crate::chunk::{ChunkKey, MAX_LEVEL};
use crate::lod::{Ranges, TerrainLod, Viewer};
use crate::mesh;
use crate::terrain::TerrainOrigin;
use crate::viewer::MAX_VIEWERS;

/// Number of levels in the uniforms.
pub const LEVELS: usize = MAX_LEVEL as usize + 1;

/// Stands for an infinite range, as infinity is not portable in shaders.
pub const ENDLESS: f32 = 1e30;

/// Viewers and ranges, relative to the terrain's origin.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct MorphUniforms {
    /// x and z relative to the origin, height over ground, unused.
    pub viewers: [[f32; 4]; MAX_VIEWERS],
    /// Range of each level, finest first; [`ENDLESS`] from the coarsest level on.
    pub ranges: [f32; LEVELS],
    /// The origin minus a whole number of quads, in metres.
    pub remainder: [f32; 2],
    /// Vertex spacing of level 0 in metres.
    pub spacing: f32,
    /// Where the morph begins, as a fraction of the range.
    pub morph_start: f32,
    /// Viewers in use.
    pub viewer_count: u32,
    /// Quads along a side of those that chunks draw from level 1 on: 1, or 2 for [half meshes](crate::mesh::step).
    pub mesh_step: u32,
    /// Pads the size to a multiple of 16 bytes.
    pub padding: [u32; 2],
}

/// The chunk in a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ChunkRecord {
    /// First vertex along x and z, in quads of level 0 from the origin.
    pub first_quad: [i32; 2],
    /// Level of detail.
    pub level: u32,
    /// Strength of its detail normals, 0 to 1.
    pub detail_normals: f32,
    /// The first word of its paint in the buffer of detail normals; 0 for none.
    pub paint: u32,
    /// The first word of its holes in the same buffer; 0 for none.
    pub holes: u32,
    /// One more than the page with its ground, its own or an ancestor's; 0 for none.
    pub page: u32,
    /// Texels of that page per quad.
    pub page_scale: f32,
    /// Where the chunk begins on the page, in texels.
    pub page_offset: [f32; 2],
}

/// The origin as a whole number of quads and a remainder in metres.
pub fn split_origin(origin: &TerrainOrigin, spacing: f64) -> ([i64; 2], [f32; 2]) {
    let quads = [origin.x, origin.z].map(|origin| (origin / spacing).floor());
    let remainder = [origin.x - quads[0] * spacing, origin.z - quads[1] * spacing];
    (quads.map(|quads| quads as i64), remainder.map(|remainder| remainder as f32))
}

impl ChunkRecord {
    /// The record of chunk `key`, with the origin at `origin_quad`.
    pub fn new(key: ChunkKey, origin_quad: [i64; 2]) -> Self {
        let first = key.first_quad();
        let first_quad = [0, 1].map(|axis| (first[axis] - origin_quad[axis]) as i32);
        Self { first_quad, level: u32::from(key.level), ..Self::default() }
    }
}

impl MorphUniforms {
    /// The uniforms of a frame.
    pub fn new(
        origin: &TerrainOrigin,
        lod: &TerrainLod,
        viewers: &[Viewer],
        ranges: &Ranges,
        half_meshes: bool,
    ) -> Self {
        let mut packed = [[0.0; 4]; MAX_VIEWERS];
        for (slot, viewer) in packed.iter_mut().zip(viewers) {
            let [x, z] = [viewer.position[0] - origin.x, viewer.position[1] - origin.z].map(|metres| metres as f32);
            *slot = [x, z, viewer.height as f32, 0.0];
        }
        let mut reaches = [ENDLESS; LEVELS];
        for (reach, &range) in reaches.iter_mut().zip(ranges.as_slice()) {
            *reach = range.min(f64::from(ENDLESS)) as f32;
        }
        Self {
            viewers: packed,
            ranges: reaches,
            remainder: split_origin(origin, lod.spacing).1,
            spacing: lod.spacing as f32,
            morph_start: lod.morph_start() as f32,
            viewer_count: viewers.len().min(MAX_VIEWERS) as u32,
            mesh_step: mesh::step(1, half_meshes) as u32,
            padding: [0; 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_offsets_match_the_shader() {
        assert_eq!(size_of::<MorphUniforms>() % 16, 0);
        assert_eq!(std::mem::offset_of!(MorphUniforms, ranges) % 16, 0);
        assert_eq!(std::mem::offset_of!(MorphUniforms, remainder) % 8, 0);
        assert_eq!(size_of::<ChunkRecord>(), 40);
    }

    #[test]
    fn records_are_exact_far_from_zero() {
        let origin = TerrainOrigin { x: 1e9 + 0.25, z: -1e9 };
        let (quads, remainder) = split_origin(&origin, 1.0);
        assert_eq!((quads, remainder), ([1_000_000_000, -1_000_000_000], [0.25, 0.0]));
        let key = ChunkKey::at(0, origin.x, origin.z, 1.0);
        let record = ChunkRecord::new(key, quads);
        assert!(record.first_quad.iter().all(|first| (-64..=0).contains(first)));
    }
}
