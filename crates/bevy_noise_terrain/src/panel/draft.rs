//! What is being edited, valid or not.

use bevy_egui::egui;
use terrain_noise::seed_from_str;

use super::{noise_tree, rows};
use crate::terrain::{NoiseTerrain, TerrainError};

/// A copy of the settings that may be wrong for a while.
pub struct Draft {
    terrain: NoiseTerrain,
    /// The settings as last seen on the entity, to notice when someone else changes them.
    seen: NoiseTerrain,
    seed: String,
    error: Option<TerrainError>,
}

impl Draft {
    pub fn new(terrain: &NoiseTerrain) -> Self {
        Self { terrain: terrain.clone(), seen: terrain.clone(), seed: terrain.seed.to_string(), error: None }
    }

    /// Starts over when the settings were changed elsewhere.
    pub fn follow(&mut self, terrain: &NoiseTerrain) {
        if *terrain != self.seen {
            *self = Self::new(terrain);
        }
    }

    /// The draft, if it differs from the running settings and is valid.
    pub fn accepted(&mut self, running: &NoiseTerrain) -> Option<NoiseTerrain> {
        if self.terrain == *running {
            self.error = None;
            return None;
        }
        self.error = self.terrain.validate().err();
        self.error.is_none().then(|| {
            self.seen = self.terrain.clone();
            self.terrain.clone()
        })
    }

    pub fn ui(&mut self, ui: &mut egui::Ui) {
        if let Some(error) = &self.error {
            let color = ui.visuals().error_fg_color;
            ui.colored_label(color, format!("Not taken over: {error}."));
            if ui.button("Back to what is running").clicked() {
                *self = Self::new(&self.seen.clone());
            }
        }
        self.seed_row(ui);
        egui::CollapsingHeader::new("Noise")
            .default_open(true)
            .show(ui, |ui| noise_tree::ui(ui, "", &mut self.terrain.noise));
        egui::CollapsingHeader::new("Level of detail").show(ui, |ui| rows::lod(ui, &mut self.terrain.lod));
        egui::CollapsingHeader::new("Streaming").show(ui, |ui| rows::streaming(ui, &mut self.terrain.streaming));
    }

    fn seed_row(&mut self, ui: &mut egui::Ui) {
        ui.horizontal(|ui| {
            ui.label("Seed").on_hover_text("A number, or any text");
            let field = ui.add(egui::TextEdit::singleline(&mut self.seed).desired_width(150.0));
            if field.changed() {
                self.terrain.seed = parse_seed(&self.seed);
            }
            if ui.button("Dice").on_hover_text("Another world of the same shape").clicked() {
                // Any number that differs from click to click will do.
                self.terrain.seed =
                    seed_from_str(&format!("{} {}", self.terrain.seed, ui.input(|input| input.time))) >> 32;
                self.seed = self.terrain.seed.to_string();
            }
        });
    }
}

/// A number is itself; any other text is hashed.
fn parse_seed(text: &str) -> u64 {
    text.trim().parse().unwrap_or_else(|_| seed_from_str(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lod::LodSettings;

    #[test]
    fn seeds_are_numbers_or_text() {
        assert_eq!(parse_seed(" 42 "), 42);
        assert_eq!(parse_seed("alps"), seed_from_str("alps"));
        assert_ne!(parse_seed("alps"), parse_seed("slap"));
    }

    #[test]
    fn a_wrong_draft_is_refused_in_words_and_a_right_one_passes() {
        let running = NoiseTerrain::default();
        let mut draft = Draft::new(&running);
        assert!(draft.accepted(&running).is_none());
        draft.terrain.lod.spacing = -1.0;
        assert!(draft.accepted(&running).is_none());
        assert_eq!(draft.error.as_ref().unwrap().to_string(), "lod.spacing is -1; it must be from 0.01 to 1000");
        draft.terrain.lod = LodSettings { spacing: 2.0, ..running.lod };
        assert_eq!(draft.accepted(&running).unwrap().lod.spacing, 2.0);
        assert!(draft.error.is_none());
    }

    #[test]
    fn changes_made_elsewhere_win() {
        let running = NoiseTerrain::default();
        let mut draft = Draft::new(&running);
        draft.terrain.seed = 5;
        let elsewhere = NoiseTerrain { seed: 9, ..running };
        draft.follow(&elsewhere);
        assert_eq!(draft.terrain, elsewhere);
        assert_eq!(draft.seed, "9");
    }
}
