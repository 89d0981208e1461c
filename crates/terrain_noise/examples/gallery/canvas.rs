//! Pixels, labels and PNG files.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use font8x8::{BASIC_FONTS, UnicodeFonts};

#[derive(Clone)]
pub struct Canvas {
    pub width: usize,
    pub height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![[18; 3]; width * height] }
    }

    /// Asks for the colour of every pixel, 0 to 1.
    pub fn paint(width: usize, height: usize, mut colour: impl FnMut(usize, usize) -> [f32; 3]) -> Self {
        let mut canvas = Self::new(width, height);
        for y in 0..height {
            for x in 0..width {
                canvas.set(x, y, colour(x, y));
            }
        }
        canvas
    }

    pub fn set(&mut self, x: usize, y: usize, colour: [f32; 3]) {
        self.pixels[y * self.width + x] = colour.map(|c| (c.clamp(0.0, 1.0) * 255.0 + 0.5) as u8);
    }

    pub fn text(&mut self, text: &str, x: usize, y: usize, size: usize) {
        for (i, letter) in text.chars().enumerate() {
            let rows = BASIC_FONTS.get(letter).unwrap_or([0; 8]);
            for (row, bits) in rows.iter().enumerate() {
                for column in (0..8).filter(|column| bits >> column & 1 == 1) {
                    for (dx, dy) in (0..size).flat_map(|dx| (0..size).map(move |dy| (dx, dy))) {
                        let (px, py) = (x + (i * 8 + column) * size + dx, y + row * size + dy);
                        if px < self.width && py < self.height {
                            self.pixels[py * self.width + px] = [255; 3];
                        }
                    }
                }
            }
        }
    }

    /// A dark bar at the bottom with a title.
    pub fn label(&mut self, title: &str) {
        let bar = 20;
        for y in self.height - bar..self.height {
            for x in 0..self.width {
                self.pixels[y * self.width + x] = [18; 3];
            }
        }
        self.text(title, 6, self.height - bar + 6, 1);
    }

    pub fn halved(&self) -> Self {
        Self::paint(self.width / 2, self.height / 2, |x, y| {
            let pixel = |dx: usize, dy: usize| self.pixels[(2 * y + dy) * self.width + 2 * x + dx];
            std::array::from_fn(|c| {
                let sum: u32 =
                    [pixel(0, 0), pixel(1, 0), pixel(0, 1), pixel(1, 1)].iter().map(|p| u32::from(p[c])).sum();
                sum as f32 / 4.0 / 255.0
            })
        })
    }

    pub fn paste(&mut self, other: &Self, x: usize, y: usize) {
        for row in 0..other.height {
            let from = row * other.width;
            let to = (y + row) * self.width + x;
            self.pixels[to..to + other.width].copy_from_slice(&other.pixels[from..from + other.width]);
        }
    }

    pub fn save(&self, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        encoder.write_header()?.write_image_data(self.pixels.as_flattened())?;
        Ok(())
    }

    /// A small file: brightness in 32 steps.
    pub fn grey_png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let step = |[r, g, b]: &[u8; 3]| {
            let brightness = 0.3 * f32::from(*r) + 0.59 * f32::from(*g) + 0.11 * f32::from(*b);
            8 * ((brightness / 8.0) as u8).min(31) + 4
        };
        let steps: Vec<u8> = self.pixels.iter().map(step).collect();
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::NoFilter);
        encoder.write_header()?.write_image_data(&steps)?;
        Ok(file)
    }
}
