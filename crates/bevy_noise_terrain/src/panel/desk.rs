//! The panel of one terrain, from top to bottom. It knows nothing of systems and queries.

use bevy::prelude::{Entity, Handle};
use bevy_egui::egui;

use super::PanelTab;
use super::export_tab::ExportTab;
use super::files::Files;
use super::keys::{self, Clip};
use super::map_tab::{Dot, MapTab};
use super::noise_tab::NoiseTab;
use super::number::complain;
use super::session::{Letter, Session};
use super::stats_tab::StatsTab;
use super::terrain_tab::{self, Aids};
use super::world_tab::{self, WorldTab};
use crate::preset_asset::TerrainPreset;
use crate::query::Surface;
use crate::terrain::TerrainStats;

/// Width of the panel in points, where the window is wide enough.
const WIDTH: f32 = 330.0;

const TABS: [(PanelTab, &str); 6] = [
    (PanelTab::World, "World"),
    (PanelTab::Noise, "Noise"),
    (PanelTab::Terrain, "Terrain"),
    (PanelTab::Map, "Map"),
    (PanelTab::Figures, "Figures"),
    (PanelTab::Export, "Export"),
];

/// What the panel shows of the app.
pub struct Input<'a> {
    /// Every terrain.
    pub names: &'a [(Entity, String)],
    pub stats: &'a TerrainStats,
    /// The land on screen.
    pub surface: Option<&'a Surface>,
    pub dots: &'a [Dot],
    pub files: &'a Files,
    pub bound: Option<&'a Handle<TerrainPreset>>,
    /// Can lines be drawn into the world?
    pub gizmos: bool,
}

/// What the panel wants of the app.
pub enum Wish {
    /// Follow a preset.
    Bind(Handle<TerrainPreset>),
    /// Look for presets again.
    Look,
    /// Paste a world from the clipboard.
    Paste,
    /// Go somewhere.
    Travel([f64; 2]),
    /// Edit another terrain.
    Choose(Entity),
}

/// The panel of one terrain.
pub struct Desk {
    pub session: Session,
    pub world: WorldTab,
    pub aids: Aids,
    pub stats: StatsTab,
    noise: NoiseTab,
    map: MapTab,
    export: ExportTab,
}

impl Desk {
    /// A panel over a world; `path` is where it would be saved.
    pub fn new(world: TerrainPreset, path: String) -> Self {
        Self {
            session: Session::new(world),
            world: WorldTab::new(path),
            aids: Aids::default(),
            stats: StatsTab::default(),
            noise: NoiseTab::default(),
            map: MapTab::default(),
            export: ExportTab::default(),
        }
    }

    /// Shows it at the left of the window, or a button to open it.
    pub fn show(&mut self, context: &egui::Context, open: &mut bool, tab: &mut PanelTab, input: &Input) -> Vec<Wish> {
        let mut wishes = Vec::new();
        match keys::listen(context, &mut self.session) {
            Some(Clip::Copy) => self.world.copy(context, &self.session),
            // A branch of a tree is kept for its own button.
            Some(Clip::Paste(text)) if !self.noise.read(&text) => self.world.paste(&mut self.session, Some(&text)),
            _ => {}
        }
        let screen = context.viewport_rect();
        if !*open {
            egui::Area::new("open the terrain panel".into()).fixed_pos(egui::pos2(8.0, 8.0)).show(context, |ui| {
                if ui.button("☰").on_hover_text("Open the panel").clicked() {
                    *open = true;
                }
            });
            return wishes;
        }
        let style = context.style_of(context.theme());
        let frame = egui::Frame::side_top_panel(&style).inner_margin(8.0);
        let height = screen.height() - 16.0;
        egui::Window::new("Terrain")
            .id(egui::Id::new("terrain panel"))
            .title_bar(false)
            .frame(frame)
            .fixed_pos(egui::Pos2::ZERO)
            .resizable([true, false])
            // Never more than a third of the view, unless somebody wants it.
            .default_width(WIDTH.min(screen.width() / 3.0 - 18.0))
            .min_width(200.0)
            .max_width(screen.width() * 0.7)
            .show(context, |ui| {
                ui.set_height(height);
                self.head(ui, open, tab, input, &mut wishes);
                self.page(ui, *tab, input, &mut wishes);
            });
        wishes
    }

    fn head(&mut self, ui: &mut egui::Ui, open: &mut bool, tab: &mut PanelTab, input: &Input, wishes: &mut Vec<Wish>) {
        ui.horizontal(|ui| {
            let (back, forth) = self.session.steps();
            let step = |ui: &mut egui::Ui, sign: &str, steps: usize, help: &str| {
                ui.add_enabled(steps > 0, egui::Button::new(sign))
                    .on_hover_text(format!("{help}: {steps} steps"))
                    .clicked()
            };
            if step(ui, "⟲ Undo", back, "Undo (Ctrl+Z)") {
                self.session.undo();
            }
            if step(ui, "⟳ Redo", forth, "Redo (Ctrl+Shift+Z)") {
                self.session.redo();
            }
            for (letter, name) in [(Letter::A, "A"), (Letter::B, "B")] {
                let help = "Two worlds to compare (Ctrl+B); the first look at B copies A";
                if ui.selectable_label(self.session.letter() == letter, name).on_hover_text(help).clicked() {
                    self.session.compare(letter);
                }
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.button("«").on_hover_text("Close the panel").clicked() {
                    *open = false;
                }
                egui::widgets::global_theme_preference_switch(ui);
            });
        });
        if let [_, _, ..] = input.names {
            ui.horizontal_wrapped(|ui| {
                for (entity, name) in input.names {
                    if ui.button(name).clicked() {
                        wishes.push(Wish::Choose(*entity));
                    }
                }
            });
        }
        self.stats.summary(ui, input.stats);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (page, title) in TABS {
                ui.selectable_value(tab, page, title);
            }
        });
        if let Some(fault) = self.session.fault.clone() {
            complain(ui, &format!("Not taken over: {} {}.", fault.path, fault.words));
            if ui.small_button("Back to what is running").clicked() {
                self.session.revert();
            }
        }
        ui.separator();
    }

    fn page(&mut self, ui: &mut egui::Ui, tab: PanelTab, input: &Input, wishes: &mut Vec<Wish>) {
        let fault = self.session.fault.clone();
        egui::ScrollArea::vertical().id_salt(("page", tab as u8)).auto_shrink(false).show(ui, |ui| match tab {
            PanelTab::World => {
                let wish = self.world.ui(ui, &mut self.session, input.files, input.bound);
                wishes.extend(wish.map(|wish| match wish {
                    world_tab::Wish::Bind(handle) => Wish::Bind(handle),
                    world_tab::Wish::Look => Wish::Look,
                    world_tab::Wish::Paste => Wish::Paste,
                }));
            }
            PanelTab::Noise => self.noise.ui(ui, &mut self.session.draft.terrain.noise, fault.as_ref()),
            PanelTab::Terrain => {
                terrain_tab::ui(ui, &mut self.session.draft, &mut self.aids, input.gizmos, fault.as_ref());
            }
            PanelTab::Map => {
                let place = self.map.ui(ui, input.surface, input.stats.generation, input.dots);
                wishes.extend(place.map(Wish::Travel));
            }
            PanelTab::Figures => self.stats.ui(ui, input.stats),
            PanelTab::Export => self.export.ui(ui, input.surface, self.map.square(), input.dots),
        });
    }
}
