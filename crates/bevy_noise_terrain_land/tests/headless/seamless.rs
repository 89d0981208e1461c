//! No frame has a hole, an overlap, a crack or a pop: random flights, checked frame by frame from the
//! same uniforms that the shader gets.

#![cfg(feature = "validation")]

use std::time::Duration;

use bevy::prelude::*;
use bevy_noise_terrain::TerrainStreaming;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::{Grid, Sampler, Scratch};
use bevy_noise_terrain::validation::{DrawnFrame, Motion};
use proptest::prelude::*;
use proptest::test_runner::Config;

use crate::world::{STEP, World, settings};

/// One leg of a flight.
#[derive(Clone, Copy, Debug)]
enum Leg {
    /// Flies with this velocity for some frames.
    Fly { x: f32, y: f32, z: f32, frames: u32 },
    /// Jumps to another position.
    Teleport { x: f32, z: f32 },
    /// Changes the seed.
    Retune { seed: u64 },
}

fn leg() -> impl Strategy<Value = Leg> {
    let fly = (-3_000f32..3_000.0, -100f32..100.0, -3_000f32..3_000.0, 0u32..4, 10u32..40).prop_map(
        |(x, y, z, slow, frames)| {
            // Most legs have the speed of a plane, some are much faster.
            let scale = [1.0, 0.1, 0.1, 0.01][slow as usize];
            Leg::Fly { x: x * scale, y, z: z * scale, frames }
        },
    );
    prop_oneof![
        6 => fly,
        1 => (-20_000f32..20_000.0, -20_000f32..20_000.0).prop_map(|(x, z)| Leg::Teleport { x, z }),
        1 => any::<u64>().prop_map(|seed| Leg::Retune { seed }),
    ]
}

/// The noise, slowed down by a different time for every chunk.
struct Slow(Sampler);

impl HeightSource for Slow {
    fn fill(&self, grid: &Grid, scratch: &mut Scratch, heights: &mut [f32]) {
        let delay =
            (grid.start[0].wrapping_mul(31) ^ grid.start[1].wrapping_mul(17) ^ grid.size[0] as i64).rem_euclid(7);
        std::thread::sleep(Duration::from_micros(300 * delay as u64));
        self.0.fill(grid, scratch, heights);
    }

    fn height(&self, position: [f64; 2], footprint: f64) -> f32 {
        self.0.sample_filtered(position, footprint)
    }
}

fn slow(seed: u64) -> TerrainSource {
    TerrainSource::new(Slow(NoiseTerrain::default().noise.build(seed).unwrap()))
}

/// What makes a flight demanding: little memory, much detail, several viewers.
#[derive(Clone, Copy, Debug)]
struct Strain {
    memory_mb: u32,
    detail: f64,
    viewers: u32,
}

/// Nothing demanding.
const EASY: Strain = Strain { memory_mb: 100, detail: 4.0, viewers: 1 };

fn strain() -> impl Strategy<Value = Strain> {
    (16u32..60, 4f64..=32.0, 1u32..=8).prop_map(|(memory_mb, detail, viewers)| Strain { memory_mb, detail, viewers })
}

fn fly(legs: &[Leg], start: Vec3, source: Option<TerrainSource>, strain: Strain) {
    let mut settings = settings(6_000.0);
    settings.lod.detail = strain.detail;
    settings.streaming.memory_mb = strain.memory_mb;
    let mut world = World::new(settings);
    // The others fly with the first, at growing distances.
    let others: Vec<(Entity, Vec3)> = (1..strain.viewers)
        .map(|i| {
            let offset = Vec3::new(150.0, 10.0, -90.0) * (i * i * i) as f32;
            (world.app.world_mut().spawn((TerrainViewer, Transform::default())).id(), offset)
        })
        .collect();
    if let Some(source) = source.clone() {
        world.app.world_mut().entity_mut(world.terrain).insert(source);
    }
    world.place(start);
    let follow = |world: &mut World| {
        let first = world.position();
        for &(entity, offset) in &others {
            *world.app.world_mut().get_mut::<Transform>(entity).unwrap() = Transform::from_translation(first + offset);
        }
    };
    follow(&mut world);
    world.update();
    let mut before: Option<DrawnFrame> = None;
    let mut check = |world: &mut World, moved: Option<f32>| {
        follow(world);
        world.update();
        let frame = world.frame();
        let half = frame.clone().with_half_meshes();
        assert_eq!(frame.defects(), []);
        assert_eq!(half.defects(), []);
        if let (Some(before), Some(moved)) = (&before, moved)
            && before.generation == frame.generation
        {
            let motion = Motion { moved, growth: STEP * TerrainStreaming::default().fastest_growth() };
            assert_eq!(frame.pops(before, world.state().source().unwrap(), motion), []);
            assert_eq!(half.pops(&before.clone().with_half_meshes(), world.state().source().unwrap(), motion), []);
        }
        before = Some(frame);
    };
    for leg in legs {
        match *leg {
            Leg::Fly { x, y, z, frames } => {
                for _ in 0..frames {
                    let step = STEP * Vec3::new(x, y, z);
                    let position = world.position() + step;
                    world.place(position.with_y(position.y.max(100.0)));
                    check(&mut world, Some(step.length() + 5.0));
                }
            }
            Leg::Teleport { x, z } => {
                let y = world.position().y;
                world.place(Vec3::new(x, y, z));
                check(&mut world, None);
            }
            Leg::Retune { seed } => {
                if source.is_some() {
                    world.app.world_mut().entity_mut(world.terrain).insert(slow(seed));
                } else {
                    world.settings().seed = seed;
                }
                check(&mut world, None);
            }
        }
    }
    // At rest everything that fits is loaded, and then nothing more is built.
    let mut calm = 0;
    for frame in 0..6_000 {
        let built = world.stats().built + world.stats().wasted;
        if frame % 16 < 2 {
            check(&mut world, (frame % 16 == 1).then_some(5.0));
        } else {
            world.update();
        }
        let stats = world.stats();
        let is_calm = stats.missing == 0 && !stats.retuning && built == stats.built + stats.wasted;
        calm = if is_calm { calm + 1 } else { 0 };
        if calm > 40 {
            return;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    panic!("the world never came to rest: {:?}", world.stats());
}

proptest! {
    #![proptest_config(Config { cases: 16, max_shrink_iters: 0, ..Config::default() })]

    #[test]
    fn random_flights_are_seamless(legs in prop::collection::vec(leg(), 3..7), x in -1e5f32..1e5, y in 100f32..3_000.0) {
        fly(&legs, Vec3::new(x, y, -x), None, EASY);
    }

    #[test]
    fn random_flights_over_slow_heights_are_seamless(legs in prop::collection::vec(leg(), 3..7), y in 100f32..3_000.0) {
        fly(&legs, Vec3::new(0.0, y, 0.0), Some(slow(1)), EASY);
    }
}

proptest! {
    // Every frame with a full pool is checked vertex by vertex, which is slow: only a few flights.
    #![proptest_config(Config { cases: 6, max_shrink_iters: 0, ..Config::default() })]

    #[test]
    fn random_flights_with_little_memory_are_seamless(
        legs in prop::collection::vec(leg(), 2..5), strain in strain(), x in -1e5f32..1e5,
    ) {
        fly(&legs, Vec3::new(x, 600.0, -x), None, strain);
    }
}

#[test]
fn a_settled_world_has_every_level() {
    let settings = settings(30_000.0);
    let ground = settings.surface().unwrap().height(0.0, 0.0) as f32;
    let mut world = World::new(settings);
    world.place(Vec3::new(0.0, ground + 200.0, 0.0));
    world.settle();
    let frame = world.frame();
    assert_eq!(frame.defects(), []);
    assert!((300..700).contains(&frame.chunks()), "{} chunks", frame.chunks());
    assert!(world.stats().drawn[1..].iter().all(|&count| count > 0), "{:?}", world.stats().drawn);
}
