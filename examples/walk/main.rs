//! A person who walks over endless land, by Avian's move and slide, and whose footsteps know what is underfoot.
//!
//! ```sh
//! cargo run --all-features --example walk
//! cargo run --all-features --example walk -- --headless
//! ```
//!
//! W, A, S, D or the arrows walk, Shift runs, the space bar jumps; the mouse looks around after a click, Escape lets it go.
//! The window's title tells the last step: the layer of the ground, how much of it there is, and how deep the water is.
//!
//! Without a display, or with `--headless`, the person walks alone and the program writes pictures and figures; without any
//! graphics driver, the figures alone.

mod camera;
mod footsteps;
mod headless;
mod person;
mod walker;

use std::path::PathBuf;
use std::process::ExitCode;

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::prelude::*;
use bevy_noise_terrain_avian::{TerrainColliderPlugin, TerrainTiles};
use clap::Parser;
use examples_common::adapter;

/// Walk over endless land.
#[derive(Parser)]
struct Options {
    /// Walk alone off-screen, even where there is a display.
    #[arg(long)]
    headless: bool,
    /// Seconds of a headless walk, from 1 to 3600.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// Folder for the pictures and figures of a headless walk.
    #[arg(long, value_name = "DIR", default_value = "pictures")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if options.headless || !adapter::has_display() {
        return headless::walk(&options).map_or_else(
            |error| {
                eprintln!("{error}");
                ExitCode::FAILURE
            },
            |()| ExitCode::SUCCESS,
        );
    }
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(examples_common::assets()))
        .add_plugins(game)
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn(TerrainSun::default());
            commands.spawn((camera::Follow::default(), TerrainSkyView::default()));
        })
        .add_systems(Update, (camera::grab_pointer, camera::look_around, walker::read_keys).chain())
        .add_observer(footsteps::tell);
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

/// What does not need a window: land, person, physics.
fn game(app: &mut App) {
    app.add_plugins((PhysicsPlugins::default(), NoiseTerrainPlugin, TerrainColliderPlugin))
        .add_systems(Startup, spawn_land)
        // Heights are known as soon as there is land.
        .add_systems(PostStartup, person::spawn)
        .add_systems(FixedUpdate, (person::walk, footsteps::step).chain())
        .add_systems(Update, camera::follow)
        .add_observer(footsteps::leave_print);
}

/// Steep hills in a sea: sand, meadows, woods and cliffs within a short walk.
fn spawn_land(mut commands: Commands) {
    let hills = perlin().fbm().octaves(5).feature_size(800.0).scale(130.0).add(15.0);
    commands.spawn((
        NoiseTerrain { noise: hills, seed: 3, ..default() },
        TerrainScatter::temperate(),
        TerrainWater::default(),
        TerrainTiles { objects: true, ..default() },
    ));
}
