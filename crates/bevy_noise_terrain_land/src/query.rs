//! Heights, normals, rays and more of the land anywhere, loaded or not.

mod chunk_ground;
#[cfg(feature = "render")]
mod frame;
mod hash;
mod march;
mod ray;
mod settings;
mod strip;
mod surface;
mod triangle;

use std::sync::Arc;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::climate::TerrainClimate;
use crate::settings::SettingsError;
use crate::source::TerrainSource;
use crate::spawn_order::SpawnOrder;
use crate::streaming::{Readiness, TerrainDescriptor, TerrainState};
use crate::terrain::NoiseTerrain;
use crate::viewer::TerrainViewers;
pub(crate) use chunk_ground::ChunkGround;
#[cfg(feature = "render")]
pub use frame::LandFrame;
pub(crate) use march::bisect;
pub use surface::{Surface, SurfaceHit, SurfacePoint};
pub(crate) use triangle::{Place, Triangle};

/// What a query sees of a terrain.
type Land = (Entity, &'static SpawnOrder, &'static TerrainState, &'static TerrainViewers);

/// Gives access to the surface of terrains. A system with it may change all settings and edits.
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// # use bevy::prelude::*;
/// # use bevy_noise_terrain::prelude::*;
/// fn stand_on_the_ground(terrain: TerrainQuery, mut players: Query<&mut Transform, With<TerrainViewer>>) {
///     let Some(surface) = terrain.surface() else { return };
///     for mut transform in &mut players {
///         let [x, z] = [transform.translation.x, transform.translation.z].map(f64::from);
///         transform.translation.y = surface.height(x, z) as f32 + 1.8;
///     }
/// }
/// ```
#[derive(SystemParam)]
pub struct TerrainQuery<'w, 's> {
    terrains: Query<'w, 's, Land, With<NoiseTerrain>>,
}

impl TerrainQuery<'_, '_> {
    /// The surface of the only terrain, or of the one spawned first. `None` if there is none with valid settings.
    pub fn surface(&self) -> Option<Surface> {
        self.surface_of(self.first()?)
    }

    /// The only terrain, or the one spawned first.
    pub fn first(&self) -> Option<Entity> {
        self.terrains.iter().min_by_key(|(_, order, ..)| **order).map(|(entity, ..)| entity)
    }

    /// All terrains, in the order in which they were spawned.
    pub fn entities(&self) -> Vec<Entity> {
        let mut terrains: Vec<_> = self.terrains.iter().map(|(entity, order, ..)| (*order, entity)).collect();
        terrains.sort_unstable();
        terrains.into_iter().map(|(_, entity)| entity).collect()
    }

    /// Whether the land within `radius` metres of an absolute position is there: at the full detail that the viewers there
    /// see, and of the newest settings. Of the only terrain, or the one spawned first.
    ///
    /// Land is loaded around viewers: the answer is no while none is within the radius. A radius less than the width of a
    /// finest chunk counts as that width. [`AwaitTerrain`](crate::AwaitTerrain) waits, and tells by an event.
    pub fn is_ready(&self, position: [f64; 2], radius: f64) -> bool {
        self.first().and_then(|terrain| self.readiness_of(terrain, position, radius)).is_some_and(|land| land.is_ready)
    }

    /// How much of the land around an absolute position is there: see [`is_ready`](Self::is_ready).
    pub fn readiness_of(&self, terrain: Entity, position: [f64; 2], radius: f64) -> Option<Readiness> {
        let (.., state, viewers) = self.terrains.get(terrain).ok()?;
        Some(state.readiness(viewers, position, radius))
    }

    /// The surface of one terrain: of the generation on screen, or if nothing is on screen yet, of the settings as they were
    /// inserted.
    pub fn surface_of(&self, terrain: Entity) -> Option<Surface> {
        let (.., state, _) = self.terrains.get(terrain).ok()?;
        let first = || state.first_land().map(|(land, climate)| land.surface(climate));
        state.surface().or_else(first)
    }
}

impl NoiseTerrain {
    /// The surface these settings describe, without any app: the same bits on every machine.
    ///
    /// # Errors
    /// If the settings are not valid.
    pub fn surface(&self) -> Result<Surface, SettingsError> {
        self.validate()?;
        Ok(Surface { source: self.heights()?, spacing: self.lod.spacing, climate: Arc::new(self.climate.clone()) })
    }
}

impl TerrainSource {
    /// The surface of this source, without any app, with vertices `spacing` metres apart: see
    /// [`TerrainLod::spacing`](crate::TerrainLod::spacing). Its climate is the default one: see
    /// [`Surface::with_climate`].
    pub fn surface(&self, spacing: f64) -> Surface {
        Surface { source: self.0.clone(), spacing, climate: Arc::default() }
    }
}

impl TerrainState {
    /// The surface of the generation on screen; `None` before the first frame.
    pub fn surface(&self) -> Option<Surface> {
        Some(self.descriptor()?.surface(self.climate()))
    }
}

impl TerrainDescriptor {
    /// The surface of a generation.
    pub(crate) fn surface(&self, climate: Arc<TerrainClimate>) -> Surface {
        Surface { source: self.source.clone(), spacing: self.lod.spacing, climate }
    }
}
