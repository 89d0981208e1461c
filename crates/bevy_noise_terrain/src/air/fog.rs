//! How thick the fog of a camera is.

use bevy::math::Vec3;
use bevy::pbr::FogFalloff;

use super::Air;
use super::scatter::{HAZE_HEIGHT, OPAQUE, tint};

/// Optical depth at which nothing is left to see: 2 % of the contrast.
const HIDDEN: f32 = 3.9;

/// The fog for an eye `altitude` metres above the land, over land that ends `edge` metres away.
///
/// Fog is even, air is not: an eye high above looks down through thinner air. So fog thins out as the mean of the
/// haze beneath the eye does, but never so far that the end of the land shows, if the settings ask for that.
pub fn falloff(air: &Air, altitude: f32, edge: Option<f32>) -> FogFalloff {
    let beneath = altitude.max(1.0) / HAZE_HEIGHT;
    let thinning = (1.0 - (-beneath).exp()) / beneath;
    let tint = tint(air.visibility).min(Vec3::splat(1.7));
    let mut density = OPAQUE / air.visibility * thinning;
    if let Some(edge) = edge.filter(|_| air.hide_edge) {
        density = density.max(HIDDEN / (edge * tint.min_element()));
    }
    FogFalloff::Atmospheric { extinction: tint * density, inscattering: tint * density }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::prelude::default;

    fn extinction(air: &Air, altitude: f32, edge: Option<f32>) -> Vec3 {
        match falloff(air, altitude, edge) {
            FogFalloff::Atmospheric { extinction, .. } => extinction,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_edge_of_the_land_is_hidden_from_any_height() {
        let air = Air { visibility: 200_000.0, ..default() };
        for altitude in [2.0, 500.0, 5_000.0] {
            let left = (-extinction(&air, altitude, Some(30_000.0)) * 30_000.0).max_element().exp();
            assert!(left <= 0.021, "{left}");
        }
        let shown = extinction(&Air { hide_edge: false, ..air }, 2.0, Some(30_000.0));
        assert!((-shown.x * 30_000.0).exp() > 0.5);
    }

    #[test]
    fn a_dark_ridge_vanishes_at_the_visibility() {
        let air = Air { visibility: 20_000.0, ..default() };
        let left = (-extinction(&air, 2.0, None).y * 20_000.0).exp();
        assert!((left - 0.05).abs() < 0.002, "{left}");
        assert!(extinction(&air, 5_000.0, None).y < 0.4 * extinction(&air, 2.0, None).y);
    }
}
