//! The results, printed and written to a file.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use crate::engine::Engine;
use crate::{Part, borders, cost, crowd, drive, exact};

/// The results; what was not measured is left out.
#[derive(Default, Serialize)]
pub struct Figures {
    engine: &'static str,
    #[serde(flatten)]
    exact: Option<Exact>,
    #[serde(flatten)]
    crowd: Option<Crowd>,
    #[serde(flatten)]
    borders: Option<Borders>,
    #[serde(flatten)]
    cost: Option<Cost>,
    #[serde(flatten)]
    drive: Option<Drive>,
}

#[derive(Serialize)]
struct Exact {
    ray_error_mm: f64,
    ball_error_mm: f64,
    inexact_balls: usize,
    rays: usize,
    balls: usize,
    rays_missed: usize,
}

#[derive(Serialize)]
struct Crowd {
    bodies: usize,
    fell_through: usize,
    lifted: usize,
    caught: usize,
}

#[derive(Serialize)]
struct Borders {
    bump_mm: f64,
    bump_at_borders_mm: f64,
    /// Between two ways over a single ground.
    bump_control_mm: f64,
}

#[derive(Serialize)]
struct Cost {
    tile_ms: f64,
    /// Placing the trunks and rocks of a tile, without their colliders; a tile of grass, to compare.
    objects_ms: f64,
    grass_ms: f64,
    main_p50_ms: f64,
    main_p99_ms: f64,
    main_max_ms: f64,
}

#[derive(Serialize)]
struct Drive {
    tiles_after_25_km: usize,
    tiles_after_100_km: usize,
    memory_mb_after_25_km: f64,
    memory_mb_after_100_km: f64,
}

impl Figures {
    /// Runs the parts, or all if none is named.
    pub fn collect<E: Engine>(engine: &'static str, bodies: usize, parts: &[Part]) -> Self {
        let wants = |part: Part| parts.is_empty() || parts.contains(&part);
        Self {
            engine,
            exact: wants(Part::Exact).then(|| {
                let errors = exact::measure::<E>();
                Exact {
                    ray_error_mm: errors.ray_mm,
                    ball_error_mm: errors.ball_mm,
                    inexact_balls: errors.inexact_balls,
                    rays: errors.rays,
                    balls: errors.balls,
                    rays_missed: errors.missed,
                }
            }),
            borders: wants(Part::Borders).then(|| {
                let bumps = borders::measure::<E>();
                Borders {
                    bump_mm: bumps.anywhere,
                    bump_at_borders_mm: bumps.at_borders,
                    bump_control_mm: bumps.control,
                }
            }),
            cost: wants(Part::Cost).then(|| {
                let [main_p50_ms, main_p99_ms, main_max_ms] = cost::tick_ms::<E>();
                let [objects_ms, grass_ms] = cost::objects_ms();
                Cost { tile_ms: cost::tile_ms::<E>(), objects_ms, grass_ms, main_p50_ms, main_p99_ms, main_max_ms }
            }),
            drive: wants(Part::Drive).then(|| {
                let memory = drive::measure::<E>();
                Drive {
                    tiles_after_25_km: memory.tiles[0],
                    tiles_after_100_km: memory.tiles[1],
                    memory_mb_after_25_km: memory.megabytes[0],
                    memory_mb_after_100_km: memory.megabytes[1],
                }
            }),
            crowd: wants(Part::Crowd).then(|| {
                let outcome = crowd::measure::<E>(bodies);
                Crowd {
                    bodies: outcome.bodies,
                    fell_through: outcome.fell_through,
                    lifted: outcome.lifted,
                    caught: outcome.caught,
                }
            }),
        }
    }

    /// Writes them as JSON.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        std::fs::write(path, format!("{self}\n"))
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&serde_json::to_string_pretty(self).unwrap_or_default())
    }
}
