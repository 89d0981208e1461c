//! Limited memory: what fits is drawn, the ground near viewers keeps its detail longest, and at rest nothing is built.

use std::time::Duration;

use crate::world::World;
use bevy::prelude::*;
use bevy_noise_terrain::TerrainStreaming;
use bevy_noise_terrain::prelude::*;

fn settings(memory_mb: u32, detail: f64) -> NoiseTerrain {
    NoiseTerrain {
        lod: TerrainLod { detail, ..default() },
        streaming: TerrainStreaming { memory_mb, keep_vertices: true, ..default() },
        ..default()
    }
}

/// A world with a viewer 10 m above the ground at the origin, and others at these positions.
fn world(settings: NoiseTerrain, others: &[[f32; 2]]) -> World {
    let surface = settings.surface().unwrap();
    let above = |[x, z]: [f32; 2]| Vec3::new(x, surface.height(x.into(), z.into()) as f32 + 10.0, z);
    let mut world = World::new(settings);
    world.place(above([0.0; 2]));
    for &other in others {
        world.app.world_mut().spawn((TerrainViewer, Transform::from_translation(above(other))));
    }
    world
}

/// Updates until nothing has been built, discarded or changed for a while. Returns the number of frames.
fn rest(world: &mut World) -> u32 {
    let mut calm = 0;
    for frame in 0..6_000 {
        let before = (world.stats().built, world.stats().wasted, world.stats().ranges.clone());
        world.update();
        std::thread::sleep(Duration::from_micros(300));
        let stats = world.stats();
        let is_calm = stats.missing == 0 && before == (stats.built, stats.wasted, stats.ranges.clone());
        calm = if is_calm { calm + 1 } else { 0 };
        if calm == 60 {
            return frame;
        }
    }
    panic!("the world never came to rest: {:?}", world.stats());
}

#[test]
fn more_detail_never_makes_the_ground_coarser() {
    let mut before = (0.0, 0.0);
    for detail in [4.0, 5.0, 6.0, 8.0, 16.0, 29.5, 32.0] {
        let mut world = world(settings(100, detail), &[]);
        rest(&mut world);
        world.check();
        let stats = world.stats();
        assert!(stats.detail <= detail && stats.detail >= 4.0, "{detail}: {}", stats.detail);
        assert!(stats.drawn.iter().all(|&drawn| drawn > 0), "{detail}: {:?}", stats.drawn);
        let now = (stats.ranges[0], stats.detail);
        assert!(now.0 >= before.0 && now.1 >= before.1, "{detail}: {now:?} after {before:?}");
        println!("detail {detail}: {:.2} fits, level 0 to {:.0} m, {} loaded", now.1, now.0, stats.loaded);
        before = now;
    }
}

#[test]
fn less_memory_reduces_distant_detail_first() {
    let mut before = f64::INFINITY;
    for memory in [100, 60, 50, 40, 30, 16] {
        let mut world = world(settings(memory, 4.0), &[]);
        rest(&mut world);
        world.check();
        let stats = world.stats();
        assert!(stats.detail <= before, "{memory} MB: {} after {before}", stats.detail);
        println!("{memory} MB: detail {:.2}, {:?}", stats.detail, stats.drawn);
        before = stats.detail;
        if memory >= 40 {
            assert!(stats.ranges[0] > 30.0, "{memory} MB: level 0 to {} m", stats.ranges[0]);
        }
    }
}

#[test]
fn four_players_apart_each_have_the_finest_ground() {
    let places = [[5_000.0, 0.0], [0.0, 5_000.0], [5_000.0, 5_000.0]];
    let mut world = world(settings(100, 4.0), &places);
    rest(&mut world);
    world.check();
    let stats = world.stats();
    println!("four players: level 0 to {:.0} m, {:?}", stats.ranges[0], stats.drawn);
    assert!(stats.ranges[0] > 30.0, "{:?}", stats.ranges);
}

#[test]
fn eight_players_in_the_smallest_pool_have_land() {
    let places: Vec<_> = (1..8).map(|i| [9_000.0 * i as f32, -700.0 * i as f32]).collect();
    let mut world = world(settings(16, 32.0), &places);
    rest(&mut world);
    world.check();
    println!("eight players: reach {:.0} m, {:?}", world.stats().reach, world.stats().drawn);
    assert!(world.stats().drawn_total() > 0);
}

#[test]
fn few_chunks_are_discarded_in_flight() {
    for (memory, detail) in [(100, 4.0), (100, 5.0), (67, 8.0), (40, 4.0)] {
        let mut world = world(settings(memory, detail), &[]);
        rest(&mut world);
        let before = (world.stats().built, world.stats().wasted);
        for _ in 0..600 {
            let next = world.position() + Vec3::new(5.0, 0.0, 1.0);
            world.place(next);
            world.update();
            std::thread::sleep(Duration::from_micros(500));
        }
        let (built, wasted) = (world.stats().built - before.0, world.stats().wasted - before.1);
        println!("{memory} MB, detail {detail}: {wasted} of {built} discarded");
        assert!(built > 50 && 10 * wasted < built, "{memory} MB, detail {detail}: {wasted} of {built}");
    }
}

#[test]
fn a_teleport_with_a_full_pool_shows_no_holes() {
    for others in [&[][..], &[[3_000.0, 2_000.0]]] {
        for memory in [16, 40] {
            let mut world = world(settings(memory, 8.0), others);
            rest(&mut world);
            for to in [[400_000.0, 0.0], [-50_000.0, 90_000.0], [0.0, 0.0]] {
                world.place(Vec3::new(to[0], 900.0, to[1]));
                world.update();
                world.check();
                assert!(world.frame().chunks() > 0);
                for _ in 0..3 {
                    world.update();
                    world.check();
                }
            }
            rest(&mut world);
        }
    }
}
