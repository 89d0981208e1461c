//! The air, and the sea, if there is to be one.

use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;

use crate::cli::Options;

/// The air of the hour that the command line asks for.
pub fn air(options: &Options) -> Air {
    Air { time: options.time, cloud_cover: options.clouds, ..default() }
}

/// The sea up to the level that the command line asks for.
pub fn sea(options: &Options) -> Option<Sea> {
    options.sea.map(|level| Sea { level, ..default() })
}
