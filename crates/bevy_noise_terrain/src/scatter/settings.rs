//! What grows and lies where.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use super::ScatterState;
use crate::hint::{help, hint};

/// Grass, rocks, trees or meshes of your own on a terrain: put it on the terrain's entity.
///
/// Without this component nothing is scattered. Change any field at any time; settings that
/// [`validate`](Self::validate) refuses leave everything as it was and are reported by [`ScatterRejected`].
#[derive(Component, Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
#[reflect(Component, Default)]
#[require(ScatterState)]
#[serde(default, deny_unknown_fields)]
pub struct TerrainScatter {
    /// What is scattered: at most 16 kinds.
    pub kinds: Vec<ScatterKind>,
    /// Megabytes of instances in memory at most: 1 to 1 024. What does not fit is left out, the furthest first.
    #[reflect(@hint("Megabytes of instances in memory at most", "MB", 1.0, 1024.0))]
    pub memory_mb: u32,
    /// Metres a second by which the strongest gust moves: 0 to 10.
    #[reflect(@hint("Metres a second by which the strongest gust moves", "m/s", 0.0, 10.0))]
    pub wind: f32,
}

impl Default for TerrainScatter {
    fn default() -> Self {
        Self { kinds: Vec::new(), memory_mb: 64, wind: 1.0 }
    }
}

/// The shape of a kind's objects.
#[derive(Clone, Debug, Default, PartialEq, Reflect, Serialize, Deserialize)]
pub enum ScatterShape {
    /// A tuft of bent blades that take the ground's light.
    #[default]
    Grass,
    /// A weathered boulder.
    Rock,
    /// A spruce.
    Conifer,
    /// A round-crowned tree.
    Broadleaf,
    /// Any mesh of triangles that is kept in main memory, its base at y = 0. It is scaled by the kind's size as it
    /// is, and has one level of detail. Not stored in files.
    #[serde(skip)]
    Custom(Handle<Mesh>),
}

/// Where on the plane a kind grows in groups.
#[derive(Clone, Copy, Debug, PartialEq, Reflect, Serialize, Deserialize)]
#[reflect(Default)]
#[serde(default, deny_unknown_fields)]
pub struct ScatterPatches {
    /// Typical width of a group, in metres: 1 to 100 000.
    pub feature_size: f64,
    /// Share of the plane that is covered: 0 to 1.
    #[reflect(@hint("Share of the plane that is covered", "", 0.0, 1.0))]
    pub coverage: f32,
    /// Kinds with equal seed and feature size grow in the same places.
    pub seed: u64,
    /// Grow where the others with this seed do not.
    pub inverted: bool,
}

impl Default for ScatterPatches {
    fn default() -> Self {
        Self { feature_size: 200.0, coverage: 0.5, seed: 0, inverted: false }
    }
}

/// One kind of object and where it is found.
#[derive(Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScatterKind {
    /// What it looks like.
    pub shape: ScatterShape,
    /// Objects per square metre where nothing keeps them away: up to 64.
    #[reflect(@hint("Objects per square metre where nothing keeps them away", "", 0.0, 64.0))]
    pub density: f32,
    /// Lowest ground, in metres.
    pub min_height: f32,
    /// Highest ground, in metres.
    pub max_height: f32,
    /// Metres inside both limits over which objects grow rarer: 0 to 10 000.
    #[reflect(@hint("Metres inside both limits over which objects grow rarer", "m", 0.0, 10000.0))]
    pub height_fade: f32,
    /// Gentlest ground, in radians from level.
    #[reflect(@hint("Gentlest ground", "rad", 0.0, 1.5))]
    pub min_slope: f32,
    /// Steepest ground, in radians from level: up to 1.5.
    #[reflect(@hint("Steepest ground", "rad", 0.0, 1.5))]
    pub max_slope: f32,
    /// Groups and clearings; none: everywhere alike.
    pub patches: Option<ScatterPatches>,
    /// Height of the smallest, in metres: 0.01 to 1 000.
    #[reflect(@hint("Height of the smallest", "m", 0.01, 1000.0))]
    pub min_size: f32,
    /// Height of the greatest, in metres: `min_size` to 1 000.
    #[reflect(@hint("Height of the greatest", "m", 0.01, 1000.0))]
    pub max_size: f32,
    /// How far it is seen, in metres: 1 to 20 000. They grow rarer from a part of it on. At most 64 cells, each
    /// as wide as the finest chunk and at most 96 m; but conifers and broadleaved trees beyond 1 200 m are drawn as a
    /// few triangles each from wider cells.
    #[reflect(@hint("How far it is seen", "m", 1.0, 20000.0))]
    pub distance: f32,
    /// Share of its distance at which a kind begins to grow rarer: 0 to 0.9.
    #[reflect(@hint("Share of its distance at which a kind begins to grow rarer", "", 0.0, 0.9))]
    pub full_share: f32,
    /// Metres an object is sunk into the ground: −100 to 100.
    #[reflect(@hint("Metres an object is sunk into the ground", "m", -100.0, 100.0))]
    pub sink: f32,
    /// How far objects lean with the slope, from 0 (upright) to 1.
    #[reflect(@hint("How far objects lean with the slope, from 0 (upright) to 1", "", 0.0, 1.0))]
    pub tilt: f32,
    /// How far the tips move in the wind, as a share of the size: 0 to 1.
    #[reflect(@hint("How far the tips move in the wind, as a share of the size", "", 0.0, 1.0))]
    pub sway: f32,
    /// How far objects take the light of the ground they stand on, from 0 to 1 (grass).
    #[reflect(@hint("How far objects take the light of the ground they stand on, from 0 to 1 (grass)", "", 0.0, 1.0))]
    pub ground_light: f32,
    /// How far grass takes the colour of the ground at its root, and rocks that of the rock beneath: 0 to 1. Trees and
    /// meshes of your own keep theirs.
    #[reflect(@hint("How far grass and rocks take the colour of the ground, from 0 to 1", "", 0.0, 1.0))]
    pub ground_color: f32,
    /// Linear colour that the shape's own is multiplied by: 0 to 10.
    pub tint: [f32; 3],
    /// How far objects differ in colour: 0 to 1.
    #[reflect(@hint("How far objects differ in colour", "", 0.0, 1.0))]
    pub variety: f32,
    /// Do they cast shadows?
    #[reflect(@help("Do they cast shadows?"))]
    pub shadows: bool,
    /// Another seed, other places.
    pub seed: u64,
}

impl Default for ScatterKind {
    fn default() -> Self {
        Self::grass()
    }
}

impl ScatterKind {
    /// Knee-high grass on gentle ground.
    pub fn grass() -> Self {
        Self {
            shape: ScatterShape::Grass,
            density: 5.0,
            min_height: -1e6,
            max_height: 1e6,
            height_fade: 0.0,
            min_slope: 0.0,
            max_slope: 0.7,
            patches: None,
            min_size: 0.2,
            max_size: 0.5,
            distance: 80.0,
            full_share: 0.25,
            sink: 0.02,
            tilt: 0.6,
            sway: 0.25,
            ground_light: 0.8,
            ground_color: 0.9,
            tint: [1.0; 3],
            variety: 0.35,
            shadows: false,
            seed: 1,
        }
    }

    /// Boulders, half sunk.
    pub fn rock() -> Self {
        Self {
            shape: ScatterShape::Rock,
            density: 0.02,
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
}

/// Invalid scatter settings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("scatter.{field} is {found}; it must be from {min} to {max}")]
pub struct ScatterError {
    /// Path of the field.
    pub field: String,
    /// What it held.
    pub found: f64,
    /// Least allowed value.
    pub min: f64,
    /// Greatest allowed value.
    pub max: f64,
}

/// Changed scatter settings were refused; everything stays as it was. Targets the terrain's entity.
#[derive(EntityEvent, Clone, Debug)]
pub struct ScatterRejected {
    /// The terrain's entity.
    pub entity: Entity,
    /// What is wrong.
    pub error: ScatterError,
}

impl TerrainScatter {
    /// Most kinds of one terrain.
    pub const MAX_KINDS: usize = 16;

    /// Checks every field.
    ///
    /// # Errors
    /// Names the first field out of its range.
    pub fn validate(&self) -> Result<(), ScatterError> {
        let within = |field: &str, found: f64, min: f64, max: f64| {
            if (min..=max).contains(&found) {
                return Ok(());
            }
            Err(ScatterError { field: field.to_owned(), found, min, max })
        };
        within("kinds", self.kinds.len() as f64, 0.0, Self::MAX_KINDS as f64)?;
        within("memory_mb", f64::from(self.memory_mb), 1.0, 1_024.0)?;
        within("wind", f64::from(self.wind), 0.0, 10.0)?;
        for (index, kind) in self.kinds.iter().enumerate() {
            for (name, found, min, max) in kind.ranges() {
                within(&format!("kinds[{index}].{name}"), found, min, max)?;
            }
        }
        Ok(())
    }
}

impl TerrainScatter {
    /// Would these settings put the same objects in the same places? What does not, only looks different.
    pub(super) fn places_as(&self, other: &Self) -> bool {
        self.memory_mb == other.memory_mb
            && self.kinds.len() == other.kinds.len()
            && self.kinds.iter().zip(&other.kinds).all(|(kind, other)| kind.places_as(other))
    }
}

impl ScatterKind {
    pub(super) fn places_as(&self, other: &Self) -> bool {
        let Self { min_size, max_size, sink, tilt, sway, .. } = *other;
        let Self { ground_light, ground_color, tint, variety, shadows, .. } = *other;
        let look = Self { min_size, max_size, sink, tilt, sway, ..self.clone() };
        *other == Self { ground_light, ground_color, tint, variety, shadows, ..look }
    }

    fn ranges(&self) -> Vec<(&'static str, f64, f64, f64)> {
        let mut ranges = vec![
            ("density", f64::from(self.density), 0.0, 64.0),
            ("min_height", f64::from(self.min_height), -1e6, 1e6),
            ("max_height", f64::from(self.max_height), f64::from(self.min_height), 1e6),
            ("height_fade", f64::from(self.height_fade), 0.0, 1e4),
            ("min_slope", f64::from(self.min_slope), 0.0, 1.5),
            ("max_slope", f64::from(self.max_slope), f64::from(self.min_slope), 1.5),
            ("min_size", f64::from(self.min_size), 0.01, 1e3),
            ("max_size", f64::from(self.max_size), f64::from(self.min_size), 1e3),
            ("distance", f64::from(self.distance), 1.0, 2e4),
            ("full_share", f64::from(self.full_share), 0.0, 0.9),
            ("sink", f64::from(self.sink), -100.0, 100.0),
            ("tilt", f64::from(self.tilt), 0.0, 1.0),
            ("sway", f64::from(self.sway), 0.0, 1.0),
            ("ground_light", f64::from(self.ground_light), 0.0, 1.0),
            ("ground_color", f64::from(self.ground_color), 0.0, 1.0),
            ("variety", f64::from(self.variety), 0.0, 1.0),
        ];
        ranges.extend(self.tint.map(|tint| ("tint", f64::from(tint), 0.0, 10.0)));
        if let Some(patches) = &self.patches {
            ranges.push(("patches.feature_size", patches.feature_size, 1.0, 1e5));
            ranges.push(("patches.coverage", f64::from(patches.coverage), 0.0, 1.0));
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: ScatterKind) -> TerrainScatter {
        TerrainScatter { kinds: vec![ScatterKind::rock(), kind], ..default() }
    }

    #[test]
    fn bad_settings_are_named() {
        let grass = ScatterKind::grass;
        let bad = ScatterPatches { coverage: 1.5, ..default() };
        for (scatter, field) in [
            (TerrainScatter { memory_mb: 0, ..default() }, "memory_mb"),
            (TerrainScatter { wind: -1.0, ..default() }, "wind"),
            (TerrainScatter { kinds: vec![grass(); 17], ..default() }, "kinds"),
            (of(ScatterKind { density: f32::NAN, ..grass() }), "kinds[1].density"),
            (of(ScatterKind { density: 65.0, ..grass() }), "kinds[1].density"),
            (of(ScatterKind { min_height: 2.0, max_height: 1.0, ..grass() }), "kinds[1].max_height"),
            (of(ScatterKind { max_slope: 1.6, ..grass() }), "kinds[1].max_slope"),
            (of(ScatterKind { min_slope: 0.8, ..grass() }), "kinds[1].max_slope"),
            (of(ScatterKind { min_size: 0.0, ..grass() }), "kinds[1].min_size"),
            (of(ScatterKind { max_size: 0.1, ..grass() }), "kinds[1].max_size"),
            (of(ScatterKind { distance: f32::INFINITY, ..grass() }), "kinds[1].distance"),
            (of(ScatterKind { tint: [1.0, -0.1, 1.0], ..grass() }), "kinds[1].tint"),
            (of(ScatterKind { patches: Some(bad), ..grass() }), "kinds[1].patches.coverage"),
        ] {
            assert_eq!(scatter.validate().unwrap_err().field, field);
        }
        let presets = vec![grass(), ScatterKind::rock(), ScatterKind::conifer(), ScatterKind::broadleaf()];
        assert_eq!(TerrainScatter { kinds: presets, ..default() }.validate(), Ok(()));
    }

    #[test]
    fn looks_are_no_places() {
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
    fn settings_come_back_from_a_file() {
        let scatter = of(ScatterKind { patches: Some(default()), ..ScatterKind::conifer() });
        let text = serde_json::to_string(&scatter).unwrap();
        assert_eq!(serde_json::from_str::<TerrainScatter>(&text).unwrap(), scatter);
        assert!(serde_json::from_str::<TerrainScatter>(r#"{"kind": []}"#).is_err(), "an unknown field is refused");
    }
}
