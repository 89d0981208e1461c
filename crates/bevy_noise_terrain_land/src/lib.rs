//! The land of `bevy_noise_terrain`, and what draws it. Apps depend on `bevy_noise_terrain`, which adds the panel and the guide; its
//! documentation describes how all of this works.
//!
//! # Features
//!
//! Those of `bevy_noise_terrain`, none of them on by default.

mod change_log;
mod chunk;
mod climate;
mod diagnostics;
pub mod edits;
#[cfg(feature = "export")]
pub mod export;
#[cfg(any(feature = "export", feature = "presets"))]
mod files;
#[cfg(feature = "render")]
mod gpu;
pub mod ground;
mod layers;
mod lod;
mod mesh;
mod named_list;
mod patches;
#[cfg(feature = "picking")]
pub mod picking;
mod plugin;
#[cfg(feature = "presets")]
mod preset_asset;
pub mod presets;
#[cfg(feature = "render")]
pub mod quality;
mod query;
mod random;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "presets")]
mod save;
pub mod scatter;
mod settings;
#[cfg(feature = "sky")]
pub mod sky;
mod source;
mod span;
mod spawn_order;
mod streaming;
mod tasks;
mod terrain;
pub mod tiles;
#[cfg(any(feature = "render", feature = "validation"))]
mod uniforms;
#[cfg(feature = "validation")]
pub mod validation;
mod viewer;
pub mod volumes;
pub mod water;
pub mod wind;

pub use change_log::Revision;
pub use chunk::{CHUNK_QUADS, CHUNK_VERTICES, ChunkKey, MAX_LEVEL, Square, TerrainChunk};
pub use climate::{Biome, Climate, TerrainClimate};
pub use diagnostics::TerrainDiagnosticsPlugin;
pub use lod::{Ranges, TerrainLod, Viewer};
pub use mesh::{Shade, Vertex};
pub use patches::TerrainPatches;
pub use plugin::{NoiseTerrainPlugin, SpawnNoTerrain, TerrainStreamingPlugin, TerrainSystems};
#[cfg(feature = "presets")]
pub use preset_asset::{BoundPreset, PresetError, TerrainPreset, TerrainPresetPlugin};
pub use query::{Surface, SurfaceHit, SurfacePoint, TerrainQuery};
#[cfg(feature = "presets")]
pub use save::{
    SaveError, SaveErrorReason, SaveReplay, TerrainAutosave, TerrainAutosavePlugin, TerrainLoaded, TerrainSave,
    TerrainSaveFailed, TerrainSaved,
};
pub use settings::{SettingsError, SettingsRejected};
pub use source::{HeightSource, TerrainSource};
pub use streaming::{AwaitTerrain, DrawnChunks, LandChanged, Readiness, TerrainReady, TerrainState};
pub use terrain::{
    ChunkFailed, ChunkFailure, ChunkReady, ChunkRemoved, Coarseness, NoiseTerrain, TerrainOrigin, TerrainStats,
    TerrainStreaming,
};
pub use terrain_noise;
pub use viewer::{FreezeViewers, MAX_VIEWERS, TerrainViewer, TerrainViewers};

/// What the crates of this workspace share beyond the public names. It may change in any version.
#[doc(hidden)]
pub mod internal {
    pub use crate::climate::{ClimateField, Site};
    pub use crate::edits::path::segments;
    #[cfg(any(feature = "export", feature = "presets"))]
    pub use crate::files::replace as replace_file;
    pub use crate::layers::MAX_LAYERS;
    #[cfg(feature = "render")]
    pub use crate::query::LandFrame;
    pub use crate::settings::{Settings, SliderRange, param_info, range_text, settings, trimmed, validate};
}

/// What most apps need, by names that are hardly another crate's. The rest is at the root of this crate, and what
/// noises are built from in [`terrain_noise::prelude`].
pub mod prelude {
    #[cfg(feature = "presets")]
    pub use crate::TerrainPreset;
    pub use crate::ground::{GroundLayer, LayerSpan, TerrainGround};
    #[cfg(feature = "render")]
    pub use crate::quality::TerrainQuality;
    pub use crate::scatter::{ScatterKind, ScatterShape, TerrainScatter};
    #[cfg(feature = "sky")]
    pub use crate::sky::{TerrainSky, TerrainSkyPlugin, TerrainSkyView, TerrainSun};
    pub use crate::water::TerrainWater;
    pub use crate::wind::{TerrainWind, Wind};
    pub use crate::{
        HeightSource, NoiseTerrain, NoiseTerrainPlugin, TerrainChunk, TerrainClimate, TerrainLod, TerrainOrigin,
        TerrainPatches, TerrainQuery, TerrainSource, TerrainStats, TerrainStreaming, TerrainSystems, TerrainViewer,
    };
}
