//! Views that nobody chose: random places of every world, drawn to contact sheets and measured.

mod places;
mod sheet;
mod sight;

use std::fmt::Write as _;
use std::path::Path;

use examples_common::variety::{Variety, variety};
use image::RgbImage;

use crate::scenes::{SCENES, Scene};
use crate::stage::{Outlook, Stage, preset};
use crate::times::{self, Times};
use places::{View, WORLDS};
use sight::Sights;

/// Draws views of the named worlds, or of all and the chosen scenes beside them, each of this size in pixels.
pub fn draw(names: &[String], seed: u64, out: &Path, size: [u32; 2]) -> Result<(), String> {
    let worlds = worlds(names)?;
    std::fs::create_dir_all(out).map_err(|error| format!("cannot make the folder {}: {error}", out.display()))?;
    let mut stage = Stage::new(size[0], size[1]);
    let mut table = String::from(HEADING);
    println!("{}", HEADING.trim_end());
    let mut all = Vec::new();
    for world in worlds {
        let mut pictures = Vec::new();
        for View { scene, title } in places::views(world, seed)? {
            let picture = stage.draw(&scene)?;
            tell(&mut table, &title, &measure(&scene, &picture, size)?);
            pictures.push(picture);
        }
        let file = out.join(format!("{world}-{seed}.png"));
        save(&sheet::sheet(&pictures, 2, size), &file)?;
        all.extend(pictures);
    }
    let small = size.map(|pixels| pixels / 3);
    save(&sheet::sheet(&all, 6, small), &out.join(format!("all-{seed}.png")))?;
    if names.is_empty() {
        for scene in SCENES.iter().filter(|scene| !scene.preset.is_empty()) {
            let picture = stage.draw(scene)?;
            tell(&mut table, &format!("{} (chosen)", scene.name), &measure(scene, &picture, size)?);
        }
    }
    let file = out.join(format!("views-{seed}.txt"));
    std::fs::write(&file, table).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// Measures what the views of the named worlds, or of all, take to draw.
pub fn time(names: &[String], seed: u64, size: [u32; 2]) -> Result<(), String> {
    let worlds = worlds(names)?;
    let mut times = Times::new(size);
    times::heading();
    for world in worlds {
        for View { scene, title } in places::views(world, seed)? {
            times.tell(&title, &scene)?;
        }
    }
    Ok(())
}

/// The worlds of these names; all without any.
fn worlds(names: &[String]) -> Result<Vec<&'static str>, String> {
    if let Some(unknown) = names.iter().find(|name| !WORLDS.contains(&name.as_str())) {
        return Err(format!("there is no world {unknown}; there are {}", WORLDS.join(", ")));
    }
    Ok(WORLDS.into_iter().filter(|world| names.is_empty() || names.iter().any(|name| name == world)).collect())
}

fn save(picture: &RgbImage, file: &Path) -> Result<(), String> {
    picture.save(file).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// How varied the land of a picture is.
fn measure(scene: &Scene, picture: &RgbImage, size: [u32; 2]) -> Result<Variety, String> {
    let preset = preset(scene.preset)?;
    let outlook = Outlook::new(scene, &preset)?;
    let sights = Sights::new(scene, &outlook, preset.terrain.lod.view_distance, size);
    Ok(variety(picture, |x, y| sights.is_land(x, y)))
}

const HEADING: &str = "\
view                                                                    land  even  contrast at 1, 3, 9, 27, 81 px  colours
";

/// Adds a line, and prints it.
fn tell(table: &mut String, title: &str, Variety { share, even, contrast, colours }: &Variety) {
    let contrast: Vec<String> = contrast.iter().map(|contrast| format!("{contrast:5.1}")).collect();
    let line = format!("{title:70}  {share:4.2}  {even:4.2}  {}  {colours:7.1}", contrast.join(" "));
    println!("{line}");
    let _ = writeln!(table, "{line}");
}
