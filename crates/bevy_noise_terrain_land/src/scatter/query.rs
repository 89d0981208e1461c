//! The objects of a running terrain.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use super::map::ScatterMap;
use super::removed::RemovedScatter;
use super::settings::TerrainScatter;
use crate::query::TerrainQuery;
use crate::settings::reject;

/// The valid settings of a terrain, prepared to place objects.
#[derive(Component, Default)]
pub struct PreparedScatter {
    settings: Option<TerrainScatter>,
    /// Counts valid settings.
    revision: u64,
    map: Option<ScatterMap>,
}

/// Gives access to the objects that stand on terrains: with a renderer or without, loaded or not.
///
/// It reads [`RemovedScatter`]: a system that writes it, too, has both in a [`ParamSet`].
///
/// ```
/// # use bevy_noise_terrain_land as bevy_noise_terrain;
/// # use bevy::prelude::*;
/// # use bevy_noise_terrain::{prelude::*, scatter::{RemovedScatter, ScatterQuery}};
/// fn fell_a_tree(mut scatter: ParamSet<(ScatterQuery, Single<&mut RemovedScatter>)>) {
///     let Some(map) = scatter.p0().map() else { return };
///     let is_tree = |kind: &ScatterKind| kind.shape == ScatterShape::Conifer;
///     let tree = map.objects([-20.0; 2], [20.0; 2], is_tree).next();
///     if let Some(tree) = tree {
///         scatter.p1().remove(tree.id);
///     }
/// }
/// # IntoSystem::into_system(fell_a_tree).initialize(&mut World::new());
/// ```
#[derive(SystemParam)]
pub struct ScatterQuery<'w, 's> {
    land: TerrainQuery<'w, 's>,
    scatter: Query<'w, 's, (&'static TerrainScatter, &'static PreparedScatter, &'static RemovedScatter)>,
}

impl ScatterQuery<'_, '_> {
    /// What stands on the only terrain, or on the one spawned first.
    pub fn map(&self) -> Option<ScatterMap> {
        self.map_of(self.land.first()?)
    }

    /// Changes with the settings of a terrain; `None` while there are no valid ones.
    pub(crate) fn revision_of(&self, terrain: Entity) -> Option<u64> {
        let (_, prepared, _) = self.scatter.get(terrain).ok()?;
        prepared.settings.is_some().then_some(prepared.revision)
    }

    /// What stands on one terrain, on the land that [`TerrainQuery::surface_of`] tells of; `None` if it has no
    /// [`TerrainScatter`] with valid settings.
    pub fn map_of(&self, terrain: Entity) -> Option<ScatterMap> {
        let (settings, prepared, removed) = self.scatter.get(terrain).ok()?;
        let land = self.land.surface_of(terrain)?;
        let map = match prepared.map.as_ref().and_then(|map| map.on(land.clone())) {
            Some(map) => map,
            // Before the first frame, and where spacing or climate have just changed.
            None => ScatterMap::new(prepared.settings.as_ref().unwrap_or(settings), &land).ok()?,
        };
        Some(map.without(removed))
    }
}

/// Reports invalid settings, and prepares valid ones.
pub fn prepare(
    mut commands: Commands,
    land: TerrainQuery,
    mut terrains: Query<(Entity, Ref<TerrainScatter>, &mut PreparedScatter)>,
) {
    for (terrain, scatter, mut prepared) in &mut terrains {
        let settings: &TerrainScatter = &scatter;
        if scatter.is_changed() && prepared.settings.as_ref() != Some(settings) {
            match settings.validate() {
                Ok(()) => {
                    let revision = prepared.revision + 1;
                    *prepared = PreparedScatter { settings: Some(settings.clone()), revision, map: None };
                }
                Err(error) => reject(&mut commands, Some(terrain), error),
            }
        }
        let Some(land) = land.surface_of(terrain) else { continue };
        if prepared.map.as_ref().is_none_or(|map| !map.fits(&land)) {
            let map = prepared.settings.as_ref().and_then(|settings| ScatterMap::new(settings, &land).ok());
            prepared.map = map;
        }
    }
}
