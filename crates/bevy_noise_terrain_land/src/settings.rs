//! Settings: declared once with [`settings!`] and validated by reflection; errors name the field.
//!
//! Help, default, range and unit are declared on the field; documentation, `Default`, the panel and [`validate`] use
//! them. Constraints between fields are checked by hand in [`Settings::check`], next to the type.

mod declare;
mod error;
mod ranges;
mod rejected;
#[cfg(test)]
mod tests;

pub use declare::{SliderRange, param_info, range_text, settings, trimmed};
pub use error::SettingsError;
pub use rejected::SettingsRejected;
pub(crate) use rejected::reject;

use bevy::reflect::PartialReflect;

/// Settings that are validated as a whole.
pub trait Settings: PartialReflect + Sized {
    /// The first part of the paths in errors.
    const NAME: &'static str;

    /// Checks constraints between fields, once every number is within its range. Paths of errors begin with a field.
    fn check(&self) -> Result<(), SettingsError> {
        Ok(())
    }
}

/// Checks every field, then the constraints between them.
pub fn validate<S: Settings>(settings: &S) -> Result<(), SettingsError> {
    ranges::check(settings, None).and_then(|()| settings.check()).map_err(|error| error.below(S::NAME))
}
