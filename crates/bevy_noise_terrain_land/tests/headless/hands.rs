//! What the app takes away of a terrain comes back.

use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;

use crate::world::{World, settings};

fn chunks(world: &mut World) -> Vec<(Entity, TerrainChunk)> {
    let mut all = world.app.world_mut().query::<(Entity, &TerrainChunk)>();
    all.iter(world.app.world()).map(|(entity, chunk)| (entity, *chunk)).collect()
}

#[test]
fn chunks_that_a_clean_up_despawns_come_back() {
    let mut world = World::new(settings(3_000.0));
    world.settle();
    let before = chunks(&mut world);
    let drawn = world.drawn().to_vec();
    for (entity, _) in &before {
        world.app.world_mut().entity_mut(*entity).despawn();
    }
    // No frame is without land.
    world.update();
    world.check();
    assert_eq!(chunks(&mut world).len(), world.stats().loaded as usize);
    world.settle();
    world.check();
    assert_eq!(world.drawn(), drawn);
    let after = chunks(&mut world);
    assert_eq!((after.len(), world.stats().loaded as usize), (before.len(), before.len()));
}

#[test]
fn a_chunk_that_loses_its_component_is_replaced() {
    let mut world = World::new(settings(3_000.0));
    world.settle();
    let finest = |world: &mut World| chunks(world).into_iter().min_by_key(|(_, chunk)| chunk.key.level).unwrap();
    let (entity, chunk) = finest(&mut world);
    world.app.world_mut().entity_mut(entity).remove::<TerrainChunk>();
    assert!(world.app.world().get_entity(entity).is_err(), "what is left of it goes");
    world.settle();
    world.check();
    assert!(chunks(&mut world).iter().any(|(_, other)| other.key == chunk.key));
}
