//! Pictures compared as a glance does: by the mean colours of large squares.

use super::image::{Colour, Picture};

const COLUMNS: usize = 32;
const ROWS: usize = 18;
/// By how much squares may differ on average, of 255. Clouds drift while a picture is waited for.
const MEAN: f32 = 9.0;
/// By how much the land, the lower two thirds, may differ on average.
const LAND: f32 = 6.0;

/// The mean colours of a picture's squares, row by row.
pub struct Squares(Vec<[f32; 3]>);

impl Squares {
    /// Cuts a picture of any size into the same number of squares.
    pub fn of(picture: &Picture) -> Self {
        let (width, height) = (picture.width(), picture.height());
        let mean = |row: usize, column: usize| {
            let rows = row * height / ROWS..(row + 1) * height / ROWS;
            let columns = column * width / COLUMNS..(column + 1) * width / COLUMNS;
            let pixels = rows.flat_map(|row| &picture.row(row)[columns.clone()]);
            let (mut sum, mut count) = ([0.0f32; 3], 0.0f32);
            for colour in pixels {
                let colour: &Colour = colour;
                count += 1.0;
                for (sum, channel) in sum.iter_mut().zip(colour) {
                    *sum += f32::from(*channel);
                }
            }
            sum.map(|sum| sum / count.max(1.0))
        };
        Self((0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| mean(row, column))).collect())
    }

    /// What differs too much, in words; nothing if the pictures are alike.
    pub fn differences(&self, expected: &Self) -> Option<String> {
        let differences: Vec<f32> = self.0.iter().zip(&expected.0).map(|(a, b)| difference(*a, *b)).collect();
        let mean = |part: &[f32]| part.iter().sum::<f32>() / part.len().max(1) as f32;
        let (all, land) = (mean(&differences), mean(&differences[COLUMNS * ROWS / 3..]));
        (all > MEAN || land > LAND).then(|| {
            format!("squares differ by {all:.1} (at most {MEAN}), those of the land by {land:.1} (at most {LAND})")
        })
    }
}

fn difference(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|channel| (a[channel] - b[channel]).abs()).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::super::synthetic::{Scene, picture};
    use super::*;

    #[test]
    fn a_picture_is_like_itself_and_unlike_others() {
        let landscape = Squares::of(&picture(Scene::Landscape, 0));
        assert_eq!(landscape.differences(&landscape), None);
        for scene in [Scene::Peak, Scene::Hole, Scene::Black, Scene::Sky] {
            assert!(Squares::of(&picture(scene, 0)).differences(&landscape).is_some(), "{scene:?}");
        }
    }

    #[test]
    fn size_does_not_matter() {
        let colour = |x: usize, y: usize| [(x * 200) as u8, (y * 200) as u8, 90];
        let small = Picture::draw(64, 36, |column, row| colour(column / 32, row / 18));
        let large = Picture::draw(1280, 720, |column, row| colour(column / 640, row / 360));
        assert_eq!(Squares::of(&small).differences(&Squares::of(&large)), None);
    }
}
