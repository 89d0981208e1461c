//! Heights from the graphics card: the noise of the land as a compute shader, timed beside the core, which runs on one
//! thread, and compared with it.
//!
//! ```sh
//! cargo run --release --all-features --example noise_on_card
//! ```
//!
//! No window opens. On a software adapter both run on the processor.

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use bevy_noise_terrain::render::NOISE_WGSL;
use bevy_noise_terrain::terrain_noise::{Single, prelude::*};
use examples_common::adapter::DRIVER_HELP;
use examples_common::compute::Compute;
use wgpu::ComputePipeline;

/// Points along a side of the grid, and metres between them.
const SIDE: usize = 1024;
const SPACING: f64 = 2.0;
/// The first point, in multiples of the spacing: a million kilometres out.
const START: [i64; 2] = [500_000_000, -120_000_000];

/// Each invocation makes one height. Octaves that the grid is too coarse for fade out, as they do in the core.
const SHADER: &str = "
@group(0) @binding(0) var<uniform> land: Noise;
@group(0) @binding(1) var<storage, read_write> heights: array<f32>;

@compute @workgroup_size(8, 8)
fn fill(@builtin(global_invocation_id) id: vec3<u32>) {
    var walk = start(place_at(2.0 * vec2<f32>(id.xy)), 2.0);
    for (var octave = 0u; octave < land.settings.octaves; octave += 1u) {
        walk = next(land.settings, land.octaves[octave], walk);
    }
    heights[id.y * 1024u + id.x] = total(land.settings, walk).x;
}
";

fn main() -> ExitCode {
    let Some(compute) = Compute::open() else {
        eprintln!("{DRIVER_HELP}");
        return ExitCode::FAILURE;
    };
    println!("{} × {} heights, {} m apart, on {}", SIDE, SIDE, SPACING, compute.name());
    let pipeline = compute.pipeline(&format!("{NOISE_WGSL}{SHADER}"), "fill");
    let octaves = |noise: Single| noise.fbm().octaves(8).feature_size(1000.0);
    for (name, noise) in [
        ("value, 8 octaves", octaves(value())),
        ("Perlin, 8 octaves", octaves(perlin())),
        ("simplex, 8 octaves", octaves(simplex())),
        ("cellular, 3 octaves", octaves(cellular(CellOutput::F1)).octaves(3)),
        ("ridged multifractal, 8 octaves", perlin().ridged_multifractal().octaves(8).feature_size(1000.0)),
    ] {
        match compared(&compute, &pipeline, &noise.into()) {
            Ok(line) => println!("{name:32}{line}"),
            Err(error) => eprintln!("{name}: {error}"),
        }
    }
    ExitCode::SUCCESS
}

/// Fills the grid on the card and by the core.
fn compared(compute: &Compute, pipeline: &ComputePipeline, noise: &Noise) -> Result<String, Box<dyn Error>> {
    let land = noise.build(1)?;
    let words = land.for_shader()?.plane(START.map(|start| start as f64 * SPACING));
    let groups = [SIDE as u32 / 8; 2];
    // The first run also compiles.
    compute.run(pipeline, &[&words], SIDE * SIDE, groups)?;
    let (found, on_card) = compute.run(pipeline, &[&words], SIDE * SIDE, groups)?;

    let mut expected = vec![0.0; SIDE * SIDE];
    let begun = Instant::now();
    land.fill(&Grid::new(START, SPACING, [SIDE, SIDE]), &mut Scratch::default(), &mut expected);
    let in_core = begun.elapsed();

    let difference = |(found, expected): (&u32, &f32)| (f32::from_bits(*found) - expected).abs();
    let most = found.iter().zip(&expected).map(difference).fold(0.0, f32::max);
    let [on_card, in_core] = [on_card, in_core].map(|time| time.as_secs_f64() * 1e3);
    Ok(format!("card {on_card:8.2} ms, core {in_core:8.2} ms, largest difference {most:.1e}"))
}
