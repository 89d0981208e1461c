//! The components that the land of a terrain follows from.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use crate::edits::{TerrainEdits, TerrainHoles};
use crate::source::TerrainSource;
use crate::terrain::NoiseTerrain;
use crate::volumes::{TerrainVolumes, VolumeScatter};

/// A terrain's settings, and what players have changed.
#[derive(QueryData)]
pub(crate) struct LandSettings {
    pub terrain: Ref<'static, NoiseTerrain>,
    pub source: Option<Ref<'static, TerrainSource>>,
    pub edits: Option<Ref<'static, TerrainEdits>>,
    pub holes: Option<Ref<'static, TerrainHoles>>,
    pub volumes: Option<Ref<'static, TerrainVolumes>>,
    pub volume_scatter: Option<Ref<'static, VolumeScatter>>,
}

impl LandSettingsItem<'_, '_> {
    /// Whether the land may have another shape than in the last frame.
    pub fn is_reshaped(&self) -> bool {
        self.terrain.is_changed() || self.source.as_ref().is_some_and(Ref::is_changed)
    }

    /// Whether edits, holes or volumes may be others than in the last frame.
    pub fn is_edited(&self) -> bool {
        self.edits.as_ref().is_some_and(Ref::is_changed)
            || self.holes.as_ref().is_some_and(Ref::is_changed)
            || self.volumes.as_ref().is_some_and(Ref::is_changed)
            || self.volume_scatter.as_ref().is_some_and(Ref::is_changed)
    }
}
