//! Finds the drawn chunk beneath each cell and writes it to the page records for the shader.

use bevy::platform::collections::HashMap;

use super::{Cells, Loaded};
use crate::chunk::{CHUNK_QUADS, ChunkKey};
use crate::scatter::draw::pages::{NO_SLOT, PageRecord};
use crate::scatter::placement::Cell;

/// Seconds over which new objects grow to full size.
const GROW_SECONDS: f64 = 0.5;

/// A drawn chunk and the cells on it.
struct Cover {
    slot: u32,
    cells: Vec<Cell>,
}

/// All cells by the drawn chunk beneath them.
#[derive(Default)]
pub struct Covers {
    covers: HashMap<ChunkKey, Cover>,
    /// Cells that are new or whose chunk is no longer drawn.
    uncovered: Vec<Cell>,
    /// Cells with objects that are growing in.
    growing: Vec<Cell>,
    origin_quad: [i64; 2],
}

impl Covers {
    /// Adds a cell that has received objects.
    pub fn enter(&mut self, cell: Cell, loaded: &Loaded) {
        if loaded.cover.is_none() {
            self.uncovered.push(cell);
        }
        self.growing.push(cell);
    }

    /// Writes the records of a cell again.
    pub fn refresh(&mut self, cell: Cell) {
        self.growing.push(cell);
    }

    /// Removes a cell.
    pub fn leave(&mut self, cell: Cell, loaded: &Loaded) {
        let Some(key) = loaded.cover else { return };
        if let Some(cover) = self.covers.get_mut(&key) {
            cover.cells.retain(|other| *other != cell);
            if cover.cells.is_empty() {
                self.covers.remove(&key);
            }
        }
    }
}

impl Cells {
    /// Updates the page records. `slot` returns the slot of a chunk if it is drawn.
    pub fn record(&mut self, origin_quad: [i64; 2], top: u8, now: f64, slot: impl Fn(ChunkKey) -> Option<u32>) {
        let quads = i64::from(self.ground.quads);
        // A cell may be wider than the finest chunks: start at the level that covers all of it.
        let least = (self.ground.quads / CHUNK_QUADS as u32).max(1).ilog2() as u8;
        let covers = &mut self.covers;
        let mut changed: Vec<Cell> = std::mem::take(&mut covers.uncovered);
        let has_moved = covers.origin_quad != origin_quad;
        covers.origin_quad = origin_quad;
        covers.covers.retain(|key, cover| {
            let found = slot(*key);
            if found == Some(cover.slot) {
                if has_moved {
                    changed.extend(&cover.cells);
                }
                return true;
            }
            for cell in &cover.cells {
                if let Some(loaded) = self.cells.get_mut(cell) {
                    loaded.cover = None;
                }
            }
            changed.append(&mut cover.cells);
            false
        });
        changed.append(&mut covers.growing);
        changed.sort_unstable();
        changed.dedup();
        for cell in changed {
            let Some(loaded) = self.cells.get_mut(&cell) else { continue };
            let first = cell.map(|cell| cell * quads);
            if loaded.cover.is_none() {
                let above = |level: u8| {
                    let [x, z] = first.map(|first| first.div_euclid((CHUNK_QUADS as i64) << level));
                    ChunkKey::new(level, x, z)
                };
                let found = (least..=top).map(above).find_map(|key| Some((key, slot(key)?)));
                match found {
                    Some((key, slot)) => {
                        loaded.cover = Some(key);
                        let cover = covers.covers.entry(key).or_insert_with(|| Cover { slot, cells: Vec::new() });
                        cover.cells.push(cell);
                    }
                    None => covers.uncovered.push(cell),
                }
            }
            let slot = loaded.cover.and_then(|key| covers.covers.get(&key)).map_or(NO_SLOT, |cover| cover.slot);
            let first_quad = [0, 1].map(|axis| (first[axis] - origin_quad[axis]) as i32);
            let mut is_grown = true;
            for (part, layer) in loaded.parts.iter().zip(&mut self.layers) {
                let Some(part) = part else { continue };
                let grown = ((now - part.born) / GROW_SECONDS).clamp(0.0, 1.0);
                is_grown &= grown >= 1.0 || part.pages.is_empty();
                let grow = (grown * 65_535.0) as u16;
                for page in &part.pages {
                    layer.records.set(page.page, PageRecord { first_quad, slot, count: page.count, grow });
                }
            }
            if !is_grown {
                covers.growing.push(cell);
            }
        }
    }
}
