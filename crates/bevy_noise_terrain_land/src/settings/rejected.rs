//! The event of rejected settings.

use bevy::prelude::*;

use super::SettingsError;

/// Changed settings are invalid and were not applied: everything stays as it was.
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// # use bevy::prelude::*;
/// use bevy_noise_terrain::SettingsRejected;
/// fn log_rejected(rejected: On<SettingsRejected>) {
///     if rejected.error.path.starts_with("terrain.noise.") {
///         println!("invalid noise: {}", rejected.error);
///     }
/// }
/// App::new().add_observer(log_rejected);
/// ```
#[derive(Event, Clone, Debug)]
pub struct SettingsRejected {
    /// The terrain with the rejected component; `None` for a resource, such as the sky.
    pub entity: Option<Entity>,
    /// The field, its value, and what is allowed.
    pub error: SettingsError,
}

/// Logs the error and triggers [`SettingsRejected`].
pub(crate) fn reject(commands: &mut Commands, entity: Option<Entity>, error: SettingsError) {
    match entity {
        Some(entity) => warn!("invalid settings of {entity} were not applied: {error}"),
        None => warn!("invalid settings were not applied: {error}"),
    }
    commands.trigger(SettingsRejected { entity, error });
}
