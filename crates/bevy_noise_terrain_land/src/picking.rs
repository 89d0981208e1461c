//! A `bevy_picking` backend for the terrain (feature `picking`).
//!
//! ```no_run
//! # use bevy_noise_terrain_land as bevy_noise_terrain;
//! use bevy::prelude::*;
//! use bevy_noise_terrain::picking::TerrainPickingPlugin;
//! use bevy_noise_terrain::prelude::*;
//!
//! // `DefaultPlugins` with Bevy's feature `bevy_picking`.
//! App::new().add_plugins((DefaultPlugins, NoiseTerrainPlugin, TerrainPickingPlugin::default())).run();
//! ```
//!
//! The target of hits is the terrain's entity, as chunks come and go: an observer of `PointerClick` on it gets the
//! position, and objects behind a mountain are not hit through it. Water and plants are not hit. Hits are on the finest
//! [`Surface`](crate::Surface); distant land is drawn coarser, but differs only by about a pixel.

use bevy::camera::visibility::RenderLayers;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::shape::Ray3d;
use bevy_picking::backend::ray::{RayId, RayMap};
use bevy_picking::backend::{HitData, PointerHits};
use bevy_picking::{Pickable, PickingSystems};

use crate::query::LandFrame;
use crate::streaming::TerrainState;
use crate::terrain::TerrainOrigin;

/// Lets pointers hit terrains. Idle without Bevy's `PickingPlugin`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TerrainPickingPlugin {
    /// Greatest distance of hits from the camera, in metres: at most 10⁶; never beyond the end of the land.
    pub reach: f64,
}

impl Default for TerrainPickingPlugin {
    fn default() -> Self {
        Self { reach: 20_000.0 }
    }
}

#[derive(Resource)]
struct PickingReach(f64);

impl Plugin for TerrainPickingPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(PickingReach(self.reach))
            .add_systems(PreUpdate, pick_land.in_set(PickingSystems::Backend).run_if(resource_exists::<RayMap>));
    }
}

/// The inputs of a ray cast and its result.
struct Cast {
    ray: Ray3d,
    transform: GlobalTransform,
    origin: TerrainOrigin,
    /// Generation and revision of the land.
    version: (u64, u64),
    reach: f64,
    /// Distance, position and normal in world space.
    hit: Option<(f32, Vec3, Vec3)>,
}

/// Reports the pointers over each terrain. An unchanged ray is not cast again at unchanged land.
fn pick_land(
    rays: Res<RayMap>,
    most: Res<PickingReach>,
    cameras: Query<(&Camera, Option<&RenderLayers>)>,
    terrains: Query<(
        Entity,
        &TerrainState,
        &TerrainOrigin,
        &GlobalTransform,
        &InheritedVisibility,
        Option<&Pickable>,
        Option<&RenderLayers>,
    )>,
    mut casts: Local<HashMap<(Entity, RayId), Cast>>,
    mut hits: MessageWriter<PointerHits>,
) {
    casts.retain(|(terrain, id), _| terrains.contains(*terrain) && rays.map.contains_key(id));
    for (&id, &ray) in rays.iter() {
        let Ok((camera, camera_layers)) = cameras.get(id.camera) else { continue };
        let mut picks = Vec::new();
        for (terrain, state, &origin, &transform, visibility, pickable, layers) in &terrains {
            let (Some(land), Some(reach)) = (state.shown_land(), state.reach()) else { continue };
            let version = (land.generation(), land.revision());
            let is_seen = visibility.get()
                && camera_layers.cloned().unwrap_or_default().intersects(&layers.cloned().unwrap_or_default());
            if !is_seen || pickable.is_some_and(|pickable| !pickable.is_hoverable) {
                continue;
            }
            let reach = reach.min(most.0);
            let known = casts.get(&(terrain, id)).filter(|cast| {
                (cast.ray, cast.transform, cast.origin) == (ray, transform, origin)
                    && (cast.version, cast.reach) == (version, reach)
            });
            let hit = match known {
                Some(cast) => cast.hit,
                None => {
                    let hit = cast(state, ray, &transform, origin, reach);
                    casts.insert((terrain, id), Cast { ray, transform, origin, version, reach, hit });
                    hit
                }
            };
            if let Some((depth, position, normal)) = hit {
                picks.push((terrain, HitData::new(id.camera, depth, Some(position), Some(normal))));
            }
        }
        if !picks.is_empty() {
            hits.write(PointerHits::new(id.pointer, picks, camera.order as f32));
        }
    }
}

/// Casts a world-space ray at the land. Returns distance, position and normal in world space.
fn cast(
    state: &TerrainState,
    ray: Ray3d,
    transform: &GlobalTransform,
    origin: TerrainOrigin,
    reach: f64,
) -> Option<(f32, Vec3, Vec3)> {
    let frame = LandFrame::new(transform, origin);
    let (from, direction) = frame.ray(ray);
    let hit = state.surface()?.raycast(from, direction, reach)?;
    let position = frame.point(hit.position);
    Some((ray.origin.distance(position), position, frame.normal(hit.normal)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edits::{Edit, Hole, TerrainEdits, TerrainHoles};
    use crate::volumes::{TerrainVolume, TerrainVolumes, VolumeShape};
    use crate::{NoiseTerrain, NoiseTerrainPlugin, TerrainStats, TerrainViewer};
    use bevy::math::DVec3;
    use bevy_picking::pointer::PointerId;

    /// The hits of one frame.
    fn hits(app: &mut App) -> Vec<(Entity, HitData)> {
        app.world_mut().resource_mut::<Messages<PointerHits>>().clear();
        app.update();
        let mut messages = app.world_mut().resource_mut::<Messages<PointerHits>>();
        messages.drain().flat_map(|hits| hits.picks).collect()
    }

    #[test]
    fn a_pointer_at_rest_follows_the_land_below_it() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin, TerrainPickingPlugin::default()))
            .init_resource::<RayMap>()
            .add_message::<PointerHits>();
        let flat = NoiseTerrain { noise: terrain_noise::constant(3.0), ..default() };
        let parts = (TerrainEdits::default(), TerrainHoles::default(), TerrainVolumes::default());
        let terrain = app.world_mut().spawn((flat, parts, InheritedVisibility::VISIBLE)).id();
        let eye = Vec3::new(0.5, 100.0, 0.25);
        let camera = app.world_mut().spawn((Camera::default(), TerrainViewer, Transform::from_translation(eye))).id();
        (0..3).for_each(|_| app.update());
        let id = RayId::new(camera, PointerId::Mouse);
        app.world_mut().resource_mut::<RayMap>().map.insert(id, Ray3d::new(eye, Dir3::NEG_Y));
        let height = |hits: Vec<(Entity, HitData)>| hits.first().map(|(_, hit)| hit.position.unwrap().y);
        // Until the land on screen is as asked for.
        let settle = |app: &mut App| {
            for _ in 0..10_000 {
                let stats = app.world().get::<TerrainStats>(terrain).unwrap();
                if !stats.retuning && stats.missing == 0 {
                    return height(hits(app));
                }
                app.update();
                std::thread::yield_now();
            }
            panic!("the land does not come")
        };
        assert_eq!(settle(&mut app), Some(3.0));
        let at = DVec3::new(0.0, 3.0, 0.0);
        let raise = Edit::raise(at, 20.0, 10.0);
        let raise = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap().apply(raise).unwrap();
        app.update();
        let raised = settle(&mut app).unwrap();
        assert!((raised - 13.0).abs() < 0.1, "{raised}");
        app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap().undo(raise).unwrap();
        app.update();
        assert_eq!(settle(&mut app), Some(3.0));
        app.world_mut().get_mut::<TerrainHoles>(terrain).unwrap().apply(Hole::disc(at, 5.0)).unwrap();
        app.update();
        assert_eq!(settle(&mut app), None);
        app.world_mut().get_mut::<TerrainHoles>(terrain).unwrap().clear();
        app.update();
        assert_eq!(settle(&mut app), Some(3.0));
        let shapes = vec![VolumeShape::dig(at, at - DVec3::Y * 12.0, 4.0)];
        let volume = TerrainVolume { shapes, ..default() };
        app.world_mut().get_mut::<TerrainVolumes>(terrain).unwrap().apply(volume).unwrap();
        app.update();
        let floor = settle(&mut app).unwrap();
        assert!((floor - -13.0).abs() < 0.5, "the floor of the cave: {floor}");
    }

    #[test]
    fn a_click_on_a_mountain_hits_the_land() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, NoiseTerrainPlugin, TerrainPickingPlugin::default()))
            .init_resource::<RayMap>()
            .add_message::<PointerHits>();
        let settings = NoiseTerrain::default();
        let surface = settings.surface().unwrap();
        let origin = TerrainOrigin { x: 1e6, z: -2e6 };
        let at = Transform::from_xyz(50.0, -30.0, 0.0);
        let visible = InheritedVisibility::VISIBLE;
        let terrain = app.world_mut().spawn((settings, origin, at, visible)).id();
        let height = surface.height(origin.x, origin.z) as f32;
        let eye = Vec3::new(50.0, height + 470.0, 0.0);
        let camera = app.world_mut().spawn((Camera::default(), TerrainViewer, Transform::from_translation(eye))).id();
        for _ in 0..3 {
            app.update();
        }
        let direction = Dir3::new(Vec3::new(0.6, -0.5, 0.4)).unwrap();
        let id = RayId::new(camera, PointerId::Mouse);
        app.world_mut().resource_mut::<RayMap>().map.insert(id, Ray3d::new(eye, direction));
        let first = hits(&mut app);
        let [(entity, hit)] = first.as_slice() else { panic!("{first:?}") };
        let position = hit.position.unwrap();
        let ground = surface.height(f64::from(position.x - 50.0) + origin.x, f64::from(position.z) + origin.z) - 30.0;
        assert_eq!((*entity, hit.camera), (terrain, camera));
        assert!((f64::from(position.y) - ground).abs() < 0.05, "{position} over ground at {ground}");
        assert!((hit.depth - eye.distance(position)).abs() < 0.01 && hit.normal.unwrap().y > 0.0, "{hit:?}");
        assert_eq!(hits(&mut app), first, "an unchanged ray still hits");

        // No hits if it is not pickable, hidden or on another render layer, or if the ray goes up.
        app.world_mut().entity_mut(terrain).insert(Pickable::IGNORE);
        assert_eq!(hits(&mut app), []);
        app.world_mut().entity_mut(terrain).remove::<Pickable>().insert(InheritedVisibility::HIDDEN);
        assert_eq!(hits(&mut app), []);
        app.world_mut().entity_mut(terrain).insert((InheritedVisibility::VISIBLE, RenderLayers::layer(2)));
        assert_eq!(hits(&mut app), [], "the camera does not render this layer");
        app.world_mut().entity_mut(terrain).remove::<RenderLayers>();
        assert_eq!(hits(&mut app).len(), 1);
        app.world_mut().resource_mut::<RayMap>().map.insert(id, Ray3d::new(eye, Dir3::Y));
        assert_eq!(hits(&mut app), []);
    }
}
