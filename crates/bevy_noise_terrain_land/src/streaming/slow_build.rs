//! Warns once about unoptimised builds, with the lines for `Cargo.toml` that help.

use bevy::prelude::*;

use crate::source::TerrainSource;
use crate::terrain::TerrainStats;

/// What an app's `Cargo.toml` needs so that its debug builds stream as release builds do.
pub const PROFILE: &str = "\
[profile.dev.package]
terrain_noise.opt-level = 3
bevy_noise_terrain_land.opt-level = 3";

/// More milliseconds than a chunk takes in an optimised build on a slow machine.
const MOST_MS: f32 = 20.0;

/// Number of chunks to average over.
const CHUNKS: u64 = 8;

/// Warns if chunks of the noise core take far longer than they should. Height sources of the app may be as slow as they like.
pub(crate) fn warn_of_slow_build(terrains: Query<&TerrainStats, Without<TerrainSource>>, mut told: Local<bool>) {
    if *told {
        return;
    }
    if let Some(warning) = terrains.iter().find_map(warning) {
        warn!("{warning}");
        *told = true;
    }
}

/// The warning, if chunks are slow enough for one.
fn warning(stats: &TerrainStats) -> Option<String> {
    let slow = stats.built >= CHUNKS && stats.chunk_ms > MOST_MS;
    (slow && cfg!(debug_assertions)).then(|| {
        format!(
            "a chunk of terrain takes {:.0} ms, which is far too long: it seems to be built without optimisation. \
             These lines in the Cargo.toml of the workspace optimise the terrain alone, also in debug builds:\n\n{PROFILE}\n",
            stats.chunk_ms
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_chunks_are_told_of_with_the_lines_of_the_readme() {
        let stats = |built, chunk_ms| TerrainStats { built, chunk_ms, ..default() };
        let message = warning(&stats(50, 83.0)).unwrap();
        assert!(message.contains("83 ms") && message.contains(PROFILE), "{message}");
        assert_eq!(warning(&stats(50, 4.0)), None);
        assert_eq!(warning(&stats(3, 83.0)), None);
        let readme = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md"));
        assert!(readme.contains(PROFILE), "the README has other lines");
    }
}
