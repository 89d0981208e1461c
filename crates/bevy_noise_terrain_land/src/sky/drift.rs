//! Moves the clouds with the wind.

use bevy::math::DVec2;
use bevy::prelude::*;

use super::{SkyLight, TerrainSky};
use crate::wind::Wind;

/// Repeats along x and z after which either layer of the clouds' pattern is back in place: the second layer is rotated
/// and scaled by 0.31 · (0.8, 0.6), so it has moved by 124 and 93 of its own repeats.
const PERIOD: f64 = 500.0;
/// Speed of the second, broader layer relative to the first: clouds change as they go.
const BROADER: f64 = 0.82;

/// How far the two layers of the clouds' pattern have drifted, in repeats of the first along x and z. Accumulated frame by
/// frame, so that a change of wind does not make the clouds jump.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CloudDrift(pub [DVec2; 2]);

impl CloudDrift {
    /// Adds the drift of `seconds` in this wind, metres per second along x and z at the ground.
    pub fn advance(&mut self, settings: &TerrainSky, wind: DVec2, seconds: f64) {
        let velocity = wind * f64::from(settings.cloud_wind) + settings.cloud_drift.as_dvec2();
        let repeats = velocity * (seconds / (f64::from(settings.cloud_size) * 1_000.0));
        for (drift, share) in self.0.iter_mut().zip([1.0, BROADER]) {
            // Wrapped, to stay precise after days.
            *drift = (*drift + repeats * share).rem_euclid(DVec2::splat(PERIOD));
        }
    }
}

/// Advances the drift by the frame's time.
pub(super) fn advance_clouds(light: Res<SkyLight>, wind: Res<Wind>, time: Res<Time>, mut drift: ResMut<CloudDrift>) {
    drift.advance(&light.settings, wind.mean().as_dvec2(), time.delta_secs_f64());
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
        drift.advance(&settings, DVec2::new(3.0, -4.0), 1e7);
        for drift in drift.0 {
            assert!(drift.cmpge(DVec2::ZERO).all() && drift.cmplt(DVec2::splat(PERIOD)).all(), "{drift:?}");
        }
    }

    #[test]
    fn clouds_go_with_the_wind_and_change_on_their_way() {
        let mut drift = CloudDrift::default();
        let settings = TerrainSky { cloud_size: 1.0, cloud_wind: 2.0, ..default() };
        drift.advance(&settings, DVec2::new(5.0, 0.0), 10.0);
        let [first, second] = drift.0;
        assert!((first - DVec2::new(0.1, 0.0)).length() < 1e-12, "{first}");
        assert!(second.x < first.x && second.x > 0.0, "{second}");
    }
}
