//! Colliders of trunks and rocks.

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_noise_terrain::scatter::ScatterSolid;
use bevy_rapier3d::parry::shape::SharedShape;
use bevy_rapier3d::prelude::*;

use crate::{TerrainColliders, TileObject};

/// The hull of each solid, one metre high: all objects of its kind share it.
#[derive(Resource, Default)]
pub(crate) struct Hulls(HashMap<ScatterSolid, Option<SharedShape>>);

/// Makes a trunk or a rock a fixed body.
pub(crate) fn add_collider(
    added: On<Add<TileObject>>,
    objects: Query<&TileObject>,
    settings: Res<TerrainColliders>,
    mut hulls: ResMut<Hulls>,
    mut commands: Commands,
) {
    let Ok(object) = objects.get(added.entity) else { return };
    let hull = hulls.0.entry(object.solid()).or_insert_with_key(|solid| SharedShape::convex_hull(&solid.points()));
    let Some(hull) = hull else { return };
    commands.entity(added.entity).insert((RigidBody::Fixed, Collider::from(hull.clone()), settings.groups));
}
