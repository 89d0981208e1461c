//! A car on endless land: four wheels on springs, a chase camera, colliders by Avian.
//!
//! ```sh
//! cargo run --all-features --example drive
//! cargo run --all-features --example drive -- --headless
//! ```
//!
//! W, S or the arrows drive, A and D steer, the space bar brakes, R puts the car back on its wheels.
//!
//! Without a display, or with `--headless`, it drives by itself and writes pictures and figures; without any graphics
//! driver, the figures alone.

mod camera;
mod car;
mod driver;
mod headless;

use std::path::PathBuf;
use std::process::ExitCode;

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::terrain_noise::prelude::*;
use bevy_noise_terrain_avian::{TerrainColliderPlugin, TerrainTiles};
use clap::Parser;
use examples_common::adapter;

/// Drive over endless land.
#[derive(Parser)]
struct Options {
    /// Drive by itself off-screen, even where there is a display.
    #[arg(long)]
    headless: bool,
    /// Seconds of a headless drive, from 1 to 3600.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3_600))]
    seconds: u32,
    /// Folder for the pictures and figures of a headless drive.
    #[arg(long, value_name = "DIR", default_value = "pictures")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if options.headless || !adapter::has_display() {
        return headless::drive(&options).map_or_else(
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
            commands.spawn((camera::Chase::default(), TerrainSkyView::default(), TerrainViewer));
        })
        .add_systems(FixedUpdate, driver::read_keys.before(car::drive));
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

/// What does not need a window: land, car, physics.
fn game(app: &mut App) {
    app.add_plugins((PhysicsPlugins::default(), NoiseTerrainPlugin, TerrainColliderPlugin))
        .add_systems(Startup, spawn_land)
        // Heights are known as soon as there is land.
        .add_systems(PostStartup, car::spawn)
        .add_systems(FixedUpdate, car::drive)
        .add_systems(Update, camera::follow)
        // Before the land looks where its viewers are.
        .add_systems(PostUpdate, car::turn_wheels);
}

/// Hills without cliffs, above the beaches that are at a height of 0, with meadows, trees and rocks; trunks and rocks have
/// colliders.
fn spawn_land(mut commands: Commands) {
    let hills = perlin().fbm().octaves(4).feature_size(1_200.0).scale(130.0);
    let bumps = perlin().fbm().octaves(4).feature_size(50.0).scale(1.6);
    let land = NoiseTerrain { noise: hills.add(bumps).add(300.0), ..default() };
    let mut plants = TerrainScatter::temperate();
    for trees in plants.kinds.iter_mut().filter(|kind| kind.shape == ScatterShape::Conifer) {
        // Open woods: a car fits between the trees.
        (trees.density, trees.patches) = (0.002, None);
    }
    commands.spawn((land, plants, TerrainTiles { objects: true, ..default() }));
}
