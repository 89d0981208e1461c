//! Budgets of the streaming.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::chunk::CHUNK_VERTICES;
use crate::hint::{help, hint};
use crate::mesh::{SLOT_TEXELS, Texel, Vertex};

/// Bytes of one chunk's vertices.
pub(crate) const VERTEX_BYTES: usize = CHUNK_VERTICES * CHUNK_VERTICES * size_of::<Vertex>();
/// Bytes of one chunk's relief.
pub(crate) const RELIEF_BYTES: usize = SLOT_TEXELS * size_of::<Texel>();
/// Bytes of one chunk that is drawn.
const CHUNK_BYTES: usize = VERTEX_BYTES + RELIEF_BYTES;

/// How much faster a world grows in its first second on screen: everything has changed in any case.
const FRESH_SPEED: f32 = 4.0;

/// Budgets of the streaming.
#[derive(Clone, Copy, Debug, PartialEq, Reflect, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StreamingSettings {
    /// Megabytes of vertices and relief in memory at most, chunks just left included: 16 to 4 096.
    /// What does not fit is left out, far detail first ([`TerrainStats::detail`](crate::TerrainStats::detail)). A
    /// change begins the terrain anew.
    #[reflect(@hint("Vertices and relief in memory at most; a change begins the terrain anew", "MB", 16.0, 4_096.0))]
    pub memory_mb: u32,
    /// Megabytes of vertices and relief that may enter the world in one frame: 1 to 1 024.
    #[reflect(@hint("Vertices and relief that may enter the world in one frame", "MB", 1.0, 1_024.0))]
    pub upload_mb: u32,
    /// How many seconds ahead of a moving viewer chunks are loaded: 0 to 30.
    #[reflect(@hint("How far ahead of a moving viewer chunks are loaded", "s", 0.0, 30.0))]
    pub lookahead: f32,
    /// Seconds in which a level grows to its full range once its chunks are there: 0 to 60. In its first
    /// second on screen a new world grows four times as fast.
    #[reflect(@hint("Time in which new detail morphs in", "s", 0.0, 60.0))]
    pub grow_seconds: f32,
    /// Seconds that changed settings may take to add detail behind the old world before they replace it
    /// on screen: 0 to 10. The coarsest chunks are waited for in any case.
    #[reflect(@hint("Time changed settings may take to gain detail unseen, before they replace the world on screen", "s", 0.0, 10.0))]
    pub retune_seconds: f32,
    /// Keep a copy of all vertices in main memory, for tools and tests.
    #[reflect(@help("Keep a copy of all vertices in main memory, for tools and tests"))]
    pub keep_vertices: bool,
}

impl Default for StreamingSettings {
    fn default() -> Self {
        Self {
            memory_mb: 100,
            upload_mb: 4,
            lookahead: 0.75,
            grow_seconds: 0.4,
            retune_seconds: 0.05,
            keep_vertices: false,
        }
    }
}

/// Streaming settings that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("streaming.{field} is {found}; it must be from {min} to {max}")]
pub struct StreamingError {
    /// Name of the field.
    pub field: &'static str,
    /// What it held.
    pub found: f64,
    /// Least allowed value.
    pub min: f64,
    /// Greatest allowed value.
    pub max: f64,
}

impl StreamingSettings {
    /// Checks every field.
    ///
    /// # Errors
    /// Names the first field out of its range.
    pub fn validate(&self) -> Result<(), StreamingError> {
        for (field, found, min, max) in [
            ("memory_mb", f64::from(self.memory_mb), 16.0, 4_096.0),
            ("upload_mb", f64::from(self.upload_mb), 1.0, 1_024.0),
            ("lookahead", f64::from(self.lookahead), 0.0, 30.0),
            ("grow_seconds", f64::from(self.grow_seconds), 0.0, 60.0),
            ("retune_seconds", f64::from(self.retune_seconds), 0.0, 10.0),
        ] {
            if !(min..=max).contains(&found) {
                return Err(StreamingError { field, found, min, max });
            }
        }
        Ok(())
    }

    /// Share of its full range that a level grows in a second.
    pub(crate) fn growth(&self, fresh: bool) -> f32 {
        // 0 means at once: as much as could be wanted in any frame.
        (if fresh { FRESH_SPEED } else { 1.0 }) / self.grow_seconds.max(1e-6)
    }

    /// The most that a level ever grows in a second, as a share of its full range.
    pub fn fastest_growth(&self) -> f32 {
        self.growth(true)
    }

    /// Chunks in memory at most. Without a renderer they have no relief.
    pub(crate) fn capacity(&self, is_drawn: bool) -> u32 {
        (self.memory_mb as usize * 1_000_000 / if is_drawn { CHUNK_BYTES } else { VERTEX_BYTES }) as u32
    }

    /// Chunks that may enter the world in one frame.
    pub(crate) fn uploads_per_frame(&self) -> usize {
        (self.upload_mb as usize * 1_000_000 / CHUNK_BYTES).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_settings_are_named() {
        for (settings, field) in [
            (StreamingSettings { memory_mb: 0, ..default() }, "memory_mb"),
            (StreamingSettings { upload_mb: 0, ..default() }, "upload_mb"),
            (StreamingSettings { lookahead: f32::NAN, ..default() }, "lookahead"),
            (StreamingSettings { grow_seconds: -1.0, ..default() }, "grow_seconds"),
            (StreamingSettings { retune_seconds: 11.0, ..default() }, "retune_seconds"),
        ] {
            assert_eq!(settings.validate().unwrap_err().field, field);
        }
        assert_eq!(StreamingSettings::default().validate(), Ok(()));
    }
}
