//! The direction of the sun.

use bevy::math::Vec3;

use super::TerrainSky;

/// The unit vector towards the sun, in world space: +y is up; with [`TerrainSky::north`] at 0, −z is north and +x east.
///
/// The usual conversion from hour angle and declination to horizontal coordinates.
pub fn sun_direction(settings: &TerrainSky) -> Vec3 {
    let hour_angle = f64::from(settings.time - 12.0) * 15f64.to_radians();
    let (latitude, declination) =
        (f64::from(settings.latitude).to_radians(), f64::from(settings.declination).to_radians());
    let (sin_hour, cos_hour) = hour_angle.sin_cos();
    let east = -declination.cos() * sin_hour;
    let north = declination.sin() * latitude.cos() - declination.cos() * latitude.sin() * cos_hour;
    let up = declination.sin() * latitude.sin() + declination.cos() * latitude.cos() * cos_hour;
    let (sin_turn, cos_turn) = f64::from(settings.north).to_radians().sin_cos();
    let (x, z) = (east * cos_turn + north * sin_turn, east * sin_turn - north * cos_turn);
    Vec3::new(x as f32, up as f32, z as f32).normalize_or(Vec3::Y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::prelude::default;

    fn at(time: f32) -> Vec3 {
        sun_direction(&TerrainSky { time, latitude: 45.0, declination: 0.0, ..default() })
    }

    #[test]
    fn the_sun_rises_in_the_east_and_culminates_in_the_south() {
        assert!(at(6.0).abs_diff_eq(Vec3::X, 1e-6), "{}", at(6.0));
        assert!(at(12.0).abs_diff_eq(Vec3::new(0.0, 1.0, 1.0).normalize(), 1e-6), "{}", at(12.0));
        assert!(at(18.0).abs_diff_eq(-Vec3::X, 1e-6), "{}", at(18.0));
        assert!(at(0.0).y < -0.7);
    }

    #[test]
    fn north_turns_the_sky() {
        let turned = sun_direction(&TerrainSky { time: 6.0, declination: 0.0, north: 90.0, ..default() });
        // North lies along +x, so east along +z.
        assert!(turned.abs_diff_eq(Vec3::Z, 1e-6), "{turned}");
    }

    #[test]
    fn on_the_southern_half_the_noon_sun_stands_north() {
        let noon = sun_direction(&TerrainSky { time: 12.0, latitude: -35.0, declination: 0.0, ..default() });
        assert!(noon.z < -0.5);
    }
}
