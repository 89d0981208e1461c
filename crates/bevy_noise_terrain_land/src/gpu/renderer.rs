//! Checks that a renderer exists, and that plugins were added after it.

use bevy::prelude::*;
use bevy::render::RenderApp;

/// Plugins of this crate that found a renderer when they were added.
#[derive(Resource, Default)]
struct FoundRenderer(Vec<&'static str>);

/// The error has been logged: one plugin brings others, and all are too early together.
#[derive(Resource)]
struct ToldTooEarly;

/// Whether the renderer has been added.
pub(crate) fn has_renderer(app: &App) -> bool {
    app.get_sub_app(RenderApp).is_some()
}

/// Whether the renderer has been added before the plugin of this name. If it is added later, [`error_if_too_early`]
/// reports it.
pub(crate) fn finds_renderer(app: &mut App, plugin: &'static str) -> bool {
    let found = has_renderer(app);
    if found {
        app.world_mut().get_resource_or_init::<FoundRenderer>().0.push(plugin);
    }
    found
}

/// Logs an error, once an app, if a plugin draws nothing because it was added before the renderer.
pub(crate) fn error_if_too_early(app: &mut App, plugin: &'static str) {
    if let Some(message) = too_early(app, plugin) {
        error!("{message}");
    }
}

/// The error, unless it has been told.
fn too_early(app: &mut App, plugin: &str) -> Option<String> {
    let found = app.world().get_resource::<FoundRenderer>().is_some_and(|found| found.0.contains(&plugin));
    if !has_renderer(app) || found || app.world().contains_resource::<ToldTooEarly>() {
        return None;
    }
    app.insert_resource(ToldTooEarly);
    Some(format!("{plugin} was added before the renderer and draws nothing: add it after DefaultPlugins"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoiseTerrainPlugin;
    use bevy::app::SubApp;

    #[test]
    fn a_plugin_that_was_added_too_early_says_so_once() {
        let mut early = App::new();
        early.add_plugins((MinimalPlugins, NoiseTerrainPlugin));
        assert_eq!(too_early(&mut early, "NoiseTerrainPlugin"), None, "there need be no renderer at all");
        early.insert_sub_app(RenderApp, SubApp::new());
        assert!(too_early(&mut early, "NoiseTerrainPlugin").unwrap().contains("after DefaultPlugins"));
        assert_eq!(too_early(&mut early, "TerrainSkyPlugin"), None, "one plugin brings the other");
    }
}
