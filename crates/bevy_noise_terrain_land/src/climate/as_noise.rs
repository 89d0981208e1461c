//! The climate as noises of the core, for land whose shape follows it.

use terrain_noise::{Compose, Noise};

use super::TerrainClimate;
use super::noises::{noise, tree};

impl TerrainClimate {
    /// The moisture as a noise, to shape land by: dunes where it is dry, for example.
    ///
    /// It is that of land far above the shore, without the roughness of a few metres that [`Surface::climate`] has, and not
    /// limited to 0 to 1. The seed of the land does not change it. Land does not follow when the climate is changed: build its
    /// noise anew.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy_noise_terrain::{prelude::*, terrain_noise::prelude::*};
    /// let climate = TerrainClimate::default();
    /// let hills = perlin().fbm().octaves(8).feature_size(900.0).scale(120.0);
    /// let is_dry = climate.moisture_noise().curve([[0.2, 1.0], [0.3, 0.0]]);
    /// let noise = hills.blend(dunes(90.0).scale(14.0), is_dry);
    /// let terrain = NoiseTerrain { noise, climate, ..Default::default() };
    /// # terrain.surface()?;
    /// # Ok::<(), bevy_noise_terrain::SettingsError>(())
    /// ```
    ///
    /// [`Surface::climate`]: crate::Surface::climate
    pub fn moisture_noise(&self) -> Noise {
        let regions = tree(self, noise::WET).add(tree(self, noise::WET_FINE).scale(0.5));
        let regions = regions.add(tree(self, noise::WET_FINER).scale(0.2));
        regions.scale(f64::from(0.5 * self.moisture_spread)).offset(f64::from(self.moisture))
    }

    /// The temperature as a noise, in °C, to shape land by: that of level ground at height 0 on the equator, without the
    /// roughness of a few metres that [`Surface::climate`](crate::Surface::climate) has. As
    /// [`moisture_noise`](Self::moisture_noise), it does not depend on the seed of the land.
    pub fn temperature_noise(&self) -> Noise {
        let regions = tree(self, noise::WARM).scale(0.7).add(tree(self, noise::WARM_FINE).scale(0.2));
        regions.scale(f64::from(-self.temperature_spread)).offset(f64::from(self.temperature))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ClimateField, Site};
    use super::*;

    #[test]
    fn they_are_the_climate_of_level_ground_but_for_its_roughness() {
        let climate = TerrainClimate { seed: 3, shore: 0.4, temperature_spread: 6.0, ..TerrainClimate::default() };
        let [moisture, temperature] =
            [climate.moisture_noise(), climate.temperature_noise()].map(|noise| noise.build(77).unwrap());
        let (mut moistest, mut driest) = (0.0_f32, 1.0_f32);
        for k in 0..400 {
            let place = [f64::from(k % 20) * 731.0 - 40_000.0, f64::from(k / 20) * 613.0 + 1e6];
            let mut field = ClimateField::new(&climate, place);
            let local = field.local([0.0; 2]);
            let far_above = field.at(0.0, Site { height: 100.0, facing: 0.0 }, local);
            let at_zero = field.at(0.0, Site { height: 0.0, facing: 0.0 }, local);
            let expected = (moisture.sample(place) + 0.18 * local.rough).clamp(0.0, 1.0);
            assert!((far_above.moisture - expected).abs() < 4e-3, "{place:?}: {far_above:?}, {expected}");
            let warmth = temperature.sample(place) - 6.0 * 0.15 * local.rough;
            assert!((at_zero.temperature - warmth).abs() < 2e-2, "{place:?}: {at_zero:?}, {warmth}");
            (moistest, driest) = (moistest.max(expected), driest.min(expected));
        }
        assert!(moistest > 0.9 && driest < 0.1, "{driest} to {moistest}");
    }
}
