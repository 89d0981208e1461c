//! A layer of the ground as the shader gets it, and where it lies.

use bytemuck::{Pod, Zeroable};

use crate::climate::Climate;
use crate::span::within;

/// Maximum number of layers.
pub const MAX_LAYERS: usize = 8;
/// Every layer can be painted.
const _: () = assert!(MAX_LAYERS == crate::edits::PAINTED_LAYERS);
/// Number of scales at which each texture is drawn, each larger than the one before, for detail at every distance. The second
/// is that of the settings.
pub const SCALES: usize = 4;

/// A layer in the terrain's uniforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct LayerRecord {
    /// Linear colour and strength of the normals.
    pub color: [f32; 4],
    /// Factors that give the texture's albedo that colour on average; the layer of the array textures, or −1.
    pub scale: [f32; 4],
    /// Spans of height, sine of slope, curvature, moisture and temperature: see [`span`](crate::span::span). Last in each: variation of colour,
    /// strength of strata, reciprocal of their thickness, 1 if it lies in patches, unused.
    pub spans: [[f32; 4]; 5],
    /// For each scale: tiles per metre, unused, and the position of the origin in a tile.
    pub scales: [[f32; 4]; SCALES],
}

/// What decides between layers.
pub struct Place {
    /// In metres.
    pub height: f32,
    /// Sine of the slope, roughened.
    pub slope: f32,
    pub curvature: f32,
    pub climate: Climate,
}

impl LayerRecord {
    /// Fraction of the ground that the layer covers within its patches.
    pub fn coverage(&self, place: &Place) -> f32 {
        let [height, slope, curvature, moisture, temperature] = &self.spans;
        within(height, place.height)
            * within(slope, place.slope)
            * within(curvature, place.curvature)
            * within(moisture, place.climate.moisture)
            * within(temperature, place.climate.temperature)
    }
}
