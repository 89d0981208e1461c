//! Editors for the fields of reflected settings: numbers, colours, switches, choices, and structs and lists of them.
//!
//! Range, unit and help come from a [`ParamInfo`] attribute on the field; a number without one has no slider.

mod list;
mod option;
mod rows;
mod section;

pub use option::register_types;
#[cfg(test)]
pub use section::open_all;
pub use section::section;

use bevy::prelude::*;
use bevy::reflect::{NamedField, ReflectMut, ReflectRef};
use bevy_egui::egui;
use bevy_noise_terrain::ground::LayerSpan;
use bevy_noise_terrain::internal::SliderRange;
use terrain_noise::ParamInfo;

use super::fault::Fault;
use super::number;
use super::span;

/// Shows every field of `value`, each with a button that resets it to `default`. `path` is the path of `value` in
/// faults.
pub fn fields(
    ui: &mut egui::Ui,
    path: &str,
    value: &mut dyn PartialReflect,
    default: &dyn PartialReflect,
    fault: Option<&Fault>,
) {
    only_fields(ui, path, value, default, fault, |_| true);
}

/// The same for the fields for whose names `shown` returns true.
pub fn only_fields(
    ui: &mut egui::Ui,
    path: &str,
    value: &mut dyn PartialReflect,
    default: &dyn PartialReflect,
    fault: Option<&Fault>,
    shown: impl Fn(&str) -> bool,
) {
    let info = value.get_represented_type_info().and_then(|info| info.as_struct().ok());
    let (ReflectMut::Struct(value), ReflectRef::Struct(default)) = (value.reflect_mut(), default.reflect_ref()) else {
        return;
    };
    for index in 0..value.field_len() {
        let name = value.name_at(index).unwrap_or_default().to_owned();
        if !shown(&name) {
            continue;
        }
        let info = info.and_then(|info| info.field(&name));
        if let (Some(field), Some(default)) = (value.field_at_mut(index), default.field(&name)) {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            self::field(ui, &path, &name, info, field, default, fault);
        }
    }
}

fn field(
    ui: &mut egui::Ui,
    path: &str,
    name: &str,
    info: Option<&NamedField>,
    value: &mut dyn PartialReflect,
    default: &dyn PartialReflect,
    fault: Option<&Fault>,
) {
    let row = is_a_row(value);
    let below = if row { Fault::below(fault, path) } else { None };
    let message = Fault::at(fault, path).or(below.as_deref());
    if row && message.is_none() && section::skip_unseen(ui, ui.spacing().interact_size.y) {
        return;
    }
    let declared = info.and_then(NamedField::get_attribute::<ParamInfo>);
    let slider = info.and_then(NamedField::get_attribute::<SliderRange>);
    let title = super::params::words(name.trim_end_matches("_mb").trim_end_matches("_seconds"));
    if rows::number(ui, path, &title, declared, slider, message, value, default) {
        return;
    }
    let help = declared.map_or("", |declared| declared.help);
    ui.push_id(name, |ui| kind(ui, path, &title, help, value, default, fault));
    if let Some(message) = message {
        number::complain(ui, message);
    }
}

/// A field that is not a number.
fn kind(
    ui: &mut egui::Ui,
    path: &str,
    name: &str,
    help: &str,
    value: &mut dyn PartialReflect,
    default: &dyn PartialReflect,
    fault: Option<&Fault>,
) {
    if let Some(on) = value.try_downcast_mut::<bool>() {
        ui.checkbox(on, name).on_hover_text(help);
    } else if let Some(color) = value.try_downcast_mut::<Color>() {
        rows::color(ui, name, help, color, default.try_downcast_ref::<Color>());
    } else if let Some(linear) = value.try_downcast_mut::<LinearRgba>() {
        let mut color = Color::from(*linear);
        rows::color(ui, name, help, &mut color, default.try_downcast_ref().copied().map(Color::LinearRgba).as_ref());
        if color != Color::from(*linear) {
            *linear = color.to_linear();
        }
    } else if let Some(text) = value.try_downcast_mut::<String>() {
        ui.horizontal(|ui| {
            number::label(ui, name, help);
            ui.text_edit_singleline(text);
        });
    } else if let Some(choices) = value.get_represented_type_info().and_then(|info| info.as_enum().ok()) {
        if choices.contains_variant("Some") {
            option::ui(ui, path, name, value, default, fault);
        } else {
            rows::choice(ui, name, help, choices, value, default);
        }
    } else if let Some(span) = value.try_downcast_mut::<LayerSpan>() {
        span::ui(ui, name, help, span, default.try_downcast_ref::<LayerSpan>());
    } else if matches!(value.reflect_ref(), ReflectRef::Struct(_)) {
        section(ui, name, name, false, |ui| fields(ui, path, value, default, fault));
    } else if let (ReflectMut::List(list), ReflectRef::List(default)) = (value.reflect_mut(), default.reflect_ref()) {
        list::ui(ui, path, name, list, default, fault);
    } else if matches!(value.reflect_ref(), ReflectRef::Array(_)) {
        rows::numbers(ui, name, help, value, default);
    }
}

/// Whether a value is shown in a single row.
fn is_a_row(value: &dyn PartialReflect) -> bool {
    match value.reflect_ref() {
        ReflectRef::Opaque(_) => true,
        ReflectRef::Enum(parts) => parts.field_len() == 0 || value.try_downcast_ref::<Color>().is_some(),
        ReflectRef::Struct(_) => {
            value.try_downcast_ref::<LayerSpan>().is_some() || value.try_downcast_ref::<LinearRgba>().is_some()
        }
        ReflectRef::Array(_) => true,
        _ => false,
    }
}
