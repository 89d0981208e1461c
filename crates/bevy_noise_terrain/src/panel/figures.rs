//! Streaming figures.

use bevy_egui::egui;

use crate::terrain::TerrainStats;

/// One line that is always in sight.
pub fn summary(ui: &mut egui::Ui, stats: &TerrainStats) {
    let state = if stats.retuning {
        "building the new world".to_owned()
    } else if stats.missing > 0 {
        format!("{} chunks to come", stats.missing)
    } else {
        "complete".to_owned()
    };
    ui.label(format!("{} chunks drawn, {state}", stats.drawn_total()));
}

/// All of them.
pub fn all(ui: &mut egui::Ui, stats: &TerrainStats) {
    egui::Grid::new("figures").num_columns(2).show(ui, |ui| {
        let mut row = |name: &str, value: String| {
            ui.label(name);
            ui.label(value);
            ui.end_row();
        };
        row("in memory", format!("{} chunks, {:.1} MB", stats.loaded, stats.vertex_bytes as f64 / 1e6));
        row("to come", stats.missing.to_string());
        row("built", format!("{} ({} in vain, {} failed)", stats.built, stats.wasted, stats.failed));
        row("a chunk", format!("{:.3} ms of one core", stats.chunk_ms));
        row("to come in", format!("{:.0} ms", stats.wait_ms));
        row("main thread", format!("{:.3} ms a frame", stats.main_ms));
        row("world", format!("number {}", stats.generation));
        for (level, range) in stats.ranges.iter().enumerate() {
            let drawn = stats.drawn.get(level).copied().unwrap_or(0);
            let reach = if range.is_finite() { format!("to {range:.0} m") } else { "to the horizon".to_owned() };
            row(&format!("level {level}"), format!("{drawn} drawn, {reach}"));
        }
    });
}
