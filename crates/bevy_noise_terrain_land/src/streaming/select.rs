//! Selects the generation on screen and the chunks that are drawn.

use bevy::platform::time::Instant;
use bevy::prelude::*;
use bevy::time::Real;

use super::generation::Generation;
use super::jobs::{Job, Part, run_now};
use super::patch::LandChanged;
use super::receive::{ChunkSpawner, despawn_chunk};
use super::{DrawnChunks, Next, TerrainState};
use crate::chunk::TerrainChunk;
use crate::edits::Rect;
use crate::lod::{self, Difference, Viewer};
use crate::terrain::{ChunkReady, TerrainOrigin};
use crate::viewer::TerrainViewers;

/// Selects the generation on screen, moves its ranges and finds the drawn set.
pub(crate) fn select(
    mut commands: Commands,
    mut terrains: Query<(Entity, &TerrainOrigin, &mut TerrainState, &mut TerrainViewers, &mut DrawnChunks)>,
    mut chunks: Query<&mut TerrainChunk>,
    time: Res<Time<Real>>,
) {
    for (terrain, origin, mut state, mut viewers, mut drawn) in &mut terrains {
        let began = Instant::now();
        let spawner = ChunkSpawner { terrain, origin: *origin };
        let state = &mut *state;
        state.begin_generation();
        state.look(viewers.as_slice());
        if state.swap_generation(&mut commands) {
            viewers.measure_heights(|viewer| state.distance_below(viewer));
            state.begin_with_all_detail(viewers.as_slice());
            commands.trigger(LandChanged::new(terrain, Rect::EVERYWHERE));
        }
        let mut changes = state.finish_patch(&mut chunks);
        state.begin_patch();
        // No chunk is built again for holes alone.
        changes.extend(state.finish_patch(&mut chunks));
        for change in changes {
            commands.trigger(LandChanged::new(terrain, change.rect));
        }
        state.complete_roots(viewers.as_slice(), spawner, &mut commands);
        state.choose_drawn(viewers.as_slice(), time.delta_secs_f64());
        // In most frames the set stays as it is, and nobody need look at it again.
        let lists = [&state.appearing, &state.vanishing, &drawn.appearing, &drawn.vanishing];
        if lists.iter().any(|list| !list.is_empty()) || drawn.keys.len() != state.drawn.len() {
            drawn.keys.clone_from(&state.drawn);
            drawn.appearing.clone_from(&state.appearing);
            drawn.vanishing.clone_from(&state.vanishing);
        }
        state.figures.main_ms += began.elapsed().as_secs_f32() * 1e3;
    }
}

impl TerrainState {
    /// Begins the generation that has been asked for.
    fn begin_generation(&mut self) {
        if self.pending.is_none()
            && let Some(Next::Generation(shape)) = self.next.take_if(|next| matches!(next, Next::Generation(_)))
        {
            self.generations += 1;
            self.pending = Some(Generation::new(self.generations, shape));
        }
    }

    /// Finds the coarsest chunks in view. They take at most half of the pool.
    fn look(&mut self, viewers: &[Viewer]) {
        let most = self.slots.capacity() as usize / 2;
        for generation in [&mut self.shown, &mut self.pending].into_iter().flatten() {
            generation.look(viewers, most);
        }
    }

    /// Shows the pending generation when it is due. Returns whether another one is now on screen.
    fn swap_generation(&mut self, commands: &mut Commands) -> bool {
        let due = match (&self.shown, &self.pending) {
            (_, None) => false,
            // Nothing on screen yet: begin at once; missing chunks are built in this frame.
            (None, Some(_)) => true,
            (Some(shown), Some(pending)) => {
                let most = self.most_beside(shown.needed());
                let waited = pending.began.elapsed().as_secs_f32();
                let sharp = self.missing == 0 && pending.frame > 0;
                let ripe = sharp || waited >= self.settings.retune_seconds;
                // Without room for both, the old generation gives way at once; the coarsest chunks of the new
                // one are built in this frame.
                most < pending.roots.len()
                    || ripe && pending.missing_roots().is_empty() && self.can_show(&pending.shape.land)
            }
        };
        let Some(next) = self.pending.take_if(|_| due) else { return false };
        if let Some(old) = self.shown.replace(next) {
            for (key, chunk) in old.chunks.into_chunks() {
                self.slots.give(chunk.slot);
                despawn_chunk(commands, chunk.entity, key);
            }
        }
        // Announced only now, after the removal of the chunks they replace, so that queries answer for the same
        // generation.
        for (key, chunk) in self.shown.iter().flat_map(|shown| shown.chunks.iter()) {
            commands.trigger(ChunkReady { entity: chunk.entity, key });
        }
        self.drawn.clear();
        self.evictable = default();
        self.patch = None;
        true
    }

    /// A new generation starts with all its detail: every height changes in this frame anyway.
    fn begin_with_all_detail(&mut self, viewers: &[Viewer]) {
        if let Some(shown) = &mut self.shown {
            shown.ranges = shown.reachable(viewers, &shown.loaded_roots());
            shown.shown = Some(Instant::now());
        }
    }

    /// Makes sure that the coarsest chunks in view are loaded: after a jump, or in the first frame, they are built
    /// now, on all cores.
    fn complete_roots(&mut self, viewers: &[Viewer], spawner: ChunkSpawner, commands: &mut Commands) {
        let Some(shown) = &self.shown else { return };
        let missing = shown.missing_roots();
        if missing.is_empty() {
            return;
        }
        let (generation, revision, shape) = (shown.id, shown.revision, shown.shape.clone());
        // After a jump all slots may hold chunks that are no longer in view.
        self.make_room(missing.len(), viewers, commands);
        let job = |key| Job { generation, revision, key, part: Part::Mesh { parent: None }, shape: shape.clone() };
        let jobs = missing.into_iter().map(job).collect();
        for done in run_now(jobs) {
            if !self.is_loaded(done.key) {
                spawner.place(self, done, commands);
            }
        }
    }

    fn choose_drawn(&mut self, viewers: &[Viewer], seconds: f64) {
        self.appearing.clear();
        self.vanishing.clear();
        self.is_growing = false;
        let Some(shown) = &mut self.shown else { return };
        let lod = shown.shape.lod;
        let share = seconds * f64::from(self.settings.growth(shown.is_fresh()));
        let roots = shown.loaded_roots();
        let most = shown.reachable(viewers, &roots);
        // Where everything fits, everything that can be drawn is wanted.
        let goal = self.demand.is_cut.then(|| shown.wanted_reachable(viewers, &roots));
        let goal = goal.as_ref().unwrap_or(&most);
        shown.ranges.approach(goal, &most, &lod, share);
        let mut grown = shown.ranges.clone();
        grown.approach(goal, &most, &lod, f64::INFINITY);
        self.is_growing = shown.ranges != grown;

        let before = std::mem::take(&mut self.drawn);
        self.drawn.reserve(before.len());
        lod::drawn(&lod, viewers, &roots, &shown.ranges, &mut self.drawn);
        lod::difference(lod.top_level(), &before, &self.drawn, |difference| {
            let (key, visible, list) = match difference {
                Difference::Appears(key) => (key, true, &mut self.appearing),
                Difference::Vanishes(key) => (key, false, &mut self.vanishing),
            };
            if let Some(chunk) = shown.chunks.get_mut(key) {
                chunk.visible = visible;
                list.push(chunk.entity);
            }
        });
    }
}
