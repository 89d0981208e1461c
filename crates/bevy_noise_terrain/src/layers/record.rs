//! A layer of the ground as the shader gets it, and where it lies.

use bytemuck::{Pod, Zeroable};

/// Maximum number of layers.
pub const MAX_LAYERS: usize = 8;
/// Every layer can be painted.
const _: () = assert!(MAX_LAYERS == crate::edits::PAINTED_LAYERS);
/// Number of scales at which each texture is drawn, each larger than the one before, for detail at every distance.
pub const SCALES: usize = 3;
/// Stands for infinity, which is not portable in shaders.
pub const ENDLESS: f32 = 1e9;

/// A layer in the terrain's uniforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct LayerRecord {
    /// Linear colour and strength of the normals.
    pub color: [f32; 4],
    /// Factors that give the texture's albedo that colour on average; the layer of the array textures, or −1.
    pub scale: [f32; 4],
    /// Spans of height, sine of slope, curvature and moisture: from, to, reciprocal of the soft width, unused.
    pub spans: [[f32; 4]; 4],
    /// For each scale: tiles per metre, unused, and the position of the origin in a tile.
    pub scales: [[f32; 4]; SCALES],
}

/// What decides between layers.
pub struct Place {
    /// In metres.
    pub height: f32,
    /// The height shifted by warmth: greater where it is colder.
    pub colder: f32,
    /// Sine of the slope, roughened.
    pub slope: f32,
    pub curvature: f32,
    pub moisture: f32,
}

impl LayerRecord {
    /// Fraction of the ground that the layer covers.
    pub fn coverage(&self, place: &Place) -> f32 {
        let [height, slope, curvature, moisture] = &self.spans;
        // Narrow spans ignore warmth.
        let share = (height[2] * 20.0 - 1.0).clamp(0.0, 1.0);
        let effective = place.colder + share * (place.height - place.colder);
        within(height, effective)
            * within(slope, place.slope)
            * within(curvature, place.curvature)
            * within(moisture, place.moisture)
    }
}

/// Weight of a value in a span, 0 to 1.
fn within(span: &[f32; 4], value: f32) -> f32 {
    let smooth = |over: f32| {
        let t = (over * span[2] + 0.5).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    smooth(value - span[0]) * smooth(span[1] - value)
}
