//! Colliders of trunks and rocks.

use avian3d::parry::shape::SharedShape;
use avian3d::prelude::*;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_noise_terrain::scatter::ScatterSolid;

use crate::{TerrainColliders, TileObject};

/// The hull of each solid, one metre high: all objects of its kind share it.
#[derive(Resource, Default)]
pub(crate) struct Hulls(HashMap<ScatterSolid, Option<SharedShape>>);

/// Makes a trunk or a rock a static body.
pub(crate) fn add_collider(
    added: On<Add<TileObject>>,
    objects: Query<(&TileObject, &GlobalTransform)>,
    settings: Res<TerrainColliders>,
    mut hulls: ResMut<Hulls>,
    mut commands: Commands,
) {
    let Ok((object, transform)) = objects.get(added.entity) else { return };
    let hull = hulls.0.entry(object.solid()).or_insert_with_key(|solid| SharedShape::convex_hull(&solid.points()));
    let Some(hull) = hull else { return };
    let mut collider = Collider::from(hull.clone());
    // Avian would only do so in the next tick.
    collider.set_scale(transform.scale(), 10);
    commands.entity(added.entity).insert((RigidBody::Static, collider, settings.layers));
}
