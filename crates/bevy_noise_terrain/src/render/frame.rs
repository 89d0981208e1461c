//! What the shader needs to know in a frame, as bytes. `bindings.wgsl` declares the same.

use bevy::math::Affine3A;
use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use super::Ground;
use crate::chunk::{ChunkKey, MAX_LEVEL};
use crate::lod::{LodSettings, Ranges, Viewer};
use crate::terrain::TerrainOrigin;
use crate::viewer::MAX_VIEWERS;

/// Levels there is room for.
const LEVELS: usize = MAX_LEVEL as usize + 1;

/// The ground's noise repeats after this many metres: it is hashed from 32-bit coordinates.
const GROUND_PERIOD: f64 = 65_536.0;

/// The head of the frame buffer.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct FrameHeader {
    /// Terrain-local to world.
    pub world_from_terrain: [[f32; 4]; 4],
    /// World to terrain-local.
    pub terrain_from_world: [[f32; 4]; 4],
    /// x and z relative to the origin, then height over ground.
    pub viewers: [[f32; 4]; MAX_VIEWERS],
    /// Range of each level, finest first; infinite for the top.
    pub ranges: [f32; LEVELS],
    /// Low ground, high ground, rock, snow: linear colour and roughness.
    pub layers: [[f32; 4]; 4],
    /// Heights of the tree line and of the snow line, then sine of the slopes where rock begins and prevails.
    pub limits: [f32; 4],
    /// What the origin is past a whole number of quads, in metres.
    pub remainder: [f32; 2],
    /// The origin within the period of the ground's noise.
    pub ground_origin: [f32; 2],
    /// Vertex spacing of level 0 in metres.
    pub spacing: f32,
    /// Where the morph begins, as a share of the range.
    pub morph_start: f32,
    /// Viewers in use.
    pub viewer_count: u32,
    /// Bits: 1 colours by level.
    pub flags: u32,
}

/// Where the chunk of a slot lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct ChunkRecord {
    /// First vertex along x and z, in quads of level 0 from the origin.
    pub first_quad: [i32; 2],
    /// Level of detail.
    pub level: u32,
    /// Keeps the size a multiple of 16 bytes.
    pub padding: u32,
}

/// The origin as a whole number of quads, and what remains in metres.
pub(crate) fn split_origin(origin: &TerrainOrigin, spacing: f64) -> ([i64; 2], [f32; 2]) {
    let quads = [origin.x, origin.z].map(|origin| (origin / spacing).floor());
    let remainder = [origin.x - quads[0] * spacing, origin.z - quads[1] * spacing];
    (quads.map(|quads| quads as i64), remainder.map(|remainder| remainder as f32))
}

impl ChunkRecord {
    /// The record of chunk `key`, with the origin at `origin_quad`.
    pub fn new(key: ChunkKey, origin_quad: [i64; 2]) -> Self {
        let first = key.first_quad();
        let first_quad = [0, 1].map(|axis| (first[axis] - origin_quad[axis]) as i32);
        Self { first_quad, level: u32::from(key.level), padding: 0 }
    }
}

impl FrameHeader {
    /// Everything but the chunks.
    pub fn new(
        transform: Affine3A,
        origin: &TerrainOrigin,
        lod: &LodSettings,
        viewers: &[Viewer],
        ranges: &Ranges,
        ground: &Ground,
    ) -> Self {
        let mut places = [[0.0; 4]; MAX_VIEWERS];
        for (place, viewer) in places.iter_mut().zip(viewers) {
            let [x, z] = [viewer.position[0] - origin.x, viewer.position[1] - origin.z].map(|metres| metres as f32);
            *place = [x, z, viewer.height as f32, 0.0];
        }
        let mut reaches = [f32::INFINITY; LEVELS];
        for (reach, &range) in reaches.iter_mut().zip(ranges.as_slice()) {
            // Infinity is not portable in shaders: a range that no distance reaches does as well.
            *reach = range.min(1e30) as f32;
        }
        let world = Mat4::from(transform);
        Self {
            world_from_terrain: world.to_cols_array_2d(),
            terrain_from_world: Mat4::from(transform.inverse()).to_cols_array_2d(),
            viewers: places,
            ranges: reaches.map(|reach| reach.min(1e30)),
            layers: ground.layers(),
            limits: ground.limits(),
            remainder: split_origin(origin, lod.spacing).1,
            ground_origin: [origin.x, origin.z].map(|origin| origin.rem_euclid(GROUND_PERIOD) as f32),
            spacing: lod.spacing as f32,
            morph_start: lod.morph_start() as f32,
            viewer_count: viewers.len().min(MAX_VIEWERS) as u32,
            flags: u32::from(ground.show_levels),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_laid_out_as_the_shader_declares() {
        assert_eq!(size_of::<FrameHeader>() % 16, 0);
        assert_eq!(std::mem::offset_of!(FrameHeader, viewers), 128);
        assert_eq!(std::mem::offset_of!(FrameHeader, layers) % 16, 0);
        assert_eq!(std::mem::offset_of!(FrameHeader, remainder) % 8, 0);
        assert_eq!(size_of::<ChunkRecord>(), 16);
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
