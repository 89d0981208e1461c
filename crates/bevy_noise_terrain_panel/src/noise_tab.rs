//! The noise tab: the outline of the tree, and the parameters of the chosen node.

use bevy_egui::egui;
use terrain_noise::{NodeGroup, NodeKind, Noise, read_ron, write_ron};

use super::fault::Fault;
use super::number::{self, complain};
use super::params::{self, spaced};
use super::tree::{self, Change, Path};

/// State of the tab.
#[derive(Default)]
pub struct NoiseTab {
    /// The chosen node; `None` at first.
    chosen: Option<Path>,
    /// Why the last change was rejected.
    refused: Option<String>,
    /// The copied branch.
    copied: Option<Noise>,
}

/// A row of the outline.
struct Item {
    path: Path,
    role: &'static str,
    kind: &'static NodeKind,
    summary: String,
}

impl NoiseTab {
    pub fn ui(&mut self, ui: &mut egui::Ui, noise: &mut Noise, fault: Option<&Fault>) {
        let mut chosen = self.chosen.take().unwrap_or_else(|| first_fractal(noise));
        // Undo may have removed the node.
        while tree::get(noise, &chosen).is_none() && chosen.pop().is_some() {}
        let mut action = None;
        self.outline(ui, noise, &mut chosen, &mut action, fault);
        ui.separator();
        self.tools(ui, noise, &chosen, &mut action);
        if let Some(message) = &self.refused {
            complain(ui, message);
        }
        ui.separator();
        let path = text_path(noise, &chosen);
        if let Some(node) = node_mut(noise, &chosen) {
            ui.push_id(&path, |ui| params::ui(ui, &path, node, fault));
        }
        if let Some((path, change)) = action {
            self.make(noise, &path, &change, &mut chosen);
        }
        self.chosen = Some(chosen);
    }

    /// Makes a change, unless the tree would be invalid: then shows the error and keeps the tree.
    fn make(&mut self, noise: &mut Noise, path: &[usize], change: &Change, chosen: &mut Path) {
        let mut changed = noise.clone();
        let result = tree::change(&mut changed, path, change).map_err(|error| error.to_string());
        self.refused = match result.and_then(|()| changed.validate().map_err(|error| error.to_string())) {
            Ok(()) => {
                *noise = changed;
                *chosen = path.to_vec();
                if *change == Change::Raise {
                    chosen.pop();
                }
                if *change == Change::Earlier
                    && let Some(last) = chosen.last_mut()
                {
                    *last -= 1;
                }
                None
            }
            Err(message) => Some(format!("Not done: {message}.")),
        };
    }

    fn outline(
        &self,
        ui: &mut egui::Ui,
        noise: &Noise,
        chosen: &mut Path,
        action: &mut Option<(Path, Change)>,
        fault: Option<&Fault>,
    ) {
        let mut items = Vec::new();
        list(noise, &mut Vec::new(), "", &mut items);
        egui::ScrollArea::vertical().id_salt("outline").max_height(190.0).show_rows(
            ui,
            ui.spacing().interact_size.y,
            items.len(),
            |ui, range| {
                ui.take_available_width();
                for item in items.get(range).unwrap_or_default() {
                    self.item(ui, noise, item, chosen, action, fault);
                }
            },
        );
    }

    fn item(
        &self,
        ui: &mut egui::Ui,
        noise: &Noise,
        item: &Item,
        chosen: &mut Path,
        action: &mut Option<(Path, Change)>,
        fault: Option<&Fault>,
    ) {
        ui.horizontal(|ui| {
            ui.add_space(12.0 * item.path.len() as f32);
            let wrong = fault.is_some_and(|fault| {
                let path = text_path(noise, &item.path);
                fault.path.strip_prefix(&path).is_some_and(|rest| rest.matches('.').count() <= 1)
            });
            let mut job = egui::text::LayoutJob::default();
            let font = egui::TextStyle::Body.resolve(ui.style());
            let visuals = ui.visuals();
            let is_chosen = *chosen == item.path;
            let plain = if wrong { number::wrong(ui) } else { visuals.strong_text_color() };
            let dim = if is_chosen { visuals.selection.stroke.color } else { visuals.weak_text_color() };
            let format = |color| egui::TextFormat::simple(font.clone(), color);
            job.append(&spaced(item.kind.name), 0.0, format(plain));
            job.append(item.role, if item.role.is_empty() { 0.0 } else { 6.0 }, format(dim));
            job.append(&item.summary, 6.0, format(dim));
            let button = egui::Button::selectable(is_chosen, job).truncate().sense(egui::Sense::click_and_drag());
            let response = ui.add(button).on_hover_text(item.kind.help);
            if response.clicked() {
                chosen.clone_from(&item.path);
            }
            response.dnd_set_drag_payload(item.path.clone());
            if let Some(other) = response.dnd_release_payload::<Path>()
                && *other != item.path
            {
                *action = Some((other.to_vec(), Change::Swap(item.path.clone())));
            }
            response.context_menu(|ui| {
                chosen.clone_from(&item.path);
                menu(ui, &item.path, action);
            });
        });
    }

    fn tools(&mut self, ui: &mut egui::Ui, noise: &Noise, path: &Path, action: &mut Option<(Path, Change)>) {
        let Some(node) = tree::get(noise, path) else { return };
        ui.horizontal_wrapped(|ui| {
            let mut act = |change: Change| *action = Some((path.clone(), change));
            let title = format!("{} ⏷", spaced(node.name()));
            ui.menu_button(title, |ui| choose(ui, |kind| act(Change::Become(kind))))
                .response
                .on_hover_text("Change the kind of the node");
            ui.menu_button("Wrap ⏷", |ui| choose(ui, |kind| act(Change::Wrap(kind))))
                .response
                .on_hover_text("Add a new node above this one");
            for (text, help, change) in ACTIONS {
                if ui.button(text).on_hover_text(help).clicked() {
                    act(change());
                }
            }
            if ui.button("Copy").on_hover_text("Copy this node and all below it, also as text").clicked() {
                self.copied = Some(node.clone());
                if let Ok(text) = write_ron(node) {
                    ui.copy_text(text);
                }
            }
            let paste = ui.add_enabled(self.copied.is_some(), egui::Button::new("Paste"));
            if paste.on_hover_text("Replace this node by the copied one").clicked()
                && let Some(copied) = &self.copied
            {
                act(Change::Replace(copied.clone()));
            }
        });
    }

    /// Takes a branch from text as copied here. Returns whether the text is one.
    pub fn read(&mut self, text: &str) -> bool {
        let read = read_ron::<Noise>(text).ok();
        let is_branch = read.is_some();
        self.copied = read.or(self.copied.take());
        is_branch
    }
}

const ACTIONS: [(&str, &str, fn() -> Change); 4] = [
    ("Duplicate", "Add a copy of it, with different seeds", || Change::Duplicate),
    ("Raise", "Swap with the node above: it is then applied to the result", || Change::Raise),
    ("Earlier", "Swap with the previous operand", || Change::Earlier),
    ("Remove", "Replace it by its first operand, or a source by its sibling", || Change::Remove),
];

fn menu(ui: &mut egui::Ui, path: &Path, action: &mut Option<(Path, Change)>) {
    let mut act = |change: Change| *action = Some((path.clone(), change));
    ui.menu_button("Change to", |ui| choose(ui, |kind| act(Change::Become(kind))));
    ui.menu_button("Wrap in", |ui| choose(ui, |kind| act(Change::Wrap(kind))));
    for (text, help, change) in ACTIONS {
        if ui.button(text).on_hover_text(help).clicked() {
            act(change());
            ui.close();
        }
    }
}

fn choose(ui: &mut egui::Ui, mut act: impl FnMut(&'static NodeKind)) {
    for group in NodeGroup::ALL {
        ui.menu_button(group.name(), |ui| {
            for kind in Noise::kinds().iter().filter(|kind| kind.group == group) {
                if ui.button(spaced(kind.name)).on_hover_text(kind.help).clicked() {
                    act(kind);
                    ui.close();
                }
            }
        });
    }
}

fn list(noise: &Noise, path: &mut Path, role: &'static str, items: &mut Vec<Item>) {
    items.push(Item { path: path.clone(), role, kind: noise.kind(), summary: summary(noise) });
    for (index, (role, operand)) in noise.operands().into_iter().enumerate() {
        path.push(index);
        list(operand, path, role, items);
        path.pop();
    }
}

/// The most important parameters of a node, in short.
fn summary(noise: &Noise) -> String {
    match noise {
        Noise::Constant(node) => format!("{}", node.value),
        Noise::Single(node) => format!("{:.0} m", node.feature_size),
        Noise::Fractal(node) => format!("{} × {:.0} m", node.octaves, node.feature_size),
        Noise::Affine(node) => format!("× {} + {}", node.factor, node.offset),
        Noise::Warp(node) => format!("{:.0} m", node.amount),
        Noise::Range(node) => format!("{} to {}", node.min, node.max),
        Noise::Clamp(node) => format!("{} to {}", node.min, node.max),
        Noise::Terrace(node) => format!("{:.0} m", node.step),
        Noise::Power(node) => format!("^ {}", node.exponent),
        _ => String::new(),
    }
}

fn first_fractal(noise: &Noise) -> Path {
    let mut items = Vec::new();
    list(noise, &mut Vec::new(), "", &mut items);
    items.into_iter().find(|item| item.kind.name == "Fractal").map(|item| item.path).unwrap_or_default()
}

/// The path of a node in faults.
fn text_path(noise: &Noise, path: &[usize]) -> String {
    let mut text = "terrain.noise".to_owned();
    let mut node = noise;
    for &index in path {
        let Some((role, operand)) = node.operands().into_iter().nth(index) else { break };
        text = format!("{text}.{role}");
        node = operand;
    }
    text
}

fn node_mut<'a>(root: &'a mut Noise, path: &[usize]) -> Option<&'a mut Noise> {
    path.iter().try_fold(root, |noise, &index| noise.operands_mut().into_iter().nth(index).map(|(_, operand)| operand))
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrain_noise::{Compose, perlin, simplex};

    #[test]
    fn the_first_fractal_is_shown_first() {
        let tree = simplex().scale(3.0).add(perlin().fbm().abs());
        assert_eq!(first_fractal(&tree), [1, 0]);
        assert_eq!(text_path(&tree, &[1, 0]), "terrain.noise.b.source");
        assert_eq!(first_fractal(&simplex().into()), Path::new());
    }

    #[test]
    fn a_change_that_is_not_allowed_leaves_the_tree() {
        let mut tab = NoiseTab::default();
        let mut tree = (0..terrain_noise::MAX_DEPTH - 1).fold(perlin().into(), |tree: Noise, _| tree.abs());
        let before = tree.clone();
        let abs = Noise::kinds().iter().find(|kind| kind.name == "Abs").unwrap();
        let mut chosen = Vec::new();
        tab.make(&mut tree, &[], &Change::Wrap(abs), &mut chosen);
        assert_eq!(tree, before);
        assert!(tab.refused.as_ref().unwrap().contains("at most 32 nodes deep"), "{:?}", tab.refused);
        tab.make(&mut tree, &[], &Change::Remove, &mut chosen);
        assert_eq!((tab.refused, tree != before), (None, true));
    }
}
