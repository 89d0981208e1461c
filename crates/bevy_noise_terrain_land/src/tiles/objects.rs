//! Trunks and rocks on tiles.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::tasks::{ComputeTaskPool, TaskPool};

use super::store::TileStore;
use super::tile::TerrainTile;
use crate::edits::Rect;
use crate::scatter::{RemovedScatter, ScatterMap, ScatterObject, ScatterQuery, ScatterSolid};

/// Tiles whose objects are placed in a tick.
const TILES_PER_TICK: usize = 16;

/// A trunk or a rock near bodies: an entity, child of its [`TerrainTile`], with a [`ScatterObject`] that tells which it is.
/// [`TerrainTiles::objects`](super::TerrainTiles::objects) switches them on.
///
/// Its transform scales the solid, one metre high, to the object's size. It leaves when the object is
/// [removed](RemovedScatter), and comes back with it. After a change of the land, those of many tiles are placed over some
/// ticks, the ones that were needed first before the others.
#[derive(Component, Clone, Copy, Debug)]
#[component(immutable)]
pub struct TileObject {
    terrain: Entity,
    solid: ScatterSolid,
}

impl TileObject {
    /// The terrain it stands on.
    pub fn terrain(&self) -> Entity {
        self.terrain
    }

    /// Its shape.
    pub fn solid(&self) -> ScatterSolid {
        self.solid
    }
}

/// The tiles of a terrain that lack their objects, and what those that have them do not show.
#[derive(Default)]
pub struct TileObjects {
    lacking: VecDeque<Entity>,
    removed: RemovedScatter,
    /// The revision of the settings that the objects are of; `None` if there are none.
    revision: Option<u64>,
}

/// A tile one of whose objects the app has despawned.
#[derive(Component)]
pub(crate) struct LostObject;

/// Has the objects of a tile placed again when the app despawns one that is not removed.
pub(crate) fn on_lost_object(
    removed: On<Remove<TileObject>>,
    parents: Query<&ChildOf, With<TileObject>>,
    tiles: Query<(), With<TerrainTile>>,
    mut commands: Commands,
) {
    let Ok(tile) = parents.get(removed.entity).map(ChildOf::parent) else { return };
    if tiles.contains(tile) {
        commands.entity(tile).try_insert(LostObject);
    }
}

/// Places the objects of new tiles, and those that have been removed or restored.
pub(crate) fn place_objects(
    mut commands: Commands,
    mut terrains: Query<(Entity, &mut TileStore, Option<&RemovedScatter>)>,
    scatter: ScatterQuery,
    new_tiles: Query<(Entity, &TerrainTile), Added<TerrainTile>>,
    tiles: Query<(Entity, &TerrainTile, &GlobalTransform)>,
    lost: Query<(Entity, &TerrainTile), With<LostObject>>,
    moved: Query<(&GlobalTransform, &Children), (With<TerrainTile>, Changed<GlobalTransform>)>,
    mut objects: Query<
        (Entity, &ChildOf, &TileObject, &ScatterObject, &Transform, &mut GlobalTransform),
        Without<TerrainTile>,
    >,
) {
    for (tile, children) in &moved {
        for &child in children {
            if let Ok((.., place, mut global)) = objects.get_mut(child) {
                *global = *tile * *place;
            }
        }
    }
    for (terrain, mut store, removed) in &mut terrains {
        let revision = if store.settings.objects { scatter.revision_of(terrain) } else { None };
        let TileStore { objects: state, touched, has_new_land, .. } = &mut *store;
        let has_changed = std::mem::replace(&mut state.revision, revision) != revision;
        if has_changed {
            for (object, parent, ..) in objects.iter().filter(|(_, _, object, ..)| object.terrain == terrain) {
                commands.entity(object).try_despawn();
                commands.entity(parent.parent()).try_remove::<LostObject>();
                // What lies on them falls.
                *touched = vec![Rect::EVERYWHERE];
                *has_new_land = true;
            }
            state.lacking.clear();
        }
        if revision.is_none() {
            continue;
        }
        let removed = removed.cloned().unwrap_or_default();
        if has_changed {
            let all = tiles.iter().filter(|(_, tile, _)| tile.terrain() == terrain).map(|(entity, ..)| entity);
            state.lacking = all.collect();
        } else {
            let new = new_tiles.iter().filter(|(_, tile)| tile.terrain() == terrain).map(|(entity, _)| entity);
            state.lacking.extend(new);
            let mut again: Vec<Entity> =
                lost.iter().filter(|(_, tile)| tile.terrain() == terrain).map(|(entity, _)| entity).collect();
            let changed = state.removed.differences(&removed);
            if !changed.is_empty()
                && let Some(map) = scatter.map_of(terrain)
            {
                let reaches = changed.iter().filter_map(|(cell, kinds)| map.solid_reach(*cell, *kinds));
                if let Some(reach) = reaches.reduce(Rect::join) {
                    touched.push(reach);
                    *has_new_land = true;
                }
                let is_touched = |tile: &TerrainTile| changed.iter().any(|(cell, _)| map.is_in(*cell, tile.key()));
                let all = tiles.iter().filter(|(_, tile, _)| tile.terrain() == terrain && is_touched(tile));
                again.extend(all.map(|(entity, ..)| entity));
            }
            for entity in again {
                for (object, ..) in objects.iter().filter(|(_, parent, ..)| parent.parent() == entity) {
                    commands.entity(object).try_despawn();
                }
                commands.entity(entity).try_remove::<LostObject>();
                if !state.lacking.contains(&entity) {
                    state.lacking.push_front(entity);
                }
            }
        }
        state.removed = removed;
        let mut now = Vec::new();
        while now.len() < TILES_PER_TICK
            && let Some(tile) = state.lacking.pop_front()
        {
            // It may have gone meanwhile.
            now.extend(tiles.get(tile));
        }
        if !now.is_empty()
            && let Some(map) = scatter.map_of(terrain)
        {
            for ((entity, tile, global), found) in now.iter().zip(place_all(&map, &now)) {
                for (object, solid) in found {
                    let place = place_on(tile, &object);
                    commands.spawn((object, place, **global * place, ChildOf(*entity), TileObject { terrain, solid }));
                }
            }
        }
    }
}

/// Where an object is, relative to the middle of its tile at height 0.
fn place_on(tile: &TerrainTile, object: &ScatterObject) -> Transform {
    let square = tile.key().square(tile.spacing());
    let [x, z] = square.min.map(|metres| metres + 0.5 * square.width);
    Transform {
        translation: (object.position - DVec3::new(x, 0.0, z)).as_vec3(),
        rotation: object.rotation,
        scale: Vec3::splat(object.size),
    }
}

/// The solid objects of some tiles, on all cores.
fn place_all(
    map: &ScatterMap,
    tiles: &[(Entity, &TerrainTile, &GlobalTransform)],
) -> Vec<Vec<(ScatterObject, ScatterSolid)>> {
    let of_tile = |tile: &TerrainTile| {
        let objects = || map.solid_objects_of(tile.ground());
        // Nothing stands where the source panics; that has been told when the tile was sampled, or its chunk.
        catch_unwind(AssertUnwindSafe(objects)).unwrap_or_default()
    };
    if let [(_, tile, _)] = tiles {
        return vec![of_tile(tile)];
    }
    let pool = ComputeTaskPool::get_or_init(TaskPool::default);
    pool.scope(|scope| {
        for (_, tile, _) in tiles {
            scope.spawn(async { of_tile(tile) });
        }
    })
}
