//! With several terrains the one spawned first is meant, whatever numbers Bevy gives to entities.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::{AwaitTerrain, MAX_VIEWERS, TerrainReady, TerrainViewers};

use crate::world::{World, settings};

fn other(seed: u64) -> NoiseTerrain {
    NoiseTerrain { seed, ..settings(3_000.0) }
}

fn first(world: &mut World) -> Option<Entity> {
    world.app.world_mut().run_system_once(|terrains: TerrainQuery| terrains.first()).unwrap()
}

fn all(world: &mut World) -> Vec<Entity> {
    world.app.world_mut().run_system_once(|terrains: TerrainQuery| terrains.entities()).unwrap()
}

/// The terrains that were said to be ready.
#[derive(Resource, Default)]
struct Ready(Vec<Entity>);

#[test]
fn the_terrain_spawned_first_answers() {
    let mut world = World::new(settings(3_000.0));
    let oldest = world.terrain;
    world.update();
    let second = world.app.world_mut().spawn((other(7), Transform::from_xyz(0.0, 5_000.0, 0.0))).id();
    let third = world.app.world_mut().spawn(other(8)).id();
    world.update();
    assert_eq!(first(&mut world), Some(oldest));
    assert_eq!(all(&mut world), [oldest, second, third]);

    // After a change of levels, whose terrain gets the number of one that is gone.
    world.app.world_mut().despawn(oldest);
    let fourth = world.app.world_mut().spawn(other(9)).id();
    world.update();
    assert_eq!(first(&mut world), Some(second));
    assert_eq!(all(&mut world), [second, third, fourth]);
    // Settings that are taken away and come back are no new terrain.
    world.app.world_mut().entity_mut(second).remove::<NoiseTerrain>();
    assert_eq!(first(&mut world), Some(third));
    world.app.world_mut().entity_mut(second).insert(other(7));
    assert_eq!(first(&mut world), Some(second));
}

#[test]
fn who_waits_for_land_waits_for_that_of_the_terrain_spawned_first() {
    let mut world = World::new(settings(3_000.0));
    world.app.init_resource::<Ready>();
    world.app.world_mut().spawn(other(7));
    let wait = AwaitTerrain::new([0.0; 2], 600.0);
    let note = |ready: On<TerrainReady>, mut all: ResMut<Ready>| all.0.push(ready.terrain);
    world.app.world_mut().spawn(wait).observe(note);
    world.settle();
    for _ in 0..1_000 {
        world.update();
        if !world.app.world().resource::<Ready>().0.is_empty() {
            break;
        }
    }
    assert_eq!(world.app.world().resource::<Ready>().0, [world.terrain]);
}

#[test]
fn the_viewers_spawned_first_count() {
    let mut world = World::new(settings(3_000.0));
    let place = |k: usize| Transform::from_xyz(10.0 * k as f32, 500.0, 0.0);
    let mut viewers = vec![world.viewer];
    viewers.extend((1..12).map(|k| world.app.world_mut().spawn((TerrainViewer, place(k))).id()));
    world.update();
    let seen = |world: &World| -> Vec<Entity> {
        let viewers: &TerrainViewers = world.app.world().get(world.terrain).unwrap();
        viewers.iter().map(|(entity, _)| entity).collect()
    };
    assert_eq!(seen(&world), viewers[..MAX_VIEWERS]);
    // A new one gets the number of one that is gone, and is the last.
    world.app.world_mut().despawn(viewers.remove(2));
    viewers.push(world.app.world_mut().spawn((TerrainViewer, place(2))).id());
    world.update();
    assert_eq!(seen(&world), viewers[..MAX_VIEWERS]);
}
