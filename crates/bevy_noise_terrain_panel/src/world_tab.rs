//! The world tab: seed, presets and files.

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_noise_terrain::TerrainPreset;
use terrain_noise::seed_from_str;

use super::files::{self, Files};
use super::layout_probe;
use super::number::{self, complain};
use super::params::random_seed;
use super::replace::Replace;
use super::session::Session;

/// State of the tab.
#[derive(Default)]
pub struct WorldTab {
    /// The seed as typed, and its number.
    seed: Option<(String, u64)>,
    path: String,
    replace: Replace,
    /// Whether the last file operation succeeded, and the message.
    outcome: Option<(bool, String)>,
}

/// A request of the tab.
pub enum Action {
    /// Follow this preset.
    Bind(Handle<TerrainPreset>),
    /// List the presets again.
    Rescan,
    /// Read the clipboard.
    Paste,
}

impl WorldTab {
    /// `path` is the default path for saving.
    pub fn new(path: String) -> Self {
        Self { path, ..Self::default() }
    }

    pub fn ui(
        &mut self,
        ui: &mut egui::Ui,
        session: &mut Session,
        files: &Files,
        bound: Option<&Handle<TerrainPreset>>,
    ) -> Option<Action> {
        self.seed(ui, session);
        ui.separator();
        let action = presets(ui, files, bound);
        ui.separator();
        self.file(ui, session).or(action)
    }

    fn seed(&mut self, ui: &mut egui::Ui, session: &mut Session) {
        let seed = &mut session.draft.terrain.seed;
        if self.seed.as_ref().is_none_or(|(_, number)| number != seed) {
            self.seed = Some((seed.to_string(), *seed));
        }
        let Some((text, number)) = &mut self.seed else { return };
        ui.horizontal(|ui| {
            let help = "A number, or any text; each seed gives another world of the same kind";
            number::label(ui, "seed", help);
            let width = ui.available_width() - 70.0;
            let field = ui.add(egui::TextEdit::singleline(text).desired_width(width)).on_hover_text(help);
            if field.changed() {
                (*seed, *number) = (parse_seed(text), parse_seed(text));
            }
            if ui.button("Random").on_hover_text("A random seed").clicked() {
                *seed = random_seed(ui, *seed);
            }
        });
    }

    fn file(&mut self, ui: &mut egui::Ui, session: &mut Session) -> Option<Action> {
        let mut action = None;
        ui.horizontal(|ui| {
            ui.label("File");
            let field = egui::TextEdit::singleline(&mut self.path).desired_width(f32::INFINITY);
            let field = ui.add(field);
            layout_probe::mark(ui.ctx(), || "world.path".into(), field.rect);
            field.on_hover_text("Files in the folder of presets are listed below");
        });
        ui.horizontal(|ui| {
            let help = "Write the world to the file";
            if self.replace.button(ui, true, "Save", help, &self.path) {
                self.outcome = Some(match files::write(&self.path, session.accepted()) {
                    Ok(()) => (true, "Saved.".to_owned()),
                    Err(message) => (false, format!("Not saved: {message}.")),
                });
                action = Some(Action::Rescan);
            }
            let load = ui.button("Load").on_hover_text("Read the file");
            layout_probe::mark(ui.ctx(), || "world.load".into(), load.rect);
            if load.clicked() {
                let read = files::read(&self.path);
                self.take(session, read);
            }
            if ui.button("Copy").on_hover_text("The world as text (Ctrl+C)").clicked() {
                self.copy(ui.ctx(), session);
            }
            if ui.button("Paste").on_hover_text("A world from text (Ctrl+V)").clicked() {
                action = Some(Action::Paste);
            }
        });
        match &self.outcome {
            Some((true, message)) => {
                ui.weak(message);
            }
            Some((false, message)) => complain(ui, message),
            None => {}
        }
        action
    }

    pub fn copy(&mut self, context: &egui::Context, session: &Session) {
        self.outcome = Some(match session.accepted().to_ron() {
            Ok(text) => {
                context.copy_text(text);
                (true, "Copied.".to_owned())
            }
            Err(error) => (false, format!("Not copied: {error}.")),
        });
    }

    /// Loads a world from the text of a preset.
    pub fn paste(&mut self, session: &mut Session, text: Option<&str>) {
        let read = match text {
            Some(text) => TerrainPreset::from_ron(text).map_err(|error| format!("clipboard: {error}")),
            None => Err("there is no text in the clipboard".to_owned()),
        };
        self.take(session, read);
    }

    fn take(&mut self, session: &mut Session, read: Result<TerrainPreset, String>) {
        self.outcome = Some(match read {
            Ok(world) => {
                session.choose(world);
                (true, "Loaded.".to_owned())
            }
            Err(message) => (false, format!("Not loaded, the world stays: {message}.")),
        });
    }
}

fn presets(ui: &mut egui::Ui, files: &Files, bound: Option<&Handle<TerrainPreset>>) -> Option<Action> {
    let mut action = None;
    ui.horizontal(|ui| {
        ui.strong("Presets");
        if ui.small_button("⟲").on_hover_text("List the files again").clicked() {
            action = Some(Action::Rescan);
        }
        if files.entries.is_empty() {
            ui.weak("none in the folder presets/");
        }
    });
    let columns = ((ui.available_width() / 100.0) as usize).max(2);
    egui::Grid::new("presets").num_columns(columns).spacing([6.0, 6.0]).show(ui, |ui| {
        for (index, entry) in files.entries.iter().enumerate() {
            let chosen = bound == Some(&entry.handle);
            let width = 88.0;
            ui.vertical(|ui| {
                ui.set_width(width);
                let response = match &entry.picture {
                    Some(picture) => {
                        let image = egui::Image::new((picture.id(), egui::vec2(width, 56.0)));
                        ui.add(egui::Button::image(image).frame(true).frame_when_inactive(false).selected(chosen))
                    }
                    None => ui.add_sized([width, 56.0], egui::Button::new("…").selected(chosen)),
                };
                let title = if chosen { egui::RichText::new(&entry.name).strong() } else { (&entry.name).into() };
                let title = ui.add(egui::Label::new(title).truncate().sense(egui::Sense::click()));
                layout_probe::mark(ui.ctx(), || format!("preset.{}", entry.name), response.rect);
                if response.on_hover_text(format!("{}; edit its file, and the world changes", entry.name)).clicked()
                    || title.clicked()
                {
                    action = Some(Action::Bind(entry.handle.clone()));
                }
            });
            if index % columns == columns - 1 {
                ui.end_row();
            }
        }
    });
    for entry in &files.entries {
        if let Some(message) = &entry.broken {
            complain(ui, &format!("{}: {message}. Nothing was changed.", entry.name));
        }
    }
    action
}

/// A number is used as it is; any other text is hashed.
fn parse_seed(text: &str) -> u64 {
    text.trim().parse().unwrap_or_else(|_| seed_from_str(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_numbers_or_text() {
        assert_eq!(parse_seed(" 42 "), 42);
        assert_eq!(parse_seed("alps"), seed_from_str("alps"));
        assert_ne!(parse_seed("alps"), parse_seed("slap"));
    }

    #[test]
    fn broken_text_changes_nothing_and_says_why() {
        let mut session = Session::new(TerrainPreset::default());
        let mut tab = WorldTab::default();
        tab.paste(&mut session, Some("(terrain: (seed: 5, noise: Fractal(octaves: 0)))"));
        assert_eq!(session.draft, TerrainPreset::default());
        let (succeeded, message) = tab.outcome.clone().unwrap();
        assert!(!succeeded && message.contains("octaves: found 0, allowed is 1 to 32"), "{message}");
        tab.paste(&mut session, Some("(terrain: (seed: 5))"));
        assert_eq!(session.draft.terrain.seed, 5);
    }
}
