//! A round-crowned tree: clumps of leaves around a forked trunk.

use std::f32::consts::TAU;

use bevy::math::{Quat, Vec3};

use super::{Corner, Model, Shape, around, bumps, chance};

const SHADE: Vec3 = Vec3::new(0.030, 0.050, 0.013);
const LEAVES: Vec3 = Vec3::new(0.075, 0.115, 0.024);
const BARK: Vec3 = Vec3::new(0.075, 0.058, 0.042);

/// Centre and radius of each clump.
const CLUMPS: [([f32; 3], f32); 9] = [
    ([0.00, 0.80, 0.02], 0.19),
    ([0.15, 0.68, 0.10], 0.19),
    ([-0.13, 0.70, 0.11], 0.18),
    ([-0.10, 0.68, -0.14], 0.19),
    ([0.12, 0.70, -0.13], 0.18),
    ([0.23, 0.53, -0.03], 0.17),
    ([0.03, 0.51, 0.22], 0.18),
    ([-0.23, 0.52, -0.01], 0.18),
    ([0.01, 0.50, -0.22], 0.17),
];

pub fn model() -> Model {
    let mut near = Shape::default();
    trunk(&mut near, 6, &[(-0.05, 0.034), (0.10, 0.024), (0.34, 0.020), (0.56, 0.010)]);
    for (index, (centre, radius)) in CLUMPS.iter().enumerate() {
        let (centre, radius) = (Vec3::from(*centre), *radius);
        clump(&mut near, Shape::ball(if index < 5 { 1 } else { 0 }), centre, Vec3::splat(0.92 * radius), index as f32);
        for leaf in 0..17 {
            spray(&mut near, centre, radius, 40 * index as u32 + leaf);
        }
    }
    let mut far = Shape::default();
    clump(&mut far, Shape::ball(0), Vec3::new(0.0, 0.645, 0.0), Vec3::new(0.40, 0.37, 0.40), 0.0);
    trunk(&mut far, 3, &[(-0.05, 0.030), (0.40, 0.018)]);
    Model { near, far: Some(far) }
}

/// A ball of leaves with an uneven surface, dark below and inside.
fn clump(shape: &mut Shape, ball: Shape, centre: Vec3, radius: Vec3, salt: f32) {
    let first = shape.corners.len() as u16;
    for corner in ball.corners {
        let way = corner.position;
        let uneven = 1.0 + 0.18 * bumps(way * 3.1 + salt, salt) + 0.12 * bumps(way * 7.7 + salt, 1.0 + salt);
        let position = centre + way * radius * uneven;
        let (normal, color) = leaves(position, way, salt);
        shape.corner(Corner { position, normal, color, bend: position.y * position.y });
    }
    shape.indices.extend(ball.indices.iter().map(|index| index + first));
}

/// A twig's leaves: a triangle that sticks out of a clump and makes its outline ragged.
fn spray(shape: &mut Shape, centre: Vec3, radius: f32, salt: u32) {
    let height = 1.0 - 1.7 * chance(salt, 41);
    let out = around(TAU * chance(salt, 42)) * (1.0 - height * height).max(0.0).sqrt();
    let way = Vec3::new(out.x, height, out.y);
    let across = way.any_orthonormal_vector();
    let along = Quat::from_axis_angle(way, TAU * chance(salt, 43)) * across;
    let other = way.cross(along);
    let reach = radius * (0.40 + 0.35 * chance(salt, 44));
    let base = centre + way * radius * (0.86 + 0.12 * chance(salt, 45));
    let tip = along * reach + way * reach * (0.15 + 0.55 * chance(salt, 46)) - Vec3::Y * 0.25 * reach;
    let corners = [other * 0.62 * reach - along * 0.35 * reach, -other * 0.62 * reach - along * 0.35 * reach, tip];
    let light = 0.82 + 0.42 * chance(salt, 47);
    let corners = corners.map(|offset| {
        let position = base + offset;
        let (normal, color) = leaves(position, way, 0.1 * salt as f32);
        shape.corner(Corner { position, normal, color: (color * light).min(Vec3::ONE), bend: position.y * position.y })
    });
    shape.triangle(corners[0], corners[1], corners[2]);
}

/// Normal and colour of leaves at a place of the crown, on the side of their clump that looks along `way`.
fn leaves(position: Vec3, way: Vec3, salt: f32) -> (Vec3, Vec3) {
    // The whole crown shades as one ball, each clump a little as its own.
    let crown = (position - Vec3::new(0.0, 0.52, 0.0)).normalize_or(Vec3::Y);
    let normal = (0.55 * crown + 0.45 * way + Vec3::Y * 0.15).normalize_or(Vec3::Y);
    let height = ((position.y - 0.32) / 0.65).clamp(0.0, 1.0);
    let outer = (crown.dot(way) * 0.5 + 0.5).clamp(0.0, 1.0);
    let light = (0.25 + 0.75 * height) * (0.3 + 0.7 * outer) * (0.85 + 0.3 * bumps(way * 11.0, salt));
    (normal, SHADE.lerp(LEAVES, light.clamp(0.0, 1.0)))
}

/// A tapering tube through heights and radii.
fn trunk(shape: &mut Shape, sides: u32, rings: &[(f32, f32)]) {
    let mut below: Vec<u16> = Vec::new();
    for (ring, &(height, radius)) in rings.iter().enumerate() {
        let lean = Vec3::new(chance(ring as u32, 31) - 0.5, 0.0, chance(ring as u32, 32) - 0.5) * (0.03 * height);
        let corners: Vec<u16> = (0..sides)
            .map(|side| {
                let out = around(TAU * side as f32 / sides as f32);
                let normal = Vec3::new(out.x, 0.0, out.y);
                let position = normal * radius + Vec3::Y * height + lean;
                shape.corner(Corner {
                    position,
                    normal,
                    color: BARK * (0.75 + 0.4 * chance(side, ring as u32)),
                    bend: height.max(0.0).powi(2),
                })
            })
            .collect();
        for side in 0..below.len() {
            let next = (side + 1) % below.len();
            shape.triangle(below[side], corners[side], corners[next]);
            shape.triangle(below[side], corners[next], below[next]);
        }
        below = corners;
    }
}
