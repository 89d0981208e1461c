//! The pictures of the README, compressed, and written anew only where they look otherwise.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bevy_noise_terrain::panel::PanelTab;
use bevy_noise_terrain::prelude::*;
use examples_common::{ASSETS, alike};
use image::RgbImage;
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

use crate::scenes::{SCENES, Scene};
use crate::stage::Stage;

/// Of 100.
const QUALITY: u8 = 88;

/// The page at the top of the README.
const HERO: &str = "valley";

const PAGES: [(&str, PanelTab); 6] = [
    ("world", PanelTab::World),
    ("noise", PanelTab::Noise),
    ("terrain", PanelTab::Terrain),
    ("map", PanelTab::Map),
    ("statistics", PanelTab::Statistics),
    ("export", PanelTab::Export),
];

/// Draws all, or the named ones: `hero`, `panel`, and the names of scenes.
pub fn draw(names: &[String]) -> ExitCode {
    match pictures(names) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn pictures(names: &[String]) -> Result<(), String> {
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let folder = PathBuf::from(ASSETS).join("pictures");
    let scene = |name| SCENES.iter().find(|scene| scene.name == name).ok_or(format!("there is no scene {name}"));
    if is_wanted("hero") {
        keep(&folder.join("hero.jpg"), &Stage::new(1920, 1080).draw(scene(HERO)?)?)?;
    }
    let scenes: Vec<&Scene> = SCENES.iter().filter(|scene| scene.name != HERO && is_wanted(scene.name)).collect();
    if !scenes.is_empty() {
        let mut stage = Stage::new(960, 540);
        for scene in scenes {
            keep(&folder.join("scenes").join(format!("{}.jpg", scene.name)), &stage.draw(scene)?)?;
        }
    }
    if is_wanted("panel") {
        let mut stage = Stage::with(1280, 720, |app| {
            app.add_plugins(TerrainPanelPlugin);
        });
        let alps = scene("alpine-dawn")?;
        for (name, tab) in PAGES {
            stage.world().resource_mut::<TerrainPanel>().tab = tab;
            keep(&folder.join(format!("panel-{name}.jpg")), &stage.draw(alps)?)?;
        }
    }
    Ok(())
}

/// Writes a picture, unless the one that is there looks the same.
fn keep(path: &Path, picture: &RgbImage) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    if read(path).is_some_and(|before| alike::difference(picture, &before).is_none()) {
        println!("{}: as before", path.display());
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    }
    let mut encoder = Encoder::new_file(path, QUALITY).map_err(|error| failed(&error))?;
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    encoder.set_progressive(true);
    let [width, height] = [picture.width(), picture.height()].map(|side| side as u16);
    encoder.encode(picture.as_raw(), width, height, ColorType::Rgb).map_err(|error| failed(&error))?;
    println!("{}", path.display());
    Ok(())
}

/// The picture that is there, if one is.
fn read(path: &Path) -> Option<RgbImage> {
    let bytes = std::fs::read(path).ok()?;
    let mut decoder = zune_jpeg::JpegDecoder::new(std::io::Cursor::new(bytes));
    let pixels = decoder.decode().ok()?;
    let (width, height) = decoder.dimensions()?;
    RgbImage::from_raw(width as u32, height as u32, pixels)
}
