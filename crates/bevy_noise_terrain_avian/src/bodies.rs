//! Bodies as anchors of tiles, and what happens to them when they get below the ground.

use avian3d::prelude::*;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;

use crate::{BodyLifted, GroundChanged, TerrainBody, TerrainColliders, TileAnchor};

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
    mut bodies: Query<(&RigidBodyColliders, &mut TileAnchor), With<TerrainBody>>,
) {
    let touched: HashSet<Entity> = changed.iter().map(|of| of.body).chain(&marked).collect();
    for body in touched {
        let Ok((parts, mut anchor)) = bodies.get_mut(body) else { continue };
        let reaches = parts.iter().filter_map(|part| {
            let (collider, transform) = colliders.get(part).ok()?;
            let ball = collider.shape_scaled().compute_local_bounding_sphere();
            Some(transform.translation.length() + ball.center.length() + ball.radius)
        });
        let radius = reaches.fold(0.0, f32::max);
        if anchor.radius != radius && radius.is_finite() {
            anchor.radius = radius;
        }
    }
}

/// Puts anchors where bodies are. Those that sleep do not change.
pub(crate) fn gather(
    mut bodies: Query<
        (&Position, Option<&LinearVelocity>, &mut TileAnchor),
        (With<TerrainBody>, Or<(Changed<Position>, Changed<LinearVelocity>, Added<TerrainBody>)>),
    >,
) {
    for (position, velocity, mut anchor) in &mut bodies {
        let velocity = velocity.map_or(Vec3::ZERO, |velocity| velocity.0);
        let moved = TileAnchor { position: position.0, velocity, ..*anchor };
        anchor.set_if_neq(moved);
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
