//! The land that settings describe.

use super::Surface;
use crate::streaming::LandSettingsItem;

impl LandSettingsItem<'_, '_> {
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
