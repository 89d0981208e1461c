//! Budgets of the streaming.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::chunk::CHUNK_VERTICES;
use crate::mesh::{SLOT_TEXELS, Texel, Vertex};
use crate::settings::{self, Settings, SettingsError, settings};

/// Bytes of one chunk's vertices.
pub(crate) const VERTEX_BYTES: usize = CHUNK_VERTICES * CHUNK_VERTICES * size_of::<Vertex>();
/// Bytes of one chunk's detail normals.
pub(crate) const DETAIL_NORMAL_BYTES: usize = SLOT_TEXELS * size_of::<Texel>();
/// Bytes of one chunk that is drawn.
const CHUNK_BYTES: usize = VERTEX_BYTES + DETAIL_NORMAL_BYTES;

/// How much faster ranges grow in a generation's first second on screen, when everything has changed anyway.
const FRESH_SPEED: f32 = 4.0;

settings! {
    /// Budgets of the streaming.
    #[derive(Clone, Copy, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct TerrainStreaming {
        /// Most megabytes of vertices and detail normals in memory; a change rebuilds the terrain.
        /// This includes chunks kept after they left the view. What does not fit is left out, far detail first
        /// ([`TerrainStats::detail`](crate::TerrainStats::detail)). Main memory holds the heights of the same chunks too:
        /// 18 KB each, about a fifth more. Paint takes about a twentieth more on the graphics card.
        pub memory_mb: u32 = 100, [16..=4_096, "MB"], slider [32..=1_024];
        /// Most megabytes of pages with the ground of drawn chunks on the graphics card, some 0.28 each. Where they do not suffice,
        /// the ground of far chunks is drawn more coarsely.
        pub ground_memory_mb: u32 = 128, [16..=1_024, "MB"], slider [32..=256];
        /// Megabytes of vertices and detail normals that may be uploaded in one frame.
        pub upload_mb: u32 = 4, [1..=1_024, "MB"], slider [1..=64];
        /// How many seconds ahead of a moving viewer chunks are loaded.
        pub lookahead: f32 = 0.75, [0.0..=30.0, "s"];
        /// Seconds in which a level grows to its full range once its chunks are loaded.
        /// In the first second after a change of the world it grows four times as fast.
        pub grow_seconds: f32 = 0.4, [0.0..=60.0, "s"];
        /// Seconds that changed settings may take to add detail unseen before they replace the world on screen.
        /// The coarsest chunks are waited for in any case. The default is less than two frames of 60 Hz.
        pub retune_seconds: f32 = 0.03, [0.0..=10.0, "s"];
        /// Keep a copy of all vertices in main memory, for tools and tests.
        pub keep_vertices: bool = false;
    }
}

impl Settings for TerrainStreaming {
    const NAME: &str = "streaming";
}

impl TerrainStreaming {
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

    /// The number of chunks that fit in memory. Without a renderer they have no detail normals.
    pub(crate) fn capacity(&self, is_drawn: bool) -> u32 {
        (self.memory_mb as usize * 1_000_000 / if is_drawn { CHUNK_BYTES } else { VERTEX_BYTES }) as u32
    }

    /// The number of chunks that may be uploaded in one frame.
    pub(crate) fn uploads_per_frame(&self) -> usize {
        (self.upload_mb as usize * 1_000_000 / CHUNK_BYTES).max(1)
    }
}
