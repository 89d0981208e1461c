//! Compares the scenes of the README, drawn small, with approved reference pictures.
//!
//! After an intended visible change run `UPDATE_SCENES=1 cargo test --workspace --all-features --test scenes`, review
//! the changed pictures, and commit them with the change.

#![cfg(all(feature = "ground", feature = "scatter", feature = "water", feature = "sky", feature = "presets"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may stop at the first surprise")]

#[path = "../../../examples/scenes/scenes.rs"]
mod scenes;
#[path = "../../../examples/scenes/stage.rs"]
mod stage;

use std::path::PathBuf;

use image::RgbImage;

use examples_common::alike::difference;
use scenes::SCENES;
use stage::Stage;

const WIDTH: u32 = 320;
const HEIGHT: u32 = 180;
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
fn the_comparison_detects_relevant_differences() {
    let plain = RgbImage::from_fn(WIDTH, HEIGHT, |x, y| image::Rgb([(x % 200) as u8, (y % 200) as u8, 90]));
    assert_eq!(difference(&plain, &plain), None);
    // Noise of a driver passes; a missing mountain and darker light do not.
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
