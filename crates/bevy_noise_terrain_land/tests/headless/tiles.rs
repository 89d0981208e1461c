//! Tiles lie under whatever needs ground, in the tick that needs them.

use std::time::Duration;

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::edits::{Edit, TerrainEdits};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::{Compose, Grid, Scratch};
use bevy_noise_terrain::tiles::{
    BodyLifted, GroundChanged, TerrainBody, TerrainTile, TerrainTiles, TerrainTilesPlugin, TileAnchor,
};
use bevy_noise_terrain::{ChunkFailed, SettingsRejected, Surface, TerrainState};

/// What has been told of bodies and settings.
#[derive(Resource, Default)]
struct Told {
    lifted: Vec<BodyLifted>,
    changed: Vec<Entity>,
    rejected: Vec<String>,
    failed: usize,
}

fn app(terrain: impl Bundle) -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin, TerrainTilesPlugin::new(Update)))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)))
        .init_resource::<Told>()
        .add_observer(|lifted: On<BodyLifted>, mut told: ResMut<Told>, mut anchors: Query<&mut TileAnchor>| {
            told.lifted.push(*lifted);
            // What a physics engine would do.
            anchors.get_mut(lifted.entity).unwrap().position += lifted.by;
        })
        .add_observer(|changed: On<GroundChanged>, mut told: ResMut<Told>| told.changed.push(changed.entity))
        .add_observer(|rejected: On<SettingsRejected>, mut told: ResMut<Told>| {
            told.rejected.push(rejected.error.to_string());
        })
        .add_observer(|_: On<ChunkFailed>, mut told: ResMut<Told>| told.failed += 1);
    let terrain = app.world_mut().spawn(terrain).id();
    app.finish();
    app.cleanup();
    app.update();
    (app, terrain)
}

fn anchor(position: Vec3) -> TileAnchor {
    TileAnchor { position, radius: 1.0, velocity: Vec3::ZERO }
}

fn surface(app: &App, terrain: Entity) -> Surface {
    app.world().get::<TerrainState>(terrain).unwrap().surface().unwrap()
}

/// Height of the ground in the scene at a place of it, by the tile that lies there.
fn ground(app: &mut App, place: Vec3) -> Option<f32> {
    let mut tiles = app.world_mut().query::<(&TerrainTile, &GlobalTransform)>();
    tiles.iter(app.world()).find_map(|(tile, transform)| {
        let local = transform.affine().inverse().transform_point3(place);
        let half = 0.5 * tile.width() as f32;
        let [x, z] = [local.x, local.z].map(|metres| ((metres + half) / tile.spacing() as f32).round() as i32);
        let inside = (0..=64).contains(&x) && (0..=64).contains(&z);
        let height = inside.then(|| tile.vertex(x, z).unwrap())?;
        Some(transform.transform_point(Vec3::new(local.x, height, local.z)).y)
    })
}

fn count(app: &mut App) -> usize {
    app.world_mut().query::<&TerrainTile>().iter(app.world()).count()
}

#[test]
fn ground_is_there_in_the_tick_of_a_jump() {
    let (mut app, terrain) = app(NoiseTerrain::default());
    let surface = surface(&app, terrain);
    let body = app.world_mut().spawn((TerrainBody::default(), anchor(Vec3::ZERO))).id();
    for x in [0.0, 200.0, -1e5, 64.0, 3e5] {
        app.world_mut().get_mut::<TileAnchor>(body).unwrap().position = Vec3::new(x, 5_000.0, -x);
        app.update();
        let height = ground(&mut app, Vec3::new(x, 0.0, -x)).expect("a tile");
        assert_eq!(height, surface.height(f64::from(x), f64::from(-x)) as f32);
    }
}

#[test]
fn tiles_follow_the_origin_and_the_transform() {
    let place = Transform::from_xyz(5.0, -40.0, 0.0);
    let (mut app, terrain) = app((NoiseTerrain::default(), TerrainOrigin { x: 1e6, z: -1e6 }, place));
    let surface = surface(&app, terrain);
    app.world_mut().spawn(anchor(Vec3::ZERO));
    app.update();
    let height = ground(&mut app, Vec3::ZERO).unwrap();
    assert_eq!(height, surface.height(1e6 - 5.0, -1e6) as f32 - 40.0);
    let before = count(&mut app);
    // The scene moves by 100 m, and so does the anchor.
    app.world_mut().get_mut::<TerrainOrigin>(terrain).unwrap().x += 100.0;
    let mut anchors = app.world_mut().query::<&mut TileAnchor>();
    anchors.single_mut(app.world_mut()).unwrap().position.x -= 100.0;
    app.update();
    assert_eq!(ground(&mut app, Vec3::X * -100.0), Some(height));
    app.world_mut().get_mut::<Transform>(terrain).unwrap().translation.y = 10.0;
    app.update();
    assert_eq!(ground(&mut app, Vec3::X * -100.0), Some(height + 50.0));
    assert_eq!(count(&mut app), before, "moved, not built again");
}

#[test]
fn bodies_rise_with_changed_land_and_those_below_are_lifted() {
    let (mut app, terrain) = app(NoiseTerrain::default());
    let height = surface(&app, terrain).height(0.0, 0.0) as f32;
    let body = app.world_mut().spawn((TerrainBody::default(), anchor(Vec3::Y * (height + 1.0)))).id();
    app.update();
    assert!(app.world().resource::<Told>().lifted.is_empty());
    // 30 m higher.
    let mut settings = app.world_mut().get_mut::<NoiseTerrain>(terrain).unwrap();
    settings.noise = settings.noise.clone().add(30.0);
    for _ in 0..200 {
        app.update();
        std::thread::sleep(Duration::from_millis(5));
        if !app.world().resource::<Told>().lifted.is_empty() {
            break;
        }
    }
    let told = std::mem::take(&mut *app.world_mut().resource_mut::<Told>());
    assert_eq!((told.lifted.len(), told.changed), (1, vec![body]));
    assert!((told.lifted[0].by - Vec3::Y * 30.0).length() < 1e-2, "{:?}", told.lifted);
    assert_eq!(told.lifted[0].terrain, terrain);
    assert_eq!(ground(&mut app, Vec3::ZERO), Some(surface(&app, terrain).height(0.0, 0.0) as f32));
    // The engine has let it through.
    app.world_mut().get_mut::<TileAnchor>(body).unwrap().position.y -= 3.0;
    app.update();
    let lifted = app.world().resource::<Told>().lifted[0];
    assert!((lifted.by.y - 3.0).abs() < 1e-2, "{lifted:?}");
    // One that wants to go below may.
    app.world_mut().get_mut::<TerrainBody>(body).unwrap().keep_above = false;
    app.world_mut().get_mut::<TileAnchor>(body).unwrap().position.y -= 100.0;
    app.update();
    app.update();
    assert_eq!(app.world().resource::<Told>().lifted.len(), 1);
}

#[test]
fn bodies_are_told_of_edits_anywhere_below_them() {
    let (mut app, terrain) = app((NoiseTerrain::default(), TerrainEdits::default()));
    let height = surface(&app, terrain).height(0.0, 0.0) as f32;
    let at = |x: f32, radius| TileAnchor { radius, ..anchor(Vec3::new(x, height + 1.0, 0.0)) };
    let [beam, ball, _] = [at(0.0, 10.0), at(8.0, 1.0), at(40.0, 1.0)]
        .map(|anchor| app.world_mut().spawn((TerrainBody::default(), anchor)).id());
    (0..3).for_each(|_| app.update());
    app.world_mut().resource_mut::<Told>().changed.clear();
    // Under one end of the beam, and not under its middle.
    let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
    edits.apply(Edit::raise(DVec3::new(8.0, 0.0, 0.0), 2.0, -1.0)).unwrap();
    for _ in 0..200 {
        app.update();
        std::thread::sleep(Duration::from_millis(5));
        if !app.world().resource::<Told>().changed.is_empty() {
            break;
        }
    }
    let changed = std::mem::take(&mut app.world_mut().resource_mut::<Told>().changed);
    assert_eq!(changed, [beam, ball]);
    app.update();
    assert!(app.world().resource::<Told>().changed.is_empty(), "once");
}

#[test]
fn tiles_go_with_their_bodies_and_their_terrain() {
    let (mut app, terrain) = app((NoiseTerrain::default(), TerrainTiles { spare: 4, ..default() }));
    let bodies: Vec<Entity> =
        (0..20).map(|n| app.world_mut().spawn(anchor(Vec3::new(n as f32 * 500.0, 0.0, 30.0))).id()).collect();
    app.update();
    assert!(count(&mut app) >= 20);
    for body in bodies {
        app.world_mut().despawn(body);
    }
    app.update();
    assert_eq!(count(&mut app), 4);
    app.world_mut().spawn(anchor(Vec3::ZERO));
    app.update();
    app.world_mut().entity_mut(terrain).remove::<NoiseTerrain>();
    app.update();
    assert_eq!(count(&mut app), 0);
    app.world_mut().entity_mut(terrain).insert(NoiseTerrain::default());
    app.update();
    app.update();
    assert!(count(&mut app) > 0);
    app.world_mut().despawn(terrain);
    app.update();
    assert_eq!(count(&mut app), 0);
}

#[test]
fn bad_settings_are_refused_by_name_and_places_that_are_none_have_no_tiles() {
    let (mut app, terrain) = app(NoiseTerrain::default());
    app.world_mut().get_mut::<TerrainTiles>(terrain).unwrap().lookahead = f32::NAN;
    app.world_mut().spawn(anchor(Vec3::NAN));
    app.world_mut().spawn(anchor(Vec3::splat(f32::INFINITY)));
    app.world_mut().spawn(TileAnchor { radius: f32::INFINITY, ..anchor(Vec3::ZERO) });
    app.update();
    assert_eq!(count(&mut app), 0);
    for velocity in [Vec3::NAN, Vec3::splat(f32::INFINITY)] {
        app.world_mut().spawn(TileAnchor { velocity, ..anchor(Vec3::new(30.0, 0.0, 30.0)) });
    }
    app.update();
    assert_eq!(count(&mut app), 1, "they are somewhere, wherever they go");
    let told = app.world().resource::<Told>();
    assert_eq!(told.rejected.len(), 1);
    assert!(told.rejected[0].starts_with("tiles.lookahead"), "{:?}", told.rejected);
    // A whole continent would be a mistake: it is bounded.
    app.world_mut().spawn(TileAnchor { radius: 1e6, ..anchor(Vec3::ZERO) });
    app.update();
    assert_eq!(count(&mut app), 256);
}

#[test]
fn land_that_fails_has_no_tiles_and_ends_nothing() {
    struct Broken;
    impl HeightSource for Broken {
        fn fill(&self, grid: &Grid, _: &mut Scratch, heights: &mut [f32]) {
            heights.fill(0.0);
            if grid.x(0) > 1_000.0 {
                heights.fill(f32::NAN);
            }
            assert!(grid.x(0) > -1_000.0, "on purpose");
        }

        fn height(&self, _: [f64; 2], _: f64) -> f32 {
            0.0
        }
    }
    let (mut app, _) = app((NoiseTerrain::default(), TerrainSource::new(Broken)));
    app.world_mut().resource_mut::<Told>().failed = 0;
    for x in [-3_000.0, 0.0, 3_000.0] {
        app.world_mut().spawn((TerrainBody::default(), anchor(Vec3::new(x + 30.0, -5.0, 30.0))));
    }
    app.update();
    app.update();
    assert_eq!(count(&mut app), 1);
    let told = app.world().resource::<Told>();
    assert!(told.failed >= 2, "{}", told.failed);
    assert_eq!(told.lifted.len(), 1, "only where there is ground");
}

#[test]
fn a_terrain_that_comes_back_keeps_its_tile_settings() {
    let (mut app, terrain) = app((NoiseTerrain::default(), TerrainTiles { spare: 0, ..default() }));
    let body = app.world_mut().spawn(anchor(Vec3::ZERO)).id();
    app.update();
    app.world_mut().entity_mut(terrain).remove::<NoiseTerrain>();
    app.update();
    assert_eq!(count(&mut app), 0);
    app.world_mut().entity_mut(terrain).insert(NoiseTerrain::default());
    app.update();
    app.update();
    assert!(count(&mut app) > 0);
    app.world_mut().despawn(body);
    app.update();
    app.update();
    assert_eq!(count(&mut app), 0, "none is kept");
}

#[test]
fn tiles_follow_settings_before_anything_is_on_screen() {
    // Nothing is shown as long as the first generation has no land.
    let flat = |height: f64| NoiseTerrain { noise: bevy_noise_terrain::terrain_noise::constant(height), ..default() };
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin, TerrainTilesPlugin::new(First)));
    let terrain = app.world_mut().spawn(flat(5.0)).id();
    app.world_mut().spawn(anchor(Vec3::ZERO));
    app.world_mut().run_schedule(First);
    assert_eq!(ground(&mut app, Vec3::ZERO), Some(5.0));
    app.world_mut().get_mut::<NoiseTerrain>(terrain).unwrap().noise = flat(8.0).noise;
    app.world_mut().run_schedule(First);
    assert_eq!(ground(&mut app, Vec3::ZERO), Some(8.0));
    app.world_mut().get_mut::<NoiseTerrain>(terrain).unwrap().lod.spacing = -1.0;
    app.world_mut().run_schedule(First);
    app.world_mut().get_mut::<NoiseTerrain>(terrain).unwrap().lod.spacing = 2.0;
    app.world_mut().run_schedule(First);
    assert_eq!(ground(&mut app, Vec3::ZERO), Some(8.0));
}

#[test]
fn a_body_that_comes_while_its_terrain_is_nowhere_has_ground_afterwards() {
    let (mut app, terrain) = app(NoiseTerrain::default());
    let count = |app: &mut App| app.world_mut().query::<&TerrainTile>().iter(app.world()).count();
    for (index, scale) in [Vec3::ONE, Vec3::ZERO, Vec3::NAN].into_iter().enumerate() {
        app.world_mut().get_mut::<Transform>(terrain).unwrap().scale = scale;
        app.world_mut().spawn(anchor(Vec3::new(1_000.0 * index as f32 + 32.0, 0.0, 32.0)));
        app.update();
        app.world_mut().get_mut::<Transform>(terrain).unwrap().scale = Vec3::ONE;
        app.update();
        assert_eq!(count(&mut app), index + 1);
    }
}
