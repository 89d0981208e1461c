//! Bodies as anchors of tiles, and what happens to them when they get below the ground.

use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use bevy_rapier3d::parry::math::Pose;
use bevy_rapier3d::prelude::*;
use bevy_rapier3d::rapier::dynamics::RigidBody as Body3d;

use crate::reach::{self, Parts};
use crate::{BodyLifted, BodyShape, GroundChanged, TerrainBody, TerrainColliders, TileAnchor};

/// Gives dynamic bodies a [`TerrainBody`], if the app wants that.
pub(crate) fn mark_dynamic(
    inserted: On<Insert<RigidBody>>,
    bodies: Query<&RigidBody, Without<TerrainBody>>,
    settings: Res<TerrainColliders>,
    mut commands: Commands,
) {
    if settings.all_dynamic_bodies && bodies.get(inserted.entity).is_ok_and(|body| *body == RigidBody::Dynamic) {
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
    for (entity, _) in bodies.iter().filter(|(_, body)| **body == RigidBody::Dynamic) {
        commands.entity(entity).insert(TerrainBody::default());
    }
}

/// Measures bodies whose colliders have changed.
pub(crate) fn measure(
    changed: Query<Entity, Changed<Collider>>,
    marked: Query<Entity, Added<TerrainBody>>,
    parents: Query<&ChildOf>,
    children: Query<&Children>,
    colliders: Query<&Collider>,
    transforms: Query<&Transform>,
    has_body: Query<(), With<RigidBody>>,
    mut bodies: Query<&mut TileAnchor, With<TerrainBody>>,
    mut commands: Commands,
) {
    let owners = changed.iter().flat_map(|part| std::iter::once(part).chain(parents.iter_ancestors(part)));
    let touched: HashSet<Entity> = owners.chain(&marked).collect();
    for body in touched {
        let Ok(anchor) = bodies.get_mut(body) else { continue };
        let place = transforms.get(body).copied().unwrap_or_default();
        let parts = std::iter::once(body).chain(children.iter_descendants(body)).filter_map(|part| {
            let shape = colliders.get(part).ok()?.raw.clone();
            let way = std::iter::once(part).chain(parents.iter_ancestors(part)).take_while(|&entity| entity != body);
            let way: Vec<Entity> = way.collect();
            // Such a part is of another body.
            if way.iter().any(|&entity| has_body.contains(entity)) {
                return None;
            }
            let steps = way.iter().filter_map(|&entity| transforms.get(entity).ok());
            let on_body = steps.fold(Transform::IDENTITY, |below, step| *step * below);
            Some((Pose::from_parts(place.scale * on_body.translation, on_body.rotation), shape))
        });
        let parts: Parts = parts.collect();
        let radius = reach::radius(&parts);
        if !radius.is_finite() {
            continue;
        }
        anchor.map_unchanged(|anchor| &mut anchor.radius).set_if_neq(radius);
        let mut shape = BodyShape::new(move |direction| reach::reach(&parts, *direction));
        shape.rotation = place.rotation;
        commands.entity(body).try_insert(shape);
    }
}

type Body = (
    &'static Transform,
    &'static GlobalTransform,
    Has<ChildOf>,
    Option<&'static Velocity>,
    Option<Handle<'static>>,
    &'static mut TileAnchor,
    Option<&'static mut BodyShape>,
);

/// Where Rapier has a body.
type Handle<'a> = (&'a RapierRigidBodyHandle, &'a RapierContextEntityLink);

/// Puts anchors where bodies are. Those that sleep do not change.
pub(crate) fn gather(
    mut bodies: Query<Body, (With<TerrainBody>, Or<(Changed<Transform>, Changed<GlobalTransform>, Changed<Velocity>)>)>,
    sets: Query<&RapierRigidBodySet>,
) {
    for (transform, global, is_child, velocity, handle, mut anchor, shape) in &mut bodies {
        let of_engine = || {
            let (handle, context) = handle?;
            Some(sets.get(context.0).ok()?.bodies.get(handle.0)?.linvel())
        };
        let velocity = velocity.map(|velocity| velocity.linear).or_else(of_engine).unwrap_or_default();
        // What stands by itself may have been moved since transforms were propagated.
        let (position, rotation) = if is_child {
            (global.translation(), global.rotation())
        } else {
            (transform.translation, transform.rotation)
        };
        let moved = TileAnchor { position, velocity, ..*anchor };
        anchor.set_if_neq(moved);
        if let Some(mut shape) = shape {
            shape.rotation = rotation;
        }
    }
}

/// Lifts a body, and stops its fall.
pub(crate) fn raise(
    lifted: On<BodyLifted>,
    mut bodies: Query<(&mut Transform, &GlobalTransform, Has<ChildOf>, Option<&mut Velocity>, Option<Handle>)>,
    mut sets: Query<&mut RapierRigidBodySet>,
) {
    let Ok((mut transform, global, is_child, velocity, handle)) = bodies.get_mut(lifted.entity) else { return };
    let parent = if is_child { global.affine() * transform.compute_affine().inverse() } else { default() };
    transform.translation += parent.inverse().transform_vector3(lifted.by);
    let up = lifted.by.normalize_or_zero();
    let without_fall = |velocity: Vec3| velocity - velocity.dot(up).min(0.0) * up;
    if let Some(mut velocity) = velocity {
        velocity.linear = without_fall(velocity.linear);
    }
    if let Some(body) = body_mut(handle, &mut sets) {
        body.set_linvel(without_fall(body.linvel()), true);
    }
}

/// Wakes a body whose ground has changed.
pub(crate) fn wake(changed: On<GroundChanged>, handles: Query<Handle>, mut sets: Query<&mut RapierRigidBodySet>) {
    if let Some(body) = body_mut(handles.get(changed.entity).ok(), &mut sets) {
        body.wake_up(true);
    }
}

/// The engine's own body.
fn body_mut<'a>(handle: Option<Handle>, sets: &'a mut Query<&mut RapierRigidBodySet>) -> Option<&'a mut Body3d> {
    let (handle, context) = handle?;
    sets.get_mut(context.0).ok()?.into_inner().bodies.get_mut(handle.0)
}
