//! Streaming: compares the chunks that are wanted with those that are loaded, under budgets.
//!
//! Every settings change makes a *generation*. The one on screen stays until the coarsest chunks of the
//! next are loaded, then the two are swapped in one frame. Which chunks are drawn follows from
//! [`Ranges::reachable`](crate::lod::Ranges::reachable): a chunk that has not arrived is covered by its parent.

mod apply;
mod drawn_chunks;
mod evictable;
mod generation;
mod jobs;
mod land_settings;
mod loaded;
mod lost;
mod origin;
mod patch;
mod readiness;
mod receive;
mod report;
mod request;
#[cfg(test)]
mod samples;
mod select;
mod slots;
mod slow_build;
mod view;

use apply::Applied;
#[cfg(feature = "render")]
pub(crate) use apply::SlotLimit;
pub(crate) use apply::{apply_settings, on_despawn, on_insert, on_remove};
pub use drawn_chunks::DrawnChunks;
use evictable::Evictable;
pub(crate) use land_settings::{LandSettings, LandSettingsItem};
pub(crate) use lost::on_lost_chunk;
pub(crate) use origin::{SoundOrigin, check_origins};
pub(crate) use readiness::tell_of_ready_land;
pub use readiness::{AwaitTerrain, Readiness, TerrainReady};
pub(crate) use receive::receive;
use report::Outstanding;
pub(crate) use report::{on_rejected, report};
pub(crate) use request::request;
pub(crate) use select::select;

use std::sync::Arc;

use bevy::platform::time::Instant;
use bevy::prelude::*;

use crate::chunk::ChunkKey;
use crate::climate::TerrainClimate;
use crate::edits::{Change, EditedSource, LandEdits, Rect};
#[cfg(feature = "render")]
use crate::edits::{ChunkHoles, ChunkPaint, HoleSet, LandHoles};
use crate::lod::{Demand, Ranges, TerrainLod, Viewer, Wanted};
use crate::mesh::{ChunkHeights, PooledVec, Texel, Vertex};
use crate::source::HeightSource;
use crate::tasks::Workers;
use crate::terrain::TerrainStreaming;
use crate::viewer::TerrainViewers;
#[cfg(feature = "render")]
use crate::volumes::VolumeKey;
use crate::volumes::{TerrainVolume, VOLUME_REACH, VolumePlaces};
use generation::Generation;
pub use patch::LandChanged;
use patch::Patch;
pub(crate) use patch::touches;
pub(crate) use slots::Slots;
pub(crate) use slow_build::warn_of_slow_build;
pub(crate) use view::find_viewers;

/// Everything that determines the vertices of a generation: the heights and the level of detail.
#[derive(Clone)]
pub(crate) struct TerrainDescriptor {
    /// The land without edits and holes.
    base: Arc<dyn HeightSource>,
    land: LandEdits,
    /// The land with them.
    pub source: Arc<dyn HeightSource>,
    pub lod: TerrainLod,
}

impl TerrainDescriptor {
    pub fn new(base: Arc<dyn HeightSource>, land: LandEdits, lod: TerrainLod) -> Self {
        Self { source: EditedSource::compose(&base, &land), base, land, lod }
    }

    /// The same land with other edits and holes.
    pub fn with_edits(&self, land: LandEdits) -> Self {
        Self::new(self.base.clone(), land, self.lod)
    }

    /// The land without edits and holes.
    #[cfg(feature = "render")]
    pub fn unedited(&self) -> &Arc<dyn HeightSource> {
        &self.base
    }
}

/// The newest land that has been asked for.
enum Next {
    /// A new generation, with the newest edits and holes.
    Generation(TerrainDescriptor),
    /// Edits and holes of the land on screen.
    Edits(LandEdits),
}

/// A part of a chunk that is to be uploaded.
#[cfg_attr(not(feature = "render"), expect(dead_code, reason = "without a renderer nothing is uploaded"))]
pub(crate) enum Upload {
    Vertices { slot: u32, vertices: PooledVec<Vertex> },
    DetailNormals { slot: u32, texels: PooledVec<Texel> },
}

/// The streaming of a terrain, and what it tells of the land on screen; [`NoiseTerrain`](crate::NoiseTerrain) brings it
/// along.
///
/// [`DrawnChunks`] tells what is drawn, [`TerrainViewers`](crate::TerrainViewers) whom the land is detailed around,
/// [`TerrainStats`](crate::TerrainStats) how it goes.
#[derive(Component, Default)]
#[require(DrawnChunks, TerrainViewers)]
pub struct TerrainState {
    /// The land that will be on screen first, with its climate.
    first: Option<(TerrainDescriptor, Arc<TerrainClimate>)>,
    /// The generation on screen.
    shown: Option<Generation>,
    /// The generation that will take its place.
    pending: Option<Generation>,
    /// What has been asked for and not begun.
    next: Option<Next>,
    /// The part of the land on screen that is being built again.
    patch: Option<Patch>,
    /// Generations begun so far.
    generations: u64,
    applied: Option<Applied>,
    /// The newest valid scattered volumes.
    volume_places: VolumePlaces,
    settings: TerrainStreaming,
    slots: Slots,
    workers: Workers<jobs::Job>,
    /// Chunks drawn in this frame.
    drawn: Vec<ChunkKey>,
    /// Entities of chunks that are drawn from this frame on.
    appearing: Vec<Entity>,
    /// Entities of chunks that are not drawn any more.
    vanishing: Vec<Entity>,
    /// Entities of unloaded chunks that are still to be despawned, with the key if they were announced.
    retired: Vec<(Entity, Option<ChunkKey>)>,
    /// Chunks that may be evicted in this frame.
    evictable: Evictable,
    uploads: Vec<Upload>,
    renderer: RendererDemand,
    /// Every vertex in memory by slot, if the settings ask for it.
    kept: Vec<Option<Vec<Vertex>>>,
    wanted: Vec<Wanted>,
    demand: Demand,
    /// Wanted chunks that are not loaded.
    missing: u32,
    /// Wanted chunks that are loaded without their detail normals.
    missing_detail_normals: u32,
    /// When a chunk last got its detail normals.
    last_detail_normals: Option<Instant>,
    /// Whether ranges have still to change for what is loaded.
    is_growing: bool,
    outstanding: Outstanding,
    figures: Figures,
}

/// A chunk that is drawn.
#[cfg(feature = "render")]
pub(crate) struct DrawnSlot<'a> {
    pub key: ChunkKey,
    pub entity: Entity,
    pub slot: u32,
    /// How much of its detail normals it shows.
    pub detail_normals: f32,
    pub paint: Option<&'a ChunkPaint>,
    pub holes: Option<&'a ChunkHoles>,
}

/// The land of a generation, for those who want heights of whole chunks.
pub(crate) struct Land<'a>(&'a Generation);

impl Land<'_> {
    /// The number of the generation.
    pub fn generation(&self) -> u64 {
        self.0.id
    }

    /// What its heights follow from.
    pub fn descriptor(&self) -> &TerrainDescriptor {
        &self.0.shape
    }

    /// The snapshot of its holes.
    #[cfg(feature = "render")]
    pub fn hole_set(&self) -> &HoleSet {
        &self.0.shape.land.holes
    }

    /// Its holes.
    #[cfg(feature = "render")]
    pub fn holes(&self) -> LandHoles<'_> {
        self.hole_set().on(self.0.shape.base.as_ref())
    }

    /// How often edits have changed it.
    pub fn revision(&self) -> u64 {
        self.0.revision
    }

    /// What edits have changed since a revision; `None` if that is not known any more.
    pub fn changes_since(&self, revision: u64) -> Option<Vec<Change>> {
        self.0.changes_since(revision)
    }

    /// The heights of a chunk in memory.
    pub fn heights(&self, key: ChunkKey) -> Option<ChunkHeights> {
        self.0.heights(key)
    }
}

/// Counters and timings, as reported by [`TerrainStats`](crate::TerrainStats).
#[derive(Default)]
struct Figures {
    /// Main-thread time of this frame so far, in milliseconds.
    main_ms: f32,
    built: u64,
    wasted: u64,
    failed: u64,
    chunk_ms: f32,
    wait_ms: f32,
    /// Triangles of land that cameras saw in the last frame.
    triangles: u32,
    /// Pages of ground filled so far.
    filled_pages: u64,
}

/// What a renderer wants of the streaming.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RendererDemand {
    /// Does it take the uploads?
    pub takes_uploads: bool,
    /// Does it shade chunks with their detail normals?
    pub detail_normals: bool,
    /// Does it know how to draw holes by now?
    pub draws_holes: bool,
    /// Does it draw half meshes?
    pub half_meshes: bool,
}

impl TerrainState {
    /// The climate of the newest valid settings.
    pub(crate) fn climate(&self) -> Arc<TerrainClimate> {
        self.applied.as_ref().map(Applied::climate).unwrap_or_default()
    }

    /// The land that will be on screen first, and its climate.
    pub(crate) fn first_land(&self) -> Option<(&TerrainDescriptor, Arc<TerrainClimate>)> {
        self.first.as_ref().map(|(land, climate)| (land, climate.clone()))
    }

    /// Whether the land on screen, or land that has been asked for, has holes.
    #[cfg(feature = "render")]
    pub(crate) fn has_holes(&self) -> bool {
        let generations = [&self.shown, &self.pending].into_iter().flatten().map(|generation| &generation.shape.land);
        let next = self.next.iter().map(|next| match next {
            Next::Generation(shape) => &shape.land,
            Next::Edits(land) => land,
        });
        let patch = self.patch.iter().map(|patch| &patch.shape().land);
        generations.chain(next).chain(patch).any(|land| !land.holes.is_empty())
    }

    /// Whether the land on screen makes room for a volume.
    #[cfg(feature = "render")]
    pub(crate) fn draws_volume(&self, key: VolumeKey) -> bool {
        let holes = self.shown.as_ref().map(|shown| &shown.shape.land.holes);
        holes.is_some_and(|holes| holes.volumes().any(|volume| volume.key == key && volume.is_drawn))
    }

    /// Whether there are scattered volumes.
    #[cfg(feature = "render")]
    pub(crate) fn scatters_volumes(&self) -> bool {
        !self.volume_places.is_empty()
    }

    /// Whether land can take the screen without being seen through, where it has holes.
    fn can_show(&self, land: &LandEdits) -> bool {
        land.holes.is_empty() || self.renderer.draws_holes || !self.renderer.takes_uploads
    }

    /// Is `key` loaded in the generation on screen?
    pub fn is_loaded(&self, key: ChunkKey) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.chunks.contains(key))
    }

    /// The vertices of a loaded chunk, if
    /// [`keep_vertices`](TerrainStreaming::keep_vertices) is set.
    pub fn vertices(&self, key: ChunkKey) -> Option<&[Vertex]> {
        let slot = self.shown.as_ref()?.chunks.get(key)?.slot;
        self.kept.get(slot as usize)?.as_deref()
    }

    /// The number of the generation on screen: it rises whenever changed settings take the screen. `None` before the
    /// first frame.
    pub fn generation(&self) -> Option<u64> {
        Some(self.shown.as_ref()?.id)
    }

    /// The land of the generation on screen.
    pub(crate) fn shown_land(&self) -> Option<Land<'_>> {
        Some(Land(self.shown.as_ref()?))
    }

    /// The land of the generation that will take the screen.
    pub(crate) fn coming_land(&self) -> Option<Land<'_>> {
        Some(Land(self.pending.as_ref()?))
    }

    /// The descriptor of the generation on screen.
    pub(crate) fn descriptor(&self) -> Option<&TerrainDescriptor> {
        Some(&self.shown.as_ref()?.shape)
    }

    /// Height of the finest vertices' surface of the generation on screen, if its source has one there.
    pub(crate) fn height(&self, position: [f64; 2]) -> Option<f64> {
        self.descriptor()?.height(position)
    }

    /// Metres from a viewer to the land above or below it, or to a volume if that is nearer: 0 in a cave. `None` where the land
    /// has no height.
    fn distance_below(&self, viewer: &Viewer) -> Option<f64> {
        let shape = self.descriptor()?;
        let ground = shape.height(viewer.position)?;
        let to_land = (viewer.altitude - ground).abs();
        // Volumes reach no farther up and down.
        let around = Rect::point(viewer.position).grown(to_land.min(VOLUME_REACH));
        let to_volumes = shape.land.holes.volumes_within(around).map(|volume| {
            let TerrainVolume { depth, height, .. } = *volume.volume.volume;
            let rect = volume.volume.rect(volume.spacing);
            let [x, z] = [0, 1].map(|axis| {
                let at = viewer.position[axis];
                (rect.min[axis] - at).max(at - rect.max[axis]).max(0.0)
            });
            let y = (ground - depth - viewer.altitude).max(viewer.altitude - ground - height).max(0.0);
            (x * x + y * y + z * z).sqrt()
        });
        Some(to_volumes.fold(to_land, f64::min))
    }

    /// Whether this entity is a chunk that is drawn.
    #[cfg(feature = "render")]
    pub(crate) fn draws(&self, key: ChunkKey, entity: Entity) -> bool {
        let chunk = self.shown.as_ref().and_then(|shown| shown.chunks.get(key));
        chunk.is_some_and(|chunk| chunk.visible && chunk.entity == entity)
    }

    /// The slot of a chunk that is drawn.
    #[cfg(feature = "scatter")]
    pub(crate) fn drawn_slot(&self, key: ChunkKey) -> Option<u32> {
        let chunk = self.shown.as_ref()?.chunks.get(key)?;
        chunk.visible.then_some(chunk.slot)
    }

    /// The chunks that are drawn.
    #[cfg(feature = "render")]
    pub(crate) fn drawn_slots(&self) -> impl Iterator<Item = DrawnSlot<'_>> {
        let shown = self.shown.iter();
        shown.flat_map(|shown| {
            let chunk = |&key: &ChunkKey| {
                let chunk = shown.chunks.get(key)?;
                let (slot, detail_normals) = (chunk.slot, chunk.detail_normals_share());
                let (paint, holes) = (chunk.paint.as_ref(), chunk.holes.as_ref());
                Some(DrawnSlot { key, entity: chunk.entity, slot, detail_normals, paint, holes })
            };
            self.drawn.iter().filter_map(chunk)
        })
    }

    /// Whether half meshes are drawn.
    #[cfg(any(feature = "render", feature = "validation"))]
    pub(crate) fn half_meshes(&self) -> bool {
        self.renderer.half_meshes
    }

    /// The number of chunks that fit in memory.
    #[cfg(feature = "render")]
    pub(crate) fn capacity(&self) -> u32 {
        self.slots.capacity()
    }

    /// The newest valid budgets.
    #[cfg(feature = "render")]
    pub(crate) fn budgets(&self) -> &TerrainStreaming {
        &self.settings
    }

    /// Sets what the renderer wants from now on.
    #[cfg(feature = "render")]
    pub(crate) fn serve(&mut self, renderer: RendererDemand) {
        self.renderer = renderer;
    }

    /// Notes what is drawn in this frame: triangles that cameras see, and pages that are filled.
    #[cfg(feature = "render")]
    pub(crate) fn note_drawn(&mut self, triangles: u32, pages: usize) {
        self.figures.triangles = triangles;
        self.figures.filled_pages += pages as u64;
    }

    /// Takes the uploads that must reach the GPU before this frame is drawn.
    #[cfg(feature = "render")]
    pub(crate) fn take_uploads(&mut self) -> Vec<Upload> {
        std::mem::take(&mut self.uploads)
    }

    /// Vertex spacing of the generation that a chunk belongs to.
    #[cfg(feature = "render")]
    pub(crate) fn spacing_of(&self, entity: Entity, key: ChunkKey) -> Option<f64> {
        let mut generations = [&self.shown, &self.pending].into_iter().flatten();
        let owner = generations.find(|owner| owner.chunks.get(key).is_some_and(|chunk| chunk.entity == entity))?;
        Some(owner.shape.lod.spacing)
    }

    /// How far each level of the generation on screen is drawn; `None` before the first frame.
    pub fn ranges(&self) -> Option<&Ranges> {
        Some(&self.shown.as_ref()?.ranges)
    }

    /// How far the land reaches, in metres; `None` before the first frame.
    pub fn reach(&self) -> Option<f64> {
        Some(self.shown.as_ref()?.reach)
    }

    /// The heights of the generation on screen; `None` before the first frame.
    pub fn source(&self) -> Option<&dyn HeightSource> {
        Some(self.shown.as_ref()?.shape.source.as_ref())
    }

    /// The level of detail of the generation on screen; `None` before the first frame.
    pub fn lod(&self) -> Option<&TerrainLod> {
        Some(&self.shown.as_ref()?.shape.lod)
    }
}
