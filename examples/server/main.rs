//! A server: hundreds of bodies that wander over endless land, without a window and without a GPU. It prints its load.
//!
//! ```sh
//! cargo run --all-features --example server
//! cargo run --all-features --example server -- --bodies 1000 --seconds 60 --json load.json
//! ```
//!
//! Here it is built together with the other examples. Your own server depends on `bevy_noise_terrain` with
//! `default-features = false`, on `bevy_noise_terrain_avian` and on `avian3d` without its default features, and no renderer
//! is even compiled. The land is the same as on the players' machines, bit for bit.

mod crowd;
mod load;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use avian3d::prelude::*;
use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain_avian::TerrainColliderPlugin;
use clap::Parser;

/// A crowd on endless land, without a screen.
#[derive(Parser)]
struct Options {
    /// How many bodies wander, from 1 to 5000.
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=5_000))]
    bodies: u32,
    /// Seconds until the end, from 1 to 3600.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// Writes the load of the whole run here.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Ticks a second, of the app and of the physics.
const RATE: f64 = 64.0;

fn main() -> ExitCode {
    let options = Options::parse();
    let mut app = App::new();
    let rate = ScheduleRunnerPlugin::run_loop(Duration::from_secs_f64(1.0 / RATE));
    app.add_plugins((MinimalPlugins.set(rate), TransformPlugin, PhysicsPlugins::default()))
        .add_plugins((NoiseTerrainPlugin, TerrainColliderPlugin, load::measure))
        .insert_resource(Time::<Fixed>::from_hz(RATE))
        .insert_resource(crowd::Size(options.bodies))
        .insert_resource(load::Plan { seconds: options.seconds, json: options.json })
        .add_plugins(crowd::wander)
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn(NoiseTerrain::default());
        });
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}
