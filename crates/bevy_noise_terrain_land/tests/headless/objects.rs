//! What stands on a terrain is known without a renderer, can be taken away, and stands on tiles.

use std::collections::BTreeSet;
use std::time::Duration;

use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::SettingsRejected;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::{RemovedScatter, ScatterId, ScatterMap, ScatterObject, ScatterQuery};
use bevy_noise_terrain::terrain_noise::{Compose, perlin};
use bevy_noise_terrain::tiles::{TerrainTile, TerrainTiles, TerrainTilesPlugin, TileAnchor, TileObject};

#[derive(Resource, Default)]
struct Rejected(Vec<String>);

fn forest() -> TerrainScatter {
    let open = |kind: ScatterKind| ScatterKind { max_slope: 1.5, ..kind };
    TerrainScatter {
        kinds: vec![ScatterKind::grass(), open(ScatterKind::conifer()), open(ScatterKind::rock())],
        ..default()
    }
}

fn hills() -> NoiseTerrain {
    NoiseTerrain { noise: perlin().fbm().octaves(3).feature_size(300.0).scale(20.0).add(50.0), ..default() }
}

fn app(terrain: impl Bundle) -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin, TerrainTilesPlugin::new(Update)))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)))
        .init_resource::<Rejected>()
        .add_observer(|rejected: On<SettingsRejected>, mut all: ResMut<Rejected>| {
            all.0.push(rejected.error.to_string());
        });
    let terrain = app.world_mut().spawn(terrain).id();
    app.finish();
    app.cleanup();
    app.update();
    (app, terrain)
}

fn map(app: &mut App) -> ScatterMap {
    SystemState::<ScatterQuery>::new(app.world_mut()).get(app.world()).unwrap().map().unwrap()
}

/// The identities of the entities that stand for objects.
fn standing(app: &mut App) -> BTreeSet<ScatterId> {
    let mut objects = app.world_mut().query_filtered::<&ScatterObject, With<TileObject>>();
    let ids: Vec<_> = objects.iter(app.world()).map(|object| object.id).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "each stands once");
    ids.into_iter().collect()
}

/// The identities of the solid objects of all tiles.
fn expected(app: &mut App) -> BTreeSet<ScatterId> {
    let map = map(app);
    let mut tiles = app.world_mut().query::<&TerrainTile>();
    let ids = tiles.iter(app.world()).flat_map(|tile| {
        let square = tile.key().square(tile.spacing());
        let max = square.min.map(|metres| metres + square.width);
        map.solid_objects(square.min, max).map(|(object, _)| object.id).collect::<Vec<_>>()
    });
    ids.collect()
}

#[test]
fn tiles_and_objects_that_the_app_despawns_come_back() {
    let (mut app, terrain) = app((hills(), forest(), TerrainTiles { objects: true, ..default() }));
    app.world_mut().spawn(TileAnchor { position: Vec3::Y * 60.0, radius: 100.0, velocity: Vec3::ZERO });
    (0..40).for_each(|_| app.update());
    let all = standing(&mut app);
    assert!(all.len() > 200 && all == expected(&mut app), "{} objects", all.len());
    let objects = |app: &mut App| -> Vec<Entity> {
        app.world_mut().query_filtered::<Entity, With<TileObject>>().iter(app.world()).collect()
    };
    for entity in objects(&mut app).into_iter().step_by(7) {
        app.world_mut().despawn(entity);
    }
    assert!(standing(&mut app).len() < all.len());
    (0..5).for_each(|_| app.update());
    assert_eq!(standing(&mut app), all);
    // One that is removed stays away, also if the app despawns its entity too.
    let first = objects(&mut app)[0];
    let id = app.world().get::<ScatterObject>(first).unwrap().id;
    app.world_mut().get_mut::<RemovedScatter>(terrain).unwrap().remove(id);
    app.world_mut().despawn(first);
    (0..5).for_each(|_| app.update());
    assert!(standing(&mut app).len() == all.len() - 1 && standing(&mut app) == expected(&mut app));
    let tiles: Vec<Entity> = app.world_mut().query_filtered::<Entity, With<TerrainTile>>().iter(app.world()).collect();
    for &entity in &tiles {
        app.world_mut().despawn(entity);
    }
    app.update();
    assert_eq!(app.world_mut().query::<&TerrainTile>().iter(app.world()).count(), tiles.len());
    (0..40).for_each(|_| app.update());
    assert!(standing(&mut app).len() == all.len() - 1 && standing(&mut app) == expected(&mut app));
    // Nothing is placed over and over.
    let before = objects(&mut app);
    (0..5).for_each(|_| app.update());
    assert_eq!(objects(&mut app), before);
}

#[test]
fn plants_keep_above_the_water_and_follow_its_level() {
    let reed = ScatterKind { above_water: -3.0, density: 0.02, max_slope: 1.5, seed: 9, ..ScatterKind::bush() };
    let mut scatter = forest();
    scatter.kinds.push(reed);
    let tiles = TerrainTiles { objects: true, ..default() };
    let (mut app, terrain) = app((hills(), scatter.clone(), tiles, TerrainWater { level: 50.0, ..default() }));
    app.world_mut().spawn(TileAnchor { position: Vec3::Y * 60.0, radius: 200.0, velocity: Vec3::ZERO });
    app.update();
    let is_counted = |kind: &ScatterKind| kind.shape != ScatterShape::Grass;
    let all = |map: &ScatterMap| -> Vec<ScatterObject> { map.objects([-150.0; 2], [150.0; 2], is_counted).collect() };
    let (land, dry) = (hills().surface().unwrap(), ScatterMap::new(&scatter, &hills().surface().unwrap()).unwrap());
    // The ground is sampled every few metres.
    let check = |app: &mut App, level: f32| {
        let map = map(app);
        let found = all(&map);
        for object in &found {
            let least = level + map.kind(object.id).unwrap().above_water;
            let ground = land.height(object.position.x, object.position.z) as f32;
            assert!(ground > least - 0.5, "{:?} stands at {ground} m, least is {least} m", object.id);
        }
        let ids: BTreeSet<_> = found.iter().map(|object| object.id).collect();
        for object in all(&dry).iter().filter(|object| !ids.contains(&object.id)) {
            let most = level + map.kind(object.id).unwrap().above_water;
            assert!((object.position.y as f32) < most + 0.5, "{:?} is missing at {} m", object.id, object.position.y);
        }
        assert_eq!(found, all(&dry.clone().with_water(level)), "a server knows the same");
        found
    };
    let first = check(&mut app, 50.0);
    let reeds = first.iter().filter(|object| object.id.kind == 3 && object.position.y < 49.5).count();
    assert!(reeds > 10 && first.len() > 1_000, "{reeds} of {} in the water", first.len());
    (0..40).for_each(|_| app.update());
    let trees = standing(&mut app);
    assert_eq!(trees, expected(&mut app));
    app.world_mut().get_mut::<TerrainWater>(terrain).unwrap().level = 55.0;
    app.update();
    assert!(check(&mut app, 55.0).len() < first.len());
    (0..40).for_each(|_| app.update());
    let fewer = standing(&mut app);
    assert!(fewer.len() < trees.len() && fewer == expected(&mut app), "{} of {}", fewer.len(), trees.len());
    // A level that is none changes nothing; without water all are there.
    app.world_mut().get_mut::<TerrainWater>(terrain).unwrap().level = f32::NAN;
    app.update();
    check(&mut app, 55.0);
    app.world_mut().entity_mut(terrain).remove::<TerrainWater>();
    app.update();
    assert_eq!(all(&map(&mut app)), all(&dry));
}

#[test]
fn objects_stand_on_the_ground_and_are_found_again() {
    let land = hills().surface().unwrap();
    let map = ScatterMap::new(&forest(), &land).unwrap();
    let (min, max) = ([1e6 - 70.0, -30.0], [1e6 + 70.0, 90.0]);
    let all: Vec<ScatterObject> = map.objects(min, max, |kind| kind.shape != ScatterShape::Grass).collect();
    assert!(all.len() > 100, "{}", all.len());
    for object in &all {
        let kind = map.kind(object.id).unwrap();
        let [x, z] = [object.position.x, object.position.z];
        assert!((min[0]..max[0]).contains(&x) && (min[1]..max[1]).contains(&z));
        assert_eq!(object.position.y, land.height(x, z) - f64::from(kind.sink));
        assert!((kind.min_size..=kind.max_size).contains(&object.size));
        assert!(object.rotation.is_normalized() && (object.rotation * Vec3::Y).y > 0.9);
        assert_eq!(map.object(object.id), Some(*object));
    }
    // Areas meet without a seam.
    let halves = [([min[0], min[1]], [1e6, max[1]]), ([1e6, min[1]], max)];
    let split: usize =
        halves.map(|(min, max)| map.objects(min, max, |kind| kind.shape != ScatterShape::Grass).count()).iter().sum();
    assert_eq!(split, all.len());
    // Nonsense finds nothing, and ends.
    for (min, max) in
        [([f64::NAN; 2], [1.0; 2]), ([0.0; 2], [-1.0; 2]), ([0.0; 2], [f64::INFINITY; 2]), ([1e300; 2], [1e300; 2])]
    {
        assert_eq!(map.objects(min, max, |_| true).count(), 0);
    }
    for id in [
        ScatterId { kind: 200, cell: [0; 2], candidate: 0 },
        ScatterId { kind: 1, cell: [i64::MAX; 2], candidate: u32::MAX },
    ] {
        assert_eq!(map.object(id), None);
    }
}

#[test]
fn identities_survive_a_change_of_the_land() {
    let before = ScatterMap::new(&forest(), &hills().surface().unwrap()).unwrap();
    let higher = NoiseTerrain { noise: hills().noise.add(30.0), ..default() };
    let after = ScatterMap::new(&forest(), &higher.surface().unwrap()).unwrap();
    let is_tree = |kind: &ScatterKind| kind.shape == ScatterShape::Conifer;
    let trees: Vec<_> = before.objects([0.0; 2], [200.0; 2], is_tree).collect();
    assert!(trees.len() > 100);
    for tree in trees {
        let now = after.object(tree.id).unwrap();
        assert_eq!([now.position.x, now.position.z], [tree.position.x, tree.position.z]);
        assert!((now.position.y - tree.position.y - 30.0).abs() < 1e-3);
    }
}

#[test]
fn trunks_and_rocks_stand_on_tiles_until_they_are_removed() {
    let tiles = TerrainTiles { objects: true, ..default() };
    let (mut app, terrain) = app((hills(), forest(), tiles));
    app.world_mut().spawn(TileAnchor { position: Vec3::new(30.0, 0.0, 30.0), radius: 40.0, velocity: Vec3::ZERO });
    app.update();
    let all = standing(&mut app);
    assert!(all.len() > 100, "{}", all.len());
    assert!(all == expected(&mut app));
    let map = map(&mut app);
    let mut objects = app.world_mut().query::<(&ScatterObject, &TileObject, &GlobalTransform)>();
    for (object, tile_object, place) in objects.iter(app.world()) {
        assert!(place.translation().as_dvec3().distance(object.position) < 1e-2);
        assert!((place.scale() - object.size).length() < 1e-3 * object.size);
        assert_eq!((Some(tile_object.solid()), tile_object.terrain()), (map.solid(object), terrain));
    }
    // Felled trees leave in the same tick, and come back.
    let felled: Vec<ScatterId> = all.iter().copied().step_by(7).collect();
    app.world_mut().get_mut::<RemovedScatter>(terrain).unwrap().extend(felled.iter().copied());
    app.update();
    let left = standing(&mut app);
    assert_eq!(left.len(), all.len() - felled.len());
    assert!(felled.iter().all(|id| !left.contains(id)));
    app.world_mut().get_mut::<RemovedScatter>(terrain).unwrap().restore(felled[0]);
    app.update();
    assert!(standing(&mut app).contains(&felled[0]));
    app.world_mut().get_mut::<RemovedScatter>(terrain).unwrap().clear();
    app.update();
    assert!(standing(&mut app) == all);
}

#[test]
fn objects_follow_settings_land_and_origin() {
    let tiles = TerrainTiles { objects: true, ..default() };
    let (mut app, terrain) = app((hills(), forest(), tiles));
    app.world_mut().spawn(TileAnchor { position: Vec3::new(30.0, 0.0, 30.0), radius: 200.0, velocity: Vec3::ZERO });
    for _ in 0..8 {
        app.update();
    }
    let all = expected(&mut app);
    assert!(all.len() > 1_000);
    assert!(standing(&mut app) == all, "many tiles take some ticks");
    // What is not valid changes nothing.
    app.world_mut().get_mut::<TerrainScatter>(terrain).unwrap().kinds[1].density = -1.0;
    for _ in 0..8 {
        app.update();
    }
    assert!(standing(&mut app) == all);
    let rejected = std::mem::take(&mut app.world_mut().resource_mut::<Rejected>().0);
    assert_eq!(rejected, ["scatter.kinds.1.density: found -1, allowed is 0 to 64"]);
    app.world_mut().get_mut::<TerrainScatter>(terrain).unwrap().kinds[1].density = 0.0;
    for _ in 0..8 {
        app.update();
    }
    let rocks = standing(&mut app);
    assert!(rocks == expected(&mut app));
    assert!(!rocks.is_empty() && rocks.iter().all(|id| id.kind == 2));
    app.world_mut().get_mut::<NoiseTerrain>(terrain).unwrap().seed = 9;
    for _ in 0..200 {
        std::thread::sleep(Duration::from_millis(1));
        app.update();
    }
    assert!(standing(&mut app) == expected(&mut app));
    app.world_mut().get_mut::<TerrainOrigin>(terrain).unwrap().x = 16.0;
    for _ in 0..8 {
        app.update();
    }
    let mut objects = app.world_mut().query::<(&ScatterObject, &GlobalTransform)>();
    for (object, place) in objects.iter(app.world()) {
        assert!((f64::from(place.translation().x) + 16.0 - object.position.x).abs() < 1e-2);
    }
    app.world_mut().get_mut::<TerrainTiles>(terrain).unwrap().objects = false;
    app.update();
    assert!(standing(&mut app).is_empty());
}

#[test]
fn the_map_is_there_before_the_first_frame() {
    #[derive(Resource, Default)]
    struct Found(usize);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin)).init_resource::<Found>();
    app.world_mut().spawn((hills(), forest()));
    app.add_systems(PostStartup, |scatter: ScatterQuery, mut found: ResMut<Found>| {
        let map = scatter.map().unwrap();
        found.0 = map.objects([0.0; 2], [64.0; 2], |kind| kind.shape == ScatterShape::Conifer).count();
    });
    app.update();
    assert!(app.world().resource::<Found>().0 > 10);
}
