//! A camera that follows the car, and never goes below the ground.

use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;

use crate::car::Car;

/// Follows the car.
#[derive(Component, Default)]
#[require(Transform)]
pub struct Chase {
    /// Where it looks at; it follows later than the car moves.
    target: Option<Vec3>,
}

/// Metres behind and above the car, and above the ground.
const BEHIND: f32 = 8.5;
const ABOVE: f32 = 3.2;
const CLEARANCE: f32 = 1.2;

pub fn follow(
    time: Res<Time>,
    terrain: TerrainQuery,
    car: Single<&Transform, With<Car>>,
    mut cameras: Query<(&mut Chase, &mut Transform), Without<Car>>,
) {
    for (mut chase, mut transform) in &mut cameras {
        let is_first = chase.target.is_none();
        let share = if is_first { 1.0 } else { 1.0 - (-6.0 * time.delta_secs()).exp() };
        let old = chase.target.unwrap_or(car.translation);
        let target = old.lerp(car.translation, (2.5 * share).min(1.0));
        chase.target = Some(target);
        let back = (car.rotation * Vec3::Z).with_y(0.0).normalize_or(Vec3::Z);
        let wanted = car.translation + BEHIND * back + ABOVE * Vec3::Y;
        let mut eye = if is_first { wanted } else { transform.translation.lerp(wanted, share) };
        if let Some(surface) = terrain.surface() {
            let ground = surface.height(f64::from(eye.x), f64::from(eye.z)) as f32;
            eye.y = eye.y.max(ground + CLEARANCE);
        }
        *transform = Transform::from_translation(eye).looking_at(target + Vec3::Y, Vec3::Y);
    }
}
