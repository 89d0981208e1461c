//! The tab of the settings that are not noise: level of detail, streaming, ground, and what helps to look at them.

use bevy_egui::egui;

use super::fault::Fault;
use super::inspect::{fields, only_fields, section};
use super::layout_probe;
use crate::ground::TerrainGround;
use crate::lod::LodSettings;
use crate::preset_asset::TerrainPreset;
use crate::scatter::TerrainScatter;
use crate::sky::TerrainSky;
use crate::streaming::StreamingSettings;
use crate::water::TerrainWater;

/// Switches that belong to no world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aids {
    /// The viewers stay where they are.
    pub freeze: bool,
    /// Boxes around the chunks.
    pub bounds: bool,
}

/// Shows the tab.
pub fn ui(ui: &mut egui::Ui, world: &mut TerrainPreset, aids: &mut Aids, gizmos: bool, fault: Option<&Fault>) {
    section(ui, "Level of detail", "Level of detail", true, |ui| {
        fields(ui, "terrain.lod", &mut world.terrain.lod, &LodSettings::default(), fault);
    });
    section(ui, "Streaming", "Streaming", true, |ui| {
        fields(ui, "terrain.streaming", &mut world.terrain.streaming, &StreamingSettings::default(), fault);
    });
    let aid = |name: &str| name.starts_with("show_");
    section(ui, "Ground", "Ground", true, |ui| {
        only_fields(ui, "ground", &mut world.ground, &TerrainGround::default(), fault, |name| !aid(name));
    });
    section(ui, "Water", "Water", false, |ui| {
        optional(ui, "water", &mut world.water);
        if let Some(water) = &mut world.water {
            fields(ui, "water", water, &TerrainWater::default(), fault);
        }
    });
    section(ui, "Plants and rocks", "Plants and rocks", false, |ui| {
        optional(ui, "plants and rocks", &mut world.scatter);
        if let Some(scatter) = &mut world.scatter {
            fields(ui, "scatter", scatter, &TerrainScatter::default(), fault);
        }
    });
    if let Some(sky) = &mut world.sky {
        section(ui, "Sky and hour", "Sky and hour", false, |ui| fields(ui, "sky", sky, &TerrainSky::default(), fault));
    }
    section(ui, "Look inside", "Look inside", true, |ui| {
        only_fields(ui, "ground", &mut world.ground, &TerrainGround::default(), fault, aid);
        let bounds = ui
            .add_enabled(gizmos, egui::Checkbox::new(&mut aids.bounds, "show chunk bounds"))
            .on_hover_text("Boxes around the chunks on screen, coloured by level")
            .on_disabled_hover_text("The app has no gizmos");
        layout_probe::mark(ui.ctx(), || "aids.bounds".into(), bounds.rect);
        ui.checkbox(&mut aids.freeze, "freeze level of detail")
            .on_hover_text("The chunks stay as they are while you look at them from elsewhere");
    });
}

/// A switch for what a world may have or not.
fn optional<T: Default>(ui: &mut egui::Ui, name: &str, value: &mut Option<T>) {
    let mut there = value.is_some();
    if ui.checkbox(&mut there, name).changed() {
        *value = there.then(T::default);
    }
}
