//! The pattern of the waves, made by the noise core.

use bevy::image::Image;
use bevy::render::render_resource::TextureFormat;
use terrain_noise::NoiseError;
use terrain_noise::prelude::*;

use crate::render::pattern::{byte, sample, tiling_image};

/// Texels along a side.
pub const SIDE: usize = 256;
/// Longest waves along a side.
pub const CRESTS: u32 = 5;
/// Slopes beyond this, per texel side of a tile, are cut off: the pattern's own unit.
const STEEPEST: f32 = 4.0;
const SEED: u64 = 0x000C_EA11;

/// A tiling texture of waves whose mean square slope along an axis is 1: red and green the slopes along x and z,
/// blue the height, alpha the square of the slopes, all in units of the steepest. The smaller versions of
/// red and green are what is left of the slopes, those of alpha what was there: the difference is roughness.
///
/// # Errors
/// If the noise core refuses the noise.
pub fn pattern() -> Result<Image, NoiseError> {
    let heights = sample(&waves(), SIDE, SEED)?;
    let at = |x: usize, z: usize| heights[(z % SIDE) * SIDE + x % SIDE];
    let slopes: Vec<[f32; 2]> = (0..SIDE * SIDE)
        .map(|index| {
            let (x, z) = (index % SIDE, index / SIDE);
            [at(x + 1, z) - at(x + SIDE - 1, z), at(x, z + 1) - at(x, z + SIDE - 1)]
        })
        .collect();
    let square = slopes.iter().map(|[x, z]| x * x + z * z).sum::<f32>() / (2 * SIDE * SIDE) as f32;
    let unit = 1.0 / (square.sqrt().max(1e-9) * STEEPEST);
    let (low, high) = heights.iter().fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)));
    let texels = slopes.iter().zip(&heights).map(|(slope, height)| {
        let [x, z] = slope.map(|slope| (slope * unit).clamp(-1.0, 1.0));
        let height = (height - low) / (high - low).max(1e-9);
        [byte(0.5 + 0.5 * x), byte(0.5 + 0.5 * z), byte(height), byte(0.5 * (x * x + z * z))]
    });
    Ok(tiling_image(SIDE, texels.collect(), TextureFormat::Rgba8Unorm))
}

/// Crests that are sharper than troughs.
fn waves() -> Noise {
    let length = SIDE as f64 / f64::from(CRESTS);
    let chop = perlin().fbm().octaves(5).persistence(0.42).feature_size(length).period(CRESTS, CRESTS).seed(1);
    let crests = perlin().ridged().octaves(3).persistence(0.45).feature_size(length).period(CRESTS, CRESTS).seed(2);
    chop.add(crests.scale(0.45))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_tile_and_have_slopes_of_the_right_size() {
        let image = pattern().unwrap();
        let texels = &image.data.as_ref().unwrap()[..4 * SIDE * SIDE];
        let slope = |index: usize, axis: usize| (f32::from(texels[4 * index + axis]) / 127.5 - 1.0) * STEEPEST;
        for axis in 0..2 {
            let square = (0..SIDE * SIDE).map(|index| slope(index, axis).powi(2)).sum::<f32>() / (SIDE * SIDE) as f32;
            assert!((0.6..1.4).contains(&square), "{square}");
            let mean = (0..SIDE * SIDE).map(|index| slope(index, axis)).sum::<f32>() / (SIDE * SIDE) as f32;
            assert!(mean.abs() < 0.05, "{mean}");
        }
        // Across the seam slopes change no faster than elsewhere.
        let jump = |x: usize| {
            let next = (x + 1) % SIDE;
            (0..SIDE).map(|z| (slope(z * SIDE + x, 0) - slope(z * SIDE + next, 0)).abs()).sum::<f32>() / SIDE as f32
        };
        assert!(jump(SIDE - 1) < 2.0 * jump(100), "{} {}", jump(SIDE - 1), jump(100));
    }
}
