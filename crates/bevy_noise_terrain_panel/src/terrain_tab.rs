//! The terrain tab: all settings other than noise (level of detail, streaming, ground, …), and debug views.

use bevy_egui::egui;
use bevy_noise_terrain::ground::TerrainGround;
use bevy_noise_terrain::quality::{QualityInUse, QualityLevers, TerrainQuality};
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
    /// The quality of the app, and that in use; `None` without a renderer.
    pub quality: Option<(TerrainQuality, QualityInUse)>,
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
    if let Some((asked, in_use)) = &mut aids.quality {
        section(ui, "Quality", "Quality", false, |ui| quality(ui, asked, in_use, fault));
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

/// Chooses a quality, which is no part of the world.
fn quality(ui: &mut egui::Ui, asked: &mut TerrainQuality, in_use: &QualityInUse, fault: Option<&Fault>) {
    let choices = [
        TerrainQuality::Auto,
        TerrainQuality::Low,
        TerrainQuality::Medium,
        TerrainQuality::High,
        TerrainQuality::Ultra,
        TerrainQuality::Custom(in_use.levers),
    ];
    egui::ComboBox::from_id_salt("quality").selected_text(name(asked)).show_ui(ui, |ui| {
        for choice in choices {
            // Levers of one's own stay as they are.
            if ui.selectable_label(name(&choice) == name(asked), name(&choice)).clicked()
                && name(&choice) != name(asked)
            {
                *asked = choice;
            }
        }
    });
    match asked {
        TerrainQuality::Auto => {
            ui.label(format!("in use: {}", name(&in_use.quality)));
        }
        TerrainQuality::Custom(levers) => fields(ui, "quality", levers, &QualityLevers::default(), fault),
        _ => {}
    }
}

fn name(quality: &TerrainQuality) -> &'static str {
    match quality {
        TerrainQuality::Auto => "automatic",
        TerrainQuality::Low => "low",
        TerrainQuality::Medium => "medium",
        TerrainQuality::High => "high",
        TerrainQuality::Ultra => "ultra",
        TerrainQuality::Custom(_) => "custom",
    }
}

/// A switch for an optional part of a world.
fn optional<T: Default>(ui: &mut egui::Ui, name: &str, value: &mut Option<T>) {
    let mut present = value.is_some();
    if ui.checkbox(&mut present, name).changed() {
        *value = present.then(T::default);
    }
}
