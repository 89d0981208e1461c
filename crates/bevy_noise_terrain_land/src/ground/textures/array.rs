//! Array textures of all layers, with mip maps.

use bevy::asset::RenderAssetUsages;
use bevy::image::{Image, ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy::log::warn;
use bevy::math::{Vec3, Vec4};
use bevy::render::render_resource::{
    Extent3d, TextureDimension, TextureFormat, TextureViewDescriptor, TextureViewDimension,
};

/// Maximum width of the textures, in texels.
const WIDEST: u32 = 4_096;

/// The array textures of a ground.
pub struct Arrays {
    pub albedo: Option<Image>,
    pub normal: Option<Image>,
    /// Mean linear albedo of each layer.
    pub means: Vec<[f32; 3]>,
}

impl Arrays {
    /// Assembles albedo and normal of each layer. All are scaled to the width of the widest one.
    pub fn assemble(sources: &[[Image; 2]], anisotropy: u16) -> Self {
        let side = sources.iter().flatten().map(Image::width).max().unwrap_or(0).min(WIDEST).next_power_of_two();
        let (mut albedo, mut normal, mut means) = (Vec::new(), Vec::new(), Vec::new());
        for [albedo_source, normal_source] in sources {
            let texels = pixels(albedo_source, side).map(linear).collect();
            means.push(mips(texels, side, &mut albedo, albedo_texel).truncate().to_array());
            let texels = pixels(normal_source, side).map(unpacked).collect();
            mips(texels, side, &mut normal, normal_texel);
        }
        let array = |data: Vec<u8>, format| {
            (!data.is_empty()).then(|| array_image(data, side, sources.len() as u32, format, anisotropy))
        };
        Self {
            albedo: array(albedo, TextureFormat::Rgba8UnormSrgb),
            normal: array(normal, TextureFormat::Rgba8Unorm),
            means,
        }
    }
}

/// The pixels of an image, resampled to `side`, as bytes; mid-grey if its format cannot be read.
fn pixels(image: &Image, side: u32) -> impl Iterator<Item = [u8; 4]> {
    let mut image = image.clone();
    let format = image.texture_descriptor.format;
    if format == TextureFormat::Rgba8Unorm {
        // Prevents a conversion of linear bytes to sRGB.
        image.texture_descriptor.format = TextureFormat::Rgba8UnormSrgb;
    }
    let pixels = image.try_into_dynamic().ok().map(|image| {
        let fits = image.width() == side && image.height() == side;
        if fits { image } else { image.thumbnail_exact(side, side) }.to_rgba8().into_raw()
    });
    let pixels = pixels.unwrap_or_else(|| {
        warn!("a ground texture of format {format:?} cannot be read; save it with 8 bits per channel");
        vec![128; (side * side * 4) as usize]
    });
    (0..pixels.len() / 4).map(move |index| [0, 1, 2, 3].map(|channel| pixels[4 * index + channel]))
}

/// Linear albedo and height.
fn linear(bytes: [u8; 4]) -> Vec4 {
    let [red, green, blue, height] = bytes.map(|byte| f32::from(byte) / 255.0);
    let linear = |value: f32| if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
    Vec4::new(linear(red), linear(green), linear(blue), height)
}

fn albedo_texel(value: Vec4) -> [u8; 4] {
    let srgb = |value: f32| if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
    [srgb(value.x), srgb(value.y), srgb(value.z), value.w].map(byte)
}

/// A normal, roughness to the fourth power and occlusion: the form in which texels are averaged.
#[derive(Clone, Copy, Default)]
struct Facet {
    normal: Vec3,
    alpha_squared: f32,
    occlusion: f32,
}

fn unpacked(bytes: [u8; 4]) -> Facet {
    let [x, z, roughness, occlusion] = bytes.map(|byte| f32::from(byte) / 255.0);
    let (x, z) = ((x * 255.0 - 128.0) / 127.0, (z * 255.0 - 128.0) / 127.0);
    let up = (1.0 - x * x - z * z).max(0.0).sqrt();
    Facet { normal: Vec3::new(x, up, z), alpha_squared: roughness.powi(4), occlusion }
}

/// The lost length of an averaged normal becomes roughness: Toksvig, "Mipmapping Normal Maps", 2005.
fn normal_texel(facet: Facet) -> [u8; 4] {
    let length = facet.normal.length().clamp(1e-3, 1.0);
    let normal = facet.normal / length;
    let roughness = (facet.alpha_squared + 2.0 * (1.0 - length) / length).sqrt().sqrt();
    let part = |part: f32| (part * 127.0 + 128.0).round().clamp(0.0, 255.0) as u8;
    [part(normal.x), part(normal.z), byte(roughness), byte(facet.occlusion)]
}

fn byte(value: f32) -> u8 {
    (value * 255.0).round().clamp(0.0, 255.0) as u8
}

/// The average of four texels, for the next mip level.
trait Average: Copy {
    fn average(four: [Self; 4]) -> Self;
}

impl Average for Vec4 {
    fn average([a, b, c, d]: [Self; 4]) -> Self {
        0.25 * (a + b + c + d)
    }
}

impl Average for Facet {
    fn average(four: [Self; 4]) -> Self {
        four.iter().fold(Self::default(), |sum, facet| Self {
            normal: sum.normal + 0.25 * facet.normal,
            alpha_squared: sum.alpha_squared + 0.25 * facet.alpha_squared,
            occlusion: sum.occlusion + 0.25 * facet.occlusion,
        })
    }
}

/// Appends all mip maps of a square texture, and returns its average.
fn mips<T: Average>(mut texels: Vec<T>, mut side: u32, data: &mut Vec<u8>, pack: fn(T) -> [u8; 4]) -> T {
    loop {
        data.extend(texels.iter().flat_map(|&texel| pack(texel)));
        if side == 1 {
            return texels[0];
        }
        let (wide, half) = (side as usize, side as usize / 2);
        texels = (0..half * half)
            .map(|index| {
                let corner = 2 * (index / half) * wide + 2 * (index % half);
                T::average([corner, corner + 1, corner + wide, corner + wide + 1].map(|index| texels[index]))
            })
            .collect();
        side /= 2;
    }
}

fn array_image(data: Vec<u8>, side: u32, layers: u32, format: TextureFormat, anisotropy: u16) -> Image {
    let size = Extent3d { width: side, height: side, depth_or_array_layers: layers };
    let mut image = Image::new_uninit(size, TextureDimension::D2, format, RenderAssetUsages::RENDER_WORLD);
    image.data = Some(data);
    image.texture_descriptor.mip_level_count = side.ilog2() + 1;
    image.texture_view_descriptor =
        Some(TextureViewDescriptor { dimension: Some(TextureViewDimension::D2Array), ..Default::default() });
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        anisotropy_clamp: anisotropy,
        ..ImageSamplerDescriptor::linear()
    });
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(side: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> Image {
        let data = (0..side).flat_map(|y| (0..side).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y)).collect();
        let size = Extent3d { width: side, height: side, depth_or_array_layers: 1 };
        Image::new(size, TextureDimension::D2, data, TextureFormat::Rgba8Unorm, RenderAssetUsages::MAIN_WORLD)
    }

    #[test]
    fn arrays_hold_every_mip_of_every_layer() {
        let white = image(4, |_, _| [255; 4]);
        let level = image(4, |_, _| [128, 128, 128, 255]);
        let black = image(2, |_, _| [0, 0, 0, 255]);
        let arrays = Arrays::assemble(&[[white, level.clone()], [black, level]], 1);
        let albedo = arrays.albedo.unwrap();
        assert_eq!(albedo.data.unwrap().len(), 2 * 4 * (16 + 4 + 1));
        assert_eq!(albedo.texture_descriptor.mip_level_count, 3);
        assert_eq!(arrays.means, [[1.0; 3], [0.0; 3]]);
    }

    #[test]
    fn colours_are_averaged_in_linear_light() {
        let checks = image(2, |x, y| if (x + y) % 2 == 0 { [255, 255, 255, 255] } else { [0, 0, 0, 0] });
        let level = image(2, |_, _| [128, 128, 0, 255]);
        let data = Arrays::assemble(&[[checks, level]], 1).albedo.unwrap().data.unwrap();
        assert_eq!(data[16..], [188, 188, 188, 128]);
    }

    #[test]
    fn lost_length_of_normals_becomes_roughness() {
        // Steep to either side in turn: level on average, and rough.
        let ridges = image(2, |x, _| if x == 0 { [218, 128, 51, 255] } else { [38, 128, 51, 255] });
        let data = Arrays::assemble(&[[ridges.clone(), ridges]], 1).normal.unwrap().data.unwrap();
        let [x, z, roughness, _] = [data[16], data[17], data[18], data[19]];
        assert_eq!((x, z), (128, 128));
        assert!(roughness > 200, "roughness {roughness}");
    }

    #[test]
    fn nothing_makes_nothing() {
        let arrays = Arrays::assemble(&[], 8);
        assert!(arrays.albedo.is_none() && arrays.normal.is_none() && arrays.means.is_empty());
    }
}
