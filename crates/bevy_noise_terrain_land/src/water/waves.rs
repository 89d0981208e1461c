//! The waves: a sum of sines whose lengths and directions are incommensurable, so that it never repeats.
//!
//! Waves too small for a pixel contribute the variance of their slopes, which becomes roughness (Olano and
//! Baker, *LEAN Mapping*, 2010; for sines it is exact): distant water neither sparkles nor shows a pattern.

use std::f64::consts::TAU;

use bevy::math::DVec2;

use super::TerrainWater;

/// Number of waves in the sum; must match `water.wesl`.
pub const WAVES: usize = 32;
/// Ratio of the longest wave to the shortest; greater if the shortest would otherwise be longer than [`RIPPLE`].
const SPAN: f64 = 160.0;
/// The shortest waves are at most this long, in metres.
const RIPPLE: f64 = 0.15;
/// Slopes grow from long waves to short ones: the mean square slope is this power of the wave number.
const STEEPENING: f64 = 0.1;
const GRAVITY: f64 = 9.81;
/// The fractional parts of its multiples fill the interval from 0 to 1 evenly and never repeat.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// One wave: its height at a position is `amplitude · cos(k · position − speed · seconds + phase)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wave {
    /// The wave vector: radians per metre, in the direction in which it runs.
    pub k: DVec2,
    /// Its steepest slope.
    pub slope: f64,
    /// Angular frequency in radians per second.
    pub speed: f64,
    /// Phase at the origin in radians.
    pub phase: f64,
}

/// The waves for these settings, longest first. Their significant height (four times the standard deviation) is
/// [`TerrainWater::wave_height`].
pub fn waves(settings: &TerrainWater) -> [Wave; WAVES] {
    let longest = f64::from(settings.wave_length);
    let span = SPAN.max(longest / RIPPLE);
    let heading = f64::from(settings.wave_heading).to_radians();
    let mut waves: [Wave; WAVES] = std::array::from_fn(|index| {
        let share = index as f64 / (WAVES - 1) as f64;
        // Two sequences without a common period: no wave is a multiple of another or runs parallel to it.
        let [a, b] = [1.0, GOLDEN].map(|step| (0.5 + (index as f64 + 1.0) * GOLDEN * step).fract());
        let length = longest * span.powf(-(share + 0.6 * (b - 0.5) / WAVES as f64));
        let number = TAU / length;
        // Long waves run with the wind, ripples in every direction.
        let turn = (0.35 + 0.85 * share) * (2.6 * a - 1.3);
        let course = DVec2::new((heading + turn).sin(), -(heading + turn).cos());
        Wave {
            k: course * number,
            slope: (number * longest).powf(0.5 * STEEPENING),
            speed: f64::from(settings.wave_speed) * (GRAVITY * number).sqrt(),
            phase: TAU * (index as f64 * GOLDEN * GOLDEN).fract(),
        }
    });
    let variance: f64 = waves.iter().map(|wave| 0.5 * (wave.slope / wave.k.length()).powi(2)).sum();
    let scale = f64::from(settings.wave_height) / (4.0 * variance.sqrt());
    for wave in &mut waves {
        wave.slope *= scale;
    }
    waves
}

/// Mean square slope of all waves, along both axes together.
pub fn mean_square_slope(waves: &[Wave; WAVES]) -> f64 {
    waves.iter().map(|wave| 0.5 * wave.slope * wave.slope).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::prelude::default;

    #[test]
    fn waves_are_as_high_as_they_should_be_and_as_steep_as_in_nature() {
        let settings = TerrainWater::default();
        let waves = waves(&settings);
        let height = |x: f64, z: f64| -> f64 {
            let at = DVec2::new(x, z);
            waves.iter().map(|wave| wave.slope / wave.k.length() * (wave.k.dot(at) + wave.phase).cos()).sum()
        };
        let heights: Vec<f64> = (0..20_000).map(|i| height(3.7 * f64::from(i), 911.3 * f64::from(i % 97))).collect();
        let mean = heights.iter().sum::<f64>() / heights.len() as f64;
        let deviation = (heights.iter().map(|h| (h - mean).powi(2)).sum::<f64>() / heights.len() as f64).sqrt();
        assert!((4.0 * deviation / f64::from(settings.wave_height) - 1.0).abs() < 0.1, "{deviation}");
        // Cox and Munk, 1954: 0.003 to 0.07 from calm to storm.
        let square = mean_square_slope(&waves);
        assert!((0.005..0.04).contains(&square), "{square}");
    }

    #[test]
    fn no_two_waves_are_commensurable() {
        let waves = waves(&TerrainWater::default());
        for (index, a) in waves.iter().enumerate() {
            for b in &waves[index + 1..] {
                let ratio = a.k.length() / b.k.length();
                assert!(ratio < 0.995, "longest first, none twice: {ratio}");
                let crossing = a.k.normalize().perp_dot(b.k.normalize()).abs();
                assert!(crossing > 1e-3 || ratio < 0.8, "{a:?} is parallel to {b:?}");
            }
        }
    }

    #[test]
    fn still_water_is_a_mirror_and_long_swell_has_ripples() {
        assert_eq!(mean_square_slope(&waves(&TerrainWater { wave_height: 0.0, ..default() })), 0.0);
        let swell = waves(&TerrainWater { wave_length: 500.0, wave_height: 10.0, ..default() });
        assert!(TAU / swell[WAVES - 1].k.length() < 0.2);
        assert!(swell.iter().all(|wave| wave.k.is_finite() && wave.slope.is_finite() && wave.slope > 0.0));
    }
}
