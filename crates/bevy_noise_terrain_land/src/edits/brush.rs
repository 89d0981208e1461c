//! A round brush: what it does where it touches the land.

use bevy::math::DVec3;
use bevy::prelude::*;
use terrain_noise::{Compose, perlin};

use super::edit::{Edit, Paint};
use crate::settings::{self, Settings, SettingsError, settings};

/// The least radius of an edit, in metres.
const LEAST_RADIUS: f64 = 0.01;
/// The greatest scale that an edit smooths to, in metres.
const MOST_SCALE: f64 = 100_000.0;
/// The most that an edit raises, in metres.
const MOST_RISE: f64 = 100_000.0;

settings! {
    /// A round brush that changes the land along a [`Stroke`](super::Stroke).
    #[derive(Clone, Debug, PartialEq, Reflect)]
    #[reflect(Default)]
    pub struct Brush {
        /// What it does.
        pub kind: BrushKind = BrushKind::Raise;
        /// From its middle to where its effect ends.
        pub radius: f64 = 8.0, [0.1..=10_000.0, "m"], slider [1.0..=200.0];
        /// Share of the radius over which the effect fades to nothing.
        pub falloff: f64 = 0.7, [0.0..=1.0];
        /// How strong it is, relative to its radius.
        ///
        /// Raising, lowering and roughening change the height by this share of the radius in a second. Smoothing leaves
        /// out what is smaller than this share of the diameter. Flattening and painting are always complete.
        pub strength: f64 = 0.5, [0.0..=10.0], slider [0.0..=1.0];
        /// Distance between touches along a stroke, as a share of the radius.
        pub spacing: f64 = 0.25, [0.05..=1.0];
        /// Take grass, rocks and trees away.
        pub clear_plants: bool = false;
        /// The layer of the ground that it paints, by its place in [`TerrainGround::layers`](crate::ground::TerrainGround::layers).
        pub layer: u8 = 0, [0..=7];
    }
}

/// What a [`Brush`] does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Reflect)]
pub enum BrushKind {
    /// Heaps up, as long as it rests.
    #[default]
    Raise,
    /// Digs, as long as it rests.
    Lower,
    /// Levels to the height that the stroke began at.
    Flatten,
    /// Leaves out what is small.
    Smooth,
    /// Adds bumps, which grow as long as it rests.
    Roughen,
    /// Paints a layer of the ground.
    Paint,
    /// Takes paint off.
    Erase,
}

impl BrushKind {
    /// Whether it does more the longer it rests.
    pub(super) fn grows(self) -> bool {
        match self {
            Self::Raise | Self::Lower | Self::Roughen => true,
            Self::Flatten | Self::Smooth | Self::Paint | Self::Erase => false,
        }
    }
}

impl Brush {
    /// Checks every field.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        settings::validate(self)
    }

    /// Radius of the area with the full effect, in metres: around it the effect fades.
    pub fn full_radius(&self) -> f64 {
        (self.radius * (1.0 - self.falloff)).max(LEAST_RADIUS)
    }

    /// What it does in `seconds` around a position, whose height matters to flattening alone.
    pub(super) fn touch(&self, at: DVec3, seconds: f64) -> Edit {
        let full = self.full_radius();
        let rise = (self.strength * self.radius * seconds).min(MOST_RISE);
        let edit = match self.kind {
            BrushKind::Raise => Edit::raise(at, full, rise as f32),
            BrushKind::Lower => Edit::raise(at, full, -rise as f32),
            BrushKind::Flatten => Edit::flatten(at, full),
            BrushKind::Smooth => {
                Edit::smooth(at, full, (2.0 * self.strength * self.radius).clamp(LEAST_RADIUS, MOST_SCALE))
            }
            BrushKind::Roughen => {
                // The same bumps for every touch: where touches overlap, they grow instead of blurring.
                let bumps = perlin().fbm().octaves(3).feature_size(0.5 * self.radius);
                Edit::add(at, full, bumps.scale(rise), 0)
            }
            BrushKind::Paint => Edit::paint(at, full, self.layer),
            BrushKind::Erase => Edit { paint: Some(Paint::default()), ..Edit::paint(at, full, 0) },
        };
        edit.falloff(self.radius - full).clear_plants(self.clear_plants)
    }
}

impl Settings for Brush {
    const NAME: &str = "brush";
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [BrushKind; 7] = [
        BrushKind::Raise,
        BrushKind::Lower,
        BrushKind::Flatten,
        BrushKind::Smooth,
        BrushKind::Roughen,
        BrushKind::Paint,
        BrushKind::Erase,
    ];

    #[test]
    fn every_brush_that_is_allowed_makes_edits_that_are() {
        for kind in KINDS {
            for (radius, falloff, strength) in [(0.1, 1.0, 0.0), (0.1, 0.0, 10.0), (10_000.0, 1.0, 10.0)] {
                let brush = Brush { kind, radius, falloff, strength, ..default() };
                brush.validate().unwrap();
                for seconds in [0.0, 1e-9, 1e9] {
                    let edit = brush.touch(DVec3::new(1e12, 5.0, -1e12), seconds);
                    edit.validate().unwrap_or_else(|error| panic!("{brush:?}: {error}"));
                    assert!((brush.full_radius() + edit.falloff - radius).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn nonsense_is_refused_by_field() {
        let error = |brush: Brush| brush.validate().unwrap_err().to_string();
        assert_eq!(error(Brush { radius: 0.0, ..default() }), "brush.radius: found 0, allowed is 0.1 to 10000 m");
        assert_eq!(error(Brush { falloff: 1.5, ..default() }), "brush.falloff: found 1.5, allowed is 0 to 1");
        assert_eq!(error(Brush { layer: 8, ..default() }), "brush.layer: found 8, allowed is 0 to 7");
        assert_eq!(error(Brush { spacing: f64::NAN, ..default() }), "brush.spacing: found NaN, allowed is 0.05 to 1");
    }
}
