//! A tuft of grass: tapering blades that bend over.

use bevy::math::Vec3;

use super::geometry::around;
use super::{Corner, Model, Shape, Skin};
use crate::scatter::solids::numbers::chance;

/// Linear colour at the foot: similar to the ground's, so that blades blend into it.
const FOOT: Vec3 = Vec3::new(0.040, 0.062, 0.016);
const TIP: Vec3 = Vec3::new(0.118, 0.150, 0.042);
/// Colour of withered tips.
const DRY: Vec3 = Vec3::new(0.185, 0.160, 0.075);

const VARIANTS: u32 = 3;

pub fn model() -> Model {
    Model {
        near: (0..VARIANTS).map(|variant| tuft(variant, 14, 2, 0.036)).collect(),
        far: (0..VARIANTS).map(|variant| tuft(variant, 6, 1, 0.085)).collect(),
    }
}

/// `blades` blades of `parts` segments each; `width` is half the width of a blade at the foot, in metres.
fn tuft(variant: u32, blades: u32, parts: u32, width: f32) -> Shape {
    let mut shape = Shape::default();
    for blade in 0..blades {
        // The far tuft has the first blades of the near one.
        let salt = 32 * variant + blade;
        let turn = blade as f32 * 2.399_963 + 0.9 * chance(salt, 1);
        let out = around(turn);
        let out = Vec3::new(out.x, 0.0, out.y);
        let across = Vec3::new(-out.z, 0.0, out.x);
        let foot = out * (0.04 + 0.62 * chance(salt, 2).powf(0.7));
        let height = if blade == 0 { 1.0 } else { 0.45 + 0.55 * chance(salt, 3) };
        let lean = 0.15 + 0.55 * chance(salt, 4);
        let dry = 0.6 * chance(salt, 5).powi(3);
        let at = |t: f32| foot + height * (Vec3::Y * (t - 0.18 * lean * t * t) + out * (lean * t * t));
        let corner = |t: f32, side: f32| {
            let taper = 1.0 - 0.80 * t * t;
            // Rounded across, to shade like a blade with a fold.
            let normal = (Vec3::Y + out * (0.8 - lean) + across * (0.7 * side)).normalize();
            let color = FOOT.lerp(TIP.lerp(DRY, dry), t);
            let position = at(t) + across * (side * width * taper);
            Corner { position, normal, color, bend: t * t, skin: Skin::Foliage, ..Corner::default() }
        };
        let mut below = [corner(0.0, -1.0), corner(0.0, 1.0)].map(|corner| shape.corner(corner));
        for part in 1..parts {
            let t = part as f32 / parts as f32;
            let above = [corner(t, -1.0), corner(t, 1.0)].map(|corner| shape.corner(corner));
            shape.triangle(below[0], below[1], above[1]);
            shape.triangle(below[0], above[1], above[0]);
            below = above;
        }
        let tip = shape.corner(Corner { position: at(1.0), ..corner(1.0, 0.0) });
        shape.triangle(below[0], below[1], tip);
    }
    shape
}
