//! Colliders of [`bevy_noise_terrain`] for the physics engine [Avian](avian3d): ground under every body before it falls.
//!
//! ```
//! use avian3d::prelude::*;
//! use bevy::prelude::*;
//! use bevy_noise_terrain::prelude::*;
//! use bevy_noise_terrain_avian::{TerrainBody, TerrainColliderPlugin};
//!
//! fn drop_a_ball(mut commands: Commands, terrain: TerrainQuery) {
//!     let Some(surface) = terrain.surface() else { return };
//!     let ground = surface.height(0.0, 0.0) as f32;
//!     commands.spawn((
//!         RigidBody::Dynamic,
//!         Collider::sphere(0.5),
//!         TerrainBody::new(1.0),
//!         Transform::from_xyz(0.0, ground + 20.0, 0.0),
//!     ));
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default()))
//!     .add_plugins((NoiseTerrainPlugin, TerrainColliderPlugin))
//!     .add_systems(PostStartup, drop_a_ball);
//! ```
//!
//! * A body with [`TerrainBody`] has colliders under it that are the finest land, triangle by triangle: what
//!   [`Surface`](bevy_noise_terrain::Surface) answers, and what is drawn under a viewer's feet. They are there in the tick
//!   that needs them, after a jump too. [`TerrainColliders::all_dynamic_bodies`] gives every dynamic body one.
//! * No body falls through: one that gets below the ground is lifted back, with the event [`BodyLifted`].
//! * A body with Avian's [`SpeculativeCcd`] predicts contacts with the edges between tiles too, and bumps into them. Bound it to
//!   2 cm, or leave it out: Avian's own tolerance of 2 cm is enough.
//! * Colliders are children of their terrain, with [`TerrainTile`]. Give them friction, or anything else, in an observer for
//!   `On<Add<TerrainTile>>`; their collision layers are [`TerrainColliders::layers`].
//! * Trunks and rocks of [`TerrainScatter`](bevy_noise_terrain::scatter::TerrainScatter) near bodies have colliders where the terrain
//!   has [`TerrainTiles`] with `objects` on: entities with [`TileObject`] and
//!   [`ScatterObject`](bevy_noise_terrain::scatter::ScatterObject), which tells which one was hit.
//! * Rays meet the ground within a tenth of a millimetre near the scene's origin, at the borders of tiles too. Where a tile has
//!   [holes](bevy_noise_terrain::edits::TerrainHoles), a ray that is exactly parallel to an axis, such as straight down, misses
//!   the edges between triangles by a ten-millionth of its length, 0.1 mm from 1 km: a flaw of parry, which does these casts.
//!   Let it lean a little, or use [`Surface::raycast`](bevy_noise_terrain::Surface::raycast).
//! * A shape that is cast farther than a cell may pass through it:
//!   parry skips one row of cells when a shape is cast farther than a cell towards greater x or z, and
//!   looks no farther than the next cell when the cast is exactly level. Cast a ray, or
//!   [`Surface::raycast`](bevy_noise_terrain::Surface::raycast), or a shape in steps of a cell, 1 m by default.
//! * No renderer is needed.

mod bodies;
mod reach;
mod shape;
mod solids;

pub use bevy_noise_terrain::tiles::{
    BodyLifted, BodyShape, GroundChanged, TerrainBody, TerrainTile, TerrainTileSystems, TerrainTiles,
    TerrainTilesPlugin, TileAnchor, TileObject,
};
pub use shape::tile_shape;

use avian3d::dynamics::rigid_body::mass_properties::MassPropertySystems;
use avian3d::physics_transform::PhysicsTransformSystems;
use avian3d::prelude::*;
use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy::prelude::*;
use bevy_noise_terrain::tiles::schedule_of;

/// Puts colliders of the ground under bodies. Runs in the schedule of Avian's plugins, whichever is added first.
#[derive(Clone, Copy, Debug, Default)]
pub struct TerrainColliderPlugin;

/// Settings of all colliders of the ground.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Default)]
pub struct TerrainColliders {
    /// Gives every dynamic body a [`TerrainBody`], unless it has one.
    pub all_dynamic_bodies: bool,
    /// Collision layers of tiles, and of the objects on them, spawned from now on.
    pub layers: CollisionLayers,
}

/// Exists once the systems have been added.
#[derive(Resource)]
struct Installed;

impl Plugin for TerrainColliderPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<TerrainColliders>()
            .register_type::<TerrainColliders>()
            .init_resource::<solids::Hulls>()
            .add_observer(shape::add_collider)
            .add_observer(solids::add_collider)
            .add_observer(bodies::mark_dynamic)
            .add_systems(First, bodies::mark_present)
            .add_observer(bodies::raise)
            .add_observer(bodies::wake);
        if let Some(schedule) = schedule_of(app, PhysicsSystems::StepSimulation) {
            install(app, schedule);
        }
    }

    fn finish(&self, app: &mut App) {
        if !app.world().contains_resource::<Installed>() {
            // Avian's own default.
            let schedule = schedule_of(app, PhysicsSystems::StepSimulation).unwrap_or(FixedPostUpdate.intern());
            install(app, schedule);
        }
    }
}

fn install(app: &mut App, schedule: InternedScheduleLabel) {
    use TerrainTileSystems::{Gather, GatherMoved, Lift, Update};
    app.insert_resource(Installed);
    if !app.is_plugin_added::<TerrainTilesPlugin>() {
        app.add_plugins(TerrainTilesPlugin::new(schedule));
    }
    app.configure_sets(
        schedule,
        (
            (Gather, Update)
                .in_set(PhysicsSystems::Prepare)
                .after(PhysicsTransformSystems::TransformToPosition)
                // Which look at the new colliders.
                .before(MassPropertySystems::UpdateColliderMassProperties),
            (GatherMoved, Lift).after(PhysicsSystems::StepSimulation).before(PhysicsSystems::Writeback),
        ),
    )
    .add_systems(
        schedule,
        ((bodies::measure, bodies::gather).chain().in_set(Gather), bodies::gather.in_set(GatherMoved)),
    );
}

// A page of the plugin's guide whose lines need this crate. The published one has no such file, and no such test.
#[cfg(doctest)]
#[doc = include_str!("../../bevy_noise_terrain/src/guide/standing.md")]
mod guide_standing {}
