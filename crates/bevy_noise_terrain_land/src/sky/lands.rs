//! What the sky asks of terrains: where land ends, how high a camera is above it, and where its sea level is.

use std::sync::Arc;

use bevy::camera::visibility::RenderLayers;
use bevy::ecs::system::SystemParam;
use bevy::math::{Affine3A, DVec2};
use bevy::prelude::*;
use bevy::transform::helper::TransformHelper;

use crate::climate::TerrainClimate;
use crate::spawn_order::SpawnOrder;
use crate::streaming::TerrainState;
use crate::terrain::TerrainOrigin;

/// A terrain.
type Terrain =
    (Entity, &'static SpawnOrder, &'static TerrainOrigin, &'static TerrainState, Option<&'static RenderLayers>);

/// All terrains, measured in metres of the scene, whatever their transforms and origins are.
#[derive(SystemParam)]
pub struct Lands<'w, 's> {
    terrains: Query<'w, 's, Terrain>,
    transforms: TransformHelper<'w, 's>,
}

/// Lands that reach less than this fraction of the farthest reach, such as a model on a table, do not count for haze.
const SMALL: f32 = 0.5;

/// A land that a camera draws.
struct Land<'a> {
    order: SpawnOrder,
    origin: &'a TerrainOrigin,
    state: &'a TerrainState,
    world_from_land: Affine3A,
    /// Metres of the scene to a metre of the land.
    scale: f32,
    /// Metres of the scene to its edge.
    reach: f32,
}

impl Lands<'_, '_> {
    /// The lands on some layers, all of them for `None`.
    fn on<'a>(&'a self, layers: Option<&'a RenderLayers>) -> impl Iterator<Item = Land<'a>> {
        self.terrains.iter().filter_map(move |(entity, order, origin, state, own)| {
            if !layers.is_none_or(|layers| layers.intersects(own.unwrap_or_default())) {
                return None;
            }
            let world_from_land = self.transforms.compute_global_transform(entity).ok()?.affine();
            let scale = world_from_land.matrix3.determinant().abs().cbrt();
            // Read from the state: settings on the component may have been rejected.
            let reach = state.reach()? as f32 * scale;
            (reach > 0.0 && reach.is_finite()).then_some(Land {
                order: *order,
                origin,
                state,
                world_from_land,
                scale,
                reach,
            })
        })
    }

    /// Metres to the edge of the land that reaches farthest, if there is any.
    pub fn edge(&self, layers: Option<&RenderLayers>) -> Option<f32> {
        self.on(layers).map(|land| land.reach).reduce(f32::max)
    }

    /// Metres of a camera above land or above height 0, whichever is nearer, if there is any land.
    pub fn altitude(&self, camera: Entity, layers: Option<&RenderLayers>) -> Option<f32> {
        let eye = self.transforms.compute_global_transform(camera).ok()?.translation();
        let least = SMALL * self.edge(layers)?;
        let altitudes = self.on(layers).filter(|land| land.reach >= least).filter_map(|land| land.altitude(eye));
        altitudes.reduce(f32::min)
    }

    /// What clouds keep to: the land that was spawned first.
    pub fn anchor(&self) -> Anchor {
        let Some(first) = self.on(None).min_by_key(|land| land.order) else { return Anchor::default() };
        let place = first.world_from_land.translation.as_dvec3();
        Anchor {
            origin: DVec2::new(first.origin.x - place.x, first.origin.z - place.z),
            sea_level: first.world_from_land.translation.y,
            climate: first.state.climate(),
        }
    }
}

/// Where a land is that clouds keep to.
#[derive(Default)]
pub struct Anchor {
    /// Absolute x and z of the scene's origin in metres.
    pub origin: DVec2,
    /// The y in the scene of height 0.
    pub sea_level: f32,
    pub climate: Arc<TerrainClimate>,
}

impl Land<'_> {
    fn altitude(&self, eye: Vec3) -> Option<f32> {
        let local = self.world_from_land.inverse().transform_point3(eye).as_dvec3();
        let height = self.state.height([self.origin.x + local.x, self.origin.z + local.z])?;
        let nearest = (local.y - height).abs().min(local.y.abs()) as f32 * self.scale;
        nearest.is_finite().then_some(nearest)
    }
}
