//! The time that a chunk takes: nodes and worlds compared with eight plain octaves, measured in turns.
//!
//! `cargo run --release -p terrain_noise --example costs -- [FILE.terrain.ron]...`
//!
//! Means of the thread's own time, in microseconds per chunk of 65 × 65 samples 1 m apart,
//! octaves limited by the spacing: heights alone, and heights with slopes. Without files, the project's worlds.

#[path = "landscape/world.rs"]
mod world;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use terrain_noise::prelude::*;

const TURNS: i64 = 9;
/// The least seconds per turn: some systems count a thread's time in milliseconds.
const TURN: f64 = 0.06;

type Failure = Box<dyn std::error::Error>;

struct Case {
    name: String,
    land: Sampler,
    /// Seconds and chunks: heights, heights with slopes.
    spent: [(f64, i64); 2],
}

/// Processor time of this thread in seconds, where the system reports it; otherwise wall time.
fn now(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|told| told.split_whitespace().next()?.parse::<f64>().ok());
    told.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds * 1e-9)
}

fn nodes() -> Vec<(&'static str, Noise)> {
    let octaves = || perlin().fbm().octaves(8).feature_size(256.0);
    let land = || perlin().fbm().octaves(3).feature_size(4000.0).scale(400.0);
    let ridged = || perlin().ridged().octaves(8).feature_size(256.0);
    vec![
        ("eight octaves", octaves().into()),
        ("eight ridged", ridged().into()),
        ("eight ridged, rounded", ridged().rounding(1.5).into()),
        ("eight warped by two", octaves().warp(perlin().fbm().octaves(2).feature_size(900.0), 60.0)),
        ("curve over eight", octaves().curve([[-0.5, 0.0], [-0.1, 0.1], [0.2, 0.3], [0.6, 2.0]])),
        ("strata over eight", octaves().scale(90.0).strata(20.0, 0.9, perlin().feature_size(900.0)).into()),
        ("add above, eight and eight", octaves().add_above(octaves(), -0.3, 0.5)),
        ("damped, eight", perlin().feature_size(256.0).damped().octaves(8).into()),
        ("dunes", dunes(100.0).into()),
        ("three", land()),
        ("gullies over three", land().gullies(60.0, 500.0).into()),
        ("gullies over three, rounded", land().gullies(60.0, 500.0).rounded(1.5)),
        ("gullies over three warped", land().warp(perlin().feature_size(3000.0), 300.0).gullies(60.0, 500.0).into()),
    ]
}

fn worlds() -> Result<Vec<PathBuf>, Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/presets");
    let files = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, Failure>>()?;
    let mut files: Vec<_> = files.into_iter().filter(|file| file.to_string_lossy().ends_with(".terrain.ron")).collect();
    files.sort();
    Ok(files)
}

fn main() -> Result<(), Failure> {
    let mut cases = Vec::new();
    let mut case = |name: String, land: Sampler| cases.push(Case { name, land, spent: Default::default() });
    for (name, noise) in nodes() {
        case(name.to_owned(), noise.build(1)?);
    }
    let files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    for file in if files.is_empty() { worlds()? } else { files } {
        let world = world::read(&file.to_string_lossy())?;
        let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().replace(".terrain.ron", ""));
        case(format!("{name}, sharp"), world.noise.clone().rounded(0.0).build(world.seed)?);
        case(name, world.noise.build(world.seed)?);
    }
    let mut scratch = Scratch::default();
    let [mut heights, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; 65 * 65]);
    let start = Instant::now();
    for turn in 0..TURNS {
        for case in &mut cases {
            for slopes in [false, true] {
                let (begun, before) = (Instant::now(), now(start));
                let mut chunks = 0;
                while begun.elapsed().as_secs_f64() < TURN {
                    let grid = Grid::new([chunks * 6400, turn * -6400], 1.0, [65, 65]);
                    if slopes {
                        case.land.fill_with_gradient(&grid, &mut scratch, &mut heights, &mut dx, &mut dz);
                    } else {
                        case.land.fill(&grid, &mut scratch, &mut heights);
                    }
                    black_box((&mut heights, &mut dx, &mut dz));
                    chunks += 1;
                }
                let (seconds, count) = &mut case.spent[usize::from(slopes)];
                *seconds += now(start) - before;
                *count += chunks;
            }
        }
    }
    let mut unit = [0.0; 2];
    println!("{:<28} {:>9} {:>6} {:>12} {:>6}", "65 × 65, µs", "heights", "ratio", "with slopes", "ratio");
    for case in &cases {
        let [plain, slopes] = case.spent.map(|(seconds, chunks)| seconds / chunks as f64 * 1e6);
        if unit[0] == 0.0 {
            unit = [plain, slopes];
        }
        let [a, b] = [plain / unit[0], slopes / unit[1]];
        println!("{:<28} {plain:>9.1} {a:>6.1} {slopes:>12.1} {b:>6.1}", case.name);
    }
    Ok(())
}
