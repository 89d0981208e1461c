//! The plugins, and the order in which a terrain's frame runs.

use bevy::app::MainScheduleOrder;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;

use crate::chunk::TerrainChunk;
use crate::terrain::{NoiseTerrain, TerrainOrigin, TerrainStats};
use crate::viewer::{FreezeViewers, TerrainViewer};
use crate::{streaming, viewer};

/// Endless terrain: all that the features of this crate name. Each part waits for its component and is idle without.
///
/// | feature | plugin | waits for |
/// |---|---|---|
/// | always | [`TerrainStreamingPlugin`] | [`NoiseTerrain`] |
/// | `presets` | [`TerrainPresetPlugin`](crate::TerrainPresetPlugin) | [`BoundPreset`](crate::BoundPreset) |
/// | `render` | [`TerrainRenderPlugin`](crate::render::TerrainRenderPlugin) | |
/// | `ground` | [`TerrainGroundPlugin`](crate::ground::TerrainGroundPlugin) | [`TerrainGround`](crate::ground::TerrainGround) |
/// | `scatter` | [`TerrainScatterPlugin`](crate::scatter::TerrainScatterPlugin) | [`TerrainScatter`](crate::scatter::TerrainScatter) |
/// | `water` | [`TerrainWaterPlugin`](crate::water::TerrainWaterPlugin) | [`TerrainWater`](crate::water::TerrainWater) |
/// | `sky` | [`TerrainSkyPlugin`](crate::sky::TerrainSkyPlugin) | [`TerrainSun`](crate::sky::TerrainSun), [`TerrainSkyView`](crate::sky::TerrainSkyView) |
///
/// To leave a part out, switch its feature off, or add the others one by one instead of this plugin.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoiseTerrainPlugin;

impl Plugin for NoiseTerrainPlugin {
    fn build(&self, app: &mut App) {
        add(app, TerrainStreamingPlugin);
        #[cfg(feature = "presets")]
        add(app, crate::TerrainPresetPlugin);
        #[cfg(feature = "render")]
        add(app, crate::render::TerrainRenderPlugin);
        #[cfg(feature = "ground")]
        add(app, crate::ground::TerrainGroundPlugin);
        #[cfg(feature = "scatter")]
        add(app, crate::scatter::TerrainScatterPlugin);
        #[cfg(feature = "water")]
        add(app, crate::water::TerrainWaterPlugin);
        #[cfg(feature = "sky")]
        add(app, crate::sky::TerrainSkyPlugin);
    }
}

/// Adds a part that the app may have added by itself.
fn add<P: Plugin>(app: &mut App, part: P) {
    if !app.is_plugin_added::<P>() {
        app.add_plugins(part);
    }
}

/// Streams terrain around the viewers of an app, and answers for its heights: all that a server needs.
///
/// Spawns a default [`NoiseTerrain`] after [`Startup`] if the app has spawned none; insert
/// [`SpawnNoTerrain`] to keep the world empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainStreamingPlugin;

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

impl Plugin for TerrainStreamingPlugin {
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
    }
}

fn spawn_default(mut commands: Commands, terrains: Query<(), With<NoiseTerrain>>, empty: Option<Res<SpawnNoTerrain>>) {
    if terrains.is_empty() && empty.is_none() {
        commands.spawn((Name::new("Terrain"), NoiseTerrain::default()));
    }
}
