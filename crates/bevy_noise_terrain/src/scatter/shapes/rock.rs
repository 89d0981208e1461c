//! A boulder: a ball, cut by a few planes and roughened.

use bevy::math::Vec3;

use super::{Model, Shape, bumps, chance};

const STONE: Vec3 = Vec3::new(0.155, 0.140, 0.122);
const MOSS: Vec3 = Vec3::new(0.085, 0.095, 0.045);

pub fn model() -> Model {
    Model { near: boulder(2), far: Some(boulder(0)) }
}

fn boulder(halvings: u32) -> Shape {
    let mut shape = Shape::ball(halvings);
    for corner in &mut shape.corners {
        let way = corner.position;
        let mut reach = 1.0 + 0.10 * bumps(way * 2.1, 0.7);
        // Joints split rock along planes: what lies beyond one is cut off.
        for cut in 0..11u32 {
            let normal = Vec3::new(chance(cut, 11) - 0.5, 0.9 * (chance(cut, 12) - 0.4), chance(cut, 13) - 0.5)
                .normalize_or(Vec3::Y);
            let depth = 0.62 + 0.28 * chance(cut, 14);
            let facing = way.dot(normal);
            if facing > 0.0 {
                reach = reach.min(depth / facing);
            }
        }
        reach += 0.025 * bumps(way * 7.3, 2.1) + 0.012 * bumps(way * 17.0, 4.0);
        corner.position = way * reach * Vec3::new(0.86, 0.62, 0.72) + Vec3::Y * 0.36;
    }
    // A metre high at most, whatever was cut off.
    shape.smooth_normals();
    let top = shape.corners.iter().map(|corner| corner.position.y).fold(0.0, f32::max);
    for corner in &mut shape.corners {
        corner.position /= top.max(0.1);
        corner.position.y = corner.position.y.max(-0.35);
        let grain = 1.0 + 0.18 * bumps(corner.position * 9.0, 1.0) + 0.10 * bumps(corner.position * 23.0, 3.0);
        let moss = ((corner.normal.y - 0.55) * 2.0).clamp(0.0, 1.0)
            * (0.35 + 0.4 * bumps(corner.position * 4.0, 6.0)).clamp(0.0, 1.0);
        let foot = 0.6 + 0.4 * (corner.position.y * 2.5).clamp(0.0, 1.0);
        corner.color = STONE.lerp(MOSS, moss) * grain.clamp(0.6, 1.4) * foot;
    }
    shape
}
