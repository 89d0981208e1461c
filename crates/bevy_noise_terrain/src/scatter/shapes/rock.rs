//! A boulder: a cube cut by planes, as joints split rock, with weathered edges.

use bevy::math::{Vec2, Vec3};

use super::geometry::{bumps, chance};
use super::polyhedron::{Face, Polyhedron};
use super::{Corner, Model, Shape, Skin};

const STONE: Vec3 = Vec3::new(0.185, 0.172, 0.155);
const LICHEN: Vec3 = Vec3::new(0.210, 0.205, 0.120);

const VARIANTS: u32 = 6;
/// Number of planes that cut a boulder.
const CUTS: u32 = 9;
/// Number of planes of the far shape.
const FAR_CUTS: u32 = 7;
/// Step through the spiral of cuts, so that the first few already surround the boulder; coprime to [`CUTS`].
const STRIDE: u32 = 4;

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
    let random = |index: u32, salt: u32| chance(97 * variant + index, salt);
    let mut body = Polyhedron::cube();
    for cut in 0..cuts {
        let aside = Vec3::new(random(cut, 11), random(cut, 12), random(cut, 13)) - 0.5;
        let way = on_spiral(cut * STRIDE % CUTS, random(0, 10)) + 0.7 * aside;
        body.cut(way.normalize_or(Vec3::Y), 0.62 + 0.30 * random(cut, 14));
    }
    if is_worn {
        let width = 0.03 + 0.05 * random(0, 15);
        for (index, (normal, depth)) in body.bevels(width).into_iter().enumerate() {
            let skew = Vec3::new(random(index as u32, 16), random(index as u32, 17), random(index as u32, 18)) - 0.5;
            body.cut((normal + 0.25 * skew).normalize_or(normal), depth);
        }
    }
    // Stretches the body into slabs and blocks.
    let spread = Vec3::new(0.80 + 0.2 * random(1, 19), 0.70 + 0.3 * random(2, 19), 0.75 + 0.2 * random(3, 19));
    let points = || body.faces.iter().flat_map(|face| &face.points).map(|&point| point * spread);
    let (low, high) =
        points().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), point| (low.min(point.y), high.max(point.y)));
    // A third of it is below the ground.
    let foot = low + 0.33 * (high - low);
    let widest = points().map(|point| point.with_y(0.0).length()).fold(0.0, f32::max);
    let scale = 1.0 / (high - foot).max(0.7 * widest);
    let mut shape = Shape::default();
    for face in &body.faces {
        let normal = (face.normal / spread).normalize_or(Vec3::Y);
        let middle = face.points.iter().sum::<Vec3>() / face.points.len() as f32;
        let corner = |point: Vec3| {
            let uneven = 1.0 + 0.035 * bumps(point * 4.3, variant as f32);
            let position = (point * uneven * spread - Vec3::Y * foot) * scale;
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

/// Evenly distributed directions except straight down: a rotated Fibonacci sphere.
fn on_spiral(index: u32, turn: f32) -> Vec3 {
    const GOLDEN: f32 = 0.618_034;
    let up = 1.0 - 1.7 * (index as f32 + 0.5) / CUTS as f32;
    let (sin, cos) = ((index as f32 * GOLDEN + turn) * std::f32::consts::TAU).sin_cos();
    let flat = (1.0 - up * up).sqrt();
    Vec3::new(flat * cos, up, flat * sin)
}

/// Texture coordinates of a point on a face.
fn along(face: &Face, point: Vec3) -> Vec2 {
    let across = face.normal.any_orthonormal_vector();
    let place = Vec2::new(point.dot(across), point.dot(face.normal.cross(across)));
    (place * 0.28 + 0.5).clamp(Vec2::ZERO, Vec2::ONE)
}
