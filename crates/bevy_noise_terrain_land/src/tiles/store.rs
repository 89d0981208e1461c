//! The tiles of a terrain: where their heights come from, and their entities.

use bevy::ecs::entity::EntityHashMap;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;

use super::frame::Frame;
use super::jobs::{self, Done, Job, Version};
use super::lift::LastSeen;
use super::objects::TileObjects;
use super::settings::TerrainTiles;
use super::slots::Slots;
use super::tile::TerrainTile;
use crate::edits::{Change, LandHoles, Rect};
use crate::mesh::ChunkHeights;
use crate::query::Surface;
use crate::streaming::{TerrainState, touches};
use crate::tasks::Workers;
use crate::terrain::ChunkFailed;

/// Tiles sampled in the background that may wait to be taken.
const BACKLOG: usize = 256;

/// Tiles that are spawned in a tick ahead of need, where few are needed: so that no tick has many.
const EARLY_TILES: usize = 3;

/// More changes than these are taken as one, when bodies on them are looked for.
const FEW: usize = 64;

/// Tiles are sampled on half of the pool's threads.
const PART: usize = 2;

/// Land that tiles are made of.
struct Land {
    version: Version,
    surface: Surface,
}

/// Land that will take the screen, and the heights of its tiles so far.
struct ComingLand {
    land: Land,
    heights: HashMap<[i64; 2], ChunkHeights>,
}

/// The tiles of a terrain.
#[derive(Component, Default)]
pub(crate) struct TileStore {
    pub slots: Slots,
    pub settings: TerrainTiles,
    pub frame: Option<Frame>,
    pub last_seen: EntityHashMap<LastSeen>,
    /// The land or what stands on it has changed, and nobody has looked at the bodies since.
    pub has_new_land: bool,
    /// Where edits have changed it, and where solid objects have come or gone.
    pub touched: Vec<Rect>,
    land: Option<Land>,
    /// The generation that `land` is of, or would be if the settings were valid.
    taken: Option<Version>,
    /// How often land of the settings has been taken, before the first was on screen.
    unshown: u64,
    coming: Option<ComingLand>,
    workers: Workers<Job>,
    pub objects: TileObjects,
}

impl TileStore {
    /// Metres between the vertices of tiles; `None` while the settings are not valid.
    pub fn spacing(&self) -> Option<f64> {
        Some(self.land.as_ref()?.surface.spacing())
    }

    /// The holes of the land; `None` if it has none.
    pub fn holes(&self) -> Option<LandHoles<'_>> {
        self.land.as_ref()?.surface.holes()
    }

    /// Whether other land has taken the screen.
    pub fn is_outdated(&self, state: &TerrainState) -> bool {
        self.taken != Some(version(state))
    }

    /// Notes the height of the ground below the bodies at these points of the scene.
    pub fn note_grounds(&mut self, points: impl Iterator<Item = (Entity, Vec3)>) {
        let (Some(frame), Some(spacing)) = (self.frame, self.spacing()) else { return };
        for (body, point) in points {
            let position = frame.position(point);
            if let Some(seen) = self.last_seen.get_mut(&body) {
                seen.note(&self.slots, spacing, [position.x, position.z]);
            }
        }
    }

    /// Forgets the land and all anchors. Returns the entities of all tiles.
    pub fn close(&mut self) -> Vec<Entity> {
        let settings = self.settings;
        let closed = std::mem::replace(self, Self { settings, ..Self::default() });
        closed.slots.entities().map(|(_, tile)| tile).collect()
    }

    /// Forgets an anchor.
    pub fn release(&mut self, anchor: Entity) {
        self.slots.hold(anchor, None);
        self.last_seen.remove(&anchor);
    }

    /// Takes over the land on screen, or that of the settings before the first frame. Returns the entities of all tiles,
    /// which are of no use any more.
    pub fn take_land(&mut self, of_settings: impl FnOnce() -> Option<Surface>, state: &TerrainState) -> Vec<Entity> {
        let touched = self.edited(state);
        let surface = state.surface().or_else(of_settings);
        let mut own = version(state);
        if state.generation().is_none() {
            // Settings may change before the first land is on screen, and tiles of all of them be under way.
            self.unshown += 1;
            own.1 = self.unshown;
        }
        self.land = surface.map(|surface| Land { version: own, surface });
        self.taken = Some(version(state));
        self.has_new_land = true;
        self.last_seen.values_mut().for_each(LastSeen::forget_ground);
        if let Some(changes) = touched {
            let rects = changes.iter().map(|change| change.rect);
            if changes.len() > FEW {
                self.touched.extend(rects.reduce(Rect::join));
            } else {
                self.touched.extend(rects);
            }
            let spacing = self.spacing().unwrap_or(1.0);
            return self.slots.clear(|cell| touches(&changes, jobs::key(cell), spacing));
        }
        let tiles = self.slots.clear(|_| true);
        let coming = self.coming.take().filter(|coming| coming.land.version == version(state));
        for (cell, heights) in coming.map(|coming| coming.heights).unwrap_or_default() {
            self.slots.store(cell, Some(heights));
        }
        tiles
    }

    /// Where edits have changed the land since tiles were last taken from it; `None` if it may be other land everywhere.
    fn edited(&self, state: &TerrainState) -> Option<Vec<Change>> {
        let (generation, revision) = self.taken?;
        let land = state.shown_land().filter(|land| land.generation() == generation)?;
        land.changes_since(revision)
    }

    /// Puts all tiles where they belong below the terrain, after its origin or its transform changed.
    pub fn place_tiles(&self, commands: &mut Commands) {
        let (Some(frame), Some(spacing)) = (self.frame, self.spacing()) else { return };
        for (cell, tile) in self.slots.entities() {
            commands.entity(tile).try_insert(place(&frame, cell, spacing));
        }
    }

    /// Takes what the tasks have finished.
    pub fn take_finished(&mut self, commands: &mut Commands, terrain: Entity) {
        for done in self.workers.take(|_| true) {
            let coming = self.coming.as_mut().filter(|coming| coming.land.version == done.version);
            if let (Some(coming), Ok(heights)) = (coming, &done.heights) {
                coming.heights.insert(done.cell, heights.clone());
            } else if self.land.as_ref().is_some_and(|land| land.version == done.version) {
                self.store(done, commands, terrain);
            }
        }
    }

    fn store(&mut self, done: Done, commands: &mut Commands, terrain: Entity) {
        let heights = done.heights.map_err(|failure| {
            commands.trigger(ChunkFailed { entity: terrain, key: jobs::key(done.cell), failure });
        });
        self.slots.store(done.cell, heights.ok());
    }

    /// Spawns the needed tiles that have no entity, and a few that will be needed soon; samples them now, on all cores, if
    /// nobody has.
    pub fn spawn_missing(&mut self, commands: &mut Commands, terrain: Entity, state: &TerrainState) {
        let (Some(land), Some(frame)) = (&self.land, self.frame) else { return };
        let mut missing = self.slots.missing();
        missing.extend(self.slots.early(EARLY_TILES.saturating_sub(missing.len())));
        let (version, surface, spacing) = (land.version, land.surface.clone(), land.surface.spacing());
        let mut jobs = Vec::new();
        for &cell in &missing {
            if self.slots.heights(cell).is_none() {
                match loaded(state, version, cell) {
                    Some(heights) => self.slots.store(cell, Some(heights)),
                    None => jobs.push(Job { version, cell, surface: surface.clone() }),
                }
            }
        }
        for done in jobs::run_now(jobs) {
            self.store(done, commands, terrain);
        }
        for cell in missing {
            let Some(heights) = self.slots.heights(cell) else { continue };
            let square = jobs::key(cell).square(spacing);
            let bounds = Rect { min: square.min, max: square.min.map(|metres| metres + square.width) };
            let holes = surface.holes().map(|holes| holes.within(&bounds)).unwrap_or_default();
            let tile =
                TerrainTile::new(terrain, jobs::key(cell), spacing, heights.clone(), holes, surface.shared_source());
            let tile = commands.spawn((tile, place(&frame, cell, spacing), ChildOf(terrain))).id();
            self.slots.spawned(cell, tile);
        }
    }

    /// Asks the task pool for what will be needed soon, and for the tiles of land that will take the screen.
    pub fn request_soon(&mut self, state: &TerrainState) {
        let coming = state.coming_land().map(|land| (land.generation(), land.revision()));
        let is_known = self.coming.as_ref().map(|coming| coming.land.version) == coming;
        if !is_known {
            self.coming = state.coming_land().map(|land| ComingLand {
                land: Land {
                    version: (land.generation(), land.revision()),
                    surface: land.descriptor().surface(state.climate()),
                },
                heights: HashMap::default(),
            });
        }
        if !self.slots.take_changed() && is_known {
            // Some may have paused until what they had finished was taken.
            self.workers.resume(PART);
            return;
        }
        let Some(land) = &self.land else { return };
        let job = |land: &Land, cell| Job { version: land.version, cell, surface: land.surface.clone() };
        let is_loaded = |&cell: &[i64; 2]| loaded(state, land.version, cell).is_some();
        let mut jobs: Vec<Job> =
            self.slots.lacking().into_iter().filter(|cell| !is_loaded(cell)).map(|cell| job(land, cell)).collect();
        if let Some(coming) = &self.coming {
            let lacking = self.slots.held().into_iter().filter(|cell| !coming.heights.contains_key(cell));
            jobs.extend(lacking.map(|cell| job(&coming.land, cell)));
        }
        self.workers.submit(jobs.into_iter(), BACKLOG, PART);
    }

    /// Forgets the tiles that nobody has held for longest; returns their entities.
    pub fn evict(&mut self) -> Vec<Entity> {
        self.slots.evict(self.settings.spare as usize)
    }
}

/// The version of the land that tiles should be of; its generation is 0 before the first is on screen.
fn version(state: &TerrainState) -> Version {
    state.shown_land().map_or((0, 0), |land| (land.generation(), land.revision()))
}

/// The heights of a tile that is a chunk in memory too.
fn loaded(state: &TerrainState, version: Version, cell: [i64; 2]) -> Option<ChunkHeights> {
    state.shown_land().filter(|land| (land.generation(), land.revision()) == version)?.heights(jobs::key(cell))
}

/// Where a tile is, in the terrain and in the scene: physics engines may look before transforms are propagated.
fn place(frame: &Frame, cell: [i64; 2], spacing: f64) -> (Transform, GlobalTransform) {
    let square = jobs::key(cell).square(spacing);
    let transform = frame.place(square.min.map(|metres| metres + 0.5 * square.width));
    (transform, frame.global(&transform))
}
