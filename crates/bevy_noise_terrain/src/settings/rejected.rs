//! How an app learns that settings were refused.

use bevy::prelude::*;

use super::SettingsError;

/// Changed settings were refused: everything stays as it was.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_noise_terrain::SettingsRejected;
/// fn tell(rejected: On<SettingsRejected>) {
///     if rejected.error.path.starts_with("terrain.noise.") {
///         println!("no such land: {}", rejected.error);
///     }
/// }
/// App::new().add_observer(tell);
/// ```
#[derive(Event, Clone, Debug)]
pub struct SettingsRejected {
    /// The terrain whose component it was; none for a resource, as the air.
    pub entity: Option<Entity>,
    /// Which field, what was found there, and what is allowed.
    pub error: SettingsError,
}

/// Tells the log and the app.
pub(crate) fn reject(commands: &mut Commands, entity: Option<Entity>, error: SettingsError) {
    match entity {
        Some(entity) => warn!("settings of {entity} refused, everything stays as it was: {error}"),
        None => warn!("settings refused, everything stays as it was: {error}"),
    }
    commands.trigger(SettingsRejected { entity, error });
}
