//! Fields that take one row each.

use bevy::prelude::*;
use bevy::reflect::enums::{DynamicEnum, DynamicVariant, EnumInfo};
use bevy::reflect::{ReflectMut, ReflectRef};
use bevy_egui::egui;
use bevy_noise_terrain::internal::SliderRange;
use terrain_noise::ParamInfo;

use super::super::number::{self, Row};
use super::super::params::spaced;

/// Shows a number. Returns false if the value is not one.
pub fn number(
    ui: &mut egui::Ui,
    path: &str,
    name: &str,
    declared: Option<&ParamInfo>,
    slider: Option<&SliderRange>,
    fault: Option<&str>,
    value: &mut dyn PartialReflect,
    default: &dyn PartialReflect,
) -> bool {
    let mut show = |whole: bool, value: f64, default: Option<f64>| {
        let range = declared.map(|declared| (declared.min, declared.max));
        let (help, unit) = declared.map_or(("", ""), |declared| (declared.help, declared.unit));
        let slider = slider.map(|slider| (slider.min, slider.max));
        let mut edited = value;
        number::number(ui, &Row { path, name, help, unit, range, slider, default, whole, fault }, &mut edited);
        edited
    };
    macro_rules! kinds {
        ($($kind:ty: $whole:literal),*) => { $(
            if let Some(value) = value.try_downcast_mut::<$kind>() {
                let default = default.try_downcast_ref::<$kind>().map(|&default| shown(default as f64));
                let before = shown(*value as f64);
                let after = show($whole, before, default);
                // An unchanged value keeps every digit.
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

/// The shortest decimal of a 32-bit number: 0.1 instead of 0.100000001.
fn shown(value: f64) -> f64 {
    let short = value as f32;
    if f64::from(short) == value { short.to_string().parse().unwrap_or(value) } else { value }
}

pub fn color(ui: &mut egui::Ui, name: &str, help: &str, color: &mut Color, default: Option<&Color>) {
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

/// Numbers side by side.
pub fn numbers(
    ui: &mut egui::Ui,
    name: &str,
    help: &str,
    value: &mut dyn PartialReflect,
    default: &dyn PartialReflect,
) {
    let differs = value.reflect_partial_eq(default) == Some(false);
    let ReflectMut::Array(array) = value.reflect_mut() else { return };
    let reset = ui.horizontal(|ui| {
        number::label(ui, name, help);
        for index in 0..array.len() {
            let Some(number) = array.get_mut(index).and_then(|number| number.try_downcast_mut::<f32>()) else {
                return false;
            };
            let speed = (f64::from(number.abs()) * 0.01).max(0.005);
            ui.add(egui::DragValue::new(number).speed(speed).max_decimals(3)).on_hover_text(help);
        }
        number::reset(ui, differs, None)
    });
    if reset.inner {
        value.apply(default);
    }
}

/// A choice between variants without fields. A variant with fields is shown but not offered.
pub fn choice(
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
}
