//! Fields of any reflected settings: numbers, colours, switches, choices, and what is made of them.
//!
//! Range, unit and help come from a [`ParamInfo`] attribute on the field; without one a number is dragged.

use bevy::prelude::*;
use bevy::reflect::enums::{DynamicEnum, DynamicVariant, EnumInfo};
use bevy::reflect::list::List;
use bevy::reflect::{NamedField, ReflectMut, ReflectRef};
use bevy_egui::egui;
use terrain_noise::ParamInfo;

use super::number::{self, Row, number};
use super::params::spaced;
use super::session::Fault;
use super::span;
use crate::render::Span;

/// A header over fields that fold away.
pub fn header(ui: &egui::Ui, title: &str) -> egui::CollapsingHeader {
    let all = ui.data(|data| data.get_temp::<bool>(open_all())).unwrap_or_default();
    egui::CollapsingHeader::new(title).open(all.then_some(true))
}

/// Whether every header is open: to see what that costs.
pub fn open_all() -> egui::Id {
    egui::Id::new("open every header of the terrain panel")
}

/// Shows every field of `value`, each with a way back to what `default` holds. `path` is the way to it as
/// faults tell it.
pub fn fields(
    ui: &mut egui::Ui,
    path: &str,
    value: &mut dyn PartialReflect,
    default: &dyn PartialReflect,
    fault: Option<&Fault>,
) {
    only_fields(ui, path, value, default, fault, |_| true);
}

/// The same for the fields whose name passes.
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
            ui.push_id(&name, |ui| self::field(ui, &path, &name, info, field, default, fault));
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
    let words = Fault::at(fault, path);
    if words.is_none() && is_a_row(value) && number::skip_unseen(ui) {
        return;
    }
    let hint = info.and_then(NamedField::get_attribute::<ParamInfo>);
    let help = hint.map_or("", |hint| hint.help);
    let name = super::params::words(name.trim_end_matches("_mb").trim_end_matches("_seconds"));
    if number_field(ui, path, &name, hint, words, value, default) {
        return;
    }
    if let Some(on) = value.try_downcast_mut::<bool>() {
        ui.checkbox(on, &name).on_hover_text(help);
    } else if let Some(color) = value.try_downcast_mut::<Color>() {
        color_field(ui, &name, help, color, default.try_downcast_ref::<Color>());
    } else if let Some(linear) = value.try_downcast_mut::<LinearRgba>() {
        let mut color = Color::from(*linear);
        color_field(ui, &name, help, &mut color, default.try_downcast_ref().copied().map(Color::LinearRgba).as_ref());
        if color != Color::from(*linear) {
            *linear = color.to_linear();
        }
    } else if let Some(text) = value.try_downcast_mut::<String>() {
        ui.horizontal(|ui| {
            number::label(ui, &name, help);
            ui.text_edit_singleline(text);
        });
    } else if let Some(choices) = value.get_represented_type_info().and_then(|info| info.as_enum().ok()) {
        if choices.contains_variant("Some") {
            option_field(ui, path, &name, value, default, fault);
        } else {
            choice_field(ui, &name, help, choices, value, default);
        }
    } else if let Some(span) = value.try_downcast_mut::<Span>() {
        span::ui(ui, &name, help, span, default.try_downcast_ref::<Span>());
    } else if matches!(value.reflect_ref(), ReflectRef::Struct(_)) {
        header(ui, &name).show(ui, |ui| fields(ui, path, value, default, fault));
    } else if let (ReflectMut::List(list), ReflectRef::List(default)) = (value.reflect_mut(), default.reflect_ref()) {
        list_field(ui, path, &name, list, default, fault);
    }
    if let Some(words) = words {
        number::complain(ui, words);
    }
}

/// Is it shown in one row, with nothing below it?
fn is_a_row(value: &dyn PartialReflect) -> bool {
    match value.reflect_ref() {
        ReflectRef::Opaque(_) => true,
        ReflectRef::Enum(value) => value.field_len() == 0,
        ReflectRef::Struct(_) => {
            value.try_downcast_ref::<Span>().is_some() || value.try_downcast_ref::<LinearRgba>().is_some()
        }
        _ => false,
    }
}

/// A list of settings, each below its name: change, move, remove, and copy them.
fn list_field(
    ui: &mut egui::Ui,
    path: &str,
    name: &str,
    list: &mut dyn List,
    default: &dyn List,
    fault: Option<&Fault>,
) {
    let title = |item: &dyn PartialReflect| match item.reflect_ref() {
        ReflectRef::Struct(item) => item.field("name").and_then(|name| name.try_downcast_ref::<String>()).cloned(),
        _ => None,
    };
    ui.strong(name);
    let mut wish = None;
    for index in 0..list.len() {
        let Some(item) = list.get_mut(index) else { continue };
        let own = title(item).unwrap_or_default();
        let shown = if own.is_empty() { format!("{}", index + 1) } else { own.clone() };
        let default = default.iter().find(|other| title(*other) == Some(own.clone()));
        let own_default;
        let default = match default {
            Some(default) => default,
            None => {
                own_default = item.to_dynamic();
                own_default.as_ref()
            }
        };
        // Messages call layers by their name.
        let path = format!("{}.{own}", path.split('.').next().unwrap_or_default());
        header(ui, &shown).id_salt(("item", index)).show(ui, |ui| {
            fields(ui, &path, item, default, fault);
            ui.horizontal(|ui| {
                for (text, act) in
                    [("Up", Move::Up), ("Down", Move::Down), ("Copy", Move::Copy), ("Remove", Move::Remove)]
                {
                    if ui.small_button(text).clicked() {
                        wish = Some((index, act));
                    }
                }
            });
        });
    }
    if let Some((index, act)) = wish {
        rearrange(list, index, act);
    }
}

/// What can be done to an item of a list.
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
        // A list without items has nothing to copy from.
        Move::Remove if last > 0 => drop(list.remove(index)),
        _ => {}
    }
}

/// Shows a number, if it is one.
fn number_field(
    ui: &mut egui::Ui,
    path: &str,
    name: &str,
    hint: Option<&ParamInfo>,
    fault: Option<&str>,
    value: &mut dyn PartialReflect,
    default: &dyn PartialReflect,
) -> bool {
    let mut show = |whole: bool, value: f64, default: Option<f64>| {
        let range = hint.map(|hint| (hint.min, hint.max));
        let (help, unit) = hint.map_or(("", ""), |hint| (hint.help, hint.unit));
        let mut edited = value;
        number(ui, &Row { path, name, help, unit, range, default, whole, fault }, &mut edited);
        edited
    };
    macro_rules! kinds {
        ($($kind:ty: $whole:literal),*) => { $(
            if let Some(value) = value.try_downcast_mut::<$kind>() {
                let default = default.try_downcast_ref::<$kind>().map(|&default| shown(default as f64));
                let before = shown(*value as f64);
                let after = show($whole, before, default);
                // What was not touched keeps every digit.
                if after != before {
                    *value = after as $kind;
                }
                return true;
            }
        )* };
    }
    kinds!(f64: false, f32: false, u32: true, i32: true, u64: true, u8: true, usize: true);
    false
}

/// A 32-bit number such as 0.1 without the digits that it has as a 64-bit one.
fn shown(value: f64) -> f64 {
    let short = value as f32;
    if f64::from(short) == value { short.to_string().parse().unwrap_or(value) } else { value }
}

fn color_field(ui: &mut egui::Ui, name: &str, help: &str, color: &mut Color, default: Option<&Color>) {
    ui.horizontal(|ui| {
        number::label(ui, name, help);
        let Srgba { red, green, blue, .. } = color.to_srgba();
        let mut rgb = [red, green, blue];
        if ui.color_edit_button_rgb(&mut rgb).on_hover_text(help).changed() {
            *color = Color::srgb_from_array(rgb);
        }
        if let Some(default) = default
            && number::reset(ui, color != default, None)
        {
            *color = *default;
        }
    });
}

/// What may be there or not: its fields, if it is.
fn option_field(
    ui: &mut egui::Ui,
    path: &str,
    name: &str,
    value: &mut dyn PartialReflect,
    default: &dyn PartialReflect,
    fault: Option<&Fault>,
) {
    let ReflectMut::Enum(value) = value.reflect_mut() else { return };
    let Some(inner) = value.field_at_mut(0) else {
        ui.weak(format!("{name}: none"));
        return;
    };
    let own = match default.reflect_ref() {
        ReflectRef::Enum(default) => default.field_at(0).map(PartialReflect::to_dynamic),
        _ => None,
    };
    let default = own.unwrap_or_else(|| inner.to_dynamic());
    header(ui, name).show(ui, |ui| fields(ui, path, inner, default.as_ref(), fault));
}

/// A choice between variants without fields; others are shown and stay.
fn choice_field(
    ui: &mut egui::Ui,
    name: &str,
    help: &str,
    choices: &EnumInfo,
    value: &mut dyn PartialReflect,
    default: &dyn PartialReflect,
) {
    let ReflectRef::Enum(present) = value.reflect_ref() else { return };
    let before = present.variant_name().to_owned();
    let mut now = before.clone();
    ui.horizontal(|ui| {
        number::label(ui, name, help);
        egui::ComboBox::from_id_salt("choice").selected_text(spaced(&now)).show_ui(ui, |ui| {
            for variant in choices.iter() {
                if variant.as_unit_variant().is_ok() {
                    ui.selectable_value(&mut now, variant.name().to_owned(), spaced(variant.name()));
                }
            }
        });
        if let ReflectRef::Enum(default) = default.reflect_ref()
            && number::reset(ui, default.variant_name() != now, None)
        {
            now = default.variant_name().to_owned();
        }
    });
    if now != before {
        value.apply(&DynamicEnum::new(now, DynamicVariant::Unit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_stay_short() {
        assert_eq!(shown(f64::from(0.1f32)), 0.1);
        assert_eq!(shown(0.1), 0.1);
        assert_eq!(shown(1.0 / 3.0), 1.0 / 3.0);
    }

    #[test]
    fn ranges_that_are_shown_are_those_that_are_allowed() {
        use crate::lod::LodSettings;
        use crate::streaming::StreamingSettings;
        use bevy::reflect::{TypeInfo, Typed};
        let numbers = |info: &'static TypeInfo| {
            let TypeInfo::Struct(info) = info else { panic!("settings are structs") };
            info.iter()
                .filter_map(|field| Some((field.name(), *field.get_attribute::<ParamInfo>()?)))
                .collect::<Vec<_>>()
        };
        for (name, hint) in numbers(LodSettings::type_info()) {
            for (value, allowed) in [(hint.min, true), (hint.min * 0.9, false)] {
                let mut lod = LodSettings::default();
                *lod.field_mut(name).unwrap().try_downcast_mut::<f64>().unwrap() = value;
                assert_eq!(lod.validate().is_ok(), allowed, "{name} {value}");
            }
        }
        let settings = numbers(StreamingSettings::type_info());
        assert_eq!(settings.len(), 6);
        for (name, hint) in settings.as_slice().iter().filter(|(_, hint)| hint.min.is_finite()) {
            for (value, allowed) in [(hint.min, true), (hint.max, true), (hint.max + 1.0, false)] {
                let mut settings = StreamingSettings::default();
                let field = settings.field_mut(name).unwrap();
                match field.try_downcast_mut::<u32>() {
                    Some(field) => *field = value as u32,
                    None => *field.try_downcast_mut::<f32>().unwrap() = value as f32,
                }
                assert_eq!(settings.validate().is_ok(), allowed, "{name} {value}");
            }
        }
    }
}
