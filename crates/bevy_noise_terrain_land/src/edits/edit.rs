//! One change of the land.

use bevy::math::DVec3;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use terrain_noise::Noise;

use super::stamp::StampImage;
use crate::settings::{self, Settings, SettingsError, settings};

/// The greatest number of points on a path.
const MOST_POINTS: usize = 4_096;

settings! {
    /// One change of the land: an area, what happens there, and how softly it ends.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy::math::DVec3;
    /// # use bevy_noise_terrain::edits::Edit;
    /// let pad = Edit::flatten(DVec3::new(100.0, 40.0, -20.0), 12.0).falloff(4.0);
    /// let road = Edit::path([DVec3::new(0.0, 38.0, 0.0), DVec3::new(80.0, 40.0, -20.0)], 6.0).falloff(8.0);
    /// let pit = Edit::raise(DVec3::new(120.0, 0.0, 0.0), 3.0, -2.0);
    /// ```
    #[derive(Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[reflect(Default)]
    #[serde(deny_unknown_fields)]
    pub struct Edit {
        /// Where it has its full effect.
        pub area: EditArea = EditArea::default();
        /// Distance from the area over which the effect fades to nothing, in metres.
        #[serde(default)]
        pub falloff: f64 = 0.0, [0.0..=100_000.0, "m"];
        /// What happens to the heights.
        pub action: EditAction = EditAction::default();
        /// What the ground is painted with, if anything.
        #[serde(default)]
        pub paint: Option<Paint> = None;
        /// Whether grass, rocks and trees are taken away where it has at least half of its effect.
        #[serde(default)]
        pub clear_plants: bool = false;
    }
}

settings! {
    /// A layer of the ground that an edit puts over those that lie there by nature. What was painted before lies below it.
    #[derive(Clone, Copy, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[reflect(Default)]
    #[serde(deny_unknown_fields)]
    pub struct Paint {
        /// The layer, by its place in [`TerrainGround::layers`](crate::ground::TerrainGround::layers); `None` takes paint off. One
        /// that the ground does not have is not drawn.
        pub layer: Option<u8> = None, [0..=7];
        /// Distance from the area over which it fades to nothing, in metres. The shoulders of a path are not painted.
        #[serde(default)]
        pub falloff: f64 = 0.0, [0.0..=100_000.0, "m"];
    }
}

/// Where an edit has its full effect. Positions are absolute, in metres.
#[derive(Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
pub enum EditArea {
    /// Everything around a point.
    Disc {
        /// Absolute x and z in metres, up to 10¹² from zero.
        #[reflect(@settings::param_info!(center, " Absolute x and z", -1e12..=1e12, "m"))]
        center: [f64; 2],
        /// Metres; 0.01 to 100 000.
        #[reflect(@settings::param_info!(radius, " Radius", 0.01..=100_000.0, "m"))]
        radius: f64,
    },
    /// Both sides of a smooth curve through points.
    Path {
        /// Absolute positions in metres, 2 to 4096 of them: their heights matter to [`EditAction::Grade`] alone.
        #[reflect(@settings::param_info!(points, " Absolute positions", -1e12..=1e12, "m"))]
        points: Vec<[f64; 3]>,
        /// Metres from side to side; 0.01 to 100 000.
        #[reflect(@settings::param_info!(width, " Width", 0.01..=100_000.0, "m"))]
        width: f64,
        /// Metres on either side that take part in everything but the paint; 0 to 100 000.
        #[serde(default)]
        #[reflect(@settings::param_info!(shoulder, " Shoulder", 0.0..=100_000.0, "m"))]
        shoulder: f64,
    },
}

impl Default for EditArea {
    fn default() -> Self {
        Self::Disc { center: [0.0; 2], radius: 10.0 }
    }
}

/// What an edit does to the land as the edits before it left it.
#[derive(Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
pub enum EditAction {
    /// Leaves the heights as they are: for paint and for clearing plants.
    Keep,
    /// Adds to the height.
    Raise {
        /// Metres; negative lowers.
        #[reflect(@settings::param_info!(by, " Metres", -100_000.0..=100_000.0, "m"))]
        by: f32,
    },
    /// Replaces the land by a plane.
    Flatten {
        /// Height of the plane in the middle of the area, in metres.
        #[reflect(@settings::param_info!(height, " Height in the middle", -1e6..=1e6, "m"))]
        height: f32,
        /// Metres that the plane rises in a metre of x, and in a metre of z.
        #[serde(default)]
        #[reflect(@settings::param_info!(slope, " Slope along x and z", -100.0..=100.0))]
        slope: [f32; 2],
    },
    /// Replaces the land by the heights of the path's points.
    Grade,
    /// Leaves out what is finer than a scale.
    Smooth {
        /// Metres: as if the land were sampled this far apart.
        #[reflect(@settings::param_info!(scale, " Metres", 0.01..=100_000.0, "m"))]
        scale: f64,
    },
    /// Adds a noise: roughness, or a form of its own.
    Add {
        /// Heights in metres, over absolute positions.
        noise: Noise,
        /// Chooses one of its worlds.
        #[serde(default)]
        seed: u64,
    },
    /// Adds an image, which covers the square around a disc; beyond it is as its edges are.
    Stamp {
        /// Its brightness is height.
        image: StampImage,
        /// What white adds, in metres; negative digs.
        #[reflect(@settings::param_info!(height, " What white adds", -100_000.0..=100_000.0, "m"))]
        height: f32,
        /// By how much it is turned, in radians, from x towards z.
        #[serde(default)]
        #[reflect(@settings::param_info!(turn, " By how much it is turned", -1_000.0..=1_000.0, "rad"))]
        turn: f64,
    },
}

impl Default for EditAction {
    fn default() -> Self {
        Self::Raise { by: 0.0 }
    }
}

impl Edit {
    /// Raises a disc by `by` metres; a negative number lowers it. The height of `at` does not matter.
    pub fn raise(at: DVec3, radius: f64, by: f32) -> Self {
        Self::disc(at, radius, EditAction::Raise { by })
    }

    /// Makes a disc level, at the height of `at`.
    pub fn flatten(at: DVec3, radius: f64) -> Self {
        Self::disc(at, radius, EditAction::Flatten { height: at.y as f32, slope: [0.0; 2] })
    }

    /// Leaves out what is finer than `scale` metres on a disc. The height of `at` does not matter.
    pub fn smooth(at: DVec3, radius: f64, scale: f64) -> Self {
        Self::disc(at, radius, EditAction::Smooth { scale })
    }

    /// Adds a noise on a disc. The height of `at` does not matter.
    pub fn add(at: DVec3, radius: f64, noise: impl Into<Noise>, seed: u64) -> Self {
        Self::disc(at, radius, EditAction::Add { noise: noise.into(), seed })
    }

    /// Levels a path from side to side, at the heights of its points, and clears it of plants: a road.
    pub fn path(points: impl IntoIterator<Item = DVec3>, width: f64) -> Self {
        let points = points.into_iter().map(|point| point.to_array()).collect();
        let area = EditArea::Path { points, width, shoulder: 0.0 };
        Self { area, action: EditAction::Grade, clear_plants: true, ..default() }
    }

    /// Paints a disc with a layer of the ground, by its place in [`TerrainGround::layers`](crate::ground::TerrainGround::layers),
    /// and leaves its heights as they are. The height of `at` does not matter.
    pub fn paint(at: DVec3, radius: f64, layer: u8) -> Self {
        Self::disc(at, radius, EditAction::Keep).painted(layer)
    }

    /// Adds an image on a disc: `height` metres where it is white, nothing where it is black. The height of `at` does not
    /// matter.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy::math::DVec3;
    /// # use bevy_noise_terrain::edits::{Edit, StampImage};
    /// // A cone of 64 by 64 pixels; `StampImage::from_png` reads a file.
    /// let middle = 31.5f32;
    /// let far = |pixel: u32| ((pixel % 64) as f32 - middle).hypot((pixel / 64) as f32 - middle) / middle;
    /// let cone: Vec<u16> = (0..64 * 64).map(|pixel| (65_535.0 * (1.0 - far(pixel)).max(0.0)) as u16).collect();
    /// let hill = Edit::stamp(DVec3::new(80.0, 0.0, 20.0), 40.0, StampImage::new([64, 64], &cone)?, 12.0);
    /// # assert!(hill.validate().is_ok());
    /// # Ok::<(), bevy_noise_terrain::SettingsError>(())
    /// ```
    pub fn stamp(at: DVec3, radius: f64, image: StampImage, height: f32) -> Self {
        Self::disc(at, radius, EditAction::Stamp { image, height, turn: 0.0 })
    }

    fn disc(at: DVec3, radius: f64, action: EditAction) -> Self {
        Self { area: EditArea::Disc { center: [at.x, at.z], radius }, action, ..default() }
    }

    /// The same edit with another height of its plane, in metres. Only changes [`EditAction::Flatten`].
    #[must_use]
    pub fn to(mut self, to: f32) -> Self {
        if let EditAction::Flatten { height, .. } = &mut self.action {
            *height = to;
        }
        self
    }

    /// The same edit with another distance over which it fades, in metres. If it leaves heights as they are, its paint fades
    /// over this distance too.
    #[must_use]
    pub fn falloff(self, falloff: f64) -> Self {
        let paint = match self.action {
            EditAction::Keep => self.paint.map(|paint| Paint { falloff, ..paint }),
            _ => self.paint,
        };
        Self { falloff, paint, ..self }
    }

    /// The same edit that also paints its area with a layer of the ground, by its place in
    /// [`TerrainGround::layers`](crate::ground::TerrainGround::layers).
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy::math::DVec3;
    /// # use bevy_noise_terrain::edits::Edit;
    /// // Six metres of gravel, level for a metre more on either side, on a bank that is eight metres wide.
    /// let road = Edit::path([DVec3::ZERO, DVec3::new(80.0, 4.0, -20.0)], 6.0).shoulder(1.0).falloff(8.0).painted(3);
    /// # assert!(road.validate().is_ok());
    /// ```
    #[must_use]
    pub fn painted(self, layer: u8) -> Self {
        let falloff = self.paint.map_or(1.0, |paint| paint.falloff);
        Self { paint: Some(Paint { layer: Some(layer), falloff }), ..self }
    }

    /// The same edit with other shoulders of its path, in metres on either side. Only changes [`EditArea::Path`].
    #[must_use]
    pub fn shoulder(mut self, to: f64) -> Self {
        if let EditArea::Path { shoulder, .. } = &mut self.area {
            *shoulder = to;
        }
        self
    }

    /// The same edit that also clears the area of plants, or leaves them.
    #[must_use]
    pub fn clear_plants(self, clear_plants: bool) -> Self {
        Self { clear_plants, ..self }
    }

    /// The same edit that does something else, such as lowering a path: a ditch.
    #[must_use]
    pub fn with_action(self, action: EditAction) -> Self {
        Self { action, ..self }
    }

    /// The same edit with its image turned to another direction, in radians from x towards z. Only changes
    /// [`EditAction::Stamp`].
    #[must_use]
    pub fn turned(mut self, to: f64) -> Self {
        if let EditAction::Stamp { turn, .. } = &mut self.action {
            *turn = to;
        }
        self
    }

    /// Checks every field.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        settings::validate(self)
    }
}

impl Settings for Edit {
    const NAME: &str = "edit";

    fn check(&self) -> Result<(), SettingsError> {
        match (&self.area, &self.action) {
            (EditArea::Path { points, .. }, _) if !(2..=MOST_POINTS).contains(&points.len()) => {
                let allowed = format!("2 to {MOST_POINTS} points");
                Err(SettingsError::new("area.points", format!("{} points", points.len()), allowed))
            }
            (EditArea::Disc { .. }, EditAction::Grade) => {
                Err(SettingsError::new("action", "Grade on a disc", "Grade on a path"))
            }
            (EditArea::Path { .. }, EditAction::Stamp { .. }) => {
                Err(SettingsError::new("action", "Stamp on a path", "Stamp on a disc"))
            }
            (_, EditAction::Stamp { image, .. }) if image.is_missing() => {
                Err(SettingsError::new("action.image", "none", "an image"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use terrain_noise::perlin;

    use super::*;

    #[test]
    fn nonsense_is_refused_by_field() {
        let at = DVec3::new(1.0, 2.0, 3.0);
        let error = |edit: Edit| edit.validate().map_or_else(|error| error.to_string(), |()| "none".into());
        assert_eq!(error(Edit::flatten(at, 12.0).to(40.0).falloff(4.0)), "none");
        assert_eq!(error(Edit::raise(at, f64::NAN, 1.0)), "edit.area.radius: found NaN, allowed is 0.01 to 100000 m");
        assert_eq!(
            error(Edit::raise(at, 1.0, f32::INFINITY)),
            "edit.action.by: found inf, allowed is -100000 to 100000 m"
        );
        assert_eq!(
            error(Edit::raise(DVec3::splat(1e13), 1.0, 1.0)),
            "edit.area.center.0: found 10000000000000, allowed is -1000000000000 to 1000000000000 m"
        );
        assert_eq!(error(Edit::smooth(at, 1.0, 2.0).falloff(-1.0)), "edit.falloff: found -1, allowed is 0 to 100000 m");
        let road = Edit::path([at, DVec3::ZERO], 4.0);
        assert_eq!(error(road.clone().shoulder(-1.0)), "edit.area.shoulder: found -1, allowed is 0 to 100000 m");
        assert_eq!(error(road.painted(8)), "edit.paint.layer: found 8, allowed is 0 to 7");
        assert_eq!(error(Edit::path([at], 4.0)), "edit.area.points: found 1 points, allowed is 2 to 4096 points");
        assert_eq!(
            error(Edit::flatten(at, 1.0).with_action(EditAction::Grade)),
            "edit.action: found Grade on a disc, allowed is Grade on a path"
        );
        assert_eq!(error(Edit::stamp(at, 5.0, default(), 1.0)), "edit.action.image: found none, allowed is an image");
        let message = error(Edit::add(at, 5.0, perlin().fbm().octaves(0), 1));
        assert!(message.starts_with("edit.action.noise.octaves: found 0"), "{message}");
    }
}
