//! The pattern of the clouds, made by the noise core.

use bevy::image::Image;
use bevy::render::render_resource::TextureFormat;
use terrain_noise::NoiseError;
use terrain_noise::prelude::*;

use crate::render::pattern::{byte, ranks, sample, tiling_image};

/// Texels along a side; `clouds.wgsl` has it too.
pub const SIDE: usize = 512;
/// Any world has the same clouds.
const SEED: u64 = 0x005E_ED0F_C10D;

/// A tiling texture: red the cloud's body as a rank, so that a part `c` of the sky lies above `1 − c`; green its
/// curls, likewise.
///
/// # Errors
/// If the noise core refuses the noise.
pub fn pattern() -> Result<Image, NoiseError> {
    let [body, curls] = [body(), curls()].map(|noise| sample(&noise, SIDE, SEED));
    let (body, curls) = (ranks(&body?), ranks(&curls?));
    let texels = body.iter().zip(&curls).map(|(&body, &curls)| [byte(body), byte(curls)]).collect();
    Ok(tiling_image(SIDE, texels, TextureFormat::Rg8Unorm))
}

/// Heaps that cluster: round cells carved out of broad noise.
fn body() -> Noise {
    let side = SIDE as f64;
    let broad = perlin().fbm().octaves(7).persistence(0.52).feature_size(side / 4.0).period(4, 4).seed(1);
    let heaps = cellular(CellOutput::F1).fbm().octaves(4).persistence(0.5).feature_size(side / 10.0).period(10, 10);
    broad.add(heaps.seed(2).scale(-0.55))
}

/// Cauliflower.
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
    fn half_the_sky_lies_above_one_half() {
        let image = pattern().unwrap();
        let texels = &image.data.as_ref().unwrap()[..2 * SIDE * SIDE];
        let clouded = texels.iter().step_by(2).filter(|&&body| body >= 128).count();
        assert!((clouded as f32 / (SIDE * SIDE) as f32 - 0.5).abs() < 0.01);
        // The core is the same everywhere, so the sky is.
        assert_eq!(image.data.as_ref().unwrap().len(), (2 * SIDE * SIDE * 4 - 2) / 3);
    }
}
