//! A boulder: its faces with the colours of stone and lichen.

use bevy::math::{Vec2, Vec3};

use super::{Corner, Model, Shape, Skin};
use crate::scatter::solids::boulder::{Boulder, CUTS, VARIANTS};
use crate::scatter::solids::numbers::bumps;
use crate::scatter::solids::polyhedron::Face;

const STONE: Vec3 = Vec3::new(0.185, 0.172, 0.155);
const LICHEN: Vec3 = Vec3::new(0.210, 0.205, 0.120);

/// Number of planes of the far shape.
const FAR_CUTS: u32 = 7;

pub fn model() -> Model {
    let all = |cuts, is_worn| same_count((0..VARIANTS).map(|variant| boulder(variant, cuts, is_worn)).collect());
    Model { near: all(CUTS, true), far: all(FAR_CUTS, false) }
}

/// Gives all variants the same number of corners: those with fewer are padded with degenerate triangles.
fn same_count(mut shapes: Vec<Shape>) -> Vec<Shape> {
    let most = shapes.iter().map(|shape| shape.corners.len()).max().unwrap_or(0);
    for shape in &mut shapes {
        let last = shape.corners.last().copied().unwrap_or_default();
        shape.corners.resize(most, last);
        shape.indices = (0..most as u16).collect();
    }
    shapes
}

fn boulder(variant: u32, cuts: u32, is_worn: bool) -> Shape {
    let body = Boulder::new(variant, cuts, is_worn);
    let mut shape = Shape::default();
    for face in body.faces() {
        let normal = body.normal(face);
        let middle = face.points.iter().sum::<Vec3>() / face.points.len() as f32;
        let corner = |point: Vec3| {
            let position = body.place(point);
            // Normals are rounded towards the rim.
            let worn = (normal + 0.18 * (point - middle)).normalize_or(normal);
            let grain = 1.0 + 0.14 * bumps(position * 5.0, 1.0 + variant as f32);
            let lichen = (0.5 * (normal.y - 0.2)).clamp(0.0, 0.5) * (0.5 + 0.8 * bumps(position * 3.0, 6.0));
            let shade = 0.55 + 0.45 * ((position.y + 0.15) * 2.2).clamp(0.0, 1.0);
            Corner {
                position,
                normal: worn,
                color: STONE.lerp(LICHEN, lichen.clamp(0.0, 0.6)) * grain.clamp(0.7, 1.3) * shade,
                bend: 0.0,
                uv: along(face, point),
                skin: Skin::Stone,
            }
        };
        for pair in face.points.windows(2).skip(1) {
            let from = shape.corners.len() as u16;
            shape.corners.extend([face.points[0], pair[0], pair[1]].map(corner));
            shape.triangle(from, from + 1, from + 2);
        }
    }
    shape
}

/// Texture coordinates of a point on a face.
fn along(face: &Face, point: Vec3) -> Vec2 {
    let across = face.normal.any_orthonormal_vector();
    let place = Vec2::new(point.dot(across), point.dot(face.normal.cross(across)));
    (place * 0.28 + 0.5).clamp(Vec2::ZERO, Vec2::ONE)
}
