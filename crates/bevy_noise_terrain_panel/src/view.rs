//! The panel of one terrain, independent of systems and queries.

use bevy::prelude::{Entity, Handle};
use bevy_egui::egui;
use bevy_noise_terrain::edits::TerrainEdits;
use bevy_noise_terrain::scatter::RemovedScatter;
use bevy_noise_terrain::{Surface, TerrainPreset, TerrainStats};

use super::PanelTab;
use super::export_tab::ExportTab;
use super::files::{self, Files};
use super::keys::{self, Clip};
use super::layout_probe;
use super::map_tab::{Dot, MapTab};
use super::noise_tab::NoiseTab;
use super::number::complain;
use super::sculpt_tab::{SculptInput, SculptTab};
use super::session::{Session, Slot};
use super::stats_tab::StatsTab;
use super::terrain_tab::{self, Aids};
use super::world_tab::{self, WorldTab};

/// Width of the panel in points, where the window is wide enough.
const WIDTH: f32 = 330.0;

const TABS: [(PanelTab, &str); 7] = [
    (PanelTab::World, "World"),
    (PanelTab::Noise, "Noise"),
    (PanelTab::Terrain, "Terrain"),
    (PanelTab::Sculpt, "Sculpt"),
    (PanelTab::Map, "Map"),
    (PanelTab::Statistics, "Statistics"),
    (PanelTab::Export, "Export"),
];

/// What the panel reads from the app.
pub struct Input<'a> {
    /// Every terrain.
    pub names: &'a [(Entity, String)],
    pub stats: &'a TerrainStats,
    /// The drawn land.
    pub surface: Option<&'a Surface>,
    pub dots: &'a [Dot],
    pub files: &'a Files,
    pub bound: Option<&'a Handle<TerrainPreset>>,
    pub edits: Option<&'a TerrainEdits>,
    pub removed: Option<&'a RemovedScatter>,
    /// Whether the app has gizmos.
    pub gizmos: bool,
    /// What the card took for each pass, in milliseconds.
    pub passes: &'a [(String, f64)],
}

/// A request of the panel to the app.
pub enum Action {
    /// Follow a preset.
    Bind(Handle<TerrainPreset>),
    /// List the presets again.
    Rescan,
    /// Paste a world from the clipboard.
    Paste,
    /// Travel to a position.
    Travel([f64; 2]),
    /// Edit another terrain.
    Choose(Entity),
}

/// The panel of one terrain.
pub struct PanelView {
    pub session: Session,
    pub world: WorldTab,
    pub aids: Aids,
    pub stats: StatsTab,
    pub sculpt: SculptTab,
    noise: NoiseTab,
    map: MapTab,
    export: ExportTab,
}

impl PanelView {
    /// A panel for a world; `path` is the default path for saving it.
    pub fn new(world: TerrainPreset, path: String) -> Self {
        let stem = path.strip_suffix(files::ENDING).unwrap_or(&path);
        Self {
            sculpt: SculptTab::new(format!("{stem}.save.ron")),
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
    pub fn show(&mut self, context: &egui::Context, open: &mut bool, tab: &mut PanelTab, input: &Input) -> Vec<Action> {
        let mut actions = Vec::new();
        // A stroke under way cannot be undone yet.
        let is_busy = self.sculpt.tools.is_stroking();
        let clip = if is_busy { None } else { keys::listen(context, &mut self.session) };
        match clip {
            Some(Clip::Copy) => self.world.copy(context, &self.session),
            // A branch of a tree is kept for the Paste button of the noise tab.
            Some(Clip::Paste(text)) if !self.noise.read(&text) => self.world.paste(&mut self.session, Some(&text)),
            _ => {}
        }
        if *open && *tab == PanelTab::Sculpt {
            self.sculpt.tools.listen(context);
        }
        let screen = context.viewport_rect();
        if !*open {
            egui::Area::new("open the terrain panel".into()).fixed_pos(egui::pos2(8.0, 8.0)).show(context, |ui| {
                if ui.button("☰").on_hover_text("Open the panel").clicked() {
                    *open = true;
                }
            });
            return actions;
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
            // At most a third of the view, unless the user resizes it.
            .default_width(WIDTH.min(screen.width() / 3.0 - 18.0))
            .min_width(200.0)
            .max_width(screen.width() * 0.7)
            .show(context, |ui| {
                ui.set_height(height);
                self.head(ui, open, tab, input, &mut actions);
                self.page(ui, *tab, input, &mut actions);
            });
        actions
    }

    fn head(
        &mut self,
        ui: &mut egui::Ui,
        open: &mut bool,
        tab: &mut PanelTab,
        input: &Input,
        actions: &mut Vec<Action>,
    ) {
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
            for (slot, name) in [(Slot::A, "A"), (Slot::B, "B")] {
                let help = "Two worlds to compare (Ctrl+B); B starts as a copy of A";
                if ui.selectable_label(self.session.slot() == slot, name).on_hover_text(help).clicked() {
                    self.session.compare(slot);
                }
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.button("«").on_hover_text("Close the panel").clicked() {
                    *open = false;
                }
                let theme = ui.scope(egui::widgets::global_theme_preference_switch);
                layout_probe::mark(ui.ctx(), || "theme".into(), theme.response.rect);
            });
        });
        if let [_, _, ..] = input.names {
            ui.horizontal_wrapped(|ui| {
                for (entity, name) in input.names {
                    if ui.button(name).clicked() {
                        actions.push(Action::Choose(*entity));
                    }
                }
            });
        }
        self.stats.summary(ui, input.stats);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (page, title) in TABS {
                let response = ui.selectable_value(tab, page, title);
                layout_probe::mark(ui.ctx(), || format!("tab.{title}"), response.rect);
            }
        });
        if let Some(fault) = self.session.fault.clone() {
            complain(ui, &format!("Not applied: {}: {}.", fault.path, fault.message));
            if ui.small_button("Back to the running world").clicked() {
                self.session.revert();
            }
        }
        ui.separator();
    }

    fn page(&mut self, ui: &mut egui::Ui, tab: PanelTab, input: &Input, actions: &mut Vec<Action>) {
        let fault = self.session.fault.clone();
        egui::ScrollArea::vertical().id_salt(("page", tab as u8)).auto_shrink(false).show(ui, |ui| match tab {
            PanelTab::World => {
                let action = self.world.ui(ui, &mut self.session, input.files, input.bound);
                actions.extend(action.map(|action| match action {
                    world_tab::Action::Bind(handle) => Action::Bind(handle),
                    world_tab::Action::Rescan => Action::Rescan,
                    world_tab::Action::Paste => Action::Paste,
                }));
            }
            PanelTab::Noise => self.noise.ui(ui, &mut self.session.draft.terrain.noise, fault.as_ref()),
            PanelTab::Terrain => {
                terrain_tab::ui(ui, &mut self.session.draft, &mut self.aids, input.gizmos, fault.as_ref());
            }
            PanelTab::Sculpt => {
                let Input { edits, removed, gizmos, .. } = *input;
                self.sculpt.ui(ui, &SculptInput { edits, removed, world: self.session.accepted(), gizmos });
            }
            PanelTab::Map => {
                let place = self.map.ui(ui, input.surface, input.stats.generation, input.dots);
                actions.extend(place.map(Action::Travel));
            }
            PanelTab::Statistics => self.stats.ui(ui, input.stats, input.passes),
            PanelTab::Export => self.export.ui(ui, input.surface, self.map.square(), input.dots),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::inspect::open_all;
    use super::*;
    use bevy::reflect::{PartialReflect, ReflectMut};
    use bevy_noise_terrain::NoiseTerrain;
    use bevy_noise_terrain::scatter::{ScatterKind, TerrainScatter};
    use std::time::{Duration, Instant};

    /// The panel in a window of a size, without a renderer.
    struct Bench {
        context: egui::Context,
        view: PanelView,
        surface: Surface,
        stats: TerrainStats,
        size: egui::Vec2,
    }

    impl Bench {
        fn new(width: f32, height: f32) -> Self {
            let world =
                TerrainPreset { sky: Some(default()), water: Some(default()), scatter: Some(default()), ..default() };
            let stats = TerrainStats { drawn: vec![40; 8], ranges: vec![500.0; 8], missing: 3, ..default() };
            let surface = NoiseTerrain::default().surface().unwrap();
            let view = PanelView::new(world, "mine.terrain.ron".into());
            Self { context: egui::Context::default(), view, surface, stats, size: egui::vec2(width, height) }
        }

        /// Runs a frame; returns the time it took and the area it covers.
        fn frame(&mut self, mut tab: PanelTab) -> (Duration, egui::Rect) {
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, self.size);
            self.context.begin_pass(egui::RawInput { screen_rect: Some(screen), ..default() });
            let began = Instant::now();
            let files = Files::default();
            let dots = [Dot { position: [0.0; 2], facing: [1.0, 0.0] }];
            let input = Input {
                names: &[],
                stats: &self.stats,
                surface: Some(&self.surface),
                dots: &dots,
                files: &files,
                bound: None,
                edits: None,
                removed: None,
                gizmos: true,
                passes: &[("main_opaque_pass_3d".into(), 1.5)],
            };
            self.view.stats.record(&self.stats, Some(0.016));
            self.view.show(&self.context, &mut true, &mut tab, &input);
            self.view.session.settle(None);
            let took = began.elapsed();
            let rect = self.context.memory(|memory| memory.area_rect("terrain panel")).unwrap_or(egui::Rect::NOTHING);
            // Nothing is drawn: discard the textures.
            self.context.end_pass().textures_delta.clear();
            (took, rect)
        }
    }

    #[test]
    fn it_covers_a_third_of_the_view_at_most() {
        for (width, height) in [(1280.0, 720.0), (1920.0, 1080.0), (1024.0, 600.0), (960.0, 540.0), (800.0, 600.0)] {
            let mut bench = Bench::new(width, height);
            for (tab, title) in TABS {
                let rect = (0..4).map(|_| bench.frame(tab).1).last().unwrap();
                assert!(rect.width() <= width / 3.0 + 1.0, "{title}: {} of {width}", rect.width());
                assert!(rect.bottom() <= height + 1.0, "{title}: {} of {height}", rect.bottom());
            }
        }
    }

    #[test]
    fn showing_it_changes_nothing() {
        let mut bench = Bench::new(1280.0, 720.0);
        let world = bench.view.session.accepted().clone();
        bench.context.data_mut(|data| data.insert_temp(open_all(), true));
        for (tab, title) in TABS {
            for _ in 0..3 {
                bench.frame(tab);
            }
            assert_eq!(bench.view.session.fault, None, "{title}");
            assert!(*bench.view.session.accepted() == world, "{title}");
            assert_eq!(bench.view.session.steps(), (0, 0), "{title}");
        }
    }

    /// Time per frame with all sections open: `cargo test … panel_cost -- --nocapture` prints it.
    #[test]
    fn panel_cost_is_bounded() {
        let mut bench = Bench::new(1280.0, 720.0);
        bench.context.data_mut(|data| data.insert_temp(open_all(), true));
        for (tab, title) in TABS {
            let mut times: Vec<Duration> = (0..120).map(|_| bench.frame(tab).0).collect();
            times.sort_unstable();
            let median = times[times.len() / 2].as_secs_f64() * 1e3;
            println!("{title}: {median:.3} ms per frame");
            // Without optimisation and in parallel with other tests it takes several times as long.
            assert!(median < 10.0, "{title}: {median} ms");
        }
    }

    /// Sets the `n`-th numeric field; false if there are fewer.
    fn set_number(value: &mut dyn PartialReflect, n: &mut usize, number: f64) -> bool {
        macro_rules! put {
            ($($kind:ty),*) => { $(
                if let Some(field) = value.try_downcast_mut::<$kind>() {
                    let is_it = *n == 0;
                    *n = n.wrapping_sub(1);
                    if is_it {
                        *field = number as $kind;
                    }
                    return is_it;
                }
            )* };
        }
        put!(f32, f64, u32);
        match value.reflect_mut() {
            ReflectMut::Struct(parts) => (0..parts.field_len())
                .any(|part| parts.field_at_mut(part).is_some_and(|part| set_number(part, n, number))),
            ReflectMut::Enum(parts) => (0..parts.field_len())
                .any(|part| parts.field_at_mut(part).is_some_and(|part| set_number(part, n, number))),
            ReflectMut::Array(parts) => {
                (0..parts.len()).any(|part| parts.get_mut(part).is_some_and(|part| set_number(part, n, number)))
            }
            ReflectMut::List(parts) => {
                (0..parts.len()).any(|part| parts.get_mut(part).is_some_and(|part| set_number(part, n, number)))
            }
            _ => false,
        }
    }

    #[test]
    fn every_invalid_number_is_reported_at_its_field() {
        // Tall enough that everything is visible.
        let mut bench = Bench::new(1280.0, 50_000.0);
        bench.context.data_mut(|data| data.insert_temp(open_all(), true));
        bench.view.session.draft.scatter = Some(TerrainScatter {
            kinds: vec![ScatterKind { patches: Some(default()), ..ScatterKind::grass() }, ScatterKind::rock()],
            ..default()
        });
        let world = bench.view.session.draft.clone();
        let sections: [fn(&mut TerrainPreset) -> &mut dyn PartialReflect; 6] = [
            |world| &mut world.terrain.lod,
            |world| &mut world.terrain.streaming,
            |world| &mut world.ground,
            |world| world.water.as_mut().unwrap(),
            |world| world.scatter.as_mut().unwrap(),
            |world| world.sky.as_mut().unwrap(),
        ];
        for (section, least) in sections.into_iter().zip([5, 4, 30, 8, 30, 12]) {
            let mut refused = 0;
            for n in 0.. {
                let mut there = false;
                for wrong in [-1e30, 1e30, f64::NAN] {
                    bench.view.session = Session::new(world.clone());
                    let session = &mut bench.view.session;
                    there = set_number(section(&mut session.draft), &mut n.clone(), wrong);
                    session.settle(None);
                    let Some(fault) = session.fault.clone() else { continue };
                    refused += 1;
                    layout_probe::begin(&bench.context, true);
                    bench.frame(PanelTab::Terrain);
                    let messages = layout_probe::take(&bench.context).complaints;
                    // Once at the top of the panel, and once at the field.
                    assert!(messages.len() == 2 && messages[1].ends_with(&fault.message), "{fault:?}: {messages:?}");
                }
                if !there {
                    break;
                }
            }
            assert!(refused >= least, "{refused} refused, {least} expected");
        }
    }

    fn default<T: Default>() -> T {
        T::default()
    }
}
