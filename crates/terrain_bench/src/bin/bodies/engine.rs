//! What the bench wants of a physics engine, and how two of them do it.

use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy::ecs::system::{ScheduleSystem, SystemState};
use bevy::prelude::*;

use crate::world::TICK;

/// A ball that is dropped or pushed.
#[derive(Clone, Copy)]
pub struct Ball {
    pub position: Vec3,
    pub velocity: Vec3,
    pub radius: f32,
    pub has_friction: bool,
}

/// A physics engine.
pub trait Engine: 'static {
    /// Adds its plugins, and those of the colliders.
    fn install(app: &mut App);
    /// The schedule that it runs in.
    fn schedule() -> InternedScheduleLabel;
    /// Spawns a body.
    fn spawn(world: &mut World, ball: Ball) -> Entity;
    /// A long, narrow piece of ground, `heights` z fastest, in the middle of the scene.
    fn spawn_ground(world: &mut World, heights: Vec<f32>, size: [usize; 2], extent: Vec3);
    fn position(world: &World, body: Entity) -> Vec3;
    fn place(world: &mut World, body: Entity, position: Vec3, velocity: Vec3);
    /// The way of rays until they hit.
    fn cast_rays(world: &mut World, rays: &[(Vec3, Dir3)], reach: f32) -> Vec<Option<f32>>;
    /// The way of balls until they hit.
    fn cast_balls(world: &mut World, rays: &[(Vec3, Dir3)], radius: f32, reach: f32) -> Vec<Option<f32>>;

    /// Adds a system that runs as late as that before the engine looks at bodies and tiles.
    fn before_step<M>(app: &mut App, system: impl IntoScheduleConfigs<ScheduleSystem, M>);
    /// Adds a system that runs once the engine has moved bodies.
    fn after_step<M>(app: &mut App, system: impl IntoScheduleConfigs<ScheduleSystem, M>);
}

/// Avian, in `FixedPostUpdate`.
pub struct Avian;

/// Rapier, in `PostUpdate`.
pub struct Rapier;

mod avian {
    use avian3d::parry::shape::{HeightField, HeightFieldCellStatus, HeightFieldFlags, SharedShape};
    use avian3d::parry::utils::Array2;
    use avian3d::physics_transform::PhysicsTransformSystems;
    use avian3d::prelude::*;
    use bevy_noise_terrain_avian::{TerrainBody, TerrainColliderPlugin};

    use super::{Avian, Ball, Engine, InternedScheduleLabel, ScheduleLabel, ScheduleSystem, SystemState};
    use bevy::prelude::*;

    impl Engine for Avian {
        fn install(app: &mut App) {
            app.add_plugins((PhysicsPlugins::default(), TerrainColliderPlugin));
        }

        fn schedule() -> InternedScheduleLabel {
            FixedPostUpdate.intern()
        }

        fn before_step<M>(app: &mut App, system: impl IntoScheduleConfigs<ScheduleSystem, M>) {
            let after = PhysicsTransformSystems::TransformToPosition;
            // What Avian does before its step is its own time.
            let before =
                avian3d::dynamics::rigid_body::mass_properties::MassPropertySystems::UpdateColliderMassProperties;
            app.add_systems(Self::schedule(), system.after(after).before(before));
        }

        fn after_step<M>(app: &mut App, system: impl IntoScheduleConfigs<ScheduleSystem, M>) {
            let after = PhysicsSystems::StepSimulation;
            app.add_systems(Self::schedule(), system.after(after).before(PhysicsSystems::Writeback));
        }

        fn spawn(world: &mut World, ball: Ball) -> Entity {
            let friction = if ball.has_friction { 0.5 } else { 0.0 };
            let friction = Friction::new(friction).with_combine_rule(CoefficientCombine::Min);
            let body = (RigidBody::Dynamic, Collider::sphere(ball.radius), friction, SleepingDisabled);
            let motion = (Transform::from_translation(ball.position), LinearVelocity(ball.velocity));
            world.spawn((body, motion, Restitution::ZERO, TerrainBody::new(1.0))).id()
        }

        fn spawn_ground(world: &mut World, heights: Vec<f32>, [rows, columns]: [usize; 2], extent: Vec3) {
            let heights = Array2::new(rows, columns, heights);
            let mut field = HeightField::with_flags(heights, extent, HeightFieldFlags::FIX_INTERNAL_EDGES);
            for column in 0..columns - 1 {
                for row in 0..rows - 1 {
                    field.set_cell_status(row, column, HeightFieldCellStatus::ZIGZAG_SUBDIVISION);
                }
            }
            world.spawn((RigidBody::Static, Collider::from(SharedShape::new(field)), Transform::default()));
        }

        fn position(world: &World, body: Entity) -> Vec3 {
            world.get::<Position>(body).map_or(Vec3::NAN, |position| position.0)
        }

        fn place(world: &mut World, body: Entity, position: Vec3, velocity: Vec3) {
            if let Some(mut transform) = world.get_mut::<Transform>(body) {
                transform.translation = position;
            }
            if let Some(mut linear) = world.get_mut::<LinearVelocity>(body) {
                linear.0 = velocity;
            }
        }

        fn cast_rays(world: &mut World, rays: &[(Vec3, Dir3)], reach: f32) -> Vec<Option<f32>> {
            let mut state = SystemState::<SpatialQuery>::new(world);
            let Ok(query) = state.get(world) else { return Vec::new() };
            let cast = |&(origin, way): &(Vec3, Dir3)| {
                query.cast_ray(origin, way, reach, true, &SpatialQueryFilter::DEFAULT).map(|hit| hit.distance)
            };
            rays.iter().map(cast).collect()
        }

        fn cast_balls(world: &mut World, rays: &[(Vec3, Dir3)], radius: f32, reach: f32) -> Vec<Option<f32>> {
            let mut state = SystemState::<SpatialQuery>::new(world);
            let Ok(query) = state.get(world) else { return Vec::new() };
            let (ball, config) = (Collider::sphere(radius), ShapeCastConfig::from_max_distance(reach));
            let cast = |&(origin, way): &(Vec3, Dir3)| {
                let filter = SpatialQueryFilter::DEFAULT;
                query.cast_shape(&ball, origin, Quat::IDENTITY, way, &config, &filter).map(|hit| hit.distance)
            };
            rays.iter().map(cast).collect()
        }
    }
}

mod rapier {
    use bevy_noise_terrain_rapier::{TerrainBody, TerrainColliderPlugin};
    use bevy_rapier3d::parry::query::ShapeCastOptions;
    use bevy_rapier3d::parry::shape::{
        Ball as BallShape, HeightField, HeightFieldCellStatus, HeightFieldFlags, SharedShape,
    };
    use bevy_rapier3d::parry::utils::Array2;
    use bevy_rapier3d::prelude::*;

    use super::{Ball, Engine, InternedScheduleLabel, Rapier, ScheduleLabel, ScheduleSystem, SystemState, TICK};
    use bevy::prelude::*;
    use bevy_noise_terrain::TerrainSystems;

    impl Engine for Rapier {
        fn install(app: &mut App) {
            app.insert_resource(TimestepMode::Fixed { dt: TICK, substeps: 1 })
                .add_plugins((RapierPhysicsPlugin::<NoUserData>::default(), TerrainColliderPlugin));
        }

        fn schedule() -> InternedScheduleLabel {
            PostUpdate.intern()
        }

        fn before_step<M>(app: &mut App, system: impl IntoScheduleConfigs<ScheduleSystem, M>) {
            let system = system.after(TerrainSystems::Report).before(PhysicsSet::SyncBackend);
            app.add_systems(Self::schedule(), system);
        }

        fn after_step<M>(app: &mut App, system: impl IntoScheduleConfigs<ScheduleSystem, M>) {
            app.add_systems(Self::schedule(), system.after(PhysicsSet::Writeback));
        }

        fn spawn(world: &mut World, ball: Ball) -> Entity {
            let coefficient = if ball.has_friction { 0.5 } else { 0.0 };
            let friction = Friction { coefficient, combine_rule: CoefficientCombineRule::Min };
            let body = (RigidBody::Dynamic, Collider::ball(ball.radius), friction, Sleeping::disabled());
            let motion = (Transform::from_translation(ball.position), Velocity::linear(ball.velocity));
            world.spawn((body, motion, TerrainBody::new(1.0))).id()
        }

        fn spawn_ground(world: &mut World, heights: Vec<f32>, [rows, columns]: [usize; 2], extent: Vec3) {
            let heights = Array2::new(rows, columns, heights);
            let mut field = HeightField::with_flags(heights, extent, HeightFieldFlags::FIX_INTERNAL_EDGES);
            for column in 0..columns - 1 {
                for row in 0..rows - 1 {
                    field.set_cell_status(row, column, HeightFieldCellStatus::ZIGZAG_SUBDIVISION);
                }
            }
            world.spawn((RigidBody::Fixed, Collider::from(SharedShape::new(field)), Transform::default()));
        }

        fn position(world: &World, body: Entity) -> Vec3 {
            world.get::<Transform>(body).map_or(Vec3::NAN, |transform| transform.translation)
        }

        fn place(world: &mut World, body: Entity, position: Vec3, velocity: Vec3) {
            if let Some(mut transform) = world.get_mut::<Transform>(body) {
                transform.translation = position;
            }
            if let Some(mut old) = world.get_mut::<Velocity>(body) {
                old.linear = velocity;
            }
        }

        fn cast_rays(world: &mut World, rays: &[(Vec3, Dir3)], reach: f32) -> Vec<Option<f32>> {
            let mut state = SystemState::<ReadRapierContext>::new(world);
            let Ok(contexts) = state.get(world) else { return Vec::new() };
            let Ok(query) = contexts.single() else { return Vec::new() };
            let cast = |&(origin, way): &(Vec3, Dir3)| {
                query.cast_ray(origin, *way, reach, true, QueryFilter::default()).map(|(_, distance)| distance)
            };
            rays.iter().map(cast).collect()
        }

        fn cast_balls(world: &mut World, rays: &[(Vec3, Dir3)], radius: f32, reach: f32) -> Vec<Option<f32>> {
            let mut state = SystemState::<ReadRapierContext>::new(world);
            let Ok(contexts) = state.get(world) else { return Vec::new() };
            let Ok(query) = contexts.single() else { return Vec::new() };
            let options = ShapeCastOptions { max_time_of_impact: reach, ..ShapeCastOptions::default() };
            let cast = |&(origin, way): &(Vec3, Dir3)| {
                let ball = BallShape::new(radius);
                let hit = query.cast_shape(origin, Quat::IDENTITY, *way, &ball, options, QueryFilter::default());
                hit.map(|(_, hit)| hit.time_of_impact)
            };
            rays.iter().map(cast).collect()
        }
    }
}
