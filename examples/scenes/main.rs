//! A tool: draws the scenes of the README without a window. Their worlds, places and hours are fixed.
//!
//! ```sh
//! cargo run --all-features --example scenes -- --out pictures alpine-dawn dunes  # these two; without names, all
//! cargo run --all-features --example scenes -- --readme                          # the pictures of the README
//! cargo run --all-features --example scenes -- --guide                           # the same, small, for the documentation
//! cargo run --all-features --example scenes -- --views --seed 2 alps             # random places of worlds, in sheets
//! cargo run --release --all-features --example scenes -- --times --width 1920    # what they take to draw
//! ```
//!
//! `--readme` replaces only pictures that look different from before. `--views` writes a sheet for each world, and measures
//! how varied each view is.

mod guide;
mod readme;
mod scenes;
mod stage;
mod times;
mod views;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bevy_noise_terrain::quality::TerrainQuality;
use clap::Parser;

use scenes::{SCENES, Scene};
use stage::Stage;
use times::Times;

/// Draw scenes off-screen.
#[derive(Parser)]
struct Options {
    /// Names of the scenes, or with `--views` of worlds; all without any.
    names: Vec<String>,
    /// Draw what the README shows, into `assets/pictures`; with names, only these.
    #[arg(long, conflicts_with_all = ["out", "width", "height", "heading", "pitch", "time", "place"])]
    readme: bool,
    /// Make the README's pictures small, for the guide in the documentation; draws nothing.
    #[arg(long, conflicts_with_all = ["readme", "views"])]
    guide: bool,
    /// Draw each world from four random places instead, at four heights over the ground: a sheet of four views each.
    #[arg(long, conflicts_with_all = ["readme", "height", "heading", "pitch", "time", "place"])]
    views: bool,
    /// Other numbers give other places.
    #[arg(long, default_value_t = 1, requires = "views")]
    seed: u64,
    /// Measure what the scenes, or with `--views` the random places, take to draw. Writes nothing.
    #[arg(long, conflicts_with_all = ["readme", "guide"])]
    times: bool,
    /// Folder for the pictures.
    #[arg(long, value_name = "DIR", default_value = "pictures")]
    out: PathBuf,
    /// Width of the pictures in pixels, from 64 to 4096; they are as wide as 16 to 9.
    #[arg(long, default_value_t = 960, value_parser = clap::value_parser!(u32).range(64..=4096))]
    width: u32,
    /// What the graphics card may spend: low, medium, high or ultra.
    #[arg(long, default_value = "high", value_parser = examples_common::quality)]
    quality: TerrainQuality,
    /// Draw from another height over the ground, in metres.
    #[arg(long)]
    height: Option<f32>,
    /// Look in another direction, in degrees clockwise from north.
    #[arg(long, allow_hyphen_values = true)]
    heading: Option<f32>,
    /// Look up or down, in degrees.
    #[arg(long, allow_hyphen_values = true)]
    pitch: Option<f32>,
    /// Draw at another hour.
    #[arg(long)]
    time: Option<f32>,
    /// Draw at another place, in metres east and south.
    #[arg(long, num_args = 2, allow_hyphen_values = true)]
    place: Option<Vec<f64>>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if options.readme {
        return readme::draw(&options.names);
    }
    if options.guide {
        return guide::write();
    }
    if let Err(error) = if options.views { views(&options) } else { scenes(&options) } {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn views(options: &Options) -> Result<(), String> {
    if options.times {
        views::time(&options.names, options.seed, options.size())
    } else {
        views::draw(&options.names, options.seed, &options.out, options.size())
    }
}

fn scenes(options: &Options) -> Result<(), String> {
    let names = &options.names;
    if let Some(unknown) = names.iter().find(|name| !SCENES.iter().any(|scene| scene.name == **name)) {
        let known: Vec<_> = SCENES.iter().map(|scene| scene.name).collect();
        return Err(format!("there is no scene {unknown}; there are {}", known.join(", ")));
    }
    let is_named = |scene: &&Scene| names.is_empty() || names.iter().any(|name| name == scene.name);
    let scenes = SCENES.iter().filter(is_named).map(|scene| options.seen_from(scene));
    if options.times {
        measure(scenes, options.size(), options.quality)
    } else {
        draw(scenes, &options.out, options.size(), options.quality)
    }
}

impl Options {
    /// Of pictures, in pixels.
    fn size(&self) -> [u32; 2] {
        [self.width, self.width * 9 / 16]
    }

    /// A scene from where the command line says.
    fn seen_from(&self, scene: &Scene) -> Scene {
        Scene {
            place: self.place.as_ref().map_or(scene.place, |place| [place[0], place[1]]),
            height: self.height.unwrap_or(scene.height),
            heading: self.heading.unwrap_or(scene.heading),
            pitch: self.pitch.unwrap_or(scene.pitch),
            time: self.time.unwrap_or(scene.time),
            ..*scene
        }
    }
}

fn draw(
    scenes: impl Iterator<Item = Scene>,
    out: &Path,
    [width, height]: [u32; 2],
    quality: TerrainQuality,
) -> Result<(), String> {
    std::fs::create_dir_all(out).map_err(|error| format!("cannot make the folder {}: {error}", out.display()))?;
    let mut stage = Stage::new(width, height);
    stage.world().insert_resource(quality);
    for scene in scenes {
        let file = out.join(format!("{}.png", scene.name));
        let drawn = stage.draw(&scene).and_then(|picture| picture.save(&file).map_err(|error| error.to_string()));
        drawn.map_err(|error| format!("{}: {error}", scene.name))?;
        println!("{}", file.display());
    }
    Ok(())
}

fn measure(mut scenes: impl Iterator<Item = Scene>, size: [u32; 2], quality: TerrainQuality) -> Result<(), String> {
    let mut times = Times::new(size);
    times.world().insert_resource(quality);
    times::parts_heading();
    scenes
        .try_for_each(|scene| times.tell_parts(scene.name, &scene).map_err(|error| format!("{}: {error}", scene.name)))
}
