//! Infinite procedural terrain: height-field chunks that stream around the camera without end.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_noise_terrain::prelude::*;
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, NoiseTerrainPlugin, TerrainSkyPlugin))
//!     .add_systems(Startup, |mut commands: Commands| {
//!         commands.spawn(TerrainSun::default());
//!         commands.spawn((TerrainSkyView::default(), Transform::from_xyz(0.0, 1_500.0, 0.0)));
//!     })
//!     .run();
//! ```
//!
//! * [`NoiseTerrain`] is a component with every setting. Spawn it yourself to choose them; if none
//!   exists after [`Startup`], the plugin spawns the default one. Mutate it at any time: a new world is
//!   built behind the old one and takes its place in one frame.
//! * [`TerrainViewer`] marks whom the land is detailed around; without one, every active 3D camera.
//! * [`TerrainQuery`] tells height, normal and ray hits anywhere, loaded or not.
//! * [`ChunkReady`] and [`ChunkRemoved`] are events on chunk entities, for grass, colliders, navigation.
//! * [`TerrainSource`] puts any other [`HeightSource`] in the place of the noise.
//! * [`TerrainOrigin`] keeps the scene precise far away from zero.
//!
//! # How it works
//!
//! Data flows one way, in the order of [`TerrainSystems`]: settings make a *generation*; viewers and the
//! chunks that are there make the effective ranges of each level ([`lod`]); these make the set of drawn
//! chunks; what is wanted and not there becomes jobs on the task pools, which sample a chunk's own grid and its
//! parent's ([`mesh`]); finished chunks enter under a budget. Every vertex morphs towards its parent's
//! surface with distance, in every pass, so that levels meet without cracks and change without pops.
//!
//! # Features
//!
//! * `render` (default): draws the terrain. Without it the plugin needs no GPU and no window, and a
//!   server gets the same heights, bit for bit.
//! * `presets` (default): [`TerrainPreset`], a world as an asset; edit its file, and the world changes.
//! * `export`: regions as 16-bit PNG, OBJ and glTF files.
//! * `picking`: [`TerrainPickingPlugin`](picking::TerrainPickingPlugin), land under the pointer for `bevy_picking`.
//! * `panel`: an egui panel that edits every parameter live.

pub mod chunk;
#[cfg(feature = "export")]
pub mod export;
mod hint;
pub mod lod;
pub mod mesh;
#[cfg(feature = "panel")]
pub mod panel;
#[cfg(feature = "picking")]
pub mod picking;
#[cfg(feature = "presets")]
mod preset_asset;
pub mod presets;
mod query;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "render")]
pub mod scatter;
#[cfg(feature = "render")]
pub mod sky;
mod source;
mod streaming;
mod tasks;
mod terrain;
pub mod uniforms;
pub mod validation;
mod viewer;
#[cfg(feature = "render")]
pub mod water;

pub use chunk::{ChunkKey, TerrainChunk};
#[cfg(feature = "presets")]
pub use preset_asset::{BoundPreset, PresetError, TerrainPreset};
pub use query::{Surface, SurfaceHit, TerrainQuery};
pub use source::{HeightSource, TerrainSource};
pub use streaming::{StreamingError, StreamingSettings, TerrainState};
pub use terrain::{
    ChunkFailed, ChunkFailure, ChunkReady, ChunkRemoved, NoiseTerrain, TerrainError, TerrainOrigin, TerrainRejected,
    TerrainStats,
};
pub use terrain_noise;
pub use viewer::{FreezeViewers, MAX_VIEWERS, TerrainViewer};

use bevy::app::MainScheduleOrder;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;

/// What most apps need.
pub mod prelude {
    #[cfg(feature = "panel")]
    pub use crate::panel::{PanelTab, TerrainPanel, TerrainPanelPlugin, TerrainTravel};
    #[cfg(feature = "render")]
    pub use crate::render::{GroundLayer, LayerSpan, TerrainGround};
    #[cfg(feature = "render")]
    pub use crate::scatter::{ScatterKind, ScatterPatches, ScatterShape, TerrainScatter};
    #[cfg(feature = "render")]
    pub use crate::sky::{TerrainSky, TerrainSkyPlugin, TerrainSkyView, TerrainSun};
    #[cfg(feature = "render")]
    pub use crate::water::TerrainWater;
    #[cfg(feature = "presets")]
    pub use crate::{BoundPreset, TerrainPreset};
    pub use crate::{
        ChunkFailed, ChunkKey, ChunkReady, ChunkRemoved, HeightSource, NoiseTerrain, NoiseTerrainPlugin, TerrainChunk,
        TerrainOrigin, TerrainQuery, TerrainRejected, TerrainSource, TerrainStats, TerrainSystems, TerrainViewer,
        lod::LodSettings,
        streaming::StreamingSettings,
        terrain_noise::{Compose, Noise, constant, perlin, seed_from_str, simplex, value},
    };
}

/// Streams terrain around the viewers of an app, and draws it where there is a renderer.
///
/// Spawns a default [`NoiseTerrain`] after [`Startup`] if the app has spawned none; insert
/// [`SpawnNoTerrain`] to keep the world empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoiseTerrainPlugin;

/// Runs between [`Startup`] and [`PostStartup`]: an app that has spawned no terrain gets its default one.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SpawnDefaultTerrain;

/// Insert this resource before the first update if terrains are to be spawned later, or never.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct SpawnNoTerrain;

/// The stages of a terrain's frame, in the order in which they run: in [`PostUpdate`], before transforms
/// are propagated. Move cameras before [`TerrainSystems::View`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TerrainSystems {
    /// Changed settings are taken over or refused.
    Apply,
    /// Room is made for vertices (feature `render`).
    Open,
    /// Viewers are found.
    View,
    /// Finished chunks enter the world.
    Receive,
    /// The generation on screen and its drawn chunks are chosen.
    Select,
    /// Missing chunks become jobs.
    Request,
    /// Chunks appear and vanish (feature `render`).
    Show,
    /// [`TerrainStats`] are renewed.
    Report,
}

impl Plugin for NoiseTerrainPlugin {
    fn build(&self, app: &mut App) {
        use TerrainSystems::{Apply, Open, Receive, Report, Request, Select, Show, View};
        app.register_type::<NoiseTerrain>()
            .register_type::<TerrainOrigin>()
            .register_type::<TerrainStats>()
            .register_type::<TerrainViewer>()
            .register_type::<FreezeViewers>()
            .register_type::<TerrainChunk>()
            .configure_sets(
                PostUpdate,
                (Apply, Open, View, Receive, Select, Request, Show, Report).chain().before(TransformSystems::Propagate),
            )
            .add_observer(streaming::on_despawn)
            .add_observer(streaming::on_remove)
            .init_schedule(SpawnDefaultTerrain)
            .add_systems(SpawnDefaultTerrain, spawn_default)
            .add_systems(
                PostUpdate,
                (
                    streaming::apply_settings.in_set(Apply),
                    viewer::find_viewers.in_set(View),
                    streaming::receive.in_set(Receive),
                    streaming::select.in_set(Select),
                    streaming::request.in_set(Request),
                    (streaming::report, streaming::warn_of_slow_build).chain().in_set(Report),
                ),
            );
        // What runs in PostStartup can already ask for heights.
        app.world_mut().resource_mut::<MainScheduleOrder>().insert_startup_after(Startup, SpawnDefaultTerrain);
        #[cfg(feature = "presets")]
        app.add_plugins(preset_asset::PresetPlugin);
        #[cfg(feature = "render")]
        app.add_plugins((render::TerrainRenderPlugin, scatter::ScatterPlugin));
    }
}

fn spawn_default(mut commands: Commands, terrains: Query<(), With<NoiseTerrain>>, empty: Option<Res<SpawnNoTerrain>>) {
    if terrains.is_empty() && empty.is_none() {
        commands.spawn((Name::new("Terrain"), NoiseTerrain::default()));
    }
}
