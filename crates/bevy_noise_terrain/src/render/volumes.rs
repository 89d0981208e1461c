//! Draws volumes: one mesh each, as detailed as the land around it.
//!
//! A mesh is built in the background and given to Bevy; two frames later the graphics card has it, and it takes the place of the
//! one before. The land is cut open once a volume is drawn, and a volume goes once the land is whole again.

mod nearby;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bevy::camera::primitives::Aabb;
use bevy::camera::visibility::NoAutoAabb;
use bevy::mesh::MeshTag;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::tasks::{AsyncComputeTaskPool, Task, block_on, poll_once};

use super::material::{OwnMaterial, TerrainMaterial};
use super::pool::VertexPool;
use super::render_layers::DrawnPart;
use crate::edits::{Change, Rect, VolumeHole};
use crate::lod::Ranges;
use crate::source::HeightSource;
use crate::streaming::{Land, TerrainState};
use crate::terrain::TerrainOrigin;
use crate::viewer::TerrainViewers;
use crate::volumes::{COARSEST, DrawnVolumes, TerrainVolumes, VolumeKey, VolumeMesh};
use nearby::{Nearby, Wanted};

/// Frames until the graphics card has what it is given.
const FRAMES: u32 = 2;
/// A level is built when the viewer comes within this part of its range more, so that it is there when it is needed.
const AHEAD: f64 = 0.85;

/// The meshes of a terrain's volumes.
#[derive(Component, Default)]
pub(super) struct VolumeStore {
    nearby: Nearby,
    slots: HashMap<VolumeKey, Slot>,
    /// The one that is being built: one at a time leaves the task pool to the land.
    building: Option<(VolumeKey, Version, Task<Option<VolumeMesh>>)>,
    /// The generation on screen, and how many of its changes have been looked at.
    land: (u64, u64),
}

#[derive(Default)]
struct Slot {
    is_wanted: bool,
    /// How often edits have changed the land there since its generation came.
    changes: u64,
    shown: Option<Shown>,
    /// What will take its place.
    next: Option<Built>,
    /// What has been tried and could not be built.
    failed: Option<Version>,
}

/// What a mesh follows from.
#[derive(Clone)]
struct Version {
    hole: Arc<VolumeHole>,
    level: u8,
    generation: u64,
    changes: u64,
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        *self.hole == *other.hole
            && (self.level, self.generation, self.changes) == (other.level, other.generation, other.changes)
    }
}

struct Built {
    version: Version,
    mesh: Handle<Mesh>,
    bounds: Aabb,
    frames: u32,
}

struct Shown {
    entity: Entity,
    version: Version,
    frames: u32,
}

type Terrain = (
    Entity,
    &'static TerrainState,
    &'static TerrainViewers,
    &'static TerrainOrigin,
    &'static VertexPool,
    Option<&'static TerrainVolumes>,
    Option<&'static mut VolumeStore>,
    Option<&'static mut DrawnVolumes>,
    Has<OwnMaterial>,
);

type Parts<'w, 's> = Query<'w, 's, (&'static mut Transform, &'static mut MeshMaterial3d<TerrainMaterial>)>;

/// Builds and shows what is near viewers.
pub(super) fn draw(
    mut commands: Commands,
    mut terrains: Query<Terrain>,
    mut parts: Parts,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    for (terrain, state, viewers, origin, pool, volumes, store, drawn, has_own_material) in &mut terrains {
        let (Some(mut store), Some(mut drawn)) = (store, drawn) else {
            if volumes.is_some_and(|volumes| !volumes.is_empty()) || state.scatters_volumes() {
                commands.entity(terrain).insert((VolumeStore::default(), DrawnVolumes::default()));
            }
            continue;
        };
        let (Some(land), Some(ranges)) = (state.shown_land(), state.ranges()) else { continue };
        let store = &mut *store;
        store.follow(&land);
        let wanted = if has_own_material {
            Vec::new()
        } else {
            store.nearby.update(&land, viewers);
            store.nearby.wanted(volumes, land.descriptor().lod.spacing, viewers)
        };
        store.note_wanted(&wanted);
        store.take_built(&mut meshes);
        store.show_built(&land, |slot, built| slot.show(built, &mut commands, terrain, origin, pool));
        if store.building.is_none() {
            let coming = state.coming_land();
            store.build_next(std::iter::once(&land).chain(&coming), &wanted, ranges);
        }
        store.place_parts(&mut parts, origin, pool);
        // While other land is coming, room would be made in that as well, and that would begin again.
        if state.coming_land().is_none() {
            let can_open = pool.draws_volumes && pool.draws_holes;
            let open = wanted.iter().map(|wanted| &wanted.hole).filter(|hole| can_open && store.is_shown(hole.key));
            drawn.set_if_neq(DrawnVolumes::new(open.cloned().collect()));
        }
        store.slots.retain(|&key, slot| {
            let is_needed = slot.is_wanted || state.draws_volume(key);
            if !is_needed && let Some(shown) = slot.shown.take() {
                commands.entity(shown.entity).try_despawn();
            }
            is_needed
        });
    }
}

impl VolumeStore {
    /// Notes where edits have changed the land.
    fn follow(&mut self, land: &Land) {
        let (generation, revision) = (land.generation(), land.revision());
        if self.land.0 != generation {
            self.land = (generation, revision);
            self.slots.values_mut().for_each(|slot| slot.changes = 0);
        } else if self.land.1 != revision {
            let changes = land.changes_since(self.land.1);
            self.land.1 = revision;
            for slot in self.slots.values_mut() {
                let version = slot.shown.as_ref().map(|shown| &shown.version);
                let Some(version) = version.or(slot.next.as_ref().map(|next| &next.version)) else { continue };
                let rect = version.hole.volume.rect(version.hole.spacing).grown(4.0 * version.hole.spacing);
                let touches =
                    |changes: Vec<Change>| changes.iter().any(|change| !change.is_hole && change.rect.touches(&rect));
                slot.changes += u64::from(changes.clone().is_none_or(touches));
            }
        }
    }

    fn note_wanted(&mut self, wanted: &[Wanted]) {
        self.slots.values_mut().for_each(|slot| slot.is_wanted = false);
        for Wanted { hole, .. } in wanted {
            self.slots.entry(hole.key).or_default().is_wanted = true;
        }
    }

    /// Takes over what has been built.
    fn take_built(&mut self, meshes: &mut Assets<Mesh>) {
        let Some((key, version, mut task)) = self.building.take() else { return };
        let Some(built) = block_on(poll_once(&mut task)) else {
            self.building = Some((key, version, task));
            return;
        };
        let slot = self.slots.entry(key).or_default();
        match built {
            Some(VolumeMesh { mesh, bounds }) => {
                slot.next = Some(Built { version, mesh: meshes.add(mesh), bounds, frames: 0 });
            }
            None => {
                let [x, z] = version.hole.volume.center;
                warn!("the volume at {x}, {z} could not be built: its land has no heights, or it has too many cells");
                slot.failed = Some(version);
            }
        }
    }

    /// Shows what the graphics card has by now.
    fn show_built(&mut self, land: &Land, mut show: impl FnMut(&mut Slot, Built)) {
        for slot in self.slots.values_mut() {
            if let Some(shown) = &mut slot.shown {
                shown.frames += 1;
            }
            let Some(next) = &mut slot.next else { continue };
            next.frames += 1;
            if next.frames >= FRAMES
                && next.version.generation <= land.generation()
                && let Some(built) = slot.next.take().filter(|_| slot.is_wanted)
            {
                show(slot, built);
            }
        }
    }

    /// Begins to build the first that is wanted and is not there, of the land on screen before that which comes.
    fn build_next<'a>(&mut self, lands: impl Iterator<Item = &'a Land<'a>>, wanted: &[Wanted], ranges: &Ranges) {
        for land in lands {
            let is_coming = land.generation() != self.land.0;
            for Wanted { hole, distance } in wanted {
                let slot = self.slots.entry(hole.key).or_default();
                let level = level(ranges, *distance, slot.shown.as_ref().map(|shown| shown.version.level));
                let changes = if is_coming { 0 } else { slot.changes };
                let version = Version { hole: Arc::new(hole.clone()), level, generation: land.generation(), changes };
                if !slot.knows(&version) {
                    let task =
                        AsyncComputeTaskPool::get().spawn(build(version.clone(), land.descriptor().source.clone()));
                    self.building = Some((hole.key, version, task));
                    return;
                }
            }
        }
    }

    /// Moves what is shown to where it is, seen from the origin.
    fn place_parts(&self, parts: &mut Parts, origin: &TerrainOrigin, pool: &VertexPool) {
        for shown in self.slots.values().filter_map(|slot| slot.shown.as_ref()) {
            let Ok((mut transform, mut material)) = parts.get_mut(shown.entity) else { continue };
            let at = corner(&shown.version, origin);
            if transform.translation != at {
                transform.translation = at;
            }
            if material.0 != pool.volume_material {
                material.0 = pool.volume_material.clone();
            }
        }
    }

    /// Whether the graphics card draws a volume.
    fn is_shown(&self, key: VolumeKey) -> bool {
        let slot = self.slots.get(&key);
        slot.and_then(|slot| slot.shown.as_ref()).is_some_and(|shown| shown.frames >= FRAMES)
    }
}

impl Slot {
    /// Whether a version is there, or has been tried.
    fn knows(&self, version: &Version) -> bool {
        let shown = self.shown.iter().map(|shown| &shown.version);
        shown.chain(self.next.iter().map(|next| &next.version)).chain(&self.failed).any(|known| known == version)
    }

    fn show(
        &mut self,
        built: Built,
        commands: &mut Commands,
        terrain: Entity,
        origin: &TerrainOrigin,
        pool: &VertexPool,
    ) {
        let Built { version, mesh, bounds, .. } = built;
        let parts = (Mesh3d(mesh), MeshTag(u32::from(version.level)), bounds);
        match &mut self.shown {
            Some(shown) => {
                commands.entity(shown.entity).insert(parts);
                shown.version = version;
            }
            None => {
                let material = MeshMaterial3d(pool.volume_material.clone());
                let at = Transform::from_translation(corner(&version, origin));
                let part = (DrawnPart, material, NoAutoAabb, at, Visibility::default(), ChildOf(terrain));
                let entity = commands.spawn((parts, part)).id();
                self.shown = Some(Shown { entity, version, frames: 0 });
            }
        }
    }
}

async fn build(version: Version, source: Arc<dyn HeightSource>) -> Option<VolumeMesh> {
    // A source that panics must not end the app.
    let build = || VolumeMesh::build(&version.hole, source.as_ref(), version.level);
    catch_unwind(AssertUnwindSafe(build)).ok().flatten()
}

/// The level of the finest land there, or a finer one.
fn level(ranges: &Ranges, distance: f64, shown: Option<u8>) -> u8 {
    let of = |distance: f64| (0..COARSEST).find(|&level| ranges.of(level) > distance).unwrap_or(COARSEST);
    let [fine, coarse] = [of(AHEAD * distance), of(distance)];
    // Between the two, whatever is shown is kept.
    shown.filter(|shown| (fine..=coarse).contains(shown)).unwrap_or(fine)
}

/// The corner of least x and z of a box, relative to the terrain's origin.
fn corner(version: &Version, origin: &TerrainOrigin) -> Vec3 {
    let Rect { min, .. } = version.hole.volume.rect(version.hole.spacing);
    Vec3::new((min[0] - origin.x) as f32, 0.0, (min[1] - origin.z) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lod::TerrainLod;

    #[test]
    fn a_level_is_built_ahead_of_need_and_none_is_coarser_than_sides_are_exact() {
        let ranges = Ranges::full(&TerrainLod::default());
        let end = ranges.of(0);
        assert_eq!(level(&ranges, 0.0, None), 0);
        // On the way out it stays as it is, on the way in it comes early.
        assert_eq!([level(&ranges, 1.1 * end, Some(0)), level(&ranges, 1.1 * end, Some(1))], [0, 1]);
        assert_eq!(level(&ranges, 1.3 * end, Some(0)), 1);
        for distance in [1e4, 1e6, f64::INFINITY] {
            assert!(level(&ranges, distance, None) <= COARSEST);
        }
    }
}
