//! The figures of a whole picture.

use std::collections::HashSet;
use std::fmt;

use super::image::Picture;
use super::tiles::{Tile, tiles};

/// The figures of a picture. Shares go from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// Share of the top that looks like sky.
    pub sky: f32,
    /// Share of the bottom that has the shades of lit ground.
    pub relief: f32,
    /// How many colours the bottom has, of 32 768 that are told apart.
    pub colours: usize,
    /// Share of the bottom that is one flat colour.
    pub flat: f32,
    /// Share of the bottom that is black.
    pub black: f32,
    /// Share of the bottom that has the colour of a failed material.
    pub magenta: f32,
}

impl Measures {
    /// Takes the figures. The top is the upper sixth of the picture, the bottom the lower two fifths;
    /// what lies between is horizon and may be either.
    pub fn of(picture: &Picture) -> Self {
        let height = picture.height();
        let top = tiles(picture, 0..height / 6);
        let first = height - height * 2 / 5;
        let bottom = tiles(picture, first..height);
        Self {
            sky: share(&top, Tile::is_sky),
            relief: share(&bottom, Tile::has_relief),
            colours: colours(picture, first),
            flat: share(&bottom, Tile::is_flat),
            black: share(&bottom, Tile::is_black),
            magenta: share(&bottom, Tile::is_magenta),
        }
    }
}

impl fmt::Display for Measures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sky, relief, colours, flat, black, magenta } = self;
        write!(
            formatter,
            "sky {:.1} %, relief {:.1} %, {colours} colours, flat {:.1} %, black {:.1} %, magenta {:.1} %",
            100.0 * sky,
            100.0 * relief,
            100.0 * flat,
            100.0 * black,
            100.0 * magenta,
        )
    }
}

/// The share of pixels that are visibly another colour in the other picture. Pictures of different
/// sizes differ everywhere.
pub fn difference(one: &Picture, other: &Picture) -> f32 {
    if one.width() != other.width() || one.height() != other.height() {
        return 1.0;
    }
    let pairs = one.pixels().iter().zip(other.pixels());
    let changed = pairs.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 12));
    changed.count() as f32 / one.pixels().len().max(1) as f32
}

/// How many colours there are from this row down, told apart by five bits a channel.
pub fn colours(picture: &Picture, first_row: usize) -> usize {
    let pixels = picture.pixels().iter().skip(first_row * picture.width());
    pixels.map(|colour| colour.map(|channel| channel >> 3)).collect::<HashSet<_>>().len()
}

fn share(tiles: &[Tile], is_such: impl Fn(&Tile) -> bool) -> f32 {
    let such = tiles.iter().filter(|tile| is_such(tile)).count();
    such as f32 / tiles.len().max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_is_a_share_of_the_pixels() {
        let grey = Picture::draw(10, 10, |_, _| [100; 3]);
        let half = Picture::draw(10, 10, |column, _| if column < 5 { [100; 3] } else { [200; 3] });
        assert_eq!(difference(&grey, &grey), 0.0);
        assert_eq!(difference(&grey, &half), 0.5);
    }

    #[test]
    fn other_sizes_are_other_pictures() {
        let small = Picture::draw(4, 4, |_, _| [100; 3]);
        let wide = Picture::draw(8, 2, |_, _| [100; 3]);
        assert_eq!(difference(&small, &wide), 1.0);
    }

    #[test]
    fn colours_are_counted_from_a_row_down() {
        let picture = Picture::draw(4, 4, |_, row| [64 * row as u8; 3]);
        assert_eq!(colours(&picture, 0), 4);
        assert_eq!(colours(&picture, 2), 2);
    }
}
