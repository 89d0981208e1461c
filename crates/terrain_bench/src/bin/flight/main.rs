//! A scripted flight and rapid changes of settings, without GPU or window: measures the main thread's time, how fast
//! chunks arrive, and whether any frame has a hole, a crack or a pop.
//!
//! Two passes over the same path: one is measured, the other is checked vertex by vertex, which is too slow to measure.

mod audit;
mod figures;
mod measure;
mod world;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// Flies over the land without drawing it, and reports the cost.
#[derive(Parser)]
pub struct Options {
    /// Speed in metres per second.
    #[arg(long, default_value_t = 300.0)]
    speed: f64,
    /// Length of the flight in kilometres.
    #[arg(long, default_value_t = 10.0)]
    kilometres: f64,
    /// View distance in metres.
    #[arg(long, default_value_t = 30_000.0)]
    view_distance: f64,
    /// Number of changes of the settings after the flight.
    #[arg(long, default_value_t = 10)]
    retunes: u32,
    /// Kilometres of the flight that are checked vertex by vertex.
    #[arg(long, default_value_t = 3.0)]
    audit_kilometres: f64,
    /// Use the default world instead of 8 octaves of Perlin noise.
    #[arg(long)]
    default_world: bool,
    /// File for the results as JSON.
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
