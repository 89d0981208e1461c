//! What a terrain is now.

use bevy::prelude::World;

use super::TerrainSave;
use super::record::Record;
use crate::change_log::Revision;
use crate::edits::{EditChanges, HoleChanges, TerrainEdits, TerrainHoles};
use crate::ground::TerrainGround;
use crate::preset_asset::TerrainPreset;
use crate::scatter::{RemovedChanges, RemovedScatter, TerrainScatter};
#[cfg(feature = "sky")]
use crate::sky::TerrainSky;
use crate::terrain::NoiseTerrain;
use crate::volumes::{TerrainVolumes, VolumeChanges, VolumeScatter};
use crate::water::TerrainWater;
use crate::wind::TerrainWind;

/// The components that are saved.
pub type Parts = (
    &'static NoiseTerrain,
    Option<&'static TerrainGround>,
    Option<&'static TerrainWater>,
    Option<&'static TerrainScatter>,
    Option<&'static TerrainEdits>,
    Option<&'static TerrainHoles>,
    Option<&'static TerrainVolumes>,
    Option<&'static RemovedScatter>,
    Option<&'static VolumeScatter>,
);

/// Parts of one terrain.
type PartsOf<'a> = (
    &'a NoiseTerrain,
    Option<&'a TerrainGround>,
    Option<&'a TerrainWater>,
    Option<&'a TerrainScatter>,
    Option<&'a TerrainEdits>,
    Option<&'a TerrainHoles>,
    Option<&'a TerrainVolumes>,
    Option<&'a RemovedScatter>,
    Option<&'a VolumeScatter>,
);

/// The states of what players change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revisions {
    pub edits: Revision,
    pub holes: Revision,
    pub volumes: Revision,
    pub removed: Revision,
}

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

    /// The states of what players change.
    pub fn revisions(&self) -> Revisions {
        let (.., edits, holes, volumes, removed, _) = self.parts;
        Revisions {
            edits: edits.map(TerrainEdits::revision).unwrap_or_default(),
            holes: holes.map(|holes| holes.list().revision()).unwrap_or_default(),
            volumes: volumes.map(|volumes| volumes.list().revision()).unwrap_or_default(),
            removed: removed.map(RemovedScatter::revision).unwrap_or_default(),
        }
    }

    /// Settings and looks. An app without wind or sky leaves those of `saved` as they are.
    pub fn world(&self, saved: Option<&TerrainPreset>) -> TerrainPreset {
        let (terrain, ground, water, scatter, .., volumes) = self.parts;
        TerrainPreset {
            terrain: terrain.clone(),
            ground: ground.cloned().unwrap_or_default(),
            water: water.cloned(),
            scatter: scatter.cloned(),
            volumes: volumes.cloned(),
            wind: self.weather.wind.or_else(|| saved?.wind.as_ref()).cloned(),
            #[cfg(feature = "sky")]
            sky: self.weather.sky.or_else(|| saved?.sky.as_ref()).cloned(),
            #[cfg(not(feature = "sky"))]
            weather: Default::default(),
        }
    }

    /// All of it, with these settings and looks.
    pub fn save(&self, world: TerrainPreset) -> TerrainSave {
        let (.., edits, holes, volumes, removed, _) = self.parts;
        TerrainSave {
            world,
            edits: edits.cloned().unwrap_or_default(),
            holes: holes.cloned().unwrap_or_default(),
            volumes: volumes.cloned().unwrap_or_default(),
            removed: removed.cloned().unwrap_or_default(),
        }
    }

    /// What players have changed since an earlier state. If it did not come from that, as where another list was put in its
    /// place, all of it has.
    pub fn since(&self, earlier: Revisions) -> Record {
        let (.., own_edits, own_holes, own_volumes, own_removed, _) = self.parts;
        let edits = match own_edits {
            Some(own) => own.changes_since(earlier.edits).unwrap_or_else(|| own.all_as_changes()),
            None => EditChanges { cleared: earlier.edits != Revision::default(), ..Default::default() },
        };
        let holes = match own_holes {
            Some(own) => own.list().changes_since(earlier.holes),
            None => HoleChanges::all_gone(earlier.holes),
        };
        let volumes = match own_volumes {
            Some(own) => own.list().changes_since(earlier.volumes),
            None => VolumeChanges::all_gone(earlier.volumes),
        };
        let removed = match own_removed {
            Some(own) => own.changes_since(earlier.removed).unwrap_or_else(|| own.all_as_changes()),
            None => RemovedChanges { cleared: earlier.removed != Revision::default(), ..Default::default() },
        };
        Record {
            world: None,
            edits: (!edits.is_empty()).then_some(edits),
            holes: (!holes.is_empty()).then_some(holes),
            volumes: (!volumes.is_empty()).then_some(volumes),
            removed: (!removed.is_empty()).then_some(removed),
        }
    }
}
