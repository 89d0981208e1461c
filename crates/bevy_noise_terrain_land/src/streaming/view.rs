//! Finds the viewers of each terrain.

#[cfg(feature = "render")]
use bevy::camera::RenderTarget;
use bevy::ecs::entity::EntityHashSet;
use bevy::math::DVec3;
use bevy::prelude::*;
use bevy::time::Real;
use bevy::transform::helper::TransformHelper;

use super::TerrainState;
use crate::lod::Viewer;
use crate::spawn_order::SpawnOrder;
use crate::terrain::{FARTHEST, TerrainOrigin};
#[cfg(feature = "render")]
use crate::viewer::visible_height;
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

/// How far away the land may be that an orthographic camera sees, in metres.
#[cfg(feature = "render")]
const MAP_REACH: f64 = 1e5;

/// The eye from which Bevy's default lens sees as much of the land as an orthographic camera does, above the point in the middle
/// of the picture. `meets` returns where a ray meets the land.
#[cfg(feature = "render")]
fn eye_of_map(
    eye: DVec3,
    ahead: DVec3,
    visible_height: f64,
    meets: impl FnOnce(DVec3) -> Option<DVec3>,
    height: impl FnOnce([f64; 2]) -> Option<f64>,
) -> DVec3 {
    /// Tangent of half of the default lens's angle.
    const LENS: f64 = 0.414_213_562_373_095_03;
    let away = visible_height / (2.0 * LENS);
    let ahead = ahead.normalize_or(DVec3::NEG_Y);
    let at = meets(ahead).unwrap_or_else(|| {
        // One that looks along the land sees what is near.
        let at = eye + 2.0 * away * ahead;
        DVec3::new(at.x, height([at.x, at.z]).unwrap_or(eye.y), at.z)
    });
    at + away * DVec3::Y
}

/// Finds the viewers of each terrain, in its own absolute coordinates. One whose transform, or whose terrain's, is no place stays
/// where it was.
pub(crate) fn find_viewers(
    marked: Query<(&SpawnOrder, Entity), With<TerrainViewer>>,
    #[cfg(feature = "render")] cameras: Cameras,
    #[cfg(feature = "render")] lenses: Query<&Projection>,
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
            viewers.measure_heights(|viewer| state.distance_below(viewer));
            continue;
        }
        let Ok(terrain) = transforms.compute_global_transform(terrain_entity) else { continue };
        let local_from_world = terrain.affine().inverse();
        let before = std::mem::take(&mut *viewers);
        for &entity in entities.iter().take(MAX_VIEWERS) {
            let Ok(transform) = transforms.compute_global_transform(entity) else { continue };
            let local = local_from_world.transform_point3(transform.translation()).as_dvec3();
            let eye = DVec3::new(origin.x + local.x, local.y, origin.z + local.z);
            let last = before.iter().find(|(other, _)| *other == entity).map(|(_, viewer)| viewer);
            if !eye.to_array().iter().all(|at| at.abs() <= FARTHEST) {
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
            #[cfg(feature = "render")]
            let eye = match lenses.get(entity).ok().and_then(visible_height).filter(|height| *height > 0.0) {
                Some(height) => {
                    let ahead = local_from_world.transform_vector3(transform.affine().transform_vector3(Vec3::NEG_Z));
                    let height = f64::from(height * local_from_world.matrix3.determinant().abs().cbrt());
                    let meets = |ahead| Some(state.surface()?.raycast(eye, ahead, MAP_REACH)?.position);
                    eye_of_map(eye, ahead.as_dvec3(), height, meets, |at| state.height(at))
                }
                None => eye,
            };
            let position = [eye.x, eye.z];
            let velocity = last.map_or([0.0; 2], |last| velocity(last, position, time.delta_secs_f64()));
            let height = last.map_or(0.0, |last| last.height);
            viewers.entities.push(entity);
            viewers.viewers.push(Viewer { position, altitude: eye.y, height, velocity });
        }
        viewers.measure_heights(|viewer| state.distance_below(viewer));
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

    #[cfg(feature = "render")]
    #[test]
    fn a_map_is_seen_from_above_its_middle() {
        let hills = |[x, _]: [f64; 2]| Some(100.0 + 0.1 * x);
        let eye_of = |eye: DVec3, ahead: DVec3| {
            let meets = |ahead: DVec3| {
                let way = (100.0 + 0.1 * eye.x - eye.y) / (ahead.y - 0.1 * ahead.x);
                (way > 0.0 && way < 1e5).then(|| eye + way * ahead)
            };
            eye_of_map(eye, ahead, 200.0, meets, hills)
        };
        let away = 100.0 / (std::f64::consts::PI / 8.0).tan();
        let down = eye_of(DVec3::new(50.0, 5e3, -7.0), DVec3::NEG_Y);
        assert!(down.distance(DVec3::new(50.0, 105.0 + away, -7.0)) < 1e-9, "{down}");
        // Tilted, it looks ahead; how high it is does not matter.
        let ahead = DVec3::new(1.0, -0.5, 0.0);
        for up in [300.0, 9e3] {
            let tilted = eye_of(DVec3::new(-2.0 * (up - 100.0), up, 0.0), ahead);
            assert!(tilted.distance(DVec3::new(0.0, 100.0 + away, 0.0)) < 1e-6, "{tilted}");
        }
        // Level with the land, it stays near.
        let level = eye_of(DVec3::new(0.0, 101.0, 0.0), DVec3::NEG_X);
        assert!((-2.0 * away..=0.0).contains(&level.x) && level.is_finite(), "{level}");
    }

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
