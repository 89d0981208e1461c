//! Images that edits stamp onto the land.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io::Cursor;
use std::sync::Arc;

use bevy::prelude::*;
use png::{BitDepth, ColorType, Decoder, DecodingError, Encoder, Limits, Transformations};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::edit::{Edit, EditAction};
use crate::settings::SettingsError;

/// The greatest width and height in pixels.
const MOST_PIXELS: u32 = 2_048;
/// More memory than a file of that size can need.
const MOST_BYTES: usize = 64 << 20;
/// Of a file that holds a name instead of an image.
const NAME_BYTES: usize = size_of::<u64>();

/// An image whose brightness is height, 2 to 2048 pixels wide and high. Clones share it, and in a file of edits it is kept
/// once, however often it is stamped.
///
/// Between its pixels heights are smooth (Catmull-Rom), and where samples of the land are farther apart than pixels it is
/// filtered.
#[derive(Clone, Reflect)]
#[reflect(opaque, Clone, Debug, PartialEq)]
pub struct StampImage {
    /// A hash of its file.
    name: u64,
    /// `None` between reading a name and finding its image.
    pixels: Option<Arc<Pixels>>,
}

struct Pixels {
    /// As a file: 16-bit grey.
    png: Vec<u8>,
    /// Each half as large as the one before.
    levels: Vec<Level>,
}

struct Level {
    size: [usize; 2],
    /// 0 to 1, x fastest.
    values: Vec<f32>,
}

impl StampImage {
    /// An image of `size` pixels, width and height; `values` are their brightnesses row by row, 65535 for white.
    ///
    /// # Errors
    /// If it is too small or too large, or has another number of pixels.
    pub fn new(size: [u32; 2], values: &[u16]) -> Result<Self, SettingsError> {
        check(size)?;
        let count = size[0] as usize * size[1] as usize;
        if values.len() != count {
            return Err(SettingsError::new("image", format!("{} pixels", values.len()), format!("{count} pixels")));
        }
        let mut png = Vec::new();
        let mut encoder = Encoder::new(&mut png, size[0], size[1]);
        encoder.set_color(ColorType::Grayscale);
        encoder.set_depth(BitDepth::Sixteen);
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_be_bytes()).collect();
        let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&bytes));
        written.map_err(|error| SettingsError::new("image", error.to_string(), "an image that PNG can hold"))?;
        let levels = levels(size.map(|side| side as usize), values);
        // FNV-1a: Fowler, Noll and Vo, 1991.
        let name = png
            .iter()
            .fold(0xCBF2_9CE4_8422_2325, |hash: u64, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
        Ok(Self { name, pixels: Some(Arc::new(Pixels { png, levels })) })
    }

    /// Reads a PNG of 8 or 16 bits; of colours their mean is taken, and opacity counts for nothing.
    ///
    /// # Errors
    /// If it is none, is damaged, too small or too large.
    pub fn from_png(bytes: &[u8]) -> Result<Self, SettingsError> {
        let refuse = |error: DecodingError| SettingsError::new("image", error.to_string(), "a PNG");
        let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MOST_BYTES });
        decoder.set_transformations(Transformations::EXPAND);
        let mut reader = decoder.read_info().map_err(refuse)?;
        let size = [reader.info().width, reader.info().height];
        check(size)?;
        let (color, depth) = reader.output_color_type();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap_or(0)];
        reader.next_frame(&mut bytes).map_err(refuse)?;
        let samples: Vec<u32> = match depth {
            BitDepth::Sixteen => {
                bytes.as_chunks().0.iter().map(|&bytes| u32::from(u16::from_be_bytes(bytes))).collect()
            }
            _ => bytes.iter().map(|&byte| 257 * u32::from(byte)).collect(),
        };
        let colors = match color {
            ColorType::Rgb | ColorType::Rgba => 3,
            _ => 1,
        };
        let mean = |pixel: &[u32]| (pixel[..colors].iter().sum::<u32>() / colors as u32) as u16;
        let values: Vec<u16> = samples.chunks_exact(color.samples()).map(mean).collect();
        Self::new(size, &values)
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        let first = self.pixels.as_ref().and_then(|pixels| pixels.levels.first());
        first.map_or([0; 2], |level| level.size.map(|side| side as u32))
    }

    /// Whether it is only a name.
    pub(super) fn is_missing(&self) -> bool {
        self.pixels.is_none()
    }

    /// Its brightness, 0 to 1: at `place`, 0 to 1 from edge to edge and as the edges are beyond, for samples that are
    /// `footprint` of its width apart.
    pub(super) fn at(&self, place: [f64; 2], footprint: f64) -> f32 {
        let Some(pixels) = &self.pixels else { return 0.0 };
        let apart = footprint * pixels.levels[0].size[0] as f64;
        let level = libm::log2(apart.max(1.0)).min((pixels.levels.len() - 1) as f64);
        let (fine, share) = (level as usize, level.fract() as f32);
        let low = pixels.levels[fine].at(place);
        match pixels.levels.get(fine + 1) {
            Some(coarse) if share > 0.0 => low + share * (coarse.at(place) - low),
            _ => low,
        }
    }
}

fn check(size: [u32; 2]) -> Result<(), SettingsError> {
    if size.iter().all(|side| (2..=MOST_PIXELS).contains(side)) {
        return Ok(());
    }
    let allowed = format!("2 to {MOST_PIXELS} pixels wide and high");
    Err(SettingsError::new("image", format!("{} × {} pixels", size[0], size[1]), allowed))
}

/// The image at all sizes, each pixel the mean of four of the one before.
fn levels(size: [usize; 2], values: &[u16]) -> Vec<Level> {
    let mut levels = vec![Level { size, values: values.iter().map(|&value| f32::from(value) / 65_535.0).collect() }];
    while let Some(last) = levels.last().filter(|last| last.size.iter().any(|&side| side > 1)) {
        let size = last.size.map(|side| side.div_ceil(2));
        let mean = |x: usize, z: usize| {
            let corner = |k: usize| last.pixel((2 * x + k % 2) as i64, (2 * z + k / 2) as i64);
            0.25 * ((corner(0) + corner(1)) + (corner(2) + corner(3)))
        };
        let values = (0..size[0] * size[1]).map(|index| mean(index % size[0], index / size[0])).collect();
        levels.push(Level { size, values });
    }
    levels
}

impl Level {
    /// A pixel, or the nearest there is.
    fn pixel(&self, x: i64, z: i64) -> f32 {
        let [x, z] = [(x, 0), (z, 1)].map(|(at, axis)| at.clamp(0, self.size[axis] as i64 - 1) as usize);
        self.values[z * self.size[0] + x]
    }

    /// Interpolated between the middles of pixels, along x and then along z.
    fn at(&self, place: [f64; 2]) -> f32 {
        // Far beyond the edges all is as there.
        let at = [0, 1].map(|axis| place[axis].clamp(-1.0, 2.0) * self.size[axis] as f64 - 0.5);
        let cell = at.map(f64::floor);
        let [u, v] = [0, 1].map(|axis| (at[axis] - cell[axis]) as f32);
        let [x, z] = cell.map(|cell| cell as i64);
        let row = |z: i64| spline([-1, 0, 1, 2].map(|step| self.pixel(x + step, z)), u);
        spline([-1, 0, 1, 2].map(|step| row(z + step)), v)
    }
}

/// The curve through `b` and `c` (Catmull and Rom, *A class of local interpolating splines*, 1974).
fn spline([a, b, c, d]: [f32; 4], t: f32) -> f32 {
    b + 0.5 * t * ((c - a) + t * ((2.0 * a + 4.0 * c - (5.0 * b + d)) + t * ((3.0 * b + d) - (3.0 * c + a))))
}

impl Default for StampImage {
    /// Black.
    fn default() -> Self {
        Self { name: 0, pixels: None }
    }
}

impl PartialEq for StampImage {
    fn eq(&self, other: &Self) -> bool {
        match (&self.pixels, &other.pixels) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a.png == b.png,
            (a, b) => self.name == other.name && a.is_none() && b.is_none(),
        }
    }
}

impl fmt::Debug for StampImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = self.size();
        write!(f, "StampImage({width} × {height}, {:016x})", self.name)
    }
}

/// As a PNG, or as the name of an image that came before.
impl Serialize for StampImage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.pixels {
            Some(pixels) => serializer.serialize_bytes(&pixels.png),
            None => serializer.serialize_bytes(&self.name.to_be_bytes()),
        }
    }
}

impl<'de> Deserialize<'de> for StampImage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl<'de> serde::de::Visitor<'de> for Bytes {
            type Value = StampImage;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a PNG")
            }

            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<StampImage, E> {
                match <[u8; NAME_BYTES]>::try_from(bytes) {
                    Ok(name) => Ok(StampImage { name: u64::from_be_bytes(name), pixels: None }),
                    Err(_) => StampImage::from_png(bytes).map_err(E::custom),
                }
            }
        }
        deserializer.deserialize_byte_buf(Bytes).map_err(D::Error::custom)
    }
}

/// Keeps each image once among many.
#[derive(Default)]
pub(super) struct SeenImages(HashMap<u64, StampImage>);

impl SeenImages {
    /// An edit as it is written: with only the name of an image that has been written before.
    pub fn short_form<'a>(&mut self, edit: &'a Edit) -> Cow<'a, Edit> {
        let EditAction::Stamp { image, height, turn } = &edit.action else { return Cow::Borrowed(edit) };
        if self.0.insert(image.name, image.clone()).is_none() {
            return Cow::Borrowed(edit);
        }
        let image = StampImage { name: image.name, pixels: None };
        Cow::Owned(Edit { action: EditAction::Stamp { image, height: *height, turn: *turn }, ..edit.clone() })
    }

    /// Puts the image in the place of its name.
    pub fn resolve(&mut self, edit: &mut Edit) {
        let EditAction::Stamp { image, .. } = &mut edit.action else { return };
        match self.0.get(&image.name) {
            Some(known) => *image = known.clone(),
            None => drop(self.0.insert(image.name, image.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cone, white in the middle.
    fn cone(side: u32) -> StampImage {
        let middle = 0.5 * (side as f32 - 1.0);
        let value = |index: u32| {
            let [x, z] = [index % side, index / side].map(|at| at as f32 - middle);
            (65_535.0 * (1.0 - (x * x + z * z).sqrt() / middle).max(0.0)) as u16
        };
        StampImage::new([side; 2], &(0..side * side).map(value).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn brightness_is_smooth_and_filtered() {
        let image = cone(64);
        assert!(image.at([0.5, 0.5], 0.0) > 0.95);
        assert!((image.at([0.75, 0.5], 0.0) - 0.5).abs() < 0.01);
        assert_eq!([image.at([-3.0, 0.5], 0.0), image.at([0.5, 9.0], 0.0)], [0.0, 0.0]);
        // All of it in one sample: its mean, the volume of a cone over a square.
        assert!((image.at([0.5, 0.5], 4.0) - 0.262).abs() < 0.01, "{}", image.at([0.5, 0.5], 4.0));
        let along: Vec<f32> = (0..=4_000).map(|step| image.at([f64::from(step) / 4_000.0, 0.4], 0.0)).collect();
        assert!(along.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 1e-3));
        let scales: Vec<f32> = (0..=400).map(|step| image.at([0.6, 0.5], f64::from(step) / 200.0)).collect();
        assert!(scales.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.03));
    }

    #[test]
    fn colours_and_eight_bits_are_read_and_nonsense_is_refused() {
        let mut png = Vec::new();
        let mut encoder = Encoder::new(&mut png, 2, 2);
        encoder.set_color(ColorType::Rgba);
        encoder
            .write_header()
            .unwrap()
            .write_image_data(&[30, 60, 90, 0, 255, 255, 255, 9, 0, 0, 0, 7, 1, 2, 3, 4])
            .unwrap();
        let image = StampImage::from_png(&png).unwrap();
        assert_eq!(image.size(), [2, 2]);
        let pixels = image.pixels.as_ref().unwrap().levels[0].values.iter().map(|value| (255.0 * value).round());
        assert_eq!(pixels.collect::<Vec<_>>(), [60.0, 255.0, 0.0, 2.0]);
        for end in 0..png.len() - 12 {
            let message = StampImage::from_png(&png[..end]).unwrap_err().to_string();
            assert!(message.starts_with("image: found ") && message.ends_with("allowed is a PNG"), "{message}");
        }
        let message = |size, count| StampImage::new(size, &vec![0; count]).unwrap_err().to_string();
        assert_eq!(message([4, 4], 15), "image: found 15 pixels, allowed is 16 pixels");
        assert_eq!(message([1, 4], 4), "image: found 1 × 4 pixels, allowed is 2 to 2048 pixels wide and high");
    }
}
