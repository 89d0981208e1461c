//! Digging with the mouse: the land is changed by a few numbers for each stroke, which are saved and loaded again.
//!
//! ```sh
//! cargo run --all-features --example sculpt
//! cargo run --all-features --example sculpt -- --headless
//! ```
//!
//! The left button or a pen digs and, with Shift, heaps up; F flattens to the height under the pointer, G smooths, R
//! roughens, P paints sand, O takes it off. Z takes back the last stroke. The mouse wheel changes the size of the brush.
//! Every stroke is on disk as soon as it is made: kill the program, and nothing is lost. W, A, S, D and the right mouse
//! button fly the camera.
//!
//! Without a display, or with `--headless`, it draws a pad, a road, a crater and a rough field, and writes pictures.

mod brush;
mod headless;

use std::path::PathBuf;
use std::process::ExitCode;

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use bevy_noise_terrain::edits::TerrainEdits;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::{TerrainAutosave, TerrainLoaded};
use clap::Parser;
use examples_common::adapter;

/// Change endless land with the mouse.
#[derive(Parser)]
struct Options {
    /// Draw a few changes off-screen, even where there is a display.
    #[arg(long)]
    headless: bool,
    /// Folder for the pictures.
    #[arg(long, value_name = "DIR", default_value = "pictures")]
    out: PathBuf,
    /// The file that changes are kept in.
    #[arg(long, value_name = "FILE", default_value = "sculpt.save.ron")]
    save: PathBuf,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if options.headless || !adapter::has_display() {
        return headless::sculpt(&options).map_or_else(
            |error| {
                eprintln!("{error}");
                ExitCode::FAILURE
            },
            |()| ExitCode::SUCCESS,
        );
    }
    let mut app = App::new();
    app.add_plugins((DefaultPlugins.set(examples_common::assets()), FreeCameraPlugin, NoiseTerrainPlugin))
        .init_resource::<brush::Hand>()
        .add_observer(tell)
        .add_systems(Startup, spawn_camera)
        .add_systems(Update, (brush::resize, brush::stroke, brush::draw).chain());
    // Meadows and hills, with what has been changed before; and whatever is changed from now on is kept.
    let autosave = TerrainAutosave::new(options.save);
    let land = (NoiseTerrain::default(), TerrainEdits::default(), TerrainScatter::temperate(), autosave);
    app.world_mut().spawn(land);
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

fn tell(loaded: On<TerrainLoaded>, edits: Query<&TerrainEdits>) {
    let count = edits.get(loaded.entity).map_or(0, TerrainEdits::len);
    info!("{count} changes in {} and {} records of its journal", loaded.path.display(), loaded.replay.records);
}

fn spawn_camera(mut commands: Commands) -> Result {
    let ground = NoiseTerrain::default().surface()?.height(0.0, 0.0) as f32;
    let place = Transform::from_xyz(0.0, ground + 40.0, 60.0).looking_at(Vec3::new(0.0, ground, 0.0), Vec3::Y);
    let free =
        FreeCamera { mouse_key_cursor_grab: MouseButton::Right, scroll_factor: 0.0, walk_speed: 30.0, ..default() };
    commands.spawn((Camera3d::default(), TerrainSkyView::default(), free, place));
    commands.spawn(TerrainSun::default());
    Ok(())
}
