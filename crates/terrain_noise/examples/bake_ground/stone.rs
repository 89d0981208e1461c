//! A stone: a convex body of random planes, seen from above.

use crate::ground::{Dice, direction};

/// Sides and bevels, each a plane that falls away from the middle, and a top.
pub struct Stone {
    /// Slopes along x and z, and the height in the middle.
    planes: Vec<[f32; 3]>,
    /// No point is further from the middle.
    pub reach: f32,
    /// How far its edges are worn.
    worn: f32,
}

impl Stone {
    /// A stone of a radius, `tall` times as tall as wide, between angular and `round` (0 to 1).
    pub fn new(dice: &mut Dice, radius: f32, tall: f32, round: f32) -> Self {
        let sides = dice.between(5.0, 8.99) as usize;
        let first = dice.between(0.0, std::f32::consts::TAU);
        let [long_x, long_z] = dice.direction();
        let long = dice.between(0.0, 0.45);
        let height = radius * tall;
        let mut planes = Vec::new();
        let mut furthest = 0.0f32;
        for side in 0..sides {
            let angle = (side as f32 + dice.between(-0.35, 0.35)) / sides as f32 * std::f32::consts::TAU + first;
            let [x, z] = direction(angle);
            // Longer one way than the other.
            let along = x * long_x + z * long_z;
            let away = radius * (1.0 - long + long * along.abs()) * dice.between(0.85, 1.1);
            furthest = furthest.max(away);
            let steep = dice.between(1.1, 2.6) * (0.5 + tall);
            planes.push([-steep * x, -steep * z, steep * away]);
            // A bevel takes the edge between the side and the top.
            let slope = dice.between(0.25, 0.75) * tall;
            planes.push([
                -slope * x,
                -slope * z,
                height * dice.between(0.95, 1.15) - slope * away * dice.between(0.0, 0.35),
            ]);
        }
        let [x, z] = dice.direction();
        let tilt = dice.between(0.0, 0.3);
        planes.push([tilt * x, tilt * z, height]);
        Self { planes, reach: 1.45 * furthest, worn: round * height }
    }

    /// The height at an offset from the middle, and how near an edge it is, 0 to 1.
    pub fn at(&self, [x, z]: [f32; 2]) -> (f32, f32) {
        let (mut low, mut second) = (f32::INFINITY, f32::INFINITY);
        for [dx, dz, height] in &self.planes {
            let height = height + dx * x + dz * z;
            (low, second) = if height < low { (height, low) } else { (low, second.min(height)) };
        }
        // Quilez's polynomial minimum rounds the edge off.
        let edge = (1.0 - (second - low) / self.worn.max(1e-6)).max(0.0);
        (low - 0.25 * self.worn * edge * edge, edge)
    }
}
