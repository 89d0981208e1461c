//! A volume that is ready to be asked.

use terrain_noise::Sampler;

use super::volume::{TerrainVolume, VolumeShape};
use crate::edits::Rect;
use crate::settings::SettingsError;

/// The coarsest level of a volume. Boxes consist of whole cells of it, so that their sides lie on edges of the land's triangles at
/// every level that they are drawn at.
pub(crate) const COARSEST: u8 = 4;

/// A volume with its noises.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub volume: TerrainVolume,
    pub fields: Vec<Field>,
}

/// A shape as a number in space: above 0 within.
#[derive(Debug)]
pub(crate) struct Field {
    pub form: Form,
    pub effect: Effect,
    /// No value is greater.
    pub greatest: f64,
}

#[derive(Debug)]
pub(crate) enum Form {
    Noise(Box<Sampler>),
    Capsule { from: [f64; 3], to: [f64; 3], radius: f64 },
}

/// What a field does to the density.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Carve,
    Fill,
    Displace,
}

impl Prepared {
    /// Of a valid volume.
    pub fn new(volume: TerrainVolume) -> Result<Self, SettingsError> {
        let mut fields = Vec::with_capacity(volume.shapes.len());
        for (index, shape) in volume.shapes.iter().enumerate() {
            let field = match shape {
                VolumeShape::Carve { noise } => (Effect::Carve, noise),
                VolumeShape::Fill { noise } => (Effect::Fill, noise),
                VolumeShape::Displace { noise } => (Effect::Displace, noise),
                VolumeShape::Dig { from, to, radius } => {
                    fields.push(Field::capsule(Effect::Carve, *from, *to, *radius));
                    continue;
                }
                VolumeShape::Build { from, to, radius } => {
                    fields.push(Field::capsule(Effect::Fill, *from, *to, *radius));
                    continue;
                }
            };
            let (effect, noise) = field;
            let path = format!("volume.shapes.{index}.noise");
            // Each shape has noises of its own.
            let seed = volume.seed.wrapping_add((index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let sampler = noise.build(seed).map_err(|error| SettingsError::of_noise(&error, &path))?;
            let greatest = f64::from(sampler.bounds().max);
            fields.push(Field { form: Form::Noise(Box::new(sampler)), effect, greatest });
        }
        Ok(Self { volume, fields })
    }

    /// The box, seen from above, on land with vertices `spacing` metres apart.
    pub fn rect(&self, spacing: f64) -> Rect {
        let cell = f64::from(1u32 << COARSEST) * spacing;
        let side = |axis: usize, sign: f64| self.volume.center[axis] + 0.5 * sign * self.volume.size[axis];
        let min = [0, 1].map(|axis| (side(axis, -1.0) / cell).floor() * cell);
        let max = [0, 1].map(|axis| (side(axis, 1.0) / cell).ceil() * cell);
        Rect { min, max }
    }
}

impl Field {
    fn capsule(effect: Effect, from: [f64; 3], to: [f64; 3], radius: f64) -> Self {
        Self { form: Form::Capsule { from, to, radius }, effect, greatest: radius }
    }
}

/// Metres from a point to a line between two others, and the way there from the line.
pub(crate) fn from_line(at: [f64; 3], from: [f64; 3], to: [f64; 3]) -> (f64, [f64; 3]) {
    let minus = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (way, line) = (minus(at, from), minus(to, from));
    let length = dot(line, line);
    let along = if length > 0.0 { (dot(way, line) / length).clamp(0.0, 1.0) } else { 0.0 };
    let off = [0, 1, 2].map(|axis| way[axis] - along * line[axis]);
    (dot(off, off).sqrt(), off)
}
