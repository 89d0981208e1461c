//! A mesh with many copies of a shape; each vertex names its copy and its corner.
//!
//! A block is then drawn as one instance of a shared mesh: copy k takes its position from the block's k-th object, and
//! copies without an object collapse to nothing. The mesh has four bytes per vertex: the attributes of corners are in a
//! storage buffer, once for each variant of the model.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, MeshVertexAttribute, PrimitiveTopology, VertexAttributeValues, VertexFormat};
use bevy::prelude::*;
use bytemuck::{Pod, Zeroable};

use super::shapes::{Model, Shape};

/// Corner of the shape in the lower 16 bits, copy in the next 15, and whether this is the far shape.
pub const WHICH: MeshVertexAttribute = MeshVertexAttribute::new("ScatterWhich", 0x5CA7_7E20, VertexFormat::Uint32);

/// Maximum number of vertices of a mesh: within 16-bit indices, and cheap to upload in a frame.
const MAX_VERTICES: usize = 50_000;
/// Maximum number of copies in a mesh.
const MAX_COPIES: usize = 1_024;

/// Number of mesh sizes: with all, a half, a quarter and an eighth of the copies, as blocks are seldom full.
pub const SIZES: usize = 4;

const FAR: u32 = 1 << 31;
/// Far positions of corners are stored as fractions of this many metres, for a shape one metre high.
const COARSE_SCALE: f32 = 2.0;

/// The attributes of a corner. `scatter.wesl` declares the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct CornerRecord {
    position: [f32; 3],
    /// The normal as signed bytes, and the skin.
    normal: [u8; 4],
    /// Position on the far shape, towards which the near shape morphs, in units of [`COARSE_SCALE`].
    coarse: [i16; 3],
    uv: [u8; 2],
    /// Square roots of the linear colour, to avoid banding in dark colours; and how far the corner bends.
    color: [u8; 4],
    padding: u32,
}

const _: () = assert!(size_of::<CornerRecord>() == 32);

impl Model {
    /// The greatest number of copies that fit in one mesh.
    pub fn max_copies(&self) -> u32 {
        let corners = |shapes: &[Shape]| shapes.first().map_or(0, |shape| shape.corners.len());
        let most = corners(&self.near).max(corners(&self.far)).max(1);
        (MAX_VERTICES / most).clamp(1, MAX_COPIES) as u32
    }

    /// The corners of all variants: of the near shapes, then of the far ones.
    pub fn corner_records(&self) -> Vec<CornerRecord> {
        let mut records = Vec::new();
        for (index, shape) in self.near.iter().enumerate() {
            let far = self.far.get(index);
            let coarse = |position| far.map_or(position, |far| far.nearest(position));
            records.extend(shape.corners.iter().map(|corner| corner.record(coarse(corner.position))));
        }
        let far = self.far.iter().flat_map(|shape| &shape.corners);
        records.extend(far.map(|corner| corner.record(corner.position)));
        records
    }

    /// The meshes for blocks of up to `capacity` objects: near and far, each in every size.
    pub fn meshes(&self, capacity: u32) -> Vec<[Mesh; SIZES]> {
        let all = |shape: &Shape, flag| std::array::from_fn(|size| copies(shape, copies_of(capacity, size), flag));
        let near = self.near.first().map(|shape| all(shape, 0));
        near.into_iter().chain(self.far.first().map(|shape| all(shape, FAR))).collect()
    }
}

impl super::shapes::Corner {
    fn record(&self, coarse: Vec3) -> CornerRecord {
        let byte = |share: f32| (share.clamp(0.0, 1.0) * 255.0).round() as u8;
        let [x, y, z] = self.normal.to_array().map(|axis| (axis * 127.0).round() as i8 as u8);
        let [red, green, blue] = self.color.to_array().map(|part| byte(part.max(0.0).sqrt()));
        CornerRecord {
            position: self.position.to_array(),
            normal: [x, y, z, self.skin as u8],
            coarse: coarse.to_array().map(|axis| ((axis / COARSE_SCALE).clamp(-1.0, 1.0) * 32_767.0).round() as i16),
            uv: self.uv.to_array().map(byte),
            color: [red, green, blue, byte(self.bend)],
            padding: 0,
        }
    }
}

/// Copies in the mesh of a size, at least one.
pub fn copies_of(capacity: u32, size: usize) -> u32 {
    (capacity >> size).max(1)
}

/// The smallest size that holds `count` objects.
pub fn size_for(capacity: u32, count: u32) -> usize {
    (0..SIZES).rev().find(|&size| copies_of(capacity, size) >= count).unwrap_or(0)
}

fn copies(shape: &Shape, count: u32, flag: u32) -> Mesh {
    let corners = shape.corners.len() as u32;
    let which: Vec<u32> =
        (0..count).flat_map(|copy| (0..corners).map(move |corner| corner | copy << 16 | flag)).collect();
    let first = |copy: u32| (copy * corners) as u16;
    let indices = (0..count).flat_map(|copy| shape.indices.iter().map(move |index| index + first(copy))).collect();
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(WHICH, VertexAttributeValues::Uint32(which))
        .with_inserted_indices(Indices::U16(indices))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scatter::ScatterShape;

    #[test]
    fn every_block_fits_its_mesh_and_its_indices() {
        use ScatterShape::{Broadleaf, Bush, Conifer, Grass, Rock};
        for shape in [Grass, Rock, Conifer, Broadleaf, Bush] {
            let model = Model::of(&shape).unwrap();
            let capacity = model.max_copies();
            assert!(capacity >= 64, "{shape:?} fits only {capacity} times");
            let meshes = model.meshes(capacity);
            assert_eq!(meshes.len(), 2);
            for (mesh, size) in meshes.iter().flat_map(|sizes| sizes.iter().zip(0..)) {
                let vertices = mesh.count_vertices();
                assert!(vertices <= MAX_VERTICES && vertices.is_multiple_of(copies_of(capacity, size) as usize));
            }
        }
    }

    #[test]
    fn vertices_name_their_copy_and_corner() {
        let model = Model::of(&ScatterShape::Grass).unwrap();
        let corners = model.far[0].corners.len() as u32;
        let meshes = model.meshes(8);
        let Some(VertexAttributeValues::Uint32(which)) = meshes[1][1].attribute(WHICH) else { panic!("no vertices") };
        assert_eq!(which.len() as u32, 4 * corners);
        assert_eq!(which[(3 * corners + 2) as usize], FAR | 3 << 16 | 2);
        let indices: Vec<usize> = meshes[1][1].indices().unwrap().iter().collect();
        assert_eq!(indices.len(), 4 * model.far[0].indices.len());
        assert_eq!(indices.iter().max(), Some(&(which.len() - 1)));
    }

    #[test]
    fn records_keep_their_corners() {
        let model = Model::of(&ScatterShape::Conifer).unwrap();
        let records = model.corner_records();
        let near = model.near[0].corners.len();
        assert_eq!(records.len(), model.near.len() * near + model.far.len() * model.far[0].corners.len());
        let (corner, record) = (&model.near[1].corners[40], records[near + 40]);
        assert_eq!(record.position, corner.position.to_array());
        let coarse = Vec3::from(record.coarse.map(|axis| f32::from(axis) / 32_767.0 * COARSE_SCALE));
        assert!(coarse.distance(model.far[1].nearest(corner.position)) < 1e-3);
        assert!(((f32::from(record.color[1]) / 255.0).powi(2) - corner.color.y).abs() < 0.01);
    }

    #[test]
    fn meshes_have_enough_copies() {
        for capacity in [1, 2, 7, 81, 1_024] {
            for count in 1..=capacity {
                let size = size_for(capacity, count);
                assert!(copies_of(capacity, size) >= count, "{count} of {capacity}");
            }
            assert_eq!(
                size_for(capacity, capacity),
                (0..SIZES).rev().find(|&s| copies_of(capacity, s) == capacity).unwrap()
            );
        }
        assert_eq!(size_for(1_024, 100), 3);
    }
}
