//! The shapes of scattered objects: small procedural meshes, one metre high, with their base at y = 0.

mod broadleaf;
mod bush;
mod conifer;
mod crown;
mod geometry;
mod grass;
mod rock;

use bevy::math::{Vec2, Vec3, Vec4};
use bevy::mesh::{Indices, Mesh, PrimitiveTopology, VertexAttributeValues};

use crate::scatter::shape::ScatterShape;

/// The kind of procedural surface detail that `foliage.wesl` draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Skin {
    #[default]
    Plain = 0,
    /// A branch of needles with gaps; its base is at u = 0.
    Needles = 1,
    /// A bunch of leaves with gaps.
    Leaves = 2,
    /// Weathered stone.
    Stone = 3,
    /// Leaves without gaps: blades, and crowns from afar.
    Foliage = 4,
    /// Bark; the trunk's foot is at v = 0.
    Bark = 5,
    /// Leaves in front of darker leaves: the inside of a crown, and all of it from afar.
    Crown = 6,
    /// Needles in front of darker ones: the inside of a conifer, and all of it from afar. A tier's peak is at v = 0, its
    /// ragged rim at v = 1.
    Boughs = 7,
}

/// A corner of a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    pub position: Vec3,
    pub normal: Vec3,
    /// Linear colour.
    pub color: Vec3,
    /// How far it bends in the wind, 0 to 1.
    pub bend: f32,
    /// Texture coordinates on the skin, 0 to 1.
    pub uv: Vec2,
    pub skin: Skin,
}

/// A triangle list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shape {
    pub corners: Vec<Corner>,
    pub indices: Vec<u16>,
}

/// Variants of a shape, for near and far. All near shapes have the same indices and differ in their corners; so do all
/// far ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub near: Vec<Shape>,
    /// The far version of each near shape; empty if the near shapes are used at all distances.
    pub far: Vec<Shape>,
}

impl Model {
    /// The model of a shape; `None` for a custom one, which comes from its mesh.
    pub fn of(shape: &ScatterShape) -> Option<Self> {
        match shape {
            ScatterShape::Grass => Some(grass::model()),
            ScatterShape::Rock => Some(rock::model()),
            ScatterShape::Conifer => Some(conifer::model()),
            ScatterShape::Broadleaf => Some(broadleaf::model()),
            ScatterShape::Bush => Some(bush::model()),
            ScatterShape::Custom(_) => None,
        }
    }

    /// The model of a shape for the far band, with a few triangles; `None` if the shape is never drawn there.
    pub fn distant(shape: &ScatterShape) -> Option<Self> {
        match shape {
            ScatterShape::Conifer => Some(conifer::distant()),
            ScatterShape::Broadleaf => Some(broadleaf::distant()),
            ScatterShape::Grass | ScatterShape::Rock | ScatterShape::Bush | ScatterShape::Custom(_) => None,
        }
    }

    /// The model of a mesh; `None` if the mesh is not in main memory, has positions that are not finite, is not a
    /// triangle list or has more than 65 535 vertices.
    pub fn of_mesh(mesh: &Mesh) -> Option<Self> {
        let Ok(VertexAttributeValues::Float32x3(positions)) = mesh.try_attribute(Mesh::ATTRIBUTE_POSITION) else {
            return None;
        };
        let count = u16::try_from(positions.len()).ok()?;
        let normals = match mesh.try_attribute(Mesh::ATTRIBUTE_NORMAL) {
            Ok(VertexAttributeValues::Float32x3(normals)) => normals.as_slice(),
            _ => &[],
        };
        let colors = match mesh.try_attribute(Mesh::ATTRIBUTE_COLOR) {
            Ok(VertexAttributeValues::Float32x4(colors)) => colors.as_slice(),
            _ => &[],
        };
        let corners = positions.iter().enumerate().map(|(index, &position)| Corner {
            position: position.into(),
            normal: normals.get(index).map_or(Vec3::Y, |&normal| normal.into()),
            color: colors.get(index).map_or(Vec3::ONE, |&color| Vec4::from(color).truncate()),
            bend: position[1].clamp(0.0, 1.0),
            ..Corner::default()
        });
        let indices: Vec<u16> = match mesh.try_indices_option().ok()? {
            Some(Indices::U16(indices)) => indices.clone(),
            Some(Indices::U32(indices)) => {
                indices.iter().map(|&index| u16::try_from(index)).collect::<Result<_, _>>().ok()?
            }
            None => (0..count).collect(),
        };
        let is_valid = mesh.primitive_topology() == PrimitiveTopology::TriangleList
            && indices.len().is_multiple_of(3)
            && indices.iter().all(|&index| index < count)
            && positions.iter().flatten().all(|axis| axis.is_finite())
            && !indices.is_empty();
        is_valid.then(|| Self { near: vec![Shape { corners: corners.collect(), indices }], far: Vec::new() })
    }

    /// Mean luminance of the near shapes' colours.
    pub fn luminance(&self) -> f32 {
        let corners = || self.near.iter().flat_map(|shape| &shape.corners);
        let sum: f32 = corners().map(|corner| corner.color.dot(Vec3::new(0.2126, 0.7152, 0.0722))).sum();
        (sum / corners().count().max(1) as f32).max(1e-3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::asset::RenderAssetUsages;
    use bevy::prelude::Cuboid;

    const SHAPES: [ScatterShape; 5] =
        [ScatterShape::Grass, ScatterShape::Rock, ScatterShape::Conifer, ScatterShape::Broadleaf, ScatterShape::Bush];

    fn check(name: &str, shape: &Shape, first: &Shape) {
        assert_eq!(shape.indices, first.indices, "{name}: variants differ in their triangles");
        assert_eq!(shape.corners.len(), first.corners.len(), "{name}");
        assert!(shape.indices.len().is_multiple_of(3) && !shape.indices.is_empty());
        assert!(shape.indices.iter().all(|&index| usize::from(index) < shape.corners.len()));
        let top = shape.corners.iter().map(|corner| corner.position.y).fold(0.0, f32::max);
        assert!((0.75..=1.3).contains(&top), "{name} is {top} m high");
        for corner in &shape.corners {
            assert!(corner.position.is_finite() && corner.position.length() < 1.9, "{name}: {}", corner.position);
            assert!((corner.normal.length() - 1.0).abs() < 1e-3, "{name}: {}", corner.normal);
            assert!(corner.color.min_element() >= 0.0 && corner.color.max_element() <= 1.0, "{name}");
            assert!((0.0..=1.0).contains(&corner.bend), "{name} bends by {}", corner.bend);
            assert!(corner.uv.cmpge(Vec2::ZERO).all() && corner.uv.cmple(Vec2::ONE).all(), "{name}: {}", corner.uv);
        }
    }

    #[test]
    fn shapes_are_sound_and_a_metre_high() {
        for shape in SHAPES {
            let name = format!("{shape:?}");
            let model = Model::of(&shape).unwrap();
            assert_eq!(model.near.len(), model.far.len(), "{name} has a far one for each near one");
            assert!(2 * model.far[0].corners.len() <= model.near[0].corners.len(), "{name}");
            assert!(model.near.len() == 1 || model.near[0] != model.near[1], "{name}: all are alike");
            for shapes in [&model.near, &model.far] {
                shapes.iter().for_each(|shape| check(&name, shape, &shapes[0]));
            }
            if let Some(distant) = Model::distant(&shape) {
                assert!(distant.near[0].indices.len() <= 8 * 3, "{name} is expensive far away");
                distant.near.iter().for_each(|shape| check(&name, shape, &distant.near[0]));
            }
        }
    }

    #[test]
    fn any_triangle_list_is_accepted() {
        let model = Model::of_mesh(&Mesh::from(Cuboid::from_length(1.0))).unwrap();
        assert_eq!((model.near[0].corners.len(), model.near[0].indices.len()), (24, 36));
    }

    #[test]
    fn other_meshes_are_refused() {
        let empty = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::all());
        assert_eq!(Model::of_mesh(&empty), None, "no positions");
        let with = |topology, indices: Vec<u32>, place: f32| {
            Mesh::new(topology, RenderAssetUsages::all())
                .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[place, 0.0, 0.0]; 6])
                .with_inserted_indices(Indices::U32(indices))
        };
        assert!(Model::of_mesh(&with(PrimitiveTopology::TriangleList, vec![0, 1, 2], 0.0)).is_some());
        assert_eq!(Model::of_mesh(&with(PrimitiveTopology::LineList, vec![0, 1, 2], 0.0)), None, "lines");
        assert_eq!(Model::of_mesh(&with(PrimitiveTopology::TriangleList, vec![0, 1, 65_538], 0.0)), None, "beyond");
        assert_eq!(Model::of_mesh(&with(PrimitiveTopology::TriangleList, vec![0, 1, 6], 0.0)), None, "one beyond");
        assert_eq!(Model::of_mesh(&with(PrimitiveTopology::TriangleList, vec![0, 1, 2], f32::NAN)), None, "no number");
        let mut gone = Mesh::from(Cuboid::from_length(1.0));
        let _ = gone.take_gpu_data();
        assert_eq!(Model::of_mesh(&gone), None, "in the renderer's memory alone");
    }
}
