//! A spruce: drooping tiers of branches around a trunk, each ragged at its rim.

use std::f32::consts::TAU;

use bevy::math::Vec3;

use super::{Corner, Model, Shape, around, chance};

const NEEDLES: Vec3 = Vec3::new(0.026, 0.052, 0.022);
/// Where this year's shoots catch the light.
const SHOOTS: Vec3 = Vec3::new(0.066, 0.108, 0.036);
const BARK: Vec3 = Vec3::new(0.060, 0.042, 0.030);

pub fn model() -> Model {
    Model { near: spruce(9, 9, 5), far: Some(spire(3, 5)) }
}

/// Greatest reach of the branches at a height.
fn outline(height: f32) -> f32 {
    let t = ((height - 0.10) / 0.90).clamp(0.0, 1.0);
    0.205 * (1.0 - t).powf(0.85) * (0.72 + 0.28 * (t * 7.0).min(1.0)) + 0.004
}

/// `tiers` cones with `arms` points at the rim; a trunk of `sides` sides, if any.
fn spruce(tiers: u32, arms: u32, sides: u32) -> Shape {
    let mut shape = Shape::default();
    if sides > 0 {
        trunk(&mut shape, sides);
    }
    for tier in 0..tiers {
        let step = 0.87 / tiers as f32;
        let rim = 0.10 + step * tier as f32;
        // Tiers overlap: each begins well above the next one's rim.
        let peak = (rim + step * (2.1 + 0.25 * chance(tier, 21))).min(1.0);
        let peak = if tier + 1 == tiers { 1.0 } else { peak };
        let age = tier as f32 / tiers as f32;
        let turn = TAU * chance(tier, 22);
        let top = shape.corner(Corner {
            position: Vec3::Y * peak,
            normal: Vec3::Y,
            // Each tier begins in the shade of the one above.
            color: if tier + 1 == tiers { NEEDLES.lerp(SHOOTS, 0.5) } else { NEEDLES * (0.55 + 0.35 * age) },
            bend: peak * peak,
        });
        // Points at the tips of the branches and, between them, notches nearer to the trunk.
        let ring: Vec<[u16; 2]> = (0..2 * arms)
            .map(|point| {
                let is_tip = point % 2 == 0;
                let salt = 100 * tier + point;
                let angle = turn + TAU * (point as f32 + 0.5 * (chance(salt, 23) - 0.5)) / (2 * arms) as f32;
                let out = around(angle);
                let out = Vec3::new(out.x, 0.0, out.y);
                let ragged = 0.76 + 0.44 * chance(salt, 24);
                let reach = outline(rim) * ragged * if is_tip { 1.0 } else { 0.62 };
                let droop = if is_tip { -0.22 * reach } else { 0.16 * reach };
                let position = out * reach + Vec3::Y * (rim + droop + 0.35 * step * (chance(salt, 25) - 0.5));
                // Seen from outside a crown is lit as a cone, not as its needles are.
                let normal = (out + Vec3::Y * if is_tip { 0.75 } else { 0.2 }).normalize();
                let light = if is_tip { 0.55 + 0.45 * chance(salt, 26) } else { 0.0 };
                let color = NEEDLES.lerp(SHOOTS, light) * if is_tip { 1.0 } else { 0.62 };
                let rim_corner = Corner { position, normal, color, bend: rim * rim + 0.1 * reach };
                // The underside is dark.
                let under =
                    Corner { normal: (out * 0.6 - Vec3::Y * 0.8).normalize(), color: NEEDLES * 0.35, ..rim_corner };
                [shape.corner(rim_corner), shape.corner(under)]
            })
            .collect();
        let hollow = Vec3::Y * (rim + 0.55 * step);
        let hollow =
            shape.corner(Corner { position: hollow, normal: -Vec3::Y, color: NEEDLES * 0.22, bend: rim * rim });
        for (index, [rim, under]) in ring.iter().enumerate() {
            let [next, next_under] = ring[(index + 1) % ring.len()];
            shape.triangle(top, next, *rim);
            shape.triangle(hollow, *under, next_under);
        }
    }
    shape
}

/// What is left of a spruce far away: open cones that alternate in the turn of their corners.
fn spire(tiers: u32, sides: u32) -> Shape {
    let mut shape = Shape::default();
    for tier in 0..tiers {
        let step = 0.90 / tiers as f32;
        let rim = 0.10 + step * tier as f32;
        let peak = if tier + 1 == tiers { 1.0 } else { rim + 1.7 * step };
        let top =
            Corner { position: Vec3::Y * peak, normal: Vec3::Y, color: NEEDLES.lerp(SHOOTS, 0.45), bend: peak * peak };
        let top = shape.corner(top);
        let ring: Vec<u16> = (0..sides)
            .map(|side| {
                let turn = TAU * (side as f32 + 0.5 * tier as f32 + 0.3 * chance(7 * tier + side, 27)) / sides as f32;
                let out = around(turn);
                let out = Vec3::new(out.x, 0.0, out.y);
                // As wide as the branches' tips and the gaps between them are on average.
                let position = out * (0.97 * outline(rim)) + Vec3::Y * (rim - 0.02);
                let normal = (out + Vec3::Y * 0.5).normalize();
                shape.corner(Corner { position, normal, color: NEEDLES.lerp(SHOOTS, 0.12), bend: rim * rim })
            })
            .collect();
        for (index, corner) in ring.iter().enumerate() {
            shape.triangle(top, ring[(index + 1) % ring.len()], *corner);
        }
    }
    shape
}

fn trunk(shape: &mut Shape, sides: u32) {
    let ring: Vec<[u16; 2]> = (0..sides)
        .map(|side| {
            let out = around(TAU * side as f32 / sides as f32);
            let out = Vec3::new(out.x, 0.0, out.y);
            let foot = Corner { position: out * 0.020 - Vec3::Y * 0.06, normal: out, color: BARK * 0.8, bend: 0.0 };
            let head = Corner { position: out * 0.012 + Vec3::Y * 0.25, color: BARK, bend: 0.06, ..foot };
            [shape.corner(foot), shape.corner(head)]
        })
        .collect();
    for (index, [foot, head]) in ring.iter().enumerate() {
        let [next_foot, next_head] = ring[(index + 1) % ring.len()];
        shape.triangle(*foot, *head, next_head);
        shape.triangle(*foot, next_head, next_foot);
    }
}
