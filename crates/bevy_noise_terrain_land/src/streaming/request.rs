//! Chooses what the tasks build next.

use bevy::platform::collections::HashSet;
use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::TerrainState;
use super::generation::Generation;
use super::jobs::Job;
use super::loaded::DetailNormals;
use crate::chunk::ChunkKey;
use crate::lod::{self, Viewer};
use crate::viewer::TerrainViewers;

/// Most jobs in the queue: more than the tasks can do in a frame, few enough to list anew every frame.
const MOST_JOBS: usize = 512;

/// Updates the list of chunks to build.
pub(crate) fn request(mut terrains: Query<(&mut TerrainState, &TerrainViewers)>) {
    for (mut state, viewers) in &mut terrains {
        let began = Instant::now();
        state.renew_jobs(viewers.as_slice());
        state.figures.main_ms += began.elapsed().as_secs_f32() * 1e3;
    }
}

impl TerrainState {
    /// The most chunks that are asked for beside a number of others. Some room is left for chunks that are still drawn but no
    /// longer wanted.
    pub(super) fn most_beside(&self, others: usize) -> usize {
        let room = (self.slots.capacity() as usize).saturating_sub(others);
        room - room / 8
    }

    fn renew_jobs(&mut self, viewers: &[Viewer]) {
        // While a generation is pending, it alone is worked on; the one on screen keeps what it has.
        let reserved = if self.pending.is_some() { self.shown.as_ref().map_or(0, Generation::needed) } else { 0 };
        let most = self.most_beside(reserved);
        let Some(target) = self.pending.as_mut().or(self.shown.as_mut()) else { return };
        let lookahead = f64::from(self.settings.lookahead);
        let view = (target.reach, &target.roots[..]);
        let fails = |key: &ChunkKey| target.failed.contains(key);
        self.demand = lod::wanted(&target.shape.lod, viewers, view, lookahead, most, fails, &mut self.wanted);
        target.frame += 1;
        let mut missing = Vec::new();
        let mut plain = Vec::new();
        for wanted in &self.wanted {
            match target.chunks.get_mut(wanted.key) {
                Some(chunk) => {
                    chunk.wanted = target.frame;
                    if chunk.detail_normals == DetailNormals::Missing && wanted.key.level > 0 {
                        plain.push(wanted.key);
                    }
                }
                None => missing.push(wanted.key),
            }
        }
        let now = Instant::now();
        for &key in &missing {
            target.requested.entry(key).or_insert(now);
        }
        // Forget the waiting times of chunks that are no longer wanted.
        if target.requested.len() > 2 * missing.len() + MOST_JOBS {
            let missing: HashSet<_> = missing.iter().copied().collect();
            target.requested.retain(|key, _| missing.contains(key));
        }
        self.missing = missing.len() as u32;
        // Do not build what there is no slot for.
        if missing.len() > self.slots.free() as usize {
            let idle: usize = [&self.shown, &self.pending].into_iter().flatten().map(Generation::unwanted_count).sum();
            missing.truncate(self.slots.free() as usize + idle);
        }
        if !self.renderer.detail_normals {
            plain.clear();
        }
        self.missing_detail_normals = plain.len() as u32;
        let backlog = 2 * self.settings.uploads_per_frame();
        let Some(target) = self.pending.as_ref().or(self.shown.as_ref()) else { return };
        // Missing chunks first, then detail normals.
        let meshes = missing.into_iter().map(|key| (key, target.mesh_part(key)));
        let detail_normals = plain.into_iter().filter_map(|key| Some((key, target.detail_normals_part(key)?)));
        let job = |(key, part)| {
            let (generation, revision, shape) = (target.id, target.revision, target.shape.clone());
            Job { generation, revision, key, part, shape }
        };
        // What edits have touched comes first of all: somebody waits for it.
        let mut jobs = self.patch_jobs();
        jobs.extend(meshes.chain(detail_normals).take(MOST_JOBS).map(job));
        self.workers.submit(jobs.into_iter(), backlog, 1);
    }
}
