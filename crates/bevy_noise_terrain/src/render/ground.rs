//! What the ground looks like.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

use crate::hint::{help, hint};

/// Colours of the land by slope and height. Change any field at any time; no mesh is rebuilt.
#[derive(Component, Clone, Debug, PartialEq, Reflect, Serialize, Deserialize)]
#[reflect(Component, Default)]
#[serde(default, deny_unknown_fields)]
pub struct Ground {
    /// Level ground below the tree line.
    #[serde(with = "srgb")]
    #[reflect(@help("Level ground below the tree line"))]
    pub low: Color,
    /// Level ground above it.
    #[serde(with = "srgb")]
    #[reflect(@help("Level ground above the tree line"))]
    pub high: Color,
    /// Steep ground.
    #[serde(with = "srgb")]
    #[reflect(@help("Steep ground"))]
    pub rock: Color,
    /// Level ground above the snow line.
    #[serde(with = "srgb")]
    #[reflect(@help("Level ground above the snow line"))]
    pub snow: Color,
    /// Where low ground gives way to high, in metres.
    #[reflect(@hint("Where low ground gives way to high", "m", -500.0, 6_000.0))]
    pub tree_line: f32,
    /// Where snow begins to lie, in metres.
    #[reflect(@hint("Where snow begins to lie", "m", -500.0, 9_000.0))]
    pub snow_line: f32,
    /// Slope at which rock begins to show, in radians from level.
    #[reflect(@hint("Slope at which rock begins to show", "rad", 0.0, 1.5))]
    pub rock_from: f32,
    /// Slope from which all is rock, in radians from level.
    #[reflect(@hint("Slope from which all is rock", "rad", 0.0, 1.5))]
    pub rock_full: f32,
    /// Tint the chunks by level of detail.
    #[reflect(@help("Tint the land by level of detail"))]
    pub show_levels: bool,
    /// Tint the land by how far it has morphed to the next coarser level: blue not at all, red wholly.
    #[reflect(@help("Tint the land by how far it has morphed to the next coarser level: blue not at all, red wholly"))]
    pub show_morph: bool,
    /// Draw the edges of the triangles.
    #[reflect(@help("Draw the edges of the triangles"))]
    pub show_edges: bool,
}

impl Default for Ground {
    fn default() -> Self {
        Self {
            low: Color::srgb(0.27, 0.33, 0.15),
            high: Color::srgb(0.42, 0.41, 0.26),
            rock: Color::srgb(0.42, 0.39, 0.36),
            snow: Color::srgb(0.93, 0.95, 0.98),
            tree_line: 900.0,
            snow_line: 1_500.0,
            rock_from: 0.50,
            rock_full: 0.75,
            show_levels: false,
            show_morph: false,
            show_edges: false,
        }
    }
}

/// A colour as three numbers from 0 to 1, red, green and blue in sRGB.
mod srgb {
    use bevy::color::{Color, ColorToComponents, Srgba};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
        color.to_srgba().to_f32_array_no_alpha().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
        <[f32; 3]>::deserialize(deserializer).map(|rgb| Srgba::from_f32_array_no_alpha(rgb).into())
    }
}

impl Ground {
    /// The bits that `ground.wgsl` looks at.
    pub(super) fn flags(&self) -> u32 {
        u32::from(self.show_levels) | u32::from(self.show_morph) << 1 | u32::from(self.show_edges) << 2
    }

    /// Linear colours with each layer's roughness.
    pub(super) fn layers(&self) -> [[f32; 4]; 4] {
        [(self.low, 0.95), (self.high, 0.95), (self.rock, 0.85), (self.snow, 0.6)].map(|(color, roughness)| {
            let linear = color.to_linear();
            [linear.red, linear.green, linear.blue, roughness]
        })
    }

    /// The limits between layers; slopes as the sine of their angle.
    pub(super) fn limits(&self) -> [f32; 4] {
        [self.tree_line, self.snow_line, self.rock_from.sin(), self.rock_full.sin()]
    }
}
