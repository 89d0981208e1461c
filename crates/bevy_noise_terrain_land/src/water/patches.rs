//! The pattern of gusts and foam, a texture of noise.

use bevy::image::Image;
use bevy::render::render_resource::TextureFormat;
use terrain_noise::NoiseError;
use terrain_noise::prelude::*;

use crate::gpu::pattern::{byte, ranks, sample, tiling_image};

/// Texels along a side.
pub const SIDE: usize = 256;
/// Patches along a side.
const PATCHES: u32 = 5;
const SEED: u64 = 0x000C_EA11;

/// A tiling texture. Red is broad patches, where gusts roughen the water; green is the network of foam. Both are ranks.
///
/// # Errors
/// If the noise is invalid.
pub fn pattern() -> Result<Image, NoiseError> {
    let [gusts, foam] = [gusts(), foam()].map(|noise| sample(&noise, SIDE, SEED));
    let (gusts, foam) = (ranks(&gusts?), ranks(&foam?));
    let texels = gusts.iter().zip(&foam).map(|(&gust, &foam)| [byte(gust), byte(foam)]).collect();
    Ok(tiling_image(SIDE, texels, TextureFormat::Rg8Unorm))
}

fn gusts() -> Noise {
    let size = SIDE as f64 / f64::from(PATCHES);
    perlin().fbm().octaves(5).persistence(0.5).feature_size(size).period(PATCHES, PATCHES).seed(1).into()
}

/// Threads of foam between bubbles.
fn foam() -> Noise {
    let size = SIDE as f64 / f64::from(PATCHES);
    let threads = perlin().ridged().octaves(4).persistence(0.6).feature_size(size).period(PATCHES, PATCHES).seed(2);
    let bubbles = cellular(CellOutput::F1).feature_size(size / 4.0).period(4 * PATCHES, 4 * PATCHES).seed(3);
    threads.add(bubbles.scale(0.5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_tile_and_cover_half() {
        let image = pattern().unwrap();
        let texels = &image.data.as_ref().unwrap()[..2 * SIDE * SIDE];
        let at = |x: usize, z: usize, channel: usize| f32::from(texels[2 * ((z % SIDE) * SIDE + x % SIDE) + channel]);
        for channel in 0..2 {
            let mean = (0..SIDE * SIDE).map(|i| at(i, i / SIDE, channel)).sum::<f32>() / (SIDE * SIDE) as f32;
            assert!((mean - 127.5).abs() < 1.0, "{mean}");
            // Across the seam the pattern changes no faster than within.
            let jump = |x: usize| (0..SIDE).map(|z| (at(x, z, channel) - at(x + 1, z, channel)).abs()).sum::<f32>();
            let most = (0..SIDE - 1).map(jump).fold(0.0, f32::max);
            assert!(jump(SIDE - 1) <= 1.05 * most, "channel {channel}: {} against {most}", jump(SIDE - 1));
        }
    }
}
