//! The error of invalid settings.

use std::fmt::Display;

use terrain_noise::NoiseError;

/// Invalid settings: the field, its value, and what is allowed.
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// use bevy_noise_terrain::prelude::*;
/// let mut terrain = NoiseTerrain::default();
/// terrain.lod.spacing = -1.0;
/// let error = terrain.validate().unwrap_err();
/// assert_eq!(error.path, "terrain.lod.spacing");
/// assert_eq!(error.to_string(), "terrain.lod.spacing: found -1, allowed is 0.01 to 1000 m");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: found {found}, allowed is {allowed}")]
pub struct SettingsError {
    /// The path of the field, as in a preset: `water.level`, `terrain.noise.source.octaves`,
    /// `scatter.kinds.3.density`. Items of lists are counted from 0.
    pub path: String,
    /// The invalid value, as text.
    pub found: String,
    /// What is allowed, as text.
    pub allowed: String,
}

impl SettingsError {
    /// An error of a field. Add the outer parts of the path with [`below`](Self::below).
    pub(crate) fn new(path: &str, found: impl Display, allowed: impl Display) -> Self {
        Self { path: path.to_owned(), found: found.to_string(), allowed: allowed.to_string() }
    }

    /// The error of a noise at `path`.
    pub(crate) fn of_noise(error: &NoiseError, path: &str) -> Self {
        let NoiseError { path, found, allowed } = error.below(path);
        Self { path, found, allowed }
    }

    /// The same error with `outer` in front of its path.
    pub(crate) fn below(mut self, outer: impl Display) -> Self {
        self.path = if self.path.is_empty() { outer.to_string() } else { format!("{outer}.{}", self.path) };
        self
    }
}
