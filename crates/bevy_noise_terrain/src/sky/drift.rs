//! Moves the clouds with the wind.

use bevy::math::DVec2;
use bevy::prelude::*;

use super::{SkyLight, TerrainSky};

/// Repeats along x and z after which both layers of the clouds' pattern are back in place: the second layer is rotated
/// and scaled by 0.31 · (0.8, 0.6), so it has moved by 124 and 93 of its own repeats.
const PERIOD: f64 = 500.0;

/// How far the clouds have drifted, in repeats of their pattern along x and z. Accumulated frame by frame, so that a
/// change of wind does not make the clouds jump.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CloudDrift(pub DVec2);

impl CloudDrift {
    /// Adds the drift of `seconds`.
    pub fn advance(&mut self, settings: &TerrainSky, seconds: f64) {
        let repeats = seconds / (f64::from(settings.cloud_size) * 1_000.0);
        let drift = self.0 + settings.cloud_drift.as_dvec2() * repeats;
        // Wrapped, to stay precise after days.
        self.0 = drift.rem_euclid(DVec2::splat(PERIOD));
    }
}

/// Advances the drift by the frame's time.
pub(super) fn advance_clouds(light: Res<SkyLight>, time: Res<Time>, mut drift: ResMut<CloudDrift>) {
    drift.advance(&light.settings, time.delta_secs_f64());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pattern_closes_after_a_period() {
        for share in [0.31 * 0.8, 0.31 * 0.6] {
            let repeats = share * PERIOD;
            assert!((repeats - f64::round(repeats)).abs() < 1e-9, "{repeats}");
        }
        let mut drift = CloudDrift::default();
        let settings = TerrainSky { cloud_drift: Vec2::new(-200.0, 200.0), cloud_size: 1.0, ..default() };
        drift.advance(&settings, 1e7);
        assert!(drift.0.cmpge(DVec2::ZERO).all() && drift.0.cmplt(DVec2::splat(PERIOD)).all(), "{drift:?}");
    }
}
