//! Edits change parts of the land on screen: the chunks that they touch are built again unseen, and take the screen in one
//! frame, all together, and with them holes that have changed.

use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;

#[cfg(feature = "render")]
use super::generation::Generation;
use super::jobs::{BuiltChunk, Job, Part};
use super::loaded::DetailNormals;
use super::{Next, TerrainDescriptor, TerrainState, Upload};
use crate::chunk::{ChunkKey, TerrainChunk};
#[cfg(feature = "render")]
use crate::edits::ChunkHoles;
use crate::edits::{Change, LandEdits, Rect};
use crate::mesh::{PooledVec, Texel};

/// Edits that touch more chunks than this become a new generation, which adds them little by little.
const MOST_CHUNKS: usize = 256;
/// The same for edits in very many places.
const MOST_CHANGES: usize = 1_024;

/// The land has changed within a rectangle, by edits or by other settings. Targets the terrain's entity.
///
/// It is triggered in the frame that shows the change; whatever asks for the land gets the new one from then on.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq)]
pub struct LandChanged {
    /// The terrain.
    pub entity: Entity,
    /// The least absolute x and z, in metres; −∞ if all of the land is other.
    pub min: [f64; 2],
    /// The greatest absolute x and z, in metres; ∞ if all of the land is other.
    pub max: [f64; 2],
}

/// A chunk that has been built again.
pub(super) struct Patched {
    pub chunk: BuiltChunk,
    /// If the chunk had some.
    pub detail_normals: Option<PooledVec<Texel>>,
}

/// A part of the land on screen that is being built again.
pub(super) struct Patch {
    generation: u64,
    /// The generation's revision once the patch is on screen.
    revision: u64,
    /// The land with the new edits.
    shape: TerrainDescriptor,
    changes: Vec<Change>,
    /// Chunks that are still to be built.
    waiting: HashSet<ChunkKey>,
    built: HashMap<ChunkKey, Patched>,
}

impl Patch {
    /// The land that it leads to.
    pub fn shape(&self) -> &TerrainDescriptor {
        &self.shape
    }

    /// A chunk of the old land has been loaded meanwhile.
    pub fn arrived(&mut self, key: ChunkKey) {
        if reshapes(&self.changes, key, self.shape.lod.spacing) {
            self.built.remove(&key);
            self.waiting.insert(key);
        }
    }
}

/// Takes very many holes as one change.
fn few_holes(changes: Vec<Change>) -> Vec<Change> {
    if changes.len() <= MOST_CHANGES {
        return changes;
    }
    let (holes, mut others): (Vec<_>, Vec<_>) = changes.into_iter().partition(|change| change.is_hole);
    others.extend(holes.into_iter().map(|change| change.rect).reduce(Rect::join).map(Change::hole));
    others
}

/// Whether these change anything within a chunk: what [`reshapes`] it, or its holes.
pub(crate) fn touches(changes: &[Change], key: ChunkKey, spacing: f64) -> bool {
    changes.iter().any(|change| is_hole_within(change, key, spacing)) || reshapes(changes, key, spacing)
}

/// Whether a hole has come or gone within a chunk.
fn is_hole_within(change: &Change, key: ChunkKey, spacing: f64) -> bool {
    change.is_hole && change.rect.touches(&bounds(key, spacing))
}

/// What a chunk covers.
fn bounds(key: ChunkKey, spacing: f64) -> Rect {
    let square = key.square(spacing);
    Rect { min: square.min, max: square.min.map(|metres| metres + square.width) }
}

/// Whether these change the vertices of a chunk, their morph targets, or its detail normals.
pub(crate) fn reshapes(changes: &[Change], key: ChunkKey, spacing: f64) -> bool {
    // Detail normals are twice as fine as vertices.
    let finest = 0.5 * key.vertex_spacing(spacing);
    // One vertex of its parent around it, and half of the distance between these, by which edges widen.
    let reach = bounds(key, spacing).grown(1.75 * key.parent().vertex_spacing(spacing));
    changes.iter().any(|change| !change.is_hole && change.size > finest && change.rect.touches(&reach))
}

impl TerrainState {
    /// Takes over changed edits and holes.
    pub(super) fn edit(&mut self, land: LandEdits) {
        let newest = match &self.next {
            Some(Next::Generation(shape)) => Some(shape),
            _ => self.pending.as_ref().map(|pending| &pending.shape),
        };
        self.next = Some(match newest {
            // They come with the next generation.
            Some(shape) => Next::Generation(shape.with_edits(land)),
            None => Next::Edits(land),
        });
    }

    /// Begins to build what the newest edits touch, once nothing else is under way.
    pub(super) fn begin_patch(&mut self) {
        let Some(shown) = self.shown.as_ref().filter(|_| self.patch.is_none() && self.pending.is_none()) else {
            return;
        };
        let Some(Next::Edits(land)) = self.next.take_if(|next| matches!(next, Next::Edits(_))) else { return };
        let changes = few_holes(shown.shape.land.difference(&land));
        if changes.is_empty() {
            return;
        }
        let shape = shown.shape.with_edits(land);
        let spacing = shape.lod.spacing;
        let waiting: HashSet<ChunkKey> = shown.chunks.keys().filter(|&key| reshapes(&changes, key, spacing)).collect();
        if changes.len() > MOST_CHANGES || waiting.len() > MOST_CHUNKS {
            self.next = Some(Next::Generation(shape));
            return;
        }
        let (generation, revision) = (shown.id, shown.revision + 1);
        self.patch = Some(Patch { generation, revision, shape, changes, waiting, built: HashMap::default() });
    }

    /// Whether edits within `radius` metres of a position are not on screen yet.
    pub(super) fn is_editing(&self, position: [f64; 2], radius: f64) -> bool {
        let near = Rect::point(position).grown(radius);
        let is_near = |changes: &[Change]| changes.iter().any(|change| change.rect.touches(&near));
        let is_coming = match (&self.next, &self.shown) {
            (Some(Next::Edits(land)), Some(shown)) => is_near(&shown.shape.land.difference(land)),
            _ => false,
        };
        is_coming || self.patch.as_ref().is_some_and(|patch| is_near(&patch.changes))
    }

    /// The jobs of the patch under way.
    pub(super) fn patch_jobs(&self) -> Vec<Job> {
        let (Some(patch), Some(shown)) = (&self.patch, &self.shown) else { return Vec::new() };
        let job = |&key: &ChunkKey| {
            let detail_normals = matches!(shown.chunks.get(key)?.detail_normals, DetailNormals::Since(_));
            let (generation, revision, shape) = (patch.generation, patch.revision, patch.shape.clone());
            Some(Job { generation, revision, key, part: Part::Again { detail_normals }, shape })
        };
        patch.waiting.iter().filter_map(job).collect()
    }

    /// Takes a chunk that has been built again, or could not be.
    pub(super) fn take_patched(&mut self, version: (u64, u64), key: ChunkKey, patched: Option<Patched>) {
        let Some(patch) = self.patch.as_mut().filter(|patch| (patch.generation, patch.revision) == version) else {
            return;
        };
        if patch.waiting.remove(&key)
            && let Some(patched) = patched
        {
            patch.built.insert(key, patched);
        }
    }

    /// Whether a job was one of the patch under way.
    pub(super) fn is_patching(&self, version: (u64, u64)) -> bool {
        self.patch.as_ref().is_some_and(|patch| (patch.generation, patch.revision) == version)
    }

    /// Shows the patch once all its chunks have been built. Returns what has changed.
    pub(super) fn finish_patch(&mut self, chunks: &mut Query<&mut TerrainChunk>) -> Vec<Change> {
        let id = self.shown.as_ref().map(|shown| shown.id);
        // Another generation has come with the same edits, or newer ones.
        self.patch.take_if(|patch| Some(patch.generation) != id);
        let (Some(patch), Some(shown)) = (&mut self.patch, &self.shown) else { return Vec::new() };
        patch.waiting.retain(|key| shown.chunks.contains(*key));
        let is_ready = patch.waiting.is_empty();
        if !is_ready || !self.patch.as_ref().is_some_and(|patch| self.can_show(&patch.shape.land)) {
            return Vec::new();
        }
        let (Some(patch), Some(shown)) = (self.patch.take(), &mut self.shown) else { return Vec::new() };
        for (key, Patched { chunk: BuiltChunk { mesh, heights, paint }, detail_normals }) in patch.built {
            let Some(chunk) = shown.chunks.get_mut(key) else { continue };
            (chunk.heights, chunk.paint) = (heights, paint);
            let slot = chunk.slot;
            if let Ok(mut entity) = chunks.get_mut(chunk.entity) {
                (entity.min_height, entity.max_height) = (mesh.min_height, mesh.max_height);
            }
            match detail_normals {
                Some(texels) => self.uploads.push(Upload::DetailNormals { slot, texels }),
                None => chunk.detail_normals = DetailNormals::Missing,
            }
            if let Some(kept) = self.kept.get_mut(slot as usize) {
                *kept = Some(mesh.vertices.to_vec());
            }
            self.uploads.push(Upload::Vertices { slot, vertices: mesh.vertices });
        }
        shown.edit(patch.shape, patch.changes.clone());
        #[cfg(feature = "render")]
        shown.change_holes(&patch.changes, chunks);
        patch.changes
    }
}

#[cfg(feature = "render")]
impl Generation {
    /// Looks again for the holes of chunks where some have come or gone.
    fn change_holes(&mut self, changes: &[Change], chunks: &mut Query<&mut TerrainChunk>) {
        let spacing = self.shape.lod.spacing;
        let Some(rect) = changes.iter().filter(|change| change.is_hole).map(|change| change.rect).reduce(Rect::join)
        else {
            return;
        };
        for (key, chunk) in self.chunks.iter_mut() {
            // Most are far away from all of them.
            let is_touched = || changes.iter().any(|change| is_hole_within(change, key, spacing));
            if !rect.touches(&bounds(key, spacing)) || !is_touched() {
                continue;
            }
            chunk.holes = ChunkHoles::new(&self.shape.land.holes, key, spacing);
            if let Ok(mut entity) = chunks.get_mut(chunk.entity) {
                entity.has_holes = chunk.holes.is_some();
            }
        }
    }
}

impl LandChanged {
    pub(super) fn new(entity: Entity, Rect { min, max }: Rect) -> Self {
        Self { entity, min, max }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bevy::math::DVec3;
    use proptest::prelude::*;
    use terrain_noise::{Compose, perlin};

    use super::*;
    use crate::edits::{Edit, TerrainEdits};
    use crate::mesh::{self, SampleScratch};
    use crate::source::{HeightSource, NoiseSource};

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

        #[test]
        fn chunks_that_edits_do_not_touch_keep_their_vertices(
            kind in 0u32..4, radius in 0.5..40.0f64, falloff in 0.0..30.0f64, level in 0u8..7,
            // Beside the chunk's right edge, near enough to matter, or within the chunk.
            beyond in -30.0..3.0f64, along in 0.0..1.0f64,
        ) {
            let key = ChunkKey::new(level, 3, -2);
            let square = key.square(1.0);
            let coarse = key.parent().vertex_spacing(1.0);
            let at = DVec3::new(
                square.min[0] + square.width + radius + falloff + beyond * coarse,
                70.0,
                square.min[1] + along * square.width,
            );
            let edit = match kind {
                0 => Edit::raise(at, radius, 50.0),
                1 => Edit::flatten(at, radius),
                2 => Edit::smooth(at, radius, 20.0),
                _ => Edit::path([at, at + DVec3::new(radius, 9.0, 20.0)], radius),
            };
            let mut edits = TerrainEdits::default();
            edits.apply(edit.falloff(falloff)).unwrap();
            let noise = perlin().fbm().octaves(4).feature_size(90.0).scale(30.0);
            let base: Arc<dyn HeightSource> = Arc::new(NoiseSource(noise.build(4).unwrap()));
            let shape = TerrainDescriptor::new(base, default(), default());
            let edited = shape.with_edits(edits.tree().clone().into());
            let changes = shape.land.difference(&edited.land);
            let build = |shape: &TerrainDescriptor| {
                let (source, mut scratch) = (shape.source.as_ref(), SampleScratch::default());
                let (mesh, heights) = mesh::build(source, key, 1.0, 7, None, &mut scratch);
                (mesh, mesh::detail_normals(source, key, 1.0, &heights, None, &mut scratch))
            };
            let is_same = build(&shape) == build(&edited);
            prop_assert!(is_same || touches(&changes, key, 1.0), "{key:?} changes {beyond} parent vertices away");
        }
    }
}
