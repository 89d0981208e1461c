//! One wind for everything: grass bends, water darkens and clouds drift in it, and so do pennants that ask where it blows.
//!
//! ```sh
//! cargo run --all-features --example wind
//! cargo run --all-features --example wind -- --headless
//! ```
//!
//! Up and down make it blow stronger and weaker, left and right turn it. W, A, S, D and the right mouse button fly the
//! camera.
//!
//! Without a display, or with `--headless`, it writes two pictures of a gust that passes, and the wind at each pennant.

mod headless;
mod pennant;

use std::path::PathBuf;
use std::process::ExitCode;

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use clap::Parser;
use examples_common::adapter;

/// Pennants on a windy shore.
#[derive(Parser)]
struct Options {
    /// Draw off-screen, even where there is a display.
    #[arg(long)]
    headless: bool,
    /// Folder for the pictures.
    #[arg(long, value_name = "DIR", default_value = "pictures")]
    out: PathBuf,
}

/// Where the camera stands, x and z, and how high above the ground.
const EYE: Vec3 = Vec3::new(-300.0, 12.0, 360.0);

fn main() -> ExitCode {
    let options = Options::parse();
    if options.headless || !adapter::has_display() {
        return headless::blow(&options).map_or_else(
            |error| {
                eprintln!("{error}");
                ExitCode::FAILURE
            },
            |()| ExitCode::SUCCESS,
        );
    }
    let mut app = App::new();
    app.add_plugins((DefaultPlugins.set(examples_common::assets()), FreeCameraPlugin));
    build(&mut app);
    app.add_systems(Startup, spawn_camera).add_systems(Update, steer);
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

/// The land, its wind, and the pennants.
fn build(app: &mut App) {
    app.add_plugins(NoiseTerrainPlugin)
        .insert_resource(TerrainWind { speed: 9.0, ..default() })
        .add_systems(Startup, (spawn_land, pennant::spawn).chain())
        .add_systems(Update, pennant::turn);
}

fn spawn_land(mut commands: Commands) {
    commands.spawn((NoiseTerrain::default(), TerrainScatter::temperate()));
    commands.spawn(TerrainSun::default());
}

/// The camera's place.
fn outlook() -> Result<Transform> {
    let ground = NoiseTerrain::default().surface()?.height(EYE.x.into(), EYE.z.into()) as f32;
    Ok(Transform::from_translation(EYE + ground * Vec3::Y).looking_to(Vec3::new(-0.8, -0.12, 0.6), Vec3::Y))
}

fn spawn_camera(mut commands: Commands) -> Result {
    let free =
        FreeCamera { mouse_key_cursor_grab: MouseButton::Right, scroll_factor: 0.0, walk_speed: 15.0, ..default() };
    commands.spawn((Camera3d::default(), TerrainSkyView::default(), free, outlook()?));
    Ok(())
}

/// Changes the wind: nothing jumps.
fn steer(keys: Res<ButtonInput<KeyCode>>, time: Res<Time>, mut wind: ResMut<TerrainWind>) {
    let held = |more, less| f32::from(i8::from(keys.pressed(more)) - i8::from(keys.pressed(less))) * time.delta_secs();
    let stronger = held(KeyCode::ArrowUp, KeyCode::ArrowDown);
    let turned = held(KeyCode::ArrowRight, KeyCode::ArrowLeft);
    if stronger != 0.0 || turned != 0.0 {
        wind.speed = (wind.speed + 6.0 * stronger).clamp(0.0, 30.0);
        wind.heading = (wind.heading + 45.0 * turned).rem_euclid(360.0);
    }
}
