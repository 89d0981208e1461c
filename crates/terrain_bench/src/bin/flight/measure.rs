//! The measured pass.

use std::time::Instant;

use bevy_noise_terrain::SettingsError;
use serde::Serialize;

use crate::Options;
use crate::world::{RATE, World};

/// Measurements of a flight.
#[derive(Default)]
pub struct Measured {
    pub main_ms: Vec<f32>,
    pub own_main_ms: Vec<f32>,
    pub chunks_drawn: Vec<u32>,
    pub chunk_ms: f32,
    pub wait_ms: f32,
    pub built: u64,
    pub wasted: u64,
    pub mesh_bytes: usize,
    /// Resident bytes after a tenth of the flight, and at its end.
    pub resident: [u64; 2],
    pub peak_bytes: u64,
    pub retune_coarse_ms: Vec<f32>,
    pub retune_full_ms: Vec<f32>,
}

#[derive(Serialize)]
pub struct Spread {
    pub p50: f32,
    pub p99: f32,
    pub max: f32,
}

impl Spread {
    pub fn of(values: &[f32]) -> Self {
        let mut values = values.to_vec();
        values.sort_unstable_by(f32::total_cmp);
        let at = |share: f64| {
            let index = (values.len().saturating_sub(1) as f64 * share).round() as usize;
            values.get(index).copied().unwrap_or(0.0)
        };
        Self { p50: at(0.5), p99: at(0.99), max: at(1.0) }
    }
}

/// Flies, then changes the settings repeatedly.
pub fn fly(options: &Options) -> Result<Measured, SettingsError> {
    let mut world = World::new(options, false)?;
    let frames = (options.kilometres * 1_000.0 / options.speed * RATE) as u32;
    let before = world.stats().clone();
    let mut measured = Measured::default();
    for frame in 0..frames {
        let (main_ms, _) = world.fly();
        measured.main_ms.push(main_ms);
        let stats = world.stats();
        measured.own_main_ms.push(stats.main_ms);
        measured.chunks_drawn.push(stats.drawn_total());
        measured.mesh_bytes = measured.mesh_bytes.max(stats.vertex_bytes);
        if frame == frames / 10 {
            measured.resident[0] = memory("VmRSS");
        }
    }
    measured.resident[1] = memory("VmRSS");
    let stats = world.stats();
    measured.chunk_ms = stats.chunk_ms;
    measured.wait_ms = stats.wait_ms;
    measured.built = stats.built - before.built;
    measured.wasted = stats.wasted - before.wasted;
    for seed in 0..u64::from(options.retunes) {
        world.settle();
        let generation = world.stats().generation;
        let began = Instant::now();
        world.retune(1_000 + seed);
        while world.stats().generation == generation {
            world.update();
        }
        measured.retune_coarse_ms.push(began.elapsed().as_secs_f32() * 1e3);
        world.settle();
        measured.retune_full_ms.push(began.elapsed().as_secs_f32() * 1e3);
    }
    measured.peak_bytes = memory("VmHWM");
    Ok(measured)
}

/// A memory statistic of this process in bytes, from `/proc`; 0 on other systems than Linux.
fn memory(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field));
    let kibibytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}
