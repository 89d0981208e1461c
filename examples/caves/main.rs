//! Through a cave: from a meadow into a ridge, and out on its other side.
//!
//! ```sh
//! cargo run --all-features --example caves
//! cargo run --all-features --example caves -- --headless
//! ```
//!
//! W, A, S, D and the right mouse button fly the camera; the left one digs where it looks.
//!
//! Without a display, or with `--headless`, it writes three pictures: the mouth, the hall, the way out.

mod cave;
mod headless;

use std::path::PathBuf;
use std::process::ExitCode;

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::volumes::{TerrainVolumes, VolumeId, VolumeShape};
use cave::Cave;
use clap::Parser;
use examples_common::adapter;

/// A cave that one can fly through, and dig in.
#[derive(Parser)]
struct Options {
    /// Draw off-screen, even where there is a display.
    #[arg(long)]
    headless: bool,
    /// Folder for the pictures.
    #[arg(long, value_name = "DIR", default_value = "pictures")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if options.headless || !adapter::has_display() {
        return headless::visit(&options).map_or_else(
            |error| {
                eprintln!("{error}");
                ExitCode::FAILURE
            },
            |()| ExitCode::SUCCESS,
        );
    }
    let mut app = App::new();
    app.add_plugins((DefaultPlugins.set(examples_common::assets()), FreeCameraPlugin, NoiseTerrainPlugin))
        .add_systems(Startup, (spawn_land, spawn_camera))
        .add_systems(Update, dig);
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

/// The cave of the default land.
fn cave() -> Result<Cave> {
    let land = NoiseTerrain::default().surface()?;
    Cave::find(&land).ok_or_else(|| "there is no ridge near the origin".into())
}

fn spawn_land(mut commands: Commands) -> Result {
    let mut volumes = TerrainVolumes::default();
    volumes.apply(cave()?.volume)?;
    commands.spawn((NoiseTerrain::default(), TerrainScatter::temperate(), volumes));
    commands.spawn(TerrainSun::default());
    Ok(())
}

/// Where the camera stands for each picture.
fn outlooks() -> Result<[Transform; 3]> {
    let way = cave()?.way;
    let at = |step: usize, up: f32| way[step].as_vec3() + up * Vec3::Y;
    let outside = at(0, 3.0) + (at(0, 3.0) - at(2, 3.0)).normalize() * 22.0;
    Ok([
        Transform::from_translation(outside).looking_at(at(1, 2.0), Vec3::Y),
        Transform::from_translation(at(4, 2.0)).looking_at(at(2, 2.0), Vec3::Y),
        Transform::from_translation(at(6, 1.8)).looking_at(at(8, 2.2), Vec3::Y),
    ])
}

fn spawn_camera(mut commands: Commands) -> Result {
    let free =
        FreeCamera { mouse_key_cursor_grab: MouseButton::Right, scroll_factor: 0.0, walk_speed: 6.0, ..default() };
    let lamp = PointLight { intensity: 4e6, range: 40.0, color: Color::srgb(1.0, 0.85, 0.65), ..default() };
    commands
        .spawn((Camera3d::default(), TerrainSkyView::default(), free, outlooks()?[0]))
        .with_child((lamp, Transform::from_xyz(0.5, 0.3, 0.0)));
    Ok(())
}

/// Takes away rock where the camera looks.
fn dig(
    buttons: Res<ButtonInput<MouseButton>>,
    terrain: TerrainQuery,
    camera: Single<&Transform, With<Camera3d>>,
    mut volumes: Single<&mut TerrainVolumes>,
) -> Result {
    if !buttons.just_pressed(MouseButton::Left) {
        return Ok(());
    }
    let hit = terrain
        .surface()
        .and_then(|land| land.raycast(camera.translation.as_dvec3(), camera.forward().as_vec3().as_dvec3(), 60.0));
    if let Some(hit) = hit {
        volumes.edit(VolumeId(0), |volume| volume.shapes.push(VolumeShape::dig(hit.position, hit.position, 2.0)))?;
    }
    Ok(())
}
