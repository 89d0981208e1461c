//! The pictures of the README, compressed, and written anew only where they look otherwise.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bevy::prelude::*;
use bevy_egui::PrimaryEguiContext;
use bevy_egui::egui::{Event, Key, PointerButton, Pos2, pos2};
use bevy_egui::input::EguiInputEvent;
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

const PAGES: [(&str, PanelTab); 7] = [
    ("world", PanelTab::World),
    ("noise", PanelTab::Noise),
    ("terrain", PanelTab::Terrain),
    ("sculpt", PanelTab::Sculpt),
    ("map", PanelTab::Map),
    ("statistics", PanelTab::Statistics),
    ("export", PanelTab::Export),
];

/// Where the pointer is on the land of the page *Sculpt*, and how often its brush is made larger.
const ON_LAND: Pos2 = pos2(820.0, 560.0);
const SIZE: usize = 28;
/// Frames until all that the panel draws on the land is seen: Bevy draws gizmos a frame late.
const LATE: u32 = 3;

/// Draws all, or the named ones: `hero`, `panel`, one of its pages such as `panel-map`, and the names of scenes.
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
    let pages: Vec<(String, PanelTab)> = PAGES.iter().map(|(name, tab)| (format!("panel-{name}"), *tab)).collect();
    let pages: Vec<_> = pages.iter().filter(|(name, _)| is_wanted("panel") || is_wanted(name)).collect();
    if !pages.is_empty() {
        let mut stage = Stage::with(1280, 720, |app| {
            app.add_plugins(TerrainPanelPlugin);
        });
        let alps = scene("alpine-dawn")?;
        for (name, tab) in pages {
            stage.world().resource_mut::<TerrainPanel>().tab = *tab;
            if *tab == PanelTab::Sculpt {
                point(&mut stage)?;
            }
            keep(&folder.join(format!("{name}.jpg")), &stage.draw_after(LATE, alps)?)?;
        }
    }
    Ok(())
}

/// Takes a brush, of some size, and points with it at the land.
fn point(stage: &mut Stage) -> Result<(), String> {
    stage.world().resource_mut::<TerrainPanel>().tells = true;
    for _ in 0..3 {
        stage.update();
    }
    let places = &stage.world().resource::<TerrainPanel>().places.rects;
    let tool = places.get("sculpt.Raise").ok_or("the panel has no brush")?.center();
    let click =
        |pressed| Event::PointerButton { pos: tool, button: PointerButton::Primary, pressed, modifiers: default() };
    let grow =
        Event::Key { key: Key::CloseBracket, physical_key: None, pressed: true, repeat: true, modifiers: default() };
    let larger = std::iter::repeat_n(grow, SIZE);
    let frames: [Vec<Event>; 4] = [
        vec![Event::PointerMoved(tool)],
        vec![click(true), click(false)],
        Vec::new(),
        vec![Event::PointerMoved(ON_LAND)],
    ];
    for events in frames.into_iter().chain(larger.map(|key| vec![key])) {
        let mut contexts = stage.world().query_filtered::<Entity, With<PrimaryEguiContext>>();
        let context = contexts.single(stage.world()).map_err(|error| error.to_string())?;
        stage.world().write_message_batch(events.into_iter().map(|event| EguiInputEvent { context, event }));
        stage.update();
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
pub fn read(path: &Path) -> Option<RgbImage> {
    let bytes = std::fs::read(path).ok()?;
    let mut decoder = zune_jpeg::JpegDecoder::new(std::io::Cursor::new(bytes));
    let pixels = decoder.decode().ok()?;
    let (width, height) = decoder.dimensions()?;
    RgbImage::from_raw(width as u32, height as u32, pixels)
}
