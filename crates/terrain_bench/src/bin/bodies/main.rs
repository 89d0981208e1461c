//! Bodies on the ground, with a physics engine and without a screen: how exact colliders are, whether anybody falls through,
//! whether the borders of tiles are felt, and what it all costs.

mod borders;
mod cost;
mod crowd;
mod drive;
mod engine;
mod exact;
mod figures;
mod world;

use std::path::PathBuf;
use std::process::ExitCode;

use bevy::tasks::{ComputeTaskPool, TaskPoolBuilder};
use clap::{Parser, ValueEnum};

use engine::{Avian, Rapier};
use figures::Figures;

/// A physics engine.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    Avian,
    Rapier,
}

/// A part of the bench.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Rays and balls cast at colliders, against the land itself.
    Exact,
    /// Balls dropped everywhere, jumps, changes of the land.
    Crowd,
    /// A ball without friction across the borders of tiles.
    Borders,
    /// Milliseconds of a tile, and of a tick.
    Cost,
    /// Memory over a long way.
    Drive,
}

/// Drops bodies on the land, and reports how they fare.
#[derive(Parser)]
struct Options {
    /// The physics engine.
    #[arg(long, value_enum, default_value = "avian")]
    engine: Name,
    /// Balls that are dropped.
    #[arg(long, default_value_t = 10_000)]
    bodies: usize,
    /// Parts to run; all of them if none is named.
    #[arg(long, value_enum)]
    only: Vec<Part>,
    /// File for the results as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    // Times of the main thread are those of one core.
    ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(1).build());
    let figures = match options.engine {
        Name::Avian => Figures::collect::<Avian>("avian", options.bodies, &options.only),
        Name::Rapier => Figures::collect::<Rapier>("rapier", options.bodies, &options.only),
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
