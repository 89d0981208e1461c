//! Digging with the mouse: the land is changed by a few numbers for each stroke, which are saved and loaded again.
//!
//! ```sh
//! cargo run --all-features --example sculpt
//! cargo run --all-features --example sculpt -- --headless
//! ```
//!
//! The left button or a pen digs and, with Shift, heaps up; F flattens to the height under the pointer, G smooths, R
//! roughens, P paints sand, O takes it off. Z takes back the last stroke. The mouse wheel changes the size of the brush. What has been changed is saved when
//! the window is closed. W, A, S, D and the right mouse button fly the camera.
//!
//! Without a display, or with `--headless`, it draws a pad, a road, a crater and a rough field, and writes pictures.

mod brush;
mod headless;

use std::path::PathBuf;
use std::process::ExitCode;

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use bevy_noise_terrain::TerrainSave;
use bevy_noise_terrain::edits::TerrainEdits;
use bevy_noise_terrain::prelude::*;
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

/// The file that changes are kept in.
#[derive(Resource)]
struct SaveFile(PathBuf);

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
        .insert_resource(SaveFile(options.save))
        .init_resource::<brush::Hand>()
        .add_systems(Startup, (spawn_land, spawn_camera))
        .add_systems(Update, (brush::resize, brush::stroke, brush::draw).chain())
        .add_systems(Last, save.run_if(on_message::<AppExit>));
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

/// Meadows and hills, with what has been changed before.
fn spawn_land(mut commands: Commands, file: Res<SaveFile>) {
    let mut terrain = commands.spawn((NoiseTerrain::default(), TerrainEdits::default(), TerrainScatter::temperate()));
    if !file.0.exists() {
        return;
    }
    match TerrainSave::read(&file.0) {
        Ok(save) => save.apply(terrain.reborrow()),
        Err(error) => error!("{error}"),
    }
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

/// Keeps what has been changed.
fn save(world: &World, terrain: Single<Entity, With<NoiseTerrain>>, file: Res<SaveFile>) {
    let Some(save) = TerrainSave::of(world, *terrain) else { return };
    match save.write(&file.0) {
        Ok(()) => info!("{} changes are kept in {}", save.edits.len(), file.0.display()),
        Err(error) => error!("{error}"),
    }
}
