//! How varied a picture is: a measure beside the eye, which finds stains and even sand.

use image::RgbImage;

/// Pixels along a side of the squares that an even patch is made of.
const SQUARE: u32 = 8;
/// Squares whose brightness varies by less are even, in 1/255.
const EVEN: f32 = 2.5;
/// Even squares side by side belong together if no channel differs by more.
const ALIKE: f32 = 3.0;
/// From each scale of contrast to the next.
const COARSER: usize = 3;
/// Steps of brightness and of both colour differences that count as one colour.
const STEPS: [f32; 3] = [24.0, 8.0, 8.0];

/// What is known of the pixels that count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Variety {
    /// The share of all pixels that count.
    pub share: f32,
    /// The largest even patch, as a share of the squares that count.
    pub even: f32,
    /// Root mean square of brightness against its surroundings, in 1/255: among pixels, and among squares of 3, 9, 27 and 81
    /// pixels.
    pub contrast: [f32; 5],
    /// The number of colours, each counted by how much of the picture it fills (the exponential of Shannon's entropy).
    pub colours: f32,
}

/// Measures the pixels of a picture that count, as land does and sky does not.
pub fn variety(picture: &RgbImage, counts: impl Fn(u32, u32) -> bool) -> Variety {
    let (width, height) = picture.dimensions();
    let mask: Vec<bool> =
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| counts(x, y)).collect();
    let counted = mask.iter().filter(|counts| **counts).count();
    if counted == 0 {
        return Variety::default();
    }
    Variety {
        share: counted as f32 / mask.len() as f32,
        even: largest_even_patch(picture, &mask),
        contrast: contrast(picture, &mask),
        colours: colours(picture, &mask),
    }
}

/// Brightness and two differences of colour, each up to 255.
fn opponent([red, green, blue]: [u8; 3]) -> [f32; 3] {
    let [red, green, blue] = [red, green, blue].map(f32::from);
    [0.299 * red + 0.587 * green + 0.114 * blue, red - green, 0.5 * (red + green) - blue]
}

fn largest_even_patch(picture: &RgbImage, mask: &[bool]) -> f32 {
    let (columns, rows) = (picture.width() / SQUARE, picture.height() / SQUARE);
    let mean = |square: u32| {
        let (left, top) = (square % columns * SQUARE, square / columns * SQUARE);
        let pixels = || (top..top + SQUARE).flat_map(|y| (left..left + SQUARE).map(move |x| (x, y)));
        if pixels().any(|(x, y)| !mask[(y * picture.width() + x) as usize]) {
            return None;
        }
        let count = (SQUARE * SQUARE) as f32;
        let (mut sum, mut bright, mut square) = ([0.0; 3], 0.0, 0.0);
        for (x, y) in pixels() {
            let pixel = picture.get_pixel(x, y).0;
            let [brightness, ..] = opponent(pixel);
            bright += brightness;
            square += brightness * brightness;
            sum.iter_mut().zip(pixel).for_each(|(sum, byte)| *sum += f32::from(byte));
        }
        let deviation = (square / count - (bright / count).powi(2)).max(0.0).sqrt();
        Some((sum.map(|sum| sum / count), deviation < EVEN))
    };
    let squares: Vec<_> = (0..columns * rows).map(mean).collect();
    let mut is_open: Vec<bool> = squares.iter().map(|square| matches!(square, Some((_, true)))).collect();
    let counted = squares.iter().flatten().count();
    let mut largest = 0;
    for first in 0..squares.len() {
        let mut stack = if std::mem::take(&mut is_open[first]) { vec![first] } else { continue };
        let mut size = 0;
        while let Some(at) = stack.pop() {
            size += 1;
            let (column, row) = (at as u32 % columns, at as u32 / columns);
            let beside = [(column > 0, at.wrapping_sub(1)), (column + 1 < columns, at + 1)];
            let above = [(row > 0, at.wrapping_sub(columns as usize)), (row + 1 < rows, at + columns as usize)];
            for (_, next) in beside.into_iter().chain(above).filter(|(is_inside, _)| *is_inside) {
                let (Some((here, _)), Some((there, _))) = (squares[at], squares[next]) else { continue };
                let is_alike = (0..3).all(|channel| (here[channel] - there[channel]).abs() <= ALIKE);
                if is_alike && std::mem::take(&mut is_open[next]) {
                    stack.push(next);
                }
            }
        }
        largest = largest.max(size);
    }
    largest as f32 / counted.max(1) as f32
}

/// A picture's brightness at some scale; squares without a pixel that counts have no weight.
struct Scale {
    size: [usize; 2],
    /// Brightness and weight.
    squares: Vec<[f32; 2]>,
}

impl Scale {
    fn coarser(&self) -> Self {
        let size = self.size.map(|side| side.div_ceil(COARSER));
        let mut squares = vec![[0.0; 2]; size[0] * size[1]];
        for (index, [brightness, weight]) in self.squares.iter().enumerate() {
            let (x, y) = (index % self.size[0], index / self.size[0]);
            let sum = &mut squares[y / COARSER * size[0] + x / COARSER];
            *sum = [sum[0] + brightness * weight, sum[1] + weight];
        }
        for [brightness, weight] in &mut squares {
            *brightness /= weight.max(1.0);
        }
        Self { size, squares }
    }

    /// Root mean square of the differences to a coarser scale.
    fn against(&self, coarser: &Self) -> f32 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (index, [brightness, weight]) in self.squares.iter().enumerate() {
            let (x, y) = (index % self.size[0] / COARSER, index / self.size[0] / COARSER);
            let [around, _] = coarser.squares[y * coarser.size[0] + x];
            sum += f64::from(weight * (brightness - around).powi(2));
            weights += f64::from(*weight);
        }
        (sum / weights.max(1.0)).sqrt() as f32
    }
}

fn contrast(picture: &RgbImage, mask: &[bool]) -> [f32; 5] {
    let pixels = picture.pixels().zip(mask).map(|(pixel, counts)| [opponent(pixel.0)[0], f32::from(u8::from(*counts))]);
    let size = [picture.width() as usize, picture.height() as usize];
    let mut scale = Scale { size, squares: pixels.collect() };
    std::array::from_fn(|_| {
        let coarser = scale.coarser();
        let contrast = scale.against(&coarser);
        scale = coarser;
        contrast
    })
}

fn colours(picture: &RgbImage, mask: &[bool]) -> f32 {
    let mut found = std::collections::HashMap::<[i32; 3], u32>::new();
    for (pixel, _) in picture.pixels().zip(mask).filter(|(_, counts)| **counts) {
        let parts = opponent(pixel.0);
        let colour = [0, 1, 2].map(|part| (parts[part] / STEPS[part]).floor() as i32);
        *found.entry(colour).or_default() += 1;
    }
    let total = found.values().sum::<u32>() as f32;
    let entropy: f32 = found.values().map(|&count| count as f32 / total).map(|share| -share * share.ln()).sum();
    entropy.exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    #[test]
    fn an_even_picture_is_one_patch_of_one_colour() {
        let grey = RgbImage::from_pixel(320, 160, Rgb([90, 110, 60]));
        let found = variety(&grey, |_, y| y >= 80);
        assert_eq!((found.share, found.even, found.colours), (0.5, 1.0, 1.0));
        assert!(found.contrast.iter().all(|contrast| *contrast < 1e-3), "{:?}", found.contrast);
        assert_eq!(variety(&grey, |_, _| false), Variety::default());
    }

    #[test]
    fn contrast_is_found_at_its_scale() {
        for (scale, wide) in [1, 3, 9, 27].into_iter().enumerate() {
            let stripes = RgbImage::from_fn(324, 162, |x, _| Rgb([if x / wide % 2 == 0 { 80 } else { 120 }; 3]));
            let found = variety(&stripes, |_, _| true).contrast;
            let strongest = (0..5).max_by(|&a, &b| found[a].total_cmp(&found[b])).unwrap();
            assert_eq!(strongest, scale, "{found:?}");
            assert!(found[scale] > 15.0 && found[..scale].iter().all(|&finer| finer < 1e-3), "{found:?}");
        }
    }

    #[test]
    fn patches_end_where_colours_do() {
        // A ramp too gentle to be seen from square to square is one patch; a step is not crossed; noise is no patch.
        let ramp = RgbImage::from_fn(320, 160, |x, _| Rgb([(60 + x / 8) as u8; 3]));
        assert_eq!(variety(&ramp, |_, _| true).even, 1.0);
        let step = RgbImage::from_fn(320, 160, |x, _| Rgb([if x < 240 { 60 } else { 90 }; 3]));
        assert_eq!(variety(&step, |_, _| true).even, 0.75);
        let noise = RgbImage::from_fn(320, 160, |x, y| Rgb([(60 + (x * 7 + y * 13) % 17) as u8; 3]));
        assert_eq!(variety(&noise, |_, _| true).even, 0.0);
    }

    #[test]
    fn colours_are_counted_by_their_share() {
        let half = RgbImage::from_fn(64, 64, |x, _| Rgb(if x < 32 { [200, 60, 60] } else { [60, 60, 200] }));
        assert!((variety(&half, |_, _| true).colours - 2.0).abs() < 1e-3);
        let rare = RgbImage::from_fn(64, 64, |x, _| Rgb(if x < 63 { [200, 60, 60] } else { [60, 60, 200] }));
        assert!(variety(&rare, |_, _| true).colours < 1.1);
    }
}
