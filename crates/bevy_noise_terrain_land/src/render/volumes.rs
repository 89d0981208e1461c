//! Draws volumes, as detailed as the land around them.
//!
//! A volume is drawn in pieces that cover its box, each at a level of detail. Whatever asks for other pieces (a viewer who has
//! moved, a change of the volume or of its land) begins another set of them. They are built in the background, but for those
//! that stay as they are, and given to Bevy; two frames later the graphics card has them, and all take the screen in one
//! frame. A piece that is finer than what was there begins as the coarser surface and moves to its own.
//!
//! The land is cut open once a volume is drawn, and a volume goes once the land is whole again.
//!
//! - [`nearby`]: which volumes are drawn.
//! - [`layout`]: which pieces a volume has.
//! - [`piece_set`]: pieces that are shown together.
//! - [`on_screen`]: a volume on screen, and what will take its place.

mod layout;
mod nearby;
mod on_screen;
mod piece_set;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bevy::mesh::MeshTag;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task, block_on, poll_once};

use super::material::{OwnMaterial, TerrainMaterial};
use super::pool::VertexPool;
use crate::edits::VolumeHole;
use crate::source::HeightSource;
use crate::streaming::{Land, TerrainState};
use crate::terrain::TerrainOrigin;
use crate::viewer::TerrainViewers;
use crate::volumes::{DrawnVolumes, TerrainVolumes, VolumeKey, VolumeMesh};
use layout::{Layout, Place};
use nearby::{Nearby, Wanted};
use on_screen::{OnScreen, Spawner};

/// The greatest number of finest pieces that are built at a time, unless half of the pool's threads are fewer.
const MOST_TASKS: usize = 4;
/// How many coarse pieces may take the place of a finest one: the pool builds several of them in a frame.
const COARSE: usize = 8;

/// The meshes of a terrain's volumes.
#[derive(Component, Default)]
pub(super) struct VolumeStore {
    nearby: Nearby,
    volumes: HashMap<VolumeKey, OnScreen>,
    building: Vec<Building>,
    /// The generation on screen, and how many of its changes have been looked at.
    land: (u64, u64),
    /// Whether the land around is drawn with half meshes.
    half_meshes: bool,
}

/// A piece that is being built.
struct Building {
    key: VolumeKey,
    hole: Arc<VolumeHole>,
    generation: u64,
    place: Place,
    task: Task<Option<VolumeMesh>>,
}

type Terrain = (
    Entity,
    &'static mut TerrainState,
    &'static TerrainViewers,
    &'static TerrainOrigin,
    &'static VertexPool,
    Option<&'static TerrainVolumes>,
    Option<&'static mut VolumeStore>,
    Option<&'static mut DrawnVolumes>,
    Has<OwnMaterial>,
);

type Drawn<'w, 's> =
    Query<'w, 's, (&'static mut Transform, &'static mut MeshMaterial3d<TerrainMaterial>, &'static mut MeshTag)>;

/// Builds and shows what is near viewers.
pub(super) fn draw(
    mut commands: Commands,
    mut terrains: Query<Terrain>,
    mut entities: Drawn,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    for (terrain, mut state, viewers, origin, pool, volumes, store, drawn, has_own_material) in &mut terrains {
        let state = state.bypass_change_detection();
        let (Some(mut store), Some(mut drawn)) = (store, drawn) else {
            if volumes.is_some_and(|volumes| !volumes.is_empty()) || state.scatters_volumes() {
                commands.entity(terrain).insert((VolumeStore::default(), DrawnVolumes::default()));
                state.outstanding_mut().volumes = 1;
            }
            continue;
        };
        let (Some(land), Some(ranges)) = (state.shown_land(), state.ranges()) else { continue };
        let store = &mut *store;
        let coming = state.coming_land();
        store.follow(&land);
        store.follow_meshes(state.half_meshes());
        let wanted = if has_own_material {
            Vec::new()
        } else {
            store.nearby.update(&land, viewers);
            store.nearby.wanted(volumes, land.descriptor().lod.spacing, viewers)
        };
        store.note_wanted(&wanted);
        store.take_built(&mut meshes);
        let spawner = &mut Spawner { commands: &mut commands, terrain, origin, pool };
        for volume in store.volumes.values_mut() {
            volume.forget_lost(&entities);
            volume.pass_frame(&land, coming.as_ref(), spawner);
        }
        for Wanted { hole, .. } in &wanted {
            if let Some(volume) = store.volumes.get_mut(&hole.key) {
                volume.plan(&Layout { hole, ranges, viewers: viewers.as_slice() }, &land, coming.as_ref());
            }
        }
        store.begin_builds(std::iter::once(&land).chain(&coming), &wanted);
        store.volumes.values().for_each(|volume| volume.place(&mut entities, origin, pool));
        let mut has_opened = false;
        // While other land is coming, room would be made in that as well, and that would begin again.
        if coming.is_none() {
            let can_open = pool.draws_volumes && pool.draws_holes;
            let is_shown = |key: VolumeKey| store.volumes.get(&key).is_some_and(OnScreen::is_shown);
            let open = wanted.iter().map(|wanted| &wanted.hole).filter(|hole| can_open && is_shown(hole.key));
            has_opened = drawn.set_if_neq(DrawnVolumes::new(open.cloned().collect()));
        }
        store.volumes.retain(|&key, volume| {
            let is_needed = volume.is_wanted || state.draws_volume(key);
            if !is_needed {
                volume.remove(&mut commands);
            }
            is_needed
        });
        let pending = store.pending() + u32::from(has_opened);
        let is_fading = store.volumes.values().any(OnScreen::is_fading);
        let of_state = state.outstanding_mut();
        (of_state.volumes, of_state.fading_volumes) = (pending, is_fading);
    }
}

impl VolumeStore {
    /// Notes where edits have changed the land.
    fn follow(&mut self, land: &Land) {
        let (generation, revision) = (land.generation(), land.revision());
        if self.land.0 == generation && self.land.1 != revision {
            let changes = land.changes_since(self.land.1);
            self.volumes.values_mut().for_each(|volume| volume.note_changes(changes.as_deref()));
        }
        self.land = (generation, revision);
    }

    /// Has all pieces built again where the land around is drawn with other meshes from now on.
    fn follow_meshes(&mut self, half_meshes: bool) {
        if std::mem::replace(&mut self.half_meshes, half_meshes) != half_meshes {
            self.volumes.values_mut().for_each(|volume| volume.note_changes(None));
        }
    }

    /// The number of pending pieces, plus one while a search for volumes is under way.
    fn pending(&self) -> u32 {
        let pieces: usize = self.volumes.values().map(OnScreen::pending).sum();
        pieces as u32 + u32::from(self.nearby.is_searching())
    }

    fn note_wanted(&mut self, wanted: &[Wanted]) {
        self.volumes.values_mut().for_each(|volume| volume.is_wanted = false);
        for Wanted { hole, .. } in wanted {
            self.volumes.entry(hole.key).or_default().is_wanted = true;
        }
    }

    /// Takes over what has been built.
    fn take_built(&mut self, meshes: &mut Assets<Mesh>) {
        for mut building in std::mem::take(&mut self.building) {
            match block_on(poll_once(&mut building.task)) {
                Some(built) => {
                    if let Some(volume) = self.volumes.get_mut(&building.key) {
                        volume.take(&building.hole, building.generation, building.place, built, meshes);
                    }
                }
                None => self.building.push(building),
            }
        }
    }

    /// Begins to build what is wanted and is not there: of the land on screen before that which comes, the nearest first.
    fn begin_builds<'a>(&mut self, lands: impl Iterator<Item = &'a Land<'a>>, wanted: &[Wanted]) {
        let pool = AsyncComputeTaskPool::get();
        // That leaves the pool to the land.
        let room = (pool.thread_num() / 2).clamp(1, MOST_TASKS);
        let mut cost: f32 = self.building.iter().map(|building| building.place.cost()).sum();
        for land in lands {
            for Wanted { hole, .. } in wanted {
                let Some(volume) = self.volumes.get_mut(&hole.key) else { continue };
                while cost < room as f32 && self.building.len() < COARSE * room {
                    let Some((hole, place)) = volume.next_piece(land.generation()) else { break };
                    let source = land.descriptor().source.clone();
                    let task = pool.spawn(build(hole.clone(), place, source, self.half_meshes));
                    let (key, generation) = (hole.key, land.generation());
                    cost += place.cost();
                    self.building.push(Building { key, hole, generation, place, task });
                }
            }
        }
    }
}

async fn build(
    hole: Arc<VolumeHole>,
    place: Place,
    source: Arc<dyn HeightSource>,
    half_meshes: bool,
) -> Option<VolumeMesh> {
    // A source that panics must not end the app.
    let build = || VolumeMesh::build(&hole, source.as_ref(), &place.rect, place.level, half_meshes);
    catch_unwind(AssertUnwindSafe(build)).ok().flatten()
}
