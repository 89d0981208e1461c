//! A volume that is ready to be asked.

use std::sync::Arc;

use terrain_noise::Sampler;

use super::volume::{TerrainVolume, VolumeShape};
use crate::edits::Rect;
use crate::settings::SettingsError;

/// The coarsest level of a volume. Boxes consist of whole cells of it, so that their sides lie on edges of the land's triangles at
/// every level that they are drawn at.
pub(crate) const COARSEST: u8 = 4;

/// A volume with its noises. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    /// Where it is: this counts, not the center of `volume`.
    pub center: [f64; 2],
    pub volume: Arc<TerrainVolume>,
    pub fields: Arc<[Field]>,
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
        Ok(Self { center: volume.center, volume: Arc::new(volume), fields: fields.into() })
    }

    /// The same volume in another place.
    pub fn moved_to(&self, center: [f64; 2]) -> Self {
        Self { center, ..self.clone() }
    }

    /// What it is, where it is.
    pub fn in_place(&self) -> TerrainVolume {
        TerrainVolume { center: self.center, ..(*self.volume).clone() }
    }

    /// Whether the other is of the very same volume, maybe in another place.
    pub fn has_shapes_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.volume, &other.volume)
    }

    /// Width of the cells that boxes consist of, in metres.
    pub fn cell(spacing: f64) -> f64 {
        f64::from(1u32 << COARSEST) * spacing
    }

    /// The box, seen from above, on land with vertices `spacing` metres apart.
    pub fn rect(&self, spacing: f64) -> Rect {
        let cell = Self::cell(spacing);
        let side = |axis: usize, sign: f64| self.center[axis] + 0.5 * sign * self.volume.size[axis];
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
