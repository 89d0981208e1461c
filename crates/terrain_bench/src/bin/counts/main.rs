//! The noise core's work for `cargo xtask check --only counts`: every kernel, and every world of `assets/presets`.

mod kernels;
mod worlds;

use std::error::Error;
use std::hint::black_box;

use terrain_bench::counting::{count, count_again};
use terrain_noise::{Grid, Instructions, Noise, NoiseError, Sampler, Scratch};

/// Samples along a side of a chunk.
const SIDE: usize = 65;

fn main() -> Result<(), Box<dyn Error>> {
    kernels::count_all()?;
    worlds::count_all()
}

/// The samplers of a noise, each with the name of its instruction set. Valgrind knows no AVX-512.
fn samplers(noise: impl Into<Noise>, seed: u64) -> Result<Vec<(&'static str, Sampler)>, NoiseError> {
    let sampler = noise.into().build(seed)?;
    let sets = [("sse2", Instructions::Baseline), ("avx2", Instructions::Avx2)];
    let available = sets.into_iter().filter(|(_, set)| *set <= Instructions::best());
    Ok(available.map(|(name, set)| (name, sampler.clone().with_instructions(set))).collect())
}

/// Counts the heights of a chunk, and its heights with slopes.
fn count_chunk(name: &str, set: &str, sampler: &Sampler, grid: &Grid) {
    let mut scratch = Scratch::default();
    let [mut heights, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; grid.len()]);
    count_again(&format!("{name}/heights/{set}"), || {
        sampler.fill(grid, &mut scratch, &mut heights);
        black_box(&mut heights);
    });
    // Not done twice: slopes of worlds take seconds, and what memory they need beyond that of heights takes nothing.
    count(&format!("{name}/slopes/{set}"), || {
        sampler.fill_with_gradient(grid, &mut scratch, &mut heights, &mut dx, &mut dz);
        black_box((&mut heights, &mut dx, &mut dz));
    });
}
