//! The clouds' pattern, a texture of noise.

use bevy::image::Image;
use bevy::render::render_resource::TextureFormat;
use terrain_noise::NoiseError;
use terrain_noise::prelude::*;

use crate::gpu::SHADE_SIDE;
use crate::gpu::pattern::{byte, ranks, sample, tiling_image};

/// Texels along a side; must match `clouds/pattern.wesl`.
pub const SIDE: usize = 512;
/// Fixed: every world has the same clouds.
const SEED: u64 = 0x005E_ED0F_C10D;

/// A tiling texture. Red is the cloud's body, green its curls; both are ranks, so that a fraction `c` of the sky lies
/// above `1 − c`.
///
/// # Errors
/// If the noise is invalid.
pub fn pattern() -> Result<Image, NoiseError> {
    let [body, curls] = [body(), curls()].map(|noise| sample(&noise, SIDE, SEED));
    let (body, curls) = (ranks(&body?), ranks(&curls?));
    let texels = body.iter().zip(&curls).map(|(&body, &curls)| [byte(body), byte(curls)]).collect();
    Ok(tiling_image(SIDE, texels, TextureFormat::Rg8Unorm))
}

/// The red channel of a [`pattern`], packed for shaders that do not bind its texture: each texel with its next ones
/// along x, z and both, from the lowest byte to the highest.
pub fn shade(pattern: &Image) -> Vec<u32> {
    // The third mip level has this size: skip the two before it.
    let before = 2 * (SIDE * SIDE + SIDE * SIDE / 4);
    let texels = pattern.data.as_deref().and_then(|data| data.get(before..)).unwrap_or_default();
    let body = |x: usize, z: usize| {
        let index = (z % SHADE_SIDE) * SHADE_SIDE + x % SHADE_SIDE;
        texels.get(2 * index).copied().unwrap_or(0)
    };
    let corners = |i: usize| {
        let (x, z) = (i % SHADE_SIDE, i / SHADE_SIDE);
        u32::from_le_bytes([body(x, z), body(x + 1, z), body(x, z + 1), body(x + 1, z + 1)])
    };
    (0..SHADE_SIDE * SHADE_SIDE).map(corners).collect()
}

/// Clustered heaps: round cells carved out of broad noise.
fn body() -> Noise {
    let side = SIDE as f64;
    let broad = perlin().fbm().octaves(7).persistence(0.52).feature_size(side / 4.0).period(4, 4).seed(1);
    let heaps = cellular(CellOutput::F1).fbm().octaves(4).persistence(0.5).feature_size(side / 10.0).period(10, 10);
    broad.add(heaps.seed(2).scale(-0.55))
}

/// Details that make the heaps look like cauliflower.
fn curls() -> Noise {
    let side = SIDE as f64;
    let cells = cellular(CellOutput::F1).fbm().octaves(4).persistence(0.6).feature_size(side / 12.0).period(12, 12);
    let veils = perlin().fbm().octaves(5).persistence(0.6).feature_size(side / 8.0).period(8, 8).seed(4);
    cells.seed(3).scale(-1.0).add(veils.scale(0.6))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pattern_has_no_seam() {
        for noise in [body(), curls()] {
            let sampler = noise.build(SEED).unwrap();
            let side = SIDE as f64;
            for at in [[3.0, 70.0], [200.5, 1.0]] {
                let here = sampler.sample(at);
                for beyond in [[at[0] + side, at[1]], [at[0], at[1] - side]] {
                    assert!((sampler.sample(beyond) - here).abs() < 1e-4);
                }
            }
        }
    }

    #[test]
    fn shadows_are_cast_by_the_clouds_that_are_drawn() {
        let image = pattern().unwrap();
        let (texels, shade) = (image.data.as_ref().unwrap(), shade(&image));
        // A texel of the coarse pattern is the mean of sixteen fine ones, up to the rounding of two mip levels.
        for (x, z) in [(0, 0), (17, 90), (127, 127)] {
            let mean = |x: usize, z: usize| {
                let texel = |i: usize| 2 * ((4 * z + i / 4) % SIDE * SIDE + (4 * x + i % 4) % SIDE);
                (0..16).map(|i| f32::from(texels[texel(i)])).sum::<f32>() / 16.0
            };
            let corners = shade[z * SHADE_SIDE + x].to_le_bytes();
            let expected = [mean(x, z), mean(x + 1, z), mean(x, z + 1), mean(x + 1, z + 1)];
            for (corner, expected) in corners.into_iter().zip(expected) {
                assert!((f32::from(corner) - expected).abs() < 1.5, "{corner} {expected}");
            }
        }
    }

    #[test]
    fn half_the_sky_lies_above_one_half() {
        let image = pattern().unwrap();
        let texels = &image.data.as_ref().unwrap()[..2 * SIDE * SIDE];
        let clouded = texels.iter().step_by(2).filter(|&&body| body >= 128).count();
        assert!((clouded as f32 / (SIDE * SIDE) as f32 - 0.5).abs() < 0.01);
        // All mip levels are there.
        assert_eq!(image.data.as_ref().unwrap().len(), (2 * SIDE * SIDE * 4 - 2) / 3);
    }
}
