//! An egui panel that edits every parameter live (feature `panel`).
//!
//! It only ever writes to [`NoiseTerrain`] and [`Ground`]. What you type goes into a draft; a draft that
//! is not valid is refused in words, above the fields, and the running world stays.

mod draft;
mod figures;
mod noise_tree;
mod rows;

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass, egui};

use crate::render::Ground;
use crate::terrain::{NoiseTerrain, TerrainStats};
use draft::Draft;

/// Shows a window with all parameters and figures of every terrain.
///
/// Adds [`EguiPlugin`] if the app has not. Gate your camera with
/// [`EguiWantsInput`](bevy_egui::input::EguiWantsInput), so that it rests while the pointer is in the panel.
pub struct TerrainPanelPlugin;

/// The panel's state.
#[derive(Resource)]
pub struct TerrainPanel {
    /// Is it shown?
    pub open: bool,
    drafts: HashMap<Entity, Draft>,
}

impl Default for TerrainPanel {
    fn default() -> Self {
        Self { open: true, drafts: HashMap::default() }
    }
}

impl Plugin for TerrainPanelPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        app.init_resource::<TerrainPanel>().add_systems(EguiPrimaryContextPass, show);
    }
}

fn show(
    mut contexts: EguiContexts,
    mut panel: ResMut<TerrainPanel>,
    mut terrains: Query<(Entity, Option<&Name>, &mut NoiseTerrain, &mut Ground, &TerrainStats)>,
) -> Result {
    let context = contexts.ctx_mut()?;
    let TerrainPanel { open, drafts } = panel.bypass_change_detection();
    drafts.retain(|entity, _| terrains.contains(*entity));
    for (entity, name, mut terrain, mut ground, stats) in &mut terrains {
        let draft = drafts.entry(entity).or_insert_with(|| Draft::new(&terrain));
        draft.follow(&terrain);
        let mut looks = ground.clone();
        egui::Window::new(name.map_or("Terrain", Name::as_str))
            .id(egui::Id::new(("terrain panel", entity)))
            .open(open)
            .default_pos([12.0, 12.0])
            .default_width(330.0)
            .default_height(560.0)
            .vscroll(true)
            .show(context, |ui| {
                figures::summary(ui, stats);
                draft.ui(ui);
                egui::CollapsingHeader::new("Ground").show(ui, |ui| rows::ground(ui, &mut looks));
                egui::CollapsingHeader::new("Figures").show(ui, |ui| figures::all(ui, stats));
            });
        ground.set_if_neq(looks);
        if let Some(accepted) = draft.accepted(&terrain) {
            *terrain = accepted;
        }
    }
    Ok(())
}
