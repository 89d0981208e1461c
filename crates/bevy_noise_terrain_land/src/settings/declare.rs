//! The macro that declares settings.

use bevy::reflect::Reflect;

/// The useful part of a wide range, which a slider covers. Any allowed number may still be typed.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
pub struct SliderRange {
    /// Its lower end.
    pub min: f64,
    /// Its upper end.
    pub max: f64,
}

/// Declares settings as a struct whose fields have a default and, if they are numbers, a range and a unit:
///
/// ```text
/// settings! {
///     /// Floods the terrain.
///     #[derive(Component, Clone, Debug, PartialEq, Reflect)]
///     pub struct TerrainWater {
///         /// Height of the surface.
///         /// (What is allowed is far more than what is useful: the range of its slider comes after.)
///         pub level: f32 = 0.0, [-100_000.0..=100_000.0, "m"], slider [-200.0..=2_000.0];
///         /// Colour of shallow water. (A range applies to every number in the field.)
///         pub shallow: LinearRgba = LinearRgba::BLACK, [0.0..=1.0];
///         /// Chooses the waves. (Any number but NaN.)
///         pub seed: u64 = 1, [any];
///         /// Draw the water.
///         pub shown: bool = true;
///     }
/// }
/// ```
///
/// The first doc line of a field is the help that editors show; more lines and other attributes may follow. Generates
/// the struct with documented ranges and defaults, a [`ParamInfo`](terrain_noise::ParamInfo) attribute on every field,
/// [`SliderRange`] where it is given, and `Default`.
#[doc(hidden)]
#[macro_export]
macro_rules! settings {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $(
                #[doc = $help:literal]
                $(#[$field_meta:meta])*
                $field_vis:vis $field:ident: $type:ty = $default:expr
                    $(, [$($range:tt)*] $(, slider [$low:literal ..= $high:literal])?)?;
            )*
        }
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $(
                #[doc = $help]
                $(#[$field_meta])*
                #[doc = $crate::internal::range_text!($($($range)*)?)]
                #[doc = concat!(" Default: `", stringify!($default), "`.")]
                #[reflect(@$crate::internal::param_info!($field, $help $(, $($range)*)?))]
                $($(#[reflect(@$crate::internal::SliderRange { min: $low as f64, max: $high as f64 })])?)?
                $field_vis $field: $type,
            )*
        }
        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }
    };
}
pub use settings;

/// The [`ParamInfo`](terrain_noise::ParamInfo) of a field, which editors and validation read.
#[doc(hidden)]
#[macro_export]
macro_rules! param_info {
    ($field:ident, $help:literal, $min:literal ..= $max:literal $(, $unit:literal)?) => {
        $crate::terrain_noise::ParamInfo {
            name: stringify!($field),
            help: $crate::internal::trimmed($help),
            unit: concat!("", $($unit)?),
            min: $min as f64,
            max: $max as f64,
            default: None,
        }
    };
    ($field:ident, $help:literal $(, any $(, $unit:literal)?)?) => {
        $crate::terrain_noise::ParamInfo {
            name: stringify!($field),
            help: $crate::internal::trimmed($help),
            unit: concat!("", $($($unit)?)?),
            min: f64::NEG_INFINITY,
            max: f64::INFINITY,
            default: None,
        }
    };
}
pub use param_info;

/// The range, for the paragraph of the documentation that ends with the default.
#[doc(hidden)]
#[macro_export]
macro_rules! range_text {
    ($min:literal ..= $max:literal $(, $unit:literal)?) => {
        concat!("\n\nAllowed: ", stringify!($min), " to ", stringify!($max) $(, " ", $unit)?, ".")
    };
    ($(any $(, $unit:literal)?)?) => {
        "\n\n"
    };
}
pub use range_text;

/// Removes the space with which a doc comment starts.
pub const fn trimmed(help: &'static str) -> &'static str {
    match help.as_bytes() {
        [b' ', ..] => help.split_at(1).1,
        _ => help,
    }
}
