//! A chunk of every world of `assets/presets`.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use terrain_noise::{Grid, Noise};

use crate::{SIDE, count_chunk, samplers};

/// A world's file; all other fields are ignored.
#[derive(Deserialize)]
struct World {
    terrain: Land,
}

#[derive(Deserialize)]
struct Land {
    seed: u64,
    noise: Noise,
}

pub fn count_all() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/presets");
    let mut files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    files.sort();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let Some(name) = name.strip_suffix(".terrain.ron") else { continue };
        let world: World = ron::from_str(&fs::read_to_string(&file)?).map_err(|error| format!("{name}: {error}"))?;
        for (set, sampler) in samplers(world.terrain.noise, world.terrain.seed)? {
            count_chunk(&format!("world/{name}"), set, &sampler, &Grid::new([64, -128], 1.0, [SIDE; 2]));
        }
    }
    Ok(())
}
