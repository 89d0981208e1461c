//! A spruce: whorls of drooping branches around a trunk, dark inside, and its simpler versions for the distance.

use std::f32::consts::TAU;

use bevy::math::{Quat, Vec2, Vec3};

use super::geometry::{around, trunk};
use super::{Corner, Model, Shape, Skin};
use crate::scatter::solids::numbers::chance;

const NEEDLES: Vec3 = Vec3::new(0.034, 0.062, 0.028);
/// Colour of this year's shoots.
const SHOOTS: Vec3 = Vec3::new(0.078, 0.118, 0.044);
const BARK: Vec3 = Vec3::new(0.060, 0.042, 0.030);

const VARIANTS: u32 = 4;
const WHORLS: u32 = 16;

pub fn model() -> Model {
    Model { near: (0..VARIANTS).map(spruce).collect(), far: (0..VARIANTS).map(|v| spire(v, 4, 6)).collect() }
}

/// The model for the far band.
pub fn distant() -> Model {
    Model { near: (0..VARIANTS).map(|v| spire(v, 1, 4)).collect(), far: Vec::new() }
}

/// Greatest reach of the branches at a height.
fn outline(variant: u32, height: f32) -> f32 {
    let t = ((height - 0.07) / 0.93).clamp(0.0, 1.0);
    let slender = 0.19 + 0.06 * chance(variant, 20);
    slender * (1.0 - t).powf(0.85) * (0.70 + 0.30 * (t * 7.0).min(1.0)) + 0.006
}

fn spruce(variant: u32) -> Shape {
    let mut shape = Shape::default();
    trunk(&mut shape, 6, BARK, &[(-0.06, 0.022), (0.25, 0.014), (0.92, 0.003)], 0.0);
    // An opaque core, so that the sky does not show through.
    cones(&mut shape, variant, 4, 6, 0.46, |_, _| NEEDLES * 0.30);
    for whorl in 0..WHORLS {
        let age = whorl as f32 / WHORLS as f32;
        let height = 0.07 + 0.90 * age.powf(0.92);
        let arms = 7 - whorl / 5;
        for arm in 0..arms {
            let salt = 1_000 * variant + 16 * whorl + arm;
            let turn = TAU * (arm as f32 + 0.6 * chance(salt, 22) + 0.5 * whorl as f32) / arms as f32;
            branch(&mut shape, variant, (height + 0.035 * (chance(salt, 23) - 0.5)).min(0.965), turn, salt);
        }
    }
    shape
}

/// One branch: a strip that rises a little, droops, and is rolled about its axis.
fn branch(shape: &mut Shape, variant: u32, height: f32, turn: f32, salt: u32) {
    let out = around(turn);
    let out = Vec3::new(out.x, 0.0, out.y);
    let reach = outline(variant, height) * (0.88 + 0.36 * chance(salt, 24));
    let roll = Quat::from_axis_angle(out, 1.7 * (chance(salt, 25) - 0.5));
    let across = roll * Vec3::new(-out.z, 0.0, out.x);
    let width = (0.46 * reach + 0.020) * (0.9 + 0.4 * chance(salt, 26));
    // Upper branches rise, lower ones hang.
    let lift = (0.45 * height - 0.10) * reach;
    let droop = (0.62 - 0.35 * height) * reach;
    let light = 0.75 + 0.5 * chance(salt, 27);
    let row = |t: f32| {
        let middle = Vec3::Y * (height + lift * t - droop * t * t) + out * (reach * t);
        [-1.0, 1.0].map(|side: f32| {
            let wide = width * (0.45 + 0.75 * t - 0.55 * t * t);
            let position = middle + across * (side * wide) - Vec3::Y * (0.25 * wide);
            // Lit mostly as the crown, and each branch partly as its own.
            let normal = (out + across * (0.35 * side) + Vec3::Y * (0.35 + 0.35 * t)).normalize_or(Vec3::Y);
            let color = NEEDLES.lerp(SHOOTS, t * t) * (0.38 + 0.62 * t) * (0.75 + 0.25 * height) * light;
            let bend = (height * height + 0.12 * t * reach).min(1.0);
            let uv = Vec2::new(t, 0.5 + 0.5 * side);
            Corner { position, normal, color, bend, uv, skin: Skin::Needles }
        })
    };
    let mut below = row(0.0).map(|corner| shape.corner(corner));
    for t in [0.5, 1.0] {
        let above = row(t).map(|corner| shape.corner(corner));
        shape.triangle(below[0], below[1], above[1]);
        shape.triangle(below[0], above[1], above[0]);
        below = above;
    }
}

/// A spruce for the distance: stacked cones.
fn spire(variant: u32, tiers: u32, sides: u32) -> Shape {
    let mut shape = Shape::default();
    cones(&mut shape, variant, tiers, sides, 0.92, |is_peak, height| {
        // Peaks lie in the shade of the tier above.
        let (young, open) = if is_peak { (0.10, if height < 1.0 { 0.55 } else { 1.0 }) } else { (0.30, 1.0) };
        NEEDLES.lerp(SHOOTS, young) * open * (0.60 + 0.30 * height)
    });
    shape
}

/// Open cones as wide as a fraction of the outline, rotated against each other. `color` takes whether the corner is a
/// peak, and the height.
fn cones(shape: &mut Shape, variant: u32, tiers: u32, sides: u32, share: f32, color: impl Fn(bool, f32) -> Vec3) {
    let step = 0.90 / tiers as f32;
    for tier in 0..tiers {
        let rim = 0.09 + step * tier as f32;
        let height = if tier + 1 == tiers { 1.0 } else { rim + 1.75 * step };
        let peak = Vec3::Y * (height - 0.05 * (1.0 - share));
        let top = Corner {
            position: peak,
            normal: Vec3::Y,
            color: color(true, height),
            bend: (peak.y * peak.y).min(1.0),
            uv: Vec2::new(0.5, 0.0),
            skin: Skin::Boughs,
        };
        let top = shape.corner(top);
        let ring: Vec<u16> = (0..sides)
            .map(|side| {
                let salt = 31 * variant + 7 * tier + side;
                let out = around(TAU * (side as f32 + 0.5 * tier as f32 + 0.5 * chance(salt, 28)) / sides as f32);
                let out = Vec3::new(out.x, 0.0, out.y);
                let ragged = 0.86 + 0.32 * chance(salt, 29);
                let position = out * (share * ragged * outline(variant, rim))
                    + Vec3::Y * (rim + 0.35 * step * (chance(salt, 30) - 0.6));
                let normal = (out + Vec3::Y * 0.45).normalize_or(Vec3::Y);
                shape.corner(Corner {
                    position,
                    normal,
                    color: color(false, rim),
                    bend: rim * rim,
                    // There and back, so that it meets itself.
                    uv: Vec2::new((2.0 * side as f32 / sides as f32 - 1.0).abs(), 1.0),
                    skin: Skin::Boughs,
                })
            })
            .collect();
        for (index, corner) in ring.iter().enumerate() {
            shape.triangle(top, ring[(index + 1) % ring.len()], *corner);
        }
    }
}
