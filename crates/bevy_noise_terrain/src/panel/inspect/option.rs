//! Settings that may be there or not.

use std::any::TypeId;

use bevy::prelude::*;
use bevy::reflect::enums::{DynamicEnum, DynamicVariant, VariantInfo};
use bevy::reflect::tuple::DynamicTuple;
use bevy::reflect::{ReflectMut, ReflectRef, TypeRegistryArc, UnnamedField};
use bevy_egui::egui;

use super::super::fault::Fault;
use super::{fields, section};

/// Tells the panel of the types there are: of what is not there, only its type is known, and how to make one.
pub fn know(context: &egui::Context, types: &TypeRegistryArc) {
    context.data_mut(|data| data.insert_temp(egui::Id::NULL, types.clone()));
}

/// A switch, and the fields if it is there.
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
        ReflectRef::Enum(default) => default.field_at(0).map(PartialReflect::to_dynamic),
        _ => None,
    };
    let default =
        own.or_else(|| made(ui, inner.get_represented_type_info()?.type_id())).unwrap_or_else(|| inner.to_dynamic());
    section(ui, name, "there", true, |ui| fields(ui, path, inner, default.as_ref(), fault));
}

fn switch(ui: &mut egui::Ui, name: &str, value: &mut dyn PartialReflect) {
    let ReflectRef::Enum(present) = value.reflect_ref() else { return };
    let before = present.field_len() > 0;
    let mut there = before;
    let new = if before { None } else { inner_type(value).and_then(|inner| made(ui, inner)) };
    ui.add_enabled(before || new.is_some(), egui::Checkbox::new(&mut there, name));
    match (before, there, new) {
        (false, true, Some(new)) => {
            let mut tuple = DynamicTuple::default();
            tuple.insert_boxed(new);
            value.apply(&DynamicEnum::new("Some", DynamicVariant::Tuple(tuple)));
        }
        (true, false, _) => value.apply(&DynamicEnum::new("None", DynamicVariant::Unit)),
        _ => {}
    }
}

/// The type of what could be there.
fn inner_type(value: &dyn PartialReflect) -> Option<TypeId> {
    match value.get_represented_type_info()?.as_enum().ok()?.variant("Some")? {
        VariantInfo::Tuple(some) => some.field_at(0).map(UnnamedField::type_id),
        _ => None,
    }
}

/// A new value of a type that has a default.
fn made(ui: &egui::Ui, kind: TypeId) -> Option<Box<dyn PartialReflect>> {
    let types = ui.data(|data| data.get_temp::<TypeRegistryArc>(egui::Id::NULL))?;
    let types = types.read();
    Some(types.get_type_data::<ReflectDefault>(kind)?.default().into_partial_reflect())
}
