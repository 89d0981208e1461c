//! A tool: draws the scenes of the README without a window. Their worlds, places and hours are fixed.
//!
//! ```sh
//! cargo run --all-features --example scenes -- --out pictures alpine-dawn dunes  # these two; without names, all
//! cargo run --all-features --example scenes -- --readme                          # the pictures of the README
//! cargo run --all-features --example scenes -- --guide                           # the same, small, for the documentation
//! cargo run --all-features --example scenes -- --views --seed 2 alps             # random places of worlds, in sheets
//! ```
//!
//! `--readme` replaces only pictures that look different from before. `--views` writes a sheet for each world, and measures
//! how varied each view is.

mod guide;
mod readme;
mod scenes;
mod stage;
mod views;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use scenes::{SCENES, Scene};
use stage::Stage;

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
    #[arg(long, conflicts_with_all = ["readme", "width", "height", "heading", "pitch", "time", "place"])]
    views: bool,
    /// Other numbers give other places.
    #[arg(long, default_value_t = 1, requires = "views")]
    seed: u64,
    /// Folder for the pictures.
    #[arg(long, value_name = "DIR", default_value = "pictures")]
    out: PathBuf,
    /// Width of the pictures in pixels, from 64 to 4096; they are as wide as 16 to 9.
    #[arg(long, default_value_t = 960, value_parser = clap::value_parser!(u32).range(64..=4096))]
    width: u32,
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
    if options.views {
        return views::draw(&options.names, options.seed, &options.out);
    }
    let unknown = options.names.iter().find(|name| !SCENES.iter().any(|scene| scene.name == **name));
    if let Some(name) = unknown {
        let known: Vec<_> = SCENES.iter().map(|scene| scene.name).collect();
        eprintln!("there is no scene {name}; there are {}", known.join(", "));
        return ExitCode::FAILURE;
    }
    if let Err(error) = std::fs::create_dir_all(&options.out) {
        eprintln!("cannot make the folder {}: {error}", options.out.display());
        return ExitCode::FAILURE;
    }
    let mut stage = Stage::new(options.width, options.width * 9 / 16);
    for scene in SCENES.iter().filter(|scene| options.names.is_empty() || options.names.iter().any(|n| n == scene.name))
    {
        let file = options.out.join(format!("{}.png", scene.name));
        let place = options.place.as_ref().map_or(scene.place, |place| [place[0], place[1]]);
        let scene = Scene {
            place,
            height: options.height.unwrap_or(scene.height),
            heading: options.heading.unwrap_or(scene.heading),
            pitch: options.pitch.unwrap_or(scene.pitch),
            time: options.time.unwrap_or(scene.time),
            ..*scene
        };
        let drawn = stage.draw(&scene).and_then(|picture| picture.save(&file).map_err(|error| error.to_string()));
        if let Err(error) = drawn {
            eprintln!("{}: {error}", scene.name);
            return ExitCode::FAILURE;
        }
        println!("{}", file.display());
    }
    ExitCode::SUCCESS
}
