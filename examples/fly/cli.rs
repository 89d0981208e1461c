//! The command line.

use std::path::PathBuf;

use bevy_noise_terrain::quality::TerrainQuality;
use clap::Parser;

/// Fly over an endless world and shape it with the panel.
#[derive(Parser)]
pub struct Options {
    /// Fly a scripted path off-screen, even where there is a display.
    #[arg(long)]
    pub headless: bool,
    /// Folder for the pictures and figures of a headless flight.
    #[arg(long, value_name = "DIR", default_value = "pictures")]
    pub out: PathBuf,
    /// Pictures of a headless flight, from 2 to 99.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=99))]
    pub pictures: u32,
    /// Seconds of a headless flight, from 1 to 3600.
    #[arg(long, default_value_t = 12.0, value_parser = seconds)]
    pub seconds: f32,
    /// Speed of a headless flight in metres a second, from 0 to 5000.
    #[arg(long, default_value_t = 200.0, value_parser = speed)]
    pub speed: f32,
    /// Size of the window or of the pictures, as WIDTHxHEIGHT.
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<(u32, u32)>,
    /// Seed of the world.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Where the flight begins, in metres east and south of the origin.
    #[arg(long, value_name = "X,Z", value_parser = place, allow_hyphen_values = true)]
    pub place: Option<(f64, f64)>,
    /// Metres above the ground where it begins, from 1 to 20000; headless, all the way.
    #[arg(long, value_parser = height)]
    pub height: Option<f32>,
    /// Where one looks: degrees clockwise from north (−z). Without it, a headless flight looks ahead.
    #[arg(long, value_name = "DEGREES", value_parser = heading, allow_hyphen_values = true)]
    pub heading: Option<f32>,
    /// Time of day in hours, from 0 to 24.
    #[arg(long, value_name = "HOURS", default_value_t = 9.5, value_parser = time)]
    pub time: f32,
    /// Part of the sky that is clouded, from 0 to 1.
    #[arg(long, value_name = "COVER", default_value_t = 0.35, value_parser = cover)]
    pub clouds: f32,
    /// Flood the land up to this height in metres.
    #[arg(long, value_name = "LEVEL", value_parser = level, allow_hyphen_values = true)]
    pub sea: Option<f32>,
    /// Leave the land bare: no grass, rocks and trees.
    #[arg(long)]
    pub no_scatter: bool,
    /// What the graphics card may spend: auto, low, medium, high or ultra.
    #[arg(long, default_value = "high", value_parser = examples_common::quality)]
    pub quality: TerrainQuality,
    /// Tint the land by level of detail.
    #[arg(long)]
    pub levels: bool,
    /// Close the window after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub exit_after: Option<f32>,
    /// The world: a name in assets/presets, as alps, or any file NAME.terrain.ron. The file is followed, unless
    /// another option changes the world.
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// Keep a text file about what the window shows, for tests that drive it.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Write what the window shows to this file before it is closed.
    #[arg(long, value_name = "FILE", requires = "exit_after")]
    pub screenshot: Option<PathBuf>,
}

fn number(text: &str, low: f32, high: f32) -> Result<f32, String> {
    let found: f32 = text.parse().map_err(|_| format!("{text} is not a number"))?;
    if (low..=high).contains(&found) { Ok(found) } else { Err(format!("it must be from {low} to {high}")) }
}

fn seconds(text: &str) -> Result<f32, String> {
    number(text, 1.0, 3_600.0)
}

fn speed(text: &str) -> Result<f32, String> {
    number(text, 0.0, 5_000.0)
}

fn height(text: &str) -> Result<f32, String> {
    number(text, 1.0, 20_000.0)
}

fn heading(text: &str) -> Result<f32, String> {
    number(text, -360.0, 360.0)
}

fn time(text: &str) -> Result<f32, String> {
    number(text, 0.0, 24.0)
}

fn cover(text: &str) -> Result<f32, String> {
    number(text, 0.0, 1.0)
}

fn level(text: &str) -> Result<f32, String> {
    number(text, -100_000.0, 100_000.0)
}

fn place(text: &str) -> Result<(f64, f64), String> {
    let parts = text.split_once(',').and_then(|(x, z)| Some((x.trim().parse().ok()?, z.trim().parse().ok()?)));
    match parts {
        Some((x, z)) if f64::abs(x) <= 1e12 && f64::abs(z) <= 1e12 => Ok((x, z)),
        _ => Err("it must be two numbers up to 1e12 apart from 0, as 1000,-2000".into()),
    }
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    match parts {
        Some((width @ 64..=8192, height @ 64..=8192)) => Ok((width, height)),
        _ => Err("it must be two numbers from 64 to 8192, as 1280x720".into()),
    }
}
