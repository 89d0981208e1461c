//! A tuft of grass: blades that taper and bend over, a third as wide at the foot as between them.

use bevy::math::Vec3;

use super::{Corner, Model, Shape, around, chance};

/// Linear colours from the foot to the tip: the foot has the ground's, so that blades grow out of it.
const FOOT: Vec3 = Vec3::new(0.040, 0.062, 0.016);
const TIP: Vec3 = Vec3::new(0.108, 0.142, 0.040);
/// What has withered.
const DRY: Vec3 = Vec3::new(0.165, 0.145, 0.065);

pub fn model() -> Model {
    Model { near: tuft(7, 2, 0.034), far: Some(tuft(4, 1, 0.07)) }
}

/// `blades` blades of `parts` joints each, as wide as `width` of their height at the foot.
fn tuft(blades: u32, parts: u32, width: f32) -> Shape {
    let mut shape = Shape::default();
    for blade in 0..blades {
        // The far tuft's blades are the first of the near one's.
        let turn = blade as f32 * 2.399_963 + 0.6 * chance(blade, 1);
        let out = around(turn);
        let out = Vec3::new(out.x, 0.0, out.y);
        let across = Vec3::new(-out.z, 0.0, out.x);
        let foot = out * (0.05 + 0.17 * chance(blade, 2));
        let height = 0.55 + 0.45 * chance(blade, 3);
        let lean = 0.15 + 0.45 * chance(blade, 4);
        let dry = 0.55 * chance(blade, 5).powi(3);
        let at = |t: f32| foot + height * (Vec3::Y * (t - 0.18 * lean * t * t) + out * (lean * t * t));
        let corner = |t: f32, side: f32| {
            let taper = 1.0 - 0.85 * t * t;
            // Rounded across, as a fold along the blade would shade.
            let normal = (Vec3::Y + out * (0.8 - lean) + across * (0.7 * side)).normalize();
            let color = FOOT.lerp(TIP.lerp(DRY, dry), t);
            Corner { position: at(t) + across * (side * width * taper), normal, color, bend: t * t }
        };
        let mut below = [corner(0.0, -1.0), corner(0.0, 1.0)].map(|corner| shape.corner(corner));
        for part in 1..parts {
            let t = part as f32 / parts as f32;
            let above = [corner(t, -1.0), corner(t, 1.0)].map(|corner| shape.corner(corner));
            shape.triangle(below[0], below[1], above[1]);
            shape.triangle(below[0], above[1], above[0]);
            below = above;
        }
        let tip = Corner { position: at(1.0), ..corner(1.0, 0.0) };
        let tip = shape.corner(tip);
        shape.triangle(below[0], below[1], tip);
    }
    shape
}
