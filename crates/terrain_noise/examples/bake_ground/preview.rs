//! The ground in a low sun, near and from afar, to look at.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use crate::Failure;
use crate::colour::{from_srgb, to_srgb};
use crate::picture::{PIXELS, Picture};

/// Side of each of the two views.
const VIEW: usize = 768;

/// One and a half tiles pixel by pixel, and beside them twelve by twelve from afar.
pub fn save(albedo: &Picture, normal: &Picture, exposure: f32, path: &Path) -> Result<(), Failure> {
    let lit: Vec<[f32; 3]> = (0..PIXELS * PIXELS).map(|i| lit(&albedo.0[4 * i..], &normal.0[4 * i..])).collect();
    let at = |x: usize, z: usize| lit[z % PIXELS * PIXELS + x % PIXELS];
    let far = 12 * PIXELS / VIEW;
    let mut bytes = Vec::new();
    for z in 0..VIEW {
        let near = (0..VIEW).map(|x| at(x, z));
        let afar = (0..VIEW).map(|x| {
            let mut sum = [0.0; 3];
            for i in 0..far * far {
                let part = at(x * far + i % far, z * far + i / far);
                for c in 0..3 {
                    sum[c] += part[c] / (far * far) as f32;
                }
            }
            sum
        });
        for colour in near.chain(afar) {
            bytes.extend(colour.map(|c| (to_srgb(c * exposure) * 255.0 + 0.5) as u8));
        }
    }
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), 2 * VIEW as u32, VIEW as u32);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    Ok(writer.finish()?)
}

/// A pixel under a warm sun, 30° high, and a blue sky.
fn lit(albedo: &[u8], normal: &[u8]) -> [f32; 3] {
    let [x, z] = [normal[0], normal[1]].map(|n| (f32::from(n) - 128.0) / 127.0);
    let y = (1.0 - x * x - z * z).max(0.0).sqrt();
    let sun = (-0.6 * x + 0.55 * y - 0.58 * z).max(0.0);
    let sky = f32::from(normal[3]) / 255.0;
    // A crease is dark in the sun too.
    let sun = sun * (0.4 + 0.6 * sky);
    std::array::from_fn(|c| {
        let colour = from_srgb(f32::from(albedo[c]) / 255.0);
        colour * (sun * [2.3, 2.1, 1.75][c] + sky * [0.38, 0.45, 0.58][c])
    })
}
