//! Default plants.

use bevy::prelude::*;

use super::settings::{ScatterKind, ScatterPatches, TerrainScatter};

impl TerrainScatter {
    /// Meadows, spruce forest up to 950 m, and boulders on slopes, to go with the default terrain and ground.
    ///
    /// ```
    /// # use bevy_noise_terrain::prelude::*;
    /// let land = (NoiseTerrain::default(), TerrainScatter::temperate());
    /// ```
    pub fn temperate() -> Self {
        let grass = ScatterKind { max_height: 1_300.0, height_fade: 200.0, ..ScatterKind::grass() };
        let woods = ScatterPatches { feature_size: 420.0, coverage: 0.42, seed: 2, ..default() };
        let spruces = ScatterKind {
            density: 0.026,
            max_slope: 0.75,
            max_height: 950.0,
            height_fade: 220.0,
            patches: Some(woods),
            ..ScatterKind::conifer()
        };
        let boulders =
            ScatterKind { density: 0.04, min_slope: 0.3, max_height: 2_000.0, sink: 0.3, ..ScatterKind::rock() };
        Self { kinds: vec![grass, spruces, boulders], ..default() }
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
