//! Default plants.

use bevy::prelude::*;

use super::settings::{ScatterKind, TerrainScatter};
use crate::patches::TerrainPatches;
use crate::span::LayerSpan;

impl TerrainScatter {
    /// Meadows with thickets, spruce forest up to some 900 m, and boulders on slopes, to go with the default terrain, climate
    /// and ground.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy_noise_terrain::prelude::*;
    /// let land = (NoiseTerrain::default(), TerrainScatter::temperate());
    /// ```
    pub fn temperate() -> Self {
        let grass = ScatterKind { temperature: LayerSpan::above(1.95, 1.3), ..ScatterKind::grass() };
        let spruces = ScatterKind {
            density: 0.026,
            max_slope: 0.75,
            temperature: LayerSpan::above(4.3, 1.4),
            moisture: LayerSpan::above(0.42, 0.16),
            patches: Some(TerrainPatches::temperate_woods()),
            ..ScatterKind::conifer()
        };
        let boulders = ScatterKind {
            density: 0.04,
            min_slope: 0.3,
            temperature: LayerSpan::above(-3.25, 0.4),
            sink: 0.3,
            ..ScatterKind::rock()
        };
        let bushes = ScatterKind {
            density: 0.012,
            tint: [0.7, 0.74, 0.58],
            temperature: LayerSpan::above(3.0, 1.4),
            moisture: LayerSpan::above(0.3, 0.16),
            ..ScatterKind::bush()
        };
        Self { kinds: vec![grass, spruces, boulders, bushes], ..default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_plants_are_valid() {
        assert_eq!(TerrainScatter::temperate().validate(), Ok(()));
    }
}
