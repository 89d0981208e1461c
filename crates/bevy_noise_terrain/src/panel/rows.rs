//! The settings that are not noise.

use std::ops::RangeInclusive;

use bevy::prelude::*;
use bevy_egui::egui;

use crate::lod::LodSettings;
use crate::render::{Ground, GroundLayer, Span};
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
    slider(ui, "moisture size", "Width of wet and dry regions", " m", &mut ground.moisture_size, 16.0..=8_192.0);
    slider(ui, "warmth", "How far warmth moves heights up and down", " m", &mut ground.warmth, 0.0..=2_000.0);
    slider(ui, "softness", "How far one layer fades into another", "", &mut ground.softness, 0.02..=1.0);
    slider(ui, "bump", "Strength of the textures' own relief", "", &mut ground.bump, 0.0..=2.0);
    slider(ui, "relief", "Shading finer than the mesh", "", &mut ground.relief, 0.0..=1.0);
    ui.checkbox(&mut ground.show_levels, "tint by level of detail");
    ui.checkbox(&mut ground.show_morph, "tint by morph");
    ui.checkbox(&mut ground.show_mesh, "draw the mesh");
    for (index, layer) in ground.layers.iter_mut().enumerate() {
        egui::CollapsingHeader::new(&layer.name).id_salt(index).show(ui, |ui| ground_layer(ui, layer));
    }
}

fn ground_layer(ui: &mut egui::Ui, layer: &mut GroundLayer) {
    ui.horizontal(|ui| {
        let Srgba { red, green, blue, .. } = layer.color.to_srgba();
        let mut rgb = [red, green, blue];
        if ui.color_edit_button_rgb(&mut rgb).changed() {
            layer.color = Color::srgb_from_array(rgb);
        }
        ui.label("colour");
    });
    slider(ui, "tile", "Metres that one tile of the textures covers", " m", &mut layer.tile, 0.1..=100.0);
    slider(ui, "bump", "Strength of its normals", "", &mut layer.bump, 0.0..=2.0);
    span(ui, "height", " m", &mut layer.height, 1_000.0);
    span(ui, "slope", " rad", &mut layer.slope, 0.5);
    span(ui, "curvature", "", &mut layer.curvature, 0.0);
    span(ui, "moisture", "", &mut layer.moisture, 0.5);
}

/// Two ends that may be open, and their softness.
fn span(ui: &mut egui::Ui, name: &str, unit: &str, span: &mut Span, middle: f32) {
    ui.horizontal(|ui| {
        for (label, end, open) in [("from", &mut span.from, f32::NEG_INFINITY), ("to", &mut span.to, f32::INFINITY)] {
            let mut is_bound = end.is_finite();
            if ui.checkbox(&mut is_bound, label).changed() {
                *end = if is_bound { middle } else { open };
            }
            if is_bound {
                ui.add(egui::DragValue::new(end).speed(0.01 * (1.0 + middle.abs())).suffix(unit));
            }
        }
        ui.add(
            egui::DragValue::new(&mut span.soft).speed(0.005 * (1.0 + middle.abs())).range(0.0..=1e6).prefix("soft "),
        );
        ui.label(name);
    });
}
