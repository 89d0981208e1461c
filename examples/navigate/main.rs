//! A crowd that finds its way over endless land, around trunks, rocks, cliffs and deep water.
//!
//! ```sh
//! cargo run --all-features --example navigate
//! cargo run --all-features --example navigate -- --headless
//! ```
//!
//! Tiles of a navigation mesh are baked from the heights on the task pools, and the crate `bevy_landmass` finds the ways
//! and keeps the walkers apart. Nothing of it needs a renderer.
//!
//! A click sends everybody to that place; N shows the navigation mesh. W, A, S, D and the right mouse button fly the
//! camera.
//!
//! Without a display, or with `--headless`, the crowd wanders alone and the program writes pictures and figures; without
//! any graphics driver, the figures alone.

mod bake;
mod crowd;
mod headless;
mod tiles;
mod view;

use std::path::PathBuf;
use std::process::ExitCode;

use bevy::camera_controller::free_camera::FreeCameraPlugin;
use bevy::prelude::*;
use bevy_landmass::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::prelude::*;
use clap::Parser;
use examples_common::adapter;

/// Watch a crowd find its way over endless land.
#[derive(Parser)]
struct Options {
    /// Run off-screen, even where there is a display.
    #[arg(long)]
    headless: bool,
    /// How many people walk, from 1 to 500.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=500))]
    people: u32,
    /// Seconds of a headless run, from 1 to 3600.
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// Folder for the pictures and figures of a headless run.
    #[arg(long, value_name = "DIR", default_value = "pictures")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if options.headless || !adapter::has_display() {
        return headless::wander(&options).map_or_else(
            |error| {
                eprintln!("{error}");
                ExitCode::FAILURE
            },
            |()| ExitCode::SUCCESS,
        );
    }
    let mut app = App::new();
    app.add_plugins((DefaultPlugins.set(examples_common::assets()), FreeCameraPlugin))
        .add_plugins((game, view::draw))
        .insert_resource(crowd::Size(options.people))
        .add_systems(Startup, view::spawn_camera)
        .add_systems(Update, (view::send_to_click, view::read_keys));
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

/// What does not need a window: land, navigation mesh, crowd.
fn game(app: &mut App) {
    app.add_plugins((NoiseTerrainPlugin, Landmass3dPlugin::default(), tiles::stream, crowd::wander))
        .add_systems(Startup, spawn_land);
}

/// Steep wooded hills with lakes between them.
fn spawn_land(mut commands: Commands) {
    let hills = perlin().fbm().octaves(5).feature_size(500.0).scale(70.0).add(12.0);
    commands.spawn((
        NoiseTerrain { noise: hills, seed: 5, ..default() },
        TerrainScatter::temperate(),
        TerrainWater::default(),
    ));
}
