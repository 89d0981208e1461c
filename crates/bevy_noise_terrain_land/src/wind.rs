//! The wind: one for plants, water and clouds, in strength and direction by noise.
//!
//! ```
//! # use bevy_noise_terrain_land as bevy_noise_terrain;
//! use bevy::prelude::*;
//! use bevy_noise_terrain::prelude::*;
//!
//! fn storm(mut settings: ResMut<TerrainWind>) {
//!     settings.speed = 18.0;
//! }
//!
//! fn fill_sail(wind: Res<Wind>, origin: Single<&TerrainOrigin>, boat: Single<&Transform>) {
//!     let place = boat.translation.as_dvec3();
//!     let here = wind.at(origin.x + place.x, origin.z + place.z);
//!     println!("{:.1} m/s towards {here}", here.length());
//! }
//!
//! # App::new()
//! #     .add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin))
//! #     .add_systems(Update, storm)
//! #     .add_systems(Update, fill_sail)
//! #     .update();
//! ```
//!
//! * [`TerrainWind`] is a resource with every setting.
//! * [`Wind`] is the wind as it blows: [`Wind::at`] tells it anywhere, on a server too.
//!
//! Gusts move downwind in two layers, the broad one faster than the fine one, so that they change as they go; a third
//! layer turns the direction. Plants bend and ripples darken the water where a gust passes, in the same place as
//! [`Wind::at`] says. Clouds drift with the mean wind. The shader module `bevy_noise_terrain::gpu::wind` does the same.
//!
//! While the settings stay as they are, the gusts depend on the app's [`Time`] alone: machines with the same clock have
//! the same wind.

mod field;
mod record;
mod settings;

use bevy::prelude::*;
pub use field::Wind;
#[cfg(any(feature = "scatter", feature = "water"))]
pub(crate) use record::WindRecord;
pub use settings::TerrainWind;

use crate::settings::reject;

/// Keeps [`Wind`] up to date. Part of [`NoiseTerrainPlugin`](crate::NoiseTerrainPlugin).
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainWindPlugin;

/// Updates [`Wind`], in [`PreUpdate`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WindSystems;

impl Plugin for TerrainWindPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<TerrainWind>()
            .init_resource::<TerrainWind>()
            .init_resource::<Wind>()
            .add_systems(PreUpdate, blow.in_set(WindSystems));
    }
}

/// Adds the plugin unless the app has it already.
#[cfg(any(feature = "scatter", feature = "sky", feature = "water"))]
pub(crate) fn add(app: &mut App) {
    if !app.is_plugin_added::<TerrainWindPlugin>() {
        app.add_plugins(TerrainWindPlugin);
    }
}

/// Applies valid settings, and moves the gusts to the present time.
fn blow(settings: Res<TerrainWind>, time: Option<Res<Time>>, mut wind: ResMut<Wind>, mut commands: Commands) {
    let now = time.map_or(0.0, |time| time.elapsed_secs_f64());
    if settings.is_changed() {
        match settings.validate() {
            Ok(()) => wind.set(&settings, now),
            Err(error) => reject(&mut commands, None, error),
        }
    }
    wind.advance(now);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SettingsRejected;

    #[test]
    fn invalid_settings_leave_the_wind_as_it_is() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TerrainWindPlugin));
        #[derive(Resource, Default)]
        struct Paths(Vec<String>);
        app.init_resource::<Paths>().add_observer(|rejected: On<SettingsRejected>, mut paths: ResMut<Paths>| {
            paths.0.push(rejected.error.path.clone());
        });
        app.update();
        let before = app.world().resource::<Wind>().mean();
        app.world_mut().resource_mut::<TerrainWind>().speed = f32::NAN;
        app.update();
        assert_eq!(app.world().resource::<Paths>().0, ["wind.speed"]);
        assert_eq!(app.world().resource::<Wind>().mean(), before);
        app.world_mut().resource_mut::<TerrainWind>().speed = 2.0 * before.length();
        app.update();
        let after = app.world().resource::<Wind>().mean();
        assert!((after - 2.0 * before).length() < 1e-5, "{after}");
    }

    #[test]
    fn wind_that_the_app_has_chosen_stays() {
        let mut app = App::new();
        app.insert_resource(TerrainWind { speed: 0.0, ..default() }).add_plugins((MinimalPlugins, TerrainWindPlugin));
        app.update();
        assert_eq!(app.world().resource::<Wind>().at(1e6, -3.0), Vec2::ZERO);
    }
}
