//! What editors should know of a setting: an attribute of its field, read by reflection.

use terrain_noise::ParamInfo;

/// Help, unit and range of a number that is a setting. The name is the field's.
pub(crate) const fn hint(help: &'static str, unit: &'static str, min: f64, max: f64) -> ParamInfo {
    ParamInfo { name: "", help, unit, min, max, default: None }
}

/// Help for a setting that is no number.
pub(crate) const fn help(help: &'static str) -> ParamInfo {
    hint(help, "", f64::NEG_INFINITY, f64::INFINITY)
}
