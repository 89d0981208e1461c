//! What the window shows, as text for a test that drives it: figures, where the panel's fields are, what it refuses.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use bevy::prelude::*;
use bevy_egui::EguiContexts;
use bevy_egui::input::EguiWantsInput;
use bevy_noise_terrain::edits::TerrainEdits;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::Noise;

/// Where the report goes.
#[derive(Resource)]
pub struct Report(pub PathBuf);

/// Writes the report of a frame. The file is whole at any time.
pub fn write(
    report: Res<Report>,
    panel: Res<TerrainPanel>,
    terrain: Single<(&NoiseTerrain, &TerrainStats, Option<&TerrainEdits>)>,
    camera: Single<&Transform, With<Camera3d>>,
    wants: Res<EguiWantsInput>,
    mut contexts: EguiContexts,
    mut frame: Local<u64>,
) {
    *frame += 1;
    let (terrain, stats, edits) = *terrain;
    let (undo, redo) = panel.steps();
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        // A string takes everything.
        let _ = writeln!(text, "{name}\t{value}");
    };
    line("frame", frame.to_string());
    line("octaves", octaves(&terrain.noise).unwrap_or(0).to_string());
    line("world", stats.generation.to_string());
    line("built", stats.built.to_string());
    line("missing", (stats.missing + u32::from(stats.retuning)).to_string());
    line("undo", undo.to_string());
    line("redo", redo.to_string());
    line("edits", edits.map_or(0, TerrainEdits::len).to_string());
    line("camera", camera.translation.to_string());
    line("tab", format!("{:?}", panel.tab));
    line("typing", wants.wants_keyboard_input().to_string());
    if let Ok(context) = contexts.ctx_mut() {
        line("theme", format!("{:?}", context.theme()));
    }
    line("panel_ms", format!("{:.3}", panel.took.as_secs_f64() * 1e3));
    for message in &panel.places.complaints {
        line("refused", message.replace(['\n', '\t'], " "));
    }
    for (name, rect) in &panel.places.rects {
        let center = rect.center();
        line("place", format!("{name}\t{}\t{}\t{}", center.x, center.y, rect.width()));
    }
    if let Err(error) = save(&report.0, &text) {
        warn!("{}: {error}", report.0.display());
    }
}

fn save(path: &Path, text: &str) -> std::io::Result<()> {
    let part = path.with_extension("part");
    fs::write(&part, text)?;
    fs::rename(part, path)
}

/// The octaves of the first fractal: the node that the panel shows first.
fn octaves(noise: &Noise) -> Option<u32> {
    match noise {
        Noise::Fractal(fractal) => Some(fractal.octaves),
        other => other.operands().into_iter().find_map(|(_, operand)| octaves(operand)),
    }
}
