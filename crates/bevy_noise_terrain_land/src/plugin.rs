//! The plugins, and the order of their systems.

use bevy::app::MainScheduleOrder;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;

use crate::chunk::TerrainChunk;
use crate::edits::{Hole, TerrainHoles};
use crate::spawn_order::{SpawnOrder, Spawned};
use crate::streaming::{self, AwaitTerrain, TerrainState};
use crate::terrain::{self, NoiseTerrain, TerrainOrigin, TerrainStats};
use crate::viewer::{FreezeViewers, TerrainViewer};
use crate::volumes::{TerrainVolume, TerrainVolumes, VolumeScatter};

/// Infinite terrain: adds the plugins of all enabled features. Each is idle until its component exists. Those with a feature
/// in brackets draw only with it, and tell what is there without.
///
/// | feature | plugin | component |
/// |---|---|---|
/// | always | [`TerrainStreamingPlugin`] | [`NoiseTerrain`] |
/// | always | [`TerrainWindPlugin`](crate::wind::TerrainWindPlugin) | |
/// | `presets` | [`TerrainPresetPlugin`](crate::TerrainPresetPlugin) | [`BoundPreset`](crate::BoundPreset) |
/// | `presets` | [`TerrainAutosavePlugin`](crate::TerrainAutosavePlugin) | [`TerrainAutosave`](crate::TerrainAutosave) |
/// | `render` | [`TerrainRenderPlugin`](crate::render::TerrainRenderPlugin) | |
/// | (`ground`) | [`TerrainGroundPlugin`](crate::ground::TerrainGroundPlugin) | [`TerrainGround`](crate::ground::TerrainGround) |
/// | (`scatter`) | [`TerrainScatterPlugin`](crate::scatter::TerrainScatterPlugin) | [`TerrainScatter`](crate::scatter::TerrainScatter) |
/// | (`water`) | [`TerrainWaterPlugin`](crate::water::TerrainWaterPlugin) | [`TerrainWater`](crate::water::TerrainWater) |
/// | `sky` | [`TerrainSkyPlugin`](crate::sky::TerrainSkyPlugin) | [`TerrainSun`](crate::sky::TerrainSun), [`TerrainSkyView`](crate::sky::TerrainSkyView) |
///
/// To leave a part out, disable its feature, or add the other plugins one by one instead of this one.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoiseTerrainPlugin;

impl Plugin for NoiseTerrainPlugin {
    fn build(&self, app: &mut App) {
        add(app, TerrainStreamingPlugin);
        add(app, crate::wind::TerrainWindPlugin);
        #[cfg(feature = "presets")]
        {
            add(app, crate::TerrainPresetPlugin);
            add(app, crate::TerrainAutosavePlugin);
        }
        #[cfg(feature = "render")]
        add(app, crate::render::TerrainRenderPlugin);
        add(app, crate::ground::TerrainGroundPlugin);
        add(app, crate::scatter::TerrainScatterPlugin);
        add(app, crate::water::TerrainWaterPlugin);
        #[cfg(feature = "sky")]
        add(app, crate::sky::TerrainSkyPlugin);
    }
}

/// Adds a plugin unless the app has added it already.
fn add<P: Plugin>(app: &mut App, part: P) {
    if !app.is_plugin_added::<P>() {
        app.add_plugins(part);
    }
}

/// Streams terrain around viewers and answers [`TerrainQuery`](crate::TerrainQuery): all that a server needs.
///
/// Spawns a default [`NoiseTerrain`] after [`Startup`] if the app has spawned none; insert
/// [`SpawnNoTerrain`] to keep the world empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainStreamingPlugin;

/// Runs between [`Startup`] and [`PostStartup`]: an app that has spawned no terrain gets its default one.
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SpawnDefaultTerrain;

/// Prevents the default terrain: insert this resource before the first update if terrains are spawned later, or never.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct SpawnNoTerrain;

/// The terrain's systems, in the order in which they run: in [`PostUpdate`], before transforms
/// are propagated. Move cameras before [`TerrainSystems::View`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TerrainSystems {
    /// Validates and applies changed settings.
    Apply,
    /// Creates vertex pools (feature `render`).
    Open,
    /// Finds the viewers.
    View,
    /// Adds finished chunks.
    Receive,
    /// Selects the drawn generation and its drawn set.
    Select,
    /// Requests missing chunks as jobs.
    Request,
    /// Shows and hides chunks (feature `render`).
    Show,
    /// Updates [`TerrainStats`].
    Report,
}

impl Plugin for TerrainStreamingPlugin {
    fn build(&self, app: &mut App) {
        use TerrainSystems::{Apply, Open, Receive, Report, Request, Select, Show, View};
        app.init_resource::<Spawned>();
        terrain::require::<SpawnOrder>(app);
        terrain::require::<TerrainState>(app);
        terrain::require::<streaming::SoundOrigin>(app);
        app.register_type::<NoiseTerrain>()
            .register_type::<TerrainOrigin>()
            .register_type::<TerrainStats>()
            .register_type::<TerrainViewer>()
            .register_type::<FreezeViewers>()
            .register_type::<TerrainChunk>()
            .register_type::<AwaitTerrain>()
            .register_type::<TerrainHoles>()
            .register_type::<Hole>()
            .register_type::<TerrainVolumes>()
            .register_type::<VolumeScatter>()
            .register_type::<TerrainVolume>()
            .configure_sets(
                PostUpdate,
                (Apply, Open, View, Receive, Select, Request, Show, Report).chain().before(TransformSystems::Propagate),
            )
            .add_observer(streaming::on_despawn)
            .add_observer(streaming::on_insert)
            .add_observer(streaming::on_lost_chunk)
            .add_observer(streaming::on_rejected)
            .add_observer(streaming::on_remove)
            .init_schedule(SpawnDefaultTerrain)
            .add_systems(SpawnDefaultTerrain, spawn_default)
            .add_systems(
                PostUpdate,
                (
                    (streaming::check_origins, streaming::apply_settings).in_set(Apply),
                    streaming::find_viewers.in_set(View),
                    streaming::receive.in_set(Receive),
                    streaming::select.in_set(Select),
                    streaming::request.in_set(Request),
                    (streaming::report, streaming::tell_of_ready_land, streaming::warn_of_slow_build)
                        .chain()
                        .in_set(Report),
                ),
            );
        // Before PostStartup, so that systems there can already query heights.
        app.world_mut().resource_mut::<MainScheduleOrder>().insert_startup_after(Startup, SpawnDefaultTerrain);
    }
}

fn spawn_default(mut commands: Commands, terrains: Query<(), With<NoiseTerrain>>, empty: Option<Res<SpawnNoTerrain>>) {
    if terrains.is_empty() && empty.is_none() {
        commands.spawn((Name::new("Terrain"), NoiseTerrain::default()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terrains_spawned_before_the_plugin_are_streamed_too() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin));
        let early = app.world_mut().spawn(NoiseTerrain::default()).id();
        app.world_mut().spawn(TerrainViewer);
        app.add_plugins(NoiseTerrainPlugin);
        app.update();
        let late = app.world_mut().spawn(NoiseTerrain { seed: 2, ..default() }).id();
        app.update();
        for terrain in [early, late] {
            assert!(app.world().get::<TerrainStats>(terrain).unwrap().drawn_total() > 0, "{terrain} is drawn");
        }
        assert!(app.world().get::<crate::ground::TerrainGround>(early).is_some());
    }
}
