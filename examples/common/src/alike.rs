//! Are two pictures alike, though single pixels may differ from driver to driver?

use image::RgbImage;

/// Pictures are compared in squares of so many pixels.
const SQUARE: u32 = 8;
/// By how much squares may differ on average, in 1/255.
const MEAN_TOLERANCE: f32 = 3.0;
/// By how much all but a few may differ.
const MOST_TOLERANCE: f32 = 16.0;
/// The share of squares that may differ more.
const OUTLIERS: f32 = 0.02;

/// The mean colour of every square.
fn squares(picture: &RgbImage) -> Vec<[f32; 3]> {
    let (width, height) = picture.dimensions();
    let mean = |left: u32, top: u32| {
        let (right, bottom) = ((left + SQUARE).min(width), (top + SQUARE).min(height));
        let mut sum = [0.0; 3];
        for y in top..bottom {
            for x in left..right {
                for (sum, byte) in sum.iter_mut().zip(picture.get_pixel(x, y).0) {
                    *sum += f32::from(byte);
                }
            }
        }
        sum.map(|sum| sum / ((right - left) * (bottom - top)) as f32)
    };
    (0..height)
        .step_by(SQUARE as usize)
        .flat_map(|top| (0..width).step_by(SQUARE as usize).map(move |left| mean(left, top)))
        .collect()
}

/// What differs too much, in words; nothing if the pictures are alike.
pub fn difference(found: &RgbImage, expected: &RgbImage) -> Option<String> {
    if found.dimensions() != expected.dimensions() {
        return Some(format!("one is {:?} pixels large, the other {:?}", found.dimensions(), expected.dimensions()));
    }
    let mut differences: Vec<f32> = squares(found)
        .iter()
        .zip(squares(expected))
        .map(|(a, b)| (0..3).map(|channel| (a[channel] - b[channel]).abs()).fold(0.0, f32::max))
        .collect();
    differences.sort_unstable_by(f32::total_cmp);
    let mean = differences.iter().sum::<f32>() / differences.len() as f32;
    let most = differences[((1.0 - OUTLIERS) * differences.len() as f32) as usize];
    (mean > MEAN_TOLERANCE || most > MOST_TOLERANCE)
        .then(|| format!("squares differ by {mean:.1} on average (at most {MEAN_TOLERANCE}), the worst {OUTLIERS} by {most:.1} (at most {MOST_TOLERANCE})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_comparison_detects_relevant_differences() {
        let plain = RgbImage::from_fn(320, 180, |x, y| image::Rgb([(x % 200) as u8, (y % 200) as u8, 90]));
        assert_eq!(difference(&plain, &plain), None);
        // Noise of a driver passes; a missing mountain and darker light do not.
        let noisy = RgbImage::from_fn(320, 180, |x, y| {
            let pixel = plain.get_pixel(x, y).0;
            image::Rgb([pixel[0].saturating_add(((x * 7 + y * 13) % 5) as u8), pixel[1], pixel[2]])
        });
        assert_eq!(difference(&noisy, &plain), None);
        let mut gone = plain.clone();
        for (x, y) in (100..180).flat_map(|x| (60..110).map(move |y| (x, y))) {
            gone.put_pixel(x, y, image::Rgb([200, 210, 230]));
        }
        assert!(difference(&gone, &plain).is_some());
        let darker = RgbImage::from_fn(320, 180, |x, y| {
            image::Rgb(plain.get_pixel(x, y).0.map(|byte| (f32::from(byte) * 0.85) as u8))
        });
        assert!(difference(&darker, &plain).is_some());
    }
}
