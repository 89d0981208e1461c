//! Draws volumes: one mesh each, as detailed as the land around it.
//!
//! A mesh is built in the background and given to Bevy; two frames later the graphics card has it, and it takes the place of the
//! one before. The land is cut open once a volume is drawn, and a volume goes once the land is whole again.

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
use crate::lod::{Ranges, Viewer};
use crate::source::HeightSource;
use crate::streaming::{Land, TerrainState};
use crate::terrain::TerrainOrigin;
use crate::viewer::TerrainViewers;
use crate::volumes::{COARSEST, DrawnVolumes, TerrainVolumes, VolumeId, VolumeMesh};

/// Beyond as many times its width, a volume is not drawn.
const FARTHEST: f64 = 60.0;
/// Frames until the graphics card has what it is given.
const FRAMES: u32 = 2;
/// A level is built when the viewer comes within this part of its range more, so that it is there when it is needed.
const AHEAD: f64 = 0.85;

/// The meshes of a terrain's volumes.
#[derive(Component, Default)]
pub(super) struct VolumeStore {
    slots: HashMap<VolumeId, Slot>,
    /// The one that is being built: one at a time leaves the task pool to the land.
    building: Option<(VolumeId, Version, Task<Option<VolumeMesh>>)>,
    /// The generation on screen, and how many of its changes have been looked at.
    land: (u64, u64),
}

#[derive(Default)]
struct Slot {
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
    Has<OwnMaterial>,
);

/// Builds and shows what is near viewers.
pub(super) fn draw(
    mut commands: Commands,
    mut terrains: Query<Terrain>,
    mut parts: Query<(&mut Transform, &mut MeshMaterial3d<TerrainMaterial>)>,
    mut drawn: Query<&mut DrawnVolumes>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    for (terrain, state, viewers, origin, pool, volumes, store, has_own_material) in &mut terrains {
        let Some(mut store) = store else {
            if volumes.is_some_and(|volumes| !volumes.is_empty()) {
                commands.entity(terrain).insert((VolumeStore::default(), DrawnVolumes::default()));
            }
            continue;
        };
        let (Some(land), Some(ranges)) = (state.shown_land(), state.ranges()) else { continue };
        let store = &mut *store;
        let spacing = land.descriptor().lod.spacing;
        // All that should be there, the nearest first.
        let mut wanted: Vec<(f64, VolumeHole)> = Vec::new();
        if let Some(volumes) = volumes.filter(|_| !has_own_material) {
            for hole in volumes.holes(spacing, |_| true) {
                let rect = hole.volume.rect(spacing);
                let distance = distance(&rect, viewers);
                let width = (rect.max[0] - rect.min[0]).max(rect.max[1] - rect.min[1]);
                if distance < FARTHEST * width {
                    wanted.push((distance, hole));
                }
            }
        }
        wanted.sort_by(|a, b| a.0.total_cmp(&b.0));
        store.follow(&land);

        // What has been built.
        if let Some((id, version, task)) = &mut store.building
            && let Some(built) = block_on(poll_once(task))
        {
            let (id, version) = (*id, version.clone());
            store.building = None;
            let slot = store.slots.entry(id).or_default();
            match built {
                Some(VolumeMesh { mesh, bounds }) => {
                    slot.next = Some(Built { version, mesh: meshes.add(mesh), bounds, frames: 0 });
                }
                None => {
                    warn!("volume {} could not be built: its land has no heights, or it has too many cells", id.0);
                    slot.failed = Some(version);
                }
            }
        }

        // What takes the screen.
        for (&id, slot) in &mut store.slots {
            if let Some(shown) = &mut slot.shown {
                shown.frames += 1;
            }
            let Some(next) = &mut slot.next else { continue };
            next.frames += 1;
            let is_wanted = wanted.iter().any(|(_, hole)| hole.id == id);
            if next.frames < FRAMES || next.version.generation > land.generation() {
                continue;
            }
            let Some(Built { version, mesh, bounds, .. }) = slot.next.take().filter(|_| is_wanted) else { continue };
            let parts = (Mesh3d(mesh), MeshTag(u32::from(version.level)), bounds);
            match &mut slot.shown {
                Some(shown) => {
                    commands.entity(shown.entity).insert(parts);
                    shown.version = version;
                }
                None => {
                    let material = MeshMaterial3d(pool.volume_material.clone());
                    let at = Transform::from_translation(corner(&version, origin));
                    let part = (DrawnPart, material, NoAutoAabb, at, Visibility::default(), ChildOf(terrain));
                    let entity = commands.spawn((parts, part)).id();
                    slot.shown = Some(Shown { entity, version, frames: 0 });
                }
            }
        }

        // What is to be built.
        if store.building.is_none() {
            let coming = state.coming_land();
            let lands = std::iter::once(&land).chain(&coming);
            let next = lands.flat_map(|of| wanted.iter().map(move |wanted| (of, wanted))).find_map(
                |(of, (distance, hole))| {
                    let slot = store.slots.entry(hole.id).or_default();
                    let is_coming = of.generation() != land.generation();
                    let shown = slot.shown.as_ref().map(|shown| shown.version.level);
                    let level = level(ranges, *distance, shown);
                    let hole = Arc::new(hole.clone());
                    let changes = if is_coming { 0 } else { slot.changes };
                    let version = Version { hole, level, generation: of.generation(), changes };
                    let is_known =
                        slot.shown.iter().map(|shown| &shown.version).chain(slot.next.iter().map(|next| &next.version));
                    let is_known = is_known.chain(&slot.failed).any(|known| *known == version);
                    (!is_known).then(|| (version, of.descriptor().source.clone()))
                },
            );
            if let Some((version, source)) = next {
                let task = AsyncComputeTaskPool::get().spawn(build(version.clone(), source));
                store.building = Some((version.hole.id, version, task));
            }
        }

        // Where they are.
        for slot in store.slots.values() {
            if let Some(shown) = &slot.shown
                && let Ok((mut transform, mut material)) = parts.get_mut(shown.entity)
            {
                let at = corner(&shown.version, origin);
                if transform.translation != at {
                    transform.translation = at;
                }
                if material.0 != pool.volume_material {
                    material.0 = pool.volume_material.clone();
                }
            }
        }

        // Where the land makes room for them.
        let is_shown = |hole: &VolumeHole| {
            let slot = store.slots.get(&hole.id);
            slot.and_then(|slot| slot.shown.as_ref()).is_some_and(|shown| shown.frames >= FRAMES)
        };
        let open: Vec<VolumeId> = if pool.draws_volumes && pool.draws_holes {
            wanted.iter().filter(|(_, hole)| is_shown(hole)).map(|(_, hole)| hole.id).collect()
        } else {
            Vec::new()
        };
        if let Ok(mut drawn) = drawn.get_mut(terrain) {
            drawn.set_if_neq(DrawnVolumes(open));
        }
        store.slots.retain(|&id, slot| {
            let is_wanted = wanted.iter().any(|(_, hole)| hole.id == id);
            let is_open = state.draws_volume(id);
            if !is_wanted
                && !is_open
                && let Some(shown) = slot.shown.take()
            {
                commands.entity(shown.entity).try_despawn();
            }
            is_wanted || is_open
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
}

async fn build(version: Version, source: Arc<dyn HeightSource>) -> Option<VolumeMesh> {
    // A source that panics must not end the app.
    let build = || VolumeMesh::build(&version.hole, source.as_ref(), version.level);
    catch_unwind(AssertUnwindSafe(build)).ok().flatten()
}

/// Metres to the nearest viewer.
fn distance(rect: &Rect, viewers: &TerrainViewers) -> f64 {
    let distance = |viewer: &Viewer| {
        let [x, z] = [0, 1]
            .map(|axis| (rect.min[axis] - viewer.position[axis]).max(viewer.position[axis] - rect.max[axis]).max(0.0));
        (x * x + z * z + viewer.height * viewer.height).sqrt()
    };
    viewers.as_slice().iter().map(distance).fold(f64::INFINITY, f64::min)
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
