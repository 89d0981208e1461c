//! Finds the viewers of each terrain.

#[cfg(feature = "render")]
use bevy::camera::RenderTarget;
use bevy::ecs::entity::EntityHashSet;
use bevy::prelude::*;
use bevy::time::Real;
use bevy::transform::helper::TransformHelper;

use super::TerrainState;
use crate::lod::Viewer;
use crate::spawn_order::SpawnOrder;
use crate::terrain::{FARTHEST, TerrainOrigin};
use crate::viewer::{FreezeViewers, MAX_VIEWERS, TerrainViewer, TerrainViewers};

#[cfg(feature = "render")]
type Cameras<'w, 's> = Query<'w, 's, (Entity, &'static Camera, &'static RenderTarget), With<Camera3d>>;

/// The active cameras that draw to windows, or all active ones if none does, in the order in which they draw.
#[cfg(feature = "render")]
fn looking(cameras: Cameras) -> Vec<Entity> {
    let active = || cameras.iter().filter(|(_, camera, _)| camera.is_active);
    let in_windows = active().filter(|(.., target)| matches!(target, RenderTarget::Window(_)));
    let mut looking: Vec<_> = in_windows.collect();
    if looking.is_empty() {
        looking = active().collect();
    }
    looking.sort_by_key(|(_, camera, _)| camera.order);
    looking.into_iter().map(|(entity, ..)| entity).collect()
}

/// Finds the viewers of each terrain, in its own absolute coordinates. One whose transform, or whose terrain's, is no place stays
/// where it was.
pub(crate) fn find_viewers(
    marked: Query<(&SpawnOrder, Entity), With<TerrainViewer>>,
    #[cfg(feature = "render")] cameras: Cameras,
    mut terrains: Query<(Entity, &TerrainOrigin, &TerrainState, &mut TerrainViewers, Has<FreezeViewers>)>,
    transforms: TransformHelper,
    time: Res<Time<Real>>,
    mut displaced: Local<EntityHashSet>,
) {
    let mut marked: Vec<_> = marked.iter().collect();
    marked.sort_unstable();
    let entities: Vec<Entity> = marked.into_iter().map(|(_, entity)| entity).collect();
    #[cfg(feature = "render")]
    let entities = if entities.is_empty() { looking(cameras) } else { entities };
    let displaced_before = std::mem::take(&mut *displaced);
    for (terrain_entity, origin, state, mut viewers, frozen) in &mut terrains {
        if frozen {
            for viewer in &mut viewers.viewers {
                viewer.velocity = [0.0; 2];
            }
            viewers.measure_heights(|position| state.height(position));
            continue;
        }
        let Ok(terrain) = transforms.compute_global_transform(terrain_entity) else { continue };
        let local_from_world = terrain.affine().inverse();
        let before = std::mem::take(&mut *viewers);
        for &entity in entities.iter().take(MAX_VIEWERS) {
            let Ok(transform) = transforms.compute_global_transform(entity) else { continue };
            let local = local_from_world.transform_point3(transform.translation()).as_dvec3();
            let position = [origin.x + local.x, origin.z + local.z];
            let last = before.iter().find(|(other, _)| *other == entity).map(|(_, viewer)| viewer);
            if ![position[0], local.y, position[1]].iter().all(|at| at.abs() <= FARTHEST) {
                if displaced.insert(entity) && !displaced_before.contains(&entity) {
                    warn!(
                        "viewer {entity} stays where it was: found {local} m from {terrain_entity}, allowed is 1e12 m"
                    );
                }
                if let Some(last) = last {
                    viewers.entities.push(entity);
                    viewers.viewers.push(Viewer { velocity: [0.0; 2], ..*last });
                }
                continue;
            }
            let velocity = last.map_or([0.0; 2], |last| velocity(last, position, time.delta_secs_f64()));
            let height = last.map_or(0.0, |last| last.height);
            viewers.entities.push(entity);
            viewers.viewers.push(Viewer { position, altitude: local.y, height, velocity });
        }
        viewers.measure_heights(|position| state.height(position));
    }
}

/// Velocity in metres a second, smoothed over a few frames. A jump counts as no motion.
fn velocity(last: &Viewer, position: [f64; 2], seconds: f64) -> [f64; 2] {
    /// Faster than this is a teleport.
    const FASTEST: f64 = 20_000.0;
    const SMOOTHING_SECONDS: f64 = 0.1;
    if seconds <= 0.0 {
        return last.velocity;
    }
    let now = [0, 1].map(|axis| (position[axis] - last.position[axis]) / seconds);
    if now[0].abs().max(now[1].abs()) > FASTEST {
        return [0.0; 2];
    }
    let weight = (seconds / SMOOTHING_SECONDS).min(1.0);
    [0, 1].map(|axis| last.velocity[axis] + weight * (now[axis] - last.velocity[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocity_settles_on_the_motion_and_ignores_jumps() {
        let mut viewer = Viewer::default();
        for _ in 0..60 {
            let position = [viewer.position[0] + 2.0, viewer.position[1]];
            let velocity = velocity(&viewer, position, 0.01);
            viewer = Viewer { position, velocity, ..viewer };
        }
        assert!((viewer.velocity[0] - 200.0).abs() < 1.0, "{:?}", viewer.velocity);
        assert_eq!(velocity(&viewer, [1e6, 0.0], 0.01), [0.0; 2]);
    }
}
