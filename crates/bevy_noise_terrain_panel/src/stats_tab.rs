//! The statistics tab: what the streaming does now, and did over the last seconds.

use std::collections::VecDeque;

use bevy_egui::egui;
use bevy_noise_terrain::TerrainStats;

use super::plot;

/// Number of values kept of each statistic.
const KEPT: usize = 240;

/// The last values of a statistic.
#[derive(Default)]
struct Trace(VecDeque<f32>);

impl Trace {
    fn push(&mut self, value: f32) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(value);
    }

    fn values(&mut self) -> &[f32] {
        self.0.make_contiguous()
    }
}

/// State of the tab.
#[derive(Default)]
pub struct StatsTab {
    frame: Trace,
    main: Trace,
    chunk: Trace,
    missing: Trace,
    /// The most missing chunks since the current work began.
    most: u32,
}

impl StatsTab {
    /// Records the statistics of a frame. Without a graphics card frame times are meaningless: pass `None`.
    pub fn record(&mut self, stats: &TerrainStats, frame_seconds: Option<f32>) {
        if let Some(seconds) = frame_seconds {
            self.frame.push(seconds * 1e3);
        }
        self.main.push(stats.main_ms);
        self.chunk.push(stats.chunk_ms);
        self.missing.push(stats.missing as f32);
        self.most = if stats.missing == 0 && !stats.retuning { 0 } else { self.most.max(stats.missing) };
    }

    /// The finished fraction of the current work; `None` if there is none.
    pub fn progress(&self, stats: &TerrainStats) -> Option<f32> {
        (self.most > 0).then(|| 1.0 - stats.missing as f32 / self.most as f32)
    }

    /// One line that is always visible, with a progress bar.
    pub fn summary(&self, ui: &mut egui::Ui, stats: &TerrainStats) {
        let share = self.progress(stats);
        let text = if stats.retuning {
            "building the new terrain".to_owned()
        } else if stats.missing > 0 {
            format!("{} drawn, {} to come", stats.drawn_total(), stats.missing)
        } else {
            format!("{} chunks drawn, complete", stats.drawn_total())
        };
        let bar = egui::ProgressBar::new(share.unwrap_or(1.0)).desired_height(14.0).corner_radius(3.0);
        ui.add(bar.text(egui::RichText::new(text).small()));
    }

    /// `passes` are the milliseconds that the card took for each pass, if the app has Bevy's render diagnostics.
    pub fn ui(&mut self, ui: &mut egui::Ui, stats: &TerrainStats, passes: &[(String, f64)]) {
        let ms = |value: f32| format!("{value:.2} ms");
        if self.frame.0.is_empty() {
            ui.label("frame: not measured, as there is no graphics card");
        } else {
            plot::series(ui, "frame", self.frame.values(), KEPT, ms);
        }
        plot::series(ui, "streaming on the main thread", self.main.values(), KEPT, |value| format!("{value:.3} ms"));
        plot::series(ui, "per chunk, on one core", self.chunk.values(), KEPT, ms);
        plot::series(ui, "chunks to come", self.missing.values(), KEPT, |value| format!("{value:.0}"));
        ui.add_space(4.0);
        egui::Grid::new("statistics").num_columns(2).striped(true).show(ui, |ui| {
            let mut row = |name: &str, value: String| {
                ui.label(name);
                ui.label(value);
                ui.end_row();
            };
            row("in memory", format!("{} chunks", stats.loaded));
            row("memory of vertices", format!("{:.1} MB", stats.vertex_bytes as f64 / 1e6));
            row("waiting", format!("{} chunks", stats.missing));
            row("waiting volumes", format!("{} pieces", stats.missing_volumes));
            row("seen by cameras", format!("{} triangles", stats.triangles));
            row("waiting pages", format!("{} of ground", stats.missing_pages));
            row("filled pages", format!("{} of ground", stats.filled_pages));
            row("waiting textures", format!("of {} layers", stats.missing_textures));
            row("built", format!("{} chunks", stats.built));
            row("of them discarded", format!("{} chunks", stats.wasted));
            row("failed", format!("{} chunks", stats.failed));
            row("per chunk, on one core", format!("{:.3} ms", stats.chunk_ms));
            row("from request to arrival", format!("{:.0} ms", stats.wait_ms));
            row("main thread, per frame", format!("{:.3} ms", stats.main_ms));
            row("generation", format!("{}", stats.generation));
            for (pass, milliseconds) in passes {
                row(&format!("card: {pass}"), format!("{milliseconds:.2} ms"));
            }
        });
        levels(ui, stats);
    }
}

/// Chunks drawn per level, as bars.
fn levels(ui: &mut egui::Ui, stats: &TerrainStats) {
    ui.add_space(4.0);
    let most = stats.drawn.iter().copied().max().unwrap_or(0).max(1) as f32;
    for (level, range) in stats.ranges.iter().enumerate() {
        let drawn = stats.drawn.get(level).copied().unwrap_or(0);
        let reach = if range.is_finite() { plot::distance(*range) } else { "the horizon".to_owned() };
        let text = egui::RichText::new(format!("level {level}: {drawn} to {reach}")).small();
        ui.add(egui::ProgressBar::new(drawn as f32 / most).desired_height(13.0).corner_radius(2.0).text(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_runs_from_the_most_that_was_missing_to_none() {
        let mut tab = StatsTab::default();
        let mut at = |missing: u32, retuning: bool| {
            let stats = TerrainStats { missing, retuning, ..TerrainStats::default() };
            tab.record(&stats, Some(0.01));
            tab.progress(&stats)
        };
        assert_eq!(at(0, false), None);
        assert_eq!(at(40, true), Some(0.0));
        assert_eq!(at(10, false), Some(0.75));
        assert_eq!(at(0, false), None);
        assert_eq!(at(8, false), Some(0.0));
    }

    #[test]
    fn traces_are_bounded() {
        let mut trace = Trace::default();
        (0..1_000).for_each(|value| trace.push(value as f32));
        assert_eq!((trace.values().len(), trace.values()[KEPT - 1]), (KEPT, 999.0));
    }
}
