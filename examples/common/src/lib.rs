//! What the examples and the picture tests share. Not published.

pub mod adapter;
pub mod alike;
pub mod camera;
pub mod compute;
pub mod offscreen;
mod settle;
mod sleep;
pub mod trip;
pub mod variety;

pub use settle::settle;

use bevy::prelude::*;
use bevy_noise_terrain::quality::TerrainQuality;

/// The assets of this repository, wherever a program is started from.
pub const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");

/// Reads a quality from a command line.
///
/// # Errors
/// If it is none: what there is.
pub fn quality(text: &str) -> Result<TerrainQuality, String> {
    match text {
        "auto" => Ok(TerrainQuality::Auto),
        "low" => Ok(TerrainQuality::Low),
        "medium" => Ok(TerrainQuality::Medium),
        "high" => Ok(TerrainQuality::High),
        "ultra" => Ok(TerrainQuality::Ultra),
        _ => Err("it must be auto, low, medium, high or ultra".into()),
    }
}

/// Lets an app read the assets of this repository: `DefaultPlugins.set(assets())`.
///
/// Your own app needs nothing of the kind: Bevy looks into the folder `assets` of your project.
pub fn assets() -> AssetPlugin {
    AssetPlugin { file_path: ASSETS.into(), ..default() }
}
