//! Fourier synthesis (Saupe 1988): white noise whose amplitudes are made to fall as `1 / f^β`.
//!
//! The result is periodic, so a tile repeats without a seam; that is also its limit: there is no
//! seamless transition from one tile to a *different* one. And unlike the rest of this crate it takes
//! sines from the platform: equal on one machine, not promised to the bit across machines.

use rustfft::FftPlanner;
use rustfft::num_complex::Complex;

use crate::error::NoiseError;
use crate::lattice::{Key, derive, hash, unit};

/// The most points along a side.
const MOST: usize = 4096;

/// A tile of `side` × `side` heights, row by row, with mean 0, scaled to [-1, 1]. The power of
/// its waves falls as `f^(-2·beta)`: β about 2 looks like weathered hills.
///
/// # Errors
/// A side outside 2 to 4096, a β outside 0 to 8.
///
/// ```
/// let tile = terrain_noise::fourier_tile(7, 64, 2.0)?;
/// assert_eq!(tile.len(), 64 * 64);
/// # Ok::<(), terrain_noise::NoiseError>(())
/// ```
pub fn fourier_tile(seed: u64, side: usize, beta: f64) -> Result<Vec<f32>, NoiseError> {
    if !(2..=MOST).contains(&side) {
        return Err(NoiseError::new("side", side, format!("2 to {MOST}")));
    }
    if !(0.0..=8.0).contains(&beta) {
        return Err(NoiseError::new("beta", beta, "0 to 8"));
    }
    let key = Key::new(derive(seed, 0));
    let mut waves = Vec::with_capacity(side * side);
    for z in 0..side as i64 {
        for x in 0..side as i64 {
            waves.push(Complex::new(f64::from(unit(hash(key.axis(0, x) ^ key.axis(1, z)))), 0.0));
        }
    }
    let mut planner = FftPlanner::new();
    transform_plane(&planner.plan_fft_forward(side), &mut waves, side);
    for (index, wave) in waves.iter_mut().enumerate() {
        let [x, z] = [index % side, index / side].map(|k| k.min(side - k) as f64);
        let frequency = (x * x + z * z).sqrt();
        // Frequency 0 is the mean, which a tile does not have.
        *wave *= if frequency > 0.0 { libm::pow(frequency, -beta) } else { 0.0 };
    }
    transform_plane(&planner.plan_fft_inverse(side), &mut waves, side);
    let most = waves.iter().fold(0.0f64, |most, wave| most.max(wave.re.abs()));
    let scale = if most > 0.0 { 1.0 / most } else { 0.0 };
    Ok(waves.iter().map(|wave| (wave.re * scale) as f32).collect())
}

/// Transforms all rows, then all columns.
fn transform_plane(fft: &std::sync::Arc<dyn rustfft::Fft<f64>>, plane: &mut [Complex<f64>], side: usize) {
    for _ in 0..2 {
        fft.process(plane);
        for row in 0..side {
            for column in row + 1..side {
                plane.swap(row * side + column, column * side + row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_falls_as_told() {
        let side = 256;
        for beta in [1.0, 1.5, 2.0] {
            // Mean power of the rings around 8 and 64 waves a tile, over a few tiles.
            let mut ratio = 0.0;
            for seed in 0..8 {
                let tile = fourier_tile(seed, side, beta).unwrap();
                let mut waves: Vec<_> = tile.iter().map(|&h| Complex::new(f64::from(h), 0.0)).collect();
                transform_plane(&FftPlanner::new().plan_fft_forward(side), &mut waves, side);
                let ring = |radius: f64| {
                    let (mut sum, mut count) = (0.0, 0.0);
                    for (index, wave) in waves.iter().enumerate() {
                        let [x, z] = [index % side, index / side].map(|k| k.min(side - k) as f64);
                        if ((x * x + z * z).sqrt() / radius).ln().abs() < 0.1 {
                            sum += wave.norm_sqr();
                            count += 1.0;
                        }
                    }
                    sum / count
                };
                // Tiles are scaled one by one: only the ratio of a tile's rings means something.
                ratio += ring(64.0) / ring(8.0) / 8.0;
            }
            let exponent = ratio.ln() / 8f64.ln();
            assert!((exponent + 2.0 * beta).abs() < 0.15, "{beta}: {exponent}");
        }
    }

    #[test]
    fn the_tile_repeats_without_a_seam() {
        let side = 128;
        let tile = fourier_tile(5, side, 2.0).unwrap();
        let step = |x: usize| -> f64 {
            let next = (x + 1) % side;
            tile.chunks_exact(side).map(|row| f64::from((row[next] - row[x]).abs())).sum()
        };
        let inside = (0..side - 1).map(step).fold(0.0, f64::max);
        assert!(step(side - 1) <= inside, "{} {inside}", step(side - 1));
    }

    #[test]
    fn bad_sizes_are_refused() {
        assert!(fourier_tile(1, 1, 2.0).is_err());
        assert!(fourier_tile(1, 5000, 2.0).is_err());
        assert!(fourier_tile(1, 64, f64::NAN).is_err());
    }
}
