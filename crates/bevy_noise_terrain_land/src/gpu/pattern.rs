//! Tiling textures of noise, for clouds and waves.

use bevy::asset::RenderAssetUsages;
use bevy::image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use terrain_noise::{Grid, Noise, Scratch};

/// Samples `noise` at every metre of a square, row by row.
///
/// # Errors
/// If the noise is invalid.
pub(crate) fn sample(noise: &Noise, side: usize, seed: u64) -> Result<Vec<f32>, terrain_noise::NoiseError> {
    let mut values = vec![0.0; side * side];
    noise.build(seed)?.fill(&Grid::new([0, 0], 1.0, [side, side]), &mut Scratch::default(), &mut values);
    Ok(values)
}

/// Each value's rank, 0 to 1: a fraction `t` of the ranks lies below any threshold `t`.
pub(crate) fn ranks(values: &[f32]) -> Vec<f32> {
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]).then(a.cmp(&b)));
    let mut ranks = vec![0.0; values.len()];
    let last = values.len().saturating_sub(1).max(1) as f32;
    for (rank, &index) in order.iter().enumerate() {
        ranks[index as usize] = rank as f32 / last;
    }
    ranks
}

/// 0 to 1 as a byte.
pub(crate) fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// A square repeating image with all mip levels; `side` is a power of two.
pub(crate) fn tiling_image<const CHANNELS: usize>(
    side: usize,
    texels: Vec<[u8; CHANNELS]>,
    format: TextureFormat,
) -> Image {
    let size = Extent3d { width: side as u32, height: side as u32, depth_or_array_layers: 1 };
    let first = texels.as_flattened().to_vec();
    let mut image = Image::new(size, TextureDimension::D2, first, format, RenderAssetUsages::RENDER_WORLD);
    let (bytes, levels) = mip_chain(side, texels);
    image.data = Some(bytes);
    image.texture_descriptor.mip_level_count = levels;
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        ..default()
    });
    image
}

/// All mip levels one after the other, each the mean of the one before, and their count.
fn mip_chain<const CHANNELS: usize>(mut side: usize, mut texels: Vec<[u8; CHANNELS]>) -> (Vec<u8>, u32) {
    let mut bytes = texels.as_flattened().to_vec();
    let mut levels = 1;
    while side > 1 {
        let half = side / 2;
        let mean = |index: usize| {
            let (x, y) = (2 * (index % half), 2 * (index / half));
            std::array::from_fn(|channel| {
                let at = |x: usize, y: usize| u16::from(texels[y * side + x][channel]);
                ((at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1) + 2) / 4) as u8
            })
        };
        texels = (0..half * half).map(mean).collect();
        bytes.extend_from_slice(texels.as_flattened());
        side = half;
        levels += 1;
    }
    (bytes, levels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_evenly_spaced() {
        assert_eq!(ranks(&[5.0, -1.0, 2.0]), [1.0, 0.0, 0.5]);
    }

    #[test]
    fn mip_levels_are_means() {
        let (bytes, levels) = mip_chain(2, vec![[0u8, 10], [4, 10], [8, 10], [12, 10]]);
        assert_eq!((bytes.as_slice(), levels), (&[0, 10, 4, 10, 8, 10, 12, 10, 6, 10][..], 2));
        let (bytes, levels) = mip_chain(64, vec![[7u8]; 64 * 64]);
        assert_eq!((bytes.len(), levels), (64 * 64 * 4 / 3, 7));
    }
}
