//! What players change is on screen in one frame, everywhere the same, and without a crack or a pop.

#![cfg(feature = "validation")]

use std::collections::HashMap;

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy_noise_terrain::edits::{Edit, EditAction, EditId, TerrainEdits};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::ScatterMap;
use bevy_noise_terrain::terrain_noise::{Compose, perlin};
use bevy_noise_terrain::tiles::{BodyLifted, TerrainBody, TerrainTile, TerrainTilesPlugin, TileAnchor};
use bevy_noise_terrain::validation::{ChunkWork, DrawnFrame, Motion};
use bevy_noise_terrain::{ChunkKey, LandChanged, TerrainStreaming, Vertex};
use proptest::prelude::*;
use proptest::test_runner::Config;

use crate::world::{STEP, World, settings};

/// Every change of the land.
#[derive(Resource, Default)]
struct Changes(Vec<LandChanged>);

fn world(view_distance: f64) -> World {
    World::with((settings(view_distance), TerrainEdits::default()), |app| {
        app.add_plugins(TerrainTilesPlugin::new(Update)).init_resource::<Changes>();
        app.add_observer(|changed: On<LandChanged>, mut changes: ResMut<Changes>| changes.0.push(*changed));
    })
}

fn edits(world: &mut World) -> Mut<'_, TerrainEdits> {
    world.app.world_mut().get_mut(world.terrain).unwrap()
}

fn changes(world: &World) -> usize {
    world.app.world().resource::<Changes>().0.len()
}

/// Updates until the newest edits are on screen; every frame is checked.
fn follow(world: &mut World) -> u32 {
    let before = changes(world);
    for frame in 1..2_000 {
        world.update();
        world.check();
        if changes(world) > before {
            return frame;
        }
        std::thread::sleep(std::time::Duration::from_micros(200));
    }
    panic!("the edit never came");
}

/// The vertices of all chunks that are drawn.
fn vertices(world: &World) -> HashMap<ChunkKey, Vec<Vertex>> {
    let state = world.state();
    world.drawn().iter().map(|&key| (key, state.vertices(key).unwrap().to_vec())).collect()
}

#[test]
fn an_edit_changes_its_chunks_in_one_frame_and_no_others() {
    let mut world = world(8_000.0);
    let surface = settings(8_000.0).surface().unwrap();
    let ground = surface.height(100.0, -40.0);
    world.place(Vec3::new(100.0, ground as f32 + 50.0, -40.0));
    world.settle();
    let (before, generation) = (vertices(&world), world.state().generation());
    let at = DVec3::new(100.0, ground + 9.0, -40.0);
    let pad = edits(&mut world).apply(Edit::flatten(at, 12.0).falloff(6.0)).unwrap();
    follow(&mut world);
    let changed = *world.app.world().resource::<Changes>().0.last().unwrap();
    assert_eq!((changed.min, changed.max), ([82.0, -58.0], [118.0, -22.0]));
    assert_eq!(world.state().generation(), generation, "the world is not built anew");
    let after = vertices(&world);
    assert_eq!(after.len(), before.len(), "nobody has moved");
    let mut levels = [0; 16];
    for (key, vertices) in &after {
        let away = key.square(1.0).outside([100.0, -40.0]).map(|metres| metres.powi(2)).iter().sum::<f64>().sqrt();
        let reach = 18.0 + 4.0 * key.parent().vertex_spacing(1.0);
        if before[key] == *vertices {
            continue;
        }
        assert!(away < reach, "{key:?} is {away} m away");
        levels[usize::from(key.level)] += 1;
    }
    assert!(levels[0] > 0 && levels[3..].iter().all(|&count| count == 0), "{levels:?}");
    // Every question gets the same answer.
    let land = world.state().surface().unwrap();
    for (x, z) in [(100.0, -40.0), (108.0, -46.0), (91.5, -38.25)] {
        assert_eq!(land.height(x, z), f64::from(at.y as f32));
    }
    assert_eq!(land.height(140.0, -40.0), surface.height(140.0, -40.0));
    let expected = surface.with_edits(&edits(&mut world));
    let corner = ChunkKey::at(0, 100.0, -40.0, 1.0);
    assert_eq!(expected.chunk_heights(corner), land.chunk_heights(corner));
    let own: Vec<f32> = world.state().vertices(corner).unwrap().iter().map(|vertex| vertex.height).collect();
    assert_eq!(expected.chunk_heights(corner), own);
    // As if it had never been.
    assert!(edits(&mut world).undo(pad).is_some());
    follow(&mut world);
    assert!(vertices(&world) == before);
}

#[test]
fn an_edit_of_all_in_view_becomes_a_generation() {
    let mut world = world(8_000.0);
    world.settle();
    let generation = world.state().generation().unwrap();
    edits(&mut world).apply(Edit::raise(DVec3::ZERO, 3_000.0, 50.0).falloff(2_000.0)).unwrap();
    follow(&mut world);
    assert!(world.state().generation().unwrap() > generation);
    let base = settings(8_000.0).surface().unwrap();
    let rise = world.state().surface().unwrap().height(10.0, 10.0) - base.height(10.0, 10.0);
    assert!((rise - 50.0).abs() < 1e-3);
    // Many small ones as well, all at once; and then other settings keep them.
    for index in 0..5_000 {
        let at = DVec3::new(f64::from(index % 71) * 40.0, 3.0, f64::from(index / 71) * 40.0);
        edits(&mut world).apply(Edit::flatten(at, 4.0)).unwrap();
    }
    follow(&mut world);
    assert_eq!(world.state().surface().unwrap().height(400.0, 1_200.0), 3.0);
    world.settings().seed = 77;
    follow(&mut world);
    assert_eq!(world.state().surface().unwrap().height(400.0, 1_200.0), 3.0);
    let terrain = world.terrain;
    world.app.world_mut().entity_mut(terrain).remove::<TerrainEdits>();
    follow(&mut world);
    let base = NoiseTerrain { seed: 77, ..settings(8_000.0) }.surface().unwrap();
    assert_eq!(world.state().surface().unwrap().height(400.0, 1_200.0), base.height(400.0, 1_200.0));
}

#[test]
fn bodies_stand_on_what_is_raised_under_them() {
    #[derive(Resource, Default)]
    struct Lifts(Vec<f32>);
    let mut world = world(4_000.0);
    world
        .app
        .init_resource::<Lifts>()
        .add_observer(|lifted: On<BodyLifted>, mut lifts: ResMut<Lifts>| lifts.0.push(lifted.by.y));
    let ground = settings(4_000.0).surface().unwrap().height(30.0, 30.0) as f32;
    let position = Vec3::new(30.0, ground + 1.0, 30.0);
    world.app.world_mut().spawn((TileAnchor { position, radius: 1.0, velocity: Vec3::ZERO }, TerrainBody::new(1.0)));
    // One far away keeps its tile.
    let far = Vec3::new(3_000.0, 500.0, 0.0);
    world.app.world_mut().spawn(TileAnchor { position: far, radius: 1.0, velocity: Vec3::ZERO });
    world.settle();
    let tiles = |world: &mut World| -> Vec<(ChunkKey, Entity)> {
        let mut tiles = world.app.world_mut().query::<(Entity, &TerrainTile)>();
        let mut tiles: Vec<_> = tiles.iter(world.app.world()).map(|(entity, tile)| (tile.key(), entity)).collect();
        tiles.sort();
        tiles
    };
    let before = tiles(&mut world);
    edits(&mut world).apply(Edit::raise(position.as_dvec3(), 10.0, 5.0).falloff(2.0)).unwrap();
    follow(&mut world);
    world.update();
    let lifts = &world.app.world().resource::<Lifts>().0;
    assert!(lifts.len() == 1 && (lifts[0] - 5.0).abs() < 0.01, "{lifts:?}");
    let after = tiles(&mut world);
    assert_eq!(before.len(), after.len());
    let moved = before.iter().zip(&after).filter(|(before, after)| before.1 != after.1).count();
    assert!(moved > 0 && moved < before.len(), "{moved} of {} tiles are new", before.len());
    let mut all = world.app.world_mut().query::<&TerrainTile>();
    let land = world.app.world().get::<bevy_noise_terrain::TerrainState>(world.terrain).unwrap().surface().unwrap();
    for tile in all.iter(world.app.world()) {
        let heights: Vec<f32> = tile.rows().flatten().copied().collect();
        assert_eq!(heights, land.chunk_heights(tile.key()), "{:?}", tile.key());
    }
}

#[derive(Clone, Debug)]
enum Stroke {
    /// An edit at an offset from the viewer.
    Apply {
        x: f64,
        z: f64,
        radius: f64,
        falloff: f64,
        kind: u32,
    },
    /// Takes one of those away that there are.
    Undo {
        which: usize,
    },
    /// Flies on for some frames.
    Fly {
        x: f32,
        z: f32,
        frames: u32,
    },
    Retune {
        seed: u64,
    },
}

fn stroke() -> impl Strategy<Value = Stroke> {
    let apply = (-300.0..300.0f64, -300.0..300.0f64, 0.5..60.0f64, 0.0..40.0f64, 0u32..6)
        .prop_map(|(x, z, radius, falloff, kind)| Stroke::Apply { x, z, radius, falloff, kind });
    let fly = (-400f32..400.0, -400f32..400.0, 1u32..12).prop_map(|(x, z, frames)| Stroke::Fly { x, z, frames });
    prop_oneof![
        8 => apply,
        2 => any::<usize>().prop_map(|which| Stroke::Undo { which }),
        4 => fly,
        1 => any::<u64>().prop_map(|seed| Stroke::Retune { seed }),
    ]
}

fn edit_of(at: DVec3, radius: f64, falloff: f64, kind: u32) -> Edit {
    let edit = match kind {
        0 => Edit::raise(at, radius, 4.0),
        1 => Edit::raise(at, radius, -6.0),
        2 => Edit::flatten(at, radius),
        3 => Edit::smooth(at, radius, 16.0),
        4 => Edit::add(at, radius, perlin().fbm().octaves(3).feature_size(20.0).scale(2.0), 3),
        _ => Edit::path([at, at + DVec3::new(80.0, 4.0, 50.0), at + DVec3::new(160.0, -3.0, -20.0)], radius.min(12.0)),
    };
    edit.falloff(falloff)
}

proptest! {
    #![proptest_config(Config { cases: 8, max_shrink_iters: 0, ..Config::default() })]

    #[test]
    fn sculpting_in_flight_is_seamless(strokes in prop::collection::vec(stroke(), 10..40), x in -1e5f32..1e5) {
        let mut world = world(4_000.0);
        let mut seed = settings(4_000.0).seed;
        let ground = settings(4_000.0).surface().unwrap().height(f64::from(x), 0.0) as f32;
        world.place(Vec3::new(x, ground + 80.0, 0.0));
        world.update();
        let mut before: Option<(DrawnFrame, usize)> = None;
        let mut check = |world: &mut World, moved: f32| {
            world.update();
            let (frame, changes) = (world.frame(), changes(world));
            assert_eq!(frame.defects(), []);
            if let Some((before, _)) = before.as_ref().filter(|(_, known)| *known == changes) {
                let motion = Motion { moved, growth: STEP * TerrainStreaming::default().fastest_growth() };
                assert_eq!(frame.pops(before, world.state().source().unwrap(), motion), []);
            }
            before = Some((frame, changes));
        };
        let mut ids: Vec<EditId> = Vec::new();
        for stroke in &strokes {
            match *stroke {
                Stroke::Apply { x, z, radius, falloff, kind } => {
                    let mut at = world.position().as_dvec3() + DVec3::new(x, -70.0, z);
                    if kind % 2 == 0 {
                        // Next to a border of chunks, where shading beyond it changes, and heights do not.
                        at.x = (at.x / 64.0).round() * 64.0 + radius + falloff + 0.02 * radius;
                    }
                    ids.push(edits(&mut world).apply(edit_of(at, radius, falloff, kind)).unwrap());
                    check(&mut world, 20.0);
                }
                Stroke::Undo { which } => {
                    if !ids.is_empty() {
                        let id = ids.remove(which % ids.len());
                        prop_assert!(edits(&mut world).undo(id).is_some());
                    }
                    check(&mut world, 20.0);
                }
                Stroke::Fly { x, z, frames } => {
                    for _ in 0..frames {
                        let step = STEP * Vec3::new(x, 0.0, z);
                        let position = world.position() + step;
                        world.place(position);
                        check(&mut world, step.length() + 20.0);
                    }
                }
                Stroke::Retune { seed: other } => {
                    seed = other;
                    world.settings().seed = other;
                    check(&mut world, 20.0);
                }
            }
        }
        // All of it arrives, and chunks are what their land says.
        world.settle();
        for _ in 0..50 {
            check(&mut world, 1.0);
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let base = NoiseTerrain { seed, ..settings(4_000.0) }.surface().unwrap();
        let expected = base.with_edits(&edits(&mut world));
        let is_right = |world: &World, land: &bevy_noise_terrain::Surface| {
            let (mut work, top) = (ChunkWork::default(), world.state().lod().unwrap().top_level());
            for &key in world.drawn() {
                let fresh = work.vertices(land.source(), key, land.spacing(), top);
                assert!(world.state().vertices(key).unwrap() == fresh, "{key:?}");
            }
        };
        is_right(&world, &expected);
        // Taken away again, there is nothing left of them.
        for id in ids {
            prop_assert!(edits(&mut world).undo(id).is_some());
            check(&mut world, 1.0);
        }
        for _ in 0..50 {
            check(&mut world, 1.0);
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        world.settle();
        prop_assert!(edits(&mut world).is_empty());
        is_right(&world, &base);
    }
}

#[test]
fn a_ditch_is_a_path_that_is_lowered() {
    let points = [DVec3::new(0.0, 0.0, 0.0), DVec3::new(60.0, 0.0, 20.0), DVec3::new(120.0, 0.0, 0.0)];
    let ditch = Edit::path(points, 4.0).falloff(3.0).with_action(EditAction::Raise { by: -2.0 });
    let mut list = TerrainEdits::default();
    list.apply(ditch).unwrap();
    let base = settings(1_000.0).surface().unwrap();
    let land = base.with_edits(&list);
    let depth = |x: f64, z: f64| land.height(x, z) - base.height(x, z);
    assert!((depth(60.0, 20.0) + 2.0).abs() < 1e-3 && (depth(0.0, 0.0) + 2.0).abs() < 1e-3);
    assert!(depth(60.0, 40.0) == 0.0 && depth(60.0, 0.0) == 0.0);
}

#[test]
fn a_road_is_cleared_of_plants_and_nothing_else_is() {
    let mut kind = ScatterKind::conifer();
    (kind.density, kind.patches, kind.max_slope) = (0.05, None, 1.5);
    let scatter = TerrainScatter { kinds: vec![kind], ..default() };
    let base = settings(1_000.0).surface().unwrap();
    let points = [DVec3::new(0.0, 0.0, 0.0), DVec3::new(60.0, 0.0, 0.0), DVec3::new(120.0, 0.0, 0.0)];
    // It leaves the land as it is.
    let road = Edit::path(points, 12.0).with_action(EditAction::Raise { by: 0.0 });
    let mut edits = TerrainEdits::default();
    let id = edits.apply(road).unwrap();
    let trees = |land: &bevy_noise_terrain::Surface| -> Vec<_> {
        let map = ScatterMap::new(&scatter, land).unwrap();
        map.objects([-30.0, -60.0], [150.0, 60.0], |_| true).collect()
    };
    let (before, after) = (trees(&base), trees(&base.with_edits(&edits)));
    let is_on_road = |at: DVec3| at.z.abs() <= 6.0 && (0.0..=120.0).contains(&at.x);
    assert!(before.iter().filter(|tree| is_on_road(tree.position)).count() > 30);
    assert!(after.iter().all(|tree| !is_on_road(tree.position)));
    let is_near = |at: DVec3| at.z.abs() <= 6.1 && (-6.1..=126.1).contains(&at.x);
    let others: Vec<_> = before.iter().filter(|tree| !is_near(tree.position)).copied().collect();
    assert!(others.len() > 300 && others.iter().all(|tree| after.contains(tree)));
    edits.undo(id);
    assert_eq!(trees(&base.with_edits(&edits)), before);
}
