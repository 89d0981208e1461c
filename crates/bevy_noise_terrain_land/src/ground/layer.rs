//! One layer of the ground: what it is made of, and where it lies.

use std::f32::consts::FRAC_PI_2;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::patches::TerrainPatches;
use crate::settings::settings;
use crate::span::LayerSpan;

settings! {
    /// A material of the ground and the places it covers.
    #[derive(Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct GroundLayer {
        /// The layer's name, for people and messages.
        pub name: String = "layer".into();
        /// Asset path of the albedo (sRGB), with the surface's height in its alpha channel; empty for plain colour.
        /// Square; textures of all layers are scaled to the width of the widest one.
        pub albedo: String = String::new();
        /// Asset path of the normal map; empty for plain colour. Red and green are the normal's x and z, blue is roughness,
        /// alpha occlusion. Scaled as the albedo is.
        pub normal: String = String::new();
        /// Mean albedo; the texture is scaled to it.
        pub color: Color = Color::linear_rgb(0.2, 0.2, 0.2);
        /// Width of one tile of the textures in metres.
        pub tile: f32 = 4.0, [0.1..=1_000.0, "m"], slider [0.5..=64.0];
        /// How much its colour differs from place to place, within metres and over kilometres.
        pub variation: f32 = 0.5, [0.0..=1.0];
        /// How much its colour differs from bed to bed, as in rock that was laid down bed upon bed.
        pub strata: f32 = 0.0, [0.0..=1.0];
        /// Thickness of these beds in metres, about.
        pub bed: f32 = 8.0, [0.1..=1_000.0, "m"], slider [0.5..=64.0];
        /// Strength of this layer's normal map.
        pub bump: f32 = 1.0, [0.0..=2.0];
        /// The biome it lies in, by its name in [`TerrainClimate::biomes`](crate::TerrainClimate::biomes); everywhere if empty.
        pub biome: String = String::new();
        /// Heights it covers, in metres.
        pub height: LayerSpan = LayerSpan::ALL;
        /// Slopes it covers, in radians from level.
        pub slope: LayerSpan = LayerSpan::below(FRAC_PI_2, 0.0);
        /// Curvatures it covers: −1 on the sharpest crests, 1 in the deepest hollows.
        pub curvature: LayerSpan = LayerSpan::ALL;
        /// Moistures it covers: 0 dry, 1 wet. See [`TerrainClimate`](crate::TerrainClimate).
        pub moisture: LayerSpan = LayerSpan::ALL;
        /// Temperatures it covers, in °C. See [`TerrainClimate`](crate::TerrainClimate).
        pub temperature: LayerSpan = LayerSpan::ALL;
        /// Patches it covers, such as those of the trees that grow on it; everything that the spans allow if none.
        pub patches: Option<TerrainPatches> = None;
    }
}

impl GroundLayer {
    /// A layer with textures that come with this crate: `name` is `rock`, `scree`, `grass`, `forest`, `sand` or `snow`.
    /// It covers everything.
    pub fn baked(name: &str, color: [f32; 3], tile: f32) -> Self {
        let path = |kind: &str| format!("embedded://bevy_noise_terrain/ground/{name}_{kind}.png");
        Self {
            name: name.into(),
            albedo: path("albedo"),
            normal: path("normal"),
            color: Color::linear_rgb(color[0], color[1], color[2]),
            tile,
            ..default()
        }
    }

    /// Grass and forest, sand at the shore, scree under the cliffs, rock and snow.
    pub fn temperate() -> Vec<Self> {
        vec![
            Self { variation: 0.9, ..Self::baked("grass", [0.075, 0.105, 0.030], 3.0) },
            Self {
                temperature: LayerSpan::above(3.6, 1.7),
                slope: LayerSpan::below(0.62, 0.2),
                moisture: LayerSpan::above(0.45, 0.12),
                patches: Some(TerrainPatches::temperate_woods()),
                ..Self::baked("forest", [0.060, 0.062, 0.026], 4.0)
            },
            Self { height: LayerSpan::below(5.0, 4.0), ..Self::baked("sand", [0.40, 0.33, 0.22], 3.0) },
            Self {
                temperature: LayerSpan::below(2.3, 3.2),
                slope: LayerSpan::above(0.25, 0.3),
                ..Self::baked("scree", [0.135, 0.125, 0.110], 4.0)
            },
            Self {
                slope: LayerSpan::between(0.46, 0.75, 0.16),
                curvature: LayerSpan::above(-0.05, 0.2),
                ..Self::baked("scree", [0.135, 0.125, 0.110], 4.0)
            },
            Self { slope: LayerSpan::above(0.62, 0.2), ..Self::baked("rock", [0.150, 0.140, 0.128], 6.0) },
            Self {
                temperature: LayerSpan::below(0.0, 1.7),
                slope: LayerSpan::below(0.78, 0.28),
                ..Self::baked("snow", [0.80, 0.83, 0.88], 5.0)
            },
        ]
    }
}
