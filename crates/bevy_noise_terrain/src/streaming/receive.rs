//! Finished chunks enter the world, a few a frame.

use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::generation::Loaded;
use super::jobs::Done;
use super::{TerrainState, Upload};
use crate::chunk::{ChunkKey, TerrainChunk};
use crate::terrain::{ChunkFailed, ChunkReady, ChunkRemoved, TerrainOrigin};

/// Takes finished chunks from the tasks, up to the frame's budget, and moves chunks whose origin moved.
pub(crate) fn receive(
    mut commands: Commands,
    mut terrains: Query<(Entity, Ref<TerrainOrigin>, &mut TerrainState)>,
    mut chunks: Query<(&TerrainChunk, &mut Transform)>,
) {
    for (terrain, origin, mut state) in &mut terrains {
        let began = Instant::now();
        let state = &mut *state;
        state.evictable = None;
        if !state.drawn_by_renderer {
            state.uploads.clear();
        }
        let entrance = Entrance { terrain, origin: *origin };
        for (entity, key) in std::mem::take(&mut state.retired) {
            leave(&mut commands, entity, key);
        }
        for done in state.workers.take(state.settings.uploads_per_frame()) {
            entrance.place(state, done, &mut commands);
        }
        if origin.is_changed() {
            for generation in [&state.shown, &state.pending].into_iter().flatten() {
                for loaded in generation.chunks.values() {
                    if let Ok((chunk, mut transform)) = chunks.get_mut(loaded.entity) {
                        transform.translation = corner(chunk.key, generation.shape.lod.spacing, &origin);
                    }
                }
            }
        }
        state.main_ms = began.elapsed().as_secs_f32() * 1e3;
    }
}

/// The terrain that chunks enter.
#[derive(Clone, Copy)]
pub(super) struct Entrance {
    pub terrain: Entity,
    pub origin: TerrainOrigin,
}

impl Entrance {
    /// Lets a finished chunk enter its generation, if that still exists and there is room.
    pub fn place(self, state: &mut TerrainState, done: Done, commands: &mut Commands) {
        state.built += 1;
        state.chunk_ms += (done.milliseconds - state.chunk_ms) * if state.built == 1 { 1.0 } else { 0.01 };
        let of_done = |generation: &super::Generation| generation.id == done.generation;
        // A coarsest chunk that was built at once may also have been under way as a task.
        let is_welcome =
            |generation: &super::Generation| of_done(generation) && !generation.chunks.contains_key(&done.key);
        if ![&state.shown, &state.pending].into_iter().flatten().any(is_welcome) {
            state.wasted += 1;
            return;
        }
        let slot = if done.mesh.is_some() { state.free_slot(commands) } else { None };
        let Some(generation) =
            [&mut state.shown, &mut state.pending].into_iter().flatten().find(|generation| of_done(generation))
        else {
            return;
        };
        let Some(mesh) = done.mesh else {
            error!("terrain {}: the height source panicked at chunk {:?}", self.terrain, done.key);
            generation.failed.insert(done.key);
            state.failed += 1;
            commands.trigger(ChunkFailed { entity: self.terrain, key: done.key });
            return;
        };
        let Some(slot) = slot else {
            state.wasted += 1;
            return;
        };
        if let Some(since) = generation.requested.remove(&done.key) {
            state.wait_ms += (since.elapsed().as_secs_f32() * 1e3 - state.wait_ms) * 0.01;
        }
        let chunk = TerrainChunk { key: done.key, min_height: mesh.min_height, max_height: mesh.max_height, slot };
        let translation = corner(done.key, generation.shape.lod.spacing, &self.origin);
        let entity = commands.spawn((chunk, Transform::from_translation(translation), ChildOf(self.terrain))).id();
        commands.trigger(ChunkReady { entity, key: done.key });
        generation.chunks.insert(done.key, Loaded { entity, slot, visible: false, wanted: generation.frame });
        if state.settings.keep_vertices {
            let index = slot as usize;
            if state.kept.len() <= index {
                state.kept.resize(index + 1, None);
            }
            state.kept[index] = Some(mesh.vertices.clone());
        }
        state.uploads.push(Upload { slot, vertices: mesh.vertices });
    }
}

impl TerrainState {
    /// A slot of the vertex pool, if need be that of the chunk that nobody has wanted for longest.
    fn free_slot(&mut self, commands: &mut Commands) -> Option<u32> {
        if let Some(slot) = self.slots.take() {
            return Some(slot);
        }
        let shown = self.shown.as_mut()?;
        let key = self.evictable.get_or_insert_with(|| shown.unwanted()).pop()?;
        let evicted = shown.chunks.remove(&key)?;
        leave(commands, evicted.entity, key);
        Some(evicted.slot)
    }
}

/// Despawns a chunk's entity, after telling those who attached something to it.
pub(super) fn leave(commands: &mut Commands, entity: Entity, key: ChunkKey) {
    // The terrain may have been despawned with all its chunks in this very frame.
    commands.queue(move |world: &mut World| {
        if world.get_entity(entity).is_ok() {
            world.trigger(ChunkRemoved { entity, key });
            world.despawn(entity);
        }
    });
}

/// Position of a chunk's corner of least x and z, relative to the terrain's origin.
pub(crate) fn corner(key: ChunkKey, spacing: f64, origin: &TerrainOrigin) -> Vec3 {
    let [x, z] = key.square(spacing).min;
    Vec3::new((x - origin.x) as f32, 0.0, (z - origin.z) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streaming::Shape;
    use crate::streaming::generation::Generation;
    use crate::streaming::jobs::{Job, Workers};
    use crate::streaming::slots::Slots;
    use crate::{NoiseTerrain, source::NoiseSource};

    #[test]
    fn a_chunk_that_comes_twice_enters_once() {
        let settings = NoiseTerrain::default();
        let source = std::sync::Arc::new(NoiseSource(settings.noise.build(1).unwrap()));
        let shape = Shape { source, lod: settings.lod };
        let job = Job { generation: 1, key: ChunkKey::new(7, 0, 0), shape: shape.clone() };
        let mut state = TerrainState { slots: Slots::new(4), ..default() };
        state.shown = Some(Generation::new(1, shape));
        let mut world = World::new();
        let entrance = Entrance { terrain: world.spawn_empty().id(), origin: default() };
        for done in Workers::run_now(vec![job.clone(), job]) {
            entrance.place(&mut state, done, &mut world.commands());
        }
        world.flush();
        assert_eq!(world.query::<&TerrainChunk>().iter(&world).count(), 1);
        assert_eq!((state.slots.used(), state.wasted), (1, 1));
    }
}
