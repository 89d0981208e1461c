//! One hole of the land.

use bevy::math::DVec3;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::settings::{self, Settings, SettingsError, settings};

/// The greatest number of corners.
const MOST_CORNERS: usize = 64;
/// How far the corners of one hole may lie apart along x or z, in metres.
const MOST_WIDTH: f64 = 20_000.0;

settings! {
    /// An area of the land that is not there.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy::math::DVec3;
    /// # use bevy_noise_terrain::edits::Hole;
    /// let shaft = Hole::disc(DVec3::new(100.0, 0.0, -20.0), 3.0);
    /// let hatch = Hole::rectangle(DVec3::new(40.0, 0.0, 8.0), [2.0, 1.5], 0.4);
    /// let triangle = [[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]].map(|[x, z]| DVec3::new(x, 0.0, z));
    /// let yard = Hole::polygon(triangle);
    /// # assert!([shaft, hatch, yard].iter().all(|hole| hole.validate().is_ok()));
    /// ```
    #[derive(Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[reflect(Default)]
    #[serde(deny_unknown_fields)]
    pub struct Hole {
        /// Where there is no land.
        pub area: HoleArea = HoleArea::default();
    }
}

/// The outline of a hole, seen from above. Positions are absolute, in metres.
#[derive(Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
pub enum HoleArea {
    /// Everything around a point.
    Disc {
        /// Absolute x and z in metres, up to 10¹² from zero.
        #[reflect(@settings::param_info!(center, " Absolute x and z", -1e12..=1e12, "m"))]
        center: [f64; 2],
        /// Metres; 0.01 to 10 000.
        #[reflect(@settings::param_info!(radius, " Radius", 0.01..=10_000.0, "m"))]
        radius: f64,
    },
    /// A rectangle, turned about its middle.
    Rectangle {
        /// Absolute x and z of its middle in metres, up to 10¹² from zero.
        #[reflect(@settings::param_info!(center, " Absolute x and z of its middle", -1e12..=1e12, "m"))]
        center: [f64; 2],
        /// Width along x and z before it is turned, in metres; 0.01 to 20 000.
        #[reflect(@settings::param_info!(size, " Width along x and z before it is turned", 0.01..=20_000.0, "m"))]
        size: [f64; 2],
        /// By how much it is turned, in radians, from x towards z.
        #[serde(default)]
        #[reflect(@settings::param_info!(turn, " By how much it is turned", -1_000.0..=1_000.0, "rad"))]
        turn: f64,
    },
    /// Straight lines from corner to corner, and from the last to the first. What they go around twice is land.
    Polygon {
        /// Absolute x and z in metres, 3 to 64 of them, at most 20 000 m apart along each axis.
        #[reflect(@settings::param_info!(corners, " Absolute x and z", -1e12..=1e12, "m"))]
        corners: Vec<[f64; 2]>,
    },
}

impl Default for HoleArea {
    fn default() -> Self {
        Self::Disc { center: [0.0; 2], radius: 5.0 }
    }
}

impl Hole {
    /// A disc. The height of `at` does not matter.
    pub fn disc(at: DVec3, radius: f64) -> Self {
        Self { area: HoleArea::Disc { center: [at.x, at.z], radius } }
    }

    /// A rectangle around `at`, whose height does not matter: `size` along x and z in metres, then turned by `turn` radians
    /// from x towards z.
    pub fn rectangle(at: DVec3, size: [f64; 2], turn: f64) -> Self {
        Self { area: HoleArea::Rectangle { center: [at.x, at.z], size, turn } }
    }

    /// What lies within corners, whose heights do not matter.
    pub fn polygon(corners: impl IntoIterator<Item = DVec3>) -> Self {
        Self { area: HoleArea::Polygon { corners: corners.into_iter().map(|at| [at.x, at.z]).collect() } }
    }

    /// Checks every field.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        settings::validate(self)
    }
}

impl Settings for Hole {
    const NAME: &str = "hole";

    fn check(&self) -> Result<(), SettingsError> {
        let HoleArea::Polygon { corners } = &self.area else { return Ok(()) };
        if !(3..=MOST_CORNERS).contains(&corners.len()) {
            let allowed = format!("3 to {MOST_CORNERS} corners");
            return Err(SettingsError::new("area.corners", format!("{} corners", corners.len()), allowed));
        }
        let along = |axis: usize| corners.iter().map(move |corner| corner[axis]);
        let widths = [0, 1].map(|axis| along(axis).fold(f64::MIN, f64::max) - along(axis).fold(f64::MAX, f64::min));
        let widest = widths[0].max(widths[1]);
        if widest > MOST_WIDTH {
            let allowed = format!("at most {MOST_WIDTH} m from corner to corner along x and z");
            return Err(SettingsError::new("area.corners", format!("{widest} m"), allowed));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused_by_field() {
        let error = |hole: Hole| hole.validate().unwrap_err().to_string();
        let at = DVec3::new(5.0, f64::NAN, 7.0);
        assert_eq!(error(Hole::disc(at, 0.0)), "hole.area.radius: found 0, allowed is 0.01 to 10000 m");
        let far = DVec3::new(0.0, 0.0, 2e12);
        assert_eq!(
            error(Hole::disc(far, 1.0)),
            "hole.area.center.1: found 2000000000000, allowed is -1000000000000 to 1000000000000 m"
        );
        assert_eq!(
            error(Hole::rectangle(at, [1.0, f64::INFINITY], 0.0)),
            "hole.area.size.1: found inf, allowed is 0.01 to 20000 m"
        );
        assert_eq!(
            error(Hole::rectangle(at, [1.0; 2], f64::NAN)),
            "hole.area.turn: found NaN, allowed is -1000 to 1000 rad"
        );
        assert_eq!(error(Hole::polygon([at; 2])), "hole.area.corners: found 2 corners, allowed is 3 to 64 corners");
        assert_eq!(error(Hole::polygon([at; 65])), "hole.area.corners: found 65 corners, allowed is 3 to 64 corners");
        assert_eq!(
            error(Hole::polygon([at, at, DVec3::new(20_006.0, 0.0, 0.0)])),
            "hole.area.corners: found 20001 m, allowed is at most 20000 m from corner to corner along x and z"
        );
        assert_eq!(Hole::polygon([at; 64]).validate(), Ok(()));
    }
}
