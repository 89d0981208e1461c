//! Pictures to test with.

use super::image::{Colour, Picture};

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    Landscape,
    Peak,
    UpsideDown,
    Noise,
    NoiseBelow,
    Sky,
    FlatBlue,
    Black,
    FlatGround,
    Hole,
    BlackGround,
    Magenta,
}

const WIDTH: usize = 320;
const HEIGHT: usize = 180;

/// Draws a scene; the camera stands further on with every frame.
pub fn picture(scene: Scene, frame: usize) -> Picture {
    Picture::draw(WIDTH, HEIGHT, |column, row| {
        let horizon = match scene {
            Scene::Peak => HEIGHT / 3 - (70_usize.saturating_sub(column.abs_diff(160))).min(58),
            _ => HEIGHT / 3,
        };
        let below = row >= horizon;
        match scene {
            Scene::Landscape | Scene::Peak if below => ground(column + 7 * frame, row),
            Scene::UpsideDown if row < HEIGHT * 2 / 3 => ground(column, HEIGHT - row),
            Scene::Noise => noise(column, row),
            Scene::NoiseBelow if below => noise(column, row),
            Scene::FlatBlue => [110, 160, 220],
            Scene::Black => [0, 0, 0],
            Scene::FlatGround if below => [90, 100, 70],
            Scene::Hole if below && column.abs_diff(160) < 40 && row > 120 => [150, 190, 230],
            Scene::BlackGround if below && column < 100 => [0, 0, 0],
            Scene::Magenta if below && column < 60 => [255, 0, 255],
            Scene::Hole | Scene::BlackGround | Scene::Magenta if below => ground(column, row),
            _ => sky(row),
        }
    })
}

fn sky(row: usize) -> Colour {
    let pale = (row / 3) as u8;
    [120 + pale, 160 + pale, 215]
}

/// Hills in soft light, greener below and greyer above.
fn ground(column: usize, row: usize) -> Colour {
    let (x, y) = (column as f32, row as f32);
    let hills = (x / 19.0 + (y / 13.0).sin()).sin() + 0.4 * (x / 5.0 - y / 7.0).sin();
    let light = 95.0 + 40.0 * hills;
    let grey = 1.0 - y / HEIGHT as f32;
    let tint = |low: f32, high: f32| (light * (low + (high - low) * grey)).clamp(0.0, 255.0) as u8;
    [tint(0.7, 1.1), tint(1.1, 1.05), tint(0.5, 1.0)]
}

fn noise(column: usize, row: usize) -> Colour {
    let hash = |salt: u32| {
        let mut bits = (column as u32) ^ (row as u32).rotate_left(16) ^ salt.rotate_left(8);
        for _ in 0..3 {
            bits = (bits ^ (bits >> 15)).wrapping_mul(0x2c1b_3c6d);
        }
        (bits >> 24) as u8
    };
    [hash(1), hash(2), hash(3)]
}
