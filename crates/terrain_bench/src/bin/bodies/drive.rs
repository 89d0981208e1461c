//! Memory over a long way.

use bevy::prelude::*;
use bevy_noise_terrain::prelude::*;
use bevy_noise_terrain::tiles::TerrainTile;

use crate::engine::{Ball, Engine};
use crate::world::{TICK, app};

const SPEED: f32 = 100.0;
const KILOMETRES: usize = 100;

/// What is in memory after a part of the way, and at its end.
#[derive(Clone, Copy, Default)]
pub struct Memory {
    pub tiles: [usize; 2],
    pub megabytes: [f64; 2],
}

pub fn measure<E: Engine>() -> Memory {
    let settings = NoiseTerrain::default();
    let Ok(surface) = settings.surface() else { return Memory::default() };
    let mut app = app::<E>((settings, TerrainOrigin::default()));
    let ball = Ball { position: Vec3::ZERO, velocity: Vec3::ZERO, radius: 0.5, has_friction: false };
    let ball = E::spawn(app.world_mut(), ball);
    let mut memory = Memory::default();
    for tick in 0..(KILOMETRES as f32 * 1e3 / SPEED / TICK) as usize {
        let x = tick as f32 * SPEED * TICK;
        let ground = surface.height(f64::from(x), 0.0) as f32;
        E::place(app.world_mut(), ball, Vec3::new(x, ground + 1.0, 0.0), Vec3::X * SPEED);
        app.update();
        let travelled = (x / 1e3) as usize;
        let part = if travelled < KILOMETRES / 4 { 0 } else { 1 };
        memory.tiles[part] = app.world_mut().query::<&TerrainTile>().iter(app.world()).count();
        if tick % 640 == 0 {
            memory.megabytes[part] = resident_megabytes();
        }
    }
    memory
}

/// Resident memory; 0 where the system does not tell it.
fn resident_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1e3
}
