//! Budgets of the streaming.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::chunk::CHUNK_VERTICES;
use crate::mesh::{SLOT_TEXELS, Texel, Vertex};
use crate::settings::{self, Settings, SettingsError, settings};

/// Bytes of one chunk's vertices.
pub(crate) const VERTEX_BYTES: usize = CHUNK_VERTICES * CHUNK_VERTICES * size_of::<Vertex>();
/// Bytes of one chunk's relief.
pub(crate) const RELIEF_BYTES: usize = SLOT_TEXELS * size_of::<Texel>();
/// Bytes of one chunk that is drawn.
const CHUNK_BYTES: usize = VERTEX_BYTES + RELIEF_BYTES;

/// How much faster a world grows in its first second on screen: everything has changed in any case.
const FRESH_SPEED: f32 = 4.0;

settings! {
    /// Budgets of the streaming.
    #[derive(Clone, Copy, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct StreamingSettings {
        /// Megabytes of vertices and relief in memory at most; a change begins the terrain anew.
        /// Chunks just left are included. What does not fit is left out, far detail first
        /// ([`TerrainStats::detail`](crate::TerrainStats::detail)).
        pub memory_mb: u32 = 100, [16..=4_096, "MB"];
        /// Megabytes of vertices and relief that may enter the world in one frame.
        pub upload_mb: u32 = 4, [1..=1_024, "MB"];
        /// How many seconds ahead of a moving viewer chunks are loaded.
        pub lookahead: f32 = 0.75, [0.0..=30.0, "s"];
        /// Seconds in which a level grows to its full range once its chunks are there.
        /// In its first second on screen a new world grows four times as fast.
        pub grow_seconds: f32 = 0.4, [0.0..=60.0, "s"];
        /// Seconds that changed settings may take to add detail unseen before they replace the world on screen.
        /// The coarsest chunks are waited for in any case.
        pub retune_seconds: f32 = 0.05, [0.0..=10.0, "s"];
        /// Keep a copy of all vertices in main memory, for tools and tests.
        pub keep_vertices: bool = false;
    }
}

impl Settings for StreamingSettings {
    const NAME: &str = "streaming";
}

impl StreamingSettings {
    /// Checks every field.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        settings::validate(self)
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
