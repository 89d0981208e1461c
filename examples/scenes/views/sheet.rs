//! Pictures side by side.

use image::RgbImage;
use image::imageops::{FilterType, replace, resize};

/// Pixels between pictures.
const GAP: u32 = 4;

/// A sheet of pictures, row by row, each scaled to a size.
pub fn sheet(pictures: &[RgbImage], columns: u32, [width, height]: [u32; 2]) -> RgbImage {
    let columns = columns.min(pictures.len() as u32).max(1);
    let rows = (pictures.len() as u32).div_ceil(columns).max(1);
    let mut sheet = RgbImage::new(columns * (width + GAP) - GAP, rows * (height + GAP) - GAP);
    for (index, picture) in (0..).zip(pictures) {
        let picture = match picture.dimensions() == (width, height) {
            true => picture.clone(),
            false => resize(picture, width, height, FilterType::Triangle),
        };
        let [x, y] = [index % columns * (width + GAP), index / columns * (height + GAP)];
        replace(&mut sheet, &picture, x.into(), y.into());
    }
    sheet
}
