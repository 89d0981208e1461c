//! The export tab.

use std::path::PathBuf;
use std::thread::{Builder, JoinHandle};

use bevy_egui::egui;
use bevy_noise_terrain::Surface;
use bevy_noise_terrain::export::{ExportError, Format, Heights, Progress, Region, export};

use super::map_tab::Dot;
use super::number::{Row, complain, number};
use super::plot::distance;
use super::replace::Replace;

/// State of the tab.
pub struct ExportTab {
    format: Format,
    center: [f64; 2],
    width: f64,
    spacing: f64,
    path: String,
    replace: Replace,
    running: Option<(JoinHandle<Result<Heights, ExportError>>, Progress, PathBuf)>,
    /// Whether the last export succeeded, and the message.
    outcome: Option<(bool, String)>,
}

impl Default for ExportTab {
    fn default() -> Self {
        Self {
            format: Format::Png,
            center: [0.0; 2],
            width: 2_048.0,
            spacing: 2.0,
            path: "exports/land.png".into(),
            replace: Replace::default(),
            running: None,
            outcome: None,
        }
    }
}

impl ExportTab {
    /// Shows the tab; `map` is the square the map shows.
    pub fn ui(&mut self, ui: &mut egui::Ui, surface: Option<&Surface>, map: ([f64; 2], f64), dots: &[Dot]) {
        ui.horizontal(|ui| {
            for format in Format::ALL {
                let (title, help) = match format {
                    Format::Png => ("PNG", "Heights as grey of 16 bits"),
                    Format::Obj => ("OBJ", "A mesh as text"),
                    Format::Glb => ("glTF", "A mesh as binary glTF"),
                };
                if ui.selectable_value(&mut self.format, format, title).on_hover_text(help).changed() {
                    self.path = PathBuf::from(&self.path).with_extension(format.extension()).display().to_string();
                }
            }
        });
        ui.horizontal_wrapped(|ui| {
            if let Some(dot) = dots.first()
                && ui.button("Around me").on_hover_text("The middle is where the viewer is").clicked()
            {
                self.center = dot.position;
            }
            if ui.button("What the map shows").clicked() {
                (self.center, self.width) = map;
            }
        });
        let meters =
            |name: &'static str, help: &'static str, range| Row { name, help, unit: "m", range, ..Row::default() };
        number(ui, &meters("middle x", "Absolute x of the middle", None), &mut self.center[0]);
        number(ui, &meters("middle z", "Absolute z of the middle", None), &mut self.center[1]);
        number(ui, &meters("width", "Side of the square", Some((1.0, 1e6))), &mut self.width);
        number(ui, &meters("spacing", "Distance between samples", Some((0.01, 1_000.0))), &mut self.spacing);
        ui.horizontal(|ui| {
            ui.label("File");
            ui.add(egui::TextEdit::singleline(&mut self.path).desired_width(f32::INFINITY));
        });
        let region = Region::around(self.center, self.width, self.spacing);
        let [columns, rows] = region.samples();
        ui.weak(format!("{columns} × {rows} samples, {} wide", distance(self.width)));
        self.run(ui, surface, region);
        if let Some((succeeded, message)) = &self.outcome {
            if *succeeded {
                ui.label(message);
            } else {
                complain(ui, message);
            }
        }
    }

    fn run(&mut self, ui: &mut egui::Ui, surface: Option<&Surface>, region: Region) {
        if self.running.as_ref().is_some_and(|(task, ..)| task.is_finished())
            && let Some((task, _, path)) = self.running.take()
        {
            self.outcome = Some(match task.join() {
                Ok(Ok(heights)) => {
                    let text = format!("Written: {}, {:.1} to {:.1} m high.", path.display(), heights.min, heights.max);
                    (true, text)
                }
                Ok(Err(error)) => (false, format!("Not written: {error}.")),
                Err(_) => (false, "Not written: the source of the heights panicked.".to_owned()),
            });
        }
        match &self.running {
            Some((_, progress, _)) => {
                ui.add(egui::ProgressBar::new(progress.share()).show_percentage());
                if ui.button("Cancel").clicked() {
                    progress.cancel();
                }
            }
            None => {
                let ready = surface.is_some() && !self.path.trim().is_empty();
                let help = "Write the region to the file";
                let clicked = self.replace.button(ui, ready, "Export", help, &self.path);
                if let (true, Some(surface)) = (clicked, surface) {
                    self.begin(surface.clone(), region);
                }
            }
        }
    }

    fn begin(&mut self, surface: Surface, region: Region) {
        let (format, path, progress) = (self.format, PathBuf::from(self.path.trim()), Progress::default());
        let (file, told) = (path.clone(), progress.clone());
        // A thread of its own: the few of a small machine's task pool are needed for the land around the viewer.
        let thread = Builder::new().name("terrain export".to_owned());
        match thread.spawn(move || export(&surface, &region, format, &file, &told)) {
            Ok(task) => (self.outcome, self.running) = (None, Some((task, progress, path))),
            Err(error) => self.outcome = Some((false, format!("Not written: {error}."))),
        }
    }
}
