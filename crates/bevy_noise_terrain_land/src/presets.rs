//! Predefined noise trees.

use terrain_noise::prelude::*;

/// Heights in metres: mountain ranges up to 2.8 km with branching gullies, above broad valleys. Sea level, at 0, is far
/// below.
///
/// With any seed, the origin lies on the floor of a valley.
pub fn mountains() -> Noise {
    // A single octave is zero at the origin for every seed, and valleys follow its zeros.
    let valleys = perlin().feature_size(26_000.0).seed(5).abs();
    let walls = valleys.curve([[0.0, 0.06], [0.06, 0.08], [0.16, 0.45], [0.36, 1.0]]);
    let ranges = perlin().ridged().octaves(2).persistence(0.4).feature_size(9_000.0).seed(2);
    let ranges = ranges.through([[0.4, 300.0], [0.8, 420.0], [1.0, 800.0], [1.2, 1_550.0], [1.36, 2_400.0]]);
    let land = walls.mul(ranges).offset(290.0);
    // Rocks on the heights, rolling ground everywhere.
    let rocks = perlin().ridged().octaves(8).persistence(0.45).feature_size(180.0).seed(3).scale(16.0).offset(-22.0);
    let hills = perlin().fbm().octaves(12).persistence(0.45).feature_size(1_100.0).seed(1).scale(45.0);
    let land = land.gullies(230.0, 2_600.0).add_above(rocks, 300.0, 1_500.0).add(hills);
    // Perfectly sharp crests would look jagged in a mesh.
    land.rounded(1.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distance of samples in metres, less than the width of peaks.
    const STEP: f64 = 250.0;

    /// Elevation angle of the highest visible land, from a height `eye` at the origin, in degrees.
    fn rise(land: &Sampler, eye: f64) -> f64 {
        let mut steepest = f64::NEG_INFINITY;
        for i in -60..=60 {
            for j in -60..=60 {
                let at = [f64::from(i) * STEP, f64::from(j) * STEP];
                let distance = at[0].hypot(at[1]);
                if (2_000.0..=15_000.0).contains(&distance) {
                    let height = f64::from(land.sample_filtered(at, STEP));
                    steepest = steepest.max((height - eye) / distance);
                }
            }
        }
        steepest.atan().to_degrees()
    }

    #[test]
    fn the_origin_is_a_valley_among_mountains_for_almost_every_seed() {
        const SEEDS: u64 = 32;
        let mut among_mountains = 0;
        for seed in 1..=SEEDS {
            let land = mountains().build(seed).unwrap();
            let ground = f64::from(land.sample_filtered([0.0, 0.0], 1.0));
            // Below the snow, and below most of the land.
            assert!((50.0..450.0).contains(&ground), "seed {seed}: {ground} m");
            among_mountains += u64::from(rise(&land, ground + 60.0) > 6.0);
        }
        assert!(10 * among_mountains >= 9 * SEEDS, "{among_mountains} of {SEEDS}");
    }
}
