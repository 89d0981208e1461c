//! Bodies that wander over the land, each on its own way.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain_avian::TerrainBody;

/// How many bodies there are.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Size(pub u32);

/// A body on its way: where it is heading, in radians, and how fast it turns.
#[derive(Component)]
pub struct Wanderer {
    heading: f32,
    turning: f32,
}

/// Metres a second on level ground.
const SPEED: f32 = 5.0;
/// Metres between one body and the next at the start.
const APART: f32 = 12.0;
/// Height of a body's middle above its feet, in metres.
const MIDDLE: f32 = 0.9;

/// Spawns the crowd, and pushes it.
pub fn wander(app: &mut App) {
    // Heights are known as soon as there is land, whether a chunk is loaded there or not.
    app.add_systems(PostStartup, spawn).add_systems(FixedUpdate, walk);
}

fn spawn(mut commands: Commands, terrain: TerrainQuery, size: Res<Size>) {
    let Some(surface) = terrain.surface() else { return };
    let side = size.0.isqrt().max(1);
    for index in 0..size.0 {
        let place = [index % side, index / side].map(|at| (at as f32 - 0.5 * side as f32) * APART);
        let ground = surface.height(f64::from(place[0]), f64::from(place[1])) as f32;
        let mut body = commands.spawn((
            // Golden angles: no two neighbours go the same way.
            Wanderer { heading: 2.4 * index as f32, turning: 0.3 * (index as f32).sin() },
            RigidBody::Dynamic,
            Collider::capsule(0.4, 1.0),
            LockedAxes::ROTATION_LOCKED,
            Friction::new(0.2),
            TerrainBody::new(1.0),
            Transform::from_xyz(place[0], ground + MIDDLE + 0.1, place[1]),
        ));
        // A server has no cameras: chunks are loaded around these, for whatever else the game needs them.
        if index % 100 == 0 {
            body.insert(TerrainViewer);
        }
    }
}

/// Keeps everyone at a walk; hills slow them down.
fn walk(time: Res<Time>, mut wanderers: Query<(&mut Wanderer, &mut LinearVelocity)>) {
    let seconds = time.delta_secs();
    for (mut wanderer, mut velocity) in &mut wanderers {
        wanderer.heading += wanderer.turning * seconds;
        let wanted = SPEED * Vec2::from_angle(wanderer.heading);
        let push = (wanted - velocity.0.xz()) * (4.0 * seconds).min(1.0);
        velocity.0 += Vec3::new(push.x, 0.0, push.y);
    }
}
