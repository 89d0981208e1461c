//! Who drives: keys, or nobody at all.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain_avian::TileObject;

use crate::car::Car;

/// Metres a second that the car keeps by itself.
const CRUISE: f32 = 16.0;
/// Metres ahead that it looks by itself.
pub const SIGHT: f32 = 30.0;
/// Metres between the middle of the car and what it passes, beside the width of that.
const PASSING: f32 = 1.8;

/// W, A, S, D or the arrows, the space bar and R.
pub fn read_keys(
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    terrain: TerrainQuery,
    mut cars: Query<(&mut Car, &mut Transform, &mut LinearVelocity, &mut AngularVelocity)>,
) {
    let axis = |more: [KeyCode; 2], less: [KeyCode; 2]| {
        f32::from(i8::from(keys.any_pressed(more)) - i8::from(keys.any_pressed(less)))
    };
    for (mut car, mut transform, mut velocity, mut spin) in &mut cars {
        car.throttle = axis([KeyCode::KeyW, KeyCode::ArrowUp], [KeyCode::KeyS, KeyCode::ArrowDown]);
        car.brake = f32::from(u8::from(keys.pressed(KeyCode::Space)));
        // The wheel takes a moment to turn, and turns less at speed.
        let wanted = axis([KeyCode::KeyA, KeyCode::ArrowLeft], [KeyCode::KeyD, KeyCode::ArrowRight]);
        let wanted = wanted / (1.0 + 0.06 * velocity.length());
        car.steering += (wanted - car.steering) * (8.0 * time.delta_secs()).min(1.0);
        if keys.just_pressed(KeyCode::KeyR)
            && let Some(surface) = terrain.surface()
        {
            let [x, z] = [transform.translation.x, transform.translation.z];
            let heading = Quat::from_rotation_y(transform.rotation.to_euler(EulerRot::YXZ).0);
            let ground = surface.height(f64::from(x), f64::from(z)) as f32;
            *transform = Transform::from_xyz(x, ground + 2.0, z).with_rotation(heading);
            (velocity.0, spin.0) = (Vec3::ZERO, Vec3::ZERO);
        }
    }
}

/// Keeps its speed, in wide curves around what stands in its way.
pub fn cruise(
    time: Res<Time>,
    mut cars: Query<(&mut Car, &LinearVelocity, &Position, &Rotation)>,
    obstacles: Query<&GlobalTransform, With<TileObject>>,
) {
    for (mut car, velocity, position, rotation) in &mut cars {
        let mut speed = CRUISE;
        let mut steering = 0.12 * (time.elapsed_secs() * 0.35).sin();
        let mut nearest = SIGHT;
        for obstacle in &obstacles {
            let local = rotation.inverse() * (obstacle.translation() - position.0);
            let (ahead, aside) = (-local.z, local.x);
            // Rocks are about as wide as they are high.
            let clear = PASSING + 0.7 * obstacle.scale().x.min(3.0);
            if (0.0..nearest).contains(&ahead) && aside.abs() < clear {
                nearest = ahead;
                steering = 0.9_f32.copysign(aside) * (1.0 - 0.6 * ahead / SIGHT);
                speed = CRUISE * (ahead / SIGHT).max(0.3);
            }
        }
        car.throttle = ((speed - velocity.length()) / 4.0).clamp(-0.5, 1.0);
        car.brake = f32::from(u8::from(velocity.length() > speed + 4.0));
        car.steering += (steering - car.steering) * (6.0 * time.delta_secs()).min(1.0);
    }
}
