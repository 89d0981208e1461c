//! The map tab: heights or climate from above, viewers, a cross-section and a histogram.

use std::sync::Arc;

use bevy::tasks::{AsyncComputeTaskPool, Task, TaskPool, block_on};
use bevy_egui::egui::{self, Color32, Pos2, Rect, Sense, Shape, Stroke, TextureHandle, TextureOptions, pos2, vec2};
use bevy_noise_terrain::{Surface, TerrainClimate};

use super::raster::{self, Colors, Map, MapView, Request};
use super::{layout_probe, plot};

/// A viewer on the map.
#[derive(Clone, Copy, Debug)]
pub struct Dot {
    /// Absolute x and z.
    pub position: [f64; 2],
    /// Its direction on the plane; zero for straight up or down.
    pub facing: [f32; 2],
}

/// State of the tab.
pub struct MapTab {
    view: MapView,
    colors: Colors,
    /// Keep the map centred on the first viewer.
    follow: bool,
    /// Ends of the cross-section; `None` for west to east through the middle.
    section: Option<[[f64; 2]; 2]>,
    job: Option<(Task<Map>, Key)>,
    shown: Option<(Map, TextureHandle, Key)>,
}

/// What a map depends on.
#[derive(Clone, PartialEq)]
struct Key {
    view: MapView,
    colors: Colors,
    climate: Arc<TerrainClimate>,
    size: [usize; 2],
    section: [[f64; 2]; 2],
    generation: u64,
}

impl Default for MapTab {
    fn default() -> Self {
        Self {
            view: MapView { center: [0.0; 2], scale: 32.0 },
            colors: Colors::default(),
            follow: true,
            section: None,
            job: None,
            shown: None,
        }
    }
}

impl MapTab {
    /// The visible square, for an export: its centre and width.
    pub fn square(&self) -> ([f64; 2], f64) {
        let pixels = self.shown.as_ref().map_or(300, |(_, _, key)| key.size[0].min(key.size[1]));
        (self.view.center, self.view.scale * pixels as f64)
    }

    /// Shows the map. Returns the destination if it was clicked.
    pub fn ui(
        &mut self,
        ui: &mut egui::Ui,
        surface: Option<&Surface>,
        generation: u64,
        dots: &[Dot],
    ) -> Option<[f64; 2]> {
        self.head(ui, dots);
        let width = ui.available_width();
        let height = width.min((ui.available_height() - 255.0).max(150.0));
        let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click_and_drag());
        layout_probe::mark(ui.ctx(), || "map".into(), rect);
        self.steer(ui, rect, &response, dots);
        let size = [rect.width(), rect.height()].map(|points| points.round().max(16.0) as usize);
        self.update(ui, surface, generation, size);
        self.paint(ui, rect, dots);
        let pointed = response.hover_pos().map(|at| self.view.place((at - rect.center()).into()));
        if let (Some([x, z]), Some(surface)) = (pointed, surface) {
            let height = surface.source().height([x, z], self.view.scale);
            let climate = surface.climate(x, z);
            ui.label(format!("x {x:.0} m, z {z:.0} m, {height:.0} m high"));
            let biome = surface.climate_settings().biome(climate).map_or("no biome", |biome| &biome.name);
            ui.label(format!("{:.1} °C, moisture {:.2}: {biome}", climate.temperature, climate.moisture));
        } else {
            ui.weak("Drag: pan. Wheel: zoom. Right drag: section. Click: travel.");
        }
        if let Some((map, ..)) = &self.shown {
            ui.add_space(2.0);
            if let Some(share) = plot::section(ui, &map.section, map.section_length) {
                let [a, b] = self.ends(size);
                let at = [0, 1].map(|axis| a[axis] + f64::from(share) * (b[axis] - a[axis]));
                let place = rect.center() + self.view.pixel(at).into();
                ui.painter().circle_stroke(place, 4.0, Stroke::new(1.5, Color32::WHITE));
            }
            plot::histogram(ui, &map.histogram, map.low, map.high);
        }
        if response.clicked() { pointed } else { None }
    }

    fn head(&mut self, ui: &mut egui::Ui, dots: &[Dot]) {
        ui.horizontal(|ui| {
            ui.add_enabled(!dots.is_empty(), egui::Checkbox::new(&mut self.follow, "follow"))
                .on_hover_text("Stay over the viewer");
            if ui.button("−").on_hover_text("Further away").clicked() {
                self.view.zoom(2.0, [0.0; 2]);
            }
            if ui.button("+").on_hover_text("Nearer").clicked() {
                self.view.zoom(0.5, [0.0; 2]);
            }
            ui.label(format!("{:.1} m per pixel", self.view.scale));
            if self.section.is_some() && ui.button("Section W–E").on_hover_text("From west to east again").clicked() {
                self.section = None;
            }
            if self.job.is_some() {
                ui.spinner();
            }
        });
        ui.horizontal_wrapped(|ui| {
            for colors in Colors::ALL {
                ui.selectable_value(&mut self.colors, colors, colors.name());
            }
        });
    }

    fn steer(&mut self, ui: &egui::Ui, rect: Rect, response: &egui::Response, dots: &[Dot]) {
        if response.dragged_by(egui::PointerButton::Primary) {
            let moved = response.drag_delta();
            self.view.center = self.view.place([-moved.x, -moved.y]);
            self.follow = false;
        } else if let (true, Some(dot)) = (self.follow, dots.first()) {
            self.view.center = dot.position;
        }
        let pixel = |at: Pos2| [at.x - rect.center().x, at.y - rect.center().y];
        if let Some(at) = response.hover_pos() {
            let wheel = ui.input(|input| input.smooth_scroll_delta().y);
            if wheel != 0.0 {
                self.view.zoom(f64::from(-wheel * 0.005).exp(), pixel(at));
                // The page must not scroll.
                ui.input_mut(|input| input.smooth_scroll_delta = egui::Vec2::ZERO);
            }
        }
        if response.dragged_by(egui::PointerButton::Secondary)
            && let (Some(from), Some(to)) =
                (ui.input(|input| input.pointer.press_origin()), response.interact_pointer_pos())
        {
            self.section = Some([self.view.place(pixel(from)), self.view.place(pixel(to))]);
        }
    }

    fn ends(&self, size: [usize; 2]) -> [[f64; 2]; 2] {
        let half = 0.5 * size[0] as f32;
        self.section.unwrap_or_else(|| [self.view.place([-half, 0.0]), self.view.place([half, 0.0])])
    }

    /// Takes a finished map, and starts the next if its inputs have changed.
    fn update(&mut self, ui: &egui::Ui, surface: Option<&Surface>, generation: u64, size: [usize; 2]) {
        if self.job.as_ref().is_some_and(|(task, _)| task.is_finished())
            && let Some((task, key)) = self.job.take()
        {
            let mut map = block_on(task);
            let image = std::mem::take(&mut map.image);
            let texture = match self.shown.take() {
                Some((_, mut texture, _)) => {
                    texture.set(image, TextureOptions::LINEAR);
                    texture
                }
                None => ui.ctx().load_texture("terrain map", image, TextureOptions::LINEAR),
            };
            self.shown = Some((map, texture, key));
        }
        let Some(surface) = surface else { return };
        let (colors, climate) = (self.colors, surface.shared_climate());
        let key = Key { view: self.view, colors, climate, size, section: self.ends(size), generation };
        let known = self.shown.as_ref().is_some_and(|(_, _, shown)| *shown == key);
        if self.job.is_none() && !known {
            let request = Request { surface: surface.clone(), colors, view: self.view, size, section: key.section };
            let pool = AsyncComputeTaskPool::get_or_init(TaskPool::default);
            self.job = Some((pool.spawn(async move { raster::paint(&request) }), key));
        }
    }

    fn paint(&self, ui: &egui::Ui, rect: Rect, dots: &[Dot]) {
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, 0.0, ui.visuals().extreme_bg_color);
        let at = |position: [f64; 2]| rect.center() + self.view.pixel(position).into();
        if let Some((map, texture, key)) = &self.shown {
            // A map of an older view is drawn at its own position until the next is finished.
            let half = key.size.map(|pixels| 0.5 * pixels as f64 * map.view.scale);
            let corner = |sign: f64| at([0, 1].map(|axis| map.view.center[axis] + sign * half[axis]));
            let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture.id(), Rect::from_min_max(corner(-1.0), corner(1.0)), uv, Color32::WHITE);
            if self.section.is_some() {
                painter.line_segment(key.section.map(at), Stroke::new(1.5, Color32::from_rgb(255, 230, 120)));
            }
        }
        for dot in dots {
            let here = at(dot.position);
            let facing = vec2(dot.facing[0], dot.facing[1]);
            if facing.length() > 0.01 {
                let (ahead, side) = (facing.normalized() * 10.0, facing.normalized().rot90() * 6.0);
                let arrow = vec![here + ahead, here - 0.5 * ahead + side, here - 0.5 * ahead - side];
                let edge = Stroke::new(1.0, Color32::BLACK);
                painter.add(Shape::convex_polygon(arrow, Color32::from_rgb(255, 80, 60), edge));
            } else {
                painter.circle(here, 4.0, Color32::from_rgb(255, 80, 60), Stroke::new(1.0, Color32::BLACK));
            }
        }
    }
}
