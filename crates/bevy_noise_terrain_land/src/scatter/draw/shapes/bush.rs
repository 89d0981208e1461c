//! A bush: a crown that begins at the ground, and a simpler version for the distance.

use bevy::math::Vec3;

use super::crown::Crown;
use super::{Model, Shape};

const VARIANTS: u32 = 4;
const CROWN: Crown = Crown {
    middle: Vec3::new(0.0, 0.38, 0.0),
    reach: Vec3::new(0.42, 0.30, 0.42),
    clumps: 8,
    radius: 0.2,
    low: 0.0,
    depth: 0.95,
    open: 0.55,
};

pub fn model() -> Model {
    Model { near: (0..VARIANTS).map(near).collect(), far: (0..VARIANTS).map(far).collect() }
}

fn near(variant: u32) -> Shape {
    let mut shape = Shape::default();
    CROWN.grow(&mut shape, variant);
    shape
}

fn far(variant: u32) -> Shape {
    let mut shape = Shape::default();
    CROWN.outline(&mut shape, variant, [0, 2, 3, 4]);
    shape
}
