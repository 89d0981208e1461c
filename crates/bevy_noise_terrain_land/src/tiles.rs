//! Tiles: the finest land around bodies, for physics and navigation, with no viewer and no renderer.
//!
//! Chunks are where viewers look. Bodies are elsewhere too: on a server, behind the camera, thrown over the next ridge.
//! A [`TileAnchor`] is a place that needs ground. Under each, every terrain has [`TerrainTile`]s, entities with the heights of
//! level 0, which are the triangles under a viewer's feet. Plugins of physics engines turn tiles into colliders, and bodies
//! with [`TerrainBody`] into anchors: see the crates `bevy_noise_terrain_avian` and `bevy_noise_terrain_rapier`.
//!
//! # How it works
//!
//! An anchor needs the tiles that it reaches within two ticks, and soon those that it reaches within
//! [`TerrainTiles::lookahead`]. Tiles count the anchors that need them. What is needed soon is sampled on the task pools, and
//! spawned ahead of need, a few tiles a tick; what is needed now and missing is sampled and spawned at once, in the tick that
//! needs it. Heights of chunks in memory are shared. Tiles follow the land on
//! screen, [`TerrainOrigin`](crate::TerrainOrigin) and the terrain's transform. Bodies that do not move cost nothing.
//!
//! Where the land has [holes](crate::edits::TerrainHoles), [`TerrainTile::mesh`] has the triangles that are left. A body that falls
//! through one is not lifted: below the land, it may go anywhere.
//!
//! # In a plugin of an engine
//!
//! * Add [`TerrainTilesPlugin`] with the schedule that the engine runs in, which [`schedule_of`] finds. Order the first two of
//!   [`TerrainTileSystems`] before its step and the others after it.
//! * Write a [`TileAnchor`] for each body in [`Gather`](TerrainTileSystems::Gather) and
//!   [`GatherMoved`](TerrainTileSystems::GatherMoved), and a [`BodyShape`] for those that are no balls.
//! * Add colliders in observers of `On<Add<TerrainTile>>` and, for trunks and rocks, `On<Add<TileObject>>`.
//! * Move bodies in an observer of [`BodyLifted`].

mod anchor;
mod frame;
mod jobs;
mod lift;
mod mesh;
mod near_ground;
mod objects;
mod schedule;
mod settings;
mod slots;
mod store;
mod tile;
mod update;

pub use anchor::{BodyShape, TerrainBody, TileAnchor};
pub use lift::{BodyLifted, GroundChanged};
pub use mesh::TileMesh;
pub use objects::TileObject;
pub use schedule::schedule_of;
pub use settings::TerrainTiles;
pub use tile::TerrainTile;

use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;

use crate::{TerrainSystems, terrain};
use store::TileStore;

/// What happens in a tick of physics, in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TerrainTileSystems {
    /// Engines write the [`TileAnchor`]s of bodies.
    Gather,
    /// Tiles are spawned and despawned, and bodies below the ground lifted. The engine's step comes next.
    Update,
    /// Engines write the [`TileAnchor`]s of bodies that the step has moved.
    GatherMoved,
    /// Bodies that the step has moved below the ground are lifted.
    Lift,
}

/// Keeps [`TerrainTile`]s under every [`TileAnchor`].
#[derive(Clone, Copy, Debug)]
pub struct TerrainTilesPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl TerrainTilesPlugin {
    /// In the schedule that runs the physics.
    pub fn new(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for TerrainTilesPlugin {
    fn build(&self, app: &mut App) {
        use TerrainTileSystems::{Gather, GatherMoved, Lift, Update};
        terrain::require::<TerrainTiles>(app);
        terrain::require::<TileStore>(app);
        app.register_type::<TerrainTiles>()
            .register_type::<TerrainBody>()
            .register_type::<TileAnchor>()
            .init_resource::<lift::LastLook>()
            .add_observer(update::on_remove)
            .add_observer(update::on_lost_tile)
            .add_observer(objects::on_lost_object)
            .configure_sets(self.schedule, (Gather, Update, GatherMoved, Lift).chain())
            // Where the streaming runs in the same schedule, tiles are those of the land that it has just chosen.
            .configure_sets(self.schedule, Update.after(TerrainSystems::Select))
            .add_systems(
                self.schedule,
                (
                    (update::update_tiles, objects::place_objects, lift::lift_bodies).chain().in_set(Update),
                    lift::lift_bodies.in_set(Lift),
                ),
            );
    }
}
