//! A generation: the chunks built from one value of the settings.

use std::collections::VecDeque;

use bevy::platform::collections::{HashMap, HashSet};
use bevy::platform::time::Instant;

use super::TerrainDescriptor;
use super::jobs::Part;
use super::loaded::{Loaded, LoadedChunks};
use super::patch::reshapes;
use crate::chunk::ChunkKey;
use crate::edits::Change;
#[cfg(feature = "render")]
use crate::edits::ChunkHoles;
use crate::lod::{Ranges, Viewer, distance, view};
use crate::mesh::ChunkHeights;

/// Changes by edits that a generation remembers.
const REMEMBERED: usize = 256;

/// The chunks built from one value of the settings.
pub struct Generation {
    pub id: u64,
    pub shape: TerrainDescriptor,
    pub chunks: LoadedChunks,
    /// Chunks that could not be built; they are not tried again.
    pub failed: HashSet<ChunkKey>,
    /// Since when each missing chunk has been wanted.
    pub requested: HashMap<ChunkKey, Instant>,
    /// How far each level is drawn.
    pub ranges: Ranges,
    /// How far the land reaches, in metres: the view distance, or as far as there is room for.
    pub reach: f64,
    /// The coarsest chunks in view, sorted.
    pub roots: Vec<ChunkKey>,
    pub began: Instant,
    /// When it appeared on screen.
    pub shown: Option<Instant>,
    /// Frames since it began.
    pub frame: u64,
    /// How often edits have changed it.
    pub revision: u64,
    /// What the last of these changes touched, the newest last.
    pub changes: VecDeque<Vec<Change>>,
}

impl Generation {
    pub fn new(id: u64, shape: TerrainDescriptor) -> Self {
        Self {
            id,
            ranges: Ranges::coarsest(&shape.lod),
            reach: shape.lod.view_distance,
            roots: Vec::new(),
            shape,
            chunks: LoadedChunks::default(),
            failed: HashSet::default(),
            requested: HashMap::default(),
            began: Instant::now(),
            shown: None,
            frame: 0,
            revision: 0,
            changes: VecDeque::new(),
        }
    }

    /// Takes over other edits and holes.
    pub fn edit(&mut self, shape: TerrainDescriptor, changes: Vec<Change>) {
        self.shape = shape;
        self.revision += 1;
        self.changes.push_back(changes);
        if self.changes.len() > REMEMBERED {
            self.changes.pop_front();
        }
    }

    /// The holes of a chunk.
    #[cfg(feature = "render")]
    pub fn holes(&self, key: ChunkKey) -> Option<ChunkHoles> {
        ChunkHoles::new(&self.shape.land.holes, key, self.shape.lod.spacing)
    }

    /// What edits have changed since a revision; `None` if that is not known any more.
    pub fn changes_since(&self, revision: u64) -> Option<Vec<Change>> {
        let count = usize::try_from(self.revision.checked_sub(revision)?).ok()?;
        let first = self.changes.len().checked_sub(count)?;
        Some(self.changes.range(first..).flatten().copied().collect())
    }

    /// Whether edits have changed a chunk since a revision.
    pub fn has_changed(&self, key: ChunkKey, revision: u64) -> bool {
        revision < self.revision
            && self.changes_since(revision).is_none_or(|changes| reshapes(&changes, key, self.shape.lod.spacing))
    }

    /// Is this its first second on screen?
    pub fn is_fresh(&self) -> bool {
        self.shown.is_some_and(|shown| shown.elapsed().as_secs_f32() < 1.0)
    }

    /// A chunk's vertices as a part to build.
    pub fn mesh_part(&self, key: ChunkKey) -> Part {
        Part::Mesh { parent: self.heights(key.parent()) }
    }

    /// The detail normals of a chunk in memory as a part to build.
    pub fn detail_normals_part(&self, key: ChunkKey) -> Option<Part> {
        let children = key
            .children()
            .and_then(|[a, b, c, d]| Some([self.heights(a)?, self.heights(b)?, self.heights(c)?, self.heights(d)?]));
        Some(Part::DetailNormals { own: self.heights(key)?, children })
    }

    /// The heights of a chunk in memory.
    pub fn heights(&self, key: ChunkKey) -> Option<ChunkHeights> {
        Some(self.chunks.get(key)?.heights.clone())
    }

    /// Finds the coarsest chunks in view. They take at most `most` slots of the pool: with many viewers and little memory
    /// the land ends nearer.
    pub fn look(&mut self, viewers: &[Viewer], most: usize) {
        (self.reach, self.roots) = view(viewers, &self.shape.lod, most);
    }

    /// The coarsest chunks in view that are loaded: all that can be built.
    pub fn loaded_roots(&self) -> Vec<ChunkKey> {
        self.roots.iter().copied().filter(|&key| self.chunks.contains(key)).collect()
    }

    /// The coarsest chunks in view that are loaded or may still be.
    pub fn possible_roots(&self) -> Vec<ChunkKey> {
        self.roots.iter().copied().filter(|key| !self.failed.contains(key)).collect()
    }

    /// The coarsest chunks in view that are neither loaded nor known to fail.
    pub fn missing_roots(&self) -> Vec<ChunkKey> {
        let is_missing = |key: &ChunkKey| !self.chunks.contains(*key) && !self.failed.contains(key);
        self.roots.iter().copied().filter(is_missing).collect()
    }

    /// The largest ranges that the loaded chunks allow, whose coarsest are `roots`.
    pub fn reachable(&self, viewers: &[Viewer], roots: &[ChunkKey]) -> Ranges {
        Ranges::reachable(&self.shape.lod, viewers, roots, |key| self.chunks.has_children(key))
    }

    /// The largest ranges that the loaded and wanted chunks allow. Drawn chunks that are no longer wanted give way, as
    /// their slots are needed elsewhere.
    pub fn wanted_reachable(&self, viewers: &[Viewer], roots: &[ChunkKey]) -> Ranges {
        let is_wanted = |key| self.chunks.get(key).is_some_and(|chunk| chunk.wanted >= self.frame);
        let can_split = |key: ChunkKey| key.children().is_some_and(|children| children.into_iter().all(is_wanted));
        Ranges::reachable(&self.shape.lod, viewers, roots, can_split)
    }

    /// The number of chunks that are drawn or wanted.
    pub fn needed(&self) -> usize {
        self.chunks.values().filter(|chunk| chunk.visible || chunk.wanted >= self.frame).count()
    }

    /// Up to `most` chunks that are neither wanted nor drawn, those unwanted for longest; the one unwanted for longest is
    /// last.
    pub fn unwanted(&self, most: usize) -> Vec<ChunkKey> {
        let mut unwanted: Vec<_> = self.idle().map(|(key, chunk)| (chunk.wanted, key)).collect();
        if unwanted.len() > most {
            unwanted.select_nth_unstable(most);
            unwanted.truncate(most);
        }
        unwanted.sort_unstable_by(|a, b| b.cmp(a));
        unwanted.into_iter().map(|(_, key)| key).collect()
    }

    /// The number of chunks that are neither wanted nor drawn.
    pub fn unwanted_count(&self) -> usize {
        self.idle().count()
    }

    fn idle(&self) -> impl Iterator<Item = (ChunkKey, &Loaded)> {
        self.chunks.iter().filter(|(_, chunk)| chunk.wanted < self.frame && !chunk.visible)
    }

    /// Every chunk except the coarsest in view, the least important last: first the unwanted ones go, then those
    /// farthest away relative to their size.
    pub fn expendable(&self, viewers: &[Viewer]) -> Vec<ChunkKey> {
        let spacing = self.shape.lod.spacing;
        let others = self.chunks.iter().filter(|(key, _)| self.roots.binary_search(key).is_err());
        let mut ranked: Vec<_> = others
            .map(|(key, chunk)| {
                let is_needed = chunk.visible || chunk.wanted >= self.frame;
                let square = key.square(spacing);
                (!is_needed, distance(viewers, &square) / square.width, key)
            })
            .collect();
        ranked.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        ranked.into_iter().map(|(.., key)| key).collect()
    }
}
