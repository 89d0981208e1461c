//! Paints a world from a file: a hillshaded map, seen from above, and a view over the land.
//!
//! `cargo run --release -p terrain_noise --example landscape -- FILE.terrain.ron OUT.png [OPTION VALUE]...`
//!
//! Options: `--at X,Z` middle of the map; `--span METRES` its side; `--eye X,Z,ABOVE` where the view is from,
//! `ABOVE` metres above the ground; `--yaw DEGREES` and `--pitch DEGREES` where it looks to; `--seed N`;
//! `--tint R,G,B` the colour of the ground, 0 to 1 each.
//! Prints how long a 65 × 65 chunk takes at some spacings.

#![allow(clippy::disallowed_methods, reason = "pictures make no worlds")]

mod map;
mod paint;
mod view;
mod world;

use std::fs::File;
use std::io::BufWriter;
use std::time::Instant;

use terrain_noise::prelude::*;

/// The options of the pictures.
pub struct Options {
    at: [f64; 2],
    span: f64,
    eye: [f64; 3],
    yaw: f64,
    pitch: f64,
    seed: Option<u64>,
    tint: Option<paint::Colour>,
}

fn numbers<const N: usize>(text: &str) -> Result<[f64; N], Box<dyn std::error::Error>> {
    let all = text.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>()?;
    all.try_into().map_err(|all: Vec<f64>| format!("{text}: {} numbers, not {N}", all.len()).into())
}

fn options(arguments: &[String]) -> Result<Options, Box<dyn std::error::Error>> {
    let mut options = Options {
        at: [0.0; 2],
        span: 16_000.0,
        eye: [0.0, 0.0, 500.0],
        yaw: 35.0,
        pitch: -9.0,
        seed: None,
        tint: None,
    };
    for pair in arguments.chunks(2) {
        let [name, value] = pair else { return Err(format!("{}: a value is missing", pair[0]).into()) };
        match name.as_str() {
            "--at" => options.at = numbers(value)?,
            "--span" => [options.span] = numbers(value)?,
            "--eye" => options.eye = numbers(value)?,
            "--yaw" => [options.yaw] = numbers(value)?,
            "--pitch" => [options.pitch] = numbers(value)?,
            "--tint" => options.tint = Some(numbers::<3>(value)?.map(|c| c as f32)),
            "--seed" => options.seed = Some(value.parse()?),
            other => return Err(format!("{other}: no such option").into()),
        }
    }
    Ok(options)
}

fn save(path: &str, width: usize, height: usize, pixels: &[[u8; 3]]) -> Result<(), Box<dyn std::error::Error>> {
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(pixels.as_flattened())?;
    Ok(())
}

/// Processor time of this thread in seconds, where the system reports it.
fn processor_time() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(told.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
}

/// The mean time per chunk, in microseconds.
fn chunk_time(land: &Sampler, spacing: f64) -> f64 {
    const ROUNDS: u32 = 100;
    let mut scratch = Scratch::default();
    let mut heights = vec![0.0; 65 * 65];
    let (start, before) = (Instant::now(), processor_time());
    for round in 0..i64::from(ROUNDS) {
        let grid = Grid::new([round * 640, round * -1000], spacing, [65, 65]);
        land.fill(&grid, &mut scratch, &mut heights);
    }
    let taken = before.and_then(|before| Some(processor_time()? - before));
    taken.unwrap_or_else(|| start.elapsed().as_secs_f64()) * 1e6 / f64::from(ROUNDS)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, out, rest @ ..] = &arguments[..] else {
        return Err("usage: landscape FILE.terrain.ron OUT.png [OPTION VALUE]...".into());
    };
    let options = options(rest)?;
    let world = world::read(file)?;
    let land = world.noise.build(options.seed.unwrap_or(world.seed))?;
    let (map, range) = map::paint(&land, &options, 720);
    let (width, height) = (1120, 720);
    let view = view::paint(&land, &options, [width, height]);
    let mut pixels = Vec::with_capacity((720 + width) * 720);
    for y in 0..720 {
        pixels.extend_from_slice(&map[y * 720..(y + 1) * 720]);
        pixels.extend_from_slice(&view[y * width..(y + 1) * width]);
    }
    save(out, 720 + width, 720, &pixels)?;
    let bounds = land.bounds();
    println!("{file}: {:.0} to {:.0} m, at most {:.0} to {:.0}", range.min, range.max, bounds.min, bounds.max);
    let times =
        [1.0, 4.0, 16.0, 64.0, 256.0].map(|spacing| format!("{spacing} m: {:.0} µs", chunk_time(&land, spacing)));
    println!("65 × 65 chunk, {:?}: {}", land.instructions(), times.join(", "));
    Ok(())
}
