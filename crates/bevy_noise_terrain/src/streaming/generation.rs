//! One world: the chunks built from one value of the settings.

use bevy::platform::collections::{HashMap, HashSet};
use bevy::platform::time::Instant;
use bevy::prelude::*;

use super::TerrainDescriptor;
use crate::chunk::ChunkKey;
use crate::lod::{Ranges, Viewer, distance, roots};

/// Seconds in which a chunk's relief fades in.
#[cfg(feature = "render")]
const RELIEF_SECONDS: f32 = 0.4;

/// Is a chunk's relief in its slot?
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relief {
    Missing,
    Since(Instant),
    /// The source panicked: not tried again.
    Failed,
}

/// A chunk in memory.
pub struct Loaded {
    pub entity: Entity,
    pub slot: u32,
    /// Is its entity visible?
    pub visible: bool,
    /// The frame that last wanted it.
    pub wanted: u64,
    pub relief: Relief,
}

impl Loaded {
    /// How much of its relief a chunk shows, from 0 to 1.
    #[cfg(feature = "render")]
    pub fn relief_share(&self) -> f32 {
        match self.relief {
            Relief::Since(since) => (since.elapsed().as_secs_f32() / RELIEF_SECONDS).min(1.0),
            Relief::Missing | Relief::Failed => 0.0,
        }
    }
}

/// The chunks built from one value of the settings.
pub struct Generation {
    pub id: u64,
    pub shape: TerrainDescriptor,
    pub chunks: HashMap<ChunkKey, Loaded>,
    /// Chunks whose source panicked: not tried again.
    pub failed: HashSet<ChunkKey>,
    /// Since when each missing chunk has been wanted.
    pub requested: HashMap<ChunkKey, Instant>,
    /// How far each level is drawn.
    pub ranges: Ranges,
    /// How far the land reaches, in metres: the view distance, or as far as there is room for.
    pub reach: f64,
    pub began: Instant,
    /// When it took the screen.
    pub shown: Option<Instant>,
    /// Frames since it began.
    pub frame: u64,
}

impl Generation {
    pub fn new(id: u64, shape: TerrainDescriptor) -> Self {
        Self {
            id,
            ranges: Ranges::coarsest(&shape.lod),
            reach: shape.lod.view_distance,
            shape,
            chunks: HashMap::default(),
            failed: HashSet::default(),
            requested: HashMap::default(),
            began: Instant::now(),
            shown: None,
            frame: 0,
        }
    }

    /// Is this its first second on screen?
    pub fn is_fresh(&self) -> bool {
        self.shown.is_some_and(|shown| shown.elapsed().as_secs_f32() < 1.0)
    }

    /// The coarsest chunks in view.
    pub fn roots(&self, viewers: &[Viewer]) -> Vec<ChunkKey> {
        roots(viewers, &self.shape.lod, self.reach)
    }

    /// Those of the coarsest chunks in view that are neither there nor known to fail.
    pub fn missing_roots(&self, viewers: &[Viewer]) -> Vec<ChunkKey> {
        let mut roots = self.roots(viewers);
        roots.retain(|key| !self.chunks.contains_key(key) && !self.failed.contains(key));
        roots
    }

    /// How far the levels could be drawn with the chunks that are there.
    pub fn reachable(&self, viewers: &[Viewer]) -> Ranges {
        Ranges::reachable(&self.shape.lod, viewers, &self.roots(viewers), |key| self.chunks.contains_key(&key))
    }

    /// How far the levels could be drawn with those chunks that are there and wanted: what is drawn and no longer
    /// wanted makes way, as its place in the pool is needed elsewhere.
    pub fn wanted_reachable(&self, viewers: &[Viewer]) -> Ranges {
        Ranges::reachable(&self.shape.lod, viewers, &self.roots(viewers), |key| {
            self.chunks.get(&key).is_some_and(|chunk| chunk.wanted >= self.frame)
        })
    }

    /// Chunks that are drawn or wanted.
    pub fn needed(&self) -> usize {
        self.chunks.values().filter(|chunk| chunk.visible || chunk.wanted >= self.frame).count()
    }

    /// Chunks that nobody wants and that are not drawn, longest unwanted last.
    pub fn unwanted(&self) -> Vec<ChunkKey> {
        let mut unwanted: Vec<_> = self.idle().map(|(&key, chunk)| (chunk.wanted, key)).collect();
        unwanted.sort_unstable_by(|a, b| b.cmp(a));
        unwanted.into_iter().map(|(_, key)| key).collect()
    }

    /// How many chunks nobody wants and are not drawn.
    pub fn unwanted_count(&self) -> usize {
        self.idle().count()
    }

    fn idle(&self) -> impl Iterator<Item = (&ChunkKey, &Loaded)> {
        self.chunks.iter().filter(|(_, chunk)| chunk.wanted < self.frame && !chunk.visible)
    }

    /// Every chunk but the coarsest in view, the one that is missed least last: unwanted ones, then those that are
    /// farthest away for their size.
    pub fn expendable(&self, viewers: &[Viewer]) -> Vec<ChunkKey> {
        let roots = self.roots(viewers);
        let spacing = self.shape.lod.spacing;
        let others = self.chunks.iter().filter(|(key, _)| roots.binary_search(key).is_err());
        let mut ranked: Vec<_> = others
            .map(|(&key, chunk)| {
                let is_needed = chunk.visible || chunk.wanted >= self.frame;
                let square = key.square(spacing);
                (!is_needed, distance(viewers, &square) / square.width, key)
            })
            .collect();
        ranked.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        ranked.into_iter().map(|(.., key)| key).collect()
    }
}
