//! How long many edits take to come and go.

use std::time::Instant;

use bevy_noise_terrain::TerrainSave;

use crate::chunks::elsewhere;

pub struct Saves {
    pub apply_s: f64,
    pub save_s: f64,
    pub load_s: f64,
    pub file_mb: f64,
    pub is_equal: bool,
}

/// Applies, saves and loads `many` edits.
pub fn run(many: u32) -> Result<Saves, Box<dyn std::error::Error>> {
    let path = std::env::temp_dir().join(format!("terrain-bench-{}.save.ron", std::process::id()));
    let began = Instant::now();
    let save = TerrainSave { edits: elsewhere(many)?, ..TerrainSave::default() };
    let apply_s = began.elapsed().as_secs_f64();
    let began = Instant::now();
    save.write(&path)?;
    let save_s = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let loaded = TerrainSave::read(&path)?;
    let load_s = began.elapsed().as_secs_f64();
    let file_mb = std::fs::metadata(&path)?.len() as f64 / 1e6;
    std::fs::remove_file(&path)?;
    Ok(Saves { apply_s, save_s, load_s, file_mb, is_equal: loaded == save })
}
