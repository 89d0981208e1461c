//! Land that somebody waits for is announced when it is there and sharp, not before.

#![cfg(feature = "validation")]

use std::time::Duration;

use bevy::ecs::system::RunSystemOnce;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::edits::{Hole, TerrainHoles};
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::{Grid, Scratch};
use bevy_noise_terrain::volumes::{TerrainVolume, TerrainVolumes, VolumeKind, VolumeScatter, VolumeShape};
use bevy_noise_terrain::{AwaitTerrain, ChunkFailed, ChunkKey, TerrainReady, TerrainStreaming};

use crate::world::{World, settings};

/// Places that were announced.
#[derive(Resource, Default)]
struct Heard(Vec<Entity>);

fn listening(terrain: impl Bundle) -> World {
    let mut world = World::new(terrain);
    world.app.init_resource::<Heard>();
    world.app.world_mut().add_observer(|ready: On<TerrainReady>, mut heard: ResMut<Heard>| heard.0.push(ready.entity));
    world
}

fn waits(world: &mut World, position: [f64; 2], radius: f64) -> Entity {
    world.app.world_mut().spawn(AwaitTerrain::new(position, radius)).id()
}

fn is_ready(world: &mut World, position: [f64; 2], radius: f64) -> bool {
    let ask = move |query: TerrainQuery| query.is_ready(position, radius);
    world.app.world_mut().run_system_once(ask).unwrap()
}

/// Updates until `entity` is announced; the shares told on the way.
fn until_heard(world: &mut World, entity: Entity) -> Vec<f32> {
    let mut shares = Vec::new();
    for _ in 0..4_000 {
        world.update();
        if world.app.world().resource::<Heard>().0.contains(&entity) {
            assert!(world.app.world().get::<AwaitTerrain>(entity).is_none(), "it waits no more");
            return shares;
        }
        shares.push(world.app.world().get::<AwaitTerrain>(entity).unwrap().readiness.progress());
        std::thread::sleep(std::time::Duration::from_micros(500));
    }
    panic!("never ready: {:?}", world.stats());
}

#[test]
fn land_is_announced_when_it_is_sharp() {
    let mut world = listening(settings(6_000.0));
    let (here, radius) = ([3_000.0, -2_000.0], 150.0);
    world.place(Vec3::new(3_000.0, 300.0, -2_000.0));
    // Close enough to the ground that the finest level is drawn.
    world.update();
    let ground = world.state().source().unwrap().height(here, 1.0);
    world.place(Vec3::new(3_000.0, ground + 2.0, -2_000.0));
    let entity = waits(&mut world, here, radius);
    let shares = until_heard(&mut world, entity);
    assert!(shares.len() > 2 && shares.is_sorted() && shares[0] < 0.9, "{shares:?}");
    assert!(is_ready(&mut world, here, radius));
    // Every finest chunk around is not only loaded but drawn.
    for (x, z) in [(0.0, 0.0), (-140.0, 0.0), (140.0, 0.0), (0.0, -140.0), (0.0, 140.0)] {
        let key = ChunkKey::at(0, here[0] + x, here[1] + z, 1.0);
        assert!(world.drawn().contains(&key), "{key:?}");
    }
    // Once only.
    for _ in 0..5 {
        world.update();
    }
    assert_eq!(world.app.world().resource::<Heard>().0, [entity]);
}

#[test]
fn a_jump_or_other_settings_must_be_waited_for() {
    let mut world = listening(settings(6_000.0));
    world.place(Vec3::new(0.0, 300.0, 0.0));
    world.settle();
    assert!(is_ready(&mut world, [0.0; 2], 100.0));
    // Nobody has been there yet.
    let there = [200_000.0, 50_000.0];
    assert!(!is_ready(&mut world, there, 100.0));
    let entity = waits(&mut world, there, 100.0);
    for _ in 0..20 {
        world.update();
    }
    assert!(world.app.world().resource::<Heard>().0.is_empty());
    world.place(Vec3::new(200_000.0, 300.0, 50_000.0));
    world.update();
    assert!(!is_ready(&mut world, there, 100.0), "in the frame of the jump");
    until_heard(&mut world, entity);
    assert!(is_ready(&mut world, there, 100.0));
    world.settings().seed += 1;
    world.update();
    assert!(!is_ready(&mut world, there, 100.0), "another seed is on its way");
    let entity = waits(&mut world, there, 100.0);
    until_heard(&mut world, entity);
    assert_eq!(world.stats().generation, 2);
}

#[test]
fn land_that_fits_in_memory_only_in_part_is_as_fine_as_it_gets_when_it_is_announced() {
    for memory_mb in [16, 48] {
        let streaming = TerrainStreaming { memory_mb, ..default() };
        let mut world = listening(NoiseTerrain { streaming, ..settings(20_000.0) });
        let places = [[0.0, 0.0], [9_000.0, -4_000.0]];
        world.place(Vec3::new(0.0, 300.0, 0.0));
        world.app.world_mut().spawn((TerrainViewer, Transform::from_xyz(9_000.0, 300.0, -4_000.0)));
        let waiting = places.map(|place| waits(&mut world, place, 100.0));
        world.update();
        let detail = world.state().lod().unwrap().detail;
        for (place, entity) in places.into_iter().zip(waiting) {
            if world.app.world().get::<AwaitTerrain>(entity).is_some() {
                until_heard(&mut world, entity);
            }
            assert!(world.stats().detail < detail, "all of it fits into {memory_mb} MB");
            let level = world.level_at(place);
            for _ in 0..900 {
                world.update();
            }
            assert_eq!(world.level_at(place), level, "{memory_mb} MB at {place:?}");
        }
    }
}

/// Flat land that ends in the east, at the border of coarsest chunks.
struct Finite;

impl Finite {
    const END: f64 = 8_192.0;
}

impl HeightSource for Finite {
    fn fill(&self, grid: &Grid, _: &mut Scratch, heights: &mut [f32]) {
        for (index, height) in heights.iter_mut().enumerate() {
            *height = self.height([grid.x(index % grid.size[0]), 0.0], grid.footprint);
        }
    }

    fn height(&self, [x, _]: [f64; 2], _: f64) -> f32 {
        if x > Self::END { f32::NAN } else { 7.0 }
    }
}

#[test]
fn land_at_the_edge_of_a_finite_map_is_announced_when_it_is_as_fine_as_it_gets() {
    let enough = TerrainStreaming::default().memory_mb;
    for memory_mb in [enough, 16] {
        let streaming = TerrainStreaming { memory_mb, ..default() };
        let land = NoiseTerrain { streaming, ..settings(6_000.0) };
        let mut world = listening((land, TerrainSource::new(Finite)));
        let here = [Finite::END - 50.0, 100.0];
        world.place(Vec3::new(here[0] as f32, 20.0, here[1] as f32));
        world.app.world_mut().add_observer(|failed: On<ChunkFailed>| {
            assert_eq!(failed.key.level, 5, "nothing below a coarsest chunk that fails is tried");
        });
        let entity = waits(&mut world, here, 100.0);
        until_heard(&mut world, entity);
        assert_eq!(world.stats().detail < settings(6_000.0).lod.detail, memory_mb < enough, "{:?}", world.stats());
        let level = world.level_at(here);
        assert!(level == 0 || memory_mb < enough, "{:?}", world.stats());
        for _ in 0..900 {
            world.update();
        }
        assert_eq!(world.level_at(here), level, "{memory_mb} MB: {:?}", world.stats());
        assert!(world.stats().failed > 5, "{:?}", world.stats());
    }
}

#[test]
fn little_memory_and_odd_places_do_not_wait_forever() {
    let streaming = TerrainStreaming { memory_mb: 16, ..default() };
    let mut world = listening(NoiseTerrain { streaming, ..settings(20_000.0) });
    world.place(Vec3::new(0.0, 300.0, 0.0));
    let entity = waits(&mut world, [0.0; 2], 1e12);
    until_heard(&mut world, entity);
    let entity = waits(&mut world, [0.0; 2], f64::NAN);
    until_heard(&mut world, entity);
    for odd in [[f64::NAN, 0.0], [f64::INFINITY, 0.0]] {
        assert!(!is_ready(&mut world, odd, 10.0));
        waits(&mut world, odd, -1.0);
    }
    for _ in 0..5 {
        world.update();
    }
    assert_eq!(world.app.world().resource::<Heard>().0.len(), 2);
}

/// Updates until the statistics report that all land is there.
fn until_complete(world: &mut World) {
    for _ in 0..4_000 {
        world.update();
        let stats = world.stats();
        // Without a renderer, nothing that only it draws is outstanding.
        assert!(!stats.kept_back && stats.missing_volumes + stats.missing_textures == 0, "{stats:?}");
        if stats.is_complete() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_micros(500));
    }
    panic!("never complete: {:?}", world.stats());
}

#[test]
fn the_statistics_tell_when_all_is_there_and_as_detailed_as_it_gets() {
    let (mut holes, mut volumes) = (TerrainHoles::default(), TerrainVolumes::default());
    holes.apply(Hole::disc(DVec3::ZERO, 5.0)).unwrap();
    let shapes = vec![VolumeShape::dig(DVec3::new(60.0, 300.0, 0.0), DVec3::new(60.0, -300.0, 0.0), 6.0)];
    volumes.apply(TerrainVolume { center: [60.0, 0.0], size: [64.0; 2], shapes, ..default() }).unwrap();
    let scatter = VolumeScatter { kinds: vec![VolumeKind::caves()] };
    let mut world = World::new((settings(6_000.0), holes, volumes, scatter));
    world.update();
    assert!(!world.stats().is_complete(), "in the first frame");
    until_complete(&mut world);
    let is_whole = |world: &World| {
        let (stats, lod) = (world.stats(), *world.state().lod().unwrap());
        let full: Vec<f64> = (0..=lod.top_level()).map(|level| lod.full_range(level)).collect();
        assert_eq!((stats.missing, &stats.ranges), (0, &full));
        assert!(!stats.retuning);
    };
    is_whole(&world);
    world.place(Vec3::new(200_000.0, 300.0, 50_000.0));
    world.update();
    assert!(!world.stats().is_complete(), "in the frame of a jump");
    until_complete(&mut world);
    is_whole(&world);
    world.settings().seed += 1;
    world.update();
    assert!(!world.stats().is_complete(), "another seed is on its way");
    until_complete(&mut world);
    is_whole(&world);
}

#[test]
fn land_is_not_complete_while_finer_levels_have_to_extend() {
    let mut world = World::new(settings(4_000.0));
    let clock = |seconds| TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(seconds));
    world.app.insert_resource(clock(0.0));
    while world.stats().missing > 0 || world.stats().drawn_total() == 0 {
        world.update();
        std::thread::sleep(Duration::from_micros(500));
    }
    world.update();
    let (stats, lod) = (world.stats(), *world.state().lod().unwrap());
    assert!(stats.missing == 0 && stats.ranges[0] < lod.full_range(0), "loaded, and shown coarsely: {stats:?}");
    assert!(stats.fading && !stats.is_complete(), "{stats:?}");
    world.app.insert_resource(clock(1.0));
    for _ in 0..10 {
        world.update();
    }
    assert!(world.stats().is_complete(), "{:?}", world.stats());
    assert_eq!(world.stats().ranges[0], lod.full_range(0));
}
