//! A round-crowned tree: clumps of leaves around a forked trunk.

use std::f32::consts::TAU;

use bevy::math::Vec3;

use super::{Corner, Model, Shape, around, bumps, chance};

const SHADE: Vec3 = Vec3::new(0.022, 0.040, 0.010);
const LEAVES: Vec3 = Vec3::new(0.075, 0.115, 0.024);
const BARK: Vec3 = Vec3::new(0.075, 0.058, 0.042);

/// Centre and radius of each clump.
const CLUMPS: [([f32; 3], f32); 7] = [
    ([0.00, 0.74, 0.00], 0.27),
    ([0.20, 0.58, 0.06], 0.21),
    ([-0.17, 0.60, 0.12], 0.22),
    ([-0.08, 0.56, -0.20], 0.20),
    ([0.12, 0.62, -0.15], 0.20),
    ([0.07, 0.50, 0.20], 0.18),
    ([-0.21, 0.50, -0.06], 0.16),
];

pub fn model() -> Model {
    let mut near = Shape::default();
    trunk(&mut near, 7, &[(-0.05, 0.034), (0.10, 0.024), (0.34, 0.020), (0.56, 0.010)]);
    for (index, (centre, radius)) in CLUMPS.iter().enumerate() {
        clump(&mut near, Shape::ball(2), Vec3::from(*centre), Vec3::splat(*radius), index as f32);
    }
    let mut far = Shape::default();
    trunk(&mut far, 3, &[(-0.05, 0.030), (0.40, 0.018)]);
    clump(&mut far, Shape::ball(1), Vec3::new(0.0, 0.65, 0.0), Vec3::new(0.36, 0.34, 0.36), 0.0);
    Model { near, far: Some(far) }
}

/// A ball of leaves with an uneven surface, dark below and inside.
fn clump(shape: &mut Shape, ball: Shape, centre: Vec3, radius: Vec3, salt: f32) {
    let first = shape.corners.len() as u16;
    for corner in ball.corners {
        let way = corner.position;
        let uneven = 1.0 + 0.16 * bumps(way * 3.1 + salt, salt) + 0.13 * bumps(way * 7.7 + salt, 1.0 + salt);
        let position = centre + way * radius * uneven;
        // The whole crown shades as one ball, each clump a little as its own.
        let crown = (position - Vec3::new(0.0, 0.52, 0.0)).normalize_or(Vec3::Y);
        let normal = (0.55 * crown + 0.45 * way + Vec3::Y * 0.15).normalize_or(Vec3::Y);
        let height = ((position.y - 0.32) / 0.65).clamp(0.0, 1.0);
        let outer = (crown.dot(way) * 0.5 + 0.5).clamp(0.0, 1.0);
        let light = (0.25 + 0.75 * height) * (0.3 + 0.7 * outer) * (0.85 + 0.3 * bumps(way * 11.0, salt));
        let color = SHADE.lerp(LEAVES, light.clamp(0.0, 1.0));
        shape.corner(Corner { position, normal, color, bend: position.y * position.y });
    }
    shape.indices.extend(ball.indices.iter().map(|index| index + first));
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
