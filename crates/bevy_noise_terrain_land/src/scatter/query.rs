//! The objects of a running terrain.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use super::map::ScatterMap;
use super::removed::RemovedScatter;
use super::settings::TerrainScatter;
use crate::query::{Surface, TerrainQuery};
use crate::settings::reject;
use crate::water::TerrainWater;

/// The valid settings of a terrain, prepared to place objects.
#[derive(Component, Default)]
pub struct PreparedScatter {
    settings: Option<TerrainScatter>,
    /// The level of the terrain's water, by its last valid settings.
    water: Option<f32>,
    /// Counts valid settings, and levels of the water.
    revision: u64,
    map: Option<ScatterMap>,
}

#[cfg(feature = "scatter")]
impl PreparedScatter {
    /// The last valid settings.
    pub fn settings(&self) -> Option<&TerrainScatter> {
        self.settings.as_ref()
    }

    /// The level of the terrain's water.
    pub fn water(&self) -> Option<f32> {
        self.water
    }
}

type Scatter =
    (&'static TerrainScatter, &'static PreparedScatter, &'static RemovedScatter, Option<&'static TerrainWater>);

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
    scatter: Query<'w, 's, Scatter>,
}

impl ScatterQuery<'_, '_> {
    /// What stands on the only terrain, or on the one spawned first.
    pub fn map(&self) -> Option<ScatterMap> {
        self.map_of(self.land.first()?)
    }

    /// Changes with the settings of a terrain; `None` while there are no valid ones.
    pub(crate) fn revision_of(&self, terrain: Entity) -> Option<u64> {
        let (_, prepared, ..) = self.scatter.get(terrain).ok()?;
        prepared.settings.is_some().then_some(prepared.revision)
    }

    /// What stands on one terrain, on the land that [`TerrainQuery::surface_of`] tells of; `None` if it has no
    /// [`TerrainScatter`] with valid settings.
    pub fn map_of(&self, terrain: Entity) -> Option<ScatterMap> {
        let (settings, prepared, removed, water) = self.scatter.get(terrain).ok()?;
        let land = self.land.surface_of(terrain)?;
        let map = match prepared.map.as_ref().and_then(|map| map.on(land.clone())) {
            Some(map) => map,
            // Before the first frame, and where spacing or climate have just changed.
            None => {
                let is_prepared = prepared.settings.is_some();
                let water = if is_prepared { prepared.water } else { water.and_then(valid_level) };
                map(prepared.settings.as_ref().unwrap_or(settings), &land, water)?
            }
        };
        Some(map.without(removed))
    }
}

/// The level of water, if its settings are valid.
fn valid_level(water: &TerrainWater) -> Option<f32> {
    water.validate().is_ok().then_some(water.level)
}

fn map(settings: &TerrainScatter, land: &Surface, water: Option<f32>) -> Option<ScatterMap> {
    let map = ScatterMap::new(settings, land).ok()?;
    Some(match water {
        Some(level) => map.with_water(level),
        None => map,
    })
}

/// Reports invalid settings, and prepares valid ones.
pub fn prepare(
    mut commands: Commands,
    land: TerrainQuery,
    mut terrains: Query<(Entity, Ref<TerrainScatter>, &mut PreparedScatter, Option<Ref<TerrainWater>>)>,
) {
    for (terrain, scatter, mut prepared, water) in &mut terrains {
        let settings: &TerrainScatter = &scatter;
        if scatter.is_changed() && prepared.settings.as_ref() != Some(settings) {
            match settings.validate() {
                Ok(()) => {
                    prepared.settings = Some(settings.clone());
                    prepared.revision += 1;
                    prepared.map = None;
                }
                Err(error) => reject(&mut commands, Some(terrain), error),
            }
        }
        let level = match water {
            // Invalid settings, which are reported with the water, change nothing.
            Some(water) if water.is_changed() => valid_level(&water).or(prepared.water),
            Some(_) => prepared.water,
            None => None,
        };
        if prepared.water != level {
            prepared.water = level;
            prepared.revision += 1;
            prepared.map = None;
        }
        let Some(land) = land.surface_of(terrain) else { continue };
        if prepared.map.as_ref().is_none_or(|map| !map.fits(&land)) {
            let new = prepared.settings.as_ref().and_then(|settings| map(settings, &land, level));
            if prepared.map.is_some() || new.is_some() {
                prepared.map = new;
            }
        }
    }
}
