//! Cases of single kernels: cells, cubic values, space, and a lattice that repeats.

use std::hint::black_box;

use fastnoise_lite::{CellularDistanceFunction, CellularReturnType, FastNoiseLite, FractalType, NoiseType};
use terrain_noise::prelude::{CellOutput, Compose as _, Cubic, Noise, cellular, cubic_value, perlin, value};
use terrain_noise::{Instructions, Sampler, Scratch};

use super::work::{FREQUENCY, OCTAVES, Square, WAVELENGTH};
use super::{BASELINE, Runner, Table, chunks, ours, peer};

/// Metres per feature of the cases with one octave.
const SINGLE: f64 = 32.0;

#[expect(clippy::panic, reason = "the cases are fixed: an invalid one is a mistake in this file")]
fn built(noise: impl Into<Noise>) -> Sampler {
    noise.into().build(7).unwrap_or_else(|error| panic!("{error}"))
}

fn fastnoise_lite(kind: NoiseType, octaves: u32, frequency: f64) -> FastNoiseLite {
    let mut noise = FastNoiseLite::with_seed(1);
    noise.set_noise_type(Some(kind));
    noise.set_frequency(Some(frequency as f32));
    noise.set_cellular_distance_function(Some(CellularDistanceFunction::Euclidean));
    noise.set_cellular_return_type(Some(CellularReturnType::Distance));
    if octaves > 1 {
        noise.set_fractal_type(Some(FractalType::FBm));
        noise.set_fractal_octaves(Some(octaves as i32));
        noise.set_fractal_gain(Some(0.5));
    }
    noise
}

/// Fills squares with one octave of a kind.
fn filled(kind: NoiseType) -> impl Fn(Square, &mut [f32]) {
    let noise = fastnoise_lite(kind, 1, 1.0 / SINGLE);
    move |square, out| {
        let grid = square.grid();
        for (i, out) in out.iter_mut().enumerate() {
            let at = [grid.x(i % square.side), grid.z(i / square.side)];
            *out = noise.get_noise_2d(at[0] as f32, at[1] as f32);
        }
    }
}

/// Scattered positions in space.
fn positions() -> Vec<[f64; 3]> {
    let at = |i: i32, step: i32, around: i32| f64::from(i * step % around);
    (0..4096).map(|i| [at(i, 733, 4099) * 1.37, at(i, 197, 4111) * 0.93, at(i, 389, 4127) * 1.11]).collect()
}

/// Lists of positions in space against one call each.
fn space(table: &mut Table, case: &str, sampler: Sampler, kind: NoiseType) {
    let positions = positions();
    let plain = sampler.clone().with_instructions(Instructions::Baseline);
    let other = fastnoise_lite(kind, OCTAVES, FREQUENCY);
    let list = |name, sampler: Sampler| {
        let (positions, mut out, mut scratch) = (&positions, vec![0.0; positions.len()], Scratch::default());
        Runner::new(name, move || {
            sampler.fill_points_3d(positions, 0.0, &mut scratch, &mut out);
            black_box(&mut out);
        })
    };
    let mut out = vec![0.0; positions.len()];
    let all = vec![
        list("", sampler),
        list(BASELINE, plain),
        Runner::new("fastnoise-lite", || {
            for (out, &[x, y, z]) in out.iter_mut().zip(&positions) {
                *out = other.get_noise_3d(x as f32, y as f32, z as f32);
            }
            black_box(&mut out);
        }),
    ];
    table.case(case, positions.len(), all);
}

pub fn cases(table: &mut Table) {
    let chunks = chunks();
    for (case, noise, kind) in [
        ("cellular65", cellular(CellOutput::F1), NoiseType::Cellular),
        ("cubic65", cubic_value(Cubic::CatmullRom), NoiseType::ValueCubic),
    ] {
        let mut all = ours(built(noise.feature_size(SINGLE)), &chunks, false);
        all.push(peer("fastnoise-lite", &chunks, filled(kind)));
        table.case(case, chunks.len(), all);
    }

    let octaves = |single: terrain_noise::Single| single.fbm().octaves(OCTAVES).feature_size(WAVELENGTH);
    space(table, "perlin3d", built(octaves(perlin())), NoiseType::Perlin);
    space(table, "value3d", built(octaves(value())), NoiseType::Value);

    // The same without a period counts as the peer.
    for (case, turn) in [("periodic65", 0.0), ("periodic_turned65", 30.0)] {
        let noise = |single: terrain_noise::Single| built(Noise::from(octaves(single)).rotate(turn));
        let mut all = ours(noise(perlin().period(4, 4)), &chunks, false);
        let free = ours(noise(perlin()), &chunks, false);
        all.extend(free.into_iter().zip(["endless", "endless_baseline"]).map(|(ours, name)| Runner { name, ..ours }));
        table.case(case, chunks.len(), all);
    }
}
