//! Checks every number of settings against the range that is declared on its field.

use std::fmt::{Display, LowerExp};

use bevy::reflect::enums::VariantInfo;
use bevy::reflect::{NamedField, PartialReflect, ReflectRef};
use terrain_noise::{Noise, ParamInfo};

use super::SettingsError;

/// Finds the first number outside its range. `declared` is the declaration of the field that holds `value`: it applies
/// to every number in it, except in fields that have their own.
pub(super) fn check(value: &dyn PartialReflect, declared: Option<&ParamInfo>) -> Result<(), SettingsError> {
    // A noise has its own validation.
    if let Some(noise) = value.try_downcast_ref::<Noise>() {
        return noise.validate().map_err(|error| SettingsError::of_noise(&error, ""));
    }
    if let Some(number) = Number::of(value) {
        return declared.map_or(Ok(()), |declared| number.check(declared));
    }
    match value.reflect_ref() {
        ReflectRef::Struct(parts) => {
            let info = value.get_represented_type_info().and_then(|info| info.as_struct().ok());
            (0..parts.field_len()).try_for_each(|index| {
                let own = info.and_then(|info| info.field_at(index)).and_then(NamedField::get_attribute);
                let name = parts.name_at(index).unwrap_or_default();
                part(parts.field_at(index), own.or(declared), || name)
            })
        }
        ReflectRef::Enum(parts) => {
            let info = value.get_represented_type_info().and_then(|info| info.as_enum().ok());
            let info = info.and_then(|info| info.variant_at(parts.variant_index()));
            (0..parts.field_len()).try_for_each(|index| {
                let own = match info {
                    Some(VariantInfo::Struct(info)) => info.field_at(index).and_then(|field| field.get_attribute()),
                    Some(VariantInfo::Tuple(info)) => info.field_at(index).and_then(|field| field.get_attribute()),
                    _ => None,
                };
                let field = parts.field_at(index);
                match parts.name_at(index) {
                    Some(name) => part(field, own.or(declared), || name),
                    // As in `Some(value)`: no index in the path.
                    None if parts.field_len() == 1 => field.map_or(Ok(()), |field| check(field, own.or(declared))),
                    None => part(field, own.or(declared), || index),
                }
            })
        }
        ReflectRef::TupleStruct(parts) => {
            (0..parts.field_len()).try_for_each(|index| part(parts.field(index), declared, || index))
        }
        ReflectRef::Tuple(parts) => {
            (0..parts.field_len()).try_for_each(|index| part(parts.field(index), declared, || index))
        }
        ReflectRef::List(parts) => (0..parts.len()).try_for_each(|index| part(parts.get(index), declared, || index)),
        ReflectRef::Array(parts) => (0..parts.len()).try_for_each(|index| part(parts.get(index), declared, || index)),
        _ => Ok(()),
    }
}

/// Checks a part of a value; its name becomes part of the path of an error.
fn part<D: Display>(
    value: Option<&dyn PartialReflect>,
    declared: Option<&ParamInfo>,
    name: impl Fn() -> D,
) -> Result<(), SettingsError> {
    value.map_or(Ok(()), |value| check(value, declared).map_err(|error| error.below(name())))
}

/// A number. Ranges are inclusive, so 32-bit numbers are compared with the ends rounded to 32 bits.
#[derive(Clone, Copy)]
enum Number {
    Single(f32),
    Double(f64),
}

impl Number {
    fn of(value: &dyn PartialReflect) -> Option<Self> {
        macro_rules! whole {
            ($($type:ty),*) => { $(
                if let Some(&value) = value.try_downcast_ref::<$type>() {
                    return Some(Self::Double(value as f64));
                }
            )* };
        }
        if let Some(&value) = value.try_downcast_ref::<f32>() {
            return Some(Self::Single(value));
        }
        whole!(f64, u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);
        None
    }

    fn check(self, declared: &ParamInfo) -> Result<(), SettingsError> {
        let ParamInfo { min, max, .. } = *declared;
        let is_within = match self {
            Self::Single(value) => (min as f32..=max as f32).contains(&value),
            Self::Double(value) => (min..=max).contains(&value),
        };
        if is_within {
            return Ok(());
        }
        let found = match self {
            Self::Single(value) => words(value, f64::from(value)),
            Self::Double(value) => words(value, value),
        };
        Err(SettingsError::new("", found, allowed(declared)))
    }
}

/// The allowed range as text, in the format of `terrain_noise`.
fn allowed(declared: &ParamInfo) -> String {
    let ParamInfo { min, max, unit, .. } = *declared;
    if min.is_infinite() && max.is_infinite() {
        return "any number".into();
    }
    let blank = if unit.is_empty() { "" } else { " " };
    format!("{} to {}{blank}{unit}", words(min, min), words(max, max))
}

/// Formats a number; very large and very small ones in scientific notation.
fn words(value: impl Display + LowerExp, size: f64) -> String {
    let size = size.abs();
    if size == 0.0 || (1e-7..1e16).contains(&size) || !size.is_finite() {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::*;
    use bevy::reflect::structs::Struct;

    use super::*;
    use crate::settings::settings;

    #[derive(Clone, Copy, Debug, Reflect)]
    struct Pair(f32, u8);

    #[derive(Clone, Debug, Reflect)]
    enum Choice {
        Nothing,
        One(f32),
        Two(f32, f32),
        Named {
            inner: f32,
            #[reflect(@crate::settings::param_info!(own, " Its own range", 5.0..=6.0, "m"))]
            own: f32,
        },
    }

    settings! {
        #[derive(Clone, Debug, Reflect)]
        struct Parts {
            /// A range for all of it.
            pair: Pair = Pair(0.0, 0), [0.0..=1.0];
            /// A range for all but what has its own.
            choice: Choice = Choice::Nothing, [0.0..=1.0];
            /// A list of tuples.
            list: Vec<(f32, Option<f64>)> = vec![(0.0, None), (0.0, Some(0.0))], [0.0..=1.0];
            /// Any number.
            any: f32 = f32::INFINITY, [any];
            /// No number.
            text: String = String::new();
        }
    }

    fn error(change: impl Fn(&mut Parts)) -> String {
        let mut parts = Parts::default();
        change(&mut parts);
        check(&parts, None).map_or_else(|error| error.to_string(), |()| "none".to_owned())
    }

    #[test]
    fn every_kind_of_part_is_checked() {
        let allowed = "allowed is 0 to 1";
        assert_eq!(error(|_| {}), "none");
        assert_eq!(error(|parts| parts.pair.0 = 1.5), format!("pair.0: found 1.5, {allowed}"));
        assert_eq!(error(|parts| parts.pair.1 = 2), format!("pair.1: found 2, {allowed}"));
        assert_eq!(error(|parts| parts.list[1].0 = -1e20), format!("list.1.0: found -1e20, {allowed}"));
        assert_eq!(
            error(|parts| parts.list[1].1 = Some(1e-9 - 1.0)),
            format!("list.1.1: found -0.999999999, {allowed}")
        );
        assert_eq!(error(|parts| parts.choice = Choice::One(f32::NAN)), format!("choice: found NaN, {allowed}"));
        assert_eq!(error(|parts| parts.choice = Choice::Two(0.0, 9.0)), format!("choice.1: found 9, {allowed}"));
        let named = |inner, own| error(move |parts| parts.choice = Choice::Named { inner, own });
        assert_eq!(named(0.5, 5.5), "none");
        assert_eq!(named(5.5, 5.5), format!("choice.inner: found 5.5, {allowed}"));
        assert_eq!(named(0.5, 0.5), "choice.own: found 0.5, allowed is 5 to 6 m");
        assert_eq!(error(|parts| parts.any = f32::NAN), "any: found NaN, allowed is any number");
        assert_eq!(error(|parts| parts.any = 1e30), "none");
    }

    #[test]
    fn values_without_type_info_have_no_ranges() {
        let mut parts = Parts::default().to_dynamic_struct().unwrap();
        parts.set_represented_type(None);
        *parts.field_mut("any").unwrap().try_downcast_mut::<f32>().unwrap() = f32::NAN;
        assert_eq!(check(&parts, None), Ok(()));
    }
}
