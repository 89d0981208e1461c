//! Pictures for the guide in the plugin's documentation: those of the README, made small, as Markdown that
//! follows a page.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use examples_common::ASSETS;
use image::imageops::{FilterType, resize};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

use crate::readme;

/// Names of the pictures in the guide, what they show, and their files below `assets/pictures`.
const PICTURES: [(&str, &str, &str); 9] = [
    ("hero", "A valley among mountains", "hero.jpg"),
    ("panel", "The panel and its tree of noises", "panel-noise.jpg"),
    ("straight_down", "Badlands, straight down", "scenes/straight-down.jpg"),
    ("islands", "Islands", "scenes/islands.jpg"),
    ("meadow", "A meadow from 2 m", "scenes/meadow.jpg"),
    ("alpine_dawn", "Alpine dawn", "scenes/alpine-dawn.jpg"),
    ("from_above", "A coast from 5 km", "scenes/from-above.jpg"),
    ("alien", "Another planet", "scenes/alien.jpg"),
    ("from_a_cave", "Out of a cave", "scenes/from-a-cave.jpg"),
];

/// Where they lie, beside the pages.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/bevy_noise_terrain/src/guide/pictures");
/// Width and height in pixels: documentation has a column of some 750.
const SIZE: [u32; 2] = [720, 405];
/// Of 100. They are part of the published crate.
const QUALITY: u8 = 74;

/// Writes all.
pub fn write() -> ExitCode {
    match PICTURES
        .iter()
        .try_for_each(|(name, shows, file)| fragment(name, shows, &Path::new(ASSETS).join("pictures").join(file)))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn fragment(name: &str, shows: &str, file: &Path) -> Result<(), String> {
    let picture = readme::read(file).ok_or(format!("{}: no picture", file.display()))?;
    let [width, height] = SIZE;
    let small = resize(&picture, width, height, FilterType::Lanczos3);
    let mut jpeg = Vec::new();
    let mut encoder = Encoder::new(&mut jpeg, QUALITY);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    encoder.set_progressive(true);
    let encoded = encoder.encode(small.as_raw(), width as u16, height as u16, ColorType::Rgb);
    encoded.map_err(|error| format!("{name}: {error}"))?;
    let path = Path::new(FOLDER).join(format!("{name}.md"));
    // An empty line before it: it follows a page.
    let text = format!("\n![{shows}](data:image/jpeg;base64,{})\n", base64(&jpeg));
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{}: {} kB", path.display(), jpeg.len() / 1000);
    Ok(())
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let all = (0..3).fold(0, |all, i| all << 8 | u32::from(*three.get(i).unwrap_or(&0)));
        for i in 0..4 {
            let letter = LETTERS[(all >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= three.len() { letter.into() } else { '=' });
        }
    }
    text
}
