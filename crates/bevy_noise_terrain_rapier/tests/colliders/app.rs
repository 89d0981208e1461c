//! An app with land and physics, and what tests ask of the engine.

use std::time::Duration;

use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::Surface;
use bevy_noise_terrain::prelude::*;
pub use bevy_noise_terrain_rapier::TerrainBody;
use bevy_noise_terrain_rapier::{BodyLifted, TerrainColliderPlugin};
use bevy_rapier3d::prelude::*;

#[derive(Resource, Default)]
pub struct Lifted(pub usize);

/// An app with land at this place, the physics added before or after the terrain.
pub fn app(terrain: impl Bundle, physics_first: bool) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin));
    if physics_first {
        app.add_plugins((RapierPhysicsPlugin::<NoUserData>::default(), NoiseTerrainPlugin, TerrainColliderPlugin));
    } else {
        app.add_plugins((TerrainColliderPlugin, NoiseTerrainPlugin, RapierPhysicsPlugin::<NoUserData>::default()));
    }
    app.insert_resource(TimestepMode::Fixed { dt: 1.0 / 64.0, substeps: 1 });
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)))
        .init_resource::<Lifted>()
        .add_observer(|_: On<BodyLifted>, mut lifted: ResMut<Lifted>| lifted.0 += 1);
    app.world_mut().spawn(terrain);
    app.finish();
    app.cleanup();
    app.update();
    app.update();
    app
}

pub fn land() -> Surface {
    NoiseTerrain::default().surface().unwrap()
}

pub fn ball(position: Vec3) -> impl Bundle {
    (RigidBody::Dynamic, Collider::ball(0.5), Transform::from_translation(position), Velocity::zero())
}

pub fn position(app: &App, body: Entity) -> Vec3 {
    app.world().get::<Transform>(body).unwrap().translation
}

/// A body that stays where it is, with ground within some metres.
pub fn anchor(position: Vec3, margin: f32) -> impl Bundle {
    let place = Transform::from_translation(position);
    (RigidBody::KinematicPositionBased, Collider::ball(0.1), TerrainBody::new(margin), place)
}

pub fn dynamic(collider: Collider, place: Transform) -> impl Bundle {
    (RigidBody::Dynamic, collider, TerrainBody::new(1.0), place)
}

/// The nearest thing that a ray hits, and how far away it is.
pub fn cast(app: &mut App, from: Vec3, way: Vec3, far: f32) -> Option<(Entity, f32)> {
    let mut state = SystemState::<ReadRapierContext>::new(app.world_mut());
    let contexts = state.get(app.world()).unwrap();
    contexts.single().unwrap().cast_ray(from, way, far, true, QueryFilter::default())
}

/// How far a ball gets.
pub fn cast_ball(app: &mut App, radius: f32, from: Vec3, way: Vec3, far: f32) -> Option<f32> {
    let mut state = SystemState::<ReadRapierContext>::new(app.world_mut());
    let contexts = state.get(app.world()).unwrap();
    let options = ShapeCastOptions { max_time_of_impact: far, ..default() };
    let ball = bevy_rapier3d::parry::shape::Ball::new(radius);
    let hit = contexts.single().unwrap().cast_shape(from, Quat::IDENTITY, way, &ball, options, QueryFilter::default());
    Some(hit?.1.time_of_impact)
}

pub fn cuboid(size: Vec3) -> Collider {
    Collider::cuboid(0.5 * size.x, 0.5 * size.y, 0.5 * size.z)
}

/// A cylinder along y.
pub fn cylinder(radius: f32, length: f32) -> Collider {
    Collider::cylinder(0.5 * length, radius)
}

pub fn compound(parts: Vec<(Vec3, Collider)>) -> Collider {
    Collider::compound(parts.into_iter().map(|(at, part)| (at, Quat::IDENTITY, part)).collect())
}

pub fn mesh(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Collider {
    Collider::trimesh(vertices, triangles).unwrap()
}

pub fn velocity(metres_a_second: Vec3) -> Velocity {
    Velocity::linear(metres_a_second)
}
