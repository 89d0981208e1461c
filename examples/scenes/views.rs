//! Views that nobody chose: random places of every world, drawn to contact sheets and measured.

mod places;
mod sheet;
mod sight;

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use examples_common::variety::{Variety, variety};
use image::RgbImage;

use crate::scenes::{SCENES, Scene};
use crate::stage::{Outlook, Stage, preset};
use places::{View, WORLDS};
use sight::Sights;

/// Pixels of a view.
const SIZE: [u32; 2] = [960, 540];

/// Draws the named worlds, or all, and the chosen scenes beside them.
pub fn draw(names: &[String], seed: u64, out: &Path) -> ExitCode {
    match sheets(names, seed, out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn sheets(names: &[String], seed: u64, out: &Path) -> Result<(), String> {
    if let Some(unknown) = names.iter().find(|name| !WORLDS.contains(&name.as_str())) {
        return Err(format!("there is no world {unknown}; there are {}", WORLDS.join(", ")));
    }
    std::fs::create_dir_all(out).map_err(|error| format!("cannot make the folder {}: {error}", out.display()))?;
    let mut stage = Stage::new(SIZE[0], SIZE[1]);
    let mut table = String::from(HEADING);
    println!("{}", HEADING.trim_end());
    let mut all = Vec::new();
    for world in WORLDS.into_iter().filter(|world| names.is_empty() || names.iter().any(|name| name == world)) {
        let mut pictures = Vec::new();
        for View { scene, title } in places::views(world, seed)? {
            let picture = stage.draw(&scene)?;
            tell(&mut table, &title, &measure(&scene, &picture)?);
            pictures.push(picture);
        }
        let file = out.join(format!("{world}-{seed}.png"));
        save(&sheet::sheet(&pictures, 2, SIZE), &file)?;
        all.extend(pictures);
    }
    let small = [SIZE[0] / 3, SIZE[1] / 3];
    save(&sheet::sheet(&all, 6, small), &out.join(format!("all-{seed}.png")))?;
    if names.is_empty() {
        for scene in SCENES.iter().filter(|scene| !scene.preset.is_empty()) {
            let picture = stage.draw(scene)?;
            tell(&mut table, &format!("{} (chosen)", scene.name), &measure(scene, &picture)?);
        }
    }
    let file = out.join(format!("views-{seed}.txt"));
    std::fs::write(&file, table).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

fn save(picture: &RgbImage, file: &Path) -> Result<(), String> {
    picture.save(file).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// How varied the land of a picture is.
fn measure(scene: &Scene, picture: &RgbImage) -> Result<Variety, String> {
    let preset = preset(scene.preset)?;
    let outlook = Outlook::new(scene, &preset)?;
    let sights = Sights::new(scene, &outlook, preset.terrain.lod.view_distance, SIZE);
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
