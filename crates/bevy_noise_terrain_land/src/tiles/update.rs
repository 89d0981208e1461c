//! Keeps tiles under every anchor.

use bevy::prelude::*;
use bevy::transform::helper::TransformHelper;

use super::anchor::{Reach, TerrainBody, TileAnchor};
use super::frame::Frame;
use super::settings::TerrainTiles;
use super::slots::Hold;
use super::store::TileStore;
use super::tile::TerrainTile;
use crate::chunk::ChunkKey;
use crate::settings;
use crate::streaming::{LandSettings, TerrainState};
use crate::terrain::{NoiseTerrain, TerrainOrigin};

/// Ticks of motion for which tiles must be there: the engine may move a body by a little more than its velocity says.
const TICKS: f32 = 2.0;

type Terrain = (
    Entity,
    LandSettings,
    &'static TerrainState,
    &'static TerrainOrigin,
    Ref<'static, TerrainTiles>,
    &'static mut TileStore,
);

/// Lets every anchor hold the tiles under it, and spawns those that are missing.
pub(crate) fn update_tiles(
    mut commands: Commands,
    mut terrains: Query<Terrain>,
    anchors: Query<(Entity, Ref<TileAnchor>, Option<&TerrainBody>)>,
    mut removed: RemovedComponents<TileAnchor>,
    transforms: TransformHelper,
    time: Res<Time>,
) {
    let gone: Vec<Entity> = removed.read().filter(|&entity| !anchors.contains(entity)).collect();
    for (terrain, settings, state, origin, tiles, mut store) in &mut terrains {
        if tiles.is_changed() {
            match tiles.validate() {
                Ok(()) => store.settings = *tiles,
                Err(error) => settings::reject(&mut commands, Some(terrain), error),
            }
        }
        let transform = transforms.compute_global_transform(terrain).ok();
        let Some(frame) = transform.and_then(|transform| Frame::new(&transform, *origin)) else {
            // Anchors that change meanwhile are looked at once the terrain is somewhere again.
            store.frame = None;
            continue;
        };
        // Before the first frame the land is that of the settings.
        let follows_settings = state.generation().is_none();
        let has_changed = settings.is_reshaped() || settings.is_edited();
        let has_new_land = store.is_outdated(state) || follows_settings && has_changed;
        if has_new_land {
            let positions = anchors.iter().map(|(entity, anchor, _)| (entity, anchor.position));
            store.note_grounds(positions);
            for tile in store.take_land(|| settings.surface(), state) {
                commands.entity(tile).try_despawn();
            }
        }
        let Some(spacing) = store.spacing() else { continue };
        let width = ChunkKey::new(0, 0, 0).width(spacing);
        let has_moved = store.frame.replace(frame) != Some(frame);
        for &anchor in &gone {
            store.release(anchor);
        }
        for (entity, anchor, body) in &anchors {
            if has_moved || has_new_land || anchor.is_changed() {
                let [needed, soon] = reaches(&anchor, body, &frame, time.delta_secs(), store.settings.lookahead);
                // As long as it is within them, it keeps its tiles: to know that is cheap.
                let keeps = |held: &Hold| held.needed.covers(&needed, width) && held.soon.covers(&soon, width);
                if has_new_land || !store.slots.held_by(entity).is_some_and(keeps) {
                    let hold = || Some(Hold { needed: needed.area(width)?, soon: soon.area(width)? });
                    store.slots.hold(entity, hold());
                }
            }
        }
        if has_moved {
            store.place_tiles(&mut commands);
        }
        store.take_finished(&mut commands, terrain);
        store.spawn_missing(&mut commands, terrain, state);
        store.request_soon(state);
        for tile in store.evict() {
            commands.entity(tile).try_despawn();
        }
    }
}

/// What an anchor reaches in the next ticks, and soon.
fn reaches(anchor: &TileAnchor, body: Option<&TerrainBody>, frame: &Frame, tick: f32, lookahead: f32) -> [Reach; 2] {
    let position = frame.position(anchor.position);
    let velocity = frame.motion(anchor.velocity);
    let radius = frame.length(anchor.radius + body.map_or(0.0, |body| body.margin.max(0.0)));
    [TICKS * tick, lookahead.max(TICKS * tick)].map(|seconds| {
        let motion = [velocity.x, velocity.z].map(|speed| speed * f64::from(seconds));
        Reach::swept([position.x, position.z], motion, radius)
    })
}

/// Has tiles spawned again that the app despawns.
pub(crate) fn on_lost_tile(
    removed: On<Remove<TerrainTile>>,
    tiles: Query<&TerrainTile>,
    mut stores: Query<&mut TileStore>,
) {
    let Ok(tile) = tiles.get(removed.entity) else { return };
    if let Ok(mut store) = stores.get_mut(tile.terrain()) {
        // Those that are of no use any more have been forgotten.
        store.slots.forget_entity([tile.key().x, tile.key().z], removed.entity);
    }
}

/// A terrain without its settings has no tiles.
pub(crate) fn on_remove(removed: On<Remove<NoiseTerrain>>, mut stores: Query<&mut TileStore>, mut commands: Commands) {
    if let Ok(mut store) = stores.get_mut(removed.entity) {
        for tile in store.close() {
            commands.entity(tile).try_despawn();
        }
    }
}
