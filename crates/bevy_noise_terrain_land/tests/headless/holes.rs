//! Where the land has a hole, nobody finds ground, from one frame to the next, and no chunk is built again.

#![cfg(feature = "validation")]

use std::collections::HashMap;

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::edits::{Edit, Hole, HoleArea, HoleId, TerrainEdits, TerrainHoles};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::ScatterMap;
use bevy_noise_terrain::tiles::{BodyLifted, GroundChanged, TerrainBody, TerrainTile, TerrainTilesPlugin, TileAnchor};
use bevy_noise_terrain::{ChunkKey, LandChanged, Surface, Vertex};

use crate::world::{World, settings};

/// Every change of the land.
#[derive(Resource, Default)]
struct Changes(Vec<LandChanged>);

/// Bodies that have been lifted, and those under which the ground has changed.
#[derive(Resource, Default)]
struct Told {
    lifted: Vec<Entity>,
    changed: Vec<Entity>,
}

fn world(view_distance: f64) -> World {
    World::with((settings(view_distance), TerrainEdits::default(), TerrainHoles::default()), |app| {
        app.add_plugins(TerrainTilesPlugin::new(Update)).init_resource::<Changes>().init_resource::<Told>();
        app.add_observer(|changed: On<LandChanged>, mut changes: ResMut<Changes>| changes.0.push(*changed));
        app.add_observer(|lifted: On<BodyLifted>, mut told: ResMut<Told>| told.lifted.push(lifted.entity));
        app.add_observer(|changed: On<GroundChanged>, mut told: ResMut<Told>| told.changed.push(changed.entity));
    })
}

fn holes(world: &mut World) -> Mut<'_, TerrainHoles> {
    world.app.world_mut().get_mut(world.terrain).unwrap()
}

fn take_changes(world: &mut World) -> Vec<LandChanged> {
    std::mem::take(&mut world.app.world_mut().resource_mut::<Changes>().0)
}

fn surface(world: &World) -> Surface {
    world.state().surface().unwrap()
}

/// The vertices of all chunks that are drawn.
fn vertices(world: &World) -> HashMap<ChunkKey, Vec<Vertex>> {
    let state = world.state();
    world.drawn().iter().map(|&key| (key, state.vertices(key).unwrap().to_vec())).collect()
}

#[test]
fn a_hole_comes_and_goes_in_one_frame_and_no_chunk_is_built_again() {
    let mut world = world(8_000.0);
    world.place(Vec3::new(100.0, 300.0, -40.0));
    world.settle();
    let (before, generation, built) = (vertices(&world), world.state().generation(), world.stats().built);
    take_changes(&mut world);
    let id = holes(&mut world).apply(Hole::disc(DVec3::new(100.0, 0.0, -40.0), 12.0)).unwrap();
    assert_eq!(surface(&world).ground(100.0, -40.0), Some(surface(&world).height(100.0, -40.0)), "not yet");
    world.update();
    world.check();
    let changes = take_changes(&mut world);
    assert_eq!(
        changes.iter().map(|change| (change.min, change.max)).collect::<Vec<_>>(),
        [([88.0, -52.0], [112.0, -28.0])]
    );
    let land = surface(&world);
    assert_eq!((land.ground(100.0, -40.0), land.ground(111.9, -40.0)), (None, None));
    assert_eq!(land.ground(112.1, -40.0), Some(land.height(112.1, -40.0)));
    let by_nature = settings(8_000.0).surface().unwrap();
    assert_eq!(land.height(100.0, -40.0), by_nature.height(100.0, -40.0), "heights go on");
    assert!(vertices(&world) == before);
    // Another shape by the same name; what it was and what it is are told.
    holes(&mut world).insert(id, Hole::rectangle(DVec3::new(200.0, 0.0, 0.0), [4.0, 2.0], 0.0)).unwrap();
    world.update();
    assert_eq!(take_changes(&mut world).len(), 2);
    assert!(!surface(&world).is_hole(100.0, -40.0) && surface(&world).is_hole(201.9, 0.9));
    assert!(holes(&mut world).undo(id).is_some());
    world.update();
    assert_eq!(take_changes(&mut world).len(), 1);
    assert!(!surface(&world).is_hole(201.9, 0.9));
    // Ten thousand at once, and all gone with the component.
    for index in 0..10_000 {
        let at = DVec3::new(f64::from(index % 100) * 20.0, 0.0, f64::from(index / 100) * 20.0);
        holes(&mut world).apply(Hole::disc(at, 4.0)).unwrap();
    }
    world.update();
    let land = surface(&world);
    assert!(land.is_hole(1_980.0, 3.9) && land.is_hole(0.0, 1_980.0) && !land.is_hole(10.0, 10.0));
    let terrain = world.terrain;
    world.app.world_mut().entity_mut(terrain).remove::<TerrainHoles>();
    world.update();
    assert!(!surface(&world).is_hole(1_980.0, 3.9));
    world.check();
    assert_eq!((world.state().generation(), world.stats().built), (generation, built), "nothing was built");
}

#[test]
fn other_land_has_the_same_holes_and_edits_come_with_them() {
    let mut world = world(4_000.0);
    world.settle();
    holes(&mut world).apply(Hole::disc(DVec3::new(30.0, 0.0, 30.0), 5.0)).unwrap();
    let terrain = world.terrain;
    let mut edits = world.app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
    edits.apply(Edit::flatten(DVec3::new(30.0, 77.0, 30.0), 20.0)).unwrap();
    take_changes(&mut world);
    // An edit takes as long as its chunks; then both are there.
    while take_changes(&mut world).is_empty() {
        let land = surface(&world);
        assert!(!land.is_hole(30.0, 30.0) && land.height(40.0, 30.0) != 77.0);
        world.update();
    }
    let land = surface(&world);
    assert!(land.is_hole(30.0, 30.0) && land.height(40.0, 30.0) == 77.0);
    world.settings().seed = 77;
    world.update();
    let generation = world.state().generation();
    while world.state().generation() == generation && !world.stats().retuning {
        world.update();
    }
    world.settle();
    let land = surface(&world);
    assert!(land.is_hole(30.0, 30.0) && land.height(40.0, 30.0) == 77.0);
    let base = NoiseTerrain { seed: 77, ..settings(4_000.0) }.surface().unwrap();
    assert_eq!(land.height(300.0, 30.0), base.height(300.0, 30.0));
}

#[test]
fn before_the_first_frame_holes_are_those_of_the_settings() {
    let mut list = TerrainHoles::default();
    list.apply(Hole::disc(DVec3::ZERO, 5.0)).unwrap();
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin));
    app.world_mut().spawn((NoiseTerrain::default(), list));
    let mut state = bevy::ecs::system::SystemState::<TerrainQuery>::new(app.world_mut());
    let land = state.get(app.world()).unwrap().surface().unwrap();
    assert_eq!(land.ground(0.0, 0.0), None);
}

#[test]
fn rays_go_through_holes_and_meet_the_land_from_below() {
    let mut list = TerrainHoles::default();
    let corners = [[-6.0, -4.0], [6.0, -4.0], [6.0, 4.0], [-6.0, 4.0]];
    list.apply(Hole::polygon(corners.map(|[x, z]| DVec3::new(1e6 + x, 0.0, z)))).unwrap();
    let whole = settings(1_000.0).surface().unwrap();
    let land = whole.with_holes(&list);
    let at = |x: f64, y: f64, z: f64| DVec3::new(1e6 + x, whole.height(1e6 + x, z) + y, z);
    let falls = |x: f64, z: f64| land.raycast(at(x, 50.0, z), DVec3::NEG_Y, 200.0);
    for (x, z) in [(5.99, 0.0), (-5.99, 3.99), (0.0, -3.99)] {
        assert_eq!(falls(x, z), None, "{x} {z}");
        assert!(land.sees(at(x, 50.0, z), at(x, -50.0, z)) && !whole.sees(at(x, 50.0, z), at(x, -50.0, z)));
    }
    for (x, z) in [(6.01, 0.0), (-5.99, 4.01), (0.0, -4.01)] {
        assert_eq!(falls(x, z), whole.raycast(at(x, 50.0, z), DVec3::NEG_Y, 200.0), "{x} {z}");
    }
    // Down through the hole, and up into the land from below.
    let from = at(0.0, -30.0, 0.0);
    let up = at(60.0, 5.0, 0.0) - from;
    let hit = land.raycast(from, up, 200.0).expect("the land is above");
    assert!((hit.position.y - land.height(hit.position.x, hit.position.z)).abs() < 1e-3 && hit.distance > 20.0);
    assert!(hit.position.x > 1e6 + 6.0);
    // Up through the hole into the sky.
    assert_eq!(land.raycast(from, DVec3::Y, 1e4), None);
    // In the ground, away from holes, it is as ever.
    assert_eq!(land.raycast(at(60.0, -5.0, 0.0), DVec3::Y, 1e4).map(|hit| hit.distance), Some(0.0));
    // Edits keep the holes, and other holes replace them.
    let mut edits = TerrainEdits::default();
    edits.apply(Edit::raise(DVec3::new(1e6, 0.0, 0.0), 30.0, 8.0)).unwrap();
    let edited = land.with_edits(&edits);
    assert!(edited.is_hole(1e6, 0.0) && (edited.height(1e6, 0.0) - land.height(1e6, 0.0) - 8.0).abs() < 1e-3);
    let filled = edited.with_holes(&TerrainHoles::default());
    assert_eq!(filled.ground(1e6, 0.0), Some(edited.height(1e6, 0.0)));
}

#[test]
fn nothing_grows_in_a_hole() {
    let mut kind = ScatterKind::conifer();
    (kind.density, kind.patches, kind.max_slope) = (0.05, None, 1.5);
    let scatter = TerrainScatter { kinds: vec![kind], ..default() };
    let base = settings(1_000.0).surface().unwrap();
    let mut list = TerrainHoles::default();
    list.apply(Hole::disc(DVec3::new(40.0, 0.0, 0.0), 30.0)).unwrap();
    list.apply(Hole::rectangle(DVec3::new(110.0, 0.0, 0.0), [50.0, 30.0], 0.6)).unwrap();
    let land = base.with_holes(&list);
    let trees = |land: &Surface| -> Vec<_> {
        let map = ScatterMap::new(&scatter, land).unwrap();
        map.objects([-30.0, -60.0], [150.0, 60.0], |_| true).collect()
    };
    let (before, after) = (trees(&base), trees(&land));
    let is_in = |at: DVec3| land.is_hole(at.x, at.z);
    let (gone, others): (Vec<_>, Vec<_>) = before.iter().partition(|tree| is_in(tree.position));
    assert!(gone.len() > 100 && others.len() > 300, "{} {}", gone.len(), others.len());
    assert_eq!(after, others.into_iter().copied().collect::<Vec<_>>());
}

#[test]
fn tiles_with_holes_are_cut_and_others_stay() {
    let mut world = world(2_000.0);
    for x in [32.0, 1_000.0] {
        let position = Vec3::new(x, 300.0, 32.0);
        world.app.world_mut().spawn(TileAnchor { position, radius: 1.0, velocity: Vec3::ZERO });
    }
    world.settle();
    let tiles = |world: &mut World| -> HashMap<ChunkKey, (Entity, usize)> {
        let mut tiles = world.app.world_mut().query::<(Entity, &TerrainTile)>();
        tiles
            .iter(world.app.world())
            .map(|(entity, tile)| (tile.key(), (entity, tile.mesh().triangles.len())))
            .collect()
    };
    let before = tiles(&mut world);
    assert!(before.len() >= 2 && before.values().all(|(_, triangles)| *triangles == 2 * 64 * 64));
    let id = holes(&mut world).apply(Hole::rectangle(DVec3::new(32.0, 0.0, 32.0), [16.0, 8.0], 0.0)).unwrap();
    world.update();
    // They follow in the next tick of their schedule.
    world.update();
    let after = tiles(&mut world);
    for (key, (entity, triangles)) in &after {
        let is_cut = *key == ChunkKey::new(0, 0, 0);
        assert_eq!(*triangles, 2 * (64 * 64 - if is_cut { 16 * 8 } else { 0 }), "{key:?}");
        assert_eq!(*entity != before[key].0, is_cut, "{key:?}");
    }
    holes(&mut world).undo(id);
    world.update();
    world.update();
    assert!(tiles(&mut world).values().all(|(_, triangles)| *triangles == 2 * 64 * 64));
}

#[test]
fn bodies_below_a_hole_may_be_there_until_it_is_filled() {
    let mut world = world(2_000.0);
    let land = settings(2_000.0).surface().unwrap();
    let stands = |x: f32| Vec3::new(x, land.height(f64::from(x), 20.0) as f32 + 1.0, 20.0);
    let (over, beside) = (stands(20.0), stands(50.0));
    let anchor = |position: Vec3| TileAnchor { position, radius: 1.0, velocity: Vec3::ZERO };
    let [through, falls, outside] =
        [over, over, beside].map(|at| world.app.world_mut().spawn((anchor(at), TerrainBody::new(1.0))).id());
    world.settle();
    std::mem::take(&mut *world.app.world_mut().resource_mut::<Told>());
    let id = holes(&mut world).apply(Hole::disc(over.as_dvec3(), 3.0)).unwrap();
    world.update();
    world.update();
    let told = std::mem::take(&mut *world.app.world_mut().resource_mut::<Told>());
    assert!(told.changed.contains(&through) && told.changed.contains(&falls), "who sleeps there wakes up");
    assert!(!told.changed.contains(&outside) && told.lifted.is_empty());
    // One falls and goes on below the land, one stays in the shaft.
    let move_to = |world: &mut World, body: Entity, at: Vec3| {
        world.app.world_mut().get_mut::<TileAnchor>(body).unwrap().position = at;
        world.update();
    };
    for step in 1..20 {
        let down = over - Vec3::Y * step as f32;
        move_to(&mut world, falls, down);
        move_to(&mut world, through, down + if step > 8 { Vec3::X * (step - 8) as f32 } else { Vec3::ZERO });
    }
    assert!(world.app.world().resource::<Told>().lifted.is_empty());
    // Who gets below the land elsewhere comes up, as ever.
    move_to(&mut world, outside, beside - 60.0 * Vec3::Y);
    assert_eq!(std::mem::take(&mut world.app.world_mut().resource_mut::<Told>().lifted), [outside]);
    move_to(&mut world, outside, beside);
    // The shaft is filled.
    assert!(matches!(holes(&mut world).undo(id).unwrap().area, HoleArea::Disc { .. }));
    world.update();
    world.update();
    assert_eq!(world.app.world().resource::<Told>().lifted, [falls]);
    assert_eq!(holes(&mut world).next_id(), HoleId(1));
}
