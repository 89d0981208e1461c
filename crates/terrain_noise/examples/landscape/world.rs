//! The part of a world's file that is the land.

use serde::Deserialize;
use terrain_noise::prelude::*;

/// A world's file; what else stands in it is for others.
#[derive(Deserialize)]
struct World {
    terrain: Land,
}

/// The land of a world.
#[derive(Deserialize)]
pub struct Land {
    /// Which world of this kind.
    pub seed: u64,
    /// Its heights.
    pub noise: Noise,
}

pub fn read(path: &str) -> Result<Land, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(path)?;
    let world: World = ron::from_str(&text).map_err(|error| format!("{path}: {error}"))?;
    Ok(world.terrain)
}
