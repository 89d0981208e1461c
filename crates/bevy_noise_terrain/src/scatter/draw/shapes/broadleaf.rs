//! A round-crowned tree: bunches of leaves around a trunk, and its simpler versions for the distance.

use std::f32::consts::TAU;

use bevy::math::{Quat, Vec2, Vec3};

use super::geometry::{around, trunk};
use super::{Corner, Model, Shape, Skin};
use crate::scatter::solids::numbers::{bumps, chance};

const LEAVES: Vec3 = Vec3::new(0.088, 0.128, 0.030);
const BARK: Vec3 = Vec3::new(0.075, 0.058, 0.042);

const VARIANTS: u32 = 4;
/// Clumps of leaves.
const CLUMPS: u32 = 10;
/// Bunches of leaves on a clump.
const BUNCHES: u32 = 12;
const MIDDLE: Vec3 = Vec3::new(0.0, 0.63, 0.0);

pub fn model() -> Model {
    Model { near: (0..VARIANTS).map(near).collect(), far: (0..VARIANTS).map(far).collect() }
}

/// The model for the far band.
pub fn distant() -> Model {
    Model { near: (0..VARIANTS).map(double_pyramid).collect(), far: Vec::new() }
}

/// Centre and radius of a clump.
fn clump(variant: u32, index: u32) -> (Vec3, f32) {
    let salt = 64 * variant + index;
    // Evenly distributed over a sphere, one on top.
    let height = 1.0 - 1.62 * (index as f32 + 0.2 * chance(salt, 33)) / CLUMPS as f32;
    let out = around(2.399_963 * index as f32 + 1.3 * variant as f32 + 0.5 * chance(salt, 34));
    let way = Vec3::new(out.x, 0.0, out.y) * (1.0 - height * height).max(0.0).sqrt() + Vec3::Y * height;
    let reach = 0.8 + 0.4 * chance(salt, 35);
    let radius = 0.125 + 0.05 * chance(salt, 36);
    let centre = MIDDLE + way * reach * Vec3::new(0.25, 0.215, 0.25);
    (centre.min(Vec3::new(1.0, 0.99 - radius, 1.0)), radius)
}

fn near(variant: u32) -> Shape {
    let mut shape = Shape::default();
    trunk(&mut shape, 6, BARK, &[(-0.05, 0.034), (0.10, 0.024), (0.34, 0.020), (0.58, 0.010)], 0.03);
    for index in 0..CLUMPS {
        let (centre, radius) = clump(variant, index);
        // An opaque core, so that the sky does not show through.
        ball(&mut shape, centre, Vec3::splat(0.62 * radius), index as f32, 0.38);
        for bunch in 0..BUNCHES {
            leaves(&mut shape, centre, radius, 512 * variant + 16 * index + bunch);
        }
    }
    shape
}

fn far(variant: u32) -> Shape {
    let mut shape = Shape::default();
    trunk(&mut shape, 3, BARK, &[(-0.05, 0.030), (0.52, 0.016)], 0.0);
    for index in [0, 3, 4, 8] {
        let (centre, radius) = clump(variant, index);
        // Larger, to replace the neighbouring clumps too.
        ball(&mut shape, centre.lerp(MIDDLE, 0.25), Vec3::splat(1.45 * radius), index as f32, 0.95);
    }
    shape
}

/// Two four-sided pyramids, base to base.
fn double_pyramid(variant: u32) -> Shape {
    let mut shape = Shape::default();
    let corner = |way: Vec3, reach: f32| {
        let position = MIDDLE + way * reach * Vec3::new(0.40, 0.36, 0.40);
        let (normal, color) = light(position, way);
        Corner { position, normal, color: color * 0.95, ..Corner::default() }
    };
    let top = shape.corner(corner(Vec3::Y, 0.95));
    let bottom = shape.corner(corner(-Vec3::Y, 1.0));
    let ring: Vec<u16> = (0..4u32)
        .map(|side| {
            let out = around(TAU * (side as f32 + 0.6 * chance(side, variant)) / 4.0);
            let way = Vec3::new(out.x, 0.25 * (chance(side, 40 + variant) - 0.3), out.y);
            shape.corner(corner(way, 1.05))
        })
        .collect();
    for (index, corner) in ring.iter().enumerate() {
        let next = ring[(index + 1) % ring.len()];
        shape.triangle(top, next, *corner);
        shape.triangle(bottom, *corner, next);
    }
    shape
}

/// A ball of foliage with an uneven surface.
fn ball(shape: &mut Shape, centre: Vec3, radius: Vec3, salt: f32, share: f32) {
    let first = shape.corners.len() as u16;
    let ball = Shape::ball(0);
    for corner in ball.corners {
        let way = corner.position;
        let uneven = 1.0 + 0.20 * bumps(way * 3.1 + salt, salt);
        let position = centre + way * radius * uneven;
        let (normal, color) = light(position, way);
        shape.corner(Corner { position, normal, color: color * share, bend: sway(position), ..Corner::default() });
    }
    shape.indices.extend(ball.indices.iter().map(|index| index + first));
}

/// A bunch of leaves: a square on the clump, tilted at random.
fn leaves(shape: &mut Shape, centre: Vec3, radius: f32, salt: u32) {
    let height = 1.0 - 1.75 * chance(salt, 41);
    let out = around(TAU * chance(salt, 42)) * (1.0 - height * height).max(0.0).sqrt();
    let way = Vec3::new(out.x, height, out.y);
    let lean = Vec3::new(chance(salt, 43) - 0.5, chance(salt, 44) - 0.5, chance(salt, 45) - 0.5);
    let facing = (way + 1.3 * lean).normalize_or(way);
    let along = Quat::from_axis_angle(facing, TAU * chance(salt, 46)) * facing.any_orthonormal_vector();
    let other = facing.cross(along);
    let half = radius * (0.74 + 0.30 * chance(salt, 47));
    let base = centre + way * radius * (0.78 + 0.22 * chance(salt, 48));
    let brightness = 0.80 + 0.45 * chance(salt, 49);
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(a, b): (f32, f32)| {
        let position = base + (along * a + other * b) * half;
        // Normals bulge like the clump.
        let (normal, color) = light(position, (way + 0.45 * (along * a + other * b)).normalize_or(way));
        shape.corner(Corner {
            position,
            normal,
            color: (color * brightness).min(Vec3::ONE),
            bend: sway(position),
            uv: Vec2::new(a, b) * 0.5 + 0.5,
            skin: Skin::Leaves,
        })
    });
    shape.triangle(corners[0], corners[1], corners[2]);
    shape.triangle(corners[0], corners[2], corners[3]);
}

fn sway(position: Vec3) -> f32 {
    (position.y.max(0.0) * position.y).min(1.0)
}

/// Normal and colour of leaves at a position in the crown, on the side of their clump that faces `way`.
fn light(position: Vec3, way: Vec3) -> (Vec3, Vec3) {
    // The crown is shaded mostly as one ball, and each clump partly as its own.
    let crown = (position - (MIDDLE - Vec3::Y * 0.12)).normalize_or(Vec3::Y);
    let normal = (0.55 * crown + 0.45 * way + Vec3::Y * 0.15).normalize_or(Vec3::Y);
    let height = ((position.y - 0.32) / 0.65).clamp(0.0, 1.0);
    let outer = (crown.dot(way) * 0.5 + 0.5).clamp(0.0, 1.0);
    let open = ((position - MIDDLE).length() / 0.34).clamp(0.0, 1.0);
    let shade = (0.40 + 0.60 * height) * (0.40 + 0.60 * outer) * (0.55 + 0.45 * open);
    (normal, LEAVES * shade * 1.25)
}
