//! Bevy's own atmosphere, if [`SkyModel::Atmosphere`] is chosen and the adapter supports it.

use bevy::camera::Hdr;
use bevy::light::Atmosphere;
use bevy::light::atmosphere::ScatteringMedium;
use bevy::pbr::{AtmosphereSettings, DistanceFog};
use bevy::prelude::*;

use super::view::TerrainSkyView;
use super::{SkyLight, SkyModel};

/// The atmosphere that this plugin has spawned.
#[derive(Component)]
pub(super) struct Planet;

/// On cameras whose [`AtmosphereSettings`] this plugin inserted; those that users inserted are left alone.
#[derive(Component)]
pub(super) struct InsertedAtmosphere {
    /// The camera was not HDR before.
    hdr: bool,
}

type View =
    (Entity, Option<&'static TerrainSkyView>, Has<AtmosphereSettings>, Has<Hdr>, Option<&'static InsertedAtmosphere>);

/// Inserts Bevy's atmosphere into cameras, or removes it.
pub(super) fn update_atmosphere(
    light: Res<SkyLight>,
    mut media: Option<ResMut<Assets<ScatteringMedium>>>,
    views: Query<View, Or<(With<TerrainSkyView>, With<InsertedAtmosphere>)>>,
    planets: Query<Entity, With<Planet>>,
    mut commands: Commands,
) {
    let chosen = light.settings.sky == SkyModel::Atmosphere;
    let mut wanted = false;
    for (entity, view, has, hdr, inserted) in &views {
        let mut camera = commands.entity(entity);
        match view.filter(|view| chosen && view.sky) {
            Some(view) => {
                wanted = true;
                if !has {
                    camera.insert((AtmosphereSettings::default(), InsertedAtmosphere { hdr: !hdr }));
                    if view.fog {
                        camera.remove::<DistanceFog>();
                    }
                }
            }
            None => {
                if let Some(inserted) = inserted {
                    camera.remove::<(AtmosphereSettings, InsertedAtmosphere)>();
                    if inserted.hdr {
                        camera.remove::<Hdr>();
                    }
                }
            }
        }
    }
    match (&mut media, planets.iter().next()) {
        (Some(media), None) if wanted => {
            let earth = Atmosphere::earth(media.add(ScatteringMedium::earth(256, 256)));
            commands.spawn((Name::new("Atmosphere"), Planet, earth));
        }
        (_, Some(planet)) if !wanted => commands.entity(planet).despawn(),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cameras_get_an_atmosphere_and_lose_only_what_they_were_given() {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins)
            .init_resource::<SkyLight>()
            .insert_resource(Assets::<ScatteringMedium>::default())
            .add_systems(Update, update_atmosphere);
        let world = app.world_mut();
        let ours = world.spawn(TerrainSkyView::default()).remove::<Hdr>().id();
        let theirs = world.spawn((TerrainSkyView { sky: false, ..default() }, AtmosphereSettings::default())).id();
        let fogless = world.spawn((TerrainSkyView { fog: false, ..default() }, DistanceFog::default())).id();
        let has = |app: &App, camera| app.world().get::<AtmosphereSettings>(camera).is_some();
        let planets = |app: &mut App| app.world_mut().query::<&Planet>().iter(app.world()).count();
        app.update();
        assert_eq!((has(&app, ours), has(&app, theirs), planets(&mut app)), (false, true, 0));
        app.world_mut().resource_mut::<SkyLight>().settings.sky = SkyModel::Atmosphere;
        app.update();
        assert_eq!((has(&app, ours), has(&app, theirs), planets(&mut app)), (true, true, 1));
        assert!(app.world().get::<Hdr>(ours).is_some());
        assert!(app.world().get::<DistanceFog>(fogless).is_some(), "their own fog");
        app.world_mut().entity_mut(fogless).remove::<TerrainSkyView>();
        app.update();
        assert!(!has(&app, fogless));
        app.world_mut().resource_mut::<SkyLight>().settings.sky = SkyModel::Analytic;
        app.update();
        assert_eq!((has(&app, ours), has(&app, theirs), planets(&mut app)), (false, true, 0));
        assert!(app.world().get::<Hdr>(ours).is_none(), "it had none");
        assert!(app.world().get::<Hdr>(fogless).is_some(), "its own");
    }
}
