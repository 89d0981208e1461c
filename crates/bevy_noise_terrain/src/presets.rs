//! Worlds to begin with.

use terrain_noise::prelude::*;

/// Ranges of ridged mountains up to 2 km over rolling hills, in metres.
pub fn mountains() -> Noise {
    let hills = perlin().fbm().octaves(10).persistence(0.45).feature_size(1_500.0).seed(1).scale(160.0);
    let ridges = perlin().ridged_multifractal().octaves(11).persistence(0.47).feature_size(5_200.0).seed(2);
    let where_ranges_rise =
        perlin().fbm().octaves(3).feature_size(14_000.0).seed(3).scale(1.1).offset(0.45).clamp(0.0, 1.0);
    hills.offset(250.0).add(Noise::from(ridges).scale(1_500.0).mul(where_ranges_rise))
}
