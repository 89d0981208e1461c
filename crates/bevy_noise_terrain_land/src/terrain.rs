//! The settings of a terrain, and what it reports.

mod streaming;

use std::sync::Arc;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use terrain_noise::Noise;

use crate::chunk::ChunkKey;
use crate::climate::TerrainClimate;
use crate::lod::TerrainLod;
use crate::settings::{self, Settings, SettingsError, settings};
use crate::source::NoiseSource;
pub use streaming::TerrainStreaming;
pub(crate) use streaming::{DETAIL_NORMAL_BYTES, VERTEX_BYTES};

settings! {
    /// An endless terrain. Change any field at any time: the world follows within a few frames.
    ///
    /// The entity's [`Transform`] moves the whole terrain; its chunks are children of it. Its `Visibility` and
    /// `RenderLayers` are those of its chunks, its water and its plants.
    /// Settings that [`validate`](Self::validate) refuses leave everything as it was and are
    /// reported by [`SettingsRejected`](crate::SettingsRejected).
    #[derive(Component, Clone, Debug, PartialEq, Serialize, Deserialize, Reflect)]
    #[reflect(Component, Default)]
    #[require(TerrainStats, TerrainOrigin, Transform)]
    #[serde(default, deny_unknown_fields)]
    pub struct NoiseTerrain {
        /// The shape of the land: heights in metres over the plane.
        pub noise: Noise = crate::presets::mountains();
        /// Chooses one of 2⁶⁴ worlds of that shape.
        pub seed: u64 = 1, [any];
        /// Spacing, reach and sharpness of the mesh.
        pub lod: TerrainLod = TerrainLod::default();
        /// Temperature and moisture.
        pub climate: TerrainClimate = TerrainClimate::default();
        /// Budgets of the streaming.
        pub streaming: TerrainStreaming = TerrainStreaming::default();
    }
}

impl Settings for NoiseTerrain {
    const NAME: &str = "terrain";

    fn check(&self) -> Result<(), SettingsError> {
        self.lod.check().map_err(|error| error.below("lod"))?;
        self.climate.check().map_err(|error| error.below("climate"))
    }
}

impl NoiseTerrain {
    /// Checks every field.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        settings::validate(self)
    }

    /// The heights of valid settings.
    pub(crate) fn heights(&self) -> Result<Arc<NoiseSource>, SettingsError> {
        let built = self.noise.build(self.seed);
        built
            .map(|noise| Arc::new(NoiseSource(noise)))
            .map_err(|error| SettingsError::of_noise(&error, "terrain.noise"))
    }
}

/// Gives every terrain a component, also terrains that were spawned before the plugin that needs it was added.
pub(crate) fn require<C: Component + Default>(app: &mut App) {
    if app.try_register_required_components::<NoiseTerrain, C>().is_ok() {
        return;
    }
    let world = app.world_mut();
    let lacking: Vec<Entity> = world.query_filtered::<Entity, (With<NoiseTerrain>, Without<C>)>().iter(world).collect();
    for terrain in lacking {
        world.entity_mut(terrain).insert(C::default());
    }
    app.add_observer(|added: On<Add<NoiseTerrain>>, mut commands: Commands| {
        commands.entity(added.entity).insert_if_new(C::default());
    });
}

/// The absolute position, in metres, of the terrain entity's local origin.
///
/// Bevy's transforms are 32-bit: a million metres out, they step by 6 cm. Keep the camera near the origin
/// of the scene and move the world instead: whatever you shift your entities by, add to this. One that is not
/// [valid](Self::validate) is refused with [`SettingsRejected`](crate::SettingsRejected), and the last valid one put in its place.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect, Serialize, Deserialize)]
#[reflect(Component, Default)]
pub struct TerrainOrigin {
    /// Absolute x of local x = 0.
    pub x: f64,
    /// Absolute z of local z = 0.
    pub z: f64,
}

/// The farthest that anything may be from the absolute origin along an axis, in metres.
pub(crate) const FARTHEST: f64 = 1e12;

impl TerrainOrigin {
    /// Checks that both coordinates are numbers from -1e12 to 1e12 m.
    ///
    /// # Errors
    /// The field that is not, and what it is.
    pub fn validate(&self) -> Result<(), SettingsError> {
        for (path, found) in [("origin.x", self.x), ("origin.z", self.z)] {
            if !(-FARTHEST..=FARTHEST).contains(&found) {
                return Err(SettingsError::new(path, found, "-1e12 to 1e12 m"));
            }
        }
        Ok(())
    }
}

/// Statistics of a terrain, updated every frame.
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct TerrainStats {
    /// Chunks drawn in this frame, per level, finest first.
    pub drawn: Vec<u32>,
    /// Chunks in memory.
    pub loaded: u32,
    /// Chunks that fit in memory.
    pub capacity: u32,
    /// Wanted chunks that are not loaded yet.
    pub missing: u32,
    /// Wanted chunks that are loaded and lack their detail normals yet (feature `render`).
    pub missing_detail_normals: u32,
    /// Pieces of volumes that are not drawn yet in their final form, plus one while a search for volumes is under way (feature
    /// `render`).
    pub missing_volumes: u32,
    /// Layers of the ground whose textures are not drawn yet (feature `ground`).
    pub missing_textures: u32,
    /// Chunks that a camera sees and whose page of ground is still to be filled: they show what was there before, or less detail
    /// (feature `render`).
    pub missing_pages: u32,
    /// Whether holes or volumes are kept back until the graphics card can draw them (feature `render`). The first of an app are,
    /// until their pipelines are compiled; for three seconds where no camera sees the terrain.
    pub kept_back: bool,
    /// Whether what is drawn is still in transition: finer levels extend, detail normals and volumes fade in.
    pub fading: bool,
    /// Chunks built since the terrain was spawned.
    pub built: u64,
    /// Chunks built in vain: no longer wanted when they were finished.
    pub wasted: u64,
    /// Chunks that could not be built: see [`ChunkFailed`].
    pub failed: u64,
    /// Milliseconds of one core that a chunk took on average, over the last hundred or so.
    pub chunk_ms: f32,
    /// Milliseconds from wanted to loaded, on average over the last hundred or so.
    pub wait_ms: f32,
    /// Milliseconds this frame's streaming took on the main thread.
    pub main_ms: f32,
    /// Triangles of land in the chunks that cameras saw in the last frame (feature `render`).
    pub triangles: u32,
    /// Pages of ground filled since the terrain was spawned (feature `render`).
    pub filled_pages: u64,
    /// Bytes of vertex data in memory.
    pub vertex_bytes: usize,
    /// Bytes of detail normals in memory (feature `render`).
    pub detail_normal_bytes: usize,
    /// The distance to which each level is drawn, in metres, finest first; the last is infinite.
    pub ranges: Vec<f64>,
    /// The detail that fits in memory: that of [`TerrainLod`], or less. Below 4 the finest levels are drawn in part or not
    /// at all.
    pub detail: f64,
    /// How far the land reaches, in metres: the view distance, or less where many viewers share little memory.
    pub reach: f64,
    /// The number of the generation on screen: it rises whenever changed settings take effect.
    pub generation: u64,
    /// Are changed settings or edits being built behind what is on screen?
    pub retuning: bool,
    /// Whether all of the land that the settings ask for fits in memory.
    pub fits: bool,
    /// The viewers that the land is detailed around: [`TerrainViewers`](crate::TerrainViewers) tells which.
    pub viewers: u32,
    /// The last settings of this terrain that were refused: see [`SettingsRejected`](crate::SettingsRejected).
    pub refused: Option<String>,
}

/// Why land is drawn more coarsely than its settings ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Reflect)]
pub enum Coarseness {
    /// No entity is a [`TerrainViewer`](crate::TerrainViewer), and no camera is active.
    NoViewer,
    /// Chunks are still to be built, or to be taken into memory.
    Loading,
    /// Not all of it fits in [`memory_mb`](TerrainStreaming::memory_mb).
    Memory,
    /// Chunks cannot be built: see [`ChunkFailed`].
    Failed,
}

impl TerrainStats {
    /// Why land is drawn more coarsely than the settings ask for; `None` if it is not. What passes by itself comes last.
    pub fn coarseness(&self) -> Option<Coarseness> {
        if self.viewers == 0 {
            Some(Coarseness::NoViewer)
        } else if self.failed > 0 {
            Some(Coarseness::Failed)
        } else if !self.fits {
            Some(Coarseness::Memory)
        } else {
            (self.missing > 0 || self.fading || self.retuning || self.drawn_total() == 0).then_some(Coarseness::Loading)
        }
    }

    /// Chunks drawn in this frame.
    pub fn drawn_total(&self) -> u32 {
        self.drawn.iter().sum()
    }

    /// Returns whether all land around the viewers is drawn in its final form. For plants, see
    /// [`ScatterStats`](crate::scatter::ScatterStats).
    pub fn is_complete(&self) -> bool {
        let missing = self.missing
            + self.missing_detail_normals
            + self.missing_volumes
            + self.missing_textures
            + self.missing_pages;
        missing == 0 && self.drawn_total() > 0 && !self.retuning && !self.kept_back && !self.fading
    }
}

/// A chunk has been loaded, and its generation is on screen. Targets the chunk's entity.
///
/// When settings have changed, the chunks of the new generation are announced in the frame that shows it, after
/// [`ChunkRemoved`] for all of the old ones: a map by key stays correct.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub struct ChunkReady {
    /// The chunk's entity; it carries [`TerrainChunk`](crate::TerrainChunk).
    pub entity: Entity,
    /// The part of the plane that it covers.
    pub key: ChunkKey,
}

/// A chunk is about to be unloaded and its entity despawned. Targets the chunk's entity.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub struct ChunkRemoved {
    /// The chunk's entity, still alive.
    pub entity: Entity,
    /// The part of the plane that it covers.
    pub key: ChunkKey,
}

/// Why a chunk could not be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChunkFailure {
    /// The source panicked.
    #[error("the height source panicked")]
    Panic,
    /// The source returned an infinite height or NaN.
    #[error("the height source returned a height that is not finite")]
    NotFinite,
}

/// A chunk could not be built. It stays missing: coarser land is drawn in its place.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub struct ChunkFailed {
    /// The terrain's entity.
    pub entity: Entity,
    /// What the chunk would have covered.
    pub key: ChunkKey,
    /// Why it could not be built.
    pub failure: ChunkFailure,
}
