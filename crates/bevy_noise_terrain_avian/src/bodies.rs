//! Bodies as anchors of tiles, and what happens to them when they get below the ground.

use avian3d::parry::math::Pose;
use avian3d::prelude::*;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;

use crate::reach::{self, Parts};
use crate::{BodyLifted, BodyShape, GroundChanged, TerrainBody, TerrainColliders, TileAnchor};

/// Gives dynamic bodies a [`TerrainBody`], if the app wants that.
pub(crate) fn mark_dynamic(
    inserted: On<Insert<RigidBody>>,
    bodies: Query<&RigidBody, Without<TerrainBody>>,
    settings: Res<TerrainColliders>,
    mut commands: Commands,
) {
    if settings.all_dynamic_bodies && bodies.get(inserted.entity).is_ok_and(RigidBody::is_dynamic) {
        commands.entity(inserted.entity).insert(TerrainBody::default());
    }
}

/// The same for bodies that were there before the app wanted it.
pub(crate) fn mark_present(
    settings: Res<TerrainColliders>,
    bodies: Query<(Entity, &RigidBody), Without<TerrainBody>>,
    mut commands: Commands,
) {
    if !settings.is_changed() || !settings.all_dynamic_bodies {
        return;
    }
    for (entity, _) in bodies.iter().filter(|(_, body)| body.is_dynamic()) {
        commands.entity(entity).insert(TerrainBody::default());
    }
}

/// Measures bodies whose colliders have changed.
pub(crate) fn measure(
    changed: Query<&ColliderOf, Or<(Changed<Collider>, Changed<ColliderTransform>, Changed<ColliderOf>)>>,
    marked: Query<Entity, Added<TerrainBody>>,
    colliders: Query<(&Collider, &ColliderTransform)>,
    mut bodies: Query<(&RigidBodyColliders, &Rotation, &mut TileAnchor), With<TerrainBody>>,
    mut commands: Commands,
) {
    let touched: HashSet<Entity> = changed.iter().map(|of| of.body).chain(&marked).collect();
    for body in touched {
        let Ok((parts, rotation, anchor)) = bodies.get_mut(body) else { continue };
        let parts = parts.iter().filter_map(|part| {
            let (collider, place) = colliders.get(part).ok()?;
            Some((Pose::from_parts(place.translation, place.rotation), collider.shape_scaled().clone()))
        });
        let parts: Parts = parts.collect();
        let radius = reach::radius(&parts);
        if !radius.is_finite() {
            continue;
        }
        anchor.map_unchanged(|anchor| &mut anchor.radius).set_if_neq(radius);
        let mut shape = BodyShape::new(move |direction| reach::reach(&parts, *direction));
        shape.rotation = rotation.0;
        commands.entity(body).try_insert(shape);
    }
}

type MovedBody = Or<(Changed<Position>, Changed<Rotation>, Changed<LinearVelocity>, Added<TerrainBody>)>;

/// Puts anchors where bodies are. Those that sleep do not change.
pub(crate) fn gather(
    mut bodies: Query<
        (&Position, &Rotation, Option<&LinearVelocity>, &mut TileAnchor, Option<&mut BodyShape>),
        (With<TerrainBody>, MovedBody),
    >,
) {
    for (position, rotation, velocity, mut anchor, shape) in &mut bodies {
        let velocity = velocity.map_or(Vec3::ZERO, |velocity| velocity.0);
        let moved = TileAnchor { position: position.0, velocity, ..*anchor };
        anchor.set_if_neq(moved);
        if let Some(mut shape) = shape {
            shape.rotation = rotation.0;
        }
    }
}

/// Lifts a body, and stops its fall.
pub(crate) fn raise(
    lifted: On<BodyLifted>,
    mut bodies: Query<(&mut Position, Option<&mut LinearVelocity>)>,
    mut commands: Commands,
) {
    let Ok((mut position, velocity)) = bodies.get_mut(lifted.entity) else { return };
    position.0 += lifted.by;
    if let Some(mut velocity) = velocity {
        let up = lifted.by.normalize_or_zero();
        let fall = velocity.0.dot(up).min(0.0);
        velocity.0 -= fall * up;
    }
    commands.queue(WakeBody(lifted.entity));
}

/// Wakes a body whose ground has changed.
pub(crate) fn wake(changed: On<GroundChanged>, mut commands: Commands) {
    commands.queue(WakeBody(changed.entity));
}
