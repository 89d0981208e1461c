//! A car: a box on four springs. Each wheel casts a ray down to the ground; what it finds there pushes back.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::scatter::{ScatterMap, ScatterQuery};
use bevy_noise_terrain_avian::TerrainBody;

use crate::driver;

/// What the driver wants.
#[derive(Component, Clone, Copy, Debug, Default)]
#[require(Wheels)]
pub struct Car {
    /// From −1, full power backwards, to 1.
    pub throttle: f32,
    /// From −1, right, to 1.
    pub steering: f32,
    /// From 0 to 1.
    pub brake: f32,
}

/// How far each spring is pressed in, in metres; `None` in the air.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Wheels(pub [Option<f32>; 4]);

/// A wheel that is drawn, by its index.
#[derive(Component)]
pub struct Wheel(usize);

/// Half the size of the body, in metres.
const BODY: Vec3 = Vec3::new(0.9, 0.3, 2.0);
const MASS: f32 = 1_200.0;
const WHEEL_RADIUS: f32 = 0.38;
/// Length of a spring at rest.
const SPRING: f32 = 0.55;
/// Newtons a metre, and newtons for a metre a second.
const STIFFNESS: f32 = 42_000.0;
const DAMPING: f32 = 4_500.0;
/// Newtons of the motor, and most of the brakes.
const POWER: f32 = 9_000.0;
const BRAKES: f32 = 14_000.0;
/// How much of the load on a wheel it can turn into forces along the ground.
const GRIP: f32 = 1.1;
const STEERING: f32 = 0.55;

/// Where the springs are fixed, front wheels first.
const MOUNTS: [Vec3; 4] = [
    Vec3::new(-0.8, -0.1, -1.35),
    Vec3::new(0.8, -0.1, -1.35),
    Vec3::new(-0.8, -0.1, 1.35),
    Vec3::new(0.8, -0.1, 1.35),
];

pub fn spawn(
    mut commands: Commands,
    terrain: TerrainQuery,
    scatter: ScatterQuery,
    meshes: Option<ResMut<Assets<Mesh>>>,
    materials: Option<ResMut<Assets<StandardMaterial>>>,
) {
    let Some(surface) = terrain.surface() else { return };
    let [x, z] = scatter.map().map_or([0.0; 2], |map| clearing(&map));
    let start = Vec3::new(x as f32, surface.height(x, z) as f32 + 2.0, z as f32);
    let car = commands
        .spawn((
            Car::default(),
            RigidBody::Dynamic,
            Collider::cuboid(2.0 * BODY.x, 2.0 * BODY.y, 2.0 * BODY.z),
            Mass(MASS),
            // Low, as the motor is: it does not topple in curves.
            CenterOfMass::new(0.0, -0.35, 0.0),
            AngularDamping(0.4),
            // Who drives by himself looks this far ahead.
            TerrainBody::new(driver::SIGHT),
            Transform::from_translation(start),
            // Steps of the physics are as long as they are, frames come when they come.
            TransformInterpolation,
            Visibility::default(),
        ))
        .id();
    let (Some(mut meshes), Some(mut materials)) = (meshes, materials) else { return };
    let paint = materials.add(StandardMaterial { perceptual_roughness: 0.4, ..Color::srgb(0.55, 0.07, 0.05).into() });
    let glass = materials.add(StandardMaterial { perceptual_roughness: 0.1, ..Color::srgb(0.05, 0.06, 0.08).into() });
    let rubber = materials.add(StandardMaterial { perceptual_roughness: 0.9, ..Color::srgb(0.02, 0.02, 0.02).into() });
    let body = meshes.add(Cuboid::from_size(2.0 * BODY));
    let cabin = meshes.add(Cuboid::new(1.5, 0.55, 1.9));
    let tyre = meshes.add(Cylinder::new(WHEEL_RADIUS, 0.26));
    commands.entity(car).with_children(|parts| {
        parts.spawn((Mesh3d(body), MeshMaterial3d(paint)));
        parts.spawn((Mesh3d(cabin), MeshMaterial3d(glass), Transform::from_xyz(0.0, 0.5, 0.25)));
        for (index, mount) in MOUNTS.into_iter().enumerate() {
            let wheel = (Mesh3d(tyre.clone()), MeshMaterial3d(rubber.clone()));
            parts.spawn((Wheel(index), wheel, Transform::from_translation(mount)));
        }
    });
}

/// The first place on a spiral around the origin with nothing solid within some metres.
fn clearing(map: &ScatterMap) -> [f64; 2] {
    const FREE: f64 = 12.0;
    let places = (0..2_000_u32).map(|index| {
        let (angle, radius) = (2.4 * f64::from(index), 10.0 * f64::from(index).sqrt());
        [radius * angle.cos(), radius * angle.sin()]
    });
    let is_free = |place: &[f64; 2]| {
        map.solid_objects(place.map(|metres| metres - FREE), place.map(|metres| metres + FREE)).next().is_none()
    };
    places.into_iter().find(is_free).unwrap_or_default()
}

/// Springs, motor, brakes and grip, wheel by wheel.
pub fn drive(time: Res<Time>, ground: SpatialQuery, mut cars: Query<(Entity, &Car, &mut Wheels, Forces)>) {
    for (entity, car, mut wheels, mut forces) in &mut cars {
        let (position, rotation) = (forces.position(), forces.rotation());
        let filter = SpatialQueryFilter::from_excluded_entities([entity]);
        let Ok(down) = Dir3::new(rotation * Vec3::NEG_Y) else { continue };
        for (index, mount) in MOUNTS.into_iter().enumerate() {
            let mount = position + rotation * mount;
            let Some(hit) = ground.cast_ray(mount, down, SPRING + WHEEL_RADIUS, true, &filter) else {
                wheels.0[index] = None;
                continue;
            };
            let pressed = SPRING + WHEEL_RADIUS - hit.distance;
            wheels.0[index] = Some(pressed);
            let contact = mount + hit.distance * *down;
            let velocity = forces.velocity_at_point(contact);
            let load = (STIFFNESS * pressed + DAMPING * velocity.dot(*down)).max(0.0);

            let is_front = index < 2;
            let turn = Quat::from_rotation_y(if is_front { STEERING * car.steering } else { 0.0 });
            let forward = (rotation * turn * Vec3::NEG_Z).reject_from_normalized(hit.normal).normalize_or_zero();
            let side = forward.cross(hit.normal);
            // What would stop the wheel's share of the car within this tick.
            let stop = |speed: f32| -speed * 0.25 * MASS / time.delta_secs();
            let rolling = velocity.dot(forward);
            let braking = stop(rolling).clamp(-BRAKES * car.brake / 4.0, BRAKES * car.brake / 4.0);
            let along = POWER * car.throttle / 4.0 + braking;
            let across = 0.5 * stop(velocity.dot(side));
            let grip = (along * forward + across * side).clamp_length_max(GRIP * load);
            forces.apply_force_at_point(load * hit.normal + grip, contact);
        }
    }
}

/// Draws the wheels where the springs are.
pub fn turn_wheels(cars: Query<(&Car, &Wheels)>, mut wheels: Query<(&Wheel, &ChildOf, &mut Transform)>) {
    for (wheel, parent, mut transform) in &mut wheels {
        let Ok((car, springs)) = cars.get(parent.parent()) else { continue };
        let length = SPRING - springs.0[wheel.0].unwrap_or(0.0);
        transform.translation = MOUNTS[wheel.0] - Vec3::Y * length.max(0.1);
        let steering = if wheel.0 < 2 { STEERING * car.steering } else { 0.0 };
        transform.rotation = Quat::from_rotation_y(steering) * Quat::from_rotation_z(core::f32::consts::FRAC_PI_2);
    }
}
