//! An app with land and physics, and what tests ask of the engine.

use std::time::Duration;

use avian3d::prelude::*;
use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_noise_terrain::Surface;
use bevy_noise_terrain::prelude::*;
pub use bevy_noise_terrain_avian::TerrainBody;
use bevy_noise_terrain_avian::{BodyLifted, TerrainColliderPlugin};

#[derive(Resource, Default)]
pub struct Lifted(pub usize);

/// An app with land at this place, the physics added before or after the terrain.
pub fn app(terrain: impl Bundle, physics_first: bool) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin));
    if physics_first {
        app.add_plugins((PhysicsPlugins::default(), NoiseTerrainPlugin, TerrainColliderPlugin));
    } else {
        app.add_plugins((TerrainColliderPlugin, NoiseTerrainPlugin, PhysicsPlugins::default()));
    }
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
    (RigidBody::Dynamic, Collider::sphere(0.5), Transform::from_translation(position))
}

pub fn position(app: &App, body: Entity) -> Vec3 {
    app.world().get::<Position>(body).unwrap().0
}

/// A body that stays where it is, with ground within some metres.
pub fn anchor(position: Vec3, margin: f32) -> impl Bundle {
    (RigidBody::Kinematic, Collider::sphere(0.1), TerrainBody::new(margin), Transform::from_translation(position))
}

pub fn dynamic(collider: Collider, place: Transform) -> impl Bundle {
    (RigidBody::Dynamic, collider, TerrainBody::new(1.0), place)
}

/// The nearest thing that a ray hits, and how far away it is.
pub fn cast(app: &mut App, from: Vec3, way: Vec3, far: f32) -> Option<(Entity, f32)> {
    let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
    let query = state.get(app.world()).unwrap();
    let hit = query.cast_ray(from, Dir3::new(way).unwrap(), far, true, &SpatialQueryFilter::DEFAULT)?;
    Some((hit.entity, hit.distance))
}

/// How far a ball gets.
pub fn cast_ball(app: &mut App, radius: f32, from: Vec3, way: Vec3, far: f32) -> Option<f32> {
    let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
    let query = state.get(app.world()).unwrap();
    let (ball, config) = (Collider::sphere(radius), ShapeCastConfig::from_max_distance(far));
    let way = Dir3::new(way).unwrap();
    Some(query.cast_shape(&ball, from, Quat::IDENTITY, way, &config, &SpatialQueryFilter::DEFAULT)?.distance)
}

pub fn cuboid(size: Vec3) -> Collider {
    Collider::cuboid(size.x, size.y, size.z)
}

/// A cylinder along y.
pub fn cylinder(radius: f32, length: f32) -> Collider {
    Collider::cylinder(radius, length)
}

pub fn compound(parts: Vec<(Vec3, Collider)>) -> Collider {
    Collider::compound(parts.into_iter().map(|(at, part)| (at, Quat::IDENTITY, part)).collect())
}

pub fn mesh(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Collider {
    Collider::trimesh(vertices, triangles)
}

pub fn velocity(metres_a_second: Vec3) -> LinearVelocity {
    LinearVelocity(metres_a_second)
}
