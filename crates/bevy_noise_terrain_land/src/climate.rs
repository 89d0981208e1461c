//! Temperature and moisture of the land, which ground, plants and snow follow.
//!
//! A formula over position, height and aspect with a few value noises. The shader computes the same: see
//! `render/ground/climate.wesl`, which declares the same records.

mod as_noise;
mod biome;
mod noises;
mod record;

use bevy::prelude::*;
pub use biome::Biome;
use noises::noise;
pub(crate) use noises::{NOISES, ValueNoise, ValueNoiseRecord};
pub(crate) use record::ClimateRecord;
use serde::{Deserialize, Serialize};

use crate::settings::settings;

settings! {
    /// The climate of a terrain: a field of [`NoiseTerrain`](crate::NoiseTerrain), whose change builds no chunk again.
    ///
    /// [`Surface::climate`](crate::Surface::climate) tells the climate of a place. Layers of the ground and kinds of plants have
    /// spans of temperature and moisture: a change of climate moves snow lines, tree lines and meadows together.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy_noise_terrain::prelude::*;
    /// let mut terrain = NoiseTerrain::default();
    /// terrain.climate.temperature -= 8.0; // an ice age
    /// let summit = terrain.surface()?.climate(300.0, -1_200.0);
    /// println!("{:.1} °C, moisture {:.2}", summit.temperature, summit.moisture);
    /// # Ok::<(), bevy_noise_terrain::SettingsError>(())
    /// ```
    #[derive(Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct TerrainClimate {
        /// Mean temperature at height 0.
        pub temperature: f32 = 9.75, [-80.0..=80.0, "°C"];
        /// How much colder it is a kilometre higher.
        pub lapse: f32 = 6.5, [0.0..=100.0, "°C"], slider [0.0..=12.0];
        /// How far the temperature departs from the mean in warm and cold regions.
        pub temperature_spread: f32 = 1.1, [0.0..=60.0, "°C"], slider [0.0..=20.0];
        /// How much warmer a wall is that faces +z than level ground; less than 0 on the southern half of a globe.
        pub sunny_side: f32 = 1.5, [-20.0..=20.0, "°C"], slider [-6.0..=6.0];
        /// How much colder the poles are than the equator, which is at z = 0.
        pub poles: f32 = 0.0, [0.0..=100.0, "°C"], slider [0.0..=60.0];
        /// Distance from the equator to the poles. Beyond a pole it becomes warmer again, up to the next equator.
        pub pole_distance: f64 = 100_000.0, [1_000.0..=1e9, "m"], slider [10_000.0..=1_000_000.0];
        /// Mean moisture.
        pub moisture: f32 = 0.5, [0.0..=1.0];
        /// How far the moisture departs from the mean in wet and dry regions.
        pub moisture_spread: f32 = 1.0, [0.0..=2.0];
        /// How much moister the shore is than land far above it. The shore is at height 0.
        pub shore: f32 = 0.0, [0.0..=1.0];
        /// Height above the shore that it does not moisten any more.
        pub shore_height: f32 = 60.0, [0.1..=10_000.0, "m"], slider [1.0..=500.0];
        /// Which wet and dry, warm and cold regions there are: every number gives others. The seed of the land changes none.
        pub seed: u64 = 75_975, [any];
        /// Width of wet and dry regions; warm and cold ones are 1.7 times as wide.
        pub feature_size: f32 = 900.0, [16.0..=1e6, "m"], slider [100.0..=50_000.0];
        /// Names for parts of the climate, which layers of the ground and plants refer to.
        pub biomes: Vec<Biome> = Biome::whittaker();
    }
}

/// The climate of a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Climate {
    /// In °C.
    pub temperature: f32,
    /// 0 is dry, 1 is wet.
    pub moisture: f32,
}

/// What the climate of a place follows from besides its noises.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Height in metres.
    pub height: f32,
    /// z of the unit normal.
    pub facing: f32,
}

/// The noises at a place.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    wide: f32,
    warm: f32,
    /// Breaks up straight seams, in [−1, 1].
    pub rough: f32,
}

/// The climate of a terrain around an origin, ready for many places.
#[derive(Clone, Copy, Debug)]
pub struct ClimateField {
    record: ClimateRecord,
    noises: [ValueNoise; NOISES],
}

impl ClimateField {
    /// For places around an origin, absolute x and z.
    pub fn new(climate: &TerrainClimate, origin: [f64; 2]) -> Self {
        Self {
            record: ClimateRecord::new(climate, origin[1]),
            noises: ValueNoiseRecord::all(climate, origin).map(ValueNoise::from),
        }
    }

    /// The noises at x and z from the origin, for pixels of no width.
    pub fn local(&mut self, place: [f32; 2]) -> Local {
        let mut at = |which: usize| self.noises[which].at(place);
        let rough = 0.5 * at(noise::ROUGH) + 0.35 * at(noise::ROUGH_FINE) + 0.25 * at(noise::ROUGH_FINEST);
        Local {
            wide: at(noise::WET) + 0.5 * at(noise::WET_FINE) + 0.2 * at(noise::WET_FINER),
            warm: 0.7 * at(noise::WARM) + 0.2 * at(noise::WARM_FINE) + 0.15 * rough,
            rough,
        }
    }

    /// The climate at z metres from the origin.
    pub fn at(&self, z: f32, site: Site, local: Local) -> Climate {
        self.record.climate(z, site, local)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(climate: &TerrainClimate, place: [f64; 2], height: f32) -> Climate {
        let mut field = ClimateField::new(climate, place);
        let local = field.local([0.0; 2]);
        field.at(0.0, Site { height, facing: 0.0 }, local)
    }

    #[test]
    fn it_is_colder_above_and_at_the_poles() {
        let climate = TerrainClimate { poles: 40.0, pole_distance: 2e5, ..default() };
        let temperature = |z: f64, height: f32| at(&climate, [3e4, z], height).temperature;
        assert!((temperature(0.0, 0.0) - temperature(0.0, 1_000.0) - 6.5).abs() < 1e-4);
        for around in [0.0, 4e5, -8e5] {
            assert!((temperature(around, 0.0) - climate.temperature).abs() < 1.3, "an equator at {around}");
            let pole = temperature(around + 2e5, 0.0);
            assert!((pole - climate.temperature + 40.0).abs() < 1.3, "a pole, {pole} °C");
        }
    }

    #[test]
    fn sunny_sides_are_warmer_and_shores_are_moister() {
        let climate = TerrainClimate { shore: 0.4, moisture_spread: 0.0, ..default() };
        let mut field = ClimateField::new(&climate, [0.0; 2]);
        let local = field.local([40.0, 2.0]);
        let at = |height: f32, facing: f32| field.at(2.0, Site { height, facing }, local);
        assert!((at(50.0, 0.5).temperature - at(50.0, -0.5).temperature - 1.5).abs() < 1e-4);
        assert!((at(0.0, 0.0).moisture - at(100.0, 0.0).moisture - 0.4).abs() < 1e-5);
        assert_eq!(at(60.0, 0.0).moisture, at(1_000.0, 0.0).moisture);
        assert_eq!(at(-50.0, 0.0).moisture, at(0.0, 0.0).moisture);
    }

    #[test]
    fn the_origin_does_not_matter() {
        let climate = TerrainClimate { poles: 30.0, ..default() };
        for place in [[0.0, 0.0], [1e6 + 3.0, -4e5], [1e9, 1e9 + 17.0]] {
            let here = at(&climate, place, 200.0);
            let mut field = ClimateField::new(&climate, [place[0] - 700.0, place[1] + 900.0]);
            let local = field.local([700.0, -900.0]);
            let there = field.at(-900.0, Site { height: 200.0, facing: 0.0 }, local);
            assert!((here.temperature - there.temperature).abs() < 0.01, "{here:?} {there:?}");
            assert!((here.moisture - there.moisture).abs() < 0.01, "{here:?} {there:?}");
        }
    }
}
