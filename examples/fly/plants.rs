//! What grows and lies on the default world: meadows, woods below the tree line, boulders on the scree.

use bevy_noise_terrain::prelude::*;

/// Where the woods end, in metres; a little below the ground's own tree line.
const TREE_LINE: f32 = 880.0;

/// Grass near by, woods to a kilometre and a half, rocks on steep ground.
pub fn scatter() -> Scatter {
    let woods = Patches { feature_size: 420.0, coverage: 0.5, seed: 11, ..Patches::default() };
    let groves = Patches { feature_size: 260.0, coverage: 0.28, seed: 12, ..Patches::default() };
    let boulders = Patches { feature_size: 60.0, coverage: 0.35, seed: 13, ..Patches::default() };
    Scatter {
        kinds: vec![
            ScatterKind {
                density: 8.0,
                max_height: 1_150.0,
                height_fade: 200.0,
                max_slope: 0.62,
                ..ScatterKind::grass()
            },
            ScatterKind {
                max_height: TREE_LINE,
                height_fade: 160.0,
                patches: Some(woods),
                density: 0.028,
                ..ScatterKind::conifer()
            },
            // Broadleaved trees keep to the lower and gentler ground.
            ScatterKind {
                max_height: 480.0,
                height_fade: 120.0,
                patches: Some(groves),
                density: 0.012,
                ..ScatterKind::broadleaf()
            },
            // Scree: between meadow and cliff.
            ScatterKind {
                min_slope: 0.42,
                max_slope: 0.80,
                max_height: 1_700.0,
                density: 0.05,
                min_size: 0.25,
                max_size: 1.8,
                ..ScatterKind::rock()
            },
            // Erratics on the meadows.
            ScatterKind {
                max_slope: 0.5,
                max_height: 1_500.0,
                density: 0.006,
                min_size: 0.3,
                max_size: 2.4,
                patches: Some(boulders),
                seed: 21,
                ..ScatterKind::rock()
            },
        ],
        ..Scatter::default()
    }
}
