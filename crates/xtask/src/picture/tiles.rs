//! What is in a small square of a picture.

use std::ops::Range;

use super::image::{Colour, Picture, brightness};

/// The edge of a tile in pixels.
const EDGE: usize = 8;

/// A square of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tile {
    /// Mean red, green and blue.
    pub mean: [f32; 3],
    /// Mean brightness.
    pub brightness: f32,
    /// Mean difference in brightness from one pixel to the next, across and down.
    pub contrast: f32,
    /// The largest difference within one channel.
    pub spread: u8,
}

impl Tile {
    /// Bright, bluish or grey, and smooth.
    pub fn is_sky(&self) -> bool {
        let [red, green, blue] = self.mean;
        let bluish_or_grey = blue >= red - 10.0 && green <= red.max(blue) + 10.0;
        self.brightness >= 80.0 && bluish_or_grey && self.contrast <= 3.0 && self.spread <= 48
    }

    /// Has it the shades of lit ground? Too much contrast is noise, too little is nothing.
    pub fn has_relief(&self) -> bool {
        (0.4..=30.0).contains(&self.contrast)
    }

    /// One colour and nothing else: a hole through which the background shows.
    pub fn is_flat(&self) -> bool {
        self.spread <= 1
    }

    /// Nothing was drawn, or nothing was lit.
    pub fn is_black(&self) -> bool {
        self.brightness <= 4.0
    }

    /// The colour of a material that failed.
    pub fn is_magenta(&self) -> bool {
        let [red, green, blue] = self.mean;
        red >= 180.0 && blue >= 180.0 && green <= 80.0
    }

    fn of(picture: &Picture, columns: Range<usize>, rows: Range<usize>) -> Self {
        let mut low = [u8::MAX; 3];
        let mut high = [0; 3];
        let mut sum = [0.0; 3];
        let mut light = 0.0;
        let mut differences = 0.0;
        let mut pairs = 0.0_f32;
        let count = (columns.len() * rows.len()) as f32;
        for row in rows.clone() {
            for column in columns.clone() {
                let colour: Colour = picture.row(row)[column];
                for channel in 0..3 {
                    low[channel] = low[channel].min(colour[channel]);
                    high[channel] = high[channel].max(colour[channel]);
                    sum[channel] += f32::from(colour[channel]);
                }
                let here = brightness(colour);
                light += here;
                if column + 1 < columns.end {
                    differences += (brightness(picture.row(row)[column + 1]) - here).abs();
                    pairs += 1.0;
                }
                if row + 1 < rows.end {
                    differences += (brightness(picture.row(row + 1)[column]) - here).abs();
                    pairs += 1.0;
                }
            }
        }
        let spreads = [0, 1, 2].map(|channel: usize| high[channel].saturating_sub(low[channel]));
        Self {
            mean: sum.map(|channel: f32| channel / count),
            brightness: light / count,
            contrast: differences / pairs.max(1.0),
            spread: spreads.into_iter().max().unwrap_or(0),
        }
    }
}

/// The tiles of these rows. What does not fill a tile at the right and at the bottom is left out.
pub fn tiles(picture: &Picture, rows: Range<usize>) -> Vec<Tile> {
    let tops = rows.clone().step_by(EDGE).filter(|top| top + EDGE <= rows.end);
    let lefts = || (0..picture.width()).step_by(EDGE).filter(|left| left + EDGE <= picture.width());
    tops.flat_map(|top| lefts().map(move |left| (left, top)))
        .map(|(left, top)| Tile::of(picture, left..left + EDGE, top..top + EDGE))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_the_rows_once() {
        let picture = Picture::draw(20, 40, |_, _| [9, 9, 9]);
        assert_eq!(tiles(&picture, 0..40).len(), 2 * 5);
        assert_eq!(tiles(&picture, 8..31).len(), 2 * 2);
    }

    #[test]
    fn a_ramp_has_the_contrast_of_its_steps() {
        let picture = Picture::draw(8, 8, |column, _| [10 * column as u8; 3]);
        let tile = tiles(&picture, 0..8)[0];
        // Half of the pairs lie across the ramp, half along it.
        assert!((tile.contrast - 5.0).abs() < 0.01, "{tile:?}");
        assert_eq!(tile.spread, 70);
    }
}
