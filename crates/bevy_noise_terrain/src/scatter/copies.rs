//! One mesh that holds a shape many times over, each corner knowing which copy it belongs to.
//!
//! Drawing a block is then one instance of one shared mesh: copy number k takes its place from the block's k-th
//! object, and copies without an object collapse to nothing.

use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, MeshVertexAttribute, PrimitiveTopology, VertexFormat};
use bevy::prelude::*;

use super::shapes::{Model, Shape};

/// Where a corner goes as the near shape turns into the far one.
pub const COARSE: MeshVertexAttribute = MeshVertexAttribute::new("ScatterCoarse", 0x5CA7_7E20, VertexFormat::Float32x3);
/// Copy number and, in its highest bit, whether this is the far shape; normal; colour and bend.
pub const LOOK: MeshVertexAttribute = MeshVertexAttribute::new("ScatterLook", 0x5CA7_7E21, VertexFormat::Uint32x3);

/// Most corners of a mesh: what 16-bit indices reach, and less than a tenth of a frame's copy.
const MOST_CORNERS: usize = 50_000;
/// Most copies in a mesh.
const MOST_COPIES: usize = 1_024;

/// Meshes with all, a half, a quarter and an eighth of the copies: blocks seldom are full.
pub const SIZES: usize = 4;

const FAR: u32 = 1 << 31;

impl Model {
    /// Most copies that fit in one mesh.
    pub fn most_copies(&self) -> u32 {
        let corners = self.far.as_ref().map_or(0, |far| far.corners.len()).max(self.near.corners.len()).max(1);
        (MOST_CORNERS / corners).clamp(1, MOST_COPIES) as u32
    }

    /// The meshes of blocks with up to `capacity` objects: near and far, each in every size.
    pub fn meshes(&self, capacity: u32) -> Vec<[Mesh; SIZES]> {
        let target = self.far.as_ref().unwrap_or(&self.near);
        let near: Vec<Vec3> = match &self.far {
            Some(far) => self.near.corners.iter().map(|corner| far.nearest(corner.position)).collect(),
            None => self.near.corners.iter().map(|corner| corner.position).collect(),
        };
        let far: Vec<Vec3> = target.corners.iter().map(|corner| corner.position).collect();
        let all = |shape: &Shape, coarse: &[Vec3], flag| {
            std::array::from_fn(|size| copies(shape, coarse, copies_of(capacity, size), flag))
        };
        let mut meshes = vec![all(&self.near, &near, 0)];
        if let Some(shape) = &self.far {
            meshes.push(all(shape, &far, FAR));
        }
        meshes
    }
}

/// Copies in the mesh of a size: at least one.
pub fn copies_of(capacity: u32, size: usize) -> u32 {
    (capacity >> size).max(1)
}

/// The smallest size that holds `count` objects.
pub fn size_for(capacity: u32, count: u32) -> usize {
    (0..SIZES).rev().find(|&size| copies_of(capacity, size) >= count).unwrap_or(0)
}

fn copies(shape: &Shape, coarse: &[Vec3], count: u32, flag: u32) -> Mesh {
    let all = count as usize * shape.corners.len();
    let (mut positions, mut targets, mut looks) =
        (Vec::with_capacity(all), Vec::with_capacity(all), Vec::with_capacity(all));
    let mut indices = Vec::with_capacity(count as usize * shape.indices.len());
    for copy in 0..count {
        let first = positions.len() as u16;
        for (corner, target) in shape.corners.iter().zip(coarse) {
            positions.push(corner.position.to_array());
            targets.push(target.to_array());
            let normal = corner.normal.to_array().map(|axis| (axis * 127.0).round() as i8 as u8);
            // Square roots, lest dark colours come in steps.
            let color = corner.color.to_array().map(|part| (part.clamp(0.0, 1.0).sqrt() * 255.0).round() as u8);
            looks.push([
                copy | flag,
                u32::from_le_bytes([normal[0], normal[1], normal[2], 0]),
                u32::from_le_bytes([color[0], color[1], color[2], (corner.bend * 255.0).round() as u8]),
            ]);
        }
        indices.extend(shape.indices.iter().map(|index| index + first));
    }
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(COARSE, targets)
        .with_inserted_attribute(LOOK, bevy::mesh::VertexAttributeValues::Uint32x3(looks))
        .with_inserted_indices(Indices::U16(indices))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scatter::ScatterShape;

    #[test]
    fn every_block_fits_its_mesh_and_its_indices() {
        for shape in [ScatterShape::Grass, ScatterShape::Rock, ScatterShape::Conifer, ScatterShape::Broadleaf] {
            let model = Model::of(&shape).unwrap();
            let capacity = model.most_copies();
            assert!(capacity >= 64, "{shape:?} fits only {capacity} times");
            let meshes = model.meshes(capacity);
            assert_eq!(meshes.len(), 2);
            for (mesh, size) in meshes.iter().flat_map(|sizes| sizes.iter().zip(0..)) {
                let vertices = mesh.count_vertices();
                assert!(vertices <= MOST_CORNERS && vertices.is_multiple_of(copies_of(capacity, size) as usize));
            }
        }
    }

    #[test]
    fn sizes_hold_what_they_must() {
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
