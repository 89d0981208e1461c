//! Settings of scattered objects.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::query::PreparedScatter;
use super::removed::RemovedScatter;
use super::shape::ScatterShape;
use crate::climate::TerrainClimate;
use crate::patches::TerrainPatches;
use crate::settings::{self, Settings, SettingsError, settings};
use crate::span::LayerSpan;

settings! {
    /// Grass, rocks, trees or your own meshes on a terrain: insert it into the terrain's entity.
    ///
    /// Without this component nothing is scattered. Change any field at any time; settings that
    /// [`validate`](Self::validate) rejects change nothing and are reported by
    /// [`SettingsRejected`](crate::SettingsRejected).
    #[derive(Component, Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[reflect(Component, Default)]
    #[require(PreparedScatter, RemovedScatter)]
    #[cfg_attr(feature = "scatter", require(super::draw::ScatterState))]
    #[serde(default, deny_unknown_fields)]
    pub struct TerrainScatter {
        /// The kinds of objects, at most 16.
        pub kinds: Vec<ScatterKind> = Vec::new();
        /// Limit of memory for objects in megabytes. If they do not fit, the furthest are left out.
        pub memory_mb: u32 = 64, [1..=1_024, "MB"];
        /// How far plants yield to the [wind](crate::wind::TerrainWind): 0 not at all, 1 as real ones.
        pub wind: f32 = 1.0, [0.0..=10.0], slider [0.0..=3.0];
    }
}

settings! {
    /// One kind of object and where it is placed.
    #[derive(Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct ScatterKind {
        /// Shape of the objects.
        pub shape: ScatterShape = ScatterShape::Grass;
        /// Objects per square metre in the best conditions.
        pub density: f32 = 5.0, [0.0..=64.0];
        /// Least height of the ground, in metres.
        pub min_height: f32 = -1e6, [-1e6..=1e6, "m"];
        /// Greatest height of the ground, in metres; at least `min_height`.
        pub max_height: f32 = 1e6, [-1e6..=1e6, "m"];
        /// Distance from either height limit over which objects become rarer, in metres.
        pub height_fade: f32 = 0.0, [0.0..=10_000.0, "m"];
        /// Least height of the ground over the level of the terrain's [`TerrainWater`](crate::water::TerrainWater), in metres;
        /// less than 0 for what grows or lies in water. Without water it means nothing.
        pub above_water: f32 = 0.5, [-1e6..=1e6, "m"], slider [-20.0..=20.0];
        /// Least slope of the ground, in radians from level.
        pub min_slope: f32 = 0.0, [0.0..=1.5, "rad"];
        /// Greatest slope of the ground, in radians from level; at least `min_slope`.
        pub max_slope: f32 = 0.7, [0.0..=1.5, "rad"];
        /// The biome it grows in, by its name in [`TerrainClimate::biomes`](crate::TerrainClimate::biomes); everywhere if empty.
        pub biome: String = String::new();
        /// Moistures it grows at: 0 dry, 1 wet. See [`TerrainClimate`](crate::TerrainClimate).
        pub moisture: LayerSpan = LayerSpan::ALL;
        /// Temperatures it grows at, in °C. See [`TerrainClimate`](crate::TerrainClimate).
        pub temperature: LayerSpan = LayerSpan::ALL;
        /// Groups and clearings; none for an even distribution.
        pub patches: Option<TerrainPatches> = None;
        /// Height of the smallest objects, in metres.
        pub min_size: f32 = 0.2, [0.01..=1_000.0, "m"], slider [0.05..=20.0];
        /// Height of the largest objects, in metres; at least `min_size`.
        pub max_size: f32 = 0.5, [0.01..=1_000.0, "m"], slider [0.05..=20.0];
        /// Distance to which objects are visible, in metres. They become rarer from a fraction of it on.
        /// At most 64 cells, each as wide as the finest chunk and at most 96 m; but conifers and broadleaved trees
        /// beyond 1 200 m are drawn as a few triangles each from wider cells.
        /// Beyond it, trees, bushes and rocks are a part of the ground's colour, roughness and normals.
        pub distance: f32 = 80.0, [1.0..=20_000.0, "m"];
        /// Fraction of the distance at which objects begin to become rarer.
        pub full_share: f32 = 0.25, [0.0..=0.9];
        /// Depth by which objects are sunk into the ground, in metres.
        pub sink: f32 = 0.02, [-100.0..=100.0, "m"];
        /// How far objects lean with the slope, from 0 (upright) to 1.
        pub tilt: f32 = 0.6, [0.0..=1.0];
        /// How far the tips move in a strong wind, as a fraction of the size.
        pub sway: f32 = 0.25, [0.0..=1.0];
        /// How far objects are lit like the ground beneath, from 0 (not at all) to 1 (grass).
        pub ground_light: f32 = 0.8, [0.0..=1.0];
        /// How far grass takes the colour of the ground, and rocks that of bare rock.
        /// Trees and custom meshes keep their own.
        pub ground_color: f32 = 0.9, [0.0..=1.0];
        /// Linear colour by which the shape's colour is multiplied.
        pub tint: [f32; 3] = [1.0; 3], [0.0..=10.0];
        /// How much the colour varies between objects.
        pub variety: f32 = 0.35, [0.0..=1.0];
        /// Cast shadows: near by in shadow maps; farther away whole woods shade the ground and themselves.
        pub shadows: bool = false;
        /// Seed of the positions.
        pub seed: u64 = 1, [any];
    }
}

impl ScatterKind {
    /// Knee-high grass on gentle ground.
    pub fn grass() -> Self {
        Self::default()
    }

    /// Boulders, half sunk.
    pub fn rock() -> Self {
        Self {
            shape: ScatterShape::Rock,
            density: 0.02,
            above_water: -0.5,
            max_slope: 0.9,
            min_size: 0.3,
            max_size: 2.0,
            distance: 400.0,
            full_share: 0.4,
            sink: 0.1,
            tilt: 0.8,
            sway: 0.0,
            ground_light: 0.0,
            ground_color: 0.8,
            variety: 0.25,
            shadows: true,
            seed: 2,
            ..Self::grass()
        }
    }

    /// Spruces.
    pub fn conifer() -> Self {
        Self {
            shape: ScatterShape::Conifer,
            density: 0.02,
            above_water: 1.0,
            max_slope: 0.6,
            min_size: 8.0,
            max_size: 22.0,
            distance: 5_000.0,
            full_share: 0.3,
            sink: 0.2,
            tilt: 0.1,
            sway: 0.008,
            ground_light: 0.0,
            ground_color: 0.0,
            variety: 0.3,
            shadows: true,
            seed: 3,
            ..Self::grass()
        }
    }

    /// Round-crowned trees.
    pub fn broadleaf() -> Self {
        Self {
            shape: ScatterShape::Broadleaf,
            min_size: 7.0,
            max_size: 16.0,
            max_slope: 0.5,
            sway: 0.012,
            seed: 4,
            ..Self::conifer()
        }
    }

    /// Bushes up to a man's height, in thickets.
    pub fn bush() -> Self {
        Self {
            shape: ScatterShape::Bush,
            density: 0.02,
            min_size: 0.5,
            max_size: 1.9,
            max_slope: 0.7,
            distance: 600.0,
            sink: 0.05,
            tilt: 0.3,
            sway: 0.02,
            patches: Some(TerrainPatches { feature_size: 45.0, coverage: 0.3, seed: 5, ..default() }),
            seed: 5,
            ..Self::broadleaf()
        }
    }
}

impl Settings for TerrainScatter {
    const NAME: &str = "scatter";

    fn check(&self) -> Result<(), SettingsError> {
        let count = self.kinds.len();
        if count > Self::MAX_KINDS {
            let allowed = format!("at most {} kinds", Self::MAX_KINDS);
            return Err(SettingsError::new("kinds", format!("{count} kinds"), allowed));
        }
        self.kinds
            .iter()
            .enumerate()
            .try_for_each(|(index, kind)| kind.check().map_err(|error| error.below(index).below("kinds")))
    }
}

impl TerrainScatter {
    /// The greatest number of kinds on one terrain.
    pub const MAX_KINDS: usize = 16;

    /// Checks every field.
    ///
    /// # Errors
    /// Names the first invalid field, its value and what is allowed.
    pub fn validate(&self) -> Result<(), SettingsError> {
        settings::validate(self)
    }
}

#[cfg(feature = "scatter")]
impl TerrainScatter {
    /// Whether these settings place the same objects at the same positions; only their appearance may differ.
    pub(super) fn places_as(&self, other: &Self) -> bool {
        self.memory_mb == other.memory_mb
            && self.kinds.len() == other.kinds.len()
            && self.kinds.iter().zip(&other.kinds).all(|(kind, other)| kind.places_as(other))
    }
}

impl ScatterKind {
    /// The kind within its biome, and above water at this level.
    pub(super) fn on_land(&self, climate: &TerrainClimate, water: Option<f32>) -> Self {
        let mut kind = Self { biome: String::new(), ..self.clone() };
        if let Some(level) = water {
            kind.min_height = kind.min_height.max(level + kind.above_water);
        }
        climate.narrow(&self.biome, &mut kind.moisture, &mut kind.temperature);
        kind
    }

    /// Whether the climate decides where it grows, its biome apart.
    pub(super) fn follows_climate(&self) -> bool {
        self.moisture != LayerSpan::ALL || self.temperature != LayerSpan::ALL
    }

    #[cfg(feature = "scatter")]
    pub(super) fn places_as(&self, other: &Self) -> bool {
        let Self { min_size, max_size, sink, tilt, sway, .. } = *other;
        let Self { ground_light, ground_color, tint, variety, shadows, .. } = *other;
        let look = Self { min_size, max_size, sink, tilt, sway, ..self.clone() };
        *other == Self { ground_light, ground_color, tint, variety, shadows, ..look }
    }

    /// Every upper limit must be at least its lower limit.
    fn check(&self) -> Result<(), SettingsError> {
        for (low_name, low, high_name, high, unit) in [
            ("min_height", self.min_height, "max_height", self.max_height, "m"),
            ("min_slope", self.min_slope, "max_slope", self.max_slope, "rad"),
            ("min_size", self.min_size, "max_size", self.max_size, "m"),
        ] {
            if high < low {
                return Err(SettingsError::new(high_name, high, format!("at least {low_name}, {low} {unit}")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use terrain_noise::{read_ron, write_ron_line};

    use super::*;

    fn of(kind: ScatterKind) -> TerrainScatter {
        TerrainScatter { kinds: vec![ScatterKind::rock(), kind], ..default() }
    }

    #[test]
    fn inconsistent_limits_are_named() {
        let grass = ScatterKind::grass;
        let error = |scatter: TerrainScatter| scatter.validate().unwrap_err().to_string();
        assert_eq!(
            error(TerrainScatter { kinds: vec![grass(); 17], ..default() }),
            "scatter.kinds: found 17 kinds, allowed is at most 16 kinds"
        );
        for (kind, words) in [
            (
                ScatterKind { min_height: 2.0, max_height: 1.0, ..grass() },
                "max_height: found 1, allowed is at least min_height, 2 m",
            ),
            (ScatterKind { min_slope: 0.8, ..grass() }, "max_slope: found 0.7, allowed is at least min_slope, 0.8 rad"),
            (ScatterKind { max_size: 0.1, ..grass() }, "max_size: found 0.1, allowed is at least min_size, 0.2 m"),
        ] {
            assert_eq!(error(of(kind)), format!("scatter.kinds.1.{words}"));
        }
        let presets = vec![grass(), ScatterKind::rock(), ScatterKind::conifer(), ScatterKind::broadleaf()];
        assert_eq!(TerrainScatter { kinds: presets, ..default() }.validate(), Ok(()));
    }

    #[cfg(feature = "scatter")]
    #[test]
    fn appearance_does_not_affect_placement() {
        let before = of(ScatterKind::conifer());
        let with = |change: fn(&mut ScatterKind)| {
            let mut after = before.clone();
            change(&mut after.kinds[1]);
            before.places_as(&after)
        };
        assert!(with(|_| {}));
        assert!(with(|kind| kind.tint = [2.0; 3]));
        assert!(with(|kind| (kind.shadows, kind.max_size, kind.sink) = (false, 30.0, 1.0)));
        assert!(with(|kind| (kind.sway, kind.tilt, kind.variety, kind.ground_color) = (0.5, 0.5, 0.0, 1.0)));
        assert!(!with(|kind| kind.density = 1.0));
        assert!(!with(|kind| kind.distance = 800.0));
        assert!(!with(|kind| kind.seed = 99));
        assert!(!with(|kind| kind.shape = ScatterShape::Broadleaf));
        assert!(!with(|kind| kind.patches = Some(default())));
        assert!(before.places_as(&TerrainScatter { wind: 5.0, ..before.clone() }));
        assert!(!before.places_as(&TerrainScatter { memory_mb: 1, ..before.clone() }));
    }

    #[test]
    fn settings_survive_a_file() {
        let scatter = of(ScatterKind { patches: Some(default()), ..ScatterKind::conifer() });
        let text = write_ron_line(&scatter).unwrap();
        assert_eq!(read_ron::<TerrainScatter>(&text).unwrap(), scatter);
        assert!(read_ron::<TerrainScatter>("(kind: [])").is_err(), "an unknown field is refused");
    }
}
