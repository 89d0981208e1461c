//! The components that the land of a terrain follows from.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;

use super::Surface;
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

    /// What will be on screen: the land of the settings, or of the source in their place.
    pub fn surface(&self) -> Option<Surface> {
        let mut surface = match &self.source {
            Some(source) => source.surface(self.terrain.lod.spacing).with_climate(self.terrain.climate.clone()),
            None => self.terrain.surface().ok()?,
        };
        if let Some(edits) = &self.edits {
            surface = surface.with_edits(edits);
        }
        if let Some(holes) = &self.holes {
            surface = surface.with_holes(holes);
        }
        if let Some(volumes) = &self.volumes {
            surface = surface.with_volumes(volumes);
        }
        if let Some(scatter) = &self.volume_scatter {
            surface = surface.with_volume_scatter(scatter).unwrap_or(surface);
        }
        Some(surface)
    }
}
