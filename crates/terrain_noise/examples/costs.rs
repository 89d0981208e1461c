//! The time that a chunk takes: nodes and worlds compared with eight plain octaves, measured in turns.
//!
//! `cargo run --release -p terrain_noise --example costs -- [OPTION VALUE]... [FILE.terrain.ron]...`
//!
//! Means of the thread's own time, in microseconds per chunk of 65 × 65 samples,
//! octaves limited by the spacing: heights alone, and heights with slopes. Without files, the project's worlds.
//!
//! Options: `--spacing METRES` between samples, 1 if not given; `--json FILE` also writes the table there;
//! `--only TEXT` leaves out cases without it in their name, except the first, which is the unit.

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

/// What is to be measured.
struct Options {
    spacing: f64,
    json: Option<PathBuf>,
    only: String,
    files: Vec<PathBuf>,
}

fn options() -> Result<Options, Failure> {
    let mut options = Options { spacing: 1.0, json: None, only: String::new(), files: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument}: a value is missing"));
        match argument.as_str() {
            "--spacing" => options.spacing = value()?.parse()?,
            "--json" => options.json = Some(value()?.into()),
            "--only" => options.only = value()?,
            option if option.starts_with("--") => return Err(format!("{option}: no such option").into()),
            file => options.files.push(file.into()),
        }
    }
    if !(options.spacing.is_finite() && options.spacing > 0.0) {
        return Err(format!("--spacing: found {}, allowed is more than 0", options.spacing).into());
    }
    Ok(options)
}

/// The table as an array of objects.
fn json(rows: &[(&str, [f64; 4])]) -> String {
    let row = |(case, [heights, heights_ratio, slopes, slopes_ratio]): &(&str, [f64; 4])| {
        format!(
            "  {{\"case\": {case:?}, \"heights_us\": {heights:.2}, \"heights_ratio\": {heights_ratio:.3}, \
             \"slopes_us\": {slopes:.2}, \"slopes_ratio\": {slopes_ratio:.3}}}"
        )
    };
    format!("[\n{}\n]\n", rows.iter().map(row).collect::<Vec<_>>().join(",\n"))
}

fn main() -> Result<(), Failure> {
    let options = options()?;
    let mut cases = Vec::new();
    let mut case = |name: String, land: Sampler| cases.push(Case { name, land, spent: Default::default() });
    for (name, noise) in nodes() {
        case(name.to_owned(), noise.build(1)?);
    }
    for file in if options.files.is_empty() { worlds()? } else { options.files } {
        let world = world::read(&file.to_string_lossy())?;
        let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().replace(".terrain.ron", ""));
        case(format!("{name}, sharp"), world.noise.clone().rounded(0.0).build(world.seed)?);
        case(name, world.noise.build(world.seed)?);
    }
    let mut first = true;
    cases.retain(|case| std::mem::take(&mut first) || case.name.contains(&options.only));
    let mut scratch = Scratch::default();
    let [mut heights, mut dx, mut dz] = std::array::from_fn(|_| vec![0.0; 65 * 65]);
    let start = Instant::now();
    for turn in 0..TURNS {
        for case in &mut cases {
            for slopes in [false, true] {
                let (begun, before) = (Instant::now(), now(start));
                let mut chunks = 0;
                while begun.elapsed().as_secs_f64() < TURN {
                    let grid = Grid::new([chunks * 6400, turn * -6400], options.spacing, [65, 65]);
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
    let means = |case: &Case| case.spent.map(|(seconds, chunks)| seconds / chunks as f64 * 1e6);
    let unit = means(&cases[0]);
    let row = |case| {
        let [heights, slopes] = means(case);
        [heights, heights / unit[0], slopes, slopes / unit[1]]
    };
    let rows: Vec<_> = cases.iter().map(|case| (&*case.name, row(case))).collect();
    println!("{:<28} {:>9} {:>6} {:>12} {:>6}", "65 × 65, µs", "heights", "ratio", "with slopes", "ratio");
    for (name, [heights, a, slopes, b]) in &rows {
        println!("{name:<28} {heights:>9.1} {a:>6.1} {slopes:>12.1} {b:>6.1}");
    }
    if let Some(file) = options.json {
        std::fs::write(file, json(&rows))?;
    }
    Ok(())
}
