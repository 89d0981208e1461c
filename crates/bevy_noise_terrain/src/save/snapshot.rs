//! What a terrain is now.

use bevy::prelude::World;

use super::TerrainSave;
use super::record::Record;
use crate::change_log::Revision;
use crate::edits::{EditChanges, TerrainEdits};
use crate::ground::TerrainGround;
use crate::preset_asset::TerrainPreset;
use crate::scatter::{RemovedChanges, RemovedScatter, TerrainScatter};
#[cfg(feature = "sky")]
use crate::sky::TerrainSky;
use crate::terrain::NoiseTerrain;
use crate::water::TerrainWater;
use crate::wind::TerrainWind;

/// The components that are saved.
pub type Parts = (
    &'static NoiseTerrain,
    Option<&'static TerrainGround>,
    Option<&'static TerrainWater>,
    Option<&'static TerrainScatter>,
    Option<&'static TerrainEdits>,
    Option<&'static RemovedScatter>,
);

/// Parts of one terrain.
type PartsOf<'a> = (
    &'a NoiseTerrain,
    Option<&'a TerrainGround>,
    Option<&'a TerrainWater>,
    Option<&'a TerrainScatter>,
    Option<&'a TerrainEdits>,
    Option<&'a RemovedScatter>,
);

/// What all terrains of an app share, where it is there.
#[derive(Clone, Copy)]
pub struct Weather<'a> {
    pub wind: Option<&'a TerrainWind>,
    #[cfg(feature = "sky")]
    pub sky: Option<&'a TerrainSky>,
}

impl<'a> Weather<'a> {
    pub fn of(world: &'a World) -> Self {
        Self {
            wind: world.get_resource(),
            #[cfg(feature = "sky")]
            sky: world.get_resource(),
        }
    }
}

/// A terrain, and its weather.
pub struct Snapshot<'a> {
    parts: PartsOf<'a>,
    weather: Weather<'a>,
}

impl<'a> Snapshot<'a> {
    pub fn new(parts: PartsOf<'a>, weather: Weather<'a>) -> Self {
        Self { parts, weather }
    }

    /// The states of edits and of what is taken away.
    pub fn revisions(&self) -> [Revision; 2] {
        let (.., edits, removed) = self.parts;
        [
            edits.map_or_else(Revision::default, TerrainEdits::revision),
            removed.map_or_else(Revision::default, RemovedScatter::revision),
        ]
    }

    /// Settings and looks. An app without wind or sky leaves those of `saved` as they are.
    pub fn world(&self, saved: Option<&TerrainPreset>) -> TerrainPreset {
        let (terrain, ground, water, scatter, ..) = self.parts;
        TerrainPreset {
            terrain: terrain.clone(),
            ground: ground.cloned().unwrap_or_default(),
            water: water.cloned(),
            scatter: scatter.cloned(),
            wind: self.weather.wind.or_else(|| saved?.wind.as_ref()).cloned(),
            #[cfg(feature = "sky")]
            sky: self.weather.sky.or_else(|| saved?.sky.as_ref()).cloned(),
            #[cfg(not(feature = "sky"))]
            weather: Default::default(),
        }
    }

    /// All of it, with these settings and looks.
    pub fn save(&self, world: TerrainPreset) -> TerrainSave {
        let (.., edits, removed) = self.parts;
        TerrainSave { world, edits: edits.cloned().unwrap_or_default(), removed: removed.cloned().unwrap_or_default() }
    }

    /// What players have changed since an earlier state. If it did not come from that, as where another list was put in its
    /// place, all of it has.
    pub fn since(&self, [edits, removed]: [Revision; 2]) -> Record {
        let (.., own_edits, own_removed) = self.parts;
        let edits = match own_edits {
            Some(own) => own.changes_since(edits).unwrap_or_else(|| own.all_as_changes()),
            None => EditChanges { cleared: edits != Revision::default(), ..Default::default() },
        };
        let removed = match own_removed {
            Some(own) => own.changes_since(removed).unwrap_or_else(|| own.all_as_changes()),
            None => RemovedChanges { cleared: removed != Revision::default(), ..Default::default() },
        };
        Record {
            world: None,
            edits: (!edits.is_empty()).then_some(edits),
            removed: (!removed.is_empty()).then_some(removed),
        }
    }
}
