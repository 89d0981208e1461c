//! Colours: linear light, 0 to 1.

use crate::plane::mix;

pub type Colour = [f32; 3];

/// `a` at 0, `b` at 1.
pub fn blend(a: Colour, b: Colour, t: f32) -> Colour {
    std::array::from_fn(|c| mix(a[c], b[c], t))
}

/// Lighter or darker.
pub fn shade(colour: Colour, factor: f32) -> Colour {
    colour.map(|c| c * factor)
}

/// A colour along a row of colours, from 0 to 1.
pub fn ramp(colours: &[Colour], t: f32) -> Colour {
    let along = t.clamp(0.0, 1.0) * (colours.len() - 1) as f32;
    let left = (along as usize).min(colours.len() - 2);
    blend(colours[left], colours[left + 1], along - left as f32)
}

/// Linear light to sRGB.
pub fn to_srgb(c: f32) -> f32 {
    let c = c.clamp(0.0, 1.0);
    if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * libm::powf(c, 1.0 / 2.4) - 0.055 }
}

/// sRGB to linear light.
pub fn from_srgb(c: f32) -> f32 {
    if c <= 0.040_45 { c / 12.92 } else { libm::powf((c + 0.055) / 1.055, 2.4) }
}
