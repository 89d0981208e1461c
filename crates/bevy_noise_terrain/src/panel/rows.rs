//! The settings that are not noise.

use std::ops::RangeInclusive;

use bevy::prelude::*;
use bevy_egui::egui;

use crate::lod::LodSettings;
use crate::render::Ground;
use crate::streaming::StreamingSettings;

fn slider<N: egui::emath::Numeric>(
    ui: &mut egui::Ui,
    name: &str,
    help: &str,
    unit: &str,
    value: &mut N,
    range: RangeInclusive<N>,
) {
    ui.horizontal(|ui| {
        let slider = egui::Slider::new(value, range).clamping(egui::SliderClamping::Never).suffix(unit);
        ui.add(slider).on_hover_text(help);
        ui.label(name).on_hover_text(help);
    });
}

pub fn lod(ui: &mut egui::Ui, lod: &mut LodSettings) {
    slider(ui, "spacing", "Distance between the finest vertices", " m", &mut lod.spacing, 0.25..=16.0);
    slider(ui, "view distance", "How far the land reaches", " m", &mut lod.view_distance, 1_000.0..=60_000.0);
    slider(ui, "detail", "How far each level reaches, in widths of its chunks", "", &mut lod.detail, 4.0..=12.0);
}

pub fn streaming(ui: &mut egui::Ui, streaming: &mut StreamingSettings) {
    slider(
        ui,
        "memory",
        "Vertices in memory at most; a change begins the terrain anew",
        " MB",
        &mut streaming.memory_mb,
        16..=1_024,
    );
    slider(ui, "upload", "Vertices that may enter the world in a frame", " MB", &mut streaming.upload_mb, 1..=64);
    slider(
        ui,
        "lookahead",
        "How far ahead of a moving viewer chunks are loaded",
        " s",
        &mut streaming.lookahead,
        0.0..=5.0,
    );
    slider(ui, "growth", "Time in which new detail morphs in", " s", &mut streaming.grow_seconds, 0.0..=5.0);
    slider(
        ui,
        "retune",
        "Time changed settings may take to gain detail unseen",
        " s",
        &mut streaming.retune_seconds,
        0.0..=1.0,
    );
}

pub fn ground(ui: &mut egui::Ui, ground: &mut Ground) {
    for (name, color) in
        [("low", &mut ground.low), ("high", &mut ground.high), ("rock", &mut ground.rock), ("snow", &mut ground.snow)]
    {
        ui.horizontal(|ui| {
            let Srgba { red, green, blue, .. } = color.to_srgba();
            let mut rgb = [red, green, blue];
            if ui.color_edit_button_rgb(&mut rgb).changed() {
                *color = Color::srgb_from_array(rgb);
            }
            ui.label(name);
        });
    }
    slider(ui, "tree line", "Where low ground gives way to high", " m", &mut ground.tree_line, -500.0..=4_000.0);
    slider(ui, "snow line", "Where snow begins to lie", " m", &mut ground.snow_line, -500.0..=6_000.0);
    slider(ui, "rock from", "Slope at which rock begins to show", " rad", &mut ground.rock_from, 0.0..=1.5);
    slider(ui, "rock full", "Slope from which all is rock", " rad", &mut ground.rock_full, 0.0..=1.5);
    ui.checkbox(&mut ground.show_levels, "tint by level of detail");
}
