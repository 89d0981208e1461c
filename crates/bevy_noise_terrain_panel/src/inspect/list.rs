//! Lists of settings.

use bevy::prelude::*;
use bevy::reflect::ReflectRef;
use bevy::reflect::list::List;
use bevy_egui::egui;

use super::super::fault::Fault;
use super::{fields, section};

/// A list of settings with a section per item: edit, move, copy and remove them.
pub fn ui(ui: &mut egui::Ui, path: &str, name: &str, list: &mut dyn List, default: &dyn List, fault: Option<&Fault>) {
    ui.strong(name);
    let mut action = None;
    for index in 0..list.len() {
        let Some(item) = list.get_mut(index) else { continue };
        let own = title(item);
        let default = default.iter().find(|other| own.is_some() && title(*other) == own);
        let own_default;
        let default = match default {
            Some(default) => default,
            None => {
                let Ok(now) = item.to_dynamic() else { continue };
                own_default = now;
                own_default.as_ref()
            }
        };
        let path = format!("{path}.{index}");
        let shown = own.unwrap_or_else(|| format!("{}", index + 1));
        section(ui, &shown, ("item", index), false, |ui| {
            fields(ui, &path, item, default, fault);
            ui.horizontal(|ui| {
                for (text, act) in
                    [("Up", Move::Up), ("Down", Move::Down), ("Copy", Move::Copy), ("Remove", Move::Remove)]
                {
                    if ui.small_button(text).clicked() {
                        action = Some((index, act));
                    }
                }
            });
        });
    }
    if let Some((index, act)) = action {
        rearrange(list, index, act);
    }
}

/// The title of an item: its name, or the variant of its first enum.
fn title(item: &dyn PartialReflect) -> Option<String> {
    let ReflectRef::Struct(item) = item.reflect_ref() else { return None };
    let name = item.field("name").and_then(|name| name.try_downcast_ref::<String>()).cloned();
    name.filter(|name| !name.is_empty()).or_else(|| {
        item.iter_fields().find_map(|(_, field)| match field.reflect_ref() {
            ReflectRef::Enum(kind) => Some(kind.variant_name().to_owned()),
            _ => None,
        })
    })
}

/// A change of a list.
#[derive(Clone, Copy)]
enum Move {
    Up,
    Down,
    Copy,
    Remove,
}

fn rearrange(list: &mut dyn List, index: usize, act: Move) {
    let last = list.len().saturating_sub(1);
    match act {
        Move::Up if index > 0 => {
            let item = list.remove(index);
            list.insert(index - 1, item);
        }
        Move::Down if index < last => {
            let item = list.remove(index);
            list.insert(index + 1, item);
        }
        Move::Copy => {
            if let Some(item) = list.get(index).and_then(|item| item.reflect_clone().ok()) {
                list.insert(index + 1, item.into_partial_reflect());
            }
        }
        // The last item stays: new items are made by copying.
        Move::Remove if last > 0 => drop(list.remove(index)),
        _ => {}
    }
}
