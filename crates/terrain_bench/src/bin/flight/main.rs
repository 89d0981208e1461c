//! A scripted flight and a storm of settings changes, without GPU or window: what the streaming costs the
//! main thread, how fast chunks come, and whether any frame shows a hole, a crack or a pop.
//!
//! Two passes over the same path: one measured, one looked at vertex by vertex (which costs more than all
//! that is measured).

mod audit;
mod figures;
mod measure;
mod world;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// Fly over the land without drawing it, and tell what that costs.
#[derive(Parser)]
pub struct Options {
    /// Metres a second.
    #[arg(long, default_value_t = 300.0)]
    speed: f64,
    /// Length of the flight.
    #[arg(long, default_value_t = 10.0)]
    kilometres: f64,
    /// How far the land reaches, in metres.
    #[arg(long, default_value_t = 30_000.0)]
    view_distance: f64,
    /// Changes of the settings after the flight.
    #[arg(long, default_value_t = 10)]
    retunes: u32,
    /// Kilometres of the flight that are looked at vertex by vertex.
    #[arg(long, default_value_t = 3.0)]
    audit_kilometres: f64,
    /// The default world instead of 8 octaves of Perlin noise.
    #[arg(long)]
    default_world: bool,
    /// File for the figures.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let figures = match figures::collect(&options) {
        Ok(figures) => figures,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!("{figures}");
    if let Some(path) = &options.json
        && let Err(error) = figures.write(path)
    {
        eprintln!("cannot write {}: {error}", path.display());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
