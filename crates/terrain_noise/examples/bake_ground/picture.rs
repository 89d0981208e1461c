//! The files: half as many pixels as points, eight bits a channel.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use crate::Failure;
use crate::colour::to_srgb;
use crate::ground::Ground;
use crate::light::{normals, occlusion};
use crate::plane::{Plane, SIDE};

/// Pixels along the side of a file.
pub const PIXELS: usize = SIDE / 2;

/// The lowest and the highest part of the points, which the range of heights leaves out.
pub const CUT: f32 = 0.001;

/// RGBA, row by row.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture(pub Vec<u8>);

/// How a ground becomes two pictures.
pub struct Finish {
    /// Slopes in the picture to slopes of the ground.
    pub relief: f32,
    /// How far things cast occlusion, in metres.
    pub reach: f32,
    /// Steps between the colours that are kept: coarse ones make small files.
    pub steps: Steps,
}

/// Steps of the 8-bit values.
pub struct Steps {
    pub albedo: u8,
    pub height: u8,
    pub normal: u8,
    pub rough: u8,
    pub occlusion: u8,
}

impl Default for Steps {
    fn default() -> Self {
        Self { albedo: 4, height: 4, normal: 4, rough: 8, occlusion: 8 }
    }
}

impl Picture {
    /// Puts four planes of 0 to 1 into a picture. Each is rounded to a step; 0 and 255 stay in reach.
    pub fn of(planes: [&Plane; 4], steps: [u8; 4]) -> Self {
        let mut bytes = vec![0; PIXELS * PIXELS * 4];
        for (channel, (plane, step)) in planes.into_iter().zip(steps).enumerate() {
            for (i, value) in halved(plane).into_iter().enumerate() {
                bytes[4 * i + channel] = rounded(value, step);
            }
        }
        Self(bytes)
    }

    /// Writes a PNG.
    pub fn save(&self, path: &Path) -> Result<(), Failure> {
        let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), PIXELS as u32, PIXELS as u32);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::MinEntropy);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.0)?;
        Ok(writer.finish()?)
    }

    /// Reads a PNG that [`save`](Self::save) wrote.
    pub fn load(path: &Path) -> Result<Self, Failure> {
        let mut reader = png::Decoder::new(std::io::BufReader::new(File::open(path)?)).read_info()?;
        let mut bytes = vec![0; reader.output_buffer_size().unwrap_or(0)];
        reader.next_frame(&mut bytes)?;
        Ok(Self(bytes))
    }
}

/// The nearest of the values a step apart. 128, the middle of a normal, is one of every step.
fn rounded(value: f32, step: u8) -> u8 {
    let step = f32::from(step);
    let steps = (value.clamp(0.0, 1.0) * 255.0 - 128.0) / step;
    (128.0 + steps.round() * step).clamp(0.0, 255.0) as u8
}

/// The means of two by two points.
fn halved(plane: &Plane) -> Vec<f32> {
    let mean = |i: usize| {
        let [x, z] = [i % PIXELS, i / PIXELS].map(|k| 2 * k);
        let at = |dx, dz| plane.0[(z + dz) * SIDE + x + dx];
        0.25 * (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1))
    };
    (0..PIXELS * PIXELS).map(mean).collect()
}

/// Albedo with height, and normal with roughness and occlusion.
pub fn finish(ground: &Ground, finish: &Finish) -> [Picture; 2] {
    let Finish { relief, reach, steps } = finish;
    let spacing = ground.spacing();
    let [x, z] = normals(&ground.height, spacing, *relief);
    let sky = occlusion(&ground.height.map(|h| h * relief), spacing, (reach / spacing) as i32);
    let albedo: [Plane; 3] =
        std::array::from_fn(|c| Plane(ground.albedo.iter().map(|colour| to_srgb(colour[c])).collect()));
    let [r, g, b] = &albedo;
    let (height, _) = ground.height.stretched(CUT);
    [
        Picture::of([r, g, b, &height], [steps.albedo, steps.albedo, steps.albedo, steps.height]),
        Picture::of([&x, &z, &ground.rough, &sky], [steps.normal, steps.normal, steps.rough, steps.occlusion]),
    ]
}
