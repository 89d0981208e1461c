//! The sculpt tab: tools for the land under the pointer, and what they have changed.

use std::path::Path;

use bevy_egui::egui;
use bevy_noise_terrain::edits::{Brush, BrushKind, TerrainEdits};
use bevy_noise_terrain::ground::GroundLayer;
use bevy_noise_terrain::internal::MAX_LAYERS;
use bevy_noise_terrain::scatter::RemovedScatter;
use bevy_noise_terrain::{TerrainPreset, TerrainSave};

use super::fault::Fault;
use super::inspect::only_fields;
use super::layout_probe;
use super::number::complain;
use super::replace::Replace;
use super::sculpt::{Road, Sculpt, Tool};

/// The tools, and what they do.
const TOOLS: [(Tool, &str, &str); 9] = [
    (Tool::Off, "Off", "The left button belongs to the app."),
    (Tool::Brush(BrushKind::Raise), "Raise", "Hold the left button on the land: it rises."),
    (Tool::Brush(BrushKind::Lower), "Lower", "Hold the left button on the land: it sinks."),
    (Tool::Brush(BrushKind::Flatten), "Flatten", "Drag over the land: it gets the height at which you begin."),
    (Tool::Brush(BrushKind::Smooth), "Smooth", "Drag over the land: what is small vanishes."),
    (Tool::Brush(BrushKind::Roughen), "Roughen", "Hold the left button on the land: bumps grow."),
    (Tool::Brush(BrushKind::Paint), "Paint", "Drag over the land: it gets the chosen layer of the ground."),
    (Tool::Brush(BrushKind::Erase), "Erase", "Drag over the land: what was painted there goes."),
    (
        Tool::Road,
        "Road",
        "Click on the land, point by point. A double click or Enter lays the road; a right click or Escape takes the last \
         point back.",
    ),
];

/// What the tab reads from the app.
pub struct SculptInput<'a> {
    pub edits: Option<&'a TerrainEdits>,
    pub removed: Option<&'a RemovedScatter>,
    pub world: &'a TerrainPreset,
    /// Whether the app has gizmos.
    pub gizmos: bool,
}

/// State of the tab.
pub struct SculptTab {
    pub tools: Sculpt,
    path: String,
    replace: Replace,
    /// Whether the world was saved, and the message.
    outcome: Option<(bool, String)>,
}

impl SculptTab {
    /// `path` is the default path for saving.
    pub fn new(path: String) -> Self {
        Self { tools: Sculpt::default(), path, replace: Replace::default(), outcome: None }
    }

    pub fn ui(&mut self, ui: &mut egui::Ui, input: &SculptInput) {
        self.tool(ui, &input.world.ground.layers);
        if !input.gizmos && self.tools.tool != Tool::Off {
            ui.weak("The app has no gizmos: nothing is drawn on the ground.");
        }
        if let Some(error) = &self.tools.error {
            complain(ui, &error.to_string());
        }
        ui.separator();
        self.list(ui, input.edits.map_or(0, TerrainEdits::len));
        ui.separator();
        self.file(ui, input);
    }

    fn tool(&mut self, ui: &mut egui::Ui, layers: &[GroundLayer]) {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (tool, title, help) in TOOLS {
                let response = ui.selectable_value(&mut self.tools.tool, tool, title).on_hover_text(help);
                layout_probe::mark(ui.ctx(), || format!("sculpt.{title}"), response.rect);
            }
        });
        if let Some((.., help)) = TOOLS.iter().find(|(tool, ..)| *tool == self.tools.tool) {
            ui.weak(*help);
        }
        let fault = self.tools.validate().err().map(Fault::from);
        match self.tools.tool {
            Tool::Off => {}
            Tool::Brush(kind) => {
                let is_complete = matches!(kind, BrushKind::Flatten | BrushKind::Paint | BrushKind::Erase);
                let shown = |name: &str| !matches!(name, "kind" | "layer") && (name != "strength" || !is_complete);
                if kind == BrushKind::Paint {
                    let mut layer = Some(self.tools.brush.layer);
                    choose_layer(ui, layers, None, &mut layer);
                    self.tools.brush.layer = layer.unwrap_or_default();
                }
                only_fields(ui, "brush", &mut self.tools.brush, &Brush::default(), fault.as_ref(), shown);
                ui.weak("The keys [ and ] change the radius.");
            }
            Tool::Road => {
                choose_layer(ui, layers, Some("as it is"), &mut self.tools.road.layer);
                only_fields(ui, "road", &mut self.tools.road, &Road::default(), fault.as_ref(), |name| name != "layer");
                ui.horizontal(|ui| {
                    let count = self.tools.points.len();
                    if ui.add_enabled(count >= 2, egui::Button::new("Lay the road")).clicked() {
                        self.tools.finish_road();
                    }
                    if ui.add_enabled(count >= 1, egui::Button::new("Discard")).clicked() {
                        self.tools.points.clear();
                    }
                    ui.label(counted(count, "point", "points"));
                });
            }
        }
    }

    fn list(&mut self, ui: &mut egui::Ui, count: usize) {
        ui.horizontal(|ui| {
            ui.label(counted(count, "edit of the land", "edits of the land"));
            let clear = ui.add_enabled(count > 0, egui::Button::new("Clear all"));
            layout_probe::mark(ui.ctx(), || "sculpt.clear".into(), clear.rect);
            if clear.on_hover_text("Take all edits away; undo brings them back").clicked() {
                self.tools.clears = true;
            }
        });
    }

    fn file(&mut self, ui: &mut egui::Ui, input: &SculptInput) {
        ui.weak("A preset holds no edits. A saved world does: settings, edits, and objects that were taken away.");
        ui.horizontal(|ui| {
            ui.label("File");
            let field = ui.add(egui::TextEdit::singleline(&mut self.path).desired_width(f32::INFINITY));
            layout_probe::mark(ui.ctx(), || "sculpt.path".into(), field.rect);
        });
        let help = "Write the world to the file: TerrainSave::read reads it";
        if ui.horizontal(|ui| self.replace.button(ui, true, "Save world", help, &self.path)).inner {
            self.outcome = Some(match save(input, self.path.trim()) {
                Ok(()) => (true, "Saved.".to_owned()),
                Err(message) => (false, format!("Not saved: {message}.")),
            });
        }
        match &self.outcome {
            Some((true, message)) => {
                ui.weak(message);
            }
            Some((false, message)) => complain(ui, message),
            None => {}
        }
    }
}

fn save(input: &SculptInput, path: &str) -> Result<(), String> {
    let mut save = TerrainSave::default();
    save.world.clone_from(input.world);
    save.edits = input.edits.cloned().unwrap_or_default();
    save.removed = input.removed.cloned().unwrap_or_default();
    save.write(Path::new(path)).map_err(|error| error.to_string())
}

/// A choice among the layers of the ground, or `none` of them.
fn choose_layer(ui: &mut egui::Ui, layers: &[GroundLayer], none: Option<&str>, chosen: &mut Option<u8>) {
    let name = |index: usize| format!("{index} {}", layers.get(index).map_or("(none)", |layer| layer.name.as_str()));
    let title = chosen.map_or_else(|| none.unwrap_or_default().to_owned(), |layer| name(layer.into()));
    ui.horizontal(|ui| {
        ui.label("Ground");
        let choice = egui::ComboBox::from_id_salt("sculpt.layer").selected_text(title).show_ui(ui, |ui| {
            if let Some(none) = none {
                ui.selectable_value(chosen, None, none);
            }
            for layer in 0..layers.len().min(MAX_LAYERS) {
                ui.selectable_value(chosen, Some(layer as u8), name(layer));
            }
        });
        layout_probe::mark(ui.ctx(), || "sculpt.layer".into(), choice.response.rect);
    });
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use bevy_noise_terrain::edits::Edit;

    use super::*;

    #[test]
    fn a_saved_world_has_its_edits() {
        let folder = std::env::temp_dir().join(format!("terrain-panel-sculpt-{}", std::process::id()));
        let path = folder.join("mine.save.ron").display().to_string();
        let mut edits = TerrainEdits::default();
        edits.apply(Edit::raise(DVec3::ZERO, 5.0, 3.0)).unwrap();
        let mut world = TerrainPreset::default();
        world.terrain.seed = 12;
        let input = SculptInput { edits: Some(&edits), removed: None, world: &world, gizmos: true };
        save(&input, &path).unwrap();
        let read = TerrainSave::read(&path).unwrap();
        assert_eq!((read.world, read.edits), (world.clone(), edits.clone()));
        // A file where a folder should be.
        assert!(save(&input, &format!("{path}/mine.ron")).is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
