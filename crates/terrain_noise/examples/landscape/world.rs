//! Reads the land from a world's file.

use serde::Deserialize;
use terrain_noise::prelude::*;

/// A world's file; all other fields are ignored.
#[derive(Deserialize)]
struct World {
    terrain: Land,
}

/// The land of a world.
#[derive(Deserialize)]
pub struct Land {
    /// The world's seed.
    pub seed: u64,
    /// Its heights.
    pub noise: Noise,
}

pub fn read(path: &str) -> Result<Land, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(path)?;
    let world: World = ron::from_str(&text).map_err(|error| format!("{path}: {error}"))?;
    Ok(world.terrain)
}
