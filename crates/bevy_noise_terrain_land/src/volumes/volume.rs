//! One volume.

use bevy::math::DVec3;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use terrain_noise::Noise;

use crate::settings::{self, Settings, SettingsError, settings};

/// How far a volume may reach above and below the land, in metres: the greatest `depth` and `height`.
pub(crate) const VOLUME_REACH: f64 = 500.0;

/// The greatest number of shapes.
const MOST_SHAPES: usize = 4_096;

settings! {
    /// A box of the land with a surface in three dimensions: overhangs, caves, arches, floating rocks.
    ///
    /// Its density is the height of the land over a point, in metres; each of [`shapes`](Self::shapes) changes it in turn. Where it
    /// is above 0 there is rock.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy_noise_terrain::volumes::{TerrainVolume, VolumeShape};
    /// # use bevy_noise_terrain::terrain_noise::prelude::*;
    /// // Tubes around lines where two noises are 0 at once.
    /// let wall = || perlin().feature_size(40.0).abs();
    /// let tubes = wall().smooth_max(wall(), 0.1).scale(-23.0).offset(3.0);
    /// let cave = TerrainVolume {
    ///     center: [100.0, -40.0],
    ///     size: [96.0, 96.0],
    ///     shapes: vec![VolumeShape::Carve { noise: tubes }],
    ///     ..TerrainVolume::default()
    /// };
    /// assert!(cave.validate().is_ok());
    /// ```
    #[derive(Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[reflect(Default)]
    #[serde(default, deny_unknown_fields)]
    pub struct TerrainVolume {
        /// Absolute x and z of its middle
        pub center: [f64; 2] = [0.0; 2], [-1e12..=1e12, "m"];
        /// Width along x and z
        ///
        /// The box grows to the next multiples of 16 quads of the finest land on every side.
        pub size: [f64; 2] = [64.0; 2], [1.0..=2048.0, "m"];
        /// How far below the land it reaches
        pub depth: f64 = 40.0, [1.0..=500.0, "m"];
        /// How far above the land it reaches
        pub height: f64 = 20.0, [1.0..=500.0, "m"];
        /// Within this distance of its sides, of its depth and of its height, shapes fade
        pub falloff: f64 = 8.0, [0.1..=100.0, "m"];
        /// Chooses the noises of its shapes
        pub seed: u64 = 1, [any];
        /// What makes it differ from the land, in the order in which it is applied
        pub shapes: Vec<VolumeShape> = Vec::new();
    }
}

/// A change of a volume's density. Noises are sampled in space ([`Sampler::sample_3d`](terrain_noise::Sampler::sample_3d)), at
/// absolute positions, and count as metres: the steeper, the crisper.
#[derive(Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum VolumeShape {
    /// Takes rock away where the noise is above 0: caves, arches.
    Carve {
        /// Metres into the air.
        noise: Noise,
    },
    /// Adds rock where the noise is above 0: floating rocks, pillars.
    Fill {
        /// Metres into the rock.
        noise: Noise,
    },
    /// Adds the noise to the density: overhangs. The surface moves by as many metres, outwards where the noise is above 0.
    Displace {
        /// Metres.
        noise: Noise,
    },
    /// Takes rock away around a line: a bore, or with equal ends a ball. What players dig.
    Dig {
        /// One end: absolute position in metres.
        #[reflect(@settings::param_info!(from, " One end", -1e12..=1e12, "m"))]
        from: [f64; 3],
        /// The other end.
        #[reflect(@settings::param_info!(to, " The other end", -1e12..=1e12, "m"))]
        to: [f64; 3],
        /// Metres; 0.1 to 100.
        #[reflect(@settings::param_info!(radius, " Radius", 0.1..=100.0, "m"))]
        radius: f64,
    },
    /// Adds rock around a line. What players build.
    Build {
        /// One end: absolute position in metres.
        #[reflect(@settings::param_info!(from, " One end", -1e12..=1e12, "m"))]
        from: [f64; 3],
        /// The other end.
        #[reflect(@settings::param_info!(to, " The other end", -1e12..=1e12, "m"))]
        to: [f64; 3],
        /// Metres; 0.1 to 100.
        #[reflect(@settings::param_info!(radius, " Radius", 0.1..=100.0, "m"))]
        radius: f64,
    },
}

impl VolumeShape {
    /// Takes rock away within `radius` metres of a line.
    pub fn dig(from: DVec3, to: DVec3, radius: f64) -> Self {
        Self::Dig { from: from.to_array(), to: to.to_array(), radius }
    }

    /// Adds rock within `radius` metres of a line.
    pub fn build(from: DVec3, to: DVec3, radius: f64) -> Self {
        Self::Build { from: from.to_array(), to: to.to_array(), radius }
    }
}

impl Default for VolumeShape {
    fn default() -> Self {
        Self::Dig { from: [0.0; 3], to: [0.0; 3], radius: 3.0 }
    }
}

impl TerrainVolume {
    /// Checks every field, and that its noises can be built.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        settings::validate(self)
    }
}

impl Settings for TerrainVolume {
    const NAME: &str = "volume";

    fn check(&self) -> Result<(), SettingsError> {
        if self.shapes.len() > MOST_SHAPES {
            let allowed = format!("at most {MOST_SHAPES} shapes");
            return Err(SettingsError::new("shapes", format!("{} shapes", self.shapes.len()), allowed));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use terrain_noise::prelude::*;

    use super::*;

    #[test]
    fn nonsense_is_refused_by_field() {
        let error = |volume: TerrainVolume| volume.validate().unwrap_err().to_string();
        let plain = TerrainVolume::default;
        assert_eq!(plain().validate(), Ok(()));
        assert_eq!(
            error(TerrainVolume { size: [2600.0, 64.0], ..plain() }),
            "volume.size.0: found 2600, allowed is 1 to 2048 m"
        );
        assert_eq!(
            error(TerrainVolume { depth: f64::NAN, ..plain() }),
            "volume.depth: found NaN, allowed is 1 to 500 m"
        );
        let dig = VolumeShape::dig(DVec3::ZERO, DVec3::X, -1.0);
        assert_eq!(
            error(TerrainVolume { shapes: vec![dig], ..plain() }),
            "volume.shapes.0.radius: found -1, allowed is 0.1 to 100 m"
        );
        let noise = perlin().feature_size(-1.0).into();
        let found = error(TerrainVolume { shapes: vec![VolumeShape::Carve { noise }], ..plain() });
        assert!(found.starts_with("volume.shapes.0.noise"), "{found}");
    }
}
