//! Requests, drops and shows cells as viewers move.

use bevy::platform::collections::HashMap;
use bevy::prelude::*;

use super::block::{Home, Site, show};
use super::{BACKLOG, Cells};
use crate::chunk::Square;
use crate::lod::{Viewer, distance};
use crate::scatter::draw::jobs::Job;
use crate::scatter::placement::Cell;

/// A full update runs when a viewer has moved by this fraction of a cell.
const STEP: f64 = 0.125;

impl Cells {
    /// Updates all cells if a viewer has moved; otherwise only shows those that have arrived.
    pub fn update(&mut self, viewers: &[Viewer], home: Home, commands: &mut Commands) {
        let step = STEP * self.ground.width();
        let arrived = std::mem::take(&mut self.arrived);
        if self.is_fresh(viewers, step) {
            for &cell in &arrived {
                self.show(cell, viewers, home, commands);
            }
            if !arrived.is_empty() {
                self.workers.resume(self.part_of_pool);
            }
            return;
        }
        self.last_viewers = Some(viewers.to_vec());
        self.forget(viewers, commands);
        self.request(viewers);
        let cells: Vec<Cell> = self.cells.keys().copied().collect();
        for cell in cells {
            self.show(cell, viewers, home, commands);
        }
    }

    /// Whether the viewers are still close to where they were at the last full update.
    fn is_fresh(&self, viewers: &[Viewer], step: f64) -> bool {
        let is_near = |(before, now): (&Viewer, &Viewer)| {
            let away = [0, 1].map(|axis| before.position[axis] - now.position[axis]);
            (away[0] * away[0] + away[1] * away[1] + (before.height - now.height).powi(2)).sqrt() < step
        };
        self.last_viewers
            .as_ref()
            .is_some_and(|before| before.len() == viewers.len() && before.iter().zip(viewers).all(is_near))
    }

    /// Drops what is out of reach, and incomplete parts once there is room for them.
    fn forget(&mut self, viewers: &[Viewer], commands: &mut Commands) {
        let width = self.ground.width();
        let mut leaving = Vec::new();
        for (&cell, loaded) in &self.cells {
            let away = distance(viewers, &self.square(cell));
            for (kind, part) in loaded.parts.iter().enumerate() {
                let Some(part) = part else { continue };
                let layer = &self.layers[kind];
                let room = layer.pages.free() > layer.pages.capacity() / 4;
                if away > f64::from(layer.reach.to) + 0.75 * width || part.is_cut && room {
                    leaving.push((cell, kind));
                }
            }
        }
        for (cell, kind) in leaving {
            self.release(cell, kind, commands);
        }
        let covers = &mut self.covers;
        self.cells.retain(|cell, loaded| {
            let stays = loaded.parts.iter().any(Option::is_some);
            if !stays {
                covers.leave(*cell, loaded);
            }
            stays
        });
    }

    fn request(&mut self, viewers: &[Viewer]) {
        let width = self.ground.width();
        let margin = 2.0 * STEP * width;
        // A cell nearer than where its kinds begin shows nothing.
        let reaches: Vec<[f64; 2]> = self
            .layers
            .iter()
            .map(|layer| [f64::from(layer.reach.from) - margin, f64::from(layer.reach.to) + margin])
            .collect();
        let reach = reaches.iter().map(|[_, to]| *to).fold(0.0, f64::max);
        let mut missing: HashMap<Cell, (f64, u32)> = HashMap::default();
        for viewer in viewers.iter().filter(|viewer| viewer.height < reach) {
            // From above, less of the plane is within reach.
            let flat = (reach * reach - viewer.height * viewer.height).sqrt();
            let low = viewer.position.map(|at| ((at - flat) / width).floor() as i64);
            let high = viewer.position.map(|at| ((at + flat) / width).floor() as i64);
            for cell in (low[1]..=high[1]).flat_map(|z| (low[0]..=high[0]).map(move |x| [x, z])) {
                let square = self.square(cell);
                let (near, far) = (distance(viewers, &square), furthest(viewers, &square));
                let loaded = self.cells.get(&cell);
                let outdated = self.outdated.get(&cell).map_or(0, |(kinds, _)| *kinds);
                let kinds = reaches.iter().enumerate().filter(|(kind, [from, to])| {
                    let lacks = |kind: usize| loaded.is_none_or(|loaded| loaded.parts[kind].is_none());
                    near < *to && far > *from && (outdated & 1 << kind != 0 || lacks(*kind))
                });
                let kinds = kinds.fold(0, |bits, (kind, _)| bits | 1 << kind);
                if kinds != 0 {
                    missing.insert(cell, (near, kinds));
                }
            }
        }
        self.missing = missing.len() as u32;
        self.outdated.retain(|cell, _| missing.contains_key(cell) || self.cells.contains_key(cell));
        let mut missing: Vec<_> = missing.into_iter().collect();
        missing.sort_unstable_by(|a, b| a.1.0.total_cmp(&b.1.0).then(a.0.cmp(&b.0)));
        let (epoch, revision) = (self.epoch, self.revision);
        let jobs = missing.into_iter().map(|(cell, (_, kinds))| Job {
            epoch,
            cell,
            kinds,
            ground: self.ground.clone(),
            removal: self.removal.clone(),
            revision,
        });
        self.workers.submit(jobs, BACKLOG, self.part_of_pool);
    }

    /// Spawns and despawns the entities of a cell's blocks by distance.
    fn show(&mut self, cell: Cell, viewers: &[Viewer], home: Home, commands: &mut Commands) {
        let width = self.ground.width();
        let margin = (1.2 * STEP * width) as f32;
        let Some(loaded) = self.cells.get_mut(&cell) else { return };
        let heights = loaded.heights;
        for ((part, layer), lod_meshes) in loaded.parts.iter_mut().zip(&self.layers).zip(&self.lod_meshes) {
            let Some(part) = part else { continue };
            let block = layer.block_width(width);
            for page in &mut part.pages {
                let min = [0, 1].map(|axis| cell[axis] as f64 * width + f64::from(page.index[axis]) * block);
                let square = Square { min, width: block };
                let (near, far) = (distance(viewers, &square), furthest(viewers, &square));
                let wanted = layer.sizes(page, near as f32, far as f32, margin);
                show(page, wanted, layer, lod_meshes, &Site { cell, square, heights }, home, commands);
            }
        }
    }
}

/// An upper bound of the distance from any point of a square to its nearest viewer.
fn furthest(viewers: &[Viewer], square: &Square) -> f64 {
    let of = |viewer: &Viewer| {
        let [x, z] = [0, 1]
            .map(|axis| (viewer.position[axis] - square.min[axis] - 0.5 * square.width).abs() + 0.5 * square.width);
        (x * x + z * z + viewer.height * viewer.height).sqrt()
    };
    viewers.iter().map(of).fold(f64::INFINITY, f64::min)
}
