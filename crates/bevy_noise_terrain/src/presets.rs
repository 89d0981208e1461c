//! Worlds to begin with.

use terrain_noise::prelude::*;

/// Ranges of ridged mountains up to 2 km over rolling hills, in metres.
pub fn mountains() -> Noise {
    let hills = perlin().fbm().octaves(11).persistence(0.5).feature_size(2_400.0).seed(1).scale(150.0);
    // What is warped by broad noise has valleys that wind; the ridged octaves then branch.
    let ridges = perlin().ridged_multifractal().octaves(12).persistence(0.5).feature_size(4_800.0).seed(2);
    let bends = perlin().fbm().octaves(3).feature_size(3_000.0).seed(4);
    let ranges = perlin().fbm().octaves(3).feature_size(16_000.0).seed(3).scale(1.3).offset(0.5).clamp(0.0, 1.0);
    hills.offset(260.0).add(ridges.warp(bends, 450.0).scale(1_450.0).mul(ranges))
}
