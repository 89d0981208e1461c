//! Optional settings.

use std::any::TypeId;

use bevy::prelude::*;
use bevy::reflect::enums::{DynamicEnum, DynamicVariant, VariantInfo};
use bevy::reflect::tuple::DynamicTuple;
use bevy::reflect::{ReflectMut, ReflectRef, TypeRegistryArc, UnnamedField};
use bevy_egui::egui;

use super::super::fault::Fault;
use super::{fields, section};

/// Makes the type registry available to the panel: an absent value has only a type, from which its default is created.
pub fn register_types(context: &egui::Context, types: &TypeRegistryArc) {
    context.data_mut(|data| data.insert_temp(egui::Id::NULL, types.clone()));
}

/// A switch, and the fields if the value is present.
pub fn ui(
    ui: &mut egui::Ui,
    path: &str,
    name: &str,
    value: &mut dyn PartialReflect,
    default: &dyn PartialReflect,
    fault: Option<&Fault>,
) {
    switch(ui, name, value);
    let ReflectMut::Enum(value) = value.reflect_mut() else { return };
    let Some(inner) = value.field_at_mut(0) else { return };
    let own = match default.reflect_ref() {
        ReflectRef::Enum(default) => default.field_at(0).and_then(|own| own.to_dynamic().ok()),
        _ => None,
    };
    let default = own
        .or_else(|| default_of(ui, inner.get_represented_type_info()?.type_id()))
        .or_else(|| inner.to_dynamic().ok());
    let Some(default) = default else { return };
    section(ui, name, "present", true, |ui| fields(ui, path, inner, default.as_ref(), fault));
}

fn switch(ui: &mut egui::Ui, name: &str, value: &mut dyn PartialReflect) {
    let ReflectRef::Enum(present) = value.reflect_ref() else { return };
    let before = present.field_len() > 0;
    let mut is_present = before;
    let new = if before { None } else { inner_type(value).and_then(|inner| default_of(ui, inner)) };
    ui.add_enabled(before || new.is_some(), egui::Checkbox::new(&mut is_present, name));
    match (before, is_present, new) {
        (false, true, Some(new)) => {
            let mut tuple = DynamicTuple::default();
            tuple.insert_boxed(new);
            value.apply(&DynamicEnum::new("Some", DynamicVariant::Tuple(tuple)));
        }
        (true, false, _) => value.apply(&DynamicEnum::new("None", DynamicVariant::Unit)),
        _ => {}
    }
}

/// The type of the optional value.
fn inner_type(value: &dyn PartialReflect) -> Option<TypeId> {
    match value.get_represented_type_info()?.as_enum().ok()?.variant("Some")? {
        VariantInfo::Tuple(some) => some.field_at(0).map(UnnamedField::type_id),
        _ => None,
    }
}

/// The default value of a type, if it has one.
fn default_of(ui: &egui::Ui, kind: TypeId) -> Option<Box<dyn PartialReflect>> {
    let types = ui.data(|data| data.get_temp::<TypeRegistryArc>(egui::Id::NULL))?;
    let types = types.read();
    Some(types.get_type_data::<ReflectDefault>(kind)?.default().into_partial_reflect())
}
