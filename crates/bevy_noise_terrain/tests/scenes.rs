//! The scenes of the README, drawn small, against pictures that were looked at and found good.
//!
//! After a change that is meant to be seen: `UPDATE_SCENES=1 cargo test --workspace --all-features --test scenes`, look
//! at what `git diff` shows, and commit it with the change.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may stop at the first surprise")]

#[path = "../../../examples/common/light.rs"]
mod light;
#[path = "../../../examples/common/offscreen.rs"]
mod offscreen;
#[path = "../../../examples/scenes/scenes.rs"]
mod scenes;
#[path = "../../../examples/scenes/stage.rs"]
mod stage;

use std::path::PathBuf;

use image::RgbImage;

use scenes::SCENES;
use stage::Stage;

const WIDTH: u32 = 320;
const HEIGHT: u32 = 180;
/// Pictures are compared in squares of so many pixels: single ones may differ from driver to driver.
const SQUARE: u32 = 8;
/// By how much squares may differ on average, in 1/255.
const MEAN_TOLERANCE: f32 = 3.0;
/// By how much all but a few may differ.
const MOST_TOLERANCE: f32 = 16.0;
/// The share of squares that may differ more.
const OUTLIERS: f32 = 0.02;

/// The mean colour of every square.
fn squares(picture: &RgbImage) -> Vec<[f32; 3]> {
    let mean = |left: u32, top: u32| {
        let mut sum = [0.0; 3];
        for y in top..(top + SQUARE).min(HEIGHT) {
            for x in left..left + SQUARE {
                for (sum, byte) in sum.iter_mut().zip(picture.get_pixel(x, y).0) {
                    *sum += f32::from(byte);
                }
            }
        }
        sum.map(|sum| sum / (SQUARE * (HEIGHT - top).min(SQUARE)) as f32)
    };
    (0..HEIGHT)
        .step_by(SQUARE as usize)
        .flat_map(|top| (0..WIDTH).step_by(SQUARE as usize).map(move |left| mean(left, top)))
        .collect()
}

/// What differs too much, in words; nothing if the pictures are alike.
fn difference(found: &RgbImage, expected: &RgbImage) -> Option<String> {
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

fn reference(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenes")).join(format!("{name}.png"))
}

#[test]
fn every_scene_looks_as_it_did() {
    let update = std::env::var_os("UPDATE_SCENES").is_some();
    let mut stage = Stage::new(WIDTH, HEIGHT);
    let mut complaints = Vec::new();
    for scene in &SCENES {
        let picture = stage.draw(scene).unwrap();
        let path = reference(scene.name);
        if update {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            picture.save(&path).unwrap();
            continue;
        }
        let expected = image::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).to_rgb8();
        if let Some(words) = difference(&picture, &expected) {
            let file = std::env::temp_dir().join(format!("scene-{}.png", scene.name));
            picture.save(&file).unwrap();
            complaints.push(format!("{}: {words}; see {} and {}", scene.name, file.display(), path.display()));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_comparison_sees_what_it_should() {
    let plain = RgbImage::from_fn(WIDTH, HEIGHT, |x, y| image::Rgb([(x % 200) as u8, (y % 200) as u8, 90]));
    assert_eq!(difference(&plain, &plain), None);
    // Noise of a driver passes; a missing mountain, a darker hour and a shifted eye do not.
    let noisy = RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
        let pixel = plain.get_pixel(x, y).0;
        image::Rgb([pixel[0].saturating_add(((x * 7 + y * 13) % 5) as u8), pixel[1], pixel[2]])
    });
    assert_eq!(difference(&noisy, &plain), None);
    let mut gone = plain.clone();
    for (x, y) in (100..180).flat_map(|x| (60..110).map(move |y| (x, y))) {
        gone.put_pixel(x, y, image::Rgb([200, 210, 230]));
    }
    assert!(difference(&gone, &plain).is_some());
    let darker = RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
        image::Rgb(plain.get_pixel(x, y).0.map(|byte| (f32::from(byte) * 0.85) as u8))
    });
    assert!(difference(&darker, &plain).is_some());
}
