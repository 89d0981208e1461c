//! Settings: declared once with [`settings!`], checked by reflection, refused by the name of a field.
//!
//! Help, default, range and unit stand on the field; documentation, `Default`, the panel and [`validate`] read them
//! from there. What fields must be together is checked by hand, beside the type, in [`Settings::check`].

mod declare;
mod error;
mod ranges;
mod rejected;
#[cfg(test)]
mod tests;

pub(crate) use declare::{param_info, range_text, settings, trimmed};
pub use error::SettingsError;
pub use rejected::SettingsRejected;
pub(crate) use rejected::reject;

use bevy::reflect::PartialReflect;

/// Settings that are validated as a whole.
pub(crate) trait Settings: PartialReflect + Sized {
    /// Where the paths of their errors begin.
    const NAME: &'static str;

    /// Checks what the range of no single field can tell, once every number is within its range. Paths of errors begin
    /// with a field.
    fn check(&self) -> Result<(), SettingsError> {
        Ok(())
    }
}

/// Checks every field, then all of them together.
pub(crate) fn validate<S: Settings>(settings: &S) -> Result<(), SettingsError> {
    ranges::check(settings, None).and_then(|()| settings.check()).map_err(|error| error.below(S::NAME))
}
