//! Bevy's own atmosphere, where it is chosen and the adapter is a real one.

use bevy::light::Atmosphere;
use bevy::light::atmosphere::ScatteringMedium;
use bevy::pbr::{AtmosphereSettings, DistanceFog};
use bevy::prelude::*;

use super::view::AirView;
use super::{AirLight, AirSky};

/// The planet this plugin has spawned.
#[derive(Component)]
pub(super) struct Planet;

/// Gives cameras Bevy's atmosphere, or takes it from them.
pub(super) fn follow(
    light: Res<AirLight>,
    mut media: Option<ResMut<Assets<ScatteringMedium>>>,
    views: Query<(Entity, &AirView, Has<AtmosphereSettings>)>,
    planets: Query<Entity, With<Planet>>,
    mut commands: Commands,
) {
    let wanted = light.air.sky == AirSky::Atmosphere;
    if !wanted && planets.is_empty() {
        return;
    }
    for (camera, view, has) in &views {
        match (wanted && view.sky, has) {
            (true, false) => {
                commands.entity(camera).insert(AtmosphereSettings::default()).remove::<DistanceFog>();
            }
            (false, true) => {
                commands.entity(camera).remove::<AtmosphereSettings>();
            }
            _ => {}
        }
    }
    match (&mut media, planets.iter().next()) {
        (Some(media), None) if wanted && !views.is_empty() => {
            let earth = Atmosphere::earth(media.add(ScatteringMedium::earth(256, 256)));
            commands.spawn((Name::new("Atmosphere"), Planet, earth));
        }
        (_, Some(planet)) if !wanted => commands.entity(planet).despawn(),
        _ => {}
    }
}
