//! What should be there against what is there: tasks, budgets, generations.
//!
//! Every settings change makes a *generation*. The one on screen stays until the coarsest chunks of the
//! next are there, then the two change places in one frame. Which chunks are drawn follows from
//! [`Ranges::reachable`](crate::lod::Ranges::reachable): what has not arrived is covered by its parent.

mod apply;
mod generation;
mod jobs;
mod receive;
mod report;
mod request;
mod select;
mod settings;
mod slots;
mod slow_build;

use apply::Applied;
#[cfg(feature = "render")]
pub(crate) use apply::SlotLimit;
pub(crate) use apply::{apply_settings, on_despawn, on_remove};
pub(crate) use receive::receive;
pub(crate) use report::report;
pub(crate) use request::request;
pub(crate) use select::select;
pub use settings::StreamingSettings;
#[cfg(feature = "render")]
pub(crate) use settings::{RELIEF_BYTES, VERTEX_BYTES};

use std::sync::Arc;

use bevy::prelude::*;

use crate::chunk::ChunkKey;
use crate::lod::{Demand, LodSettings, Ranges, Viewer, Wanted};
use crate::mesh::{Texel, Vertex};
use crate::source::HeightSource;
use crate::tasks::Workers;
use generation::Generation;
pub(crate) use slots::Slots;
pub(crate) use slow_build::warn_of_slow_build;

/// What decides every vertex of a world: where heights come from and how they are cut into chunks.
#[derive(Clone)]
pub(crate) struct TerrainDescriptor {
    pub source: Arc<dyn HeightSource>,
    pub lod: LodSettings,
}

/// A part of a chunk on its way to the pool.
#[cfg_attr(not(feature = "render"), expect(dead_code, reason = "nobody draws them"))]
pub(crate) enum Upload {
    Vertices { slot: u32, vertices: Vec<Vertex> },
    Relief { slot: u32, texels: Vec<Texel> },
}

/// The running state of a terrain; [`NoiseTerrain`](crate::NoiseTerrain) brings it along.
#[derive(Component, Default)]
pub struct TerrainState {
    /// The world on screen.
    pub(crate) shown: Option<Generation>,
    /// The world that will take its place.
    pending: Option<Generation>,
    /// The newest settings that have no generation yet.
    queued: Option<TerrainDescriptor>,
    /// Generations begun so far.
    generations: u64,
    applied: Option<Applied>,
    settings: StreamingSettings,
    pub(crate) slots: Slots,
    workers: Workers<jobs::Job>,
    pub(crate) viewers: Vec<Viewer>,
    /// Where each viewer was in the frame before.
    pub(crate) tracked: Vec<(Entity, Viewer)>,
    /// Chunks drawn in this frame.
    drawn: Vec<ChunkKey>,
    /// Entities of chunks that are drawn from this frame on.
    pub(crate) appearing: Vec<Entity>,
    /// Entities of chunks that are not drawn any more.
    pub(crate) vanishing: Vec<Entity>,
    /// Entities of chunks that have left memory, with the key by which others were told of them.
    retired: Vec<(Entity, Option<ChunkKey>)>,
    /// Chunks of the world on screen that may make way in this frame, the next to go last.
    evictable: Option<Vec<ChunkKey>>,
    pub(crate) uploads: Vec<Upload>,
    /// Does a renderer take the uploads?
    pub(crate) drawn_by_renderer: bool,
    /// Does it shade them with their relief?
    pub(crate) shows_relief: bool,
    /// Every vertex in memory by slot, if the settings ask for it.
    kept: Vec<Option<Vec<Vertex>>>,
    wanted: Vec<Wanted>,
    demand: Demand,
    /// Wanted chunks that are not there.
    missing: u32,
    /// Main-thread time of this frame so far, in milliseconds.
    main_ms: f32,
    built: u64,
    wasted: u64,
    failed: u64,
    chunk_ms: f32,
    wait_ms: f32,
}

impl TerrainState {
    /// Is `key` loaded in the world on screen?
    pub fn is_loaded(&self, key: ChunkKey) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.chunks.contains_key(&key))
    }

    /// The vertices of a loaded chunk, if
    /// [`keep_vertices`](StreamingSettings::keep_vertices) is set.
    pub fn vertices(&self, key: ChunkKey) -> Option<&[Vertex]> {
        let slot = self.shown.as_ref()?.chunks.get(&key)?.slot;
        self.kept.get(slot as usize)?.as_deref()
    }

    /// Vertex spacing of the world that a chunk belongs to.
    #[cfg(feature = "render")]
    pub(crate) fn spacing_of(&self, entity: Entity, key: ChunkKey) -> Option<f64> {
        let mut worlds = [&self.shown, &self.pending].into_iter().flatten();
        let world = worlds.find(|world| world.chunks.get(&key).is_some_and(|chunk| chunk.entity == entity))?;
        Some(world.shape.lod.spacing)
    }

    /// The chunks drawn in this frame.
    pub fn drawn(&self) -> &[ChunkKey] {
        &self.drawn
    }

    /// How far each level of the world on screen is drawn; `None` before the first frame.
    pub fn ranges(&self) -> Option<&Ranges> {
        Some(&self.shown.as_ref()?.ranges)
    }

    /// How far the land reaches, in metres; `None` before the first frame.
    pub fn reach(&self) -> Option<f64> {
        Some(self.shown.as_ref()?.reach)
    }

    /// The viewers of this frame.
    pub fn viewers(&self) -> &[Viewer] {
        &self.viewers
    }

    /// The heights of the world on screen; `None` before the first frame.
    pub fn source(&self) -> Option<&dyn HeightSource> {
        Some(self.shown.as_ref()?.shape.source.as_ref())
    }

    /// The level of detail of the world on screen; `None` before the first frame.
    pub fn lod(&self) -> Option<&LodSettings> {
        Some(&self.shown.as_ref()?.shape.lod)
    }
}
