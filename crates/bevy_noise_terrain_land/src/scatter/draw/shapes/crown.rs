//! Crowns of leaves: bunches on clumps about a middle, dark inside.

use std::f32::consts::TAU;

use bevy::math::{Quat, Vec2, Vec3};

use super::geometry::around;
use super::{Corner, Shape, Skin};
use crate::scatter::solids::numbers::{bumps, chance};

const LEAVES: Vec3 = Vec3::new(0.088, 0.128, 0.030);

/// Bunches of leaves on a clump.
const BUNCHES: u32 = 12;

/// A crown of a plant that is one metre high.
#[derive(Clone, Copy, Debug)]
pub struct Crown {
    pub middle: Vec3,
    /// How far the middles of clumps lie from that of the crown, on average.
    pub reach: Vec3,
    pub clumps: u32,
    /// The least radius of a clump.
    pub radius: f32,
    /// Where leaves begin and how deep they are below the top, in metres.
    pub low: f32,
    pub depth: f32,
    /// Distance from the middle at which light comes from all sides.
    pub open: f32,
}

impl Crown {
    /// Centre and radius of a clump.
    pub fn clump(&self, variant: u32, index: u32) -> (Vec3, f32) {
        let salt = 64 * variant + index;
        // Evenly distributed over a sphere, one on top.
        let height = 1.0 - 1.62 * (index as f32 + 0.2 * chance(salt, 33)) / self.clumps as f32;
        let out = around(2.399_963 * index as f32 + 1.3 * variant as f32 + 0.5 * chance(salt, 34));
        let way = Vec3::new(out.x, 0.0, out.y) * (1.0 - height * height).max(0.0).sqrt() + Vec3::Y * height;
        let reach = 0.8 + 0.4 * chance(salt, 35);
        let radius = self.radius * (1.0 + 0.4 * chance(salt, 36));
        let centre = self.middle + way * reach * self.reach;
        (centre.min(Vec3::new(1.0, 0.99 - radius, 1.0)), radius)
    }

    /// All clumps, with leaves.
    pub fn grow(&self, shape: &mut Shape, variant: u32) {
        for index in 0..self.clumps {
            let (centre, radius) = self.clump(variant, index);
            // An opaque core, so that the sky does not show through.
            self.ball(shape, centre, Vec3::splat(0.62 * radius), index as f32, 0.38);
            for bunch in 0..BUNCHES {
                self.leaves(shape, centre, radius, 512 * variant + 16 * index + bunch);
            }
        }
    }

    /// A few balls in place of all clumps.
    pub fn outline(&self, shape: &mut Shape, variant: u32, clumps: impl IntoIterator<Item = u32>) {
        for index in clumps {
            let (centre, radius) = self.clump(variant, index);
            // Larger, to replace the neighbouring clumps too.
            self.ball(shape, centre.lerp(self.middle, 0.25), Vec3::splat(1.45 * radius), index as f32, 0.95);
        }
    }

    /// A ball of foliage with an uneven surface.
    fn ball(&self, shape: &mut Shape, centre: Vec3, radius: Vec3, salt: f32, share: f32) {
        let first = shape.corners.len() as u16;
        let ball = Shape::ball(0);
        for corner in ball.corners {
            let way = corner.position;
            let uneven = 1.0 + 0.20 * bumps(way * 3.1 + salt, salt);
            let position = centre + way * radius * uneven;
            let (normal, color) = self.light(position, way);
            let (color, bend) = (color * share, sway(position));
            // A slanted projection: it has no seam, and among leaves at random its stretching does not show.
            let uv = 0.5 + Vec2::new(0.3 * way.x + 0.2 * way.z, 0.4 * way.y + 0.1 * way.z);
            shape.corner(Corner { position, normal, color, bend, uv, skin: Skin::Crown });
        }
        shape.indices.extend(ball.indices.iter().map(|index| index + first));
    }

    /// A bunch of leaves: a square on the clump, tilted at random.
    fn leaves(&self, shape: &mut Shape, centre: Vec3, radius: f32, salt: u32) {
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
            let (normal, color) = self.light(position, (way + 0.45 * (along * a + other * b)).normalize_or(way));
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

    /// Normal and colour of leaves at a position in the crown, on the side of their clump that faces `way`.
    pub fn light(&self, position: Vec3, way: Vec3) -> (Vec3, Vec3) {
        // The crown is shaded mostly as one ball, and each clump partly as its own.
        let crown = (position - (self.middle - Vec3::Y * 0.12)).normalize_or(Vec3::Y);
        let normal = (0.55 * crown + 0.45 * way + Vec3::Y * 0.15).normalize_or(Vec3::Y);
        let height = ((position.y - self.low) / self.depth).clamp(0.0, 1.0);
        let outer = (crown.dot(way) * 0.5 + 0.5).clamp(0.0, 1.0);
        let open = ((position - self.middle).length() / self.open).clamp(0.0, 1.0);
        let shade = (0.40 + 0.60 * height) * (0.40 + 0.60 * outer) * (0.55 + 0.45 * open);
        (normal, LEAVES * shade * 1.25)
    }
}

fn sway(position: Vec3) -> f32 {
    (position.y.max(0.0) * position.y).min(1.0)
}
