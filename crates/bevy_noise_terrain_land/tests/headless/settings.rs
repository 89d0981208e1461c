//! Settings changed at run time are applied without showing an empty world, or rejected without any change.

#![cfg(feature = "validation")]

use bevy::prelude::*;
use bevy_noise_terrain::SettingsRejected;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::Fractal;
use bevy_noise_terrain::{SettingsError, TerrainStreaming};

use crate::world::{World, settings};

#[derive(Resource, Default)]
struct Refused(Vec<String>);

fn refusals(world: &mut World) -> Vec<String> {
    std::mem::take(&mut world.app.world_mut().resource_mut::<Refused>().0)
}

#[test]
fn the_first_frame_is_a_complete_world() {
    let mut world = World::new(settings(30_000.0));
    world.update();
    world.check();
}

#[test]
fn a_new_seed_replaces_the_drawn_generation_in_one_frame_and_refines() {
    let mut world = World::new(settings(8_000.0));
    world.settle();
    let drawn = world.drawn().len();
    world.settings().seed = 99;
    let mut frames = 0;
    while world.stats().generation == 1 {
        world.update();
        assert!(world.drawn().len() >= drawn.min(40), "the old world thinned out while the new one was built");
        world.check();
        frames += 1;
        assert!(frames < 2_000, "the new world never came");
    }
    world.settle();
    assert_eq!(world.stats().generation, 2);
    let expected = NoiseTerrain { seed: 99, ..settings(8_000.0) }.surface().unwrap().height(64.0, 64.0);
    assert_eq!(f64::from(world.state().source().unwrap().height([64.0, 64.0], 1.0)), expected);
}

#[test]
fn rapid_changes_never_show_holes_and_end_with_the_last() {
    let mut world = World::new(settings(8_000.0));
    world.settle();
    for seed in 100..160 {
        world.settings().seed = seed;
        world.update();
        world.check();
    }
    world.settle();
    let expected = NoiseTerrain { seed: 159, ..settings(8_000.0) }.surface().unwrap().height(123.0, 456.0);
    let shown = world.state().source().unwrap().height([123.0, 456.0], 1.0);
    assert_eq!(f64::from(shown), expected);
    let stats = world.stats();
    assert!(stats.generation > 2, "the drawn generation follows the changes: {} generations", stats.generation);
}

#[test]
fn invalid_settings_are_rejected_with_the_field_and_change_nothing() {
    let mut world = World::new(settings(8_000.0));
    world.app.init_resource::<Refused>();
    let terrain = world.terrain;
    world.app.world_mut().add_observer(move |refused: On<SettingsRejected>, mut list: ResMut<Refused>| {
        assert_eq!(refused.entity, Some(terrain));
        list.0.push(refused.error.to_string());
    });
    world.settle();
    let drawn = world.drawn().to_vec();
    let breaks: [(fn(&mut NoiseTerrain), &str); 4] = [
        (|terrain| terrain.lod.spacing = f64::NAN, "terrain.lod.spacing: found NaN, allowed is 0.01 to 1000 m"),
        (|terrain| terrain.lod.view_distance = -5.0, "terrain.lod.view_distance: found -5, allowed is"),
        (|terrain| terrain.streaming.memory_mb = 0, "terrain.streaming.memory_mb: found 0, allowed is 16 to 4096 MB"),
        (
            |terrain| terrain.noise = Fractal { octaves: 0, ..default() }.into(),
            "terrain.noise.octaves: found 0, allowed is 1 to 32",
        ),
    ];
    for (break_it, words) in breaks {
        let before = world.settings().clone();
        break_it(&mut world.settings());
        world.update();
        let refused = refusals(&mut world);
        assert_eq!(refused.len(), 1, "{words}");
        assert!(refused[0].starts_with(words), "{}", refused[0]);
        for _ in 0..5 {
            world.update();
        }
        assert_eq!(world.stats().generation, 1);
        assert_eq!(world.drawn(), drawn);
        *world.settings() = before;
        world.update();
        assert_eq!(refusals(&mut world), Vec::<String>::new());
        assert_eq!(world.stats().generation, 1, "restoring valid settings is no change");
    }
}

#[test]
fn budgets_change_without_a_new_generation_and_memory_with_one() {
    let mut world = World::new(settings(8_000.0));
    world.settle();
    world.settings().streaming.upload_mb = 9;
    world.settle();
    assert_eq!(world.stats().generation, 1);
    world.settings().streaming.memory_mb = 60;
    world.update();
    world.check();
    world.settle();
    assert_eq!(world.stats().generation, 2);
    assert!(world.stats().vertex_bytes < 60_000_000);
}

#[test]
fn too_little_memory_means_coarser_land_not_holes() {
    let streaming = TerrainStreaming { memory_mb: 16, keep_vertices: true, ..default() };
    let mut world = World::new(NoiseTerrain { streaming, ..settings(8_000.0) });
    for frame in 0..200 {
        world.place(Vec3::new(40.0 * frame as f32, 300.0, 0.0));
        world.update();
        world.check();
        assert!(world.stats().vertex_bytes <= 16_000_000);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[test]
fn a_full_pool_does_not_delay_a_new_generation() {
    // The first also has room for chunks that are no longer wanted, the second not even for all wanted ones.
    for memory_mb in [70, 16] {
        let streaming = TerrainStreaming { memory_mb, keep_vertices: true, ..default() };
        let mut world = World::new(NoiseTerrain { streaming, ..settings(8_000.0) });
        let full = |world: &World| world.stats().capacity > 0 && world.stats().loaded == world.stats().capacity;
        for step in 0..400_000 {
            if full(&world) {
                break;
            }
            // Moves on whenever everything wanted here is loaded.
            if world.stats().missing == 0 {
                world.place(world.position() + Vec3::X * 500.0);
            }
            world.update();
            std::thread::sleep(std::time::Duration::from_micros(100));
            assert!(step < 300_000, "the pool never filled: {:?}", world.stats());
        }
        world.settings().seed = 3;
        let mut frames = 0;
        while world.stats().generation == 1 {
            world.update();
            world.check();
            std::thread::sleep(std::time::Duration::from_millis(1));
            frames += 1;
            assert!(frames < 1_000, "the new world never came: {:?}", world.stats());
        }
    }
}

#[test]
fn settings_survive_a_file_and_a_misspelt_field_does_not() {
    let terrain = NoiseTerrain { seed: 7, ..default() };
    let text = serde_json::to_string(&terrain).unwrap();
    assert_eq!(serde_json::from_str::<NoiseTerrain>(&text).unwrap(), terrain);
    let error = serde_json::from_str::<NoiseTerrain>(&text.replace("\"seed\"", "\"sead\"")).unwrap_err();
    assert!(error.to_string().contains("unknown field `sead`"), "{error}");
    let partial: NoiseTerrain = serde_json::from_str(r#"{ "seed": 7 }"#).unwrap();
    assert_eq!(partial, terrain);
}

#[test]
fn editors_see_every_setting() {
    let mut world = World::new(settings(4_000.0));
    world.update();
    let registry = world.app.world().resource::<AppTypeRegistry>().read();
    for name in ["NoiseTerrain", "TerrainLod", "TerrainStreaming", "TerrainStats", "Noise", "Fractal"] {
        assert!(registry.get_with_short_type_path(name).is_some(), "{name} is not registered");
    }
}

#[test]
fn errors_are_typed() {
    let terrain = NoiseTerrain { lod: TerrainLod { detail: 99.0, ..default() }, ..default() };
    let SettingsError { path, found, allowed } = terrain.validate().unwrap_err();
    assert_eq!([&*path, &*found, &*allowed], ["terrain.lod.detail", "99", "4 to 32"]);
}
