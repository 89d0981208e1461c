//! A boulder: a cube cut by planes, as joints split rock, with weathered edges.

use bevy::math::Vec3;

use super::numbers::{bumps, chance};
use super::polyhedron::{Face, Polyhedron};

/// Boulders that differ.
pub const VARIANTS: u32 = 6;
/// Number of planes that cut a boulder.
pub const CUTS: u32 = 9;
/// Step through the spiral of cuts, so that the first few already surround the boulder; coprime to [`CUTS`].
const STRIDE: u32 = 4;

/// A boulder one metre high, a third of it below its foot.
pub struct Boulder {
    body: Polyhedron,
    variant: u32,
    /// Stretches the body into slabs and blocks.
    spread: Vec3,
    foot: f32,
    scale: f32,
}

impl Boulder {
    /// A variant with this many cuts, at most [`CUTS`], and with or without bevelled edges.
    pub fn new(variant: u32, cuts: u32, is_worn: bool) -> Self {
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
                let skew =
                    Vec3::new(random(index as u32, 16), random(index as u32, 17), random(index as u32, 18)) - 0.5;
                body.cut((normal + 0.25 * skew).normalize_or(normal), depth);
            }
        }
        let spread = Vec3::new(0.80 + 0.2 * random(1, 19), 0.70 + 0.3 * random(2, 19), 0.75 + 0.2 * random(3, 19));
        let points = || body.faces.iter().flat_map(|face| &face.points).map(|&point| point * spread);
        let (low, high) = points()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), point| (low.min(point.y), high.max(point.y)));
        let foot = low + 0.33 * (high - low);
        let widest = points().map(|point| point.with_y(0.0).length()).fold(0.0, f32::max);
        let scale = 1.0 / (high - foot).max(0.7 * widest);
        Self { body, variant, spread, foot, scale }
    }

    /// Its faces, before it is stretched.
    pub fn faces(&self) -> &[Face] {
        &self.body.faces
    }

    /// The normal of a face after it is stretched.
    #[cfg(feature = "scatter")]
    pub fn normal(&self, face: &Face) -> Vec3 {
        (face.normal / self.spread).normalize_or(Vec3::Y)
    }

    /// Where a corner of a face is after it is stretched, a little uneven, with the foot at y = 0.
    pub fn place(&self, point: Vec3) -> Vec3 {
        let uneven = 1.0 + 0.035 * bumps(point * 4.3, self.variant as f32);
        (point * uneven * self.spread - Vec3::Y * self.foot) * self.scale
    }
}

/// Evenly distributed directions except straight down: a rotated Fibonacci sphere.
fn on_spiral(index: u32, turn: f32) -> Vec3 {
    const GOLDEN: f32 = 0.618_034;
    let up = 1.0 - 1.7 * (index as f32 + 0.5) / CUTS as f32;
    let angle = (index as f32 * GOLDEN + turn) * std::f32::consts::TAU;
    let flat = (1.0 - up * up).sqrt();
    Vec3::new(flat * libm::cosf(angle), up, flat * libm::sinf(angle))
}
