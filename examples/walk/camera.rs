//! A camera behind the person, turned by the mouse, which never goes below the ground or the water.

use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::prelude::*;
use bevy::window::{CursorGrabMode, CursorOptions, PrimaryWindow};
use bevy_noise_terrain::prelude::*;

use crate::person::Person;

/// Follows the person.
#[derive(Component)]
#[require(Transform)]
pub struct Follow {
    /// Angles in radians: to the left, and up.
    pub yaw: f32,
    pub pitch: f32,
}

impl Default for Follow {
    fn default() -> Self {
        Self { yaw: 0.0, pitch: -0.25 }
    }
}

/// Metres behind the person, and above the ground.
const BEHIND: f32 = 4.5;
const CLEARANCE: f32 = 0.5;
/// Radians for a pixel of the mouse.
const TURN: f32 = 0.003;

/// A click hides the pointer and turns the camera; Escape gives it back.
pub fn grab_pointer(
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    mut pointer: Single<&mut CursorOptions, With<PrimaryWindow>>,
) {
    if buttons.just_pressed(MouseButton::Left) {
        (pointer.grab_mode, pointer.visible) = (CursorGrabMode::Locked, false);
    }
    if keys.just_pressed(KeyCode::Escape) {
        (pointer.grab_mode, pointer.visible) = (CursorGrabMode::None, true);
    }
}

pub fn look_around(
    motion: Res<AccumulatedMouseMotion>,
    pointer: Single<&CursorOptions, With<PrimaryWindow>>,
    mut cameras: Query<&mut Follow>,
) {
    if pointer.grab_mode == CursorGrabMode::None || motion.delta == Vec2::ZERO {
        return;
    }
    for mut camera in &mut cameras {
        camera.yaw -= TURN * motion.delta.x;
        camera.pitch = (camera.pitch - TURN * motion.delta.y).clamp(-1.3, 0.6);
    }
}

pub fn follow(
    terrain: TerrainQuery,
    water: Query<&TerrainWater>,
    person: Single<&Transform, With<Person>>,
    mut cameras: Query<(&Follow, &mut Transform), Without<Person>>,
) {
    let level = water.iter().map(|water| water.level + 0.5 * water.wave_height).fold(f32::NEG_INFINITY, f32::max);
    let head = person.translation + 0.7 * Vec3::Y;
    for (camera, mut transform) in &mut cameras {
        let rotation = Quat::from_euler(EulerRot::YXZ, camera.yaw, camera.pitch, 0.0);
        let mut eye = head + rotation * Vec3::Z * BEHIND;
        if let Some(surface) = terrain.surface() {
            let ground = surface.height(f64::from(eye.x), f64::from(eye.z)) as f32;
            eye.y = eye.y.max(ground.max(level) + CLEARANCE);
        }
        *transform = Transform::from_translation(eye).looking_at(head, Vec3::Y);
    }
}

/// Stays behind whoever walks alone.
pub fn stay_behind(time: Res<Time>, person: Single<&Person>, mut cameras: Query<&mut Follow>) {
    for mut camera in &mut cameras {
        if person.wish == Vec2::ZERO {
            continue;
        }
        let behind = (-person.wish.x).atan2(-person.wish.y);
        let turn =
            (behind - camera.yaw + core::f32::consts::PI).rem_euclid(core::f32::consts::TAU) - core::f32::consts::PI;
        camera.yaw += turn * (2.0 * time.delta_secs()).min(1.0);
    }
}
