//! How soon edits are seen, and what a minute of strokes costs.

use std::time::Instant;

use bevy_noise_terrain::SettingsError;
use bevy_noise_terrain::edits::Edit;
use cpu_time::ThreadTime;

use crate::quantile;
use crate::world::World;

/// The radius of a brush, in metres.
const BRUSH: f64 = 20.0;

/// Milliseconds from an edit to the end of the frame in which all its chunks are other: half, and 99 of 100. Frames follow
/// each other at their pace.
pub fn clicks(count: u32) -> Result<[f64; 2], SettingsError> {
    let mut world = World::new(30_000.0, false)?;
    let mut times = Vec::new();
    for index in 0..count {
        let angle = 2.4 * f64::from(index);
        let at = world.ground([60.0 * angle.cos(), 60.0 * angle.sin()]);
        let before = world.changes();
        let began = Instant::now();
        world.apply(Edit::raise(at, BRUSH, 0.5).falloff(5.0))?;
        while world.changes() == before {
            world.frame();
        }
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok([quantile(&times, 0.5), quantile(&times, 0.99)])
}

/// Milliseconds of the main thread's own time, with all that the app does, in frames with a stroke each: 99 of 100, and the
/// worst.
pub fn minute(frames: u32) -> Result<[f64; 2], SettingsError> {
    let mut world = World::new(30_000.0, false)?;
    let mut times = Vec::new();
    for index in 0..frames {
        let angle = 0.01 * f64::from(index);
        let at = world.ground([80.0 * angle.cos(), 80.0 * angle.sin()]);
        let began = ThreadTime::now();
        world.apply(Edit::raise(at, BRUSH, 0.1).falloff(5.0))?;
        world.frame();
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    Ok([quantile(&times, 0.99), quantile(&times, 1.0)])
}
