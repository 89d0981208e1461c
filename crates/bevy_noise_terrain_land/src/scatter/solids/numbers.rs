//! Numbers that look random: functions of their arguments.

use bevy::math::Vec3;

/// A pseudo-random number from 0 to 1, a hash of the arguments.
pub fn chance(index: u32, salt: u32) -> f32 {
    let mut n = index.wrapping_mul(0x9E37_79B1) ^ salt.wrapping_mul(0x85EB_CA77);
    n = (n ^ (n >> 15)).wrapping_mul(0x2C1B_3C6D);
    n = (n ^ (n >> 12)).wrapping_mul(0x297A_2D39);
    ((n ^ (n >> 15)) & 0xFFFF) as f32 / 65_535.0
}

/// Smooth bumps in space, about −1 to 1.
pub fn bumps(p: Vec3, salt: f32) -> f32 {
    // The same bits on every machine: colliders are made of them.
    let (sin, cos) = (libm::sinf, libm::cosf);
    let wave = |p: Vec3| sin(p.x + 1.7 * sin(p.y + salt)) * cos(p.y + 1.3 * sin(p.z - salt)) + sin(p.z + p.x);
    0.5 * wave(p)
}
