//! Sky and water in an app without a renderer: suns and cameras are updated, invalid settings rejected, nothing else
//! is touched.

#![cfg(all(feature = "sky", feature = "water"))]

use std::time::Duration;

use bevy::camera::Exposure;
use bevy::light::{AmbientLight, CascadeShadowConfig};
use bevy::pbr::{DistanceFog, FogFalloff};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::SettingsRejected;
use bevy_noise_terrain::SpawnNoTerrain;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::sky::{SkyLight, SkyModel, sun_direction};
use bevy_noise_terrain::terrain_noise::prelude::*;

#[derive(Resource, Default)]
struct Refused(Vec<(Option<Entity>, String)>);

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin, TerrainSkyPlugin))
        .insert_resource(SpawnNoTerrain)
        .init_resource::<Refused>()
        .add_observer(|refused: On<SettingsRejected>, mut list: ResMut<Refused>| {
            list.0.push((refused.entity, refused.error.path.clone()));
        });
    app
}

#[test]
fn unmarked_lights_and_cameras_are_not_touched() {
    let mut app = app();
    let light = app.world_mut().spawn(DirectionalLight { illuminance: 123.0, ..default() }).id();
    let camera = app.world_mut().spawn(Camera3d::default()).id();
    app.update();
    app.update();
    assert_eq!(app.world().get::<DirectionalLight>(light).unwrap().illuminance, 123.0);
    assert!(app.world().get::<DistanceFog>(camera).is_none() && app.world().get::<Children>(camera).is_none());
}

#[test]
fn suns_and_cameras_follow_the_time_of_day() {
    let mut app = app();
    let sun = app.world_mut().spawn((DirectionalLight::default(), TerrainSun::default())).id();
    let camera = app.world_mut().spawn((Camera3d::default(), TerrainSkyView::default())).id();
    let mut brightness = Vec::new();
    for time in [12.0, 17.0, 0.0] {
        app.world_mut().resource_mut::<TerrainSky>().time = time;
        app.update();
        let world = app.world();
        let direction = sun_direction(world.resource::<TerrainSky>());
        let transform = world.get::<Transform>(sun).unwrap();
        assert!((*transform.back() - direction).length() < 1e-3, "light comes from the sun at {time} h");
        let exposure = world.get::<Exposure>(camera).unwrap().ev100;
        let light = world.get::<DirectionalLight>(sun).unwrap().illuminance;
        assert!(world.get::<DistanceFog>(camera).is_some());
        brightness.push((light, world.get::<AmbientLight>(camera).unwrap().brightness, exposure));
    }
    assert!(
        brightness.windows(2).all(|pair| pair[0].0 > pair[1].0 && pair[0].1 > pair[1].1 && pair[0].2 > pair[1].2),
        "{brightness:?}"
    );
    assert_eq!(app.world().get::<CascadeShadowConfig>(sun).unwrap().bounds.len(), 4);
}

#[test]
fn shadows_reach_as_far_as_the_land() {
    let mut app = app();
    let mut settings = NoiseTerrain::default();
    settings.lod.view_distance = 9_000.0;
    app.world_mut().spawn(settings);
    let sun = app.world_mut().spawn((DirectionalLight::default(), TerrainSun::default())).id();
    app.update();
    app.update();
    let bounds = &app.world().get::<CascadeShadowConfig>(sun).unwrap().bounds;
    assert!((bounds[3] - 9_000.0).abs() < 1.0, "{bounds:?}");
}

#[test]
fn a_view_gets_only_the_components_it_asks_for() {
    let mut app = app();
    let view = TerrainSkyView { fog: false, exposure: false, ..default() };
    let camera = app.world_mut().spawn((Camera3d::default(), view)).id();
    app.update();
    let world = app.world();
    assert!(world.get::<DistanceFog>(camera).is_none() && world.get::<AmbientLight>(camera).is_some());
}

#[test]
fn invalid_settings_are_rejected_once_and_change_nothing() {
    let mut app = app();
    app.update();
    let before = app.world().resource::<SkyLight>().settings.clone();
    app.world_mut().resource_mut::<TerrainSky>().visibility = -1.0;
    app.update();
    app.update();
    assert_eq!(app.world().resource::<Refused>().0, [(None, "sky.visibility".to_owned())]);
    assert_eq!(app.world().resource::<SkyLight>().settings, before);
}

#[test]
fn fog_adapts_to_land_that_is_spawned_later() {
    let mut app = app();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)));
    let camera = app
        .world_mut()
        .spawn((Camera3d::default(), TerrainSkyView::default(), Transform::from_xyz(0.0, 4_010.0, 0.0)))
        .id();
    let density = |app: &App| match app.world().get::<DistanceFog>(camera).unwrap().falloff {
        FogFalloff::Atmospheric { extinction, .. } => extinction.y,
        ref other => panic!("{other:?}"),
    };
    app.update();
    app.update();
    let high = density(&app);
    // The camera does not move.
    app.world_mut().spawn(NoiseTerrain { noise: constant(4_000.0), ..default() });
    for _ in 0..60 {
        app.update();
    }
    assert!(density(&app) > 2.0 * high, "{} against {high}", density(&app));
}

#[test]
fn without_a_graphics_card_the_analytic_sky_is_used() {
    let mut app = app();
    app.world_mut().resource_mut::<TerrainSky>().sky = SkyModel::Atmosphere;
    app.world_mut().resource_mut::<TerrainSky>().time = 15.0;
    let camera = app.world_mut().spawn((Camera3d::default(), TerrainSkyView::default())).id();
    app.update();
    app.update();
    let light = app.world().resource::<SkyLight>();
    assert_eq!((light.settings.sky, light.settings.time), (SkyModel::Analytic, 15.0));
    assert!(app.world().get::<DistanceFog>(camera).is_some());
}

#[test]
fn water_without_a_renderer_is_harmless() {
    let mut app = app();
    let terrain = app.world_mut().spawn((NoiseTerrain::default(), TerrainWater { level: 300.0, ..default() })).id();
    app.world_mut().spawn((Transform::from_xyz(0.0, 500.0, 0.0), TerrainViewer));
    for _ in 0..5 {
        app.update();
    }
    app.world_mut().entity_mut(terrain).remove::<TerrainWater>();
    app.update();
    assert!(app.world().get::<TerrainWater>(terrain).is_none());
}

/// The density of a camera's haze.
fn haze(app: &App, camera: Entity) -> f32 {
    match &app.world().get::<DistanceFog>(camera).unwrap().falloff {
        FogFalloff::Atmospheric { extinction, .. } => extinction.y,
        other => panic!("{other:?}"),
    }
}

fn hills() -> NoiseTerrain {
    NoiseTerrain { lod: TerrainLod { view_distance: 6_000.0, ..default() }, ..default() }
}

/// An app whose clock stands still, with cameras at heights above the default land.
fn cameras_at<const N: usize>(terrain: impl Bundle, eyes: [Vec3; N]) -> (App, [Entity; N]) {
    let mut app = app();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.world_mut().spawn(terrain);
    let eyes = eyes.map(|eye| {
        app.world_mut().spawn((TerrainSkyView::default(), TerrainViewer, Transform::from_translation(eye))).id()
    });
    app.update();
    app.update();
    (app, eyes)
}

#[test]
fn each_camera_has_the_haze_of_its_own_height() {
    let ground = hills().surface().unwrap().height(0.0, 0.0) as f32;
    let [high, low] = [ground + 3_000.0, ground + 2.0].map(|y| Vec3::new(0.0, y, 0.0));
    let (app, [plane, walker]) = cameras_at(hills(), [high, low]);
    let (alone, [other]) = cameras_at(hills(), [high]);
    assert_eq!(haze(&app, plane), haze(&alone, other));
    assert!(haze(&app, walker) > 2.0 * haze(&app, plane));
}

#[test]
fn land_that_is_moved_in_y_has_the_same_haze() {
    let ground = hills().surface().unwrap().height(0.0, 0.0) as f32;
    let eye = Vec3::new(0.0, ground + 600.0, 0.0);
    let (app, [there]) = cameras_at(hills(), [eye]);
    let down = Vec3::new(30.0, -ground - 590.0, -70.0);
    let moved = (hills(), Transform::from_translation(down));
    let (shifted, [here]) = cameras_at(moved, [eye + down]);
    let (a, b) = (haze(&app, there), haze(&shifted, here));
    assert!((a / b - 1.0).abs() < 1e-3, "{a} {b}");
}

#[test]
fn a_small_land_beside_a_large_one_ends_no_shadows_and_thickens_no_haze() {
    let small = || {
        let lod = TerrainLod { view_distance: 640.0, ..default() };
        (NoiseTerrain { lod, ..default() }, Transform::from_scale(Vec3::splat(0.01)))
    };
    let ground = hills().surface().unwrap().height(0.0, 0.0) as f32;
    let eye = Vec3::new(0.0, ground + 3_000.0, 0.0);
    let (alone, [plane]) = cameras_at(hills(), [eye]);
    let expected = haze(&alone, plane);
    for small_first in [true, false] {
        let mut app = app();
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        if small_first {
            app.world_mut().spawn(small());
        }
        app.world_mut().spawn(hills());
        if !small_first {
            app.world_mut().spawn(small());
        }
        let sun = app.world_mut().spawn((DirectionalLight::default(), TerrainSun::default())).id();
        let view = (TerrainSkyView::default(), TerrainViewer, Transform::from_translation(eye));
        let plane = app.world_mut().spawn(view).id();
        app.update();
        app.update();
        let bounds = &app.world().get::<CascadeShadowConfig>(sun).unwrap().bounds;
        assert!(bounds[3] > 5_500.0, "{bounds:?}");
        assert_eq!(haze(&app, plane), expected);
    }
}

#[test]
fn a_camera_takes_no_notice_of_land_on_other_layers() {
    let ground = hills().surface().unwrap().height(0.0, 0.0) as f32;
    let hidden = (hills(), bevy::camera::visibility::RenderLayers::layer(3));
    let (app, [camera]) = cameras_at(hidden, [Vec3::new(0.0, ground + 2.0, 0.0)]);
    let (bare, [other]) = cameras_at(Name::new("no land"), [Vec3::new(0.0, ground + 2.0, 0.0)]);
    assert_eq!(haze(&app, camera), haze(&bare, other));
}
