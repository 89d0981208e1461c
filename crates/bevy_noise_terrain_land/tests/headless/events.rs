//! Events about chunks: always of the drawn generation, and one for every chunk that is removed.

#![cfg(feature = "validation")]

use std::sync::Arc;
use std::time::Duration;

use bevy::ecs::system::RunSystemOnce;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::{Grid, Scratch};
use bevy_noise_terrain::{ChunkFailed, ChunkKey, ChunkReady, ChunkRemoved};
use bevy_noise_terrain::{ChunkFailure, TerrainState};

use crate::world::{World, settings};

/// What observers have received.
#[derive(Resource, Default)]
struct Heard {
    chunks: HashMap<ChunkKey, Entity>,
    ready: usize,
    removed: usize,
    /// Events whose chunk did not match the heights of a query.
    stale: usize,
}

fn listening(view_distance: f64) -> World {
    let mut world = World::new(settings(view_distance));
    world.app.init_resource::<Heard>();
    world.app.world_mut().add_observer(
        |ready: On<ChunkReady>,
         chunks: Query<(&TerrainChunk, &ChildOf)>,
         terrains: Query<(&NoiseTerrain, &TerrainState)>,
         query: TerrainQuery,
         mut heard: ResMut<Heard>| {
            let (chunk, parent) = chunks.get(ready.entity).unwrap();
            let state = terrains.get(parent.parent()).unwrap().1;
            let vertices = state.vertices(ready.key).expect("its vertices are loaded");
            let heights = vertices.iter().map(|vertex| vertex.height.min(vertex.parent_height));
            let lowest = heights.fold(f32::INFINITY, f32::min);
            let [x, z] = ready.key.square(1.0).min;
            let asked = query.surface().unwrap().source().height([x, z], ready.key.vertex_spacing(1.0));
            heard.stale += usize::from(lowest != chunk.min_height || asked != vertices[0].height);
            heard.ready += 1;
            assert_eq!(heard.chunks.insert(ready.key, ready.entity), None, "{:?} was announced twice", ready.key);
        },
    );
    world.app.world_mut().add_observer(
        |gone: On<ChunkRemoved>, chunks: Query<&TerrainChunk>, mut heard: ResMut<Heard>| {
            assert!(chunks.contains(gone.entity), "the entity still exists");
            heard.removed += 1;
            assert_eq!(heard.chunks.remove(&gone.key), Some(gone.entity));
        },
    );
    world
}

fn heard(world: &World) -> &Heard {
    world.app.world().resource()
}

#[test]
fn an_announced_chunk_has_the_heights_of_its_own_generation() {
    let mut world = listening(6_000.0);
    world.place(Vec3::new(0.0, 500.0, 0.0));
    world.settle();
    for seed in 2..6 {
        world.settings().seed = seed;
        for _ in 0..20 {
            world.update();
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    world.settle();
    let Heard { ready, stale, .. } = *heard(&world);
    assert!(ready > 500 && stale == 0, "{stale} of {ready} events had the heights of another generation");
    let keys = heard(&world).chunks.len();
    assert_eq!(keys as u32, world.stats().loaded);
}

#[test]
fn a_despawned_terrain_announces_the_removal_of_every_chunk() {
    let mut world = listening(6_000.0);
    world.settle();
    let count = heard(&world).chunks.len();
    assert!(count > 100);
    world.app.world_mut().despawn(world.terrain);
    world.app.update();
    assert_eq!((heard(&world).removed, heard(&world).chunks.len()), (count, 0));
    assert_eq!(world.app.world_mut().query::<&TerrainChunk>().iter(world.app.world()).count(), 0);
}

#[test]
fn a_terrain_without_settings_has_no_land_until_it_gets_some_again() {
    let mut world = listening(6_000.0);
    world.settle();
    world.app.world_mut().entity_mut(world.terrain).remove::<NoiseTerrain>();
    for _ in 0..10 {
        world.update();
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(heard(&world).chunks.len(), 0);
    assert_eq!(world.app.world_mut().query::<&TerrainChunk>().iter(world.app.world()).count(), 0);
    world.app.world_mut().entity_mut(world.terrain).insert(settings(6_000.0));
    world.update();
    world.settle();
    world.check();
    assert_eq!(heard(&world).chunks.len() as u32, world.stats().loaded);
}

/// Flat land that takes its time.
struct Slow {
    _alive: Arc<()>,
}

impl HeightSource for Slow {
    fn fill(&self, _: &Grid, _: &mut Scratch, heights: &mut [f32]) {
        std::thread::sleep(Duration::from_micros(200));
        heights.fill(7.0);
    }

    fn height(&self, _: [f64; 2], _: f64) -> f32 {
        7.0
    }
}

#[test]
fn a_terrain_that_goes_while_it_loads_leaves_nothing_behind() {
    for is_despawned in [false, true] {
        let alive = Arc::new(());
        let mut world = World::new((settings(30_000.0), TerrainSource::new(Slow { _alive: alive.clone() })));
        for _ in 0..5 {
            world.update();
        }
        assert!(world.stats().missing > 100, "{:?}", world.stats());
        let mut terrain = world.app.world_mut().entity_mut(world.terrain);
        if is_despawned {
            terrain.despawn();
        } else {
            terrain.remove::<(NoiseTerrain, TerrainSource)>();
        }
        let ask = |query: TerrainQuery| query.surface().is_some();
        assert!(!world.app.world_mut().run_system_once(ask).unwrap(), "land that is gone answers no more");
        // Jobs under way end by themselves, and nobody does what waits.
        let began = std::time::Instant::now();
        while Arc::strong_count(&alive) > 1 {
            assert!(began.elapsed() < Duration::from_secs(20), "despawned: {is_despawned}");
            world.update();
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Flat land with a strip in which the source fails, in every way that a source can.
struct Broken {
    panics: bool,
}

impl Broken {
    const FROM: f64 = 3_000.0;
}

impl HeightSource for Broken {
    fn fill(&self, grid: &Grid, _: &mut Scratch, heights: &mut [f32]) {
        for (index, height) in heights.iter_mut().enumerate() {
            let x = grid.x(index % grid.size[0]);
            *height = if (Self::FROM..Self::FROM + 40.0).contains(&x) && grid.spacing == 1.0 { f32::NAN } else { 7.0 };
        }
    }

    fn height(&self, [x, _]: [f64; 2], _: f64) -> f32 {
        let is_broken = (Self::FROM..Self::FROM + 40.0).contains(&x);
        assert!(!(self.panics && is_broken), "on purpose");
        if is_broken { f32::NAN } else { 7.0 }
    }
}

#[test]
fn a_source_that_fails_under_the_viewer_breaks_neither_the_app_nor_the_detail() {
    #[derive(Resource, Default)]
    struct Failures(Vec<(ChunkKey, ChunkFailure)>);
    // The panics are intended; their messages would only confuse.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !info.to_string().contains("on purpose") {
            hook(info);
        }
    }));
    for panics in [false, true] {
        let mut world = World::new((settings(6_000.0), TerrainSource::new(Broken { panics })));
        world.app.init_resource::<Failures>();
        world.app.world_mut().add_observer(|failed: On<ChunkFailed>, mut list: ResMut<Failures>| {
            list.0.push((failed.key, failed.failure));
        });
        world.place(Vec3::new(0.0, 20.0, 0.0));
        world.settle();
        // Directly above the strip.
        world.place(Vec3::new(3_020.0, 20.0, 0.0));
        for _ in 0..200 {
            world.update();
            world.check();
            std::thread::sleep(Duration::from_micros(500));
        }
        let failures = &world.app.world().resource::<Failures>().0;
        let right = |(key, failure): &(ChunkKey, ChunkFailure)| key.level == 0 && *failure == ChunkFailure::NotFinite;
        assert!(!failures.is_empty() && failures.iter().all(right), "{failures:?}");
        assert!(world.stats().ranges[1] > 30.0, "level 1 is drawn there: {:?}", world.stats().ranges);
    }
}
