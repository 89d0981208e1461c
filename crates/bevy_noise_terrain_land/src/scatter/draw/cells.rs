//! The loaded cells of a band.

mod block;
mod cover;
#[cfg(test)]
mod tests;
mod update;

pub use block::{Home, LodMeshes, ScatterBlock, on_lost_block, place};

use std::sync::Arc;

use bevy::platform::collections::HashMap;
use bevy::prelude::*;

use super::blocks::Block;
use super::jobs::{Done, Job};
use super::pages::{Layer, Page, PageRecord};
use super::removal::Removal;
use crate::chunk::{ChunkKey, Square};
use crate::climate::TerrainClimate;
use crate::edits::{Change, Rect};
use crate::lod::{Viewer, distance};
use crate::scatter::RemovedScatter;
use crate::scatter::placement::{Cell, PlacementContext, Rule};
use crate::scatter::settings::ScatterKind;
use crate::source::HeightSource;
use crate::tasks::Workers;
use block::hide;
use cover::Covers;

/// Budget of object bytes per frame.
const UPLOAD_BYTES: usize = 1_000_000;
/// Budget of cells per frame.
const CELLS_PER_FRAME: usize = 48;
/// Number of finished cells at which the tasks pause until some are taken.
const BACKLOG: usize = 64;

/// One kind's objects in a cell.
struct Part {
    pages: Vec<Page>,
    /// Some blocks were left out because there were no free pages.
    is_cut: bool,
    /// Time of arrival in seconds.
    born: f64,
}

/// A loaded cell.
struct Loaded {
    /// Lowest and highest ground.
    heights: [f32; 2],
    /// The drawn chunk beneath, as of the last frame.
    cover: Option<ChunkKey>,
    /// One for each layer.
    parts: Vec<Option<Part>>,
}

/// The cells of one band, for one build request.
pub struct Cells {
    /// Distinguishes the jobs of these cells from those of earlier ones.
    epoch: u64,
    ground: PlacementContext,
    removal: Removal,
    /// How often objects have been removed or restored.
    revision: u32,
    /// Cells to place again: kinds as bits, and the revision from which on they are right.
    outdated: HashMap<Cell, (u32, u32)>,
    pub layers: Vec<Layer>,
    /// For each layer: the near shape, then the far one.
    lod_meshes: Vec<Vec<LodMeshes>>,
    cells: HashMap<Cell, Loaded>,
    covers: Covers,
    workers: Workers<Job>,
    /// The jobs may use this fraction of the pool's threads: one in `part_of_pool`.
    part_of_pool: usize,
    /// Viewers at the last full update; `None` forces one.
    last_viewers: Option<Vec<Viewer>>,
    /// Cells that have received objects since.
    arrived: Vec<Cell>,
    /// Wanted cells that are not loaded.
    pub missing: u32,
    /// Objects in memory.
    pub objects: u64,
    /// Mean milliseconds per cell.
    pub cell_ms: f32,
    built: u64,
}

/// The cells that hold pages of a kind with their distances, nearest first.
type ByDistance = Vec<(f64, Cell)>;

impl Cells {
    pub fn new(
        epoch: u64,
        ground: PlacementContext,
        removal: Removal,
        layers: Vec<Layer>,
        lod_meshes: Vec<Vec<LodMeshes>>,
        part_of_pool: usize,
    ) -> Self {
        Self {
            epoch,
            ground,
            removal,
            revision: 0,
            outdated: HashMap::default(),
            layers,
            lod_meshes,
            cells: HashMap::default(),
            covers: Covers::default(),
            workers: Workers::default(),
            part_of_pool,
            last_viewers: None,
            arrived: Vec::new(),
            missing: 0,
            objects: 0,
            cell_ms: 0.0,
            built: 0,
        }
    }

    fn square(&self, cell: Cell) -> Square {
        let width = self.ground.width();
        Square { min: cell.map(|cell| cell as f64 * width), width }
    }

    /// The rules by which objects are placed.
    pub fn rules(&self) -> &Arc<[Rule]> {
        &self.ground.rules
    }

    /// Width of a cell in quads of level 0.
    pub fn quads(&self) -> u32 {
        self.ground.quads
    }

    /// Cells in memory.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Pages in use, and their total.
    pub fn pages(&self) -> [u32; 2] {
        self.layers.iter().fold([0; 2], |[used, all], layer| [used + layer.pages.used(), all + layer.pages.capacity()])
    }

    /// Despawns all entities; objects stay, and the next update spawns new entities.
    pub fn hide(&mut self, commands: &mut Commands) {
        let parts = self.cells.values_mut().flat_map(|loaded| loaded.parts.iter_mut().flatten());
        for page in parts.flat_map(|part| &mut part.pages) {
            hide(page, commands);
        }
        self.last_viewers = None;
    }

    /// Has a block shown again if this entity draws it.
    pub fn forget_block(&mut self, cell: Cell, entity: Entity) {
        let parts = self.cells.get_mut(&cell).into_iter().flat_map(|loaded| loaded.parts.iter_mut().flatten());
        let mut shown = parts.flat_map(|part| &mut part.pages).flat_map(|page| &mut page.shown);
        if let Some(shown) = shown.find(|shown| shown.is_some_and(|(shown, _)| shown == entity)) {
            *shown = None;
            self.last_viewers = None;
        }
    }

    /// Replaces meshes and materials; objects stay.
    pub fn replace_meshes(&mut self, lod_meshes: Vec<Vec<LodMeshes>>, commands: &mut Commands) {
        if self.lod_meshes != lod_meshes {
            self.lod_meshes = lod_meshes;
            self.hide(commands);
        }
    }

    /// Applies the appearance of `kinds`; objects stay.
    pub fn restyle(&mut self, kinds: &[ScatterKind], commands: &mut Commands) {
        let mut is_unchanged = true;
        for layer in &mut self.layers {
            if let Some(kind) = kinds.get(layer.index) {
                is_unchanged &= layer.restyle(kind);
            }
        }
        if !is_unchanged {
            self.hide(commands);
        }
    }

    /// Whether cells of `layers`, `quads` quads wide, would hold the same objects on the same pages, on the same land
    /// in this climate.
    pub fn holds(&self, layers: &[Layer], quads: u32, climate: &TerrainClimate) -> bool {
        let is_like = |(a, b): (&Layer, &Layer)| {
            (a.index, a.lattice, a.reach) == (b.index, b.lattice, b.reach)
                && a.pages.capacity() == b.pages.capacity()
                && a.kind.places_as(&b.kind)
        };
        self.ground.quads == quads
            && *self.ground.climate == *climate
            && self.layers.len() == layers.len()
            && self.layers.iter().zip(layers).all(is_like)
    }

    /// Places the cells again in which objects have been removed or restored; until then they stay as they are.
    pub fn remove(&mut self, removed: &RemovedScatter) {
        let changed = self.removal.replace(removed, self.ground.quads);
        if changed.is_empty() {
            return;
        }
        self.revision = self.revision.wrapping_add(1);
        for (cell, kinds) in changed {
            let layers = self.ground.rules.iter().enumerate();
            let bits = layers.filter(|(_, rule)| kinds & 1 << rule.index != 0).fold(0, |bits, (at, _)| bits | 1 << at);
            if bits != 0 {
                let (outdated, revision) = self.outdated.entry(cell).or_default();
                (*outdated, *revision) = (*outdated | bits, self.revision);
            }
        }
        // Requests them.
        self.last_viewers = None;
    }

    /// Places the cells again in which edits have changed the land; until then they stay as they are.
    pub fn follow_edits(&mut self, source: &Arc<dyn HeightSource>, changes: &[Change]) {
        self.ground.source = source.clone();
        self.revision = self.revision.wrapping_add(1);
        let all = (1u32 << self.layers.len()) - 1;
        // Slopes and curvature are measured one vertex around.
        let reach = 2.0 * self.ground.spacing;
        for &cell in self.cells.keys() {
            let Square { min, width } = self.square(cell);
            let square = Rect { min, max: min.map(|metres| metres + width) }.grown(reach);
            if changes.iter().any(|change| change.rect.touches(&square)) {
                self.outdated.insert(cell, (all, self.revision));
            }
        }
        // Requests them.
        self.last_viewers = None;
    }

    /// Takes finished cells from the tasks.
    pub fn receive(&mut self, viewers: &[Viewer], now: f64, commands: &mut Commands) {
        let (mut bytes, mut cells) = (0, 0);
        let finished = self.workers.take(|done| {
            let fits = bytes < UPLOAD_BYTES && cells < CELLS_PER_FRAME;
            (bytes, cells) = (bytes + done.bytes(), cells + 1);
            fits
        });
        let mut furthest = vec![None; self.layers.len()];
        for done in finished {
            if done.epoch == self.epoch {
                self.enter(done, viewers, now, &mut furthest, commands);
            }
        }
    }

    fn enter(
        &mut self,
        done: Done,
        viewers: &[Viewer],
        now: f64,
        furthest: &mut [Option<ByDistance>],
        commands: &mut Commands,
    ) {
        self.built += 1;
        self.cell_ms += (done.milliseconds - self.cell_ms) * if self.built == 1 { 1.0 } else { 0.02 };
        let count = self.layers.len();
        let heights = done.placed.as_ref().map_or([0.0; 2], |placed| placed.heights);
        // A source that panicked leaves its cell empty.
        let filled = match done.placed {
            Some(placed) => placed.kinds,
            None => {
                (0..count).filter(|index| done.kinds & (1 << index) != 0).map(|index| (index, Vec::new())).collect()
            }
        };
        self.missing = self.missing.saturating_sub(1);
        self.arrived.push(done.cell);
        let is_current = match self.outdated.get_mut(&done.cell) {
            Some((kinds, revision)) if done.revision >= *revision => {
                *kinds &= !done.kinds;
                if *kinds == 0 {
                    self.outdated.remove(&done.cell);
                }
                true
            }
            Some(_) => false,
            None => {
                if done.revision != self.revision {
                    // Placed before the last change, of which it may be a part.
                    self.outdated.insert(done.cell, (done.kinds, self.revision));
                    self.last_viewers = None;
                }
                false
            }
        };
        for (kind, blocks) in filled {
            if self.cells.get(&done.cell).is_some_and(|loaded| loaded.parts[kind].is_some()) {
                if is_current {
                    self.refill(done.cell, kind, blocks, commands);
                }
                continue;
            }
            if let Some(furthest) = furthest.get_mut(kind) {
                self.make_room(kind, blocks.len() as u32, done.cell, viewers, furthest, commands);
            }
            let part = self.fill(kind, blocks, now);
            let empty = || Loaded { heights, cover: None, parts: (0..count).map(|_| None).collect() };
            let loaded = self.cells.entry(done.cell).or_insert_with(empty);
            loaded.parts[kind] = Some(part);
            self.covers.enter(done.cell, loaded);
        }
    }

    fn fill(&mut self, kind: usize, blocks: Vec<Block>, now: f64) -> Part {
        let layer = &mut self.layers[kind];
        let mut part = Part { pages: Vec::with_capacity(blocks.len()), is_cut: false, born: now };
        for Block { index, instances } in blocks {
            let Some(page) = layer.pages.take() else {
                part.is_cut = true;
                break;
            };
            self.objects += instances.len() as u64;
            part.pages.push(Page::new(page, index, &instances));
            layer.uploads.push((page, instances));
        }
        part
    }

    /// Replaces the objects of a part, on the same pages as far as there are blocks: nothing flickers.
    fn refill(&mut self, cell: Cell, kind: usize, blocks: Vec<Block>, commands: &mut Commands) {
        let Some(loaded) = self.cells.get_mut(&cell) else { return };
        let Some(part) = loaded.parts[kind].as_mut() else { return };
        let layer = &mut self.layers[kind];
        let mut before = std::mem::take(&mut part.pages);
        for Block { index, instances } in blocks {
            let shown = before.iter().position(|page| page.index == index).map(|at| before.swap_remove(at));
            let (page, count, shown) = match shown {
                Some(page) => (page.page, page.count, page.shown),
                None => match layer.pages.take() {
                    Some(page) => (page, 0, [None; 2]),
                    None => {
                        part.is_cut = true;
                        continue;
                    }
                },
            };
            self.objects = self.objects - u64::from(count) + instances.len() as u64;
            let mut filled = Page::new(page, index, &instances);
            filled.shown = shown;
            part.pages.push(filled);
            layer.uploads.push((page, instances));
        }
        for mut page in before {
            hide(&mut page, commands);
            layer.pages.give(page.page);
            layer.records.set(page.page, PageRecord::default());
            self.objects -= u64::from(page.count);
        }
        self.covers.refresh(cell);
    }

    /// Frees pages of a kind's furthest cells until there is room, as long as they are further away than `cell`.
    fn make_room(
        &mut self,
        kind: usize,
        needed: u32,
        cell: Cell,
        viewers: &[Viewer],
        furthest: &mut Option<ByDistance>,
        commands: &mut Commands,
    ) {
        let here = distance(viewers, &self.square(cell));
        while self.layers[kind].pages.free() < needed {
            let furthest = furthest.get_or_insert_with(|| self.by_distance(kind, viewers));
            let Some((_, other)) = furthest.pop_if(|(distance, _)| *distance > here) else { return };
            if let Some(part) = self.release(other, kind, commands)
                && let Some(loaded) = self.cells.get_mut(&other)
            {
                // The part stays, empty, so that it is not requested again at once.
                loaded.parts[kind] = Some(Part { pages: Vec::new(), is_cut: true, ..part });
            }
        }
    }

    fn by_distance(&self, kind: usize, viewers: &[Viewer]) -> ByDistance {
        let has_pages = |loaded: &Loaded| loaded.parts[kind].as_ref().is_some_and(|part| !part.pages.is_empty());
        let cells = self.cells.iter().filter(|(_, loaded)| has_pages(loaded));
        let mut cells: ByDistance = cells.map(|(&cell, _)| (distance(viewers, &self.square(cell)), cell)).collect();
        cells.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        cells
    }

    /// Frees the pages of a part.
    fn release(&mut self, cell: Cell, kind: usize, commands: &mut Commands) -> Option<Part> {
        let mut part = self.cells.get_mut(&cell)?.parts.get_mut(kind)?.take()?;
        let layer = &mut self.layers[kind];
        for page in &mut part.pages {
            hide(page, commands);
            layer.pages.give(page.page);
            layer.records.set(page.page, PageRecord::default());
            self.objects -= u64::from(page.count);
        }
        Some(part)
    }
}
