//! A path over the land: winding, and always above it.

use bevy::math::DVec2;
use bevy::prelude::*;
use bevy_noise_terrain::Surface;

/// A scripted flight.
pub struct Flight {
    /// Metres a second.
    pub speed: f64,
    /// Where it begins, in absolute metres.
    pub start: DVec2,
    /// Metres above the highest ground nearby.
    pub clearance: f64,
    /// Height of the sea, if there is one, which counts as ground.
    pub sea: f64,
    /// Where to look, level, in degrees clockwise from −z; ahead without it.
    pub heading: Option<f32>,
}

impl Flight {
    /// The place on the plane after `seconds`: eastward in wide bends.
    pub fn place(&self, seconds: f64) -> DVec2 {
        let way = self.speed * seconds;
        self.start + DVec2::new(way, 900.0 * (way / 2_600.0).sin() - 0.35 * way)
    }

    /// Absolute height: over the highest ground of the next and last seconds, smoothed along the way.
    fn height(&self, seconds: f64, surface: &Surface) -> f64 {
        let ground = |time: f64| {
            let place = self.place(time);
            surface.height(place.x, place.y).max(self.sea)
        };
        let highest =
            |time: f64| (-3..=5).map(|step| ground(time + 0.4 * f64::from(step))).fold(f64::NEG_INFINITY, f64::max);
        (-4..=4).map(|step| highest(seconds + 0.3 * f64::from(step))).sum::<f64>() / 9.0 + self.clearance
    }

    /// Where the camera is after `seconds` and where it looks, relative to `origin`.
    pub fn pose(&self, seconds: f64, surface: &Surface, origin: DVec2) -> Transform {
        let at = |time: f64| {
            let place = self.place(time) - origin;
            Vec3::new(place.x as f32, self.height(time, surface) as f32, place.y as f32)
        };
        let eye = at(seconds);
        if let Some(heading) = self.heading {
            let turn = Quat::from_rotation_y(-heading.to_radians());
            return Transform::from_translation(eye).with_rotation(turn);
        }
        // Standing still, it looks along the way it would take.
        let along = Self { speed: self.speed.max(50.0), ..*self };
        let ahead = along.place(seconds + 4.0) - along.place(seconds);
        let slope = (at(seconds + 4.0).y - eye.y).clamp(-120.0, 120.0) - 55.0;
        let direction = Vec3::new(ahead.x as f32, 0.0, ahead.y as f32).normalize() * 400.0 + Vec3::Y * slope;
        Transform::from_translation(eye).looking_to(direction, Vec3::Y)
    }
}
