//! Takes finished chunks into memory, a few per frame.

use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::generation::Generation;
use super::jobs::{Built, BuiltChunk, Done};
use super::loaded::{DetailNormals, Loaded};
use super::patch::Patched;
use super::{TerrainState, Upload};
use crate::chunk::{ChunkKey, TerrainChunk};
use crate::lod::Viewer;
use crate::mesh::{PooledVec, Texel};
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
        state.evictable = default();
        if !state.renderer.takes_uploads {
            state.uploads.clear();
        }
        let spawner = ChunkSpawner { terrain, origin: *origin };
        state.despawn_retired(&mut commands);
        let mut most = state.settings.uploads_per_frame();
        let finished = state.workers.take(|_| {
            let fits = most > 0;
            most = most.saturating_sub(1);
            fits
        });
        for done in finished {
            spawner.place(state, done, &mut commands);
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
        state.figures.main_ms = began.elapsed().as_secs_f32() * 1e3;
    }
}

/// Spawns chunk entities of one terrain.
#[derive(Clone, Copy)]
pub(super) struct ChunkSpawner {
    pub terrain: Entity,
    pub origin: TerrainOrigin,
}

impl ChunkSpawner {
    /// Adds a finished part of a chunk to its generation, if that still exists and there is room.
    pub fn place(self, state: &mut TerrainState, done: Done, commands: &mut Commands) {
        let Done { generation, revision, key, built, milliseconds } = done;
        if state.generation_mut(generation).is_some_and(|owner| owner.has_changed(key, revision)) {
            // Edits have changed the land since it was asked for.
            state.figures.wasted += 1;
            return;
        }
        match built {
            Built::Mesh(chunk) => {
                state.count(milliseconds);
                self.place_mesh(state, generation, key, chunk, commands);
            }
            Built::DetailNormals(texels) => state.place_detail_normals(generation, key, texels),
            Built::Again(chunk, detail_normals) => {
                state.count(milliseconds);
                state.take_patched((generation, revision), key, Some(Patched { chunk, detail_normals }));
            }
            Built::Nothing(failure) => {
                if state.is_patching((generation, revision)) {
                    state.take_patched((generation, revision), key, None);
                    error!(
                        "terrain {}: {failure} at chunk {key:?}, which stays without the newest edits",
                        self.terrain
                    );
                    state.figures.failed += 1;
                    commands.trigger(ChunkFailed { entity: self.terrain, key, failure });
                    return;
                }
                let Some(owner) = state.generation_mut(generation) else { return };
                let first = match owner.chunks.get_mut(key) {
                    Some(chunk) => {
                        std::mem::replace(&mut chunk.detail_normals, DetailNormals::Failed) != DetailNormals::Failed
                    }
                    None => owner.failed.insert(key),
                };
                if first {
                    error!("terrain {}: {failure} at chunk {key:?}", self.terrain);
                    state.figures.failed += 1;
                    commands.trigger(ChunkFailed { entity: self.terrain, key, failure });
                }
            }
        }
    }

    fn place_mesh(
        self,
        state: &mut TerrainState,
        generation: u64,
        key: ChunkKey,
        BuiltChunk { mesh, heights, paint }: BuiltChunk,
        commands: &mut Commands,
    ) {
        // One of the coarsest chunks may have been built at once while a task was building it too.
        let is_welcome = state.generation_mut(generation).is_some_and(|owner| !owner.chunks.contains(key));
        let is_shown = state.shown.as_ref().is_some_and(|shown| shown.id == generation);
        #[cfg(feature = "render")]
        let holes = state.generation_mut(generation).and_then(|owner| owner.holes(key));
        let slot = if is_welcome { state.free_slot(commands) } else { None };
        let (Some(slot), Some(owner)) = (slot, state.generation_mut(generation)) else {
            state.figures.wasted += 1;
            return;
        };
        let chunk = TerrainChunk {
            key,
            generation,
            min_height: mesh.min_height,
            max_height: mesh.max_height,
            slot,
            #[cfg(feature = "render")]
            has_holes: holes.is_some(),
        };
        let translation = corner(key, owner.shape.lod.spacing, &self.origin);
        let entity = commands.spawn((chunk, Transform::from_translation(translation), ChildOf(self.terrain))).id();
        if is_shown {
            commands.trigger(ChunkReady { entity, key });
        }
        let loaded = Loaded {
            entity,
            slot,
            visible: false,
            wanted: owner.frame,
            detail_normals: DetailNormals::Missing,
            heights,
            paint,
            #[cfg(feature = "render")]
            holes,
        };
        owner.chunks.insert(key, loaded);
        if let Some(since) = owner.requested.remove(&key) {
            state.figures.wait_ms += (since.elapsed().as_secs_f32() * 1e3 - state.figures.wait_ms) * 0.01;
        }
        if state.settings.keep_vertices {
            let index = slot as usize;
            if state.kept.len() <= index {
                state.kept.resize(index + 1, None);
            }
            state.kept[index] = Some(mesh.vertices.to_vec());
        }
        state.uploads.push(Upload::Vertices { slot, vertices: mesh.vertices });
        if let Some(patch) = state.patch.as_mut().filter(|_| is_shown) {
            patch.arrived(key);
        }
    }
}

impl TerrainState {
    fn generation_mut(&mut self, id: u64) -> Option<&mut Generation> {
        [&mut self.shown, &mut self.pending].into_iter().flatten().find(|generation| generation.id == id)
    }

    fn count(&mut self, milliseconds: f32) {
        self.figures.built += 1;
        self.figures.chunk_ms +=
            (milliseconds - self.figures.chunk_ms) * if self.figures.built == 1 { 1.0 } else { 0.01 };
    }

    fn place_detail_normals(&mut self, generation: u64, key: ChunkKey, texels: PooledVec<Texel>) {
        // The chunk may have been unloaded meanwhile.
        let Some(chunk) = self.generation_mut(generation).and_then(|owner| owner.chunks.get_mut(key)) else { return };
        let now = Instant::now();
        chunk.detail_normals = DetailNormals::Since(now);
        let slot = chunk.slot;
        self.last_detail_normals = Some(now);
        self.uploads.push(Upload::DetailNormals { slot, texels });
    }

    /// A free slot of the vertex pool; if there is none, that of the chunk unwanted for longest.
    fn free_slot(&mut self, commands: &mut Commands) -> Option<u32> {
        if let Some(slot) = self.slots.take() {
            return Some(slot);
        }
        let Self { shown, pending, evictable, .. } = self;
        if let Some(shown) = shown
            && let Some(key) = evictable.shown.next(shown)
        {
            let evicted = shown.chunks.remove(key)?;
            despawn_chunk(commands, evicted.entity, key);
            return Some(evicted.slot);
        }
        // The coming generation gives way last: where viewers move on, it too has what nobody wants any more.
        let coming = pending.as_mut()?;
        let key = evictable.pending.next(coming)?;
        let evicted = coming.chunks.remove(key)?;
        // It was never announced.
        commands.entity(evicted.entity).try_despawn();
        Some(evicted.slot)
    }
}

impl TerrainState {
    /// Frees `count` slots of the vertex pool even if drawn chunks have to go: without them there would be a hole.
    pub(super) fn make_room(&mut self, count: usize, viewers: &[Viewer], commands: &mut Commands) {
        let short = count.saturating_sub(self.slots.free() as usize);
        let Some(shown) = self.shown.as_mut().filter(|_| short > 0) else { return };
        for key in shown.expendable(viewers).into_iter().rev().take(short) {
            if let Some(evicted) = shown.chunks.remove(key) {
                self.slots.give(evicted.slot);
                despawn_chunk(commands, evicted.entity, key);
            }
        }
        self.evictable = default();
    }

    /// Unloads every chunk of a terrain that is going away.
    pub(super) fn abandon(&mut self, commands: &mut Commands) {
        self.clear_pool(self.slots.capacity());
        // With the jobs that wait, and the memory of the tasks.
        self.workers = default();
        self.first = None;
        self.next = None;
        self.applied = None;
        self.despawn_retired(commands);
    }

    /// Despawns the entities of unloaded chunks, announcing those that were announced before.
    fn despawn_retired(&mut self, commands: &mut Commands) {
        for (entity, told) in std::mem::take(&mut self.retired) {
            match told {
                Some(key) => despawn_chunk(commands, entity, key),
                None => commands.entity(entity).try_despawn(),
            }
        }
    }
}

/// Announces the removal of a chunk, then despawns its entity.
pub(super) fn despawn_chunk(commands: &mut Commands, entity: Entity, key: ChunkKey) {
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
    use bevy::platform::collections::HashMap;

    use super::*;
    use crate::streaming::TerrainDescriptor;
    use crate::streaming::evictable::Unwanted;
    use crate::streaming::generation::Generation;
    use crate::streaming::jobs::{Job, Part, run_now};
    use crate::streaming::slots::Slots;
    use crate::{NoiseTerrain, source::NoiseSource};

    #[test]
    fn a_chunk_that_comes_twice_enters_once() {
        let settings = NoiseTerrain::default();
        let source = std::sync::Arc::new(NoiseSource(settings.noise.build(1).unwrap()));
        let shape = TerrainDescriptor::new(source, default(), settings.lod);
        let job = Job {
            generation: 1,
            revision: 0,
            key: ChunkKey::new(7, 0, 0),
            part: Part::Mesh { parent: None },
            shape: shape.clone(),
        };
        let mut state = TerrainState { slots: Slots::new(4), ..default() };
        state.shown = Some(Generation::new(1, shape));
        let mut world = World::new();
        let spawner = ChunkSpawner { terrain: world.spawn_empty().id(), origin: default() };
        for done in run_now(vec![job.clone(), job]) {
            spawner.place(&mut state, done, &mut world.commands());
        }
        world.flush();
        assert_eq!(world.query::<&TerrainChunk>().iter(&world).count(), 1);
        assert_eq!((state.slots.used(), state.figures.wasted), (1, 1));
    }

    #[test]
    fn a_coming_generation_lets_go_of_what_nobody_wants_any_more() {
        let settings = NoiseTerrain::default();
        let source = std::sync::Arc::new(NoiseSource(settings.noise.build(1).unwrap()));
        let shape = TerrainDescriptor::new(source, default(), settings.lod);
        let job = |x| Job {
            generation: 2,
            revision: 0,
            key: ChunkKey::new(7, x, 0),
            part: Part::Mesh { parent: None },
            shape: shape.clone(),
        };
        let mut state = TerrainState { slots: Slots::new(2), ..default() };
        state.shown = Some(Generation::new(1, shape.clone()));
        state.pending = Some(Generation::new(2, shape.clone()));
        let mut world = World::new();
        let spawner = ChunkSpawner { terrain: world.spawn_empty().id(), origin: default() };
        for done in run_now(vec![job(0), job(1)]) {
            spawner.place(&mut state, done, &mut world.commands());
        }
        // A frame later only one of them is wanted, and another one.
        let pending = state.pending.as_mut().unwrap();
        pending.frame += 1;
        pending.chunks.get_mut(ChunkKey::new(7, 1, 0)).unwrap().wanted = pending.frame;
        for done in run_now(vec![job(2)]) {
            spawner.place(&mut state, done, &mut world.commands());
        }
        world.flush();
        let mut left: Vec<i64> = state.pending.as_ref().unwrap().chunks.keys().map(|key| key.x).collect();
        left.sort_unstable();
        assert_eq!((left, state.figures.wasted), (vec![1, 2], 0));
        assert_eq!(world.query::<&TerrainChunk>().iter(&world).count(), 2);
    }

    /// A generation with `count` chunks, of which each eighth is drawn. They were wanted in no order; which slot has the chunk
    /// unwanted for longest, second longest and so on is in `ranks`.
    fn idle(id: u64, count: u32, state: &mut TerrainState, ranks: &mut HashMap<u32, (u64, u32)>) -> Generation {
        let settings = NoiseTerrain::default();
        let source = std::sync::Arc::new(NoiseSource(settings.noise.build(1).unwrap()));
        let mut generation = Generation::new(id, TerrainDescriptor::new(source, default(), settings.lod));
        generation.frame = 100_000;
        for index in 0..count {
            let (slot, rank) = (state.slots.take().unwrap(), index * 37 % count);
            let loaded = Loaded { visible: index % 8 == 0, wanted: rank.into(), ..Loaded::flat(slot) };
            generation.chunks.insert(ChunkKey::new(0, index.into(), 0), loaded);
            ranks.insert(slot, (id, rank));
        }
        generation
    }

    #[test]
    fn the_chunk_unwanted_for_longest_goes_first_and_the_coming_generation_last() {
        const FEW: u32 = Unwanted::FEW as u32;
        // Fewer than are looked for at first, as many, and many times as many.
        for [few, many] in [[FEW / 2, FEW / 4], [FEW + 9, FEW], [20 * FEW, 5 * FEW]] {
            let mut state = TerrainState { slots: Slots::new(few + many), ..default() };
            let mut ranks = HashMap::default();
            state.shown = Some(idle(1, few, &mut state, &mut ranks));
            state.pending = Some(idle(2, many, &mut state, &mut ranks));
            let mut world = World::new();
            let next = || state.free_slot(&mut world.commands()).map(|slot| ranks[&slot]);
            let mut freed: Vec<_> = std::iter::from_fn(next).collect();
            let count = freed.len() as u32;
            assert_eq!(count, few - few.div_ceil(8) + many - many.div_ceil(8));
            assert!(freed.is_sorted(), "{freed:?}");
            freed.dedup();
            assert_eq!(freed.len() as u32, count);
        }
    }
}
