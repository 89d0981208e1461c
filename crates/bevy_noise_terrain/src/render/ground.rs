//! What the ground looks like.

use bevy::prelude::*;

/// Colours of the land by slope and height. Change any field at any time; no mesh is rebuilt.
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct Ground {
    /// Level ground below the tree line.
    pub low: Color,
    /// Level ground above it.
    pub high: Color,
    /// Steep ground.
    pub rock: Color,
    /// Level ground above the snow line.
    pub snow: Color,
    /// Where low ground gives way to high, in metres.
    pub tree_line: f32,
    /// Where snow begins to lie, in metres.
    pub snow_line: f32,
    /// Slope at which rock begins to show, in radians from level.
    pub rock_from: f32,
    /// Slope from which all is rock, in radians from level.
    pub rock_full: f32,
    /// Tint the chunks by level of detail.
    pub show_levels: bool,
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
        }
    }
}

impl Ground {
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
