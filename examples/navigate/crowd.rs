//! People who walk from place to place, and choose another when they have arrived.

use bevy::prelude::*;
use bevy_landmass::PointSampleDistance3d;
use bevy_landmass::prelude::*;
use bevy_noise_terrain::prelude::*;

use crate::bake::RADIUS;

/// How many people there are.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Size(pub u32);

/// Somebody on the way.
#[derive(Component, Default)]
pub struct Walker {
    /// Places chosen so far, from which the next one follows.
    choices: u32,
    /// Places reached, and places to which there was no way.
    pub arrivals: u32,
    pub refusals: u32,
}

/// Metres a second.
const SPEED: f32 = 3.0;
/// Metres between one walker and the next at the start.
const APART: f32 = 5.0;
/// How far away the next place is, in metres: at least, and at most.
const WAY: [f32; 2] = [60.0, 220.0];
/// Golden angle in radians: directions that never repeat.
const TURN: f32 = 2.399_963;

/// Spawns the crowd, and lets it wander.
pub fn wander(app: &mut App) {
    // Heights are known as soon as there is land, whether a chunk is loaded there or not.
    app.add_systems(PostStartup, spawn).add_systems(FixedUpdate, (choose_places, walk).chain());
}

fn spawn(
    mut commands: Commands,
    terrain: TerrainQuery,
    size: Res<Size>,
    archipelago: Single<Entity, With<Archipelago3d>>,
) {
    let Some(surface) = terrain.surface() else { return };
    for index in 0..size.0 {
        let place = APART * (index as f32).sqrt() * Vec2::from_angle(TURN * index as f32);
        let ground = surface.height(f64::from(place.x), f64::from(place.y)) as f32;
        commands.spawn((
            Walker { choices: 7 * index, ..default() },
            Agent3dBundle {
                agent: default(),
                settings: AgentSettings { radius: RADIUS as f32, desired_speed: SPEED, max_speed: 1.3 * SPEED },
                archipelago_ref: ArchipelagoRef3d::new(*archipelago),
            },
            Transform::from_xyz(place.x, ground, place.y),
            Visibility::default(),
        ));
    }
}

/// Gives a place to go to whoever has none.
fn choose_places(
    archipelago: Single<&Archipelago3d>,
    mut walkers: Query<(&mut Walker, &mut AgentTarget3d, &AgentState, &Transform)>,
) {
    let near = PointSampleDistance3d {
        horizontal_distance: 3.0,
        ..archipelago.get_agent_options().point_sample_distance.clone()
    };
    for (mut walker, mut target, state, transform) in &mut walkers {
        match state {
            AgentState::ReachedTarget => walker.arrivals += 1,
            AgentState::NoPath => walker.refusals += 1,
            AgentState::Idle | AgentState::TargetNotOnNavMesh => {}
            _ => continue,
        }
        // One try in each tick: the mesh may not be there yet.
        walker.choices += 1;
        let share = (0.618_034 * walker.choices as f32).fract();
        let way = Vec2::from_angle(TURN * walker.choices as f32) * WAY[0].lerp(WAY[1], share);
        let place = transform.translation + Vec3::new(way.x, 0.0, way.y);
        *target = match archipelago.sample_point(place, &near) {
            Ok(place) => AgentTarget3d::Point(place.point()),
            Err(_) => AgentTarget3d::None,
        };
    }
}

/// Moves everybody as `bevy_landmass` wishes, on the ground.
fn walk(
    time: Res<Time>,
    terrain: TerrainQuery,
    mut walkers: Query<(&mut Transform, &mut Velocity3d, &AgentDesiredVelocity3d), With<Walker>>,
) {
    let Some(surface) = terrain.surface() else { return };
    let seconds = time.delta_secs();
    for (mut transform, mut velocity, wish) in &mut walkers {
        velocity.velocity = wish.velocity().with_y(0.0);
        transform.translation += seconds * velocity.velocity;
        let [x, z] = [transform.translation.x, transform.translation.z];
        transform.translation.y = surface.height(f64::from(x), f64::from(z)) as f32;
        if let Ok(ahead) = Dir3::new(velocity.velocity) {
            let turned = transform.looking_to(ahead, Vec3::Y).rotation;
            transform.rotation = transform.rotation.slerp(turned, (8.0 * seconds).min(1.0));
        }
    }
}
