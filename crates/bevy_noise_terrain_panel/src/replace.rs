//! A button that writes a file and asks before it replaces an existing one.

use std::path::Path;

use bevy_egui::egui;

/// State of the button: the file about which it has asked.
#[derive(Default)]
pub struct Replace {
    asked: Option<String>,
}

impl Replace {
    /// Shows the button; returns true if the file at `path` is to be written. If the file exists, the first press only
    /// changes `title` to "Replace"; it asks again for each path.
    pub fn button(&mut self, ui: &mut egui::Ui, enabled: bool, title: &str, help: &str, path: &str) -> bool {
        let path = path.trim();
        let asks = self.asked.as_deref() == Some(path);
        if !asks {
            self.asked = None;
        }
        let (title, help) =
            if asks { ("Replace", "The file exists: press again to replace it") } else { (title, help) };
        let clicked = ui.add_enabled(enabled, egui::Button::new(title)).on_hover_text(help).clicked();
        if asks && ui.button("Keep").on_hover_text("Leave the file as it is").clicked() {
            self.asked = None;
        }
        clicked && self.confirm(path)
    }

    /// Handles a press of the button; returns whether the file may be written.
    fn confirm(&mut self, path: &str) -> bool {
        if self.asked.take().as_deref() == Some(path) || !Path::new(path).exists() {
            return true;
        }
        self.asked = Some(path.to_owned());
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_at_the_second_press_only() {
        let file = std::env::temp_dir().join(format!("terrain-panel-replace-{}", std::process::id()));
        let path = file.display().to_string();
        let mut replace = Replace::default();
        assert!(replace.confirm(&path), "there is nothing to ask about");
        std::fs::write(&file, "old").unwrap();
        assert!(!replace.confirm(&path));
        assert!(!replace.confirm("/"), "another file is another question");
        assert!(!replace.confirm(&path));
        assert!(replace.confirm(&path));
        assert!(!replace.confirm(&path), "it asks each time");
        std::fs::remove_file(file).unwrap();
    }
}
