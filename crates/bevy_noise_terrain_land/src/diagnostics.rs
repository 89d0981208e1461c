//! Statistics of all terrains as Bevy's diagnostics, which other tools log and plot.

use bevy::diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic};
use bevy::prelude::*;

use crate::plugin::TerrainSystems;
use crate::terrain::TerrainStats;

/// Measures all terrains together as diagnostics of Bevy; each one's [`TerrainStats`] has more.
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// use bevy::diagnostic::LogDiagnosticsPlugin;
/// use bevy::prelude::*;
/// use bevy_noise_terrain::TerrainDiagnosticsPlugin;
/// use bevy_noise_terrain::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin))
///     .add_plugins((TerrainDiagnosticsPlugin, LogDiagnosticsPlugin::default()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainDiagnosticsPlugin;

impl TerrainDiagnosticsPlugin {
    /// Chunks drawn.
    pub const DRAWN: DiagnosticPath = DiagnosticPath::const_new("terrain/drawn");
    /// Chunks in memory.
    pub const LOADED: DiagnosticPath = DiagnosticPath::const_new("terrain/loaded");
    /// Wanted chunks that are not in memory yet.
    pub const MISSING: DiagnosticPath = DiagnosticPath::const_new("terrain/missing");
    /// Chunks that could not be built, since their terrains were spawned.
    pub const FAILED: DiagnosticPath = DiagnosticPath::const_new("terrain/failed");
    /// Viewers, counted once for each terrain.
    pub const VIEWERS: DiagnosticPath = DiagnosticPath::const_new("terrain/viewers");
    /// The least detail that fits in memory.
    pub const DETAIL: DiagnosticPath = DiagnosticPath::const_new("terrain/detail");
    /// Milliseconds of the main thread for streaming in this frame.
    pub const MAIN_MS: DiagnosticPath = DiagnosticPath::const_new("terrain/main_ms");
    /// Milliseconds of one core for a chunk, those of the terrain with the dearest.
    pub const CHUNK_MS: DiagnosticPath = DiagnosticPath::const_new("terrain/chunk_ms");
}

impl Plugin for TerrainDiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        for path in [Self::DRAWN, Self::LOADED, Self::MISSING, Self::FAILED, Self::VIEWERS, Self::DETAIL] {
            app.register_diagnostic(Diagnostic::new(path).with_smoothing_factor(0.0));
        }
        for path in [Self::MAIN_MS, Self::CHUNK_MS] {
            app.register_diagnostic(Diagnostic::new(path).with_suffix("ms"));
        }
        app.add_systems(PostUpdate, measure.after(TerrainSystems::Report));
    }
}

fn measure(mut diagnostics: Diagnostics, terrains: Query<&TerrainStats>) {
    type Of = TerrainDiagnosticsPlugin;
    let sum = |of: fn(&TerrainStats) -> f64| terrains.iter().map(of).sum();
    diagnostics.add_measurement(&Of::DRAWN, || sum(|stats| stats.drawn_total().into()));
    diagnostics.add_measurement(&Of::LOADED, || sum(|stats| stats.loaded.into()));
    diagnostics.add_measurement(&Of::MISSING, || sum(|stats| stats.missing.into()));
    diagnostics.add_measurement(&Of::FAILED, || sum(|stats| stats.failed as f64));
    diagnostics.add_measurement(&Of::VIEWERS, || sum(|stats| stats.viewers.into()));
    diagnostics.add_measurement(&Of::MAIN_MS, || sum(|stats| stats.main_ms.into()));
    let dearest = || terrains.iter().map(|stats| f64::from(stats.chunk_ms)).fold(0.0, f64::max);
    diagnostics.add_measurement(&Of::CHUNK_MS, dearest);
    if !terrains.is_empty() {
        let least = || terrains.iter().map(|stats| stats.detail).fold(f64::INFINITY, f64::min);
        diagnostics.add_measurement(&Of::DETAIL, least);
    }
}

#[cfg(test)]
mod tests {
    use bevy::diagnostic::DiagnosticsStore;

    use super::*;
    use crate::prelude::*;
    use crate::terrain::Coarseness;

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin, TerrainDiagnosticsPlugin))
            .insert_resource(crate::SpawnNoTerrain);
        app
    }

    fn value(app: &App, path: &DiagnosticPath) -> Option<f64> {
        app.world().resource::<DiagnosticsStore>().get(path).unwrap().value()
    }

    #[test]
    fn diagnostics_are_those_of_all_terrains() {
        let mut app = app();
        app.update();
        assert_eq!(value(&app, &TerrainDiagnosticsPlugin::DETAIL), None);
        let small = || NoiseTerrain { lod: TerrainLod { view_distance: 500.0, ..default() }, ..default() };
        let terrains = [0.0, 5_000.0].map(|y| app.world_mut().spawn((small(), Transform::from_xyz(0.0, y, 0.0))).id());
        app.world_mut().spawn(TerrainViewer);
        for _ in 0..30 {
            app.update();
        }
        let stats = terrains.map(|terrain| app.world().get::<TerrainStats>(terrain).unwrap().clone());
        let loaded = f64::from(stats[0].loaded + stats[1].loaded);
        assert!(loaded > 8.0 && value(&app, &TerrainDiagnosticsPlugin::LOADED) == Some(loaded), "{loaded}");
        assert_eq!(value(&app, &TerrainDiagnosticsPlugin::VIEWERS), Some(2.0));
        assert_eq!(value(&app, &TerrainDiagnosticsPlugin::DETAIL), Some(4.0));
    }

    #[test]
    fn statistics_tell_why_land_is_coarse_and_what_was_refused() {
        let mut app = app();
        let lod = TerrainLod { view_distance: 2_000.0, detail: 8.0, ..default() };
        let mut land = NoiseTerrain { lod, ..default() };
        land.streaming.memory_mb = 16;
        let terrain = app.world_mut().spawn(land).id();
        let stats = |app: &App| app.world().get::<TerrainStats>(terrain).unwrap().clone();
        app.update();
        assert_eq!((stats(&app).coarseness(), stats(&app).viewers), (Some(Coarseness::NoViewer), 0));
        app.world_mut().spawn(TerrainViewer);
        app.update();
        app.update();
        assert_eq!(stats(&app).coarseness(), Some(Coarseness::Memory), "{:?}", stats(&app));
        app.world_mut().get_mut::<NoiseTerrain>(terrain).unwrap().streaming.memory_mb = 512;
        app.update();
        app.update();
        assert_eq!(stats(&app).coarseness(), Some(Coarseness::Loading));
        for _ in 0..10_000 {
            app.update();
            if stats(&app).coarseness().is_none() {
                break;
            }
            std::thread::yield_now();
        }
        assert_eq!((stats(&app).coarseness(), stats(&app).refused), (None, None));
        app.world_mut().get_mut::<NoiseTerrain>(terrain).unwrap().lod.spacing = -1.0;
        app.update();
        let refused = "terrain.lod.spacing: found -1, allowed is 0.01 to 1000 m";
        assert_eq!(stats(&app).refused.as_deref(), Some(refused));
    }
}
