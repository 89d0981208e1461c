//! Volumes that the land itself has, without end.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use terrain_noise::prelude::*;

use super::volume::{TerrainVolume, VolumeShape};
use crate::settings::{self, Settings, SettingsError, settings};

settings! {
    /// Caves, arches or floating rocks without end, in places that follow from their seeds.
    ///
    /// A part of the world, beside [`NoiseTerrain`](crate::NoiseTerrain) on its entity: volumes are where they are whether
    /// anyone is near or not, on every machine. [`TerrainVolumes`](super::TerrainVolumes) is what players and games add; where
    /// one of these would touch one of those, it is left out.
    ///
    /// ```
    /// # use bevy_noise_terrain_land as bevy_noise_terrain;
    /// # use bevy_noise_terrain::{prelude::*, volumes::{VolumeKind, VolumeScatter}};
    /// let caves = VolumeScatter { kinds: vec![VolumeKind { spacing: 400.0, ..VolumeKind::caves() }] };
    /// let land = NoiseTerrain::default().surface()?.with_volume_scatter(&caves)?;
    /// assert!(land.volumes_within([0.0; 2], [4_000.0; 2]).count() > 20);
    /// # Ok::<(), bevy_noise_terrain::SettingsError>(())
    /// ```
    #[derive(Component, Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[reflect(Component, Default)]
    #[serde(default, deny_unknown_fields)]
    pub struct VolumeScatter {
        /// Kinds of volumes
        ///
        /// Where a box would touch one of an earlier kind, it is left out.
        pub kinds: Vec<VolumeKind> = vec![VolumeKind::caves()];
    }
}

settings! {
    /// One kind of volume, and where it is: at most once in each square of a grid.
    #[derive(Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[reflect(Default)]
    #[serde(default, deny_unknown_fields)]
    pub struct VolumeKind {
        /// What each of them is
        ///
        /// Its center is the place of each one, whatever is given here. Noises are sampled at absolute positions, so no two are
        /// alike. Shapes by hand have places of their own, and are not allowed.
        pub volume: TerrainVolume = TerrainVolume::default();
        /// Width of a square of the grid
        ///
        /// At least twice the width of the volume. On coarse land, no square has one if it is less wide than the volume and 32
        /// quads of the finest land.
        pub spacing: f64 = 1_000.0, [2.0..=1e6, "m"];
        /// Part of the squares that have one
        pub share: f64 = 0.5, [0.0..=1.0];
        /// Least height of the land, before edits, in the middle of a volume
        pub min_height: f64 = -1e6, [-1e6..=1e6, "m"];
        /// Greatest height of the land, before edits, in the middle of a volume
        pub max_height: f64 = 1e6, [-1e6..=1e6, "m"];
        /// Chooses squares, and places within them
        pub seed: u64 = 1, [any];
    }
}

impl VolumeScatter {
    /// Checks every field, and that noises can be built.
    ///
    /// # Errors
    /// Names the first field that is wrong, what it holds and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        settings::validate(self)
    }
}

impl Settings for VolumeScatter {
    const NAME: &str = "volumes";

    fn check(&self) -> Result<(), SettingsError> {
        for (index, kind) in self.kinds.iter().enumerate() {
            kind.check().map_err(|error| error.below(index).below("kinds"))?;
        }
        Ok(())
    }
}

impl VolumeKind {
    /// Tubes of rough rock, some 8 m wide, which come to light where the land crosses them. Under water they are not flooded:
    /// keep them off with [`min_height`](Self::min_height).
    pub fn caves() -> Self {
        // Where both of two noises are 0 there is a line, and around it they rise by some 1.7 over their feature size.
        let wall = || perlin().feature_size(60.0).abs();
        let tubes = wall().smooth_max(wall(), 0.1).scale(-34.0).offset(4.0);
        let rough = perlin().fbm().octaves(3).feature_size(9.0).range(-1.2, 1.2);
        let shapes = vec![VolumeShape::Carve { noise: tubes.add(rough) }];
        let volume = TerrainVolume { size: [112.0; 2], depth: 50.0, height: 8.0, shapes, ..TerrainVolume::default() };
        Self { volume, spacing: 500.0, ..Self::default() }
    }

    fn check(&self) -> Result<(), SettingsError> {
        let least = 2.0 * self.volume.size[0].max(self.volume.size[1]);
        if self.spacing < least {
            return Err(SettingsError::new(
                "spacing",
                self.spacing,
                format_args!("at least {least} m, twice the volume"),
            ));
        }
        if self.max_height < self.min_height {
            let allowed = format_args!("at least min_height, {} m", self.min_height);
            return Err(SettingsError::new("max_height", self.max_height, allowed));
        }
        self.volume.check()?;
        let by_hand = |shape: &VolumeShape| matches!(shape, VolumeShape::Dig { .. } | VolumeShape::Build { .. });
        match self.volume.shapes.iter().position(by_hand) {
            Some(index) => Err(SettingsError::new(
                &format!("volume.shapes.{index}"),
                "a shape by hand",
                "shapes of noise, as there is a volume in many places",
            )),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use terrain_noise::prelude::*;

    use super::*;

    #[test]
    fn nonsense_is_refused_by_field() {
        let error = |kind: VolumeKind| VolumeScatter { kinds: vec![kind] }.validate().unwrap_err().to_string();
        assert_eq!(VolumeScatter { kinds: vec![VolumeKind::default()] }.validate(), Ok(()));
        assert_eq!(
            error(VolumeKind { share: 1.5, ..default() }),
            "volumes.kinds.0.share: found 1.5, allowed is 0 to 1"
        );
        assert_eq!(
            error(VolumeKind { spacing: 100.0, ..default() }),
            "volumes.kinds.0.spacing: found 100, allowed is at least 128 m, twice the volume"
        );
        assert_eq!(
            error(VolumeKind { min_height: 5.0, max_height: 4.0, ..default() }),
            "volumes.kinds.0.max_height: found 4, allowed is at least min_height, 5 m"
        );
        let volume = TerrainVolume { depth: -2.0, ..default() };
        assert_eq!(
            error(VolumeKind { volume, ..default() }),
            "volumes.kinds.0.volume.depth: found -2, allowed is 1 to 500 m"
        );
        let shapes = vec![VolumeShape::dig(DVec3::ZERO, DVec3::X, 2.0)];
        let found = error(VolumeKind { volume: TerrainVolume { shapes, ..default() }, ..default() });
        assert!(found.starts_with("volumes.kinds.0.volume.shapes.0: found a shape by hand"), "{found}");
        let shapes = vec![VolumeShape::Carve { noise: perlin().feature_size(-1.0).into() }];
        let found = error(VolumeKind { volume: TerrainVolume { shapes, ..default() }, ..default() });
        assert!(found.starts_with("volumes.kinds.0.volume.shapes.0.noise"), "{found}");
    }
}
