//! Worlds to begin with.

use terrain_noise::prelude::*;

/// Ranges up to 2.5 km above broad valleys, cut by gullies that branch, in metres. The sea, at 0, is far below.
pub fn mountains() -> Noise {
    // Where ridges are low the curve makes a valley floor; what is warped by broad noise winds.
    let bends = perlin().fbm().octaves(2).feature_size(8_500.0).seed(4);
    let ranges = perlin().ridged().octaves(2).persistence(0.4).feature_size(13_000.0).seed(2).warp(bends, 1_200.0);
    let land = ranges.curve([[0.4, 280.0], [0.88, 370.0], [1.0, 620.0], [1.2, 1_500.0], [1.36, 2_400.0]]);
    // Rocks on the heights, rolling ground everywhere.
    let rocks = perlin().ridged().octaves(8).persistence(0.45).feature_size(180.0).seed(3).scale(16.0).offset(-22.0);
    let hills = perlin().fbm().octaves(12).persistence(0.45).feature_size(1_400.0).seed(1).scale(30.0);
    let land = land.gullies(230.0, 2_600.0).add_above(rocks, 300.0, 1_500.0).add(hills);
    // Crests of no width would be saws in a mesh.
    land.rounded(1.5)
}
