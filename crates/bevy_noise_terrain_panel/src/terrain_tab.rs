//! The terrain tab: all settings other than noise (level of detail, streaming, ground, …), and debug views.

use bevy_egui::egui;
use bevy_noise_terrain::ground::TerrainGround;
use bevy_noise_terrain::scatter::TerrainScatter;
use bevy_noise_terrain::sky::TerrainSky;
use bevy_noise_terrain::volumes::VolumeScatter;
use bevy_noise_terrain::water::TerrainWater;
use bevy_noise_terrain::wind::TerrainWind;
use bevy_noise_terrain::{TerrainClimate, TerrainLod, TerrainPreset, TerrainStreaming};

use super::fault::Fault;
use super::inspect::{fields, only_fields, section};
use super::layout_probe;

/// Switches that are not part of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aids {
    /// Freeze the viewers: see [`FreezeViewers`](bevy_noise_terrain::FreezeViewers).
    pub freeze: bool,
    /// Boxes around the chunks.
    pub bounds: bool,
}

/// Shows the tab.
pub fn ui(ui: &mut egui::Ui, world: &mut TerrainPreset, aids: &mut Aids, gizmos: bool, fault: Option<&Fault>) {
    section(ui, "Level of detail", "Level of detail", true, |ui| {
        fields(ui, "terrain.lod", &mut world.terrain.lod, &TerrainLod::default(), fault);
    });
    section(ui, "Streaming", "Streaming", true, |ui| {
        fields(ui, "terrain.streaming", &mut world.terrain.streaming, &TerrainStreaming::default(), fault);
    });
    section(ui, "Climate", "Climate", true, |ui| {
        fields(ui, "terrain.climate", &mut world.terrain.climate, &TerrainClimate::default(), fault);
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
    section(ui, "Caves and floating rocks", "Caves and floating rocks", false, |ui| {
        optional(ui, "caves and floating rocks", &mut world.volumes);
        if let Some(volumes) = &mut world.volumes {
            fields(ui, "volumes", volumes, &VolumeScatter::default(), fault);
        }
    });
    if let Some(wind) = &mut world.wind {
        section(ui, "Wind", "Wind", false, |ui| {
            fields(ui, "wind", wind, &TerrainWind::default(), fault);
        });
    }
    if let Some(sky) = &mut world.sky {
        section(ui, "Sky and time of day", "Sky and time of day", false, |ui| {
            fields(ui, "sky", sky, &TerrainSky::default(), fault);
        });
    }
    section(ui, "Debug views", "Debug views", true, |ui| {
        only_fields(ui, "ground", &mut world.ground, &TerrainGround::default(), fault, aid);
        let bounds = ui
            .add_enabled(gizmos, egui::Checkbox::new(&mut aids.bounds, "show chunk bounds"))
            .on_hover_text("Boxes around the drawn chunks, coloured by level")
            .on_disabled_hover_text("The app has no gizmos");
        layout_probe::mark(ui.ctx(), || "aids.bounds".into(), bounds.rect);
        ui.checkbox(&mut aids.freeze, "freeze level of detail")
            .on_hover_text("Keep the current chunks while the camera moves");
    });
}

/// A switch for an optional part of a world.
fn optional<T: Default>(ui: &mut egui::Ui, name: &str, value: &mut Option<T>) {
    let mut present = value.is_some();
    if ui.checkbox(&mut present, name).changed() {
        *value = present.then(T::default);
    }
}
