//! A round-crowned tree: a crown on a trunk, and its simpler versions for the distance.

use std::f32::consts::TAU;

use bevy::math::Vec3;

use super::crown::Crown;
use super::geometry::{around, trunk};
use super::{Corner, Model, Shape, Skin};
use crate::scatter::solids::numbers::chance;

const BARK: Vec3 = Vec3::new(0.075, 0.058, 0.042);

const VARIANTS: u32 = 4;
const CROWN: Crown = Crown {
    middle: Vec3::new(0.0, 0.63, 0.0),
    reach: Vec3::new(0.25, 0.215, 0.25),
    clumps: 10,
    radius: 0.125,
    low: 0.32,
    depth: 0.65,
    open: 0.34,
};

pub fn model() -> Model {
    Model { near: (0..VARIANTS).map(near).collect(), far: (0..VARIANTS).map(far).collect() }
}

/// The model for the far band.
pub fn distant() -> Model {
    Model { near: (0..VARIANTS).map(double_pyramid).collect(), far: Vec::new() }
}

fn near(variant: u32) -> Shape {
    let mut shape = Shape::default();
    trunk(&mut shape, 6, BARK, &[(-0.05, 0.034), (0.10, 0.024), (0.34, 0.020), (0.58, 0.010)], 0.03);
    CROWN.grow(&mut shape, variant);
    shape
}

fn far(variant: u32) -> Shape {
    let mut shape = Shape::default();
    trunk(&mut shape, 3, BARK, &[(-0.05, 0.030), (0.52, 0.016)], 0.0);
    CROWN.outline(&mut shape, variant, [0, 3, 4, 8]);
    shape
}

/// Two four-sided pyramids, base to base.
fn double_pyramid(variant: u32) -> Shape {
    let mut shape = Shape::default();
    let corner = |way: Vec3, reach: f32| {
        let position = CROWN.middle + way * reach * Vec3::new(0.40, 0.36, 0.40);
        let (normal, color) = CROWN.light(position, way);
        Corner { position, normal, color: color * 0.95, skin: Skin::Foliage, ..Corner::default() }
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
