//! Land does not shimmer: when the camera turns by a fraction of a pixel, pictures change little more than ideally
//! filtered ones.
//!
//! Those are drawn four times as wide and high and scaled down, so that each pixel is the mean of what it covers.

use image::RgbImage;

use crate::scenes::{SCENES, Scene};
use crate::stage::Stage;

/// A scene with snow and rock, near and far, in full light. Its conifers are left out: thousands of silhouettes a few
/// pixels high are for a camera's antialiasing, not for the land's filters.
const SCENE: &str = "alpine-dawn";
const HOUR: f32 = 10.0;
const WIDTH: u32 = 160;
const HEIGHT: u32 = 90;
/// Scale of the larger pictures.
const SHARPER: u32 = 4;
/// Number of pictures of a turn.
const PICTURES: u32 = 2;
/// Rotation between two pictures, in pixels.
const STEP: f32 = 0.3;
/// Vertical field of view in degrees; must match `examples_common::camera::lens`.
const FIELD: f32 = 60.0;
/// Permitted change relative to the ideal. Greater than 1, as silhouettes are not smoothed.
const TOLERANCE: f32 = 1.5;

/// Linear light of each pixel of `WIDTH` by `HEIGHT`.
fn means(picture: &RgbImage) -> Vec<[f32; 3]> {
    let side = picture.width() / WIDTH;
    let linear = |byte: u8| (f32::from(byte) / 255.0).powf(2.2);
    let mean = |index: u32| {
        let (left, top) = (index % WIDTH * side, index / WIDTH * side);
        let texels = (0..side * side).map(|i| picture.get_pixel(left + i % side, top + i / side).0.map(linear));
        let sum = texels.fold([0.0; 3], |sum: [f32; 3], texel| std::array::from_fn(|c| sum[c] + texel[c]));
        sum.map(|sum| sum / (side * side) as f32)
    };
    (0..WIDTH * HEIGHT).map(mean).collect()
}

/// Mean change between consecutive pictures, in 1/255 of the display range.
fn change(pictures: &[RgbImage]) -> f32 {
    let shown = |linear: f32| 255.0 * linear.powf(1.0 / 2.2);
    let pictures: Vec<_> = pictures.iter().map(means).collect();
    let steps = pictures.windows(2).flat_map(|pair| pair[0].iter().zip(&pair[1]));
    let changes = steps.flat_map(|(a, b)| (0..3).map(|c| (shown(a[c]) - shown(b[c])).abs()));
    let (sum, count) = changes.fold((0.0, 0), |(sum, count), change| (sum + change, count + 1));
    sum / count as f32
}

/// Pictures of a turn in steps of a fraction of a small picture's pixel.
fn turn(stage: &mut Stage, scene: &Scene) -> Vec<RgbImage> {
    let pixel = (2.0 * (0.5 * FIELD).to_radians().tan() / HEIGHT as f32).to_degrees();
    let headings = (0..PICTURES).map(|index| scene.heading + index as f32 * STEP * pixel);
    stage.turn(scene, &headings.collect::<Vec<_>>()).unwrap()
}

#[test]
fn a_turning_camera_sees_no_shimmer() {
    let scene = SCENES.iter().find(|scene| scene.name == SCENE).unwrap();
    let scene = Scene { time: HOUR, ..*scene };
    let mut stage = Stage::new(WIDTH, HEIGHT);
    stage.set_plants(false);
    let small = change(&turn(&mut stage, &scene));
    stage.resize(WIDTH * SHARPER, HEIGHT * SHARPER);
    let large = change(&turn(&mut stage, &scene));
    println!("pictures change by {small:.2}, ideal ones by {large:.2}");
    assert!(large > 1.0, "the camera did not turn");
    assert!(small < TOLERANCE * large, "pictures change by {small:.2}, ideal ones by {large:.2}");
}
