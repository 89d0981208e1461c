//! Biomes: names for parts of the climate, which ground and plants refer to.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Climate, TerrainClimate};
use crate::settings::{SettingsError, settings};
use crate::span::{LayerSpan, span, within};

settings! {
    /// A part of the climate with a name: [`GroundLayer::biome`](crate::ground::GroundLayer::biome) and
    /// [`ScatterKind::biome`](crate::scatter::ScatterKind::biome) refer to it.
    ///
    /// Biomes may overlap, and where spans have soft ends, one gives way to the next without a line.
    #[derive(Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Biome {
        /// Its name, once in a table.
        pub name: String = "biome".into();
        /// Temperatures at which it is found, in °C.
        pub temperature: LayerSpan = LayerSpan::ALL;
        /// Moistures at which it is found: 0 dry, 1 wet.
        pub moisture: LayerSpan = LayerSpan::ALL;
    }
}

impl Biome {
    /// A biome of these temperatures and moistures.
    pub fn new(name: &str, temperature: LayerSpan, moisture: LayerSpan) -> Self {
        Self { name: name.into(), temperature, moisture }
    }

    /// The biomes of the Earth, after Whittaker, *Communities and Ecosystems*, 1975, figure 4.10; moistures instead of rainfall.
    pub fn whittaker() -> Vec<Self> {
        let t = |from, to| LayerSpan::between(from, to, 2.5);
        let m = |from, to| LayerSpan::between(from, to, 0.12);
        let open = f32::INFINITY;
        vec![
            Self::new("ice", t(-open, -7.0), LayerSpan::ALL),
            Self::new("tundra", t(-7.0, 0.5), LayerSpan::ALL),
            Self::new("taiga", t(0.5, 7.0), m(0.4, open)),
            Self::new("steppe", t(0.5, 18.0), m(0.24, 0.42)),
            Self::new("temperate forest", t(7.0, 18.0), m(0.42, 0.8)),
            Self::new("temperate rainforest", t(7.0, 18.0), m(0.8, open)),
            Self::new("desert", t(5.0, open), m(-open, 0.26)),
            Self::new("savanna", t(18.0, open), m(0.26, 0.54)),
            Self::new("rainforest", t(18.0, open), m(0.54, open)),
        ]
    }

    /// How much of a place with this climate belongs to it, 0 to 1.
    pub fn share(&self, climate: Climate) -> f32 {
        let [temperature, moisture] = [self.temperature, self.moisture].map(|of| span(of, 0.0));
        within(&temperature, climate.temperature) * within(&moisture, climate.moisture)
    }
}

impl TerrainClimate {
    /// The biome that most of a place with this climate belongs to; `None` where the table has none.
    pub fn biome(&self, climate: Climate) -> Option<&Biome> {
        let shares = self.biomes.iter().map(|biome| (biome, biome.share(climate))).filter(|(_, share)| *share > 0.0);
        shares.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(biome, _)| biome)
    }

    /// Moistures and temperatures within a biome, by its name; all of them if the name is empty.
    pub(crate) fn narrow(&self, biome: &str, moisture: &mut LayerSpan, temperature: &mut LayerSpan) {
        if biome.is_empty() {
            return;
        }
        let Some(biome) = self.biomes.iter().find(|known| known.name == biome) else {
            warn_once!("there is no biome {biome:?}: what lies there is left out");
            *moisture = LayerSpan { from: f32::INFINITY, ..LayerSpan::ALL };
            return;
        };
        *moisture = moisture.within(biome.moisture);
        *temperature = temperature.within(biome.temperature);
    }

    /// Names must be there and differ.
    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        for (index, Biome { name, .. }) in self.biomes.iter().enumerate() {
            let of = |found, allowed: &str| {
                let error = SettingsError::new("name", format!("{found:?}"), allowed);
                Err(error.below(index).below("biomes"))
            };
            if name.is_empty() {
                return of(name, "a name");
            }
            if self.biomes[..index].iter().any(|other| other.name == *name) {
                return of(name, "a name that no other biome has");
            }
        }
        Ok(())
    }

    /// That a biome is known.
    #[cfg(feature = "presets")]
    pub(crate) fn check_biome(&self, name: &str) -> Result<(), SettingsError> {
        if name.is_empty() || self.biomes.iter().any(|biome| biome.name == name) {
            return Ok(());
        }
        let names: Vec<&str> = self.biomes.iter().map(|biome| biome.name.as_str()).collect();
        Err(SettingsError::new("biome", format!("{name:?}"), format!("nothing, or one of {}", names.join(", "))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_climate_of_the_earth_has_a_biome() {
        let climate = TerrainClimate::default();
        for temperature in (-30..35).map(|degrees| degrees as f32) {
            for moisture in (0..=20).map(|twentieth| twentieth as f32 / 20.0) {
                let place = Climate { temperature, moisture };
                let all: f32 = climate.biomes.iter().map(|biome| biome.share(place)).sum();
                // Cold deserts are nothing else, and few.
                let is_cold_desert = (0.0..=8.0).contains(&temperature) && moisture < 0.3;
                assert!(all > 0.4 || is_cold_desert, "{place:?}: {all}");
                assert!(all < 1.7, "{place:?}: {all}");
            }
        }
        let name =
            |temperature, moisture| climate.biome(Climate { temperature, moisture }).map(|biome| biome.name.as_str());
        assert_eq!(name(26.0, 0.9), Some("rainforest"));
        assert_eq!(name(26.0, 0.1), Some("desert"));
        assert_eq!(name(3.0, 0.7), Some("taiga"));
        assert_eq!(name(-20.0, 0.2), Some("ice"));
    }

    #[test]
    fn layers_of_a_biome_lie_within_it() {
        let climate = TerrainClimate::default();
        let (mut moisture, mut temperature) = (LayerSpan::above(0.6, 0.05), LayerSpan::ALL);
        climate.narrow("taiga", &mut moisture, &mut temperature);
        assert_eq!((moisture.from, moisture.to), (0.6, f32::INFINITY));
        assert_eq!((temperature.from, temperature.to, temperature.soft), (0.5, 7.0, 2.5));
        let before = (moisture, temperature);
        climate.narrow("", &mut moisture, &mut temperature);
        assert_eq!((moisture, temperature), before);
    }

    #[test]
    fn names_are_there_and_differ() {
        let of = |name: &str| {
            let mut climate = TerrainClimate::default();
            climate.biomes[3].name = name.into();
            climate.check().unwrap_err().to_string()
        };
        assert_eq!(of(""), "biomes.3.name: found \"\", allowed is a name");
        assert_eq!(of("ice"), "biomes.3.name: found \"ice\", allowed is a name that no other biome has");
    }
}
