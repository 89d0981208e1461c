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

/// The assets of this repository, wherever a program is started from.
pub const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");

/// Lets an app read the assets of this repository: `DefaultPlugins.set(assets())`.
///
/// Your own app needs nothing of the kind: Bevy looks into the folder `assets` of your project.
pub fn assets() -> AssetPlugin {
    AssetPlugin { file_path: ASSETS.into(), ..default() }
}
