//! A picture in memory.

use std::fs::File;
use std::io::{self, BufReader};
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use png::{ColorType, Decoder, Transformations};

/// Red, green and blue.
pub type Colour = [u8; 3];

/// A picture in memory. What a PNG says of transparency is left out: a window shows none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    pixels: Vec<Colour>,
}

impl Picture {
    /// Reads a PNG of any kind.
    pub fn read(path: &Path) -> Result<Self> {
        Self::decode(path).with_context(|| path.display().to_string())
    }

    /// A picture drawn by a function of column and row.
    #[cfg(test)]
    pub fn draw(width: usize, height: usize, colour: impl Fn(usize, usize) -> Colour) -> Self {
        let pixels = (0..width * height).map(|index| colour(index % width, index / width));
        Self { width, pixels: pixels.collect() }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.pixels.len().checked_div(self.width).unwrap_or(0)
    }

    /// The part of it in these columns.
    pub fn columns(&self, columns: Range<usize>) -> Self {
        let (first, end) = (columns.start.min(self.width), columns.end.min(self.width));
        let pixels = (0..self.height()).flat_map(|row| &self.row(row)[first..end]).copied();
        Self { width: end - first, pixels: pixels.collect() }
    }

    /// One row, from the top.
    pub fn row(&self, row: usize) -> &[Colour] {
        &self.pixels[row * self.width..(row + 1) * self.width]
    }

    /// Every pixel, row by row.
    pub fn pixels(&self) -> &[Colour] {
        &self.pixels
    }

    fn decode(path: &Path) -> io::Result<Self> {
        let mut decoder = Decoder::new(BufReader::new(File::open(path)?));
        decoder.set_transformations(Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let size = reader.output_buffer_size();
        let mut bytes = vec![0; size.ok_or_else(|| io::Error::other("the picture is too large"))?];
        let info = reader.next_frame(&mut bytes)?;
        let colour: fn(&[u8]) -> Colour = match info.color_type {
            ColorType::Rgb | ColorType::Rgba => |bytes| [bytes[0], bytes[1], bytes[2]],
            ColorType::Grayscale | ColorType::GrayscaleAlpha => |bytes| [bytes[0]; 3],
            ColorType::Indexed => return Err(io::Error::other("palette was not expanded")),
        };
        let samples = info.color_type.samples();
        let pixels = bytes[..info.buffer_size()].chunks_exact(samples);
        Ok(Self { width: info.width as usize, pixels: pixels.map(colour).collect() })
    }
}

/// How bright a colour looks, from 0 to 255.
pub fn brightness([red, green, blue]: Colour) -> f32 {
    0.2126 * f32::from(red) + 0.7152 * f32::from(green) + 0.0722 * f32::from(blue)
}
