//! The worlds that come with the project.
#![cfg(feature = "file")]
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "helpers of tests may stop too")]

use std::path::PathBuf;

use serde::Deserialize;
use terrain_noise::prelude::*;

/// What else stands in a world's file is not about the land.
#[derive(Deserialize)]
struct World {
    terrain: Land,
}

#[derive(Deserialize)]
struct Land {
    seed: u64,
    noise: Noise,
}

/// Every world, with the range that its lowest and its highest ground lie in, in metres, over 60 km.
const WORLDS: [(&str, [f32; 2], [f32; 2]); 11] = [
    ("alien", [-400.0, -50.0], [500.0, 900.0]),
    ("alps", [0.0, 300.0], [2800.0, 3500.0]),
    ("badlands", [5.0, 40.0], [190.0, 260.0]),
    ("biomes", [-400.0, -100.0], [1000.0, 3000.0]),
    ("canyon", [80.0, 200.0], [720.0, 880.0]),
    ("continents", [-450.0, -150.0], [1800.0, 3900.0]),
    ("dunes", [-20.0, 25.0], [70.0, 160.0]),
    ("hills", [-200.0, 40.0], [350.0, 700.0]),
    ("islands", [-300.0, -120.0], [600.0, 1300.0]),
    ("karst", [-60.0, 5.0], [150.0, 260.0]),
    ("tundra", [-25.0, 0.0], [200.0, 480.0]),
];

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/presets"))
}

fn land(name: &str) -> Land {
    let text = std::fs::read_to_string(folder().join(format!("{name}.terrain.ron"))).expect(name);
    let world: World = ron::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    world.terrain.noise.validate().unwrap_or_else(|error| panic!("{name}: {error}"));
    world.terrain
}

#[test]
fn every_file_is_known() {
    let mut found: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".terrain.ron").map(str::to_owned))
        .collect();
    found.sort();
    assert_eq!(found, WORLDS.map(|(name, ..)| name.to_owned()));
}

#[test]
fn every_world_has_heights_as_its_kind_has() {
    let mut scratch = Scratch::default();
    for (name, lowest, highest) in WORLDS {
        let Land { seed, noise } = land(name);
        let sampler = noise.build(seed).expect(name);
        let grid = Grid { start: [-300, -300], spacing: 100.0, size: [601, 601], footprint: 0.0 };
        let mut heights = vec![0.0; grid.len()];
        let Bounds { min, max } = sampler.fill(&grid, &mut scratch, &mut heights);
        assert!((lowest[0]..=lowest[1]).contains(&min), "{name}: lowest {min} m");
        assert!((highest[0]..=highest[1]).contains(&max), "{name}: highest {max} m");
        // Seen from afar it is the same land: neither sunk nor risen.
        let mean = |heights: &[f32]| heights.iter().map(|&h| f64::from(h)).sum::<f64>() / heights.len() as f64;
        let mut far = vec![0.0; grid.len()];
        sampler.fill(&Grid { footprint: 100.0, ..grid }, &mut scratch, &mut far);
        let (near, far) = (mean(&heights), mean(&far));
        assert!((near - far).abs() < 0.02 * f64::from(max - min), "{name}: mean {near} m, from afar {far} m");
        assert!(heights.iter().all(|&height| sampler.bounds().contains(height)), "{name}");
    }
}

#[test]
fn every_world_has_detail_to_half_a_metre() {
    for (name, ..) in WORLDS {
        let Land { seed, noise } = land(name);
        let sampler = noise.build(seed).expect(name);
        // What samples 0.25 m apart show and samples 2 m apart do not.
        let rough = (0..2000).map(|i| {
            let at = [f64::from(i) * 91.7, f64::from(i % 37) * -613.3];
            f64::from((sampler.sample_filtered(at, 0.25) - sampler.sample_filtered(at, 2.0)).abs())
        });
        let mean = rough.sum::<f64>() / 2000.0;
        assert!((0.001..1.0).contains(&mean), "{name}: {mean} m");
    }
}
