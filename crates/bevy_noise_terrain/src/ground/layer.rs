//! One layer of the ground: what it is made of, and where it lies.

use std::f32::consts::FRAC_PI_2;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::hint::{help, hint};

/// A material of the ground and the places it covers.
#[derive(Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GroundLayer {
    /// For people and messages.
    pub name: String,
    /// Asset path of the albedo (sRGB) with the height of the surface in its alpha channel. Square; all layers' textures
    /// have the same size. Empty: plain [`color`](Self::color).
    #[reflect(@help("Asset path of the albedo, with the height of the surface in its alpha channel; empty for plain colour"))]
    pub albedo: String,
    /// Asset path of the relief: red and green the normal's x and z, blue roughness, alpha ambient occlusion. As
    /// large as the albedo. Empty: level.
    #[reflect(@help("Asset path of the relief: normal, roughness, occlusion; empty for level"))]
    pub normal: String,
    /// The mean albedo: the texture is scaled to it.
    #[reflect(@help("The mean albedo: the texture is scaled to it"))]
    pub color: Color,
    /// Metres that one tile of the textures covers: 0.1 to 1 000.
    #[reflect(@hint("What one tile of the textures covers", "m", 0.1, 1_000.0))]
    pub tile: f32,
    /// Strength of this layer's normals: 0 to 2.
    #[reflect(@hint("Strength of this layer's normals", "", 0.0, 2.0))]
    pub bump: f32,
    /// Heights it covers, in metres.
    #[reflect(@help("Heights it covers, in metres"))]
    pub height: LayerSpan,
    /// Slopes it covers, in radians from level.
    #[reflect(@help("Slopes it covers, in radians from level"))]
    pub slope: LayerSpan,
    /// Curvatures it covers: −1 on the sharpest crests, 1 in the deepest hollows.
    #[reflect(@help("Curvatures it covers: −1 on the sharpest crests, 1 in the deepest hollows"))]
    pub curvature: LayerSpan,
    /// Moistures it covers: 0 dry, 1 wet.
    #[reflect(@help("Moistures it covers: 0 dry, 1 wet"))]
    pub moisture: LayerSpan,
}

/// A span of a quantity, with soft ends: full from `from` + `soft`/2 to `to` − `soft`/2, nothing beyond
/// `from` − `soft`/2 and `to` + `soft`/2.
#[derive(Clone, Copy, Debug, PartialEq, Reflect, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LayerSpan {
    /// Where it begins; may be −∞.
    pub from: f32,
    /// Where it ends; may be ∞.
    pub to: f32,
    /// Width of each end, in the unit of the quantity: 0 and more.
    pub soft: f32,
}

impl Default for LayerSpan {
    fn default() -> Self {
        Self::ALL
    }
}

impl LayerSpan {
    /// Everything.
    pub const ALL: Self = Self { from: f32::NEG_INFINITY, to: f32::INFINITY, soft: 0.0 };

    /// All from `from` on.
    pub const fn above(from: f32, soft: f32) -> Self {
        Self { from, to: f32::INFINITY, soft }
    }

    /// All up to `to`.
    pub const fn below(to: f32, soft: f32) -> Self {
        Self { from: f32::NEG_INFINITY, to, soft }
    }

    /// All between.
    pub const fn between(from: f32, to: f32, soft: f32) -> Self {
        Self { from, to, soft }
    }
}

/// Invalid ground settings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GroundError {
    /// Too few or too many layers.
    #[error("ground.layers are {found}; they must be 1 to {max}")]
    Layers {
        /// How many there are.
        found: usize,
        /// How many there may be.
        max: usize,
    },
    /// A number out of its range.
    #[error("ground.{field} is {found}; it must be from {min} to {max}")]
    Field {
        /// Path of the field: `bump`, `layers[2].height.soft`.
        field: String,
        /// What it held.
        found: f32,
        /// Least allowed value.
        min: f32,
        /// Greatest allowed value.
        max: f32,
    },
}

impl GroundLayer {
    /// Every number with its name and the least and greatest allowed value.
    pub(super) fn ranges(&self) -> [(&'static str, f32, f32, f32); 14] {
        let (low, high) = (f32::NEG_INFINITY, f32::INFINITY);
        [
            ("tile", self.tile, 0.1, 1_000.0),
            ("bump", self.bump, 0.0, 2.0),
            ("height.from", self.height.from, low, high),
            ("height.to", self.height.to, low, high),
            ("height.soft", self.height.soft, 0.0, 1e6),
            ("slope.from", self.slope.from, low, high),
            ("slope.to", self.slope.to, low, high),
            ("slope.soft", self.slope.soft, 0.0, 1e6),
            ("curvature.from", self.curvature.from, low, high),
            ("curvature.to", self.curvature.to, low, high),
            ("curvature.soft", self.curvature.soft, 0.0, 1e6),
            ("moisture.from", self.moisture.from, low, high),
            ("moisture.to", self.moisture.to, low, high),
            ("moisture.soft", self.moisture.soft, 0.0, 1e6),
        ]
    }

    /// A layer with the textures that come with this crate, `name` being `rock`, `scree`, `grass`, `forest`, `sand` or
    /// `snow`; it lies everywhere.
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
            Self::baked("grass", [0.075, 0.105, 0.030], 3.0),
            Self {
                height: LayerSpan::below(950.0, 260.0),
                slope: LayerSpan::below(0.62, 0.2),
                moisture: LayerSpan::above(0.45, 0.12),
                ..Self::baked("forest", [0.060, 0.062, 0.026], 4.0)
            },
            Self { height: LayerSpan::below(5.0, 4.0), ..Self::baked("sand", [0.40, 0.33, 0.22], 3.0) },
            Self {
                height: LayerSpan::above(1_150.0, 500.0),
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
                height: LayerSpan::above(1_500.0, 260.0),
                slope: LayerSpan::below(0.78, 0.28),
                ..Self::baked("snow", [0.80, 0.83, 0.88], 5.0)
            },
        ]
    }
}

impl Default for GroundLayer {
    fn default() -> Self {
        Self {
            name: "layer".into(),
            albedo: String::new(),
            normal: String::new(),
            color: Color::linear_rgb(0.2, 0.2, 0.2),
            tile: 4.0,
            bump: 1.0,
            height: LayerSpan::ALL,
            slope: LayerSpan::below(FRAC_PI_2, 0.0),
            curvature: LayerSpan::ALL,
            moisture: LayerSpan::ALL,
        }
    }
}
